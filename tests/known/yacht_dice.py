"""Yacht Dice, its boxes told anew."""

from collections.abc import Callable
from fractions import Fraction

from tests.known.sides import sides_of
from tests.plain_sheets import PlainSheet

Hand = tuple[int, ...]
ROWS = ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6))


def value(
    boxes: str = "",
    rerolls: int = 2,
    bonus: int = 35,
    threshold: int = 63,
    five_as_full_house: str = "yes",
    five_as_four: str = "yes",
    saved_rolls: str = "no",
    weights: str = "",
) -> Fraction | float:
    lower: dict[str, Callable[[Hand], int]] = {
        "choice": sum,
        "four-of-a-kind": lambda hand: sum(hand) if most(hand) == 4 or (most(hand) == 5 and five_as_four == "yes") else 0,
        "full-house": lambda hand: sum(hand) if is_house(hand) or (most(hand) == 5 and five_as_full_house == "yes") else 0,
        "small-straight": lambda hand: 15 if any(set(hand) >= set(row) for row in ROWS) else 0,
        "large-straight": lambda hand: 30 if hand in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)) else 0,
        "yacht": lambda hand: 50 if most(hand) == 5 else 0,
    }
    earns = lambda upper: bonus if upper >= threshold else 0  # noqa: E731
    sides = tuple(sides_of(weights))
    return PlainSheet(lower, rerolls=rerolls, bonus=earns, saves=saved_rolls == "yes", sides=sides).value(boxes)


def most(hand: Hand) -> int:
    return max(map(hand.count, hand))


def is_house(hand: Hand) -> bool:
    return {hand.count(face) for face in hand} == {2, 3}
