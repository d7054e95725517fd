"""What a duel comes to under given strategies, on the same layout as the duel itself (`duel_arrays`).

The rows hold the worth, to the player who has just moved, of the play that follows. At the turn of a player the layer is computed
from the one before in one of three ways, all of them `Kernel`s:

- he maximises it: the kernels of the duel;
- he follows the solved duel: `guide` are that duel's values; its choices are taken, the worth goes along;
- he ends his turn with fixed chances, whatever the lead: `move_chance` by move of the sheet.

Who follows the duel does what `DuelSolution.best` says: with every hand the first listed among the actions within a relative
1e-9 of the best, boxes in order and then keeps. The guide's layers may be float32; within the turn both numbers are float64, as
they are where a solution is asked.
"""

from collections.abc import Mapping

import numpy as np

from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.sheets.arrays import Floats, Ints
from rollwise.solvers.sheets.duel_arrays import DuelArrays
from rollwise.solvers.sheets.lattice import Lattice, sub_keeps
from rollwise.solvers.sheets.rows import Layer, gain_rows, read_row
from rollwise.solvers.sheets.turn import play_turn
from rollwise.solvers.sheets.turns import Kernel, Values

__all__ = ["numpy_follow", "numpy_mix"]


def numpy_mix(move_chance: Floats) -> Kernel:
    """Make the kernel of a player who ends his turn from an outer with these chances of its moves."""

    def kernel(arrays: DuelArrays, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
        for row in range(first, end):
            part = slice(int(layer.row_start[row]), int(layer.row_start[row + 1]))
            moved, mover = layer.pair(row)
            lead = -(layer.row_low[row] + np.arange(part.stop - part.start))
            total = np.zeros(len(lead))
            for move in range(arrays.move_start[mover], arrays.move_start[mover + 1]):
                target = previous.row(int(arrays.move_target[move]), moved)
                total += move_chance[move] * read_row(previous, before, target, lead + arrays.move_gain[move])
            values[part] = 1 - total

    return kernel


def numpy_follow(guide: Mapping[int, Values]) -> Kernel:
    """Make the kernel of a player who follows a solved duel with these layers."""

    def kernel(arrays: DuelArrays, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
        for row in range(first, end):
            part = slice(int(layer.row_start[row]), int(layer.row_start[row + 1]))
            if part.start < part.stop:
                lead = -(layer.row_low[row] + np.arange(part.stop - part.start))
                values[part] = 1 - _follow(arrays, previous, guide[previous.left], before, layer.pair(row), lead)

    return kernel


def _follow(arrays: DuelArrays, previous: Layer, guide: Values, before: Values, pair: tuple[int, int], lead: Ints) -> Floats:
    """The worth of a turn, for each lead of the mover."""
    moved, mover = pair
    net = arrays.sheet.lattice
    gained = [gain_rows(arrays, previous, values, mover, moved, lead).astype(np.float64) for values in (guide, before)]
    fill = [np.full((arrays.sheet.n_boxes, net.n_hands, len(lead)), start) for start in (-np.inf, 0.0)]
    for box, effect in zip(*arrays.hand_effects(int(arrays.outers.opened[mover])), strict=True):
        for rows, worth in zip(fill, gained, strict=True):
            rows[box, effect >= 0] = worth[effect[effect >= 0]]
    table = [np.empty((len(net.keeps), len(lead))) for _ in fill]
    _choose(net, fill, table)
    for _ in range(arrays.sheet.rerolls):
        play_turn(net, table[0])
        play_turn(net, table[1])
        _choose(net, [np.concatenate([rows, _keep_rows(net, part)]) for rows, part in zip(fill, table, strict=True)], table)
    play_turn(net, table[1])
    found: Floats = table[1][0]
    return found


def _choose(net: Lattice, rows: list[Floats], table: list[Floats]) -> None:
    """Write for every hand the best of the first rows, and what goes along with the first action that ties with it."""
    best = rows[0].max(axis=0)
    chosen = np.argmax(rows[0] >= best - TIE * best, axis=0)
    table[0][net.first_hand :] = best
    table[1][net.first_hand :] = np.take_along_axis(rows[1], chosen[None], axis=0)[0]


def _keep_rows(net: Lattice, table: Floats) -> Floats:
    """The rows of what can be kept of every hand, in the order of actions; minus infinity where a hand has fewer keeps."""
    start, listed = sub_keeps(net.count, net.faces)
    length = np.diff(start)
    found = np.full((int(length.max()), net.n_hands, table.shape[1]), -np.inf)
    for hand in range(net.n_hands):
        found[: length[hand], hand] = table[listed[start[hand] : start[hand + 1]]]
    return found
