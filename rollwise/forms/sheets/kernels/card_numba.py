"""Follow a strategy card through a score sheet, in compiled code: a set of open boxes at a time.

A card is a `Script`: for each number of rolls left and hand, a list of entries, tried in order. An entry is taken where the part
of its line that is about the sheet holds, and the boxes that it needs are open, or filled. What the card does within a turn
depends on the carry only by which of these conditions hold: carries for which the same hold share one turn.
"""

from typing import Any, NamedTuple

import numpy as np

from rollwise.forms.base.compiling import compiled, inner
from rollwise.forms.sheets.arrays import Floats, Ints

__all__ = ["Carries", "Room", "Script", "card_chances", "card_values", "find_entry", "find_group", "make_room", "play_cards"]


class Script(NamedTuple):
    """A card as arrays.

    Entries of a slot (rolls left, hand) lie from `start[slot]` on. `needs` and `shuts` are bits of boxes that must be open and
    filled, `act` is a box, or after the boxes a keep, `line` the line of the card (-1: none fits). `cond` numbers conditions on
    the sheet: `cond_open[cond]` is a column of `open_ok[open boxes]`, `cond_carry[cond]` one of `group_ok[group]`, with the group
    `group[row[open boxes], carry]`. Columns 0 always hold. `bits[open boxes]` are the boxes that are open.
    """

    start: Ints
    cond: Any
    needs: Ints
    shuts: Ints
    act: Any
    line: Any
    cond_open: Ints
    cond_carry: Ints
    open_ok: Any
    row: Ints
    group: Any
    group_ok: Any
    bits: Ints


class Carries(NamedTuple):
    """Which carries can occur, by open boxes: as in `SheetArrays`, with none left out."""

    of_mask: Ints
    start: Ints
    listed: Ints


class Room(NamedTuple):
    """What a turn is followed in: the conditions of the groups met so far, the chances of their effects, and dice."""

    known: Any
    chance: Floats
    place: Ints
    mass: Floats
    rolled: Floats


def make_room(script: Script, n_effects: int, n_keeps: int, n_hands: int) -> Room:
    """Make room for the turns of one set of open boxes."""
    groups = len(script.group_ok)
    return Room(
        np.zeros((groups, len(script.cond_open)), dtype=np.uint8), np.zeros((groups, n_effects)),
        np.zeros(groups, dtype=np.int64), np.zeros(n_hands), np.zeros(n_keeps),
    )  # fmt: skip


@inner
def find_group(opened, group, script, room, n_known):
    """Write which conditions hold for a group, as row `n_known`, and give the first row that is the same."""
    row = room.known[n_known]
    for cond in range(len(row)):
        row[cond] = script.open_ok[opened, script.cond_open[cond]] & script.group_ok[group, script.cond_carry[cond]]
    for other in range(n_known):
        same = True
        for cond in range(len(row)):
            if row[cond] != room.known[other, cond]:
                same = False
                break
        if same:
            return other
    return n_known


@inner
def find_entry(slot, column, opened, holds, script, hands):
    """Give the entry that is taken with a hand, and its effect; -1 for dice that are kept."""
    bits = script.bits[opened]
    for n in range(script.start[slot], script.start[slot + 1]):
        if holds[script.cond[n]] and bits & script.needs[n] == script.needs[n] and bits & script.shuts[n] == 0:
            box = script.act[n]
            if box >= len(hands.field):
                return n, -1
            special = hands.special[column]
            if special < 0:
                return n, hands.effect[box, column]
            effect = hands.special_effect[special, hands.special_variant[opened, special], box]
            if effect >= 0:
                return n, effect
    return -1, -1


@inner
def _follow(opened, holds, script, hands, rolls, room, out):
    """Follow one turn, and write the chance of each effect."""
    mass, rolled = room.mass, room.rolled
    mass[:] = rolls.chance
    out[:] = 0.0
    for left in range(rolls.rerolls, -1, -1):
        rolled[:] = 0.0
        for hand in range(rolls.n_hands):
            if mass[hand] > 0.0:
                column = rolls.first[hand] if left == rolls.rerolls else hand
                n, effect = find_entry(left * rolls.n_hands + hand, column, opened, holds, script, hands)
                if effect >= 0:
                    out[effect] += mass[hand]
                else:
                    rolled[script.act[n] - len(hands.field)] += mass[hand]
        if left:
            complete(rolls.more, rolled)
            mass[:] = rolled[rolls.first_hand :]


