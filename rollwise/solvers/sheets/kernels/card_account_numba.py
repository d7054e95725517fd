"""What a strategy card loses on a score sheet, in compiled code: how often each turn start occurs, what each decision loses, and
what doing as a verb says would gain.

The turn of a lane (see `card_numba`) is followed once; what is best depends on the carry, so the carries of the lane are the
vector axis of the turn's values.
"""

from typing import Any, NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled, inner
from rollwise.solvers.sheets.arrays import Floats, Ints
from rollwise.solvers.sheets.kernels.card_numba import find_sink
from rollwise.solvers.sheets.kernels.simd import WIDTH
from rollwise.solvers.sheets.kernels.starts_numba import gain_lanes
from rollwise.solvers.sheets.kernels.turn_numba import best_rows, chance_of, expect_rows, fill_hands, serve_rows

__all__ = ["Costly", "Followed", "account_lanes", "pass_on", "weigh_verbs"]


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


class Plan(NamedTuple):
    """A turn by a card: for each slot how likely it is, the row that it leads to, and the entry that says so; room for a roll."""

    mass: Floats
    row: Ints
    entry: Ints
    rolled: Floats


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
def account_lanes(lanes, value, script, effects, still, hands, rolls, steps, line_loss, line_times, costly):
    """Add up what each line loses, and how often it decides; note the costliest positions. `value` is that of perfect play.

    What lines lose is added up in as many columns as carries are computed together.
    """
    n_slots, n_keeps = (rolls.rerolls + 1) * rolls.n_hands, rolls.first_hand + rolls.n_hands
    plan = Plan(np.empty(n_slots), np.empty(n_slots, dtype=np.int64), np.empty(n_slots, dtype=np.int64), np.empty(n_keeps))
    choices = np.empty(hands.effect.shape[1], dtype=np.int64)
    gained = np.empty((len(effects.gain), WIDTH))
    table = np.empty((steps.first_hand + hands.effect.shape[1], WIDTH))
    kept = np.empty((steps.first_hand, WIDTH))
    boxes = np.empty(len(hands.effect), dtype=np.int64)
    lane_open, lane_carry, visits = np.empty(WIDTH, dtype=np.int64), np.empty(WIDTH, dtype=np.int64), np.empty(WIDTH)
    for lane in range(len(lanes.opened)):
        _follow(lane, lanes.opened[lane], lanes.bits, script, hands, rolls, plan)
        _count_choices(lanes.opened[lane], hands, choices)
        lane_open[:] = lanes.opened[lane]
        for first in range(lanes.start[lane], lanes.start[lane + 1], WIDTH):
            own = min(WIDTH, lanes.start[lane + 1] - first)
            lane_carry[:] = lanes.carry[first]
            lane_carry[:own] = lanes.carry[first : first + own]
            visits[:own], visits[own:] = lanes.visits[first : first + own], 0.0
            often = visits.sum()
            n_open = gain_lanes(value, lane_open, lane_carry, effects, still, hands, gained, boxes)
            fill_hands(boxes[:n_open], lane_open, effects.of_hand, hands, gained, table, steps.first_hand)
            serve_rows(steps, 0, table)
            for left in range(rolls.rerolls + 1):
                if left:
                    expect_rows(steps.more, table, steps.share)
                    kept[:] = table[: steps.first_hand]
                    serve_rows(steps, left, table)
                    best_rows(steps, table)
                for hand in range(rolls.n_hands):
                    slot = left * rolls.n_hands + hand
                    if plan.mass[slot] > 0.0 and (left or choices[hand] > 1):
                        row = plan.row[slot]
                        got = gained[row - n_keeps] if row >= n_keeps else kept[row]
                        line, place = script.line[plan.entry[slot]], (lane_open[0], lane_carry, slot, plan.entry[slot])
                        line_times[line] += plan.mass[slot] * often
                        best = table[steps.first_hand + hand]
                        _charge(line, plan.mass[slot], place, visits, best, got, line_loss, costly)


