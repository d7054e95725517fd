"""Bear-off checker by checker, in fractions: a side is the sorted points of its checkers; every order of the dice is tried."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from tests.known.sides import sides_of

__all__ = ["value"]

Side = tuple[int, ...]


def value(start: str, players: int = 1, other: str | None = None, checkers: int = 15, weights: str = "") -> Fraction:
    """Give the fewest expected rolls, or the first player's chance."""
    return rolls(side(start), weights) if players == 1 else chance(side(start), side(other or start), weights)


def side(text: str) -> Side:
    """List the points of the checkers."""
    return tuple(point for point, count in enumerate(text.split("/"), 1) for _ in range(int(count)))


@cache
def rolls(own: Side, weights: str) -> Fraction:
    """Give the fewest expected rolls."""
    return 1 + mean([min(rolls(left, weights) for left in left_by(own, a, b)) for a, b in pairs(weights)]) if own else Fraction(0)


@cache
def chance(own: Side, other: Side, weights: str) -> Fraction:
    """Give the mover's chance against the other side."""
    best = (
        max(1 - chance(other, left, weights) if left else Fraction(1) for left in left_by(own, a, b)) for a, b in pairs(weights)
    )
    return mean(list(best))


def pairs(weights: str) -> Iterable[tuple[int, int]]:
    return ((a, b) for a in sides_of(weights) for b in sides_of(weights))


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


@cache
def left_by(own: Side, a: int, b: int) -> frozenset[Side]:
    """Give what can be left by a roll."""
    orders = [(a,) * 4] if a == b else [(a, b), (b, a)]
    return frozenset(left for order in orders for left in played(frozenset([own]), order))


def played(sides: frozenset[Side], dice: tuple[int, ...]) -> frozenset[Side]:
    for die in dice:
        sides = frozenset(after for one in sides for after in moved(one, die))
    return sides


def moved(own: Side, die: int) -> Iterable[Side]:
    """Move any checker: off from the die's point, off from lower if it is among the highest, else down."""
    if not own:
        yield own
    for place, point in enumerate(own):
        rest = own[:place] + own[place + 1 :]
        if point > die:
            yield tuple(sorted((*rest, point - die)))
        elif point == die or point == max(own):
            yield rest
