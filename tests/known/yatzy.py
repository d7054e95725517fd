"""Yatzy on some of its boxes, by a recursion in fractions written from the rules: dice as sorted tuples, rolls saved or lost."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from tests.known.sides import sides_of

Hand = tuple[int, ...]

FACES = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
HANDS: list[Hand] = list(combinations_with_replacement(range(1, 7), 5))
KEEPS = {hand: {keep for n in range(5) for keep in combinations(hand, n)} for hand in HANDS}


def score(box: str, hand: Hand) -> int:
    counts = Counter(hand)
    if box in FACES:
        return FACES[box] * counts[FACES[box]]
    if box in ("pair", "three-of-a-kind", "four-of-a-kind"):
        n = {"pair": 2, "three-of-a-kind": 3, "four-of-a-kind": 4}[box]
        return n * max((face for face in counts if counts[face] >= n), default=0)
    if box == "yatzy":
        return 50 * (len(counts) == 1)
    assert box == "chance"
    return sum(hand)


def value(
    boxes: str, rerolls: int = 2, saved_rolls: str = "no", bonus: int = 50, threshold: int = 63, weights: str = "", **others: Any
) -> Fraction:
    """Give the value of a game with few boxes and the common rules."""
    assert not others
    thrown = {n: Counter(tuple(sorted(roll)) for roll in product(sides_of(weights), repeat=n)) for n in range(6)}
    every, keeps_rolls = tuple(boxes.split(",")), saved_rolls == "yes"

    @cache
    def start(opened: tuple[str, ...], upper: int, saved: int) -> Fraction:
        return rolled(opened, upper, (), rerolls + saved) if opened else Fraction(0)

    @cache
    def rolled(opened: tuple[str, ...], upper: int, keep: Hand, left: int) -> Fraction:
        """The value of a roll after which so many rerolls are left."""
        ways = thrown[5 - len(keep)]
        worth = [n * best(opened, upper, tuple(sorted(keep + roll)), left) for roll, n in ways.items()]
        return sum(worth, Fraction(0)) / sum(ways.values())

    @cache
    def best(opened: tuple[str, ...], upper: int, hand: Hand, left: int) -> Fraction:
        filled = max(fill(opened, upper, box, hand, left) for box in opened)
        if not left:
            return filled
        return max(filled, *(rolled(opened, upper, keep, left - 1) for keep in KEEPS[hand]))

    def fill(opened: tuple[str, ...], upper: int, box: str, hand: Hand, left: int) -> Fraction:
        points = score(box, hand)
        after = upper + points if box in FACES else upper
        extra = bonus if upper < threshold <= after else 0
        rest = tuple(other for other in opened if other != box)
        return points + extra + start(rest, min(after, threshold), left if keeps_rolls else 0)

    return start(every, 0, 0)
