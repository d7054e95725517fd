"""Scoring rules for the boxes of score sheets: small functions from a sorted hand to points, each with words for it."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rollwise.errors import GameError, one_of
from rollwise.games.sheet import Box, Hand

__all__ = [
    "Scoring", "all_equal", "choose_boxes", "count_face", "full_house", "groups_total", "kind_total", "run", "straight", "total",
    "totalling", "upper_boxes",
]  # fmt: skip

NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True)
class Scoring:
    """What a box pays: in words, and for a sorted hand.

    >>> Scoring("a point for each die that is even", lambda hand: sum(face % 2 == 0 for face in hand))((1, 2, 4))
    2
    """

    words: str
    rule: Callable[[Hand], int]

    def __call__(self, hand: Hand) -> int:
        return self.rule(hand)


def count_face(face: int) -> Scoring:
    """Pay the total of the dice that show `face`.

    >>> count_face(4)((1, 4, 4, 5, 6))
    8
    """
    return Scoring(f"the total of the dice that show {face}", lambda hand: face * hand.count(face))


def upper_boxes() -> list[Box]:
    """Make the six upper boxes, `ones` to `sixes`.

    >>> [box.name for box in upper_boxes()]
    ['ones', 'twos', 'threes', 'fours', 'fives', 'sixes']
    """
    names = ("ones", "twos", "threes", "fours", "fives", "sixes")
    return [Box(name, count_face(face), face) for face, name in enumerate(names, 1)]


def choose_boxes(known: Sequence[Box], names: Sequence[str] | None) -> list[Box]:
    """Choose boxes by name, in the order of the sheet; None: all of them. Raises `GameError` for an unknown or repeated one.

    >>> [box.name for box in choose_boxes(upper_boxes(), ["fives", "twos"])]
    ['twos', 'fives']
    """
    if names is None:
        return list(known)
    if len(set(names)) < len(names):
        raise GameError(f"boxes {list(names)}: name every box once")
    chosen = {one_of("box", name, [box.name for box in known]) for name in names}
    return [box for box in known if box.name in chosen]


def kind_total(size: int) -> Scoring:
    """Pay the total of all dice if at least `size` of them are equal.

    >>> kind_total(3)((2, 2, 2, 2, 6)), kind_total(3)((1, 2, 2, 5, 6))
    (14, 0)
    """
    words = f"the total of all dice, if at least {_number(size)} of them are equal"
    return Scoring(words, lambda hand: sum(hand) if max(Counter(hand).values()) >= size else 0)


def full_house(points: int, *, five_counts: bool = False) -> Scoring:
    """Pay `points` for three of one face and two of another; for five of a kind only if `five_counts`.

    >>> full_house(25)((2, 2, 3, 3, 3)), full_house(25)((3, 3, 3, 3, 3)), full_house(25, five_counts=True)((3, 3, 3, 3, 3))
    (25, 0, 25)
    """
    patterns = ([2, 3], [5]) if five_counts else ([2, 3],)
    rest = "; five equal dice count, too" if five_counts else ""
    words = f"{points} points for three of one face and two of another{rest}"
    return Scoring(words, lambda hand: points if sorted(Counter(hand).values()) in patterns else 0)


def straight(length: int, points: int) -> Scoring:
    """Pay `points` for `length` faces in a row.

    >>> straight(4, 30)((1, 3, 4, 5, 6)), straight(5, 40)((1, 3, 4, 5, 6))
    (30, 0)
    """

    def score(hand: Hand) -> int:
        faces = set(hand)
        return points if any(faces >= set(range(low, low + length)) for low in faces) else 0

    return Scoring(f"{points} points for {_number(length)} faces in a row", score)


def run(faces: tuple[int, ...], points: int) -> Scoring:
    """Pay `points` if all of `faces` are shown.

    >>> run((1, 2, 3, 4, 5), 15)((1, 2, 3, 4, 5)), run((1, 2, 3, 4, 5), 15)((2, 3, 4, 5, 6))
    (15, 0)
    """
    words = f"{points} points for {'-'.join(map(str, faces))}"
    return Scoring(words, lambda hand: points if set(hand) >= set(faces) else 0)


def all_equal(points: int) -> Scoring:
    """Pay `points` if all dice are equal.

    >>> all_equal(50)((4, 4, 4, 4, 4)), all_equal(50)((4, 4, 4, 4, 5))
    (50, 0)
    """
    return Scoring(f"{points} points if all dice are equal", lambda hand: points if len(set(hand)) == 1 else 0)


total = Scoring("the total of all dice", sum)
"""Pay the total of all dice."""


def totalling(wanted: int, points: int, *, pair: bool = False) -> Scoring:
    """Pay `points` if all dice make exactly the total `wanted`; with `pair`, only if at least two of them are equal.

    >>> totalling(13, 26)((3, 4, 6)), totalling(13, 50, pair=True)((3, 4, 6)), totalling(13, 50, pair=True)((1, 6, 6))
    (26, 0, 50)
    """
    words = f"{points} points for a total of {wanted}{' with a pair' if pair else ''}"
    return Scoring(words, lambda hand: points if sum(hand) == wanted and not (pair and len(set(hand)) == len(hand)) else 0)


def groups_total(*sizes: int, same_face: bool = False) -> Scoring:
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

    return Scoring(
        _grouped(sizes, same_face=same_face), lambda hand: best(Counter(hand), tuple(sorted(sizes, reverse=True))) or 0
    )


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _grouped(sizes: tuple[int, ...], *, same_face: bool) -> str:
    """Say which dice count: `the best two equal dice`, `the total of two, two equal dice ...`."""
    if len(sizes) == 1:
        return f"the total of {_number(sizes[0])} equal dice, the highest if there are several"
    named = " and ".join([", ".join(_number(size) for size in sizes[:-1]), _number(sizes[-1])])
    return f"the total of {named} equal dice, of {'faces that may be the same' if same_face else 'different faces'}"
