"""What a strategy card loses on a score sheet, in compiled code: how often each turn start occurs, and what each decision loses.

The turn of a lane (see `card_numba`) is followed once; what is best depends on the carry, so the carries of the lane are the
vector axis of the turn's values.
"""

from typing import Any, NamedTuple

import numpy as np

from rollwise.forms.base.compiling import compiled, inner
from rollwise.forms.sheets.arrays import Floats, Ints
from rollwise.forms.sheets.kernels.card_numba import find_sink

__all__ = ["Costly", "Followed", "account_lanes", "pass_on"]

ABREAST = 16
"""Carries that are worked out together."""


class Followed(NamedTuple):
    """Lanes, and the carries of each with how often a game comes there, from `start[lane]` on."""

    opened: Ints
    bits: Ints
    start: Ints
    carry: Ints
    visits: Floats


class Costly(NamedTuple):
    """The costliest positions so far, the cheapest of them first to go: open boxes, carry, slot and entry of each."""

    cost: Floats
    times: Floats
    where: Any


@compiled
def pass_on(opened, carry, lane_of, chance, effects, hands, visits):
    """Pass on how often turn starts occur to those that follow."""
    for state in range(len(opened)):
        mask, times = opened[state], visits[opened[state], carry[state]]
        if times > 0.0:
            for box in range(len(effects.start) - 1):
                if mask & hands.field[box]:
                    after = visits[mask - hands.unit[box]]
                    for effect in range(effects.start[box], effects.start[box + 1]):
                        after[effects.target[effect, carry[state]]] += times * chance[lane_of[state], effect]


@compiled
def account_lanes(lanes, value, script, effects, hands, rolls, lattice, line_loss, line_times, costly):
    """Add up what each line loses, and how often it decides; note the costliest positions. `value` is that of perfect play."""
    n_slots, n_keeps = (rolls.rerolls + 1) * rolls.n_hands, rolls.first_hand + rolls.n_hands
    mass, row, entry = np.empty(n_slots), np.empty(n_slots, dtype=np.int64), np.empty(n_slots, dtype=np.int64)
    choice = np.empty(hands.effect.shape[1], dtype=np.int64)
    rolled = np.empty(n_keeps)
    worth, fill = np.empty((len(effects.gain), ABREAST)), np.empty((hands.effect.shape[1], ABREAST))
    table, expected = np.empty((n_keeps, ABREAST)), np.empty((rolls.first_hand, ABREAST))
    for lane in range(len(lanes.opened)):
        opened = lanes.opened[lane]
        _follow(lane, lanes, script, hands, rolls, mass, row, entry, rolled)
        _count_choices(opened, hands, choice)
        for first in range(lanes.start[lane], lanes.start[lane + 1], ABREAST):
            own = lanes.carry[first : min(first + ABREAST, lanes.start[lane + 1])]
            visits = lanes.visits[first : first + len(own)]
            _write_worth(opened, own, value, effects, hands, worth)
            _write_fill(opened, hands, worth, fill)
            for left in range(rolls.rerolls + 1):
                for hand in range(rolls.n_hands):
                    table[rolls.first_hand + hand] = fill[rolls.first[hand] if left == rolls.rerolls else hand]
                if left:
                    _choose(lattice, expected, table)
                for hand in range(rolls.n_hands):
                    slot = left * rolls.n_hands + hand
                    if mass[slot] > 0.0 and (left or choice[rolls.first[hand] if rolls.rerolls == 0 else hand] > 1):
                        got = worth[row[slot] - n_keeps] if row[slot] >= n_keeps else expected[row[slot]]
                        _charge(
                            slot, script.line[entry[slot]], mass[slot], opened, own, visits, table[rolls.first_hand + hand], got,
                            entry[slot], line_loss, line_times, costly,
                        )  # fmt: skip
                _expect(rolls.more, table, expected)


