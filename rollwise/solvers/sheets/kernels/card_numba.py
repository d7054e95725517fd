"""Follow a strategy card through a score sheet, in compiled code: many turn starts at a time, the lanes.

A card is a `Script`: for each number of rolls left and hand, a list of entries, tried in order. An entry is taken where the bits
of a sheet (which boxes are open, which conditions of the card hold) are as it wants them. Turn starts with the same open boxes
and the same bits share a lane, as the card does the same there. A turn goes through the lanes hand by hand: the mass of a hand is
moved into the row of what is done with it, dice that are kept or the effect of a box.
"""

from typing import Any, NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled, inner
from rollwise.solvers.sheets.arrays import Ints, SheetArrays
from rollwise.solvers.sheets.kernels.turn_numba import chance_of

__all__ = ["LANES", "Script", "add_turns", "find_lanes", "follow_lanes", "play_turns", "still_effects"]

LANES = 64
"""Lanes that are followed together: what they take stays in the cache."""


class Script(NamedTuple):
    """A card as arrays; the bits of a sheet are in one or more words.

    Entries of a slot (rolls left, hand) lie from `start[slot]` on. An entry is taken where the bits of the sheet are
    `wants[entry]` as far as it `cares`. `act` is a box, or after the boxes a keep; `sink` the row that it leads to: a keep, after
    these the effect of a box, and below 0 (-1 less the box) where the joker rule decides. `line` is the line of the card, -1
    where none fits.

    The bits of a sheet are `open_bits[:, open boxes]`, and of `gate_bits[:, open boxes]` those that are among
    `group_bits[:, group]`, with the group `group[row[open boxes], carry]`.
    """

    start: Ints
    cares: Ints
    wants: Ints
    act: Ints
    sink: Ints
    line: Ints
    open_bits: Ints
    gate_bits: Ints
    row: Ints
    group: Any
    group_bits: Ints
    n_boxes: int


def still_effects(arrays: SheetArrays) -> Any:
    """Say of each effect whether it pays the same whatever the carry is, and leaves that alone."""
    stays = (arrays.effect_target == np.arange(arrays.n_carries)).all(axis=1)
    return stays & (arrays.effect_gain == arrays.effect_gain[:, :1]).all(axis=1)


# Lanes.


@compiled
def find_lanes(opened, carry, script, lane_of, lane_open, lane_bits):
    """Give every turn start its lane; those with the same open boxes stand together. Gives the number of lanes."""
    words, lanes, first = len(script.open_bits), 0, 0
    for state in range(len(opened)):
        mask = opened[state]
        if state == 0 or mask != opened[state - 1]:
            first = lanes
        group = script.group[script.row[mask], carry[state]]
        for word in range(words):
            gate = script.gate_bits[word, mask]
            lane_bits[word, lanes] = script.open_bits[word, mask] | (gate & script.group_bits[word, group])
        lane = first
        while lane < lanes and not _same_bits(lane_bits, lane, lanes):
            lane += 1
        lane_of[state] = lane
        lane_open[lane] = mask
        lanes = max(lanes, lane + 1)
    return lanes


@inner
def _same_bits(lane_bits, one, other):
    different = False
    for word in range(len(lane_bits)):
        different |= lane_bits[word, one] != lane_bits[word, other]
    return not different


@compiled
def follow_lanes(lane_open, lane_bits, script, hands, rolls, out):
    """Write for every lane the chance of each effect."""
    n_keeps = rolls.first_hand + rolls.n_hands
    mass = np.empty((rolls.n_hands, LANES))
    sink = np.empty((n_keeps + out.shape[1], LANES))
    taken = np.empty(LANES, dtype=np.int64)
    bits = np.zeros((len(lane_bits), LANES), dtype=np.int64)
    opened = np.zeros(LANES, dtype=np.int64)
    for begin in range(0, len(lane_open), LANES):
        lanes = min(LANES, len(lane_open) - begin)
        opened[:lanes] = lane_open[begin : begin + lanes]
        opened[lanes:] = opened[0]
        for word in range(len(bits)):
            bits[word, :lanes] = lane_bits[word, begin : begin + lanes]
            bits[word, lanes:] = bits[word, 0]
        _follow(opened, bits, script, hands, rolls, mass, sink, taken)
        for lane in range(lanes):
            for effect in range(out.shape[1]):
                out[begin + lane, effect] = sink[n_keeps + effect, lane]


@inner
def _follow(opened, bits, script, hands, rolls, mass, sink, taken):
    """Follow one turn in every lane: the rows of `sink` after the keeps are the chances of effects."""
    n_keeps = rolls.first_hand + rolls.n_hands
    sink[:] = 0.0
    for hand in range(rolls.n_hands):
        mass[hand] = rolls.chance[hand]
    for left in range(rolls.rerolls, -1, -1):
        for hand in range(rolls.n_hands):
            slot = left * rolls.n_hands + hand
            if hands.special[hand] < 0:
                _take(script.start[slot], script.start[slot + 1], bits, script, taken)
                for lane in range(LANES):
                    sink[script.sink[taken[lane]], lane] += mass[hand, lane]
            else:
                for lane in range(LANES):
                    row, _ = find_sink(slot, hand, opened[lane], bits, lane, script, hands, n_keeps)
                    sink[row, lane] += mass[hand, lane]
        if left:
            _complete(rolls.more, rolls.share, sink)
            mass[:] = sink[rolls.first_hand : n_keeps]
            sink[:n_keeps] = 0.0


