"""A board of columns as arrays: where turns may start, and what the dice can move.

A turn start holds x[c] steps in column c, of `length[c]`; as a code it is the sum of x[c] * stride[c], column by column with
length + 1 digits. Within a turn the columns stand at some y >= x, with a marker in each column where y > x; so the code of y and
that of x say everything. Codes rise with every step.

What a roll can move depends on the columns with a marker (a mask) and on those that can still be climbed: for each such pair a
*menu* lists the different moves, and the different sets of them that a roll may offer, with their weights; the rest is lost.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.games.cant_stop import CantStop, moves_of
from rollwise.model.roll import dice
from rollwise.model.weights import roll_of

__all__ = ["Board", "Count", "Menus", "board_of", "count_board"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

FAR = 2
"""Steps that no move exceeds."""


class Menus(NamedTuple):
    """What rolls offer, by menu: `number[climbing, open]` is the menu of two masks (-1: there is none).

    Menu m has the moves `move_start[m]:move_start[m + 1]`, each in the columns `first` and `second` (the same one twice: two
    steps if they are there; -1: none). Its rolls are `roll_start[m]:roll_start[m + 1]`; roll r comes with `chance[r]` and offers
    the moves `offer[offer_start[r]:offer_start[r + 1]]`, counted from the menu's first; `lost[m]` is the chance of no move.
    """

    number: Ints
    move_start: Ints
    first: Ints
    second: Ints
    roll_start: Ints
    chance: Floats
    offer_start: Ints
    offer: Ints
    lost: Floats


@dataclass(frozen=True, eq=False)
class Board:
    """The columns of a board, and what a turn can do there."""

    length: Ints
    markers: int
    to_win: int
    weights: tuple[int, ...]

    @cached_property
    def stride(self) -> Ints:
        """What a step in a column adds to a code."""
        return np.concatenate([np.cumprod((self.length + 1)[::-1])[-2::-1], [1]]).astype(np.int64)

    @property
    def size(self) -> int:
        """The number of codes."""
        return prod(int(length) + 1 for length in self.length)

    @cached_property
    def groups(self) -> Ints:
        """The sets of columns that may have markers, most first, as rows of column numbers; -1: no more."""
        most = min(self.markers, len(self.length))
        sets = [chosen for count in range(most, -1, -1) for chosen in combinations(range(len(self.length)), count)]
        found = np.full((len(sets), max(1, most)), -1, dtype=np.int64)
        for row, chosen in enumerate(sets):
            found[row, : len(chosen)] = chosen
        return found

    def code(self, steps: Any) -> int:
        """Give the code of the steps in all columns."""
        return int(np.dot(self.stride, steps))

    @property
    def symmetric(self) -> bool:
        """Whether sums from right to left are as likely as from left to right."""
        return self.weights == self.weights[::-1]

    def mirrored(self, code: Ints) -> Ints:
        """Give the codes of the same steps from right to left, if all sums are as likely so; else the codes themselves."""
        if not self.symmetric:
            return code
        digits = code[:, None] // self.stride % (self.length + 1)
        found: Ints = digits[:, ::-1] @ self.stride
        return found

    @cached_property
    def layers(self) -> list[Ints]:
        """The codes of the turn starts by steps, most first; of two mirror images the one with the lower code."""
        code = np.arange(self.size, dtype=np.int64)
        total, finished = np.zeros_like(code), np.zeros_like(code)
        for stride, length in zip(self.stride, self.length, strict=True):
            digit = code // stride % (length + 1)
            total += digit
            finished += digit == length
        code = code[(finished < self.to_win) & (code <= self.mirrored(code))]
        code = code[np.argsort(-total[code], kind="stable")]
        cuts = np.flatnonzero(np.diff(total[code])) + 1
        return np.split(code, cuts)

    @cached_property
    def menus(self) -> Menus:
        """List what the dice can move, for every set of markers and closed columns."""
        return _menus(self)


def board_of(game: CantStop) -> Board:
    """Read a board."""
    return Board(np.array(game.lengths, dtype=np.int64), game.markers, game.columns_to_win, game.weights)


def _menus(board: Board) -> Menus:
    columns = len(board.length)
    number = np.full((1 << columns, 1 << columns), -1, dtype=np.int64)
    throws = list(dice(4, roll_of(board.weights)).items())
    total = sum(weight for _, weight in throws)
    moves: list[tuple[int, int]] = []
    chances: list[float] = []
    offers: list[list[int]] = []
    move_start, roll_start, lost = [0], [0], []
    for place, (climbing, opened) in enumerate(_masks(board)):
        number[climbing, opened] = place
        rolls: dict[tuple[tuple[int, ...], ...], int] = {}
        left = [FAR * (opened >> i & 1) for i in range(columns)]
        marked = frozenset(i for i in range(columns) if climbing >> i & 1)
        for hand, weight in throws:
            key = tuple(moves_of(hand, marked, left, board.markers))
            rolls[key] = rolls.get(key, 0) + weight
        lost.append(rolls.pop((), 0) / total)
        known = {sums: i for i, sums in enumerate(dict.fromkeys(sums for key in rolls for sums in key))}
        moves += [(sums[0] - 2, sums[1] - 2 if len(sums) > 1 else -1) for sums in known]
        chances += [weight / total for weight in rolls.values()]
        offers += [[known[sums] for sums in key] for key in rolls]
        move_start.append(len(moves))
        roll_start.append(len(chances))
    pairs = np.array(moves, dtype=np.int64).reshape(-1, 2)
    start = np.cumsum([0, *map(len, offers)])
    return Menus(
        number, np.array(move_start), pairs[:, 0].copy(), pairs[:, 1].copy(), np.array(roll_start), np.array(chances), start,
        np.array([move for offer in offers for move in offer], dtype=np.int64), np.array(lost),
    )  # fmt: skip


def _masks(board: Board) -> Iterator[tuple[int, int]]:
    """Give the pairs of masks that may come up: columns with a marker, and columns that can be climbed."""
    columns = len(board.length)
    everything, seen = (1 << columns) - 1, set()
    closed = [sum(1 << i for i in top) for n in range(board.to_win) for top in combinations(range(columns), n)]
    for chosen in board.groups:
        climbing = sum(1 << int(i) for i in chosen if i >= 0)
        within = climbing if climbing.bit_count() == board.markers else everything
        for top in closed:
            pair = climbing, within & ~top
            if pair not in seen:
                seen.add(pair)
                yield pair


class Count(NamedTuple):
    """The size of a board: its turn starts, and the positions within all turns from which there is a roll."""

    starts: int
    positions: int


def count_board(board: Board) -> Count:
    """Count column by column, without listing anything: ways by columns finished before the turn, markers, and finished in it."""
    ways = {(0, 0, 0): 1}
    for length in map(int, board.length):
        after: dict[tuple[int, int, int], int] = {}
        for (finished, markers, tops), count in ways.items():
            for key, times in (
                ((finished, markers, tops), length),
                ((finished + 1, markers, tops), 1),
                ((finished, markers + 1, tops), length * (length - 1) // 2),
                ((finished, markers + 1, tops + 1), length),
            ):
                if key[0] + key[2] < board.to_win and key[1] <= board.markers:
                    after[key] = after.get(key, 0) + count * times
        ways = after
    starts = sum(count for (_, markers, _), count in ways.items() if not markers)
    return Count(starts, sum(ways.values()))
