"""Scoring rules for the boxes of score sheets: small functions from a sorted hand to points."""

from collections import Counter
from collections.abc import Callable

from rollwise.sheets import Hand

__all__ = ["count_face", "full_house", "kind_total", "straight"]


def count_face(face: int) -> Callable[[Hand], int]:
    """Pay the total of the dice that show `face`.

    >>> count_face(4)((1, 4, 4, 5, 6))
    8
    """
    return lambda hand: face * hand.count(face)


def kind_total(size: int) -> Callable[[Hand], int]:
    """Pay the total of all dice if at least `size` of them are equal.

    >>> kind_total(3)((2, 2, 2, 2, 6)), kind_total(3)((1, 2, 2, 5, 6))
    (14, 0)
    """
    return lambda hand: sum(hand) if max(Counter(hand).values()) >= size else 0


def full_house(points: int, *, five_counts: bool = False) -> Callable[[Hand], int]:
    """Pay `points` for three of one face and two of another; for five of a kind only if `five_counts`.

    >>> full_house(25)((2, 2, 3, 3, 3)), full_house(25)((3, 3, 3, 3, 3)), full_house(25, five_counts=True)((3, 3, 3, 3, 3))
    (25, 0, 25)
    """
    patterns = ([2, 3], [5]) if five_counts else ([2, 3],)
    return lambda hand: points if sorted(Counter(hand).values()) in patterns else 0


def straight(length: int, points: int) -> Callable[[Hand], int]:
    """Pay `points` for `length` faces in a row.

    >>> straight(4, 30)((1, 3, 4, 5, 6)), straight(5, 40)((1, 3, 4, 5, 6))
    (30, 0)
    """

    def score(hand: Hand) -> int:
        faces = set(hand)
        return points if any(faces >= set(range(low, low + length)) for low in faces) else 0

    return score
