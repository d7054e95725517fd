"""Turn starts as lanes, in compiled code: the kernel of `turns`, operation by operation, for eight of them at a time.

Eight lanes of 462 keeps fit the first-level cache. The compiled code is cached on disk.
"""

from typing import Any, NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.kernels.records import effects_of, hands_of, steps_of
from rollwise.solvers.sheets.kernels.simd import WIDTH, add_row
from rollwise.solvers.sheets.kernels.turn_numba import best_rows, expect_rows, fill_hands, may_fill, serve_rows
from rollwise.solvers.sheets.turns import StartAxis, StartLayer, Values

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
    rolls = max(axis.arrays.rerolls + 1, previous.columns)
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
    boxes = np.empty(len(effects.of_hand), dtype=np.int64)
    lane_open = np.empty(WIDTH, dtype=np.int64)
    lane_carry = np.empty(WIDTH, dtype=np.int64)
    share = 1.0 / steps.more.shape[1]
    rolls = max(steps.rerolls + 1, before.shape[1])
    for first in range(0, len(opened), WIDTH):
        for i in range(WIDTH):
            lane = first + i if first + i < len(opened) else first
            lane_open[i], lane_carry[i] = opened[lane], carry[lane]
        n_open = list_boxes(lane_open, hands, boxes)
        _find(boxes[:n_open], lane_open, lane_carry, where, effects, plain, hands, source)
        for left in range(rolls):
            if left < before.shape[1]:
                _gain(boxes[:n_open], lane_carry, before, left, effects, plain, source, gained)
                fill_hands(boxes[:n_open], lane_open, effects.of_hand, hands, gained, table, steps.first_hand)
            serve_rows(steps, left, table)
            if left:
                best_rows(steps, table)
            expect_rows(steps.more, table, share)
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
        somewhere = False
        for i in range(WIDTH):
            somewhere |= may_fill(hands, lane_open[i], box)
        if somewhere:
            boxes[n_open] = box
            n_open += 1
    return n_open


@compiled
def _find(boxes, lane_open, lane_carry, where, effects, plain, hands, source):
    """Find where the effects of these boxes lead, -1 where one is not open; after all effects, where plain ones of a box do."""
    after = np.empty(WIDTH, dtype=np.int64)
    for box in boxes:
        for i in range(WIDTH):
            after[i] = lane_open[i] - hands.unit[box] if may_fill(hands, lane_open[i], box) else -1
        for i in range(WIDTH):
            source[len(effects.gain) + box, i] = _place(where, after[i], lane_carry[i])
        for effect in range(effects.start[box], effects.start[box + 1]):
            if not plain[effect]:
                for i in range(WIDTH):
                    source[effect, i] = _place(where, after[i], effects.target[effect, lane_carry[i]])


@compiled
def _place(where, opened, carry):
    return where.start[opened] + where.place[where.of_class[opened], carry] - where.first if opened >= 0 else -1


@compiled
def _gain(boxes, lane_carry, before, left, effects, plain, source, gained):
    """Write gain plus value of every effect of these boxes, when so many rolls are saved."""
    row = np.empty((1, WIDTH))
    for box in boxes:
        for i in range(WIDTH):
            place = source[len(effects.gain) + box, i]
            row[0, i] = before[place, left] if place >= 0 else -np.inf
        for effect in range(effects.start[box], effects.start[box + 1]):
            if plain[effect]:
                add_row(gained, effect, row, 0, effects.gain[effect, 0])
                continue
            for i in range(WIDTH):
                place = source[effect, i]
                gained[effect, i] = effects.gain[effect, lane_carry[i]] + before[place, left] if place >= 0 else -np.inf


@compiled
def gain_lanes(value, lane_open, lane_carry, effects, plain, hands, gained, boxes):
    """Write gain plus value of every effect of the boxes that are open in some lane, and list these; give how many they are.

    `value[open boxes, carry]` has the turn starts after it, minus infinity in its last row.
    """
    after = np.empty(WIDTH, dtype=np.int64)
    row = np.empty((1, WIDTH))
    n_open = list_boxes(lane_open, hands, boxes)
    for box in boxes[:n_open]:
        for i in range(WIDTH):
            after[i] = lane_open[i] - hands.unit[box] if may_fill(hands, lane_open[i], box) else len(value) - 1
            row[0, i] = value[after[i], lane_carry[i]]
        for effect in range(effects.start[box], effects.start[box + 1]):
            if plain[effect]:
                add_row(gained, effect, row, 0, effects.gain[effect, 0])
                continue
            for i in range(WIDTH):
                carry = lane_carry[i]
                gained[effect, i] = effects.gain[effect, carry] + value[after[i], effects.target[effect, carry]]
    return n_open
