"""What a duel comes to under given strategies, on the same layout as the duel itself (`duel_arrays`), in compiled code.

The rows hold the worth, to the player who has just moved, of the play that follows. At the turn of a player the layer is computed
from the one before in one of three ways, all of them `Kernel`s:

- he maximises it: the kernels of the duel;
- he follows the solved duel: `guide` are that duel's values; its choices are taken, the worth goes along;
- he ends his turn with fixed chances, whatever the lead: `move_chance` by move of the sheet.

Who follows the duel does what `DuelSolution.best` says: with every hand the first listed among the actions within a relative
1e-9 of the best, boxes in order and then keeps. The guide's layers may be float32; within the turn both numbers are float64, as
they are where a solution is asked. A vector of leads is computed at a time. The order of keeps is the same
for all hands (`listed_place`), so the lattice finds it: a second table holds the same numbers with their low bits replaced by
marks that fall in that order (a box counts as keeping all dice), and the largest of its sub-keeps names the first among all whose
high bits are the largest. Where the least that ties has these high bits too, all ties are among them; so if the one named ties,
it is the first. Otherwise, which is rare, the hand's actions are gone through.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.sheets.arrays import Floats, Ints
from rollwise.solvers.sheets.backward import Kernel, Values
from rollwise.solvers.sheets.duel_arrays import DuelArrays
from rollwise.solvers.sheets.kernels.rows_numba import find_rows, gain_lanes, layer_rows, row_records
from rollwise.solvers.sheets.kernels.simd import (
    WIDTH,
    best_of_each,
    copy_row,
    first_rows,
    mark_row,
    one_mark,
    take_marked,
    ties_row,
)
from rollwise.solvers.sheets.kernels.turn_numba import expect_rows, list_options
from rollwise.solvers.sheets.lattice import Lattice, listed_place, sub_keeps
from rollwise.solvers.sheets.rows import Layer

__all__ = ["numba_follow", "numba_mix"]


def numba_follow(guide: Mapping[int, Values]) -> Kernel:
    """Make the kernel of a player who follows a solved duel with these layers, whatever their precision, in float64."""

    def kernel(arrays: DuelArrays, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
        net = arrays.sheet.lattice
        gained, fill, table, found = (
            tuple(np.empty((n, WIDTH)) for _ in range(copies))
            for n, copies in ((len(arrays.sheet.effect_gain), 2), (net.n_hands, 3), (len(net.keeps), 2), (len(net.keeps), 2))
        )
        _follow_rows(
            first, end, layer_rows(layer), layer_rows(previous), (guide[previous.left], before), values,
            row_records(arrays), _order(net), _Workspace(gained, fill, table, found), net.share,
        )  # fmt: skip

    return kernel


class _Workspace(NamedTuple):
    """Room to work: each holds pairs, the solved duel's numbers and what goes along with them; `fill` also the best of a hand."""

    gained: tuple[Floats, ...]
    fill: tuple[Floats, ...]
    table: tuple[Floats, ...]
    found: tuple[Floats, ...]


class _Order(NamedTuple):
    """Marks of keeps that fall in the order of actions, the keep of every mark, and the keeps of every hand."""

    mark: Ints
    marked: Ints
    keep_start: Ints
    keeps: Ints


@lru_cache(maxsize=8)
def _order(net: Lattice) -> _Order:
    mark = len(net.keeps) - 1 - listed_place(net)
    return _Order(mark, np.argsort(mark), *sub_keeps(net))


@compiled
def _follow_rows(first, end, rows, earlier, both, values, duel, order, tables, share):
    gained, fill, table, found = tables
    hands, steps = duel.hands, duel.steps
    n_hands = hands.effect.shape[1]
    moves = np.empty((5, len(gained[0])), dtype=np.int64)
    option_start = np.empty(n_hands + 1, dtype=np.int64)
    option = np.empty(hands.effect.size, dtype=np.int64)
    for row in range(first, end):
        size = rows.start[row + 1] - rows.start[row]
        if size == 0:
            continue
        moved, mover = rows.first_moved + row // rows.n_mover, rows.first_mover + row % rows.n_mover
        n_moves = find_rows(duel, earlier, mover, moved, moves)
        list_options(duel.opened[mover], hands, option_start, option)
        begin, low = rows.start[row], rows.low[row]
        for lead in range(1 - low - size, 1 - low, WIDTH):
            gain_lanes(lead, both[0], moves, n_moves, gained[0])
            gain_lanes(lead, both[1], moves, n_moves, gained[1])
            for hand in range(n_hands):
                first_rows(fill, hand, gained, option, option_start[hand], option_start[hand + 1], TIE)
                copy_row(table[0], steps.first_hand + hand, fill[0], hand)
                copy_row(table[1], steps.first_hand + hand, fill[2], hand)
            for _ in range(steps.rerolls):
                expect_rows(steps.more, table[0], share)
                expect_rows(steps.more, table[1], share)
                _choose(steps, fill, table, found, order, gained, option_start, option)
            expect_rows(steps.more, table[1], share)
            for i in range(min(WIDTH, 1 - low - lead)):
                values[begin - lead - i - low] = 1 - table[1][0, i]