@inner
def _follow(lane, opened, bits, script, hands, rolls, plan):
    """Follow a lane's turn: for each slot how likely it is, the row that it leads to, and the entry that says so."""
    mass, row, entry, rolled = plan
    n_keeps = rolls.first_hand + rolls.n_hands
    mass[rolls.rerolls * rolls.n_hands :] = rolls.chance
    for left in range(rolls.rerolls, -1, -1):
        rolled[:] = 0.0
        for hand in range(rolls.n_hands):
            slot = left * rolls.n_hands + hand
            row[slot], entry[slot] = find_sink(slot, hand, opened, bits, lane, script, hands, n_keeps)
            if row[slot] < n_keeps:
                rolled[row[slot]] += mass[slot]
        if left:
            for keep in range(rolls.first_hand):
                for face in range(rolls.more.shape[1]):
                    rolled[rolls.more[keep, face]] += rolled[keep] * chance_of(rolls.share, face)
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
def _charge(line, mass, place, visits, best, got, line_loss, costly):
    """Charge a line for what a position loses, carry by carry; the last line is where none fits."""
    notable = False
    for i in range(WIDTH):
        cost = mass * visits[i] * max(best[i] - got[i], 0.0)
        line_loss[line, i] += cost
        notable |= cost > costly.cost[0]
    if notable:
        opened, own, slot, entry = place
        for i in range(WIDTH):
            cost = mass * visits[i] * max(best[i] - got[i], 0.0)
            if cost > costly.cost[0]:
                _note(cost, mass * visits[i], (opened, own[i], slot, entry), costly)


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


@compiled
def weigh_verbs(opened, carry, weights, lane_of, bits, value, script, verbs, effects, hands, rolls, gains, lines):
    """Write what doing as each verb says, once, would gain in each slot of some turn starts, times how often that occurs.

    `value` is that of the card's own play, `weights` how often the turn starts occur; `verbs` is a script without conditions, the
    slots of the first verb first. `lines` gets the line that is played; where none fits, the highest number there is.
    """
    n_hands, n_keeps = rolls.n_hands, rolls.first_hand + rolls.n_hands
    n_slots = (rolls.rerolls + 1) * n_hands
    plan = Plan(np.empty(n_slots), np.empty(n_slots, dtype=np.int64), np.empty(n_slots, dtype=np.int64), np.empty(n_keeps))
    worth = np.empty((rolls.rerolls + 1, n_keeps + len(effects.gain)))
    for state in range(len(opened)):
        mask, lane = opened[state], lane_of[state]
        _follow(lane, mask, bits, script, hands, rolls, plan)
        for box in range(len(effects.start) - 1):
            if mask & hands.field[box]:
                after = value[mask - hands.unit[box]]
                for effect in range(effects.start[box], effects.start[box + 1]):
                    target = effects.target[effect, carry[state]]
                    worth[:, n_keeps + effect] = effects.gain[effect, carry[state]] + after[target]
        for left in range(1, rolls.rerolls + 1):
            _expect(rolls, plan.row[(left - 1) * n_hands : left * n_hands], worth[left - 1], worth[left])
        for slot in range(n_slots):
            line = script.line[plan.entry[slot]]
            lines[state, slot] = line if line >= 0 else 32767
        for verb in range(gains.shape[1]):
            _weigh(verb * n_slots, mask, lane, bits, weights[state], verbs, hands, rolls, plan, worth, gains[state, verb])


@inner
def _weigh(first, opened, lane, bits, weight, verbs, hands, rolls, plan, worth, gains):
    """Write what the verb whose slots begin at `first` would gain, slot by slot, in the turn of a lane."""
    start, cares, wants, sink, special = verbs.start, verbs.cares, verbs.wants, verbs.sink, hands.special
    n_hands, n_keeps, boxes = rolls.n_hands, rolls.first_hand + rolls.n_hands, bits[0, lane]
    for slot in range(len(gains)):
        at, row, gains[slot] = first + slot, -1, 0.0
        if plan.mass[slot] > 0.0 and start[at] < start[at + 1]:
            if special[slot % n_hands] < 0:
                # As `find_sink` does, in place: calls would take most of the time.
                for entry in range(start[at], start[at + 1]):
                    if boxes & cares[entry, 0] == wants[entry, 0]:
                        row = sink[entry]
                        break
            else:
                row, _ = find_sink(at, slot % n_hands, opened, bits, lane, verbs, hands, n_keeps)
            if row >= 0:
                of = worth[slot // n_hands]
                gains[slot] = weight * plan.mass[slot] * (of[row] - of[plan.row[slot]])


@inner
def _expect(rolls, row, before, worth):
    """Write what every keep may expect, if the hands lead to these rows with one roll less."""
    for hand in range(rolls.n_hands):
        worth[rolls.first_hand + hand] = before[row[hand]]
    for keep in range(rolls.first_hand - 1, -1, -1):
        total = 0.0
        if len(rolls.share) == 1:
            for face in range(rolls.more.shape[1]):
                total += worth[rolls.more[keep, face]]
            worth[keep] = total / rolls.more.shape[1]
        else:
            for face in range(rolls.more.shape[1]):
                total += worth[rolls.more[keep, face]] * rolls.share[face]
            worth[keep] = total
