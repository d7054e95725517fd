"""The compiled kernel of `turns`: the same recursion, operation by operation, for eight outer states at a time.

Eight lanes of 462 keeps fit the first-level cache, and a fixed width lets the compiler use vector registers. Lanes are
consecutive (open boxes, carry) pairs of a layer; a box that is not open in a lane reads from the last row of `value`, which
is minus infinity. The compiled code is cached on disk.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.kernels.lattice_simd import best_rows, expect_rows, serve_rows
from rollwise.solvers.sheets.kernels.options_numba import fill_hands
from rollwise.solvers.sheets.kernels.records import effects_of, hands_of, steps_of
from rollwise.solvers.sheets.kernels.simd import WIDTH, add_row

__all__ = ["gain_lanes", "numba_kernel"]


class _Carries(NamedTuple):
    """Which carries are computed, and which are copied, by class of open boxes."""

    class_of: Ints
    start: Ints
    members: Ints
    copy_start: Ints
    copy_to: Ints
    copy_from: Ints


def numba_kernel(arrays: SheetArrays, value: Floats, masks: Ints) -> None:
    """Solve masks of one layer with compiled code; releases the interpreter lock."""
    _solve_masks(masks, value, *_arrays(arrays))


@lru_cache(maxsize=4)
def _arrays(arrays: SheetArrays) -> tuple[Any, ...]:
    """The arrays of a sheet as the compiled code takes them; `plain` effects change nothing but the points."""
    gain = arrays.effect_gain
    plain = (arrays.effect_target == np.arange(arrays.n_carries)).all(axis=1) & (gain == gain[:, :1]).all(axis=1)
    carries = _Carries(
        arrays.carry_class, arrays.carry_start, arrays.carry_list, arrays.copy_start, arrays.copy_to, arrays.copy_from
    )
    return effects_of(arrays, np.float64, np.int16), plain, hands_of(arrays), carries, steps_of(arrays)


@compiled
def _solve_masks(masks, value, effects, plain, hands, carries, steps):
    gained = np.empty((len(effects.gain), WIDTH))
    table = np.empty((steps.first_hand + effects.of_hand.shape[1], WIDTH))
    lane_open = np.empty(WIDTH, dtype=np.int64)
    lane_carry = np.empty(WIDTH, dtype=np.int64)
    n = 0
    for opened in masks:
        of = carries.class_of[opened]
        for place in range(carries.start[of], carries.start[of + 1]):
            lane_open[n], lane_carry[n] = opened, carries.members[place]
            n += 1
            if n == WIDTH:
                _solve_lanes(value, lane_open, lane_carry, effects, plain, hands, steps, gained, table)
                n = 0
    if n:
        lane_open[n:], lane_carry[n:] = lane_open[0], lane_carry[0]
        _solve_lanes(value, lane_open, lane_carry, effects, plain, hands, steps, gained, table)
    for opened in masks:
        of = carries.class_of[opened]
        for copy in range(carries.copy_start[of], carries.copy_start[of + 1]):
            value[opened, carries.copy_to[copy]] = value[opened, carries.copy_from[copy]]


@compiled
def _solve_lanes(value, lane_open, lane_carry, effects, plain, hands, steps, gained, table):
    share = 1.0 / steps.more.shape[1]
    boxes = np.empty(len(effects.of_hand), dtype=np.int64)
    n_open = gain_lanes(value, lane_open, lane_carry, effects, plain, hands, gained, boxes)
    fill_hands(boxes[:n_open], lane_open, effects.of_hand, hands, gained, table, steps.first_hand)
    serve_rows(steps, 0, table)
    for left in range(1, steps.rerolls + 1):
        expect_rows(steps.more, table, share)
        serve_rows(steps, left, table)
        best_rows(steps.runs, steps.chain, table)
    expect_rows(steps.more, table, share)
    for i in range(WIDTH):
        value[lane_open[i], lane_carry[i]] = table[0, i]


@compiled
def gain_lanes(value, lane_open, lane_carry, effects, plain, hands, gained, boxes):
    """Write gain plus value of every effect of the boxes that are open in some lane; return how many those are."""
    closed = len(value) - 1
    after = np.empty(WIDTH, dtype=np.int64)
    row = np.empty((1, WIDTH))
    n_open = 0
    for box in range(len(effects.start) - 1):
        unit, field = hands.unit[box], hands.field[box]
        somewhere = False
        for i in range(WIDTH):
            allowed = lane_open[i] & field != 0 and not (hands.in_order and lane_open[i] & (unit - 1))
            after[i] = lane_open[i] - unit if allowed else closed
            somewhere |= allowed
        if somewhere:
            boxes[n_open] = box
            n_open += 1
            for i in range(WIDTH):
                row[0, i] = value[after[i], lane_carry[i]]
            for effect in range(effects.start[box], effects.start[box + 1]):
                if plain[effect]:
                    add_row(gained, effect, row, 0, effects.gain[effect, 0])
                    continue
                for i in range(WIDTH):
                    carry = lane_carry[i]
                    gained[effect, i] = effects.gain[effect, carry] + value[after[i], effects.target[effect, carry]]
    return n_open
