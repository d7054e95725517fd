"""Slots from the mover's side, in fractions: every free set of slots and total, side by side of the die."""

from fractions import Fraction
from functools import cache

from tests.known.sides import sides_of

SCORES = {
    "x3": (3, 6, 9, 12, 15, 18), "flip": (6, 5, 4, 3, 2, 1), "+4only12": (5, 6, 0, 0, 0, 0), "x2even": (0, 4, 0, 8, 0, 12),
    "+4odd": (5, 0, 7, 0, 9, 0), "bin": (0, 0, 0, 0, 0, 0),
}  # fmt: skip


def value(target: int = 45, weights: str = "") -> Fraction:
    """Give the chance to reach the target."""
    sides = sides_of(weights)

    @cache
    def chance(free: tuple[str, ...], total: int) -> Fraction:
        if not free:
            return Fraction(total >= target)
        return sum((max(placed(free, total, slot, face) for slot in free) for face in sides), Fraction(0)) / len(sides)

    def placed(free: tuple[str, ...], total: int, slot: str, face: int) -> Fraction:
        return chance(tuple(other for other in free if other != slot), total + SCORES[slot][face - 1])

    return chance(tuple(SCORES), 0)
