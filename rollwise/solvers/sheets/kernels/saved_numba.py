"""The compiled kernel of `saved_arrays`: the same recursion, operation by operation, for eight turn starts at a time."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.kernels.lattice_simd import best_rows, expect_rows
from rollwise.solvers.sheets.kernels.options_numba import fill_hands
from rollwise.solvers.sheets.kernels.records import effects_of, hands_of, steps_of
from rollwise.solvers.sheets.kernels.simd import WIDTH, add_row
from rollwise.solvers.sheets.saved_arrays import SavedLayers, Values

__all__ = ["numba_saved", "numba_tables"]


class _SavedRows(NamedTuple):
    """Where a turn start is in its layer: at `start[open boxes] + place[of_class[open boxes], carry] - first`."""

    start: Ints
    of_class: Ints
    place: Ints
    first: int


def numba_saved(layout: SavedLayers, layer: int, before: Values, values: Values, first: int, end: int) -> None:
    """Write rows of a layer with compiled code; releases the interpreter lock."""
    opened, carry = layout.part(layer, first, end)
    nothing = np.empty((0, 0, WIDTH))
    _solve_rows(opened, carry, before, values[first:end], nothing, _rows(layout, layer - 1), *_arrays(layout.arrays))


def numba_tables(layout: SavedLayers, layer: int, before: Values, opened: Ints, carry: Ints) -> Floats:
    """Give the expected values of keeps, by lanes of eight turn starts, rolls to come (less one), keep and lane."""
    net, rolls = layout.arrays.lattice, layout.most_saved(layer - 1) + 1
    values = np.empty((len(opened), layout.most_saved(layer) + 1))
    tables = np.empty((-(-len(opened) // WIDTH) * rolls, net.first_hand, WIDTH))
    _solve_rows(opened, carry, before, values, tables, _rows(layout, layer - 1), *_arrays(layout.arrays))
    return tables.reshape(-1, rolls, net.first_hand, WIDTH)


def _rows(layout: SavedLayers, layer: int) -> _SavedRows:
    where = layout.places
    return _SavedRows(where.start, where.of_class, where.place, int(where.layer_start[layer]))


@lru_cache(maxsize=4)
def _arrays(arrays: SheetArrays) -> tuple[Any, ...]:
    """The arrays of a sheet as the compiled code takes them; boxes that are `plain` change nothing but the points."""
    gain = arrays.effect_gain
    plain = (arrays.effect_target == np.arange(arrays.n_carries)).all(axis=1) & (gain == gain[:, :1]).all(axis=1)
    boxes = np.array([plain[arrays.effect_start[box] : arrays.effect_start[box + 1]].all() for box in range(arrays.n_boxes)])
    return effects_of(arrays, np.float64, np.int16), boxes, hands_of(arrays), steps_of(arrays)


@compiled
def _solve_rows(opened, carry, before, values, tables, rows, effects, plain, hands, steps):
    gained = np.empty((len(effects.gain), WIDTH))
    table = np.empty((steps.first_hand + effects.of_hand.shape[1], WIDTH))
    source = np.empty((len(effects.gain), WIDTH), dtype=np.int64)
    gain = np.empty((len(effects.gain), WIDTH))
    boxes = np.empty(len(effects.of_hand), dtype=np.int64)
    lane_open = np.empty(WIDTH, dtype=np.int64)
    lane_carry = np.empty(WIDTH, dtype=np.int64)
    rolls = before.shape[1]
    share = 1.0 / steps.more.shape[1]
    for first in range(0, len(opened), WIDTH):
        for i in range(WIDTH):
            lane = first + i if first + i < len(opened) else first
            lane_open[i], lane_carry[i] = opened[lane], carry[lane]
        n_open = _find(lane_open, lane_carry, rows, effects, plain, hands.in_order, source, gain, boxes)
        for left in range(rolls):
            _gain(before, left, boxes[:n_open], effects.start, effects.gain, plain, source, gain, gained)
            fill_hands(boxes[:n_open], lane_open, effects.of_hand, hands, gained, table, steps.first_hand)
            if left:
                best_rows(steps.runs, steps.chain, table)
            expect_rows(steps.more, table, share)
            if left >= steps.rerolls:
                for i in range(min(WIDTH, len(opened) - first)):
                    values[first + i, left - steps.rerolls] = table[0, i]
            if len(tables):
                for keep in range(steps.first_hand):
                    for i in range(WIDTH):
                        tables[first // WIDTH * rolls + left, keep, i] = table[keep, i]


@compiled
def _find(lane_open, lane_carry, rows, effects, plain, in_order, source, gain, boxes):
    """List the boxes that are open in some lane, where each of their effects leads (-1: not open) and what it gains.

    All effects of a plain box lead to one place, that of its first.
    """
    n_open = 0
    for box in range(len(effects.start) - 1):
        bit = 1 << box
        somewhere = False
        for i in range(WIDTH):
            allowed = lane_open[i] & -lane_open[i] if in_order else lane_open[i]
            somewhere |= allowed & bit != 0
        if somewhere:
            boxes[n_open] = box
            n_open += 1
            first = effects.start[box]
            for effect in range(first, first + 1 if plain[box] else effects.start[box + 1]):
                for i in range(WIDTH):
                    allowed = lane_open[i] & -lane_open[i] if in_order else lane_open[i]
                    after = lane_open[i] ^ bit
                    source[effect, i] = -1
                    if allowed & bit:
                        place = rows.place[rows.of_class[after], effects.target[effect, lane_carry[i]]]
                        source[effect, i] = rows.start[after] + place - rows.first
                    gain[effect, i] = effects.gain[effect, lane_carry[i]]
    return n_open


@compiled
def _gain(before, left, boxes, start, points, plain, source, gain, gained):
    """Write gain plus value of every effect of these boxes, when so many rolls are saved."""
    row = np.empty((1, WIDTH))
    for box in boxes:
        if plain[box]:
            for i in range(WIDTH):
                place = source[start[box], i]
                row[0, i] = before[place, left] if place >= 0 else -np.inf
            for effect in range(start[box], start[box + 1]):
                add_row(gained, effect, row, 0, points[effect, 0])
            continue
        for effect in range(start[box], start[box + 1]):
            for i in range(WIDTH):
                place = source[effect, i]
                gained[effect, i] = gain[effect, i] + before[place, left] if place >= 0 else -np.inf
