"""Backward induction over score sheets with the standing as the vector axis: one solve, every target.

An outer state o is (open boxes, carry), as in `arrays`. Let x be the *standing* when its turn starts, and let the end pay f(x),
which is 0 below `low`, 1 from `high` on, and never falls. The best chance is

    chance[o, x]   = a turn whose hands are worth max over boxes of chance[o', x + gain]     (o' and gain of the box's effect)
    chance[end, x] = f(x)

For a target, x is minus the points still needed and f(x) = 1 from 0 on. Against an opponent, x is the total so far and f(x) the
chance that the opponent is beaten.

Only standings that are not decided are kept. Let least(o) and most(o) bound the gain still possible: the chance is 0 where
x + most(o) < low, and 1 where x + least(o) >= high. Each outer state has a row of what lies between; where totals are followed
from the start, only of totals that can be reached. Rows are ragged and lie one behind the other, layer by layer; carries that
make no difference share one. Two kernels fill them: NumPy (here) and Numba (`kernels.standings_numba`, the same bits).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.layers import Recursion, solve_in_layers
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays, layers, read_ragged
from rollwise.solvers.sheets.turn import roll_turn

__all__ = [
    "TARGET",
    "Ending",
    "PointsKernel",
    "PointsRecursion",
    "StandingRows",
    "effect_worth",
    "fill_chances",
    "look_up",
    "make_rows",
    "numpy_points",
    "solve_points",
]

FAR = 2**60
"""Beyond every total: where nothing was found yet."""
PIECE = 1 << 16
"""Chances a call of the kernel computes, about, so that progress shows and an interrupt is heard."""

Extreme = Callable[[Ints, Ints], Ints]


@dataclass(frozen=True, eq=False)
class Ending:
    """What the end pays: `level[i]` at `score[i]`, and `between[i]` above score i - 1 and below score i; first 0, last 1."""

    score: Ints
    level: Floats
    between: Floats

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
        return result


TARGET = Ending(np.array([0]), np.array([1.0]), np.array([0.0, 1.0]))
"""1 from a standing of 0 on."""


@dataclass(frozen=True, eq=False)
class StandingRows:
    """Which standings of every outer state are kept, and where.

    `row_of[open, carry]` numbers the rows; -1: cannot occur. Row r belongs to `row_open[r]` and `row_carry[r]`, begins with the
    standing `row_low[r]` and lies at `row_start[r]:row_start[r + 1]`. `layer_start[k]` is the first row with k boxes open. Where
    totals are followed from the start, `row_reach[r]` is the lowest and the highest that can occur; else it has no rows.
    """

    row_of: npt.NDArray[np.int32]
    row_open: Ints
    row_carry: Ints
    row_low: Ints
    row_start: Ints
    layer_start: Ints
    row_reach: Ints

    @property
    def size(self) -> int:
        """The number of chances kept."""
        return int(self.row_start[-1])


def make_rows(
    arrays: SheetArrays, ending: Ending, *, reachable: bool, fits: Callable[[int], None] = lambda _: None
) -> StandingRows:
    """Lay out the rows; with `reachable`, of totals that can be reached from 0 at the start.

    `fits` is told, layer by layer, how many chances there are so far, and may raise.
    """
    shape = arrays.n_masks, arrays.n_carries
    least, most = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    row_of = np.full(shape, -1, dtype=np.int32)
    before = _totals(arrays) if reachable else None
    parts: list[tuple[Ints, Ints, Ints, Ints]] = []
    reach: list[Ints] = [np.zeros((0, 2), dtype=np.int64)]
    layer_start, size = [0], 0
    for layer in [np.array([0]), *layers(arrays)]:
        if layer[0]:
            _extend(arrays, layer, least, np.minimum)
            _extend(arrays, layer, most, np.maximum)
        opened, carry = _number(arrays, layer, row_of, layer_start[-1])
        low, high = ending.low - most[opened, carry], ending.high - least[opened, carry]
        if before is not None:
            reach.append(_seen(layer, row_of, layer_start[-1], *before))
            low, high = np.clip(reach[-1][:, 0], low, high), np.clip(reach[-1][:, 1] + 1, low, high)
        parts.append((opened, carry, low, high - low))
        layer_start.append(layer_start[-1] + len(opened))
        size += int((high - low).sum())
        fits(size)
    opened, carry, low, length = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    start = np.concatenate([[0], np.cumsum(length)])
    return StandingRows(row_of, opened, carry, low, start, np.array(layer_start), np.concatenate(reach))


def _outer(arrays: SheetArrays, layer: Ints, start: Ints) -> tuple[Ints, Ints]:
    """For each mask of a layer, once for every place of its carry class: the mask and the place."""
    place = arrays.carry_class[layer]
    return np.repeat(layer, start[place + 1] - start[place]), gather(start, place)[0]


def _number(arrays: SheetArrays, layer: Ints, row_of: npt.NDArray[np.int32], first: int) -> tuple[Ints, Ints]:
    """Number the outer states of a layer; those of equal worth share a row."""
    opened, place = _outer(arrays, layer, arrays.carry_start)
    carry = arrays.carry_list[place]
    row_of[opened, carry] = np.arange(first, first + len(opened))
    masks, copy = _outer(arrays, layer, arrays.copy_start)
    row_of[masks, arrays.copy_to[copy]] = row_of[masks, arrays.copy_from[copy]]
    return opened, carry


def _extend(arrays: SheetArrays, layer: Ints, found: Ints, extreme: Extreme) -> None:
    """Write the smallest (largest) gain still possible of a layer, whose successors are done."""
    found[layer] = FAR if extreme is np.minimum else -FAR
    for box, here in _opened(arrays, layer):
        after = found[arrays.after(here, box)]
        best = found[here]
        for effect in _deciding(arrays, box, extreme):
            best = extreme(best, arrays.effect_gain[effect] + after[:, arrays.effect_target[effect]])
        found[here] = best


def _opened(arrays: SheetArrays, layer: Ints) -> list[tuple[int, Ints]]:
    """Give for every box the masks of a layer in which it may be filled."""
    found = [(box, layer[arrays.can_fill(layer, box)]) for box in range(arrays.n_boxes)]
    return [(box, here) for box, here in found if here.size]


def _deciding(arrays: SheetArrays, box: int, extreme: Extreme) -> list[int]:
    """The effects of a box that can be extreme: of those that change nothing but the points, one."""
    effects = range(arrays.effect_start[box], arrays.effect_start[box + 1])
    here = np.arange(arrays.n_carries)
    plain = [
        e
        for e in effects
        if (arrays.effect_target[e] == here).all() and (arrays.effect_gain[e] == arrays.effect_gain[e, 0]).all()
    ]
    pick = min if extreme is np.minimum else max
    chosen = [pick(plain, key=lambda e: int(arrays.effect_gain[e, 0]))] if plain else []
    return [e for e in effects if e not in plain] + chosen


def _totals(arrays: SheetArrays) -> tuple[Ints, Ints]:
    """The smallest and the largest total with which an outer state can be reached."""
    shape = arrays.n_masks, arrays.n_carries
    least, most = np.full(shape, FAR, dtype=np.int64), np.full(shape, -FAR, dtype=np.int64)
    least[arrays.full, 0] = most[arrays.full, 0] = 0
    for layer in layers(arrays)[::-1]:
        for box, here in _opened(arrays, layer):
            after = arrays.after(here, box)[:, None]
            for found, extreme in ((least, np.minimum), (most, np.maximum)):
                for effect in _deciding(arrays, box, extreme):
                    extreme.at(found, (after, arrays.effect_target[effect]), found[here] + arrays.effect_gain[effect])
    return least, most


def _seen(layer: Ints, row_of: npt.NDArray[np.int32], first: int, least: Ints, most: Ints) -> Ints:
    """The smallest and largest totals of a layer by row, all carries that share it together."""
    opened, carry = np.nonzero(row_of[layer] >= 0)
    row = row_of[layer][opened, carry] - first
    reach = np.tile(np.array([FAR, -FAR]), (int(row.max()) + 1, 1))
    np.minimum.at(reach[:, 0], row, least[layer[opened], carry])
    np.maximum.at(reach[:, 1], row, most[layer[opened], carry])
    return reach


PointsKernel = Callable[[SheetArrays, StandingRows, Floats, int, int], None]
"""Fills in the chances of the rows first to last - 1, whose successors are done."""


class PointsRecursion(Recursion):
    """The layers of the chances of a sheet: `chance` holds all of them, one behind the other."""

    what = "the sheet"
    dtype = "float64"

    def __init__(
        self, arrays: SheetArrays, rows: StandingRows, ending: Ending, kernel: PointsKernel, fingerprint: str = ""
    ) -> None:
        self.arrays, self.laid, self.ending, self.kernel, self.fingerprint = arrays, rows, ending, kernel, fingerprint
        self.cuts = rows.row_start[rows.layer_start].tolist()
        self.work = [end - begin for begin, end in pairwise(self.cuts)]
        self.shapes = tuple((size,) for size in self.work)
        self.chance = np.empty(rows.size)

    def begin(self) -> None:
        rows = self.laid
        for row in range(rows.layer_start[1]):
            begin, end = rows.row_start[row : row + 2]
            self.chance[begin:end] = self.ending.at(rows.row_low[row] + np.arange(end - begin))

    def pieces(self, layer: int, threads: int) -> Iterable[tuple[int, int]]:
        return pairwise(_cuts(self.laid, *self.laid.layer_start[layer : layer + 2].tolist()))

    def fill(self, layer: int, piece: tuple[int, int]) -> int:
        self.kernel(self.arrays, self.laid, self.chance, *piece)
        begin, end = self.laid.row_start[list(piece)].tolist()
        return int(end - begin)

    def values(self, layer: int) -> Floats:
        return self.chance[self.cuts[layer] : self.cuts[layer + 1]]

    def restore(self, layer: int, values: Floats) -> None:
        self.chance[self.cuts[layer] : self.cuts[layer + 1]] = values

    def recipe(self) -> tuple[Callable[..., Recursion], tuple[Any, ...]]:
        return PointsRecursion, (self.arrays, self.laid, self.ending, self.kernel, self.fingerprint)

    def row_start(self, layer: int) -> Ints:
        first, last = self.laid.layer_start[layer : layer + 2].tolist()
        found: Ints = self.laid.row_start[first : last + 1] - self.cuts[layer]
        return found

    def rows(self, layer: int, first: int, end: int) -> Floats:
        begin = int(self.laid.layer_start[layer])
        self.kernel(self.arrays, self.laid, self.chance, begin + first, begin + end)
        return self.chance[self.laid.row_start[begin + first] : self.laid.row_start[begin + end]]

    @property
    def title(self) -> str:
        return f"the chances of every total with {self.arrays.n_boxes} boxes"


def solve_points(
    arrays: SheetArrays,
    rows: StandingRows,
    ending: Ending,
    kernel: PointsKernel,
    options: SolveOptions | None = None,
    *,
    fingerprint: str = "",
) -> Floats:
    """Fill in all rows, layer by layer from the full sheet backwards; the result does not depend on threads (default 1)."""
    recursion = PointsRecursion(arrays, rows, ending, kernel, fingerprint)
    solve_in_layers(recursion, options or SolveOptions(backend=Threads(1)))
    return recursion.chance


def _cuts(rows: StandingRows, first: int, last: int) -> list[int]:
    """Cut the rows of a layer into pieces of about equal work."""
    begin, end = int(rows.row_start[first]), int(rows.row_start[last])
    inner = np.searchsorted(rows.row_start, np.arange(begin + PIECE, end, PIECE))
    return sorted({first, *inner[(inner > first) & (inner < last)].tolist(), last})


def numpy_points(arrays: SheetArrays, rows: StandingRows, chance: Floats, first: int, last: int) -> None:
    """Solve rows one by one, all their standings at a time."""
    for row in range(first, last):
        begin, end = rows.row_start[row : row + 2]
        if begin < end:
            standing = rows.row_low[row] + np.arange(end - begin)
            fill = fill_chances(arrays, rows, chance, int(rows.row_open[row]), int(rows.row_carry[row]), standing)
            chance[begin:end] = roll_turn(arrays, fill)[0]


def effect_worth(arrays: SheetArrays, rows: StandingRows, chance: Floats, opened: int, carry: int, standing: Ints) -> Floats:
    """Give the chance after every effect of the open boxes, at some standings of an outer state; 0 for other effects."""
    gained = np.zeros((len(arrays.effect_gain), len(standing)))
    for box in arrays.boxes(opened):
        for effect in range(arrays.effect_start[box], arrays.effect_start[box + 1]):
            row = int(rows.row_of[arrays.after(opened, box), arrays.effect_target[effect, carry]])
            gained[effect] = look_up(rows, chance, row, standing + arrays.effect_gain[effect, carry])
    return gained


def fill_chances(arrays: SheetArrays, rows: StandingRows, chance: Floats, opened: int, carry: int, standing: Ints) -> Floats:
    """Give the best chance of every hand when a box must be filled, at some standings of an outer state."""
    boxes = arrays.boxes(opened)
    gained = effect_worth(arrays, rows, chance, opened, carry, standing)
    best: Floats = gained[arrays.hand_effect[boxes]].max(axis=0)
    for special, hand in enumerate(arrays.special_hand):
        effects = arrays.special_effects(special, opened)[boxes]
        best[hand] = gained[effects[effects >= 0]].max(axis=0)
    return best


def look_up(rows: StandingRows, chance: Floats, row: int, standing: Ints) -> Floats:
    """Read chances of a row: 0 below it and 1 above."""
    found: Floats = read_ragged(chance, rows.row_start, rows.row_low, row, standing)
    return found
