"""The compiled kernel of `standings_follow`: a vector of neighbouring standings at a time.

A turn is solved backwards as in `rows_numba`, now with the choice of every hand: lane by lane, the first listed action that ties
with the best. Then the mass of each standing follows these choices forwards, for all lanes with the same choice at once.
"""

from typing import Any, NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled, inner
from rollwise.solvers.sheets.arrays import Floats, Ints
from rollwise.solvers.sheets.kernels.records import rolls_of
from rollwise.solvers.sheets.kernels.rows_numba import find_rows, gain_lanes, layer_rows, row_records, slope_lanes
from rollwise.solvers.sheets.kernels.simd import (
    WIDTH,
    add,
    at,
    at_least,
    bits_of,
    choose,
    copy_row,
    larger,
    load,
    same,
    spread,
    store,
    times,
    truths,
)
from rollwise.solvers.sheets.kernels.turn_numba import best_rows, expect_rows, fill_options, list_options, serve_rows
from rollwise.solvers.sheets.standings import StandingAxis, Windows

__all__ = ["numba_push_standings"]


class _Room(NamedTuple):
    """Room to work, all with vectors as rows: a turn's table, its keeps before the best are taken, choices by rerolls left,
    mass by hand and by effect.
    """

    gained: Floats
    table: Floats
    expected: Floats
    choice: Floats
    rolled: Floats
    hand_mass: Floats
    moved: Floats
    moves: Ints


def numba_push_standings(
    axis: StandingAxis, windows: Windows, tie: float, first: int, end: int, mass: Floats, out: Floats, effect_mass: Floats
) -> None:
    """Play one turn from rows of standings, with compiled code; releases the interpreter lock."""
    sheet, net = axis.sheet, axis.sheet.lattice
    columns, effects = sheet.hand_effect.shape[1], len(sheet.effect_gain)
    keeps, hands = net.first_hand, net.n_hands
    sizes = (effects, keeps + columns, keeps, (sheet.rerolls + 1) * columns, keeps + hands, hands, effects)
    room = _Room(*(np.zeros((size, WIDTH)) for size in sizes), np.zeros((5, effects), dtype=np.int64))
    alike = axis.whole.edges is not None and axis.ending.most == 0.0
    _push_rows(
        first, end, layer_rows(axis.whole), axis.chance, row_records(axis), rolls_of(sheet), windows, mass, out, effect_mass,
        room, 1.0 / net.faces, tie, alike,
    )  # fmt: skip


@compiled
def _push_rows(first, end, rows, values, records, rolls, windows, mass, out, effect_mass, room, share, tie, alike):
    hands = records.hands
    option_start = np.empty(hands.effect.shape[1] + 1, dtype=np.int64)
    option = np.empty(hands.effect.size, dtype=np.int64)
    lanes = np.empty(WIDTH)
    for row in range(first, end):
        begin = windows.start[row]
        low, high = begin, begin + windows.width[row]
        while low < high and mass[low] == 0.0:
            low += 1
        while low < high and mass[high - 1] == 0.0:
            high -= 1
        if low == high:
            continue
        n_moves = find_rows(records, rows, row, 0, room.moves)
        list_options(records.opened[row], hands, option_start, option)
        zero = windows.low[row] - begin
        carry = records.carry[row]
        # Beyond its row only the mean is left to play for: all standings make the same moves.
        inside = rows.low[row] - zero
        outside = inside + rows.start[row + 1] - rows.start[row]
        if alike and low < inside:
            lanes[:] = 1.0
            _play(inside + zero - WIDTH, lanes, rows, values, records, rolls, option_start, option, n_moves, room, share, tie)
            _move_part(low, min(inside, high), zero, rows, windows, carry, n_moves, room, mass, out, effect_mass)
            low = min(inside, high)
        last = min(max(outside, low), high) if alike else high
        for place in range(low, last, WIDTH):
            weight = 0.0
            for i in range(WIDTH):
                lanes[i] = mass[place + i] if place + i < last else 0.0
                weight += lanes[i]
            if weight > 0.0:
                _play(place + zero, lanes, rows, values, records, rolls, option_start, option, n_moves, room, share, tie)
                _move_lanes(place, last, zero, rows, windows, carry, n_moves, room, out, effect_mass)
        if last < high:
            lanes[:] = 1.0
            _play(outside + zero, lanes, rows, values, records, rolls, option_start, option, n_moves, room, share, tie)
            _move_part(last, high, zero, rows, windows, carry, n_moves, room, mass, out, effect_mass)


@compiled
def _move_lanes(place, last, zero, rows, windows, carry, n_moves, room, out, effect_mass):
    """Pass on what each effect moves from a vector of standings."""
    for n in range(n_moves):
        effect, row = room.moves[0, n], room.moves[4, n]
        to = windows.start[row] + place + zero + room.moves[3, n] + rows.low[row] - windows.low[row]
        whole = 0.0
        for i in range(min(WIDTH, last - place)):
            if room.moved[effect, i] > 0.0:
                out[to + i] += room.moved[effect, i]
                whole += room.moved[effect, i]
            room.moved[effect, i] = 0.0
        for i in range(last - place, WIDTH):
            room.moved[effect, i] = 0.0
        effect_mass[effect, carry] += whole


