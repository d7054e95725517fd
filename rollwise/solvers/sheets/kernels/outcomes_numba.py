"""The compiled kernels of `outcomes`: a turn at a time."""

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.kernels.records import hands_of, rolls_of
from rollwise.solvers.sheets.kernels.turn_numba import chance_of, list_options

__all__ = ["numba_chances", "numba_push"]


def numba_chances(arrays: SheetArrays, opened: Ints, worth: Floats | None, tie: float = TIE) -> Floats:
    """Give, for every turn and effect, the chance that the turn ends with it."""
    out, net = np.zeros((len(opened), len(arrays.effect_gain))), arrays.lattice
    given = np.empty((0, 0)) if worth is None else worth
    _run(opened, given, hands_of(arrays), rolls_of(arrays), net.fewer_start, net.fewer, out, tie)
    return out


@compiled
def _run(opened, worth, hands, rolls, fewer_start, fewer, out, tie):
    option_start = np.empty(hands.effect.shape[1] + 1, dtype=np.int64)
    option = np.empty(hands.effect.size, dtype=np.int64)
    for lane in range(len(opened)):
        list_options(opened[lane], hands, option_start, option)
        if len(worth):
            _follow_worth(worth[:, lane].copy(), option_start, option, rolls, fewer_start, fewer, out[lane], tie)
        else:
            _follow_random(option_start, option, rolls, out[lane])


@compiled
def _follow_worth(worth, option_start, option, rolls, fewer_start, fewer, out, tie):
    """Follow the turn of a player to whom every effect is worth so much; add up the chance of each effect."""
    n_hands, first_hand = rolls.n_hands, rolls.first_hand
    base = np.empty(len(option_start) - 1)
    last = np.empty(len(base), dtype=np.int64)
    for hand in range(len(base)):
        best = -np.inf
        for n in range(option_start[hand], option_start[hand + 1]):
            best = max(best, worth[option[n]])
        last[hand] = _first_fill(worth, option_start, option, hand, best, tie)
        base[hand] = best
    # What is done with rerolls left: the effect of a box, or n_effects plus the keep.
    n_effects = len(worth)
    choice = np.empty((rolls.rerolls, n_hands), dtype=np.int64)
    table = np.empty(first_hand + n_hands)
    highest = np.empty(first_hand)
    table[first_hand:] = base[:n_hands]
    for left in range(rolls.rerolls):
        _expect(rolls.more, rolls.share, table)
        for keep in range(first_hand):
            highest[keep] = _best_below(table[keep], keep, fewer_start, fewer, highest)
        for hand in range(n_hands):
            column = rolls.first[hand] if left == rolls.rerolls - 1 else hand
            best = _best_below(base[column], first_hand + hand, fewer_start, fewer, highest)
            effect = _first_fill(worth, option_start, option, column, best, tie)
            for place in range(rolls.keep_start[hand], rolls.keep_start[hand + 1] if effect < 0 else 0):
                if table[rolls.keeps[place]] >= best - tie * abs(best):
                    effect = n_effects + rolls.keeps[place]
                    break
            choice[left, hand] = effect
            table[first_hand + hand] = best
    mass = rolls.chance.copy()
    rolled = np.empty(first_hand + n_hands)
    for left in range(rolls.rerolls - 1, -1, -1):
        rolled[:] = 0.0
        for hand in range(n_hands):
            if choice[left, hand] >= n_effects:
                rolled[choice[left, hand] - n_effects] += mass[hand]
            else:
                out[choice[left, hand]] += mass[hand]
        _complete(rolls.more, rolls.share, rolled)
        mass[:] = rolled[first_hand:]
    for hand in range(n_hands):
        out[last[hand if rolls.rerolls else rolls.first[hand]]] += mass[hand]


@compiled
def _best_below(best, keep, fewer_start, fewer, highest):
    """The best of a number and of all that can be kept of dice, when `highest` has the best of every keep with a die less."""
    for n in range(fewer_start[keep], fewer_start[keep + 1]):
        best = max(best, highest[fewer[n]])
    return best


@compiled
def _first_fill(worth, option_start, option, hand, best, tie):
    """The effect of the first box that ties with the best; -1: none does."""
    for n in range(option_start[hand], option_start[hand + 1]):
        if worth[option[n]] >= best - tie * abs(best):
            return option[n]
    return -1


@compiled
def _follow_random(option_start, option, rolls, out):
    mass = rolls.chance.copy()
    rolled = np.empty(rolls.first_hand + rolls.n_hands)
    for left in range(rolls.rerolls, -1, -1):
        rolled[:] = 0.0
        for hand in range(rolls.n_hands):
            n_keeps = rolls.keep_start[hand + 1] - rolls.keep_start[hand] if left else 0
            column = rolls.first[hand] if left == rolls.rerolls else hand
            share = mass[hand] / (option_start[column + 1] - option_start[column] + n_keeps)
            for n in range(option_start[column], option_start[column + 1]):
                out[option[n]] += share
            for place in range(rolls.keep_start[hand], rolls.keep_start[hand] + n_keeps):
                rolled[rolls.keeps[place]] += share
        _complete(rolls.more, rolls.share, rolled)
        mass[:] = rolled[rolls.first_hand :]


@compiled
def _expect(more, share, table):
    for keep in range(len(more) - 1, -1, -1):
        if len(share) == 1:
            total = table[more[keep, 0]]
            for face in range(1, more.shape[1]):
                total += table[more[keep, face]]
            table[keep] = total * share[0]
        else:
            total = table[more[keep, 0]] * share[0]
            for face in range(1, more.shape[1]):
                total += table[more[keep, face]] * share[face]
            table[keep] = total


@compiled
def _complete(more, share, mass):
    """Roll the dice that are not kept, one at a time: pass the mass of every keep on to one more die."""
    for keep in range(len(more)):
        if mass[keep] > 0.0:
            for face in range(more.shape[1]):
                mass[more[keep, face]] += mass[keep] * chance_of(share, face)


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
