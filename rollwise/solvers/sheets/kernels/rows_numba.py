"""Points as lanes, in compiled code: the kernel of `rows`, operation by operation, for a vector of points at a time.

A row is cut into chunks of consecutive points, eight in float64 and sixteen in float32. For a chunk, what an effect gains is one
vector load from the layer before; at the ends of a row, zeros and ones. The compiled code is cached on disk.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.sheets.arrays import Floats, Ints
from rollwise.solvers.sheets.backward import Values
from rollwise.solvers.sheets.kernels.records import Effects, Hands, Steps, effects_of, hands_of, steps_of
from rollwise.solvers.sheets.kernels.simd import BYTES, load_row, set_row
from rollwise.solvers.sheets.kernels.turn_numba import best_rows, expect_rows, fill_options, list_options, may_fill, serve_rows
from rollwise.solvers.sheets.rows import Edges, Layer, RowAxis

__all__ = ["LayerRows", "RowRecords", "find_rows", "gain_lanes", "layer_rows", "numba_rows", "row_records"]


NO_EDGES = Edges(np.zeros(0), 0.0, 0.0, 1.0)


class LayerRows(NamedTuple):
    """Where the rows of a layer lie, and what they are worth outside (`rows.Layer`, `rows.Edges`)."""

    first_moved: int
    first_mover: int
    n_mover: int
    start: Ints
    low: Ints
    edges: tuple[Floats, float, float, float]


class RowRecords(NamedTuple):
    """What is the same for all layers; `opened` and `carry` are those of every outer, numbered by `number[open, carry]`."""

    opened: Ints
    carry: Ints
    number: Any
    effects: Effects
    hands: Hands
    steps: Steps


def numba_rows(axis: RowAxis, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
    """Write rows of a layer with compiled code; releases the interpreter lock."""
    kind = before.dtype.type
    width, sheet = BYTES // before.dtype.itemsize, axis.sheet
    gained = np.empty((len(sheet.effect_gain), width), dtype=kind)
    table = np.empty((sheet.lattice.first_hand + sheet.hand_effect.shape[1], width), dtype=kind)
    here, earlier, share = layer_rows(layer), layer_rows(previous), sheet.lattice.share.astype(kind)
    _solve_rows(first, end, axis.alone, here, earlier, before, values, row_records(axis), gained, table, share)


def layer_rows(layer: Layer) -> LayerRows:
    """Give a layer's layout as the compiled code takes it."""
    edges = layer.edges or NO_EDGES
    lines = (edges.mean, edges.below, edges.above, edges.level)
    return LayerRows(layer.first_moved, layer.first_mover, layer.n_mover, layer.row_start, layer.row_low, lines)


@lru_cache(maxsize=4)
def row_records(axis: RowAxis) -> RowRecords:
    """Give the arrays of a sheet as the compiled code takes them."""
    sheet, outers = axis.sheet, axis.outers
    effects = effects_of(sheet, np.int64, np.int16)
    return RowRecords(outers.opened, outers.carry, outers.number, effects, hands_of(sheet), steps_of(sheet))


@compiled
def _solve_rows(first, end, alone, rows, earlier, before, values, records, gained, table, share):
    steps, hands = records.steps, records.hands
    width = table.shape[1]
    found = np.empty((5, len(gained)), dtype=np.int64)
    sloped = len(earlier.edges[0]) > 0
    option_start = np.empty(hands.effect.shape[1] + 1, dtype=np.int64)
    option = np.empty(hands.effect.size, dtype=np.int64)
    for row in range(first, end):
        size = rows.start[row + 1] - rows.start[row]
        if size == 0:
            continue
        other, mover = rows.first_moved + row // rows.n_mover, rows.first_mover + row % rows.n_mover
        if alone:
            other, mover = mover, other
        n_moves = find_rows(records, earlier, mover, other, found)
        list_options(records.opened[mover], hands, option_start, option)
        begin, low = rows.start[row], rows.low[row]
        lowest = low if alone else 1 - low - size
        for done in range(0, size, width):
            gain_lanes(lowest + done, before, found, n_moves, gained)
            if sloped:
                _slope_lanes(lowest + done, earlier, found, n_moves, gained)
            fill_options(option_start, option, gained, table, steps.first_hand)
            serve_rows(steps, 0, table)
            for left in range(1, steps.rerolls + 1):
                expect_rows(steps.more, table, share)
                serve_rows(steps, left, table)
                best_rows(steps, table)
            expect_rows(steps.more, table, share)
            for i in range(min(width, size - done)):
                if alone:
                    values[begin + done + i] = table[0, i]
                else:
                    values[begin + size - 1 - done - i] = 1 - table[0, i]


@compiled
def find_rows(records, earlier, mover, other, found):
    """Find for each effect of the open boxes which row it leads to; give how many those are.

    In `found`, for each: the effect, where its row lies, the row's length, what turns the mover's points into a place there, and
    the row itself.
    """
    effects, hands, opened, carry = records.effects, records.hands, records.opened[mover], records.carry[mover]
    n = 0
    for box in range(len(effects.start) - 1):
        unit = hands.unit[box]
        if may_fill(opened, unit, hands.field[box], hands.in_order):
            after = opened - unit
            for effect in range(effects.start[box], effects.start[box + 1]):
                target = records.number[after, effects.target[effect, carry]]
                row = (target - earlier.first_moved) * earlier.n_mover + other - earlier.first_mover
                found[0, n], found[1, n] = effect, earlier.start[row]
                found[2, n] = earlier.start[row + 1] - earlier.start[row]
                found[3, n] = effects.gain[effect, carry] - earlier.low[row]
                found[4, n] = row
                n += 1
    return n


@compiled
def gain_lanes(lowest, before, found, n_moves, gained):
    """Write what every effect is worth to a mover who has `lowest` points or, lane by lane, one more."""
    width = gained.shape[1]
    for n in range(n_moves):
        effect, begin, size, place = found[0, n], found[1, n], found[2, n], lowest + found[3, n]
        if place >= 0 and place + width <= size:
            load_row(gained, effect, before, begin + place)
        elif place >= size and place >= 0:
            set_row(gained, effect, 1)
        elif place + width <= 0:
            set_row(gained, effect, 0)
        else:
            for i in range(width):
                gained[effect, i] = 0 if place + i < 0 else 1 if place + i >= size else before[begin + place + i]


@compiled
def _slope_lanes(lowest, earlier, found, n_moves, gained):
    """Write what effects are worth that lead out of their row, where that is not 0 or 1."""
    mean, below, above, level = earlier.edges
    for n in range(n_moves):
        effect, size, place, row = found[0, n], found[2, n], lowest + found[3, n], found[4, n]
        for i in range(gained.shape[1]):
            total = place + i + earlier.low[row] + mean[row]
            if place + i < 0:
                gained[effect, i] = below * total
            elif place + i >= size:
                gained[effect, i] = level + above * total
