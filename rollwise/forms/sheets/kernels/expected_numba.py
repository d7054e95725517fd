"""The compiled kernel of `turns`: the same recursion, operation by operation, for eight outer states at a time.

Eight lanes of 462 keeps fit the first-level cache, and a fixed width lets the compiler use vector registers. Lanes are
consecutive (open boxes, carry) pairs of a layer; a box that is not open in a lane reads from the last row of `value`, which
is minus infinity. The compiled code is cached on disk.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from rollwise.forms.base.compiling import compiled
from rollwise.forms.sheets.kernels.lattice_simd import best_rows, chains, expect_rows
from rollwise.forms.sheets.kernels.simd import WIDTH, add_row, copy_row, max_row
from rollwise.forms.sheets.turns import Floats, Ints, SheetArrays

__all__ = ["fill_hands", "numba_kernel"]


def numba_kernel(form: SheetArrays, value: Floats, masks: Ints) -> None:
    """Solve masks of one layer with compiled code; releases the interpreter lock."""
    _solve_masks(masks, value, *_arrays(form), form.rerolls, form.in_order)


@lru_cache(maxsize=4)
def _arrays(form: SheetArrays) -> tuple[Any, ...]:
    """The arrays of a form as the compiled code takes them."""
    gain = form.effect_gain.astype(np.float64)
    plain = (form.effect_target == np.arange(form.n_carries)).all(axis=1) & (gain == gain[:, :1]).all(axis=1)
    effects = (form.effect_start, gain, form.effect_target, plain, form.hand_effect.astype(np.int16))
    specials = (form.special_hand, form.special_effect, form.special_variant)
    carries = (form.carry_class, form.carry_start, form.carry_list, form.copy_start, form.copy_to, form.copy_from)
    return effects, specials, carries, (form.lattice.more, *chains(form.lattice), form.lattice.first_hand)


@compiled
def _solve_masks(masks, value, effects, specials, carries, net, rerolls, in_order):
    carry_class, carry_start, carry_list, copy_start, copy_to, copy_from = carries
    gained = np.empty((len(effects[1]), WIDTH))
    table = np.empty((net[3] + effects[4].shape[1], WIDTH))
    lane_open = np.empty(WIDTH, dtype=np.int64)
    lane_carry = np.empty(WIDTH, dtype=np.int64)
    n = 0
    for opened in masks:
        for place in range(carry_start[carry_class[opened]], carry_start[carry_class[opened] + 1]):
            lane_open[n], lane_carry[n] = opened, carry_list[place]
            n += 1
            if n == WIDTH:
                _solve_lanes(value, lane_open, lane_carry, effects, specials, net, rerolls, in_order, gained, table)
                n = 0
    if n:
        lane_open[n:], lane_carry[n:] = lane_open[0], lane_carry[0]
        _solve_lanes(value, lane_open, lane_carry, effects, specials, net, rerolls, in_order, gained, table)
    for opened in masks:
        for copy in range(copy_start[carry_class[opened]], copy_start[carry_class[opened] + 1]):
            value[opened, copy_to[copy]] = value[opened, copy_from[copy]]


@compiled
def _solve_lanes(value, lane_open, lane_carry, effects, specials, net, rerolls, in_order, gained, table):
    hand_effect = effects[4]
    special_hand, special_effect, special_variant = specials
    more, runs, chain, first_hand = net
    share = 1.0 / more.shape[1]
    boxes = np.empty(len(hand_effect), dtype=np.int64)
    n_open = _gain(value, lane_open, lane_carry, effects, in_order, gained, boxes)
    fill_hands(boxes[:n_open], hand_effect, gained, table, first_hand)
    for special in range(len(special_hand)):
        hand = first_hand + special_hand[special]
        for i in range(WIDTH):
            row = special_effect[special, special_variant[lane_open[i], special]]
            best = -np.inf
            for box in boxes[:n_open]:
                if row[box] >= 0:
                    best = max(best, gained[row[box], i])
            table[hand, i] = best
    for _ in range(rerolls):
        expect_rows(more, table, share)
        best_rows(runs, chain, table)
    expect_rows(more, table, share)
    for i in range(WIDTH):
        value[lane_open[i], lane_carry[i]] = table[0, i]


@compiled
def _gain(value, lane_open, lane_carry, effects, in_order, gained, boxes):
    """Write gain plus value of every effect of the boxes that are open in some lane; return how many those are."""
    effect_start, effect_gain, effect_target, effect_plain, _ = effects
    closed = len(value) - 1
    after = np.empty(WIDTH, dtype=np.int64)
    row = np.empty((1, WIDTH))
    n_open = 0
    for box in range(len(effect_start) - 1):
        bit = 1 << box
        somewhere = False
        for i in range(WIDTH):
            allowed = lane_open[i] & -lane_open[i] if in_order else lane_open[i]
            after[i] = lane_open[i] ^ bit if allowed & bit else closed
            somewhere |= allowed & bit != 0
        if somewhere:
            boxes[n_open] = box
            n_open += 1
            for i in range(WIDTH):
                row[0, i] = value[after[i], lane_carry[i]]
            for effect in range(effect_start[box], effect_start[box + 1]):
                if effect_plain[effect]:
                    add_row(gained, effect, row, 0, effect_gain[effect, 0])
                    continue
                for i in range(WIDTH):
                    carry = lane_carry[i]
                    gained[effect, i] = effect_gain[effect, carry] + value[after[i], effect_target[effect, carry]]
    return n_open


@compiled
def fill_hands(boxes, hand_effect, gained, table, first_hand):
    """Write the best effect of every hand, special hands as if they were not."""
    for hand in range(hand_effect.shape[1]):
        copy_row(table, first_hand + hand, gained, hand_effect[boxes[0], hand])
        for place in range(1, len(boxes)):
            max_row(table, first_hand + hand, gained, hand_effect[boxes[place], hand])
