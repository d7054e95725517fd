"""Scoring rules for the boxes of score sheets: small functions from a sorted hand to points."""

from collections import Counter
from collections.abc import Callable

from rollwise.games.sheet import Box, Hand

__all__ = ["all_equal", "count_face", "full_house", "groups_total", "kind_total", "run", "straight", "total", "upper_boxes"]


def count_face(face: int) -> Callable[[Hand], int]:
    """Pay the total of the dice that show `face`.

    >>> count_face(4)((1, 4, 4, 5, 6))
    8
    """
    return lambda hand: face * hand.count(face)


def upper_boxes() -> list[Box]:
    """Make the six upper boxes, `ones` to `sixes`.

    >>> [box.name for box in upper_boxes()]
    ['ones', 'twos', 'threes', 'fours', 'fives', 'sixes']
    """
    names = ("ones", "twos", "threes", "fours", "fives", "sixes")
    return [Box(name, count_face(face), face) for face, name in enumerate(names, 1)]


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


def run(faces: tuple[int, ...], points: int) -> Callable[[Hand], int]:
    """Pay `points` if all of `faces` are shown.

    >>> run((1, 2, 3, 4, 5), 15)((1, 2, 3, 4, 5)), run((1, 2, 3, 4, 5), 15)((2, 3, 4, 5, 6))
    (15, 0)
    """
    return lambda hand: points if set(hand) >= set(faces) else 0


def all_equal(points: int) -> Callable[[Hand], int]:
    """Pay `points` if all dice are equal.

    >>> all_equal(50)((4, 4, 4, 4, 4)), all_equal(50)((4, 4, 4, 4, 5))
    (50, 0)
    """
    return lambda hand: points if len(set(hand)) == 1 else 0


def total(hand: Hand) -> int:
    """Pay the total of all dice.

    >>> total((1, 2, 3, 4, 6))
    16
    """
    return sum(hand)


def groups_total(*sizes: int, same_face: bool = False) -> Callable[[Hand], int]:
    """Pay the total of the best dice that form groups of these sizes, of different faces unless `same_face`.

    >>> groups_total(2)((2, 2, 5, 5, 6)), groups_total(2, 2)((2, 2, 5, 5, 6)), groups_total(3, 2)((2, 2, 2, 5, 5))
    (10, 14, 16)
    >>> groups_total(2, 2)((5, 5, 5, 5, 6)), groups_total(2, 2, same_face=True)((5, 5, 5, 5, 6))
    (0, 20)
    """

    def best(left: dict[int, int], open_sizes: tuple[int, ...]) -> int | None:
        if not open_sizes:
            return 0
        size, rest = open_sizes[0], open_sizes[1:]
        found = []
        for face, n in left.items():
            if n >= size:
                after = best({**left, face: n - size if same_face else 0}, rest)
                if after is not None:
                    found.append(size * face + after)
        return max(found, default=None)

    return lambda hand: best(Counter(hand), tuple(sorted(sizes, reverse=True))) or 0
