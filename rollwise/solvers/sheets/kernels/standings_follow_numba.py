"""The compiled kernel of `standings_follow`: a vector of neighbouring standings at a time.

A turn is solved backwards as in `rows_numba`. Then the mass of each standing is followed forwards: a hand with mass takes, lane
by lane, the first listed action that ties with the best; all lanes with the same action at once. Arrays are taken out of records
before loops, as one that is read from a record is counted as used every time, which took two thirds of the time.
"""

from typing import Any, NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled, inner
from rollwise.solvers.sheets.arrays import Floats, Ints
from rollwise.solvers.sheets.kernels.records import rolls_of
from rollwise.solvers.sheets.kernels.rows_numba import find_rows, gain_lanes, layer_rows, row_records, slope_lanes
from rollwise.solvers.sheets.kernels.simd import (
    WIDTH,
    above,
    add,
    at,
    at_least,
    bits_of,
    choose,
    copy_row,
    lane_of,
    larger,
    load,
    same,
    set_row,
    spread,
    store,
    times,
    truths,
)
from rollwise.solvers.sheets.kernels.turn_numba import best_rows, expect_rows, fill_options, list_options, serve_rows
from rollwise.solvers.sheets.standings import StandingAxis, Windows

__all__ = ["numba_push_standings"]


class _Room(NamedTuple):
    """Room to work, all with vectors as rows: a turn's table and, by rerolls left, what keeps and hands are worth in it; mass as
    it is rolled, by keep and hand, and as it is moved, by keep and then by effect.
    """

    gained: Floats
    table: Floats
    fill: Floats
    expected: Floats
    best: Floats
    rolled: Floats
    moved: Floats
    moves: Ints


def numba_push_standings(
    axis: StandingAxis, windows: Windows, tie: float, first: int, end: int, mass: Floats, out: Floats, effect_mass: Floats
) -> None:
    """Play one turn from rows of standings, with compiled code; releases the interpreter lock."""
    sheet, net = axis.sheet, axis.sheet.lattice
    columns, effects = sheet.hand_effect.shape[1], len(sheet.effect_gain)
    keeps, hands = net.first_hand, net.n_hands
    rolls = sheet.rerolls + 1
    sizes = (effects, keeps + columns, columns, rolls * keeps, rolls * hands, keeps + hands, keeps + effects)
    room = _Room(*(np.zeros((size, WIDTH)) for size in sizes), np.zeros((5, effects), dtype=np.int64))
    alike = axis.whole.edges is not None and axis.ending.most == 0.0
    _push_rows(
        first, end, layer_rows(axis.whole), axis.chance, row_records(axis), rolls_of(sheet), windows, mass, out, effect_mass,
        room, net.share, tie, alike,
    )  # fmt: skip


@compiled
def _push_rows(first, end, rows, values, records, rolls, windows, mass, out, effect_mass, room, share, tie, alike):
    hands, n_keeps = records.hands, records.steps.first_hand
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
            _move_part(low, min(inside, high), zero, rows, windows, carry, n_moves, n_keeps, room, mass, out, effect_mass)
            low = min(inside, high)
        last = min(max(outside, low), high) if alike else high
        for place in range(low, last, WIDTH):
            weight = 0.0
            for i in range(WIDTH):
                lanes[i] = mass[place + i] if place + i < last else 0.0
                weight += lanes[i]
            if weight > 0.0:
                _play(place + zero, lanes, rows, values, records, rolls, option_start, option, n_moves, room, share, tie)
                _move_lanes(place, zero, rows, windows, carry, n_moves, n_keeps, room, out, effect_mass)
        if last < high:
            lanes[:] = 1.0
            _play(outside + zero, lanes, rows, values, records, rolls, option_start, option, n_moves, room, share, tie)
            _move_part(last, high, zero, rows, windows, carry, n_moves, n_keeps, room, mass, out, effect_mass)


@compiled
def _move_lanes(place, zero, rows, windows, carry, n_moves, n_keeps, room, out, effect_mass):
    """Pass on what each effect moves from a vector of standings."""
    moves, moved, start, low, row_low = room.moves, room.moved, windows.start, windows.low, rows.low
    for n in range(n_moves):
        effect, row = moves[0, n], moves[4, n]
        to, end = start[row] + place + zero + moves[3, n] + row_low[row] - low[row], n_keeps + effect
        whole = 0.0
        for i in range(WIDTH):
            if moved[end, i] > 0.0:
                out[to + i] += moved[end, i]
                whole += moved[end, i]
                moved[end, i] = 0.0
        effect_mass[effect, carry] += whole


