"""Turn starts as lanes, in compiled code: the kernel of `backward`, operation by operation, for eight of them at a time.

Eight lanes of 462 keeps fit the first-level cache. The compiled code is cached on disk.
"""

from typing import Any, NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.backward import StartAxis, StartLayer, Values
from rollwise.solvers.sheets.kernels.records import effects_of, hands_of, steps_of
from rollwise.solvers.sheets.kernels.simd import WIDTH, add_row, at
from rollwise.solvers.sheets.kernels.turn_numba import best_rows, expect_rows, fill_hands, may_fill, serve_rows

__all__ = ["gain_lanes", "list_boxes", "numba_starts", "numba_tables"]


class _Where(NamedTuple):
    """Where a turn start is in its layer: at `start[open boxes] + place[of_class[open boxes], carry] - first`."""

    start: Ints
    of_class: Ints
    place: Ints
    first: int


def numba_starts(
    axis: StartAxis, layer: StartLayer, previous: StartLayer, before: Values, values: Values, first: int, end: int
) -> None:
    """Write rows of a layer with compiled code; releases the interpreter lock."""
    opened, carry = layer.part(first, end)
    own, nothing = layer.places(opened, carry), np.empty((0, 0, WIDTH))
    _solve_starts(opened, carry, own, before, values, nothing, _where(previous), *_records(axis.arrays))


