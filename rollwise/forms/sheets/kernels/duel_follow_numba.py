"""The compiled kernels of `duels_following`: the same operations, for a vector of leads at a time."""

from collections.abc import Mapping

import numpy as np
from numba import njit

from rollwise.forms.sheets.duel_arrays import DuelForm, DuelKernel, Layer, Values
from rollwise.forms.sheets.kernels.duel_numba import duel_arrays, find_rows, gain_lanes, layer_arrays, list_options
from rollwise.forms.sheets.kernels.lattice_simd import expect_rows
from rollwise.forms.sheets.kernels.simd import BYTES, best_rows_of_two, copy_row
from rollwise.forms.sheets.turns import Floats

__all__ = ["numba_follow", "numba_mix"]

_compile = njit(nogil=True, cache=True, error_model="numpy")


def numba_follow(guide: Mapping[int, Values]) -> DuelKernel:
    """Make the kernel of a player who follows a solved duel with these layers."""

    def kernel(form: DuelForm, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
        kind, width, net = before.dtype.type, BYTES // before.dtype.itemsize, form.sheet.lattice
        rows = (len(form.sheet.effect_gain), net.n_hands, len(net.keeps))
        tables = tuple((np.empty((n, width), dtype=kind), np.empty((n, width), dtype=kind)) for n in rows)
        both = (guide[previous.left], before)
        _follow_rows(
            first, end, layer_arrays(layer), layer_arrays(previous), both, values, *duel_arrays(form), tables,
            kind(1.0 / net.faces),
        )  # fmt: skip

    return kernel


@_compile
def _follow_rows(first, end, rows, earlier, both, values, moves, opened, hands, net, tables, share):
    first_moved, first_mover, n_mover, row_start, row_low = rows
    more, runs, chain, first_hand, rerolls = net
    gained, fill, table = tables
    width = table[0].shape[1]
    n_hands = hands[0].shape[1]
    shift = np.empty(len(gained[0]), dtype=np.int64)
    place = np.empty(len(gained[0]), dtype=np.int64)
    room = np.empty(len(gained[0]), dtype=np.int64)
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
            gain_lanes(moves, mover, lead, both[0], shift, place, room, gained[0])
            gain_lanes(moves, mover, lead, both[1], shift, place, room, gained[1])
            for hand in range(n_hands):
                best_rows_of_two(fill, hand, gained, option, option_start[hand], option_start[hand + 1])
            _put(table, fill, first_hand)
            for _ in range(rerolls):
                expect_rows(more, table[0], share)
                expect_rows(more, table[1], share)
                _put(table, fill, first_hand)
                _take_best(runs, chain, table)
            expect_rows(more, table[1], share)
            for i in range(min(width, 1 - low - lead)):
                values[begin - lead - i - low] = 1 - table[1][0, i]


@_compile
def _put(table, fill, first_hand):
    for hand in range(len(fill[0])):
        copy_row(table[0], first_hand + hand, fill[0], hand)
        copy_row(table[1], first_hand + hand, fill[1], hand)


@_compile
def _take_best(runs, chain, table):
    place = 0
    for run in range(len(runs)):
        for _ in range(runs[run, 0]):
            best_rows_of_two(table, chain[place], table, chain, place, place + 1 + runs[run, 1])
            place += 1 + runs[run, 1]


def numba_mix(move_chance: Floats) -> DuelKernel:
    """Make the kernel of a player who ends his turn from an outer with these chances of its moves."""

    def kernel(form: DuelForm, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
        _mix_rows(first, end, layer_arrays(layer), layer_arrays(previous), before, values, duel_arrays(form)[0], move_chance)

    return kernel


@_compile
def _mix_rows(first, end, rows, earlier, before, values, moves, move_chance):
    first_moved, first_mover, n_mover, row_start, row_low = rows
    move_start, most = moves[0], 0
    for outer in range(len(move_start) - 1):
        most = max(most, move_start[outer + 1] - move_start[outer])
    shift = np.empty(most, dtype=np.int64)
    place = np.empty(most, dtype=np.int64)
    room = np.empty(most, dtype=np.int64)
    longest = 0
    for row in range(first, end):
        longest = max(longest, row_start[row + 1] - row_start[row])
    total = np.empty(longest)
    for row in range(first, end):
        size = row_start[row + 1] - row_start[row]
        moved, mover = first_moved + row // n_mover, first_mover + row % n_mover
        find_rows(moves, earlier, mover, moved, shift, place, room)
        lead = 1 - row_low[row] - size
        total[:size] = 0.0
        for n in range(move_start[mover + 1] - move_start[mover]):
            chance = move_chance[move_start[mover] + n]
            if chance > 0.0:
                at = lead + shift[n]
                below = min(max(0, -at), size)
                inside = min(max(below, room[n] - at), size)
                source = place[n] + at
                for i in range(below, inside):
                    total[i] += chance * before[source + i]
                for i in range(inside, size):
                    total[i] += chance
        for i in range(size):
            values[row_start[row] + size - 1 - i] = 1 - total[i]