@compiled
def _move_part(low, high, zero, rows, windows, carry, n_moves, n_keeps, room, mass, out, effect_mass):
    """Pass on the mass of standings that all end the turn with the same chances."""
    moves, moved, start, first, row_low = room.moves, room.moved, windows.start, windows.low, rows.low
    weight = 0.0
    for place in range(low, high):
        weight += mass[place]
    for n in range(n_moves):
        effect, row = moves[0, n], moves[4, n]
        chance = moved[n_keeps + effect, 0]
        if chance > 0.0:
            to = start[row] + zero + moves[3, n] + row_low[row] - first[row]
            for place in range(low, high):
                if mass[place] > 0.0:
                    out[to + place] += chance * mass[place]
            effect_mass[effect, carry] += chance * weight
        for i in range(WIDTH):
            moved[n_keeps + effect, i] = 0.0


@compiled
def _play(lowest, lanes, rows, values, records, rolls, option_start, option, n_moves, room, share, tie):
    """Play a turn from neighbouring standings, `lowest` and on, with mass in `lanes`: write what each effect moves."""
    steps = records.steps
    gained, table, fill, expected, best, rolled, moved, moves = room
    n_hands, n_columns, n_keeps = rolls.n_hands, len(option_start) - 1, steps.first_hand
    keeps, keep_start, first = rolls.keeps, rolls.keep_start, rolls.first
    gain_lanes(lowest, values, moves, n_moves, gained)
    if len(rows.edges[0]) > 0:
        slope_lanes(lowest, rows, moves, n_moves, gained)
    fill_options(option_start, option, gained, table, n_keeps)
    for column in range(n_columns):
        copy_row(fill, column, table, n_keeps + column)
    serve_rows(steps, 0, table)
    for left in range(1, steps.rerolls + 1):
        expect_rows(steps.more, table, share)
        serve_rows(steps, left, table)
        for keep in range(n_keeps):
            copy_row(expected, left * n_keeps + keep, table, keep)
        best_rows(steps, table)
        for hand in range(n_hands):
            copy_row(best, left * n_hands + hand, table, n_keeps + hand)
    for hand in range(n_hands):
        for i in range(WIDTH):
            rolled[n_keeps + hand, i] = rolls.chance[hand] * lanes[i]
    for left in range(steps.rerolls, -1, -1):
        if left < steps.rerolls:
            for keep in range(n_keeps):
                copy_row(rolled, keep, moved, keep)
                set_row(moved, keep, 0.0)
            for hand in range(n_hands):
                set_row(rolled, n_keeps + hand, 0.0)
            _complete_rows(rolls.more, rolled, share)
        for hand in range(n_hands):
            column = first[hand] if left == steps.rerolls else hand
            mass: Any = load(rolled, n_keeps + hand)
            waiting = truths(above(mass, spread(mass, 0.0)))
            if waiting == 0:
                continue
            most: Any = load(best, left * n_hands + hand) if left else load(fill, column)
            least = add(most, times(larger(most, times(most, spread(most, -1.0))), spread(most, -tie)))
            chosen = bits_of(most)
            if left:
                for place in range(keep_start[hand + 1] - 1, keep_start[hand] - 1, -1):
                    keep = at(keeps, place)
                    chosen = choose(at_least(load(expected, left * n_keeps + keep), least), spread(chosen, keep), chosen)
            if truths(at_least(load(fill, column), least)) & waiting:
                for place in range(option_start[column + 1] - 1, option_start[column] - 1, -1):
                    effect = at(option, place)
                    chosen = choose(at_least(load(gained, effect), least), spread(chosen, n_keeps + effect), chosen)
            lane = 0
            while waiting:
                while not waiting >> lane & 1:
                    lane += 1
                action = lane_of(chosen, lane)
                alike = same(chosen, spread(chosen, action))
                store(moved, action, add(load(moved, action), choose(alike, mass, spread(mass, 0.0))))
                waiting &= ~truths(alike)


@inner
def _complete_rows(more, mass, share):
    """Roll the dice that are not kept, one at a time: pass the mass of every keep on to one more die."""
    faces, loaded = more.shape[1], len(share) > 1
    for keep in range(len(more)):
        whole: Any = load(mass, keep)
        part = times(whole, spread(whole, share[0]))
        for face in range(faces):
            if loaded:
                part = times(whole, spread(whole, share[face]))
            to = at(more, keep * faces + face)
            store(mass, to, add(load(mass, to), part))
