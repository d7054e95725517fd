"""The compiled kernels of `outcomes`: an outer state at a time."""

import numpy as np

from rollwise.forms.base.compiling import compiled
from rollwise.forms.base.numbers import TIE
from rollwise.forms.sheets.outcomes import special_index
from rollwise.forms.sheets.turns import Floats, Ints, SheetArrays

__all__ = ["follow_worth", "list_options", "numba_chances", "numba_push"]


def numba_chances(form: SheetArrays, keeps: tuple[Ints, Ints], guide: Floats, random: bool, opened: Ints, carry: Ints) -> Floats:
    """Give, for every outer state and effect, the chance that the turn ends with it."""
    out = np.zeros((len(opened), len(form.effect_gain)))
    net = form.lattice
    _run(
        opened,
        carry,
        guide,
        random,
        (form.effect_start, form.effect_gain.astype(np.float64), form.effect_target, form.hand_effect),
        (special_index(form), form.special_effect, form.special_variant),
        (net.more, net.first_hand, net.n_hands, net.hand_weight / net.hand_weight.sum()),
        keeps,
        form.rerolls,
        form.in_order,
        out,
    )
    return out


@compiled
def _run(opened, carry, guide, random, effects, specials, net, keeps, rerolls, in_order, out):
    n_hands = net[2]
    n_boxes = len(effects[0]) - 1
    fill = np.empty((n_hands, n_boxes), dtype=np.int64)
    n_fill = np.empty(n_hands, dtype=np.int64)
    for state in range(len(opened)):
        list_options(opened[state], effects, specials, in_order, fill, n_fill)
        if random:
            _follow_random(fill, n_fill, net, keeps, rerolls, out[state])
        else:
            _follow_guide(opened[state], carry[state], guide, effects, fill, n_fill, net, keeps, rerolls, out[state])


@compiled
def list_options(opened, effects, specials, in_order, fill, n_fill):
    """List for each hand the effects of the boxes that may be filled, in order."""
    effect_start, _, _, hand_effect = effects
    special_index, special_effect, special_variant = specials
    for hand in range(len(n_fill)):
        n = 0
        for box in range(len(effect_start) - 1):
            if opened >> box & 1:
                special = special_index[hand]
                effect = hand_effect[box, hand]
                if special >= 0:
                    effect = special_effect[special, special_variant[opened, special], box]
                if effect >= 0:
                    fill[hand, n] = effect
                    n += 1
                if in_order:
                    break
        n_fill[hand] = n


@compiled
def _follow_guide(opened, carry, guide, effects, fill, n_fill, net, keeps, rerolls, out):
    effect_start, effect_gain, effect_target, _ = effects
    worth = np.full(len(effect_gain), -np.inf)
    for box in range(len(effect_start) - 1):
        if opened >> box & 1:
            for effect in range(effect_start[box], effect_start[box + 1]):
                worth[effect] = effect_gain[effect, carry] + guide[opened & ~(1 << box), effect_target[effect, carry]]
    follow_worth(worth, fill, n_fill, net, keeps, rerolls, out)


@compiled
def follow_worth(worth, fill, n_fill, net, keeps, rerolls, out):
    """Follow the turn of a player to whom every effect is worth so much; add up the chance of each effect."""
    more, first_hand, n_hands, chance = net
    keep_start, keep_list = keeps
    base = np.empty(n_hands)
    last = np.empty(n_hands, dtype=np.int64)
    for hand in range(n_hands):
        best = -np.inf
        for n in range(n_fill[hand]):
            best = max(best, worth[fill[hand, n]])
        last[hand] = _first_fill(worth, fill, n_fill, hand, best)
        base[hand] = best
    # What is done with rerolls left: the effect of a box, or n_effects plus the keep.
    n_effects = len(worth)
    choice = np.empty((rerolls, n_hands), dtype=np.int64)
    table = np.empty(first_hand + n_hands)
    table[first_hand:] = base
    for left in range(rerolls):
        _expect(more, table)
        for hand in range(n_hands):
            best = base[hand]
            for place in range(keep_start[hand], keep_start[hand + 1]):
                best = max(best, table[keep_list[place]])
            effect = _first_fill(worth, fill, n_fill, hand, best)
            for place in range(keep_start[hand], keep_start[hand + 1] if effect < 0 else 0):
                if table[keep_list[place]] >= best - TIE * abs(best):
                    effect = n_effects + keep_list[place]
                    break
            choice[left, hand] = effect
            table[first_hand + hand] = best
    mass = chance.copy()
    rolled = np.empty(first_hand + n_hands)
    for left in range(rerolls - 1, -1, -1):
        rolled[:] = 0.0
        for hand in range(n_hands):
            if choice[left, hand] >= n_effects:
                rolled[choice[left, hand] - n_effects] += mass[hand]
            else:
                out[choice[left, hand]] += mass[hand]
        _complete(more, rolled)
        mass[:] = rolled[first_hand:]
    for hand in range(n_hands):
        out[last[hand]] += mass[hand]


@compiled
def _first_fill(worth, fill, n_fill, hand, best):
    """The effect of the first box that ties with the best; -1: none does."""
    for n in range(n_fill[hand]):
        if worth[fill[hand, n]] >= best - TIE * abs(best):
            return fill[hand, n]
    return -1


@compiled
def _follow_random(fill, n_fill, net, keeps, rerolls, out):
    more, first_hand, n_hands, chance = net
    keep_start, keep_list = keeps
    mass = chance.copy()
    rolled = np.empty(first_hand + n_hands)
    for left in range(rerolls, -1, -1):
        rolled[:] = 0.0
        for hand in range(n_hands):
            n_keeps = keep_start[hand + 1] - keep_start[hand] if left else 0
            share = mass[hand] / (n_fill[hand] + n_keeps)
            for n in range(n_fill[hand]):
                out[fill[hand, n]] += share
            for place in range(keep_start[hand], keep_start[hand] + n_keeps):
                rolled[keep_list[place]] += share
        _complete(more, rolled)
        mass[:] = rolled[first_hand:]


@compiled
def _expect(more, table):
    for keep in range(len(more) - 1, -1, -1):
        total = table[more[keep, 0]]
        for face in range(1, more.shape[1]):
            total += table[more[keep, face]]
        table[keep] = total * (1.0 / more.shape[1])


@compiled
def _complete(more, mass):
    """Roll the dice that are not kept, one at a time: pass the mass of every keep on to one more die."""
    for keep in range(len(more)):
        share = mass[keep] * (1.0 / more.shape[1])
        if share > 0.0:
            for face in range(more.shape[1]):
                mass[more[keep, face]] += share


@compiled
def numba_push(mass, chance, target, shift, out, effect_mass):
    """Pass score distributions on: out[target[i, e]] += chance[i, e] * mass[i], moved by shift[i, e] points."""
    for i in range(len(mass)):
        low, high = 0, mass.shape[1]
        while low < high and mass[i, low] == 0.0:
            low += 1
        while high > low and mass[i, high - 1] == 0.0:
            high -= 1
        if low == high:
            continue
        weight = mass[i, low:high].sum()
        for e in range(chance.shape[1]):
            p = chance[i, e]
            if p > 0.0:
                effect_mass[i, e] += weight * p
                t, d = target[i, e], shift[i, e]
                for score in range(low, high):
                    out[t, score + d] += p * mass[i, score]
