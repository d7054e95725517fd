"""Home boards of backgammon, numbered, and what every roll makes of them.

A home board is written as the checkers on each point, from the ace on. Inside it is the *tails*: how many checkers lie on a
point or higher, t1 >= t2 >= ... >= t6. A move from a point takes one from the tails above its destination up to that point, so in
the number `code` = t1 t2 t3 t4 t5 t6, read as digits, it is one subtraction.

Boards that a start can lead to have tails no longer than its own. They are numbered in the order of their codes; 0 is empty.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from rollwise.games.columns import Relation

__all__ = ["POINTS", "ROLLS", "Counts", "Homes", "Numbers", "Play", "moves", "pips", "plays_below", "show_play", "tails"]

Counts = tuple[int, ...]
Play = tuple[tuple[int, int], ...]
Numbers = npt.NDArray[np.int32]

POINTS = 6
ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))


def tails(counts: Sequence[int]) -> Counts:
    """Say how many checkers lie on each point or higher.

    >>> tails((2, 1, 0, 0, 0, 3))
    (6, 4, 3, 3, 3, 3)
    """
    return tuple(sum(counts[place:]) for place in range(len(counts)))


def pips(counts: Sequence[int]) -> int:
    """Count what is still to be moved, in points.

    >>> pips((2, 1, 0, 0, 0, 3))
    22
    """
    return sum(point * count for point, count in enumerate(counts, 1))


def moves(counts: Counts, die: int) -> Iterator[tuple[int, int, Counts]]:
    """List the moves with one die: from where, to where (0: off), and the board after it, from the highest point on.

    A checker is borne off by its own number, or by a larger one if none lies higher.
    """
    highest = max((point for point, count in enumerate(counts, 1) if count), default=0)
    for point in range(highest, 0, -1):
        if counts[point - 1] and (point >= die or point == highest):
            to = max(point - die, 0)
            yield point, to, tuple(count - (place == point) + (place == to) for place, count in enumerate(counts, 1))


class Homes:
    """All home boards whose tails are at most those given, by number.

    >>> homes = Homes((2, 1, 0, 0, 0, 0))
    >>> len(homes), homes.counts(4), homes.number((1, 1, 0, 0, 0, 0))
    (5, (1, 1, 0, 0, 0, 0), 4)
    """

    def __init__(self, most: Counts) -> None:
        self.most = most
        self.stride = tuple((most[0] + 1) ** (POINTS - 1 - place) for place in range(POINTS))
        longer = np.zeros((1, 0), dtype=np.int64)
        for place, top in enumerate(most):
            room = np.full(len(longer), top) if not place else np.minimum(longer[:, -1], top)
            own = np.arange(int((room + 1).sum())) - np.repeat(np.cumsum(room + 1) - room - 1, room + 1)
            longer = np.concatenate([np.repeat(longer, room + 1, axis=0), own[:, None]], axis=1)
        self.tails = longer
        self.code = longer @ np.array(self.stride)

    def __len__(self) -> int:
        return len(self.code)

    @cached_property
    def boards(self) -> npt.NDArray[np.int64]:
        """The checkers on each point, by board."""
        return self.tails - np.pad(self.tails, ((0, 0), (0, 1)))[:, 1:]

    def counts(self, number: int) -> Counts:
        """Give the checkers on each point."""
        own = [*self.tails[number].tolist(), 0]
        return tuple(own[place] - own[place + 1] for place in range(POINTS))

    def number(self, counts: Sequence[int]) -> int | None:
        """Give the number of a board; None if it is none of these."""
        own = tails(counts)
        if any(tail > top for tail, top in zip(own, self.most, strict=True)):
            return None
        return int(np.searchsorted(self.code, sum(tail * stride for tail, stride in zip(own, self.stride, strict=True))))

    def steps(self) -> Numbers:
        """Give `step[die, point, home]`, the board after a move; as many as there are boards where it is not legal.

        From point 0 nothing is moved, which is legal when nothing is left.
        """
        none = len(self)
        found = np.full((7, POINTS + 1, none + 1), none, dtype=np.int32)
        found[:, 0, 0] = 0
        own = np.concatenate([self.tails, np.zeros((none, 1), dtype=np.int64)], axis=1)
        for die, point in product(range(1, 7), range(1, POINTS + 1)):
            to = max(point - die, 0)
            legal = own[:, point - 1] > own[:, point]
            if die > point:
                legal &= own[:, point] == 0
            rows = np.flatnonzero(legal)
            found[die, point, rows] = np.searchsorted(self.code, self.code[rows] - sum(self.stride[to:point]))
        return found

    def plays(self) -> Relation:
        """List what each roll makes of each board, every result once: `after`, by `at` = roll * boards + board."""
        step, at, after = self.steps(), [], []
        for roll, (high, low) in enumerate(ROLLS, 1):
            home, result = _doubled(step[high]) if high == low else _rolled(step[high], step[low], high, low)
            order = np.argsort(home, kind="stable")
            at.append(home[order] + np.int64(roll * len(self)))
            after.append(result[order])
        return Relation({"at": np.concatenate(at), "after": np.concatenate(after)}, key="at", labels=self._label)

    def _label(self, row: dict[str, int]) -> str:
        roll, home = divmod(row["at"], len(self))
        return show_play(self.find_play(home, roll, row["after"]))

    def find_play(self, home: int, roll: int, after: int) -> Play:
        """Give moves of a roll that make one board of another, the higher die first where either may be."""
        high, low = ROLLS[roll - 1]
        orders = ((high,) * 4,) if high == low else ((high, low), (low, high))
        goal = self.counts(after)
        return next(play for dice in orders for play in _ways(self.counts(home), dice, goal))


def plays_below(most: Counts) -> Relation:
    """List the plays of all boards with at most these tails; as long as the list is in use, it is made once."""
    found = _PLAYS.get(most)
    if found is None:
        found = _PLAYS[most] = Homes(most).plays()
    return found


_PLAYS: WeakValueDictionary[Counts, Relation] = WeakValueDictionary()


def _rolled(higher: Numbers, lower: Numbers, high: int, low: int) -> tuple[Numbers, Numbers]:
    """Play two different dice, in either order: one checker by each, or nothing by the lower when none is left.

    Only two pairs of moves give the same board: one checker by both dice, the higher first or the lower; and two that are borne
    off, either by either die. The second of them is left out where the first is legal.
    """
    none = higher.shape[1] - 1
    homes, points = np.arange(1, none, dtype=np.int32), range(POINTS, 0, -1)
    results = {
        (a, b): np.minimum(lower[b][higher[a][homes]], higher[a][lower[b][homes]]) for a, b in product(points, (*points, 0))
    }
    found = []
    for (a, b), result in results.items():
        keep = result < none
        twin = _twin(a, b, high, low)
        if twin:
            keep &= results[twin] == none
        found.append((homes[keep], result[keep]))
    return _joined(found)


def _twin(a: int, b: int, high: int, low: int) -> tuple[int, int] | None:
    """Give the pair of moves (higher die from a, lower from b) that gives the same board as another and comes first."""
    if a == b - low:
        return (b, 0) if b <= high else (b, b - high)
    return (b, a) if a < b <= low else None


def _doubled(step: Numbers) -> tuple[Numbers, Numbers]:
    """Play four moves with the same die, from higher points first: no two ways give the same board."""
    homes = np.arange(1, step.shape[1] - 1, dtype=np.int32)
    groups = {POINTS: (homes, homes)}
    for _ in range(4):
        groups = {point: _moved(step, point, groups) for point in range(POINTS, -1, -1)}
    return _joined(list(groups.values()))


def _moved(step: Numbers, point: int, groups: dict[int, tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
    """Move from a point where the last move was from there or higher."""
    home, now = _joined([group for last, group in groups.items() if last >= point])
    result = step[point][now]
    keep = result < step.shape[1] - 1
    return home[keep], result[keep]


def _joined(parts: Sequence[tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
    return np.concatenate([home for home, _ in parts]), np.concatenate([result for _, result in parts])


def _ways(counts: Counts, dice: tuple[int, ...], goal: Counts) -> Iterator[Play]:
    """List the moves by these dice, in this order, that lead to a goal."""
    if not dice or not any(counts):
        if counts == goal:
            yield ()
        return
    for point, to, after in moves(counts, dice[0]):
        yield from (((point, to), *rest) for rest in _ways(after, dice[1:], goal))


def show_play(play: Play) -> str:
    """Write moves as backgammon players do, from the highest point on: what one checker moves inside is one move.

    >>> show_play(((6, 4), (4, 3))), show_play(((2, 0), (5, 3), (2, 0))), show_play(((3, 2), (2, 1), (1, 0)))
    ('6/3', '5/3 2/off(2)', '3/1 1/off')
    """
    whole: list[tuple[int, int]] = []
    for point, to in play:
        before = next((place for place, (_, end) in enumerate(whole) if end == point), None)
        if before is None or not to:
            whole.append((point, to))
        else:
            whole[before] = (whole[before][0], to)
    texts = [f"{point}/{to or 'off'}" for point, to in sorted(whole, reverse=True)]
    return " ".join(text + (f"({texts.count(text)})" if texts.count(text) > 1 else "") for text in dict.fromkeys(texts))
