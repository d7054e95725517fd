"""What a score sheet is made of: boxes, bonuses, jokers, and a position."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from typing import Literal, NamedTuple

from rollwise.model.message import Text

__all__ = [
    "MOST_REROLLS",
    "MOST_TIMES",
    "Box",
    "Hand",
    "InstantWin",
    "Joker",
    "Move",
    "Turn",
    "UpperBonus",
    "box_fields",
    "keeps_of",
]

MOST_REROLLS = 100
MOST_TIMES = 100

Hand = tuple[int, ...]
Move = str | Hand
"""A box to fill, by name, or the dice to keep."""


@dataclass(frozen=True)
class Box:
    """A box: its name, what it pays for a sorted hand, and the face it counts if it is an upper box.

    It is filled `times` times. If it pays, it pays `first` points more for the first roll of a turn, with nothing rolled again.
    """

    name: str
    score: Callable[[Hand], int]
    face: int | None = None
    times: int = 1
    first: int = 0

    @property
    def words(self) -> Text:
        """What it pays, in words; "" where its rule does not say (`Scoring`)."""
        words: Text = getattr(self.score, "words", "")
        return words


@dataclass(frozen=True)
class UpperBonus:
    """`points` when the upper boxes reach `threshold`; before that, what lower steps earn: (threshold, points) each, in all.

    >>> bonus = UpperBonus(78, 75, before=((63, 35), (71, 55)))
    >>> [bonus.earned(upper) for upper in (62, 63, 77, 78)], bonus.next_step(63)
    ([0, 35, 55, 75], 71)
    """

    threshold: int
    points: int
    before: tuple[tuple[int, int], ...] = ()

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """The thresholds, lowest first, each with what the upper boxes earn in all from there on."""
        return (*self.before, (self.threshold, self.points))

    @property
    def jumps(self) -> tuple[int, ...]:
        """How many points more each step earns than the one before it."""
        points = [0, *(points for _, points in self.steps)]
        return tuple(after - before for before, after in pairwise(points))

    def earned(self, upper: int) -> int:
        """What an upper total has earned so far."""
        return next((points for threshold, points in reversed(self.steps) if upper >= threshold), 0)

    def next_step(self, upper: int) -> int:
        """The threshold that is next for an upper total; the last one, once all are reached."""
        return next((threshold for threshold, _ in self.steps if upper < threshold), self.threshold)


@dataclass(frozen=True)
class Joker:
    """What happens to dice that are all equal once the `box` for them is filled.

    Each pays `bonus` if the box holds points. `free`: any open box may be filled; `forced`: the matching upper box must be,
    else a lower one, else any. The boxes in `pays` then pay that much, when the matching upper box is filled.
    """

    box: str
    rule: Literal["free", "forced"]
    bonus: int
    pays: Mapping[str, int]


@dataclass(frozen=True)
class InstantWin:
    """A roll that wins: the `box`, filled with a first roll that it pays for, pays `points`, and the game is over."""

    box: str
    points: int


class Turn(NamedTuple):
    """A position: open boxes (bit i for box i), upper total, whether the joker box holds points, dice, rolls left.

    A box that is filled several times has as many bits as the number of times still to come needs.

    In a state `dice` is the hand and `left` the rerolls left; in a pending they are the dice kept and the rolls left.
    """

    open: int
    upper: int
    primed: bool
    dice: Hand
    left: int


def box_fields(times: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give for each box one time of it, and all its bits, in the number that stands for the open boxes."""
    widths = [number.bit_length() for number in times]
    unit = tuple(1 << sum(widths[:i]) for i in range(len(widths)))
    return unit, tuple(one * ((1 << width) - 1) for one, width in zip(unit, widths, strict=True))


@lru_cache(maxsize=4096)
def keeps_of(hand: Hand) -> tuple[Hand, ...]:
    """List what can be kept while rolling at least one die, most dice first."""
    groups = [[(face,) * k for k in range(n, -1, -1)] for face, n in Counter(hand).items()]
    kept = [tuple(face for group in choice for face in group) for choice in product(*groups)]
    return tuple(sorted(kept[1:], key=len, reverse=True))
