"""The compiled kernels of `duels_following`: the same operations, for a vector of leads at a time.

Who follows a duel takes, with a hand, the first listed among the actions that tie with the best. The order of keeps is the same
for all hands (`listed_place`), so the lattice finds it: a second table holds the same numbers with their low bits replaced by
marks that fall in that order (a box counts as keeping all dice), and the largest of its sub-keeps names the first among all whose
high bits are the largest. Where the least that ties has these high bits too, all ties are among them; so if the one named ties,
it is the first. Otherwise, which is rare, the hand's actions are gone through.
"""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from rollwise.forms.base.compiling import compiled
from rollwise.forms.graph.values import TIE
from rollwise.forms.sheets.duel_arrays import DuelForm, DuelKernel, Layer, Values
from rollwise.forms.sheets.kernels.duel_numba import duel_arrays, find_rows, gain_lanes, layer_arrays, list_options
from rollwise.forms.sheets.kernels.lattice_simd import expect_rows
from rollwise.forms.sheets.kernels.simd import (
    WIDTH,
    best_of_each,
    copy_row,
    first_rows,
    mark_row,
    one_mark,
    take_marked,
    ties_row,
)
from rollwise.forms.sheets.lattice import Lattice, listed_place, sub_keeps
from rollwise.forms.sheets.turns import Floats, Ints

__all__ = ["numba_follow", "numba_mix"]


def numba_follow(guide: Mapping[int, Values]) -> DuelKernel:
    """Make the kernel of a player who follows a solved duel with these layers, whatever their precision, in float64."""

    def kernel(form: DuelForm, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
        net = form.sheet.lattice
        gained, fill, table, found = (
            tuple(np.empty((n, WIDTH)) for _ in range(copies))
            for n, copies in ((len(form.sheet.effect_gain), 2), (net.n_hands, 3), (len(net.keeps), 2), (len(net.keeps), 2))
        )
        _follow_rows(
            first, end, layer_arrays(layer), layer_arrays(previous), (guide[previous.left], before), values,
            *duel_arrays(form), _order(net), (gained, fill, table, found), 1.0 / net.faces,
        )  # fmt: skip

    return kernel


@lru_cache(maxsize=8)
def _order(net: Lattice) -> tuple[Ints, Ints, Ints, Ints]:
    """Marks of keeps that fall in the order of actions, the keep of every mark, and the keeps of every hand."""
    mark = len(net.keeps) - 1 - listed_place(net)
    return mark, np.argsort(mark), *sub_keeps(net.count, net.faces)


@compiled
def _follow_rows(first, end, rows, earlier, both, values, moves, opened, hands, net, order, tables, share):
    first_moved, first_mover, n_mover, row_start, row_low = rows
    more, runs, chain, first_hand, rerolls = net
    gained, fill, table, found = tables
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
        for lead in range(1 - low - size, 1 - low, WIDTH):
            gain_lanes(moves, mover, lead, both[0], shift, place, room, gained[0])
            gain_lanes(moves, mover, lead, both[1], shift, place, room, gained[1])
            for hand in range(n_hands):
                first_rows(fill, hand, gained, option, option_start[hand], option_start[hand + 1], TIE)
                copy_row(table[0], first_hand + hand, fill[0], hand)
                copy_row(table[1], first_hand + hand, fill[2], hand)
            for _ in range(rerolls):
                expect_rows(more, table[0], share)
                expect_rows(more, table[1], share)
                _choose(runs, chain, first_hand, fill, table, found, order, gained, option_start, option)
            expect_rows(more, table[1], share)
            for i in range(min(WIDTH, 1 - low - lead)):
                values[begin - lead - i - low] = 1 - table[1][0, i]


@compiled
def _choose(runs, chain, first_hand, fill, table, rows, order, gained, option_start, option):
    """Write for every hand what is best, and what goes along with the first action that ties with it.

    `table` comes with the expected numbers of every keep.
    """
    best, worth = table
    value, marked = rows
    fill_best, fill_value, fill_worth = fill
    for keep in range(first_hand):
        copy_row(value, keep, best, keep)
        mark_row(marked, keep, best, keep, order[0][keep])
    for hand in range(len(fill_best)):
        mark_row(marked, first_hand + hand, fill_best, hand, order[0][first_hand + hand])
    place = 0
    for run in range(len(runs)):
        for _ in range(runs[run, 0]):
            best_of_each((best, marked), chain[place], chain, place, place + 1 + runs[run, 1])
            place += 1 + runs[run, 1]
    for hand in range(len(fill_best)):
        row = first_hand + hand
        mark: int = one_mark(marked, row)
        keep = order[1][mark]
        if mark >= 0 and keep == row and ties_row(fill_value, hand, marked, best, row, TIE):
            copy_row(worth, row, fill_worth, hand)
        elif mark >= 0 and keep < first_hand and ties_row(value, keep, marked, best, row, TIE):
            copy_row(worth, row, worth, keep)
        else:
            copy_row(value, row, fill_value, hand)
            copy_row(worth, row, fill_worth, hand)
            doubt: int = take_marked((value, worth), row, marked, best, order[1], TIE)
            for i in range(WIDTH if doubt else 0):
                if doubt >> i & 1:
                    least = best[row, i] - best[row, i] * TIE
                    worth[row, i] = _search(hand, i, least, value, worth, order, gained, option_start, option)


@compiled
def _search(hand, i, least, value, worth, order, gained, option_start, option):
    """What goes along with the first action, boxes in order and then keeps, that is worth so much."""
    _, _, keep_start, keeps = order
    for n in range(option_start[hand], option_start[hand + 1]):
        if gained[0][option[n], i] >= least:
            return gained[1][option[n], i]
    for n in range(keep_start[hand], keep_start[hand + 1]):
        if value[keeps[n], i] >= least:
            return worth[keeps[n], i]
    return np.nan


def numba_mix(move_chance: Floats) -> DuelKernel:
    """Make the kernel of a player who ends his turn from an outer with these chances of its moves."""

    def kernel(form: DuelForm, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
        _mix_rows(first, end, layer_arrays(layer), layer_arrays(previous), before, values, duel_arrays(form)[0], move_chance)

    return kernel


@compiled
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
