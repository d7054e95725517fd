"""Kismet, its boxes told anew."""

from fractions import Fraction

from tests.known.sides import sides_of
from tests.plain_sheets import PlainSheet

Hand = tuple[int, ...]
COLOUR = {1: "black", 6: "black", 2: "red", 5: "red", 3: "green", 4: "green"}


def value(
    boxes: str = "", rerolls: int = 2, bonus: str = "35,55,75", thresholds: str = "63,71,78", weights: str = ""
) -> Fraction | float:
    steps = list(zip(map(int, thresholds.split(",")), map(int, bonus.split(",")), strict=True))

    def earned(upper: int) -> int:
        return [0, *(points for threshold, points in steps if upper >= threshold)][-1]

    return PlainSheet(LOWER, rerolls=rerolls, bonus=earned, sides=tuple(sides_of(weights))).value(boxes)


def two_pair(hand: Hand) -> int:
    """Two pairs among four of the dice, all of one colour."""
    fours = [hand[:i] + hand[i + 1 :] for i in range(5)]
    return sum(hand) if any(four[0] == four[1] and four[2] == four[3] and one_colour(four) for four in fours) else 0


def one_colour(hand: Hand) -> bool:
    return len({COLOUR[face] for face in hand}) == 1


def is_house(hand: Hand) -> bool:
    """Sorted, the house is at either end; five alike are both."""
    return (hand[0] == hand[2] and hand[3] == hand[4]) or (hand[0] == hand[1] and hand[2] == hand[4])


LOWER = {
    "two-pair": two_pair,
    "three-of-a-kind": lambda hand: sum(hand) if hand[0] == hand[2] or hand[1] == hand[3] or hand[2] == hand[4] else 0,
    "straight": lambda hand: 30 if hand in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)) else 0,
    "flush": lambda hand: 35 if one_colour(hand) else 0,
    "full-house": lambda hand: sum(hand) + 15 if is_house(hand) else 0,
    "full-house-colour": lambda hand: sum(hand) + 20 if is_house(hand) and one_colour(hand) else 0,
    "four-of-a-kind": lambda hand: sum(hand) + 25 if hand[0] == hand[3] or hand[1] == hand[4] else 0,
    "yarborough": sum,
    "kismet": lambda hand: sum(hand) + 50 if hand[0] == hand[4] else 0,
}
