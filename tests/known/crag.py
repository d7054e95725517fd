"""Crag, its boxes told anew."""

from fractions import Fraction

from tests.known.sides import sides_of
from tests.plain_sheets import PlainSheet

LOWER = {
    "odd-straight": lambda hand: 20 if hand == (1, 3, 5) else 0,
    "even-straight": lambda hand: 20 if hand == (2, 4, 6) else 0,
    "low-straight": lambda hand: 20 if hand == (1, 2, 3) else 0,
    "high-straight": lambda hand: 20 if hand == (4, 5, 6) else 0,
    "three-of-a-kind": lambda hand: 25 if hand[0] == hand[-1] else 0,
    "thirteen": lambda hand: 26 if sum(hand) == 13 else 0,
    "crag": lambda hand: 50 if hand in ((1, 6, 6), (3, 5, 5), (4, 4, 5)) else 0,
}


def value(boxes: str = "", rerolls: int = 1, weights: str = "") -> Fraction | float:
    return PlainSheet(LOWER, dice=3, rerolls=rerolls, sides=tuple(sides_of(weights))).value(boxes)