@inner
def complete(more, mass):
    """Roll the dice that are not kept, one at a time: pass the mass of every keep on to one more die."""
    for keep in range(len(more)):
        share = mass[keep] * (1.0 / more.shape[1])
        if share > 0.0:
            for face in range(more.shape[1]):
                mass[more[keep, face]] += share


@compiled
def card_values(masks, carries, script, effects, hands, rolls, room, worth):
    """Write `worth[open boxes, carry]`, the points to come, for masks whose successors are done."""
    own = np.empty(worth.shape[1], dtype=np.int64)
    for opened in masks:
        listed = carries.listed[carries.start[carries.of_mask[opened]] : carries.start[carries.of_mask[opened] + 1]]
        group = script.group[script.row[opened]]
        for known in range(_meet(opened, listed, script, hands, rolls, room)):
            n_own = 0
            for carry in listed:
                if room.place[group[carry]] == known:
                    own[n_own] = carry
                    n_own += 1
            _add_up(opened, own[:n_own], room.chance[known], effects, hands, worth)


@inner
def _add_up(opened, own, chance, effects, hands, worth):
    """Write what carries are worth whose turn ends with these chances."""
    row = worth[opened]
    for carry in own:
        row[carry] = 0.0
    for box in range(len(effects.start) - 1):
        if opened & hands.field[box]:
            after = worth[opened - hands.unit[box]]
            for effect in range(effects.start[box], effects.start[box + 1]):
                p = chance[effect]
                if p > 0.0:
                    for carry in own:
                        row[carry] += p * (effects.gain[effect, carry] + after[effects.target[effect, carry]])


@inner
def _meet(opened, listed, script, hands, rolls, room):
    """Follow the turn of each group of carries; give how many differ. `room.place` says which is whose."""
    n_known = 0
    for carry in listed:
        room.place[script.group[script.row[opened], carry]] = -1
    for carry in listed:
        group = script.group[script.row[opened], carry]
        if room.place[group] < 0:
            place = find_group(opened, group, script, room, n_known)
            if place == n_known:
                _follow(opened, room.known[place], script, hands, rolls, room, room.chance[place])
                n_known += 1
            room.place[group] = place
    return n_known


@compiled
def card_chances(opened, carry, script, hands, rolls, room, out):
    """Write, for every outer state and effect, the chance that the turn ends with it; those of one mask stand together."""
    n_known = 0
    for state in range(len(opened)):
        if state == 0 or opened[state] != opened[state - 1]:
            n_known = 0
            room.place[:] = -1
        group = script.group[script.row[opened[state]], carry[state]]
        place = room.place[group]
        if place < 0:
            place = find_group(opened[state], group, script, room, n_known)
            if place == n_known:
                _follow(opened[state], room.known[place], script, hands, rolls, room, room.chance[place])
                n_known += 1
            room.place[group] = place
        out[state] = room.chance[place]


@compiled
def play_cards(faces, opened, carry, total, script, effects, hands, rolls, holds):
    """Play one turn in every game by the card, with the dice given; `faces[roll, die, game]`."""
    for game in range(len(opened)):
        group = script.group[script.row[opened[game]], carry[game]]
        for cond in range(len(holds)):
            holds[cond] = script.open_ok[opened[game], script.cond_open[cond]] & script.group_ok[group, script.cond_carry[cond]]
        kept = 0
        for left in range(rolls.rerolls, -1, -1):
            die = 0
            while kept < rolls.first_hand:
                kept = rolls.more[kept, faces[rolls.rerolls - left, die, game]]
                die += 1
            hand = kept - rolls.first_hand
            column = rolls.first[hand] if left == rolls.rerolls else hand
            n, effect = find_entry(left * rolls.n_hands + hand, column, opened[game], holds, script, hands)
            if effect >= 0:
                total[game] += effects.gain[effect, carry[game]]
                opened[game] -= hands.unit[script.act[n]]
                carry[game] = effects.target[effect, carry[game]]
                break
            kept = script.act[n] - len(hands.field)
