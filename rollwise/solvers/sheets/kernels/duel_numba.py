"""The compiled kernel of `duel_arrays`: the same recursion, operation by operation, for a vector of leads at a time.

A row is cut into chunks of consecutive leads, eight in float64 and sixteen in float32. For a chunk, what a move gains is one
vector load from the layer before; at the ends of a row, zeros and ones. The compiled code is cached on disk.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.sheets.arrays import Ints
from rollwise.solvers.sheets.duel_arrays import DuelArrays, Layer, Values
from rollwise.solvers.sheets.kernels.lattice_simd import best_rows, expect_rows
from rollwise.solvers.sheets.kernels.options_numba import list_options
from rollwise.solvers.sheets.kernels.records import Hands, Steps, hands_of, steps_of
from rollwise.solvers.sheets.kernels.simd import BYTES, best_row, load_row, set_row

__all__ = ["DuelRecords", "LayerRows", "Moves", "duel_records", "find_rows", "gain_lanes", "layer_rows", "numba_duel"]


class LayerRows(NamedTuple):
    """Where the rows of a layer lie (`duel_arrays.Layer`)."""

    first_moved: int
    first_mover: int
    n_mover: int
    start: Ints
    low: Ints


class Moves(NamedTuple):
    """How a turn can end: the moves of an outer begin at `start`."""

    start: Ints
    effect: Ints
    target: Ints
    gain: Ints


class DuelRecords(NamedTuple):
    """What is the same for all layers of a duel; `opened` are the open boxes of every outer."""

    moves: Moves
    opened: Ints
    hands: Hands
    steps: Steps


def numba_duel(arrays: DuelArrays, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
    """Write rows of a layer with compiled code; releases the interpreter lock."""
    kind = before.dtype.type
    width = BYTES // before.dtype.itemsize
    net = arrays.sheet.lattice
    gained = np.empty((len(arrays.sheet.effect_gain), width), dtype=kind)
    table = np.empty((len(net.keeps), width), dtype=kind)
    share = kind(1.0 / net.faces)
    _solve_rows(first, end, layer_rows(layer), layer_rows(previous), before, values, duel_records(arrays), gained, table, share)


def layer_rows(layer: Layer) -> LayerRows:
    """Give a layer's layout as the compiled code takes it."""
    return LayerRows(layer.first_moved, layer.first_mover, layer.n_mover, layer.row_start, layer.row_low)


@lru_cache(maxsize=4)
def duel_records(arrays: DuelArrays) -> DuelRecords:
    """Give the arrays of a sheet as the compiled code takes them."""
    moves = Moves(arrays.move_start, arrays.move_effect, arrays.move_target, arrays.move_gain)
    return DuelRecords(moves, arrays.outers.opened, hands_of(arrays.sheet), steps_of(arrays.sheet))


@compiled
def _solve_rows(first, end, rows, earlier, before, values, duel, gained, table, share):
    steps, hands = duel.steps, duel.hands
    width = table.shape[1]
    shift = np.empty(len(gained), dtype=np.int64)
    place = np.empty(len(gained), dtype=np.int64)
    room = np.empty(len(gained), dtype=np.int64)
    n_hands = hands.effect.shape[1]
    option_start = np.empty(n_hands + 1, dtype=np.int64)
    option = np.empty(hands.effect.size, dtype=np.int64)
    for row in range(first, end):
        size = rows.start[row + 1] - rows.start[row]
        if size == 0:
            continue
        moved, mover = rows.first_moved + row // rows.n_mover, rows.first_mover + row % rows.n_mover
        find_rows(duel.moves, earlier, mover, moved, shift, place, room)
        list_options(duel.opened[mover], hands, option_start, option)
        begin, low = rows.start[row], rows.low[row]
        for lead in range(1 - low - size, 1 - low, width):
            gain_lanes(duel.moves, mover, lead, before, shift, place, room, gained)
            for hand in range(n_hands):
                best_row(table, steps.first_hand + hand, gained, option, option_start[hand], option_start[hand + 1])
            for _ in range(steps.rerolls):
                expect_rows(steps.more, table, share)
                best_rows(steps.runs, steps.chain, table)
            expect_rows(steps.more, table, share)
            for i in range(min(width, 1 - low - lead)):
                values[begin - lead - i - low] = 1 - table[0, i]


@compiled
def find_rows(moves, earlier, mover, other, shift, place, room):
    """Find for each move which row it leads to: where it lies, its length, and what turns the mover's lead into a place there."""
    for n in range(moves.start[mover + 1] - moves.start[mover]):
        move = moves.start[mover] + n
        row = (moves.target[move] - earlier.first_moved) * earlier.n_mover + other - earlier.first_mover
        shift[n] = moves.gain[move] - earlier.low[row]
        place[n] = earlier.start[row]
        room[n] = earlier.start[row + 1] - earlier.start[row]


@compiled
def gain_lanes(moves, mover, lead, before, shift, place, room, gained):
    """Write what every move is worth to a mover who leads by `lead` or, lane by lane, one more."""
    width = gained.shape[1]
    for n in range(moves.start[mover + 1] - moves.start[mover]):
        effect = moves.effect[moves.start[mover] + n]
        at = lead + shift[n]
        if at >= 0 and at + width <= room[n]:
            load_row(gained, effect, before, place[n] + at)
        elif at >= room[n] and at >= 0:
            set_row(gained, effect, 1)
        elif at + width <= 0:
            set_row(gained, effect, 0)
        else:
            for i in range(width):
                gained[effect, i] = 0 if at + i < 0 else 1 if at + i >= room[n] else before[place[n] + at + i]