@compiled
def _choose(steps, fill, table, rows, order, gained, option_start, option):
    """Write for every hand what is best, and what goes along with the first action that ties with it.

    `table` comes with the expected numbers of every keep.
    """
    first_hand = steps.first_hand
    best, worth = table
    value, marked = rows
    fill_best, fill_value, fill_worth = fill
    for keep in range(first_hand):
        copy_row(value, keep, best, keep)
        mark_row(marked, keep, best, keep, order.mark[keep])
    for hand in range(len(fill_best)):
        mark_row(marked, first_hand + hand, fill_best, hand, order.mark[first_hand + hand])
    for keep in range(1, len(steps.fewer_start) - 1):
        best_of_each((best, marked), keep, steps.fewer, steps.fewer_start[keep], steps.fewer_start[keep + 1])
    for hand in range(len(fill_best)):
        row = first_hand + hand
        mark: int = one_mark(marked, row)
        keep = order.marked[mark]
        if mark >= 0 and keep == row and ties_row(fill_value, hand, marked, best, row, TIE):
            copy_row(worth, row, fill_worth, hand)
        elif mark >= 0 and keep < first_hand and ties_row(value, keep, marked, best, row, TIE):
            copy_row(worth, row, worth, keep)
        else:
            copy_row(value, row, fill_value, hand)
            copy_row(worth, row, fill_worth, hand)
            doubt: int = take_marked((value, worth), row, marked, best, order.marked, TIE)
            for i in range(WIDTH if doubt else 0):
                if doubt >> i & 1:
                    least = best[row, i] - best[row, i] * TIE
                    worth[row, i] = _search(hand, i, least, value, worth, order, gained, option_start, option)


@compiled
def _search(hand, i, least, value, worth, order, gained, option_start, option):
    """What goes along with the first action, boxes in order and then keeps, that is worth so much."""
    for n in range(option_start[hand], option_start[hand + 1]):
        if gained[0][option[n], i] >= least:
            return gained[1][option[n], i]
    for n in range(order.keep_start[hand], order.keep_start[hand + 1]):
        if value[order.keeps[n], i] >= least:
            return worth[order.keeps[n], i]
    return np.nan


def numba_mix(move_chance: Floats) -> Kernel:
    """Make the kernel of a player who ends his turn from an outer with these chances of its moves."""

    def kernel(arrays: DuelArrays, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
        here, earlier, records = layer_rows(layer), layer_rows(previous), row_records(arrays)
        _mix_rows(first, end, here, earlier, before, values, records, arrays.move_start, move_chance)

    return kernel


@compiled
def _mix_rows(first, end, rows, earlier, before, values, records, move_start, move_chance):
    moves = np.empty((5, len(records.effects.gain)), dtype=np.int64)
    longest = 0
    for row in range(first, end):
        longest = max(longest, rows.start[row + 1] - rows.start[row])
    total = np.empty(longest)
    for row in range(first, end):
        size = rows.start[row + 1] - rows.start[row]
        moved, mover = rows.first_moved + row // rows.n_mover, rows.first_mover + row % rows.n_mover
        n_moves = find_rows(records, earlier, mover, moved, moves)
        lead = 1 - rows.low[row] - size
        total[:size] = 0.0
        for n in range(n_moves):
            chance = move_chance[move_start[mover] + n]
            if chance > 0.0:
                at = lead + moves[3, n]
                below = min(max(0, -at), size)
                inside = min(max(below, moves[2, n] - at), size)
                source = moves[1, n] + at
                for i in range(below, inside):
                    total[i] += chance * before[source + i]
                for i in range(inside, size):
                    total[i] += chance
        for i in range(size):
            values[rows.start[row] + size - 1 - i] = 1 - total[i]
