"""Backward induction over score sheets with the standing as the vector axis: one solve, every target.

An outer state o is (open boxes, carry), as in `arrays`. Let x be the *standing* when its turn starts, and let the end pay f(x),
which is 0 below `low`, 1 from `high` on, and never falls. The best chance is

    chance[o, x]   = a turn whose hands are worth max over boxes of chance[o', x + gain]     (o' and gain of the box's effect)
    chance[end, x] = f(x)

For a target, x is minus the points still needed and f(x) = 1 from 0 on. Against an opponent, x is the total so far and f(x) the
chance that the opponent is beaten.

For a risk objective, f(x) + e x is paid, with a small e (`TILT`), so that of moves that are equally good the one with the higher
mean is better. Of a quantile f is that of a target, of a worst share f(x) = min(x, 0), with x the total minus the target, of a
utility f is the worth of the total, from 0 to 1.

Only standings that are not decided are kept. Let least(o) and most(o) bound the gain still possible: the chance is 0 where
x + most(o) < low, and 1 where x + least(o) >= high. Each outer state has a row of what lies between; where totals are followed
from the start, only of totals that can be reached. Rows are ragged and lie one behind the other, layer by layer; carries that
make no difference share one (`outers`). For a risk objective the worth is a line outside of a row: there f is linear, so it is
best to play for the mean (`rows.Edges`). The kernels are those of `rows`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.layers import solve_in_layers
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.backward import Kernel, TurnRecursion, Values, numpy_starts, pick_kernel, solve_sheet
from rollwise.solvers.sheets.outers import Outers, find_outers
from rollwise.solvers.sheets.rows import Edges, Layer, RowAxis

__all__ = [
    "QUANTILE",
    "SHORTFALL",
    "TARGET",
    "TILT",
    "Begin",
    "Ending",
    "StandingAxis",
    "StandingRows",
    "Windows",
    "make_rows",
    "solve_points",
]


LARGE = 4_000
"""Beyond this many outer states compiling is worth its time."""


@dataclass(frozen=True, eq=False)
class Ending:
    """What the end pays: `level[i]` at `score[i]`, and `between[i]` above score i - 1 and below score i; first 0, last 1."""

    score: Ints
    level: Floats
    between: Floats
    slope: float = 0.0
    """What a point less is worth below the first score, beside the tilt."""
    tilt: float = 0.0
    """What a point is worth everywhere."""
    most: float = 1.0
    """What is paid above the last score."""

    @property
    def low(self) -> int:
        """The lowest standing that pays something."""
        return int(self.score[0]) + int(self.level[0] <= 0.0)

    @property
    def high(self) -> int:
        """The lowest standing that pays 1 for sure."""
        return int(self.score[-1]) + int(self.level[-1] < 1.0)

    def at(self, standing: Ints) -> Floats:
        """Give what standings are paid."""
        place = np.searchsorted(self.score, standing)
        same = self.score[np.minimum(place, len(self.score) - 1)] == standing
        result: Floats = np.where(same, self.level[np.minimum(place, len(self.score) - 1)], self.between[place])
        return result + self.tilt * standing

    def edges(self, mean: Floats) -> Edges | None:
        """Say what rows are worth outside, with these highest means to come; None: 0 and 1."""
        return Edges(mean, self.slope + self.tilt, self.tilt, self.most) if self.tilt else None


TARGET = Ending(np.array([0]), np.array([1.0]), np.array([0.0, 1.0]))
"""1 from a standing of 0 on."""
TILT = 2.0**-40
"""What a point is worth where the mean decides between moves that are equally good: far less than what they are worth."""
QUANTILE = replace(TARGET, tilt=TILT)
SHORTFALL = replace(TARGET, slope=1.0, tilt=TILT, most=0.0)
"""Minus the points that are missing."""


@dataclass(frozen=True, eq=False)
class StandingRows:
    """Which standings of every outer state are kept, and where.

    `row_of[open, carry]` numbers the rows; -1: cannot occur. Row r belongs to `row_open[r]` and `row_carry[r]`, begins with the
    standing `row_low[r]` and lies at `row_start[r]:row_start[r + 1]`. `layer_start[k]` is the first row with k boxes open. Where
    totals are followed from the start or from a position, `row_reach[r]` is the lowest and the highest that can occur; else it
    has no rows. Where the mean counts, `row_mean[r]` is the highest that is still to come.
    """

    row_of: npt.NDArray[np.int32]
    row_open: Ints
    row_carry: Ints
    row_low: Ints
    row_start: Ints
    layer_start: Ints
    row_reach: Ints
    row_mean: Floats = field(default_factory=lambda: np.zeros(0))

    @property
    def size(self) -> int:
        """The number of chances kept."""
        return int(self.row_start[-1])


class Begin(NamedTuple):
    """The turn start that a part of a game begins with."""

    opened: int
    carry: int
    standing: int


class Windows(NamedTuple):
    """Where the mass of every row lies in the array of its layer: from `start` on, for `width` standings from `low` on."""

    start: Ints
    low: Ints
    width: Ints


def make_rows(
    arrays: SheetArrays, ending: Ending, *, reachable: bool = False, begin: Begin | None = None,
    fits: Callable[[int], None] = lambda _: None,
) -> StandingRows:  # fmt: skip
    """Lay out the rows; with `reachable`, of totals that can be reached from 0 at the start; with `begin`, from there.

    `fits` is called with the number of chances, before they are allocated, and may raise.
    """
    outers = find_outers(arrays, begin and begin[:2])
    low, high = ending.low - outers.most, ending.high - outers.least
    reach = np.zeros((0, 2), dtype=np.int64)
    if reachable or begin:
        reach = np.stack([outers.got_least, outers.got_most], axis=1) + (begin.standing if begin else 0)
        low, high = np.clip(reach[:, 0], low, high), np.clip(reach[:, 1] + 1, low, high)
        high = np.maximum(low, high)
    start = np.concatenate([[0], np.cumsum(high - low)])
    fits(int(start[-1]))
    mean = np.zeros(0)
    if ending.tilt:
        large = arrays.n_outer > LARGE
        mean = solve_sheet(arrays, pick_kernel("sheet", numpy_starts, None, large=large)[1])[outers.opened, outers.carry]
    return StandingRows(outers.number, outers.opened, outers.carry, low, start, outers.start, reach, mean)


class StandingAxis(RowAxis):
    """The axis of a target or an opponent, the standing: `chance` has the values of all layers, one behind the other."""

    forgets = False
    alone = True

    def __init__(self, arrays: SheetArrays, rows: StandingRows, ending: Ending = TARGET, chance: Floats | None = None) -> None:
        self.sheet, self.laid, self.ending = arrays, rows, ending
        self.chance = np.empty(rows.size) if chance is None else chance
        nothing = np.zeros(0, dtype=np.int64)
        self.outers = Outers(rows.layer_start, rows.row_open, rows.row_carry, rows.row_of, *(nothing,) * 4)
        self.cuts = rows.row_start[rows.layer_start].tolist()
        self.shapes = tuple((end - begin,) for begin, end in pairwise(self.cuts))

    def layer(self, number: int) -> Layer:
        own, rows = self.outers.with_open(number), self.laid
        start = rows.row_start[own.start : own.stop + 1] - self.cuts[number]
        edges = self.ending.edges(rows.row_mean[own])
        return Layer(number, own.start, own.stop - own.start, 0, 1, start, rows.row_low[own], edges)

    @property
    def whole(self) -> Layer:
        """All layers as one, whose values are `chance`."""
        edges = self.ending.edges(self.laid.row_mean)
        return Layer(-1, 0, len(self.laid.row_low), 0, 1, self.laid.row_start, self.laid.row_low, edges)

    def end(self, dtype: npt.DTypeLike) -> Values:
        layer = self.layer(0)
        return np.concatenate([self.ending.at(layer.points(row)) for row in range(layer.n_rows)])

    def room(self, number: int, dtype: npt.DTypeLike) -> Values:
        return self.chance[self.cuts[number] : self.cuts[number + 1]]

    def take(self, number: int, values: Values) -> Values:
        room = self.room(number, values.dtype)
        room[:] = values
        return room

    def __reduce__(self) -> tuple[Any, ...]:
        return StandingAxis, (self.sheet, self.laid, self.ending)

    @property
    def title(self) -> str:
        return f"the chances of every total with {self.sheet.n_boxes} boxes"


def solve_points(axis: StandingAxis, kernel: Kernel, options: SolveOptions | None = None, *, fingerprint: str = "") -> Floats:
    """Fill in all rows, layer by layer from the full sheet backwards; the result does not depend on threads (default 1)."""
    recursion = TurnRecursion(axis, kernel, fingerprint=fingerprint)
    solve_in_layers(recursion, options or SolveOptions(backend=Threads(1)))
    return axis.chance