def numba_tables(axis: StartAxis, layer: int, before: Values, opened: Ints, carry: Ints) -> Floats:
    """Give the expected values of keeps, by lanes of eight turn starts, rolls to come (less one), keep and lane."""
    net, previous = axis.arrays.lattice, axis.layer(layer - 1)
    rolls = max(axis.arrays.rerolls + 1, previous.width)
    values = np.empty((len(opened), rolls - axis.arrays.rerolls))
    tables = np.empty((-(-len(opened) // WIDTH) * rolls, net.first_hand, WIDTH))
    own = np.arange(len(opened))
    _solve_starts(opened, carry, own, before, values, tables, _where(previous), *_records(axis.arrays))
    return tables.reshape(-1, rolls, net.first_hand, WIDTH)


def _where(layer: StartLayer) -> _Where:
    where = layer.axis.places
    return _Where(where.start, where.of_class, where.place, layer.first)


def _records(arrays: SheetArrays) -> tuple[Any, ...]:
    return effects_of(arrays, np.float64, np.int16), arrays.plain_effects, hands_of(arrays), steps_of(arrays)


@compiled
def _solve_starts(opened, carry, own, before, values, tables, where, effects, plain, hands, steps):
    gained = np.empty((len(effects.gain), WIDTH))
    table = np.empty((steps.first_hand + effects.of_hand.shape[1], WIDTH))
    source = np.empty((len(effects.gain) + len(effects.of_hand), WIDTH), dtype=np.int64)
    is_open = np.empty((len(effects.of_hand), WIDTH), dtype=np.int64)
    boxes = np.empty(len(effects.of_hand), dtype=np.int64)
    lane_open = np.empty(WIDTH, dtype=np.int64)
    lane_carry = np.empty(WIDTH, dtype=np.int64)
    rolls = max(steps.rerolls + 1, before.shape[1])
    for first in range(0, len(opened), WIDTH):
        for i in range(WIDTH):
            lane = first + i if first + i < len(opened) else first
            lane_open[i], lane_carry[i] = opened[lane], carry[lane]
        n_open = list_boxes(lane_open, hands, boxes)
        _find(boxes[:n_open], lane_open, lane_carry, where, effects, plain, hands, source, is_open)
        for left in range(rolls):
            if left < before.shape[1]:
                _gain(boxes[:n_open], lane_carry, before, left, effects, plain, source, is_open, gained)
                fill_hands(boxes[:n_open], lane_open, effects.of_hand, hands, gained, table, steps.first_hand)
            serve_rows(steps, left, table)
            if left:
                best_rows(steps, table)
            expect_rows(steps.more, table, steps.share)
            if left >= steps.rerolls:
                for i in range(min(WIDTH, len(opened) - first)):
                    values[own[first + i], left - steps.rerolls] = table[0, i]
            if len(tables):
                tables[first // WIDTH * rolls + left] = table[: steps.first_hand]


@compiled
def list_boxes(lane_open, hands, boxes):
    """List the boxes that may be filled in some lane; give how many those are."""
    n_open = 0
    for box in range(len(hands.field)):
        unit, field = hands.unit[box], hands.field[box]
        somewhere = False
        for i in range(WIDTH):
            somewhere |= may_fill(lane_open[i], unit, field, hands.in_order)
        if somewhere:
            boxes[n_open] = box
            n_open += 1
    return n_open


@compiled
def _find(boxes, lane_open, lane_carry, where, effects, plain, hands, source, is_open):
    """Find where the effects of these boxes lead, 0 where one is not open; after all effects, where plain ones of a box do."""
    n_effects, n_carries = effects.gain.shape
    begin = np.empty(WIDTH, dtype=np.int64)
    row = np.empty(WIDTH, dtype=np.int64)
    for box in boxes:
        unit, field = hands.unit[box], hands.field[box]
        for i in range(WIDTH):
            is_open[box, i] = may_fill(lane_open[i], unit, field, hands.in_order)
            after = lane_open[i] - unit * is_open[box, i]
            begin[i], row[i] = where.start[after] - where.first, where.of_class[after] * n_carries
            source[n_effects + box, i] = is_open[box, i] * (begin[i] + at(where.place, row[i] + lane_carry[i]))
        for effect in range(effects.start[box], effects.start[box + 1]):
            if not plain[effect]:
                for i in range(WIDTH):
                    carry: int = at(effects.target, effect * n_carries + lane_carry[i])
                    source[effect, i] = is_open[box, i] * (begin[i] + at(where.place, row[i] + carry))


@compiled
def _gain(boxes, lane_carry, before, left, effects, plain, source, is_open, gained):
    """Write gain plus value of every effect of these boxes, with so many rolls saved; minus infinity where one is not open."""
    (n_effects, n_carries), columns = effects.gain.shape, before.shape[1]
    row = np.empty((1, WIDTH))
    for box in boxes:
        for i in range(WIDTH):
            row[0, i] = at(before, source[n_effects + box, i] * columns + left)
        for effect in range(effects.start[box], effects.start[box + 1]):
            if plain[effect]:
                add_row(gained, effect, row, 0, effects.gain[effect, 0])
            else:
                for i in range(WIDTH):
                    gain: float = at(effects.gain, effect * n_carries + lane_carry[i])
                    gained[effect, i] = gain + at(before, source[effect, i] * columns + left)
        for i in range(WIDTH):
            if not is_open[box, i]:
                gained[effects.start[box] : effects.start[box + 1], i] = -np.inf


@compiled
def gain_lanes(value, lane_open, lane_carry, effects, plain, hands, gained, boxes):
    """Write gain plus value of every effect of the boxes that are open in some lane, and list these; give how many they are.

    `value[open boxes, carry]` has the turn starts after it, minus infinity in its last row.
    """
    after = np.empty(WIDTH, dtype=np.int64)
    row = np.empty((1, WIDTH))
    n_open = list_boxes(lane_open, hands, boxes)
    for box in boxes[:n_open]:
        unit, field = hands.unit[box], hands.field[box]
        for i in range(WIDTH):
            after[i] = lane_open[i] - unit if may_fill(lane_open[i], unit, field, hands.in_order) else len(value) - 1
            row[0, i] = value[after[i], lane_carry[i]]
        for effect in range(effects.start[box], effects.start[box + 1]):
            if plain[effect]:
                add_row(gained, effect, row, 0, effects.gain[effect, 0])
                continue
            for i in range(WIDTH):
                carry = lane_carry[i]
                gained[effect, i] = effects.gain[effect, carry] + value[after[i], effects.target[effect, carry]]
    return n_open
