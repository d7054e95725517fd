"""The compiled kernel of `points`: the same recursion, operation by operation, for eight standings at a time.

All eight lanes belong to one outer state, so an effect's chances are eight neighbours of one row: a vector load where they lie
inside it, zeros below and ones above. The turn itself is that of `turns_numba`. The compiled code is cached on disk.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from rollwise.forms.base.compiling import compiled
from rollwise.forms.sheets.kernels.expected_numba import fill_hands
from rollwise.forms.sheets.kernels.lattice_simd import best_rows, chains, expect_rows
from rollwise.forms.sheets.kernels.simd import WIDTH, load_row
from rollwise.forms.sheets.standings import Rows
from rollwise.forms.sheets.turns import Floats, SheetArrays

__all__ = ["numba_points"]


def numba_points(form: SheetArrays, rows: Rows, chance: Floats, first: int, last: int) -> None:
    """Solve rows with compiled code; releases the interpreter lock."""
    where = rows.row_of, rows.row_open, rows.row_carry, rows.row_low, rows.row_start
    _solve_rows(first, last, where, chance, *_arrays(form), form.rerolls, form.in_order)


@lru_cache(maxsize=4)
def _arrays(form: SheetArrays) -> tuple[Any, ...]:
    """The arrays of a form as the compiled code takes them."""
    effects = (form.effect_start, form.effect_gain, form.effect_target, form.hand_effect.astype(np.int16))
    specials = (form.special_hand, form.special_effect, form.special_variant)
    return effects, specials, (form.lattice.more, *chains(form.lattice), form.lattice.first_hand)


@compiled
def _solve_rows(first, last, where, chance, effects, specials, net, rerolls, in_order):
    row_start = where[4]
    hand_effect = effects[3]
    n_effects = len(effects[1])
    share = 1.0 / net[0].shape[1]
    gained = np.empty((n_effects, WIDTH))
    table = np.empty((net[3] + hand_effect.shape[1], WIDTH))
    boxes = np.empty(len(hand_effect), dtype=np.int64)
    begin = np.empty(n_effects, dtype=np.int64)
    size = np.empty(n_effects, dtype=np.int64)
    shift = np.empty(n_effects, dtype=np.int64)
    for row in range(first, last):
        n_open = _successors(row, where, effects, in_order, boxes, begin, size, shift)
        opened = where[1][row]
        length = row_start[row + 1] - row_start[row]
        for done in range(0, length, WIDTH):
            _gain(boxes[:n_open], effects[0], begin, size, shift, done, chance, gained)
            fill_hands(boxes[:n_open], hand_effect, gained, table, net[3])
            _fill_specials(opened, boxes[:n_open], specials, gained, table, net[3])
            for _ in range(rerolls):
                expect_rows(net[0], table, share)
                best_rows(net[1], net[2], table)
            expect_rows(net[0], table, share)
            for i in range(min(WIDTH, length - done)):
                chance[row_start[row] + done + i] = table[0, i]


@compiled
def _successors(row, where, effects, in_order, boxes, begin, size, shift):
    """List the boxes that may be filled; for their effects, where the next row lies and how far the standing moves along it."""
    row_of, row_open, row_carry, row_low, row_start = where
    effect_start, effect_gain, effect_target, _ = effects
    opened, carry = row_open[row], row_carry[row]
    allowed = opened & -opened if in_order else opened
    n_open = 0
    for box in range(len(effect_start) - 1):
        if allowed >> box & 1:
            boxes[n_open] = box
            n_open += 1
            for effect in range(effect_start[box], effect_start[box + 1]):
                after = row_of[opened ^ (1 << box), effect_target[effect, carry]]
                begin[effect] = row_start[after]
                size[effect] = row_start[after + 1] - row_start[after]
                shift[effect] = row_low[row] + effect_gain[effect, carry] - row_low[after]
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


@compiled
def _fill_specials(opened, boxes, specials, gained, table, first_hand):
    special_hand, special_effect, special_variant = specials
    for special in range(len(special_hand)):
        row = special_effect[special, special_variant[opened, special]]
        for i in range(WIDTH):
            best = 0.0
            for box in boxes:
                if row[box] >= 0:
                    best = max(best, gained[row[box], i])
            table[first_hand + special_hand[special], i] = best