@inner
def _follow(lane, lanes, script, hands, rolls, mass, row, entry, rolled):
    """Follow the turn of a lane: for each slot how likely it is, the row that it leads to, and the entry that says so."""
    n_keeps = rolls.first_hand + rolls.n_hands
    mass[rolls.rerolls * rolls.n_hands :] = rolls.chance
    for left in range(rolls.rerolls, -1, -1):
        rolled[:] = 0.0
        for hand in range(rolls.n_hands):
            slot = left * rolls.n_hands + hand
            row[slot], entry[slot] = find_sink(slot, hand, lanes.opened[lane], lanes.bits, lane, script, hands, n_keeps)
            if row[slot] < n_keeps:
                rolled[row[slot]] += mass[slot]
        if left:
            for keep in range(rolls.first_hand):
                for face in range(rolls.more.shape[1]):
                    rolled[rolls.more[keep, face]] += rolled[keep] * (1.0 / rolls.more.shape[1])
            mass[(left - 1) * rolls.n_hands : left * rolls.n_hands] = rolled[rolls.first_hand :]


@inner
def _count_choices(opened, hands, choice):
    """Count the boxes that may be filled with every hand."""
    n_boxes, n_columns = hands.effect.shape
    for column in range(n_columns):
        choice[column] = 0
        special = hands.special[column]
        for box in range(n_boxes):
            if opened & hands.field[box]:
                barred = special >= 0 and hands.special_effect[special, hands.special_variant[opened, special], box] < 0
                choice[column] += not barred
                if hands.in_order:
                    break


@inner
def _write_worth(opened, own, value, effects, hands, worth):
    """Write what every effect is worth by carry, its gain included; minus infinity where its box may not be filled."""
    worth[:] = -np.inf
    for box in range(len(effects.start) - 1):
        if opened & hands.field[box]:
            after = value[opened - hands.unit[box]]
            for effect in range(effects.start[box], effects.start[box + 1]):
                for i in range(len(own)):
                    worth[effect, i] = effects.gain[effect, own[i]] + after[effects.target[effect, own[i]]]
            if hands.in_order:
                break


@inner
def _write_fill(opened, hands, worth, fill):
    """Write the best that every hand is worth when a box is filled."""
    n_boxes, n_columns = hands.effect.shape
    fill[:] = -np.inf
    for column in range(n_columns):
        special = hands.special[column]
        for box in range(n_boxes):
            if opened & hands.field[box]:
                effect = hands.effect[box, column]
                if special >= 0:
                    effect = hands.special_effect[special, hands.special_variant[opened, special], box]
                if effect >= 0:
                    for i in range(ABREAST):
                        fill[column, i] = max(fill[column, i], worth[effect, i])


@inner
def _expect(more, table, expected):
    """Write what dice that are kept are worth with one roll more, from what hands are."""
    for keep in range(len(more) - 1, -1, -1):
        for i in range(ABREAST):
            table[keep, i] = 0.0
        for face in range(more.shape[1]):
            for i in range(ABREAST):
                table[keep, i] += table[more[keep, face], i] * (1.0 / more.shape[1])
    expected[:] = table[: len(expected)]


@inner
def _choose(lattice, expected, table):
    """Write the best of filling a box and of all dice that may be kept, for every hand."""
    start, fewer = lattice
    table[: len(expected)] = expected
    for keep in range(1, len(table)):
        for place in range(start[keep], start[keep + 1]):
            for i in range(ABREAST):
                table[keep, i] = max(table[keep, i], table[fewer[place], i])


@inner
def _charge(slot, line, mass, opened, own, visits, best, got, entry, line_loss, line_times, costly):
    """Charge a line for what a position loses, carry by carry; the last line is where none fits."""
    for i in range(len(own)):
        times = mass * visits[i]
        cost = times * max(best[i] - got[i], 0.0)
        line_loss[line] += cost
        line_times[line] += times
        if cost > costly.cost[0]:
            _note(cost, times, (opened, own[i], slot, entry), costly)


@inner
def _note(cost, times, where, costly):
    """Put a position where it belongs among the costliest, and drop the cheapest."""
    place = 0
    while place + 1 < len(costly.cost) and costly.cost[place + 1] < cost:
        costly.cost[place], costly.times[place] = costly.cost[place + 1], costly.times[place + 1]
        costly.where[place] = costly.where[place + 1]
        place += 1
    costly.cost[place], costly.times[place] = cost, times
    for part in range(4):
        costly.where[place, part] = where[part]
