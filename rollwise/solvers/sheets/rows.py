"""Rows of chances by points: the turn of one outer, or of two players' outers, with its points as the vector axis.

A row holds what an outer is worth by a number of points, the standing of a lone player or a lead over an opponent; it is 0 below
the row, where nothing can be won any more, and 1 above it. Where the mean counts too, both are lines (`Edges`). An effect moves
along the points by what it gains, so what it is worth is a row of the layer before, read from a shifted place:

    gained[effect][x] = before[outer after the effect][x + gain(effect)]

and from there a turn is one like any other (`turn`). Two kernels fill rows: NumPy (here) and Numba (`kernels.rows_numba`, the
same bits).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.backward import Axis, Values
from rollwise.solvers.sheets.effect_values import EffectValues
from rollwise.solvers.sheets.outers import Outers
from rollwise.solvers.sheets.turn import best_fill, roll_turn

__all__ = ["Edges", "Layer", "RowAxis", "RowValues", "fill_row", "numpy_rows", "read_row", "sample_rows"]

NARROW = 1e-14
"""Where the mean decides between moves that are equally good, it makes a difference of this relative size."""
SAMPLE_ROWS, SAMPLE_POINTS = 3, 8
"""How much of a layer is calculated in another way."""


@dataclass(frozen=True, eq=False)
class Edges:
    """What rows are worth outside, where only the mean is left to play for; `mean[row]` is the highest mean still to come.

    Below a row that is `below * (points + mean)`, above it `level + above * (points + mean)`.
    """

    mean: Floats
    below: float
    above: float
    level: float

    def at(self, row: Any, points: Ints, inside: Any) -> Floats:
        """Give it for points of rows; `inside` says where they are not below."""
        total = points + self.mean[row]
        found: Floats = np.where(inside, self.level + self.above * total, self.below * total)
        return found


@dataclass(frozen=True, eq=False)
class Layer:
    """Where the rows of a layer lie: `left` turns are left.

    The row of (p, q), the outers of the player who has just moved and of the player to move, has the number
    (p - first_moved) * n_mover + (q - first_mover). Its values are those at `row_start[row]:row_start[row + 1]`, for the points
    from `row_low[row]` on.
    """

    left: int
    first_moved: int
    n_moved: int
    first_mover: int
    n_mover: int
    row_start: Ints
    row_low: Ints
    edges: Edges | None = None

    @property
    def n_rows(self) -> int:
        return self.n_moved * self.n_mover

    @property
    def n_states(self) -> int:
        return int(self.row_start[-1])

    def row(self, moved: Any, mover: Any = 0) -> Any:
        """Number the row of a pair of outers, or of many."""
        return (moved - self.first_moved) * self.n_mover + mover - self.first_mover

    def part(self, begin: int, end: int) -> "Layer":
        """Lay out the rows of some of the outers of the player who has just moved, as a layer of their own."""
        rows = slice(begin * self.n_mover, end * self.n_mover)
        start = self.row_start[rows.start : rows.stop + 1] - self.row_start[rows.start]
        return replace(
            self, first_moved=self.first_moved + begin, n_moved=end - begin, row_start=start, row_low=self.row_low[rows]
        )

    def pair(self, row: int) -> tuple[int, int]:
        """Give the outers of a row: of the player who has just moved, of the player to move."""
        return self.first_moved + row // self.n_mover, self.first_mover + row % self.n_mover

    def points(self, row: int) -> Ints:
        """List the points of a row."""
        found: Ints = self.row_low[row] + np.arange(self.row_start[row + 1] - self.row_start[row])
        return found


class RowAxis(Axis):
    """Values by points: `alone` where one player moves again and again, by his standing, so that what is stored is his own worth.

    Else two take turns: stored is the worth to the player who has just moved, by his lead, and the mover's lead is minus that.
    """

    sheet: SheetArrays
    outers: Outers
    alone: bool

    def turn(self, layer: Layer, row: int) -> tuple[int, int]:
        """Give the outers of a row: that of the turn, and the other player's."""
        moved, mover = layer.pair(row)
        return (moved, mover) if self.alone else (mover, moved)

    def effect_values(self, layer: Layer, values: Values) -> "RowValues":
        """Say what turns are worth that end in a layer; turn starts have the other player's outer, if any, and the points."""
        return RowValues(self.sheet, self.outers.number, layer, values)

    def worth(self, previous: Layer, before: Values, mover: int, other: int, points: Ints) -> Floats:
        """Give the worth of every effect to a mover, for each of his points."""
        start = (np.full(len(points), one) for one in (self.outers.opened[mover], self.outers.carry[mover], other))
        return self.effect_values(previous, before).worth(*start, points)


@dataclass(frozen=True, eq=False)
class RowValues(EffectValues):
    """The chance to win at the points that a turn leads to: turn starts have those points, a standing or a lead, as their last.

    `number` numbers the outers, by open boxes and carry; their rows are those of a `layer`.
    """

    number: npt.NDArray[np.int32]
    layer: Layer
    values: Values

    @property
    def tie(self) -> float:  # type: ignore[override]
        return TIE if self.layer.edges is None else NARROW

    def end(self, opened: Ints, carry: Ints, gain: Ints, *more: Ints) -> Values:
        *other, points = more
        row = self.layer.row(self.number[opened, carry].astype(np.int64), *other)
        return read_row(self.layer, self.values, row, points + gain)


def numpy_rows(axis: RowAxis, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
    """Write rows of a layer one by one, with the points as the vector axis: the definition, in the order of operations."""
    for row in range(first, end):
        part = slice(int(layer.row_start[row]), int(layer.row_start[row + 1]))
        if part.start < part.stop:
            points = layer.points(row)
            fill = fill_row(axis, previous, before, *axis.turn(layer, row), points if axis.alone else -points)
            worth = roll_turn(axis.sheet, fill)[0]
            values[part] = worth if axis.alone else 1 - worth


def fill_row(axis: RowAxis, previous: Layer, before: Values, mover: int, other: int, points: Ints) -> Values:
    """Give the worth of every hand to a mover who must fill a box, for each of his points."""
    worth = axis.worth(previous, before, mover, other, points).astype(before.dtype)
    return best_fill(axis.sheet, np.full(len(points), axis.outers.opened[mover]), worth)


def read_row(layer: Layer, values: Values, row: Any, points: Ints) -> Values:
    """Read a row at some points, or a row for each of them: 0 below it, 1 above, or what the edges say."""
    at = points - layer.row_low[row]
    found: Values = (at >= 0).astype(values.dtype) if layer.edges is None else layer.edges.at(row, points, at >= 0)
    inside = (at >= 0) & (at < layer.row_start[row + 1] - layer.row_start[row])
    found[inside] = values[(layer.row_start[row] + at)[inside]]
    return found


def sample_rows(axis: RowAxis, layer: Layer, values: Values) -> Iterator[tuple[int, int, Ints, Floats]]:
    """Give some rows of a layer: the outers of the mover and of the other, points of the mover, and what is stored there."""
    for row in np.linspace(0, layer.n_rows - 1, SAMPLE_ROWS).astype(int).tolist():
        points = layer.points(row)
        place = np.unique(np.linspace(0, len(points) - 1, SAMPLE_POINTS).astype(int)) if len(points) else points[:0]
        stored = values[layer.row_start[row] + place].astype(np.float64)
        yield *axis.turn(layer, row), points[place] if axis.alone else -points[place], stored
