"""The compiled kernels of a search for cards on a score sheet: what a card does, what it is worth, what else would be worth.

A card comes as *atoms*: for every cell (rolls left and hand) what its lines may mean there, in order; an atom fits where the
boxes in `open` are open and those in `filled` are not, and where its line's condition on the sheet holds. An action is a box, or
the number of boxes plus a keep.
"""

import numpy as np

from rollwise.solvers.base.compiling import compiled, inner
from rollwise.solvers.sheets.kernels.turn_numba import special_effects

__all__ = ["trial_deltas", "trial_turns", "trial_values", "trial_visits"]


@inner
def _meant(atoms, cell, boxes, holds):
    """Give the action and the line of the first atom that fits; -1: none does."""
    for at in range(atoms.start[cell], atoms.start[cell + 1]):
        if atoms.open[at] & boxes == atoms.open[at] and not atoms.filled[at] & boxes and holds[atoms.condition[at]]:
            return atoms.action[at], atoms.line[at]
    return -1, -1


@inner
def _boxes_open(mask, field):
    boxes = 0
    for box in range(len(field)):
        if mask & field[box]:
            boxes |= 1 << box
    return boxes


@inner
def _effect(hands, rolls, box, hand, left, mask):
    column = rolls.first[hand] if left == rolls.rerolls else hand
    special = hands.special[column]
    if special < 0:
        return hands.effect[box, column]
    return special_effects(hands, special, mask)[box]


@inner
def _first_box(hands, rolls, hand, left, mask):
    """The first box that may be filled: what is done where no line fits."""
    for box in range(len(hands.unit)):
        if mask & hands.field[box] and _effect(hands, rolls, box, hand, left, mask) >= 0:
            return box
    return 0


@inner
def _resolve(atoms, holds, mask, hands, rolls, action, line):
    """Say what the card does with every hand, by rolls left, where these conditions hold."""
    boxes = _boxes_open(mask, hands.field)
    cell = 0
    for left in range(rolls.rerolls + 1):
        for hand in range(rolls.n_hands):
            found, by = _meant(atoms, cell, boxes, holds)
            action[left, hand] = found if found >= 0 else _first_box(hands, rolls, hand, left, mask)
            line[left, hand] = by
            cell += 1


@inner
def _follow(action, mask, hands, rolls, mass, rolled, chance):
    """Follow the turn: the chance of every hand by rolls left, and of every effect."""
    n_boxes = len(hands.unit)
    chance[:] = 0.0
    mass[rolls.rerolls, :] = rolls.chance
    for left in range(rolls.rerolls, -1, -1):
        rolled[:] = 0.0
        for hand in range(rolls.n_hands):
            weight = mass[left, hand]
            if weight > 0.0:
                if action[left, hand] >= n_boxes:
                    rolled[action[left, hand] - n_boxes] += weight
                else:
                    chance[_effect(hands, rolls, action[left, hand], hand, left, mask)] += weight
        if left:
            for keep in range(rolls.first_hand):
                if rolled[keep] > 0.0:
                    part = rolled[keep] / rolls.more.shape[1]
                    for face in range(rolls.more.shape[1]):
                        rolled[rolls.more[keep, face]] += part
            mass[left - 1, :] = rolled[rolls.first_hand :]


@inner
def _worth_of(chance, effects, hands, mask, carry, values):
    total = 0.0
    for box in range(len(hands.unit)):
        if mask & hands.field[box]:
            after = mask - hands.unit[box]
            for effect in range(effects.start[box], effects.start[box + 1]):
                if chance[effect] > 0.0:
                    total += chance[effect] * (effects.gain[effect, carry] + values[after, effects.target[effect, carry]])
    return total


@inner
def _ask(by_mask, carried, by_carry, mask, carry, holds):
    """Write which conditions hold."""
    for k in range(len(carried)):
        holds[k] = by_mask[mask, k] and (carried[k] < 0 or by_carry[carried[k], mask, carry])


@inner
def _place(known, n_known, holds):
    """Give the place of a row among those known, or after them."""
    for n in range(n_known):
        same = True
        for k in range(len(holds)):
            same &= known[n, k] == holds[k]
        if same:
            return n
    return n_known


@compiled
def trial_values(masks, carry_start, carry_list, atoms, by_mask, carried, by_carry, effects, hands, rolls, values):
    """Write the card's value of every outer state; masks come fewest boxes first, each with its carries."""
    shape, n_carries = (rolls.rerolls + 1, rolls.n_hands), values.shape[1]
    action, line, mass = np.empty(shape, np.int64), np.empty(shape, np.int64), np.zeros(shape)
    rolled, chances = np.empty(rolls.first_hand + rolls.n_hands), np.empty((n_carries, len(effects.gain)))
    holds, known = np.empty(len(carried), np.uint8), np.empty((n_carries, len(carried)), np.uint8)
    for i in range(len(masks)):
        mask, n_known = masks[i], 0
        for place in range(carry_start[i], carry_start[i + 1]):
            carry = carry_list[place]
            _ask(by_mask, carried, by_carry, mask, carry, holds)
            found = _place(known, n_known, holds)
            if found == n_known:
                n_known += 1
                known[found] = holds
                _resolve(atoms, holds, mask, hands, rolls, action, line)
                _follow(action, mask, hands, rolls, mass, rolled, chances[found])
            values[mask, carry] = _worth_of(chances[found], effects, hands, mask, carry, values)