@inner
def _take(first, end, bits, script, taken):
    """Write the entry that is taken in each lane."""
    taken[:] = -1
    for entry in range(first, end):
        waiting = 0
        if len(bits) == 1:
            cares, wants = script.cares[entry, 0], script.wants[entry, 0]
            for lane in range(LANES):
                fits = (taken[lane] < 0) & (bits[0, lane] & cares == wants)
                taken[lane] = entry if fits else taken[lane]
                waiting |= taken[lane]
        else:
            for lane in range(LANES):
                if taken[lane] < 0 and is_taken(entry, bits, lane, script):
                    taken[lane] = entry
                waiting |= taken[lane]
        if waiting >= 0:
            return


@inner
def is_taken(entry, bits, lane, script):
    """Say whether an entry wants the bits of a lane."""
    different = False
    for word in range(script.cares.shape[1]):
        different |= bits[word, lane] & script.cares[entry, word] != script.wants[entry, word]
    return not different


@inner
def find_sink(slot, hand, opened, bits, lane, script, hands, n_keeps):
    """Give the row that a hand leads to in a lane, and the entry that is taken, by the joker rule too."""
    for entry in range(script.start[slot], script.start[slot + 1]):
        if is_taken(entry, bits, lane, script):
            row = script.sink[entry]
            if row >= 0:
                return row, entry
            special = hands.special[hand]
            effect = hands.special_effect[special, hands.special_variant[opened, special], -1 - row]
            if effect >= 0:
                return n_keeps + effect, entry
    return -1, -1


@inner
def _complete(more, share, sink):
    """Roll the dice that are not kept, one at a time: pass the mass of every keep on to one more die."""
    for keep in range(len(more)):
        for face in range(more.shape[1]):
            chance = chance_of(share, face)
            for lane in range(LANES):
                sink[more[keep, face], lane] += sink[keep, lane] * chance


# What turns are worth.


@compiled
def add_turns(opened, carry, lane_of, chance, effects, still, hands, after, worth):
    """Write `worth[open boxes, carry]`, the points to come from some turn starts, from the chances of their lanes.

    Turn starts with the same open boxes stand together. `after` are the points to come from what follows: `worth` itself, where
    it is done. `still` effects pay the same and leave the carry alone.
    """
    own = np.empty(worth.shape[1], dtype=np.int64)
    first = 0
    while first < len(opened):
        end = first
        while end < len(opened) and opened[end] == opened[first]:
            end += 1
        for lane in range(lane_of[first:end].min(), lane_of[first:end].max() + 1):
            n_own = 0
            for state in range(first, end):
                if lane_of[state] == lane:
                    own[n_own] = carry[state]
                    n_own += 1
            _add_up(opened[first], own[:n_own], chance[lane], effects, still, hands, after, worth[opened[first]])
        first = end


@inner
def _add_up(opened, own, chance, effects, still, hands, after, row):
    """Write what carries are worth whose turn ends with these chances."""
    for carry in own:
        row[carry] = 0.0
    for box in range(len(effects.start) - 1):
        if opened & hands.field[box]:
            left, gained, stay = after[opened - hands.unit[box]], 0.0, 0.0
            for effect in range(effects.start[box], effects.start[box + 1]):
                p = chance[effect]
                if p > 0.0 and still[effect]:
                    gained += p * effects.gain[effect, 0]
                    stay += p
                elif p > 0.0:
                    for carry in own:
                        row[carry] += p * (effects.gain[effect, carry] + left[effects.target[effect, carry]])
            if stay > 0.0:
                for carry in own:
                    row[carry] += gained + stay * left[carry]


# Games.


@compiled
def play_turns(faces, opened, carry, total, script, effects, hands, rolls):
    """Play one turn in every game by the card, with the dice given; `faces[game, roll, die]`."""
    n_keeps = rolls.first_hand + rolls.n_hands
    bits = np.empty((len(script.open_bits), 1), dtype=np.int64)
    for game in range(len(opened)):
        mask = opened[game]
        group = script.group[script.row[mask], carry[game]]
        for word in range(len(bits)):
            bits[word, 0] = script.open_bits[word, mask] | (script.gate_bits[word, mask] & script.group_bits[word, group])
        row = 0
        for left in range(rolls.rerolls, -1, -1):
            die = 0
            while row < rolls.first_hand:
                row = rolls.more[row, faces[game, rolls.rerolls - left, die]]
                die += 1
            hand = row - rolls.first_hand
            row, entry = find_sink(left * rolls.n_hands + hand, hand, mask, bits, 0, script, hands, n_keeps)
            if row >= n_keeps:
                effect = row - n_keeps
                total[game] += effects.gain[effect, carry[game]]
                opened[game] -= hands.unit[script.act[entry]]
                carry[game] = effects.target[effect, carry[game]]
                break
