"""The compiled kernel of `standings`: the same recursion, operation by operation, for eight standings at a time.

All eight lanes belong to one outer state, so an effect's chances are eight neighbours of one row: a vector load where they lie
inside it, zeros below and ones above. The turn itself is that of `expected_numba`. The compiled code is cached on disk.
"""

from typing import Any, NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.kernels.lattice_simd import best_rows, expect_rows, serve_rows
from rollwise.solvers.sheets.kernels.options_numba import fill_hands
from rollwise.solvers.sheets.kernels.records import effects_of, hands_of, steps_of
from rollwise.solvers.sheets.kernels.simd import WIDTH, load_row
from rollwise.solvers.sheets.standings import StandingRows

__all__ = ["numba_points"]


class _StandingRows(NamedTuple):
    """Where the standings of every outer state lie (`standings.Rows`)."""

    of: Any
    opened: Ints
    carry: Ints
    low: Ints
    start: Ints


def numba_points(arrays: SheetArrays, rows: StandingRows, chance: Floats, first: int, last: int) -> None:
    """Solve rows with compiled code; releases the interpreter lock."""
    where = _StandingRows(rows.row_of, rows.row_open, rows.row_carry, rows.row_low, rows.row_start)
    _solve_rows(first, last, where, chance, effects_of(arrays, np.int64, np.int16), hands_of(arrays), steps_of(arrays))


@compiled
def _solve_rows(first, last, rows, chance, effects, hands, steps):
    n_effects = len(effects.gain)
    share = 1.0 / steps.more.shape[1]
    gained = np.empty((n_effects, WIDTH))
    table = np.empty((steps.first_hand + effects.of_hand.shape[1], WIDTH))
    boxes = np.empty(len(effects.of_hand), dtype=np.int64)
    begin = np.empty(n_effects, dtype=np.int64)
    size = np.empty(n_effects, dtype=np.int64)
    shift = np.empty(n_effects, dtype=np.int64)
    lane_open = np.empty(WIDTH, dtype=np.int64)
    for row in range(first, last):
        n_open = _successors(row, rows, effects, hands, boxes, begin, size, shift)
        lane_open[:] = rows.opened[row]
        length = rows.start[row + 1] - rows.start[row]
        for done in range(0, length, WIDTH):
            _gain(boxes[:n_open], effects.start, begin, size, shift, done, chance, gained)
            fill_hands(boxes[:n_open], lane_open, effects.of_hand, hands, gained, table, steps.first_hand)
            serve_rows(steps, 0, table)
            for left in range(1, steps.rerolls + 1):
                expect_rows(steps.more, table, share)
                serve_rows(steps, left, table)
                best_rows(steps.runs, steps.chain, table)
            expect_rows(steps.more, table, share)
            for i in range(min(WIDTH, length - done)):
                chance[rows.start[row] + done + i] = table[0, i]


@compiled
def _successors(row, rows, effects, hands, boxes, begin, size, shift):
    """List the boxes that may be filled; for their effects, where the next row lies and how far the standing moves along it."""
    opened, carry = rows.opened[row], rows.carry[row]
    n_open = 0
    for box in range(len(effects.start) - 1):
        if opened & hands.field[box] and not (hands.in_order and opened & (hands.unit[box] - 1)):
            boxes[n_open] = box
            n_open += 1
            for effect in range(effects.start[box], effects.start[box + 1]):
                after = rows.of[opened - hands.unit[box], effects.target[effect, carry]]
                begin[effect] = rows.start[after]
                size[effect] = rows.start[after + 1] - rows.start[after]
                shift[effect] = rows.low[row] + effects.gain[effect, carry] - rows.low[after]
    return n_open


@compiled
def _gain(boxes, effect_start, begin, size, shift, done, chance, gained):
    """Write the chances that the effects of some boxes lead to, for the lanes from `done` on."""
    for box in boxes:
        for effect in range(effect_start[box], effect_start[box + 1]):
            place = shift[effect] + done
            if 0 <= place <= size[effect] - WIDTH:
                load_row(gained, effect, chance, begin[effect] + place)
                continue
            for i in range(WIDTH):
                if place + i < 0:
                    gained[effect, i] = 0.0
                elif place + i >= size[effect]:
                    gained[effect, i] = 1.0
                else:
                    gained[effect, i] = chance[begin[effect] + place + i]