@inner
def _pass_on(chance, effects, hands, mask, carry, visits):
    """Add to the chances of what may follow a turn."""
    for box in range(len(hands.unit)):
        if mask & hands.field[box]:
            after = mask - hands.unit[box]
            for effect in range(effects.start[box], effects.start[box + 1]):
                if chance[effect] > 0.0:
                    visits[after, effects.target[effect, carry]] += visits[mask, carry] * chance[effect]


@compiled
def trial_visits(masks, carry_start, carry_list, atoms, by_mask, carried, by_carry, effects, hands, rolls, least, visits):
    """Pass the chance of being there on from outer state to outer state, masks most boxes first; less than `least` is let go."""
    shape, n_carries = (rolls.rerolls + 1, rolls.n_hands), visits.shape[1]
    action, line, mass = np.empty(shape, np.int64), np.empty(shape, np.int64), np.zeros(shape)
    rolled, chances = np.empty(rolls.first_hand + rolls.n_hands), np.empty((n_carries, len(effects.gain)))
    holds, known = np.empty(len(carried), np.uint8), np.empty((n_carries, len(carried)), np.uint8)
    for i in range(len(masks) - 1, -1, -1):
        mask, n_known = masks[i], 0
        for place in range(carry_start[i], carry_start[i + 1]):
            carry = carry_list[place]
            if visits[mask, carry] < least:
                continue
            _ask(by_mask, carried, by_carry, mask, carry, holds)
            found = _place(known, n_known, holds)
            if found == n_known:
                n_known += 1
                known[found] = holds
                _resolve(atoms, holds, mask, hands, rolls, action, line)
                _follow(action, mask, hands, rolls, mass, rolled, chances[found])
            _pass_on(chances[found], effects, hands, mask, carry, visits)


@compiled
def trial_turns(masks, carries, atoms, holds, effects, hands, rolls, values, out):
    """Write what one turn by a card is worth in some outer states, with given values of what follows."""
    shape = (rolls.rerolls + 1, rolls.n_hands)
    action, line, mass = np.empty(shape, np.int64), np.empty(shape, np.int64), np.zeros(shape)
    rolled, chance = np.empty(rolls.first_hand + rolls.n_hands), np.empty(len(effects.gain))
    for i in range(len(masks)):
        _resolve(atoms, holds[i], masks[i], hands, rolls, action, line)
        _follow(action, masks[i], hands, rolls, mass, rolled, chance)
        out[i] = _worth_of(chance, effects, hands, masks[i], carries[i], values)


@inner
def _action_value(action, hand, left, mask, carry, effects, hands, rolls, values, expected):
    n_boxes = len(hands.unit)
    if action >= n_boxes:
        return expected[left, action - n_boxes]
    effect = _effect(hands, rolls, action, hand, left, mask)
    return effects.gain[effect, carry] + values[mask - hands.unit[action], effects.target[effect, carry]]


@inner
def _turn_backwards(action, mask, carry, effects, hands, rolls, values, expected, worth):
    """Write what every hand is worth under the card, by rolls left, and what every keep can expect."""
    for left in range(rolls.rerolls + 1):
        if left:
            expected[left, rolls.first_hand :] = worth[left - 1]
            for keep in range(rolls.first_hand - 1, -1, -1):
                total = 0.0
                for face in range(rolls.more.shape[1]):
                    total += expected[left, rolls.more[keep, face]]
                expected[left, keep] = total / rolls.more.shape[1]
        for hand in range(rolls.n_hands):
            worth[left, hand] = _action_value(
                action[left, hand], hand, left, mask, carry, effects, hands, rolls, values, expected
            )


@inner
def _verb_action(verbs, cell, boxes):
    """What a verb means in a cell; -1: nothing."""
    for n in range(verbs.start[cell], verbs.start[cell + 1]):
        if verbs.open[n] & boxes == verbs.open[n] and not verbs.filled[n] & boxes:
            return verbs.action[n]
    return -1


@compiled
def trial_deltas(masks, carries, weights, atoms, holds, effects, hands, rolls, values, verbs, deltas, lines):
    """Write what doing what each verb says, once, would gain in each cell of some outer states, times the chance of being there.

    `verbs` are atoms without conditions, cells of the first verb first. `lines` gets the line that is played; no line: a high
    number.
    """
    n_hands = rolls.n_hands
    n_cells = (rolls.rerolls + 1) * n_hands
    shape = (rolls.rerolls + 1, n_hands)
    action, line, mass, worth = np.empty(shape, np.int64), np.empty(shape, np.int64), np.zeros(shape), np.empty(shape)
    rolled, chance = np.empty(rolls.first_hand + n_hands), np.empty(len(effects.gain))
    expected = np.zeros((rolls.rerolls + 1, rolls.first_hand + n_hands))
    for i in range(len(masks)):
        mask, carry = masks[i], carries[i]
        _resolve(atoms, holds[i], mask, hands, rolls, action, line)
        _follow(action, mask, hands, rolls, mass, rolled, chance)
        _turn_backwards(action, mask, carry, effects, hands, rolls, values, expected, worth)
        boxes = _boxes_open(mask, hands.field)
        for at in range(n_cells):
            left, hand = at // n_hands, at % n_hands
            lines[i, at] = line[left, hand] if line[left, hand] >= 0 else 32767
            share = weights[i] * mass[left, hand]
            for verb in range(deltas.shape[1]):
                other = _verb_action(verbs, verb * n_cells + at, boxes) if share > 0.0 else -1
                deltas[i, verb, at] = 0.0
                if other >= 0:
                    value = _action_value(other, hand, left, mask, carry, effects, hands, rolls, values, expected)
                    deltas[i, verb, at] = share * (value - worth[left, hand])
