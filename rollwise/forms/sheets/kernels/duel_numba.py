"""The compiled kernel of `duels`: the same recursion, operation by operation, for a vector of leads at a time.

A row is cut into chunks of consecutive leads, eight in float64 and sixteen in float32. For a chunk, what a move gains is one
vector load from the layer before; at the ends of a row, zeros and ones. The compiled code is cached on disk.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from rollwise.forms.base.compiling import compiled
from rollwise.forms.sheets.duel_arrays import DuelArrays, Layer, Values
from rollwise.forms.sheets.kernels.lattice_simd import best_rows, chains, expect_rows
from rollwise.forms.sheets.kernels.simd import BYTES, best_row, load_row, set_row
from rollwise.forms.sheets.outcomes import special_index

__all__ = ["duel_arrays", "find_rows", "gain_lanes", "layer_arrays", "list_options", "numba_duel"]


def numba_duel(form: DuelArrays, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
    """Write rows of a layer with compiled code; releases the interpreter lock."""
    kind = before.dtype.type
    width = BYTES // before.dtype.itemsize
    net = form.sheet.lattice
    gained = np.empty((len(form.sheet.effect_gain), width), dtype=kind)
    table = np.empty((len(net.keeps), width), dtype=kind)
    share = kind(1.0 / net.faces)
    _solve_rows(first, end, layer_arrays(layer), layer_arrays(previous), before, values, *duel_arrays(form), gained, table, share)


def layer_arrays(layer: Layer) -> tuple[Any, ...]:
    """Give a layer's layout as the compiled code takes it."""
    return layer.first_moved, layer.first_mover, layer.n_mover, layer.row_start, layer.row_low


@lru_cache(maxsize=4)
def duel_arrays(form: DuelArrays) -> tuple[Any, ...]:
    """Give the arrays of a form as the compiled code takes them."""
    sheet = form.sheet
    moves = (form.move_start, form.move_effect, form.move_target, form.move_gain)
    hands = (sheet.hand_effect, special_index(sheet), sheet.special_effect, sheet.special_variant, sheet.in_order)
    net = (sheet.lattice.more, *chains(sheet.lattice), sheet.lattice.first_hand, sheet.rerolls)
    return moves, form.outers.opened, hands, net


@compiled
def _solve_rows(first, end, rows, earlier, before, values, moves, opened, hands, net, gained, table, share):
    first_moved, first_mover, n_mover, row_start, row_low = rows
    more, runs, chain, first_hand, rerolls = net
    width = table.shape[1]
    shift = np.empty(len(gained), dtype=np.int64)
    place = np.empty(len(gained), dtype=np.int64)
    room = np.empty(len(gained), dtype=np.int64)
    n_hands = hands[0].shape[1]
    option_start = np.empty(n_hands + 1, dtype=np.int64)
    option = np.empty(hands[0].size, dtype=np.int64)
    for row in range(first, end):
        size = row_start[row + 1] - row_start[row]
        if size == 0:
            continue
        moved, mover = first_moved + row // n_mover, first_mover + row % n_mover
        find_rows(moves, earlier, mover, moved, shift, place, room)
        list_options(opened[mover], hands, option_start, option)
        begin, low = row_start[row], row_low[row]
        for lead in range(1 - low - size, 1 - low, width):
            gain_lanes(moves, mover, lead, before, shift, place, room, gained)
            for hand in range(n_hands):
                best_row(table, first_hand + hand, gained, option, option_start[hand], option_start[hand + 1])
            for _ in range(rerolls):
                expect_rows(more, table, share)
                best_rows(runs, chain, table)
            expect_rows(more, table, share)
            for i in range(min(width, 1 - low - lead)):
                values[begin - lead - i - low] = 1 - table[0, i]


@compiled
def list_options(opened, hands, option_start, option):
    """List for each hand the effects of the boxes that may be filled with it, in order."""
    hand_effect, special_index, special_effect, special_variant, in_order = hands
    n = 0
    for hand in range(hand_effect.shape[1]):
        option_start[hand] = n
        special = special_index[hand]
        for box in range(len(hand_effect)):
            if opened >> box & 1:
                effect = hand_effect[box, hand]
                if special >= 0:
                    effect = special_effect[special, special_variant[opened, special], box]
                if effect >= 0:
                    option[n] = effect
                    n += 1
                if in_order:
                    break
    option_start[hand_effect.shape[1]] = n


@compiled
def find_rows(moves, earlier, mover, other, shift, place, room):
    """Find for each move which row it leads to: where it lies, its length, and what turns the mover's lead into a place there."""
    move_start, _, move_target, move_gain = moves
    first_moved, first_mover, n_mover, row_start, row_low = earlier
    for n in range(move_start[mover + 1] - move_start[mover]):
        move = move_start[mover] + n
        row = (move_target[move] - first_moved) * n_mover + other - first_mover
        shift[n] = move_gain[move] - row_low[row]
        place[n] = row_start[row]
        room[n] = row_start[row + 1] - row_start[row]


@compiled
def gain_lanes(moves, mover, lead, before, shift, place, room, gained):
    """Write what every move is worth to a mover who leads by `lead` or, lane by lane, one more."""
    move_start, move_effect, _, _ = moves
    width = gained.shape[1]
    for n in range(move_start[mover + 1] - move_start[mover]):
        effect = move_effect[move_start[mover] + n]
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
