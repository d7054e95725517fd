"""Two players on two equal score sheets, taking turns: the exact chance to win, layer by layer.

An *outer* is what one player's sheet remembers between turns: (open boxes, carry), carries that make no difference merged. With k
half-turns left the player who has just moved holds an outer p with k // 2 open boxes, the player to move an outer q with
k - k // 2. What is stored is the worth of a position to the player who has just moved, by his lead y:

    R[k](p, q)[y] = his chance to win, plus what a tie is worth to him times its chance

and the worth to the player to move, whose lead is d = -y, is V = 1 - R. A turn from there, for all leads at once:

    gained[effect][d] = R[k - 1](q after effect, p)[d + gain(effect)]         a row, read from a shifted place
    fill:    T[hand] = max over boxes of gained[effect of the hand there]
    reroll:  T[hand] = best sub-keep of the expected values of T              (as often as there are rerolls)
    roll:    R[k](p, q)[-d] = 1 - mean of T over the hands

The order of the players is part of the position: who has as many open boxes as the other and is to move is the first player. So
a tie may be worth `tie` to the first player and 1 - tie to the second; with k = 0 the second player has just moved.

Only leads that can occur and still decide something are stored. If a player can gain `least` to `most` more, and `got_least` to
`got_most` can lie behind him, these are the y with

    max(least(q) - most(p), got_least(p) - got_most(q)) <= y <= min(most(q) - least(p), got_most(p) - got_least(q)).

Below such a row p has lost (0), above it p has won (1). All values lie in [0, 1]; every operation is monotone, also after
rounding, so every row rises with y.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.layers import Recursion, roomy, run_layers
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.sheets.arrays import Ints, SheetArrays, layers, read_ragged
from rollwise.solvers.sheets.guides import RaggedGuide
from rollwise.solvers.sheets.turn import roll_turn

__all__ = [
    "DuelArrays",
    "DuelKernel",
    "DuelRecursion",
    "Layer",
    "Outers",
    "Values",
    "count_states",
    "error_bound",
    "fill_duel",
    "find_outers",
    "gain_rows",
    "last_layer",
    "make_duel_arrays",
    "numpy_duel",
    "read_row",
    "rows_bytes",
    "solve_layers",
]  # fmt: skip

Values = npt.NDArray[Any]
"""The values of a layer, one row after another: float64 or float32."""


@dataclass(frozen=True, eq=False)
class Outers:
    """The outers of a sheet, by number of open boxes: those with j are numbered `start[j]` to `start[j + 1] - 1`.

    `number[open, carry]` is the number of an outer (a merged carry has its chief's), -1 where it cannot occur. A player can gain
    `least` to `most` more; `got_least` to `got_most` can lie behind him.
    """

    start: Ints
    opened: Ints
    carry: Ints
    number: Ints
    most: Ints
    least: Ints
    got_most: Ints
    got_least: Ints

    def with_open(self, boxes: int) -> slice:
        """Give the numbers of the outers with so many open boxes."""
        return slice(int(self.start[boxes]), int(self.start[boxes + 1]))


@dataclass(frozen=True, eq=False)
class Layer:
    """Where the rows of a layer lie: `left` half-turns are left.

    The row of (p, q) has the number (p - first_moved) * n_mover + (q - first_mover). Its values are those at
    `row_start[row]:row_start[row + 1]`, for the leads from `row_low[row]` on.
    """

    left: int
    first_moved: int
    n_moved: int
    first_mover: int
    n_mover: int
    row_start: Ints
    row_low: Ints

    @property
    def n_rows(self) -> int:
        return self.n_moved * self.n_mover

    @property
    def n_states(self) -> int:
        return int(self.row_start[-1])

    def row(self, moved: Any, mover: Any) -> Any:
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


@dataclass(frozen=True, eq=False)
class DuelArrays:
    """The arrays of a duel: the sheet's, its outers, and what a turn from an outer can lead to.

    The turn of outer q ends with one of its moves `move_start[q]:move_start[q + 1]`: the effect `move_effect` of the sheet gains
    `move_gain` and leads to the outer `move_target`, which has one open box less.
    """

    sheet: SheetArrays
    outers: Outers
    move_start: Ints
    move_effect: Ints
    move_target: Ints
    move_gain: Ints

    @property
    def n_layers(self) -> int:
        """The number of layers: 0 to two times the boxes half-turns left."""
        return 2 * self.sheet.n_boxes + 1

    def layer(self, left: int) -> Layer:
        """Lay out the rows of the layer with so many half-turns left."""
        outers = self.outers
        moved, mover = outers.with_open(left // 2), outers.with_open(left - left // 2)
        low = _low(outers, moved, mover)
        size = np.maximum(0, -_low(outers, mover, moved).T - low + 1)
        start = np.zeros(low.size + 1, dtype=np.int64)
        np.cumsum(size.ravel(), out=start[1:])
        return Layer(left, moved.start, moved.stop - moved.start, mover.start, mover.stop - mover.start, start, low.ravel())

    def guide(self, layer: Layer, values: Values) -> RaggedGuide:
        """Say what turns are worth that end in a layer; turn starts have the outer of the other player and the lead."""

        def rows(opened: Ints, carry: Ints, other: Ints) -> Ints:
            found: Ints = layer.row(self.outers.number[opened, carry], other)
            return found

        return RaggedGuide(self.sheet, rows, layer.row_start, layer.row_low, values)

    def hand_effects(self, opened: int) -> tuple[list[int], Ints]:
        """List the boxes that may be filled, and the effect of each with every hand; -1: not with this hand."""
        return self._hand_effects[opened]

    @cached_property
    def _hand_effects(self) -> "_HandEffects":
        return _HandEffects(self.sheet)


class _HandEffects(dict[int, tuple[list[int], Ints]]):
    """Effects by open boxes, computed when they are first asked for."""

    def __init__(self, arrays: SheetArrays) -> None:
        super().__init__()
        self.arrays = arrays

    def __missing__(self, opened: int) -> tuple[list[int], Ints]:
        arrays, boxes = self.arrays, self.arrays.boxes(opened)
        effects = arrays.hand_effect[boxes].copy()
        for special, hand in enumerate(arrays.special_hand):
            effects[:, hand] = arrays.special_effects(special, opened)[boxes]
        self[opened] = boxes, effects
        return self[opened]


def _low(outers: Outers, p: slice, q: slice) -> Ints:
    """The lowest stored lead of every p over every q; the highest is minus that of q over p."""
    undecided = outers.least[q] - outers.most[p, None]
    found: Ints = np.maximum(undecided, outers.got_least[p, None] - outers.got_most[q])
    return found


def find_outers(arrays: SheetArrays) -> Outers:
    """Number the outers of a sheet and bound what they can gain and what can lie behind them."""
    groups = [np.zeros(1, dtype=np.int64), *layers(arrays)]
    opened = np.concatenate([np.repeat(g, [len(arrays.carries(int(mask))) for mask in g]) for g in groups])
    carry = np.concatenate([arrays.carries(int(mask)) for g in groups for mask in g])
    number = np.full((1 << arrays.n_boxes, arrays.n_carries), -1, dtype=np.int64)
    number[opened, carry] = np.arange(len(opened))
    for mask in np.concatenate(groups).tolist():
        to, source = arrays.copies(mask)
        number[mask, to] = number[mask, source]
    start = np.searchsorted(np.bitwise_count(opened), np.arange(arrays.n_boxes + 2))
    zeros = [np.zeros(len(opened), dtype=np.int64) for _ in range(4)]
    outers = Outers(start, opened, carry, number, *zeros)
    _bound_gains(arrays, outers)
    _bound_scores(arrays, outers)
    return outers


ROW_BYTES = 16
"""What is known of a row beside its values: where it begins, and its lowest lead."""
BLOCK = 1 << 14
"""Outers whose moves are listed at a time."""

Moves = tuple[Ints, Ints, Ints, Ints]


def _moves(arrays: SheetArrays, outers: Outers, begin: int, end: int) -> Moves:
    """For each move of some outers, in order: which outer of them, the effect, the outer it leads to, the gain."""
    box = arrays.box_of_effect
    opened, carry = outers.opened[begin:end], outers.carry[begin:end]
    place, effect = np.nonzero(arrays.can_fill(opened[:, None], box))
    target = outers.number[opened[place] & ~(1 << box[effect]), arrays.effect_target[effect, carry[place]]]
    return place, effect, target, arrays.effect_gain[effect, carry[place]]


def _blocks(outers: Outers, boxes: int) -> Iterator[tuple[int, int]]:
    part = outers.with_open(boxes)
    return ((begin, min(begin + BLOCK, part.stop)) for begin in range(part.start, part.stop, BLOCK))


def _bound_gains(arrays: SheetArrays, outers: Outers) -> None:
    """Write `most` and `least`, from the full sheet backwards."""
    for boxes in range(1, arrays.n_boxes + 1):
        for begin, end in _blocks(outers, boxes):
            place, _, target, gain = _moves(arrays, outers, begin, end)
            first = np.searchsorted(place, np.arange(end - begin))
            outers.most[begin:end] = np.maximum.reduceat(gain + outers.most[target], first)
            outers.least[begin:end] = np.minimum.reduceat(gain + outers.least[target], first)


def _bound_scores(arrays: SheetArrays, outers: Outers) -> None:
    """Write `got_most` and `got_least`, from the start forwards."""
    far = np.iinfo(np.int64).max // 4
    before = outers.start[arrays.n_boxes]
    outers.got_most[:before], outers.got_least[:before] = -far, far
    for boxes in range(arrays.n_boxes, 0, -1):
        for begin, end in _blocks(outers, boxes):
            place, _, target, gain = _moves(arrays, outers, begin, end)
            np.maximum.at(outers.got_most, target, gain + outers.got_most[begin + place])
            np.minimum.at(outers.got_least, target, gain + outers.got_least[begin + place])


def make_duel_arrays(arrays: SheetArrays, outers: Outers | None = None) -> DuelArrays:
    """List the outers of a sheet and everything a turn can lead to."""
    outers = outers or find_outers(arrays)
    blocks = [block for boxes in range(arrays.n_boxes + 1) for block in _blocks(outers, boxes)]
    parts = [_moves(arrays, outers, begin, end) for begin, end in blocks]
    owner = np.concatenate([begin + part[0] for (begin, _), part in zip(blocks, parts, strict=True)])
    start = np.searchsorted(owner, np.arange(len(outers.opened) + 1))
    effect, target, gain = (np.concatenate([part[i] for part in parts]) for i in (1, 2, 3))
    return DuelArrays(arrays, outers, start, effect, target, gain)


def count_states(outers: Outers) -> list[tuple[int, int, int]]:
    """Count by layer, without laying it out: rows, values stored, values if every row had the whole range of leads.

    A row has B - D + 1 values by what can lie behind, less (B - A)+ and (C - D)+ that are decided, where [C, A] are the undecided
    leads and [D, B] those that can occur; if they do not meet, that is less than 0 by what is added again. Each part is a
    difference of a number of p and one of q, so sorting one side counts all pairs.
    """
    n_boxes = len(outers.start) - 2
    spread = int((outers.got_most - outers.got_least).max())
    counts = []
    for left in range(2 * n_boxes + 1):
        p, q = outers.with_open(left // 2), outers.with_open(left - left // 2)
        rows = (p.stop - p.start) * (q.stop - q.start)
        counts.append((rows, _count_pairs(outers, p, q), rows * (2 * spread + 1)))
    return counts


def rows_bytes(outers: Outers) -> int:
    """Count the bytes that say where the rows of two layers lie, the two for which that is most."""
    return ROW_BYTES * max(map(sum, pairwise([0, *(rows for rows, _, _ in count_states(outers))])))


def _count_pairs(outers: Outers, p: slice, q: slice) -> int:
    most, least, got_most, got_least = outers.most, outers.least, outers.got_most, outers.got_least
    behind = got_most - got_least
    lasting = int(behind[p].sum()) * (q.stop - q.start) + (p.stop - p.start) * (int(behind[q].sum()) + q.stop - q.start)
    won = _sum_above((got_most + least)[p], (most + got_least)[q])
    lost = _sum_above((least + got_most)[q], (most + got_least)[p])
    apart = _sum_above((got_least + least)[p] - 1, (most + got_most)[q])
    apart += _sum_above((got_least + least)[q] - 1, (most + got_most)[p])
    return int(lasting - won - lost + apart)


def _sum_above(x: Ints, y: Ints) -> int:
    """The sum of max(0, x - y) over all pairs, in Python's integers where it might be too large."""
    y = np.sort(y)
    below = np.searchsorted(y, x)
    largest = max(int(np.abs(x).max()), int(np.abs(y).max()))
    kind: Any = object if largest * len(x) * len(y) >= 2**62 else np.int64
    total = np.concatenate([[0], np.cumsum(y.astype(kind))])
    return int((x.astype(kind) * below - total[below]).sum())


def error_bound(arrays: SheetArrays, unit: float) -> float:
    """Bound the rounding error of any value, for numbers with this unit roundoff (2**-53 or 2**-24).

    Values lie in [0, 1]. A mean over faces errs by at most (faces + 2) units: its sums, the factor and the product. There are
    `count` of them in a row in each roll; a maximum adds nothing, 1 - x one unit; 1 % covers products of units.
    """
    net = arrays.lattice
    return 1.01 * unit * (2 * arrays.n_boxes * ((arrays.rerolls + 1) * net.count * (net.faces + 2) + 1) + 1)


DuelKernel = Callable[[DuelArrays, Layer, Layer, Values, Values, int, int], None]
"""Called with (arrays, layer, the layer before, its values, values to write, first row, end): writes these rows of the layer."""


def last_layer(arrays: DuelArrays, tie: float, dtype: npt.DTypeLike) -> Values:
    """Give the values of layer 0, the end of the game: a tie is the only lead left undecided."""
    return np.full(arrays.layer(0).n_states, 1.0 - tie, dtype=dtype)


class DuelRecursion(Recursion):
    """The layers of a duel, each an array of its own; `layers` are those that are kept.

    What a tie is worth to the first player is `tie`; `fingerprint` is needed where layers are written, and `check` refuses what
    does not fit into memory when they cannot be.
    """

    what = "the duel"
    forgets = True

    def __init__(
        self, arrays: DuelArrays, kernel: DuelKernel, dtype: npt.DTypeLike, tie: float = 0.5, fingerprint: str = ""
    ) -> None:
        self.arrays, self.kernel, self.tie, self.fingerprint = arrays, kernel, tie, fingerprint
        self.dtype = np.dtype(dtype).name
        self.work = [stored for _, stored, _ in count_states(arrays.outers)]
        self.shapes = tuple((stored,) for stored in self.work)
        self.layers: dict[int, Values] = {}
        self.here: Layer | None = None
        self.laid: dict[int, Layer] = {}
        self.current: Values = np.empty(0, dtype=dtype)
        self.check: Callable[[SolveOptions], None] = lambda _: None

    def begin(self) -> None:
        self.restore(0, last_layer(self.arrays, self.tie, self.dtype))

    def pieces(self, layer: int, threads: int) -> Iterable[Any]:
        self.previous, self.before = self.here or self.arrays.layer(layer - 1), np.asarray(self.current)
        self.here = self.arrays.layer(layer)
        self.current = self.layers[layer] = np.empty(self.here.n_states, dtype=self.dtype)
        return _deal(self.here, threads)

    def fill(self, layer: int, piece: tuple[int, int]) -> int:
        first, end = piece
        here: Any = self.here
        self.kernel(self.arrays, here, self.previous, self.before, self.current, first, end)
        return int(here.row_start[end] - here.row_start[first])

    def values(self, layer: int) -> Values:
        return self.layers[layer]

    def restore(self, layer: int, values: Values) -> None:
        self.current = self.layers[layer] = values
        self.here = None

    def keep(self, layer: int, values: Values) -> None:
        self.layers[layer] = values

    def forget(self, layer: int) -> None:
        self.layers.pop(layer, None)

    def without_files(self, options: SolveOptions) -> None:
        self.check(options)

    def recipe(self) -> tuple[Callable[..., Recursion], tuple[Any, ...]]:
        return _remake, (self.arrays.sheet, self.kernel, self.dtype, self.tie, self.fingerprint)

    def row_start(self, layer: int) -> Ints:
        return self._lay(layer).row_start

    def rows(self, layer: int, first: int, end: int) -> Values:
        here = self._lay(layer)
        values = roomy(here.n_states, self.dtype)
        self.kernel(self.arrays, here, self._lay(layer - 1), np.asarray(self.layers[layer - 1]), values, first, end)
        return values[here.row_start[first] : here.row_start[end]]

    def _lay(self, layer: int) -> Layer:
        """Lay out a layer; its neighbours stay laid out."""
        if layer not in self.laid:
            near = {left: laid for left, laid in self.laid.items() if abs(left - layer) == 1}
            self.laid = near | {layer: self.arrays.layer(layer)}
        return self.laid[layer]

    @property
    def worker_bytes(self) -> int:
        return rows_bytes(self.arrays.outers)

    @property
    def title(self) -> str:
        return f"a duel of {self.arrays.sheet.n_boxes} boxes, {sum(self.work):,} states,"


def _remake(arrays: SheetArrays, kernel: DuelKernel, dtype: str, tie: float, fingerprint: str) -> DuelRecursion:
    return DuelRecursion(make_duel_arrays(arrays), kernel, dtype, tie, fingerprint)


def solve_layers(
    arrays: DuelArrays,
    kernel: DuelKernel,
    begin: tuple[int, Values],
    *,
    threads: int = 1,
    tick: Callable[[int], None] = lambda _: None,
) -> Iterator[tuple[int, Values]]:
    """Give the layers after `begin`, one after another: (half-turns left, values). The values do not depend on `threads`."""
    recursion = DuelRecursion(arrays, kernel, begin[1].dtype)
    recursion.restore(*begin)
    for layer in run_layers(recursion, Threads(threads), begin[0], tick=tick):
        yield layer, recursion.values(layer)
        recursion.forget(layer - 1)


PIECE = 1 << 18
"""Values a call of the kernel writes, about: progress shows, an interrupt is heard, threads finish together."""


def _deal(layer: Layer, threads: int) -> list[tuple[int, int]]:
    """Cut the rows of a layer into pieces with about the same number of values."""
    pieces = max(8 * threads, layer.n_states // PIECE)
    cuts = np.searchsorted(layer.row_start, np.linspace(0, layer.n_states, pieces + 1)[1:-1])
    edges = sorted({0, *cuts.tolist(), layer.n_rows})
    return list(pairwise(edges))


def numpy_duel(arrays: DuelArrays, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
    """Write rows of a layer, one after another, with the leads as the vector axis: the definition, in the order of operations."""
    for row in range(first, end):
        part = slice(int(layer.row_start[row]), int(layer.row_start[row + 1]))
        if part.start < part.stop:
            lead = -(layer.row_low[row] + np.arange(part.stop - part.start))
            moved, mover = layer.pair(row)
            values[part] = 1 - roll_turn(arrays.sheet, fill_duel(arrays, previous, before, mover, moved, lead))[0]


def fill_duel(arrays: DuelArrays, previous: Layer, before: Values, mover: int, other: int, lead: Ints) -> Values:
    """Give the worth of every hand to a mover who must fill a box, for each of his leads."""
    gained = gain_rows(arrays, previous, before, mover, other, lead)
    best = np.full((arrays.sheet.lattice.n_hands, len(lead)), -np.inf, dtype=before.dtype)
    for effect in arrays.hand_effects(int(arrays.outers.opened[mover]))[1]:
        best[effect >= 0] = np.maximum(best[effect >= 0], gained[effect[effect >= 0]])
    return best


def gain_rows(arrays: DuelArrays, previous: Layer, before: Values, mover: int, other: int, lead: Ints) -> Values:
    """Give the worth of every effect to a mover, for each of his leads; 0 for the effects of boxes that are not open."""
    gained = np.zeros((len(arrays.sheet.effect_gain), len(lead)), dtype=before.dtype)
    for move in range(arrays.move_start[mover], arrays.move_start[mover + 1]):
        row = previous.row(int(arrays.move_target[move]), other)
        gained[arrays.move_effect[move]] = read_row(previous, before, row, lead + arrays.move_gain[move])
    return gained


def read_row(layer: Layer, values: Values, row: int, lead: Ints) -> Values:
    """Read a row at some leads of the player who has just moved: 0 below it, 1 above."""
    found: Values = read_ragged(values, layer.row_start, layer.row_low, row, lead)
    return found
