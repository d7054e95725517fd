"""Scoring rules for the boxes of score sheets: small functions from a sorted hand to points, each with words for it."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rollwise.errors import GameError, one_of
from rollwise.games.sheets.boxes import Box, Hand
from rollwise.model.message import Message, Text

__all__ = [
    "Scoring", "all_equal", "all_equal_total", "choose_boxes", "count_face", "flush", "full_house", "groups_total", "house_total",
    "kind_total", "run", "straight", "total", "totalling", "two_pair_colour", "upper_boxes",
]  # fmt: skip


@dataclass(frozen=True)
class Scoring:
    """What a box pays: in words, and for a sorted hand.

    >>> Scoring("a point for each die that is even", lambda hand: sum(face % 2 == 0 for face in hand))((1, 2, 4))
    2
    """

    words: Text
    rule: Callable[[Hand], int]

    def __call__(self, hand: Hand) -> int:
        return self.rule(hand)


def count_face(face: int) -> Scoring:
    """Pay the total of the dice that show `face`.

    >>> count_face(4)((1, 4, 4, 5, 6))
    8
    """
    return Scoring(Message("pays.face", {"face": face}), lambda hand: face * hand.count(face))


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


def kind_total(size: int, *, more: int = 0, all_count: bool = True) -> Scoring:
    """Pay the total of all dice, and `more`, if at least `size` of them are equal; not if all are, unless `all_count`.

    >>> kind_total(3)((2, 2, 2, 2, 6)), kind_total(3)((1, 2, 2, 5, 6)), kind_total(4, more=25)((2, 2, 2, 2, 6))
    (14, 0, 39)
    >>> kind_total(4, all_count=False)((2, 2, 2, 2, 6)), kind_total(4, all_count=False)((2, 2, 2, 2, 2))
    (14, 0)
    """
    words = Message("pays.kind" if all_count else "pays.kind-not-all", {"total": _total(more), "n": size})

    def score(hand: Hand) -> int:
        equal = max(Counter(hand).values())
        return sum(hand) + more if equal >= size and (all_count or equal < len(hand)) else 0

    return Scoring(words, score)


def house_total(*, more: int = 0, five_counts: bool = False, one_colour: bool = False) -> Scoring:
    """Pay the total of all dice, and `more`, for three of one face and two of another, of `one_colour` if requested.

    >>> house_total()((2, 2, 3, 3, 3)), house_total(more=15)((2, 2, 3, 3, 3)), house_total()((3, 3, 3, 3, 3))
    (13, 28, 0)
    >>> [house_total(more=20, five_counts=True, one_colour=True)(hand) for hand in ((2, 2, 3, 3, 3), (3, 3, 4, 4, 4), (6,) * 5)]
    [0, 38, 50]
    """
    patterns = ([2, 3], [5]) if five_counts else ([2, 3],)
    words = Message("pays.house-colour" if one_colour else "pays.house", {"total": _total(more)})

    def score(hand: Hand) -> int:
        house = sorted(Counter(hand).values()) in patterns and not (one_colour and len(_colours(hand)) > 1)
        return sum(hand) + more if house else 0

    return Scoring(Message("pays.five-too", {"pays": words}) if five_counts else words, score)


def _two_pair_colour(hand: Hand) -> int:
    """Pay the total of all dice for two pairs of one colour; four equal dice are two pairs.

    >>> [_two_pair_colour(hand) for hand in ((2, 2, 5, 5, 6), (2, 2, 3, 3, 6), (4, 4, 4, 4, 6), (3, 3, 3, 4, 4))]
    [20, 0, 22, 17]
    """
    pairs = Counter(_colour(face) for face, n in Counter(hand).items() for _ in range(n // 2))
    return sum(hand) if max(pairs.values(), default=0) >= 2 else 0


two_pair_colour = Scoring(Message("pays.two-pair-colour"), _two_pair_colour)
"""Pay the total of all dice for two pairs of one colour."""


def flush(points: int) -> Scoring:
    """Pay `points` if all dice have one colour: 1 and 6, 2 and 5, or 3 and 4.

    >>> flush(35)((2, 2, 5, 5, 5)), flush(35)((2, 2, 3, 5, 5))
    (35, 0)
    """
    return Scoring(Message("pays.flush", {"points": points}), lambda hand: points if len(_colours(hand)) == 1 else 0)


def _colours(hand: Hand) -> set[int]:
    return {_colour(face) for face in hand}


def _colour(face: int) -> int:
    """Opposite faces have the same colour."""
    return min(face, 7 - face)


def full_house(points: int, *, five_counts: bool = False) -> Scoring:
    """Pay `points` for three of one face and two of another; for five of a kind only if `five_counts`.

    >>> full_house(25)((2, 2, 3, 3, 3)), full_house(25)((3, 3, 3, 3, 3)), full_house(25, five_counts=True)((3, 3, 3, 3, 3))
    (25, 0, 25)
    """
    patterns = ([2, 3], [5]) if five_counts else ([2, 3],)
    words = Message("pays.full-house", {"points": points})
    words = Message("pays.five-too", {"pays": words}) if five_counts else words
    return Scoring(words, lambda hand: points if sorted(Counter(hand).values()) in patterns else 0)


def straight(length: int, points: int) -> Scoring:
    """Pay `points` for `length` faces in a row.

    >>> straight(4, 30)((1, 3, 4, 5, 6)), straight(5, 40)((1, 3, 4, 5, 6))
    (30, 0)
    """

    def score(hand: Hand) -> int:
        faces = set(hand)
        return points if any(faces >= set(range(low, low + length)) for low in faces) else 0

    return Scoring(Message("pays.straight", {"points": points, "n": length}), score)


def run(faces: tuple[int, ...], points: int) -> Scoring:
    """Pay `points` if all of `faces` are shown.

    >>> run((1, 2, 3, 4, 5), 15)((1, 2, 3, 4, 5)), run((1, 2, 3, 4, 5), 15)((2, 3, 4, 5, 6))
    (15, 0)
    """
    words = Message("pays.run", {"points": points, "faces": "-".join(map(str, faces))})
    return Scoring(words, lambda hand: points if set(hand) >= set(faces) else 0)


def all_equal_total(more: int) -> Scoring:
    """Pay the total of all dice and `more` if all are equal.

    >>> all_equal_total(50)((4, 4, 4, 4, 4)), all_equal_total(50)((4, 4, 4, 4, 5))
    (70, 0)
    """
    words = Message("pays.all-equal-total", {"total": _total(more)})
    return Scoring(words, lambda hand: sum(hand) + more if len(set(hand)) == 1 else 0)


def all_equal(points: int) -> Scoring:
    """Pay `points` if all dice are equal.

    >>> all_equal(50)((4, 4, 4, 4, 4)), all_equal(50)((4, 4, 4, 4, 5))
    (50, 0)
    """
    return Scoring(Message("pays.all-equal", {"points": points}), lambda hand: points if len(set(hand)) == 1 else 0)


total = Scoring(Message("pays.total"), sum)
"""Pay the total of all dice."""


def totalling(wanted: int, points: int, *, pair: bool = False) -> Scoring:
    """Pay `points` if all dice make exactly the total `wanted`; with `pair`, only if at least two of them are equal.

    >>> totalling(13, 26)((3, 4, 6)), totalling(13, 50, pair=True)((3, 4, 6)), totalling(13, 50, pair=True)((1, 6, 6))
    (26, 0, 50)
    """
    words = Message("pays.totalling-pair" if pair else "pays.totalling", {"points": points, "total": wanted})
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


def _total(more: int) -> Message:
    return Message("pays.total-more", {"points": more}) if more else Message("pays.total")


def _grouped(sizes: tuple[int, ...], *, same_face: bool) -> Message:
    """Say which dice count."""
    if len(sizes) == 1:
        return Message("pays.group", {"n": sizes[0]})
    named = [Message("pays.size", {"n": size}) for size in sizes]
    return Message("pays.groups-same" if same_face else "pays.groups", {"sizes": named})
