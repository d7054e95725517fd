"""Yacht, its boxes told anew."""

from fractions import Fraction

from tests.known.sides import sides_of
from tests.plain_sheets import PlainSheet

LOWER = {
    "full-house": lambda hand: sum(hand) if {hand.count(face) for face in hand} == {2, 3} else 0,
    "four-of-a-kind": lambda hand: max(4 * face if hand.count(face) > 3 else 0 for face in hand),
    "little-straight": lambda hand: 30 if hand == (1, 2, 3, 4, 5) else 0,
    "big-straight": lambda hand: 30 if hand == (2, 3, 4, 5, 6) else 0,
    "choice": sum,
    "yacht": lambda hand: 50 if hand[0] == hand[-1] else 0,
}


def value(boxes: str = "", rerolls: int = 2, weights: str = "") -> Fraction | float:
    return PlainSheet(LOWER, rerolls=rerolls, sides=tuple(sides_of(weights))).value(boxes)
