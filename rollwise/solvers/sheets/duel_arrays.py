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

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.backends import Backend, Threads
from rollwise.solvers.base.layers import Recursion, run_layers
from rollwise.solvers.sheets.arrays import Ints, SheetArrays
from rollwise.solvers.sheets.backward import Values
from rollwise.solvers.sheets.outers import Outers, find_outers, list_moves
from rollwise.solvers.sheets.rows import Layer, RowAxis

__all__ = [
    "ROW_BYTES",
    "DuelArrays",
    "count_states",
    "error_bound",
    "last_layer",
    "make_duel_arrays",
    "rows_bytes",
    "solve_layers",
]

ONE_THREAD = Threads(1)
ROW_BYTES = 16
"""What is known of a row beside its values: where it begins, and its lowest lead."""


@dataclass(frozen=True, eq=False)
class DuelArrays(RowAxis):
    """The axis of a duel, the lead: the arrays of the sheet, its outers, and what a turn from an outer can lead to.

    The turn of outer q ends with one of its moves `move_start[q]:move_start[q + 1]`: the effect `move_effect` of the sheet gains
    `move_gain` and leads to the outer `move_target`, which has one open box less. What a tie is worth to the first player is
    `tie`.
    """

    what: ClassVar[str] = "the duel"
    alone = False

    sheet: SheetArrays
    outers: Outers
    move_start: Ints
    move_effect: Ints
    move_target: Ints
    move_gain: Ints
    tie: float = 0.5

    @cached_property
    def shapes(self) -> tuple[tuple[int, ...], ...]:  # type: ignore[override]
        """The values of every layer."""
        return tuple((stored,) for _, stored, _ in count_states(self.outers))

    @property
    def n_layers(self) -> int:
        """The number of layers: 0 to two times the boxes half-turns left."""
        return 2 * self.sheet.n_boxes + 1

    def layer(self, number: int) -> Layer:
        """Lay out the rows of the layer with so many half-turns left."""
        outers, left = self.outers, number
        moved, mover = outers.with_open(left // 2), outers.with_open(left - left // 2)
        low = _low(outers, moved, mover)
        size = np.maximum(0, -_low(outers, mover, moved).T - low + 1)
        start = np.zeros(low.size + 1, dtype=np.int64)
        np.cumsum(size.ravel(), out=start[1:])
        return Layer(left, moved.start, moved.stop - moved.start, mover.start, mover.stop - mover.start, start, low.ravel())

    def end(self, dtype: npt.DTypeLike) -> Values:
        return last_layer(self, self.tie, dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (self.sheet, self.tie)

    @property
    def title(self) -> str:
        return f"a duel of {self.sheet.n_boxes} boxes, {sum(stored for (stored,) in self.shapes):,} states,"

    @property
    def worker_bytes(self) -> int:
        return rows_bytes(self.outers)

    def hand_effects(self, opened: int) -> tuple[list[int], Ints]:
        """List the boxes that may be filled, and the effect of each with every hand; -1: not with this hand."""
        boxes = self.sheet.boxes(opened)
        return boxes, self.sheet.effects(opened)[boxes]


def _remake(sheet: SheetArrays, tie: float) -> DuelArrays:
    return replace(make_duel_arrays(sheet), tie=tie)


def _low(outers: Outers, p: slice, q: slice) -> Ints:
    """The lowest stored lead of every p over every q; the highest is minus that of q over p."""
    undecided = outers.least[q] - outers.most[p, None]
    found: Ints = np.maximum(undecided, outers.got_least[p, None] - outers.got_most[q])
    return found


def make_duel_arrays(arrays: SheetArrays, outers: Outers | None = None) -> DuelArrays:
    """List the outers of a sheet and everything a turn can lead to."""
    outers = outers or find_outers(arrays)
    blocks = [block for boxes in range(arrays.n_boxes + 1) for block in outers.blocks(boxes)]
    parts = [list_moves(arrays, outers, begin, end) for begin, end in blocks]
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

    Values lie in [0, 1]. A maximum adds nothing to the roundings of a turn, 1 - x one unit; 1 % covers products of units.
    """
    return 1.01 * unit * (2 * arrays.n_boxes * (arrays.roundings + 1) + 1)


def last_layer(arrays: DuelArrays, tie: float, dtype: npt.DTypeLike) -> Values:
    """Give the values of layer 0, the end of the game: a tie is the only lead left undecided."""
    return np.full(arrays.layer(0).n_states, 1.0 - tie, dtype=dtype)


def solve_layers(
    recursion: Recursion, begin: Values, backend: Backend = ONE_THREAD, *, tick: Callable[[int], None] = lambda _: None
) -> Iterator[tuple[int, Values]]:
    """Give the layers of a duel after the first, `begin`: (half-turns left, values). The values do not depend on the backend."""
    recursion.restore(0, begin)
    for layer in run_layers(recursion, backend, 0, tick=tick):
        yield layer, recursion.values(layer)
        recursion.forget(layer - 1)