@compiled
def _move_part(low, high, zero, rows, windows, carry, n_moves, room, mass, out, effect_mass):
    """Pass on the mass of standings that all end the turn with the same chances."""
    weight = 0.0
    for place in range(low, high):
        weight += mass[place]
    for n in range(n_moves):
        effect, row = room.moves[0, n], room.moves[4, n]
        chance = room.moved[effect, 0]
        if chance > 0.0:
            to = windows.start[row] + zero + room.moves[3, n] + rows.low[row] - windows.low[row]
            for place in range(low, high):
                if mass[place] > 0.0:
                    out[to + place] += chance * mass[place]
            effect_mass[effect, carry] += chance * weight
        for i in range(WIDTH):
            room.moved[effect, i] = 0.0


@compiled
def _play(lowest, lanes, rows, values, records, rolls, option_start, option, n_moves, room, share, tie):
    """Play a turn from neighbouring standings, `lowest` and on, with mass in `lanes`: write what each effect moves."""
    steps, table = records.steps, room.table
    n_hands, n_columns, n_effects = rolls.n_hands, len(option_start) - 1, len(room.gained)
    gain_lanes(lowest, values, room.moves, n_moves, room.gained)
    if len(rows.edges[0]) > 0:
        slope_lanes(lowest, rows, room.moves, n_moves, room.gained)
    fill_options(option_start, option, room.gained, table, steps.first_hand)
    for column in range(n_columns):
        begin, end = option_start[column], option_start[column + 1]
        _first_that_ties(
            room.choice, column, table, steps.first_hand + column, room, option, begin, end, rolls, 0, 0, n_effects, tie
        )
    serve_rows(steps, 0, table)
    for left in range(1, steps.rerolls + 1):
        expect_rows(steps.more, table, share)
        serve_rows(steps, left, table)
        for keep in range(steps.first_hand):
            copy_row(room.expected, keep, table, keep)
        best_rows(steps, table)
        for hand in range(n_hands):
            column = rolls.first[hand] if left == steps.rerolls else hand
            _first_that_ties(
                room.choice, left * n_columns + hand, table, steps.first_hand + hand, room, option, option_start[column],
                option_start[column + 1], rolls, rolls.keep_start[hand], rolls.keep_start[hand + 1], n_effects, tie,
            )  # fmt: skip
    for hand in range(n_hands):
        for i in range(WIDTH):
            room.hand_mass[hand, i] = rolls.chance[hand] * lanes[i]
    for left in range(steps.rerolls, -1, -1):
        room.rolled[:] = 0.0
        for hand in range(n_hands):
            column = rolls.first[hand] if left == 0 and steps.rerolls == 0 else hand
            _pass_hand(room, left * n_columns + column, hand, n_effects)
        if left:
            _complete_rows(rolls.more, room.rolled, share)
            for hand in range(n_hands):
                copy_row(room.hand_mass, hand, room.rolled, steps.first_hand + hand)


@inner
def _first_that_ties(choice, i, table, best_at, room, option, begin, end, rolls, keep_begin, keep_end, n_effects, tie):
    """choice[i] = the first listed action that ties with the best, lane by lane.

    That is an effect, or the number of effects plus a keep.
    """
    best: Any = load(table, best_at)
    size = larger(best, times(best, spread(best, -1.0)))
    least = add(best, times(size, spread(best, -tie)))
    found = best
    for place in range(keep_end - 1, keep_begin - 1, -1):
        keep = at(rolls.keeps, place)
        found = choose(at_least(load(room.expected, keep), least), spread(best, float(n_effects + keep)), found)
    for place in range(end - 1, begin - 1, -1):
        effect = at(option, place)
        found = choose(at_least(load(room.gained, effect), least), spread(best, float(effect)), found)
    store(choice, i, found)


@inner
def _pass_hand(room, chosen, hand, n_effects):
    """Pass the mass of a hand on to what is kept of it, or to the effect that ends the turn."""
    row: Any = bits_of(load(room.choice, chosen))
    mass: Any = load(room.hand_mass, hand)
    left, lane = (1 << WIDTH) - 1, 0
    while left:
        while not left >> lane & 1:
            lane += 1
        action = int(room.choice[chosen, lane])
        alike = same(row, bits_of(spread(mass, float(action))))
        part = choose(alike, mass, spread(mass, 0.0))
        if action >= n_effects:
            store(room.rolled, action - n_effects, add(load(room.rolled, action - n_effects), part))
        else:
            store(room.moved, action, add(load(room.moved, action), part))
        left &= ~truths(alike)


@inner
def _complete_rows(more, mass, share):
    """Roll the dice that are not kept, one at a time: pass the mass of every keep on to one more die."""
    faces = more.shape[1]
    for keep in range(len(more)):
        part: Any = load(mass, keep)
        part = times(part, spread(part, share))
        for face in range(faces):
            to = at(more, keep * faces + face)
            store(mass, to, add(load(mass, to), part))
