"""What hands of dice are worth, in compiled code: bounds for many hands that share their parts, and for one hand by itself.

The value of a roll of dice S with t points at stake is the largest of sums a t + b, one for each way to go on, and so convex in
t: between two totals it lies below the chord. That allows to compute it at some totals only, the levels, from above.
"""

import numpy as np

from rollwise.solvers.base.compiling import compiled, inner

__all__ = ["bound_hands", "kind_chances", "solve_hand"]


@inner
def _throw(weights, count, part):
    """Give the chance of each throw of `count` dice into `part`; the last die's face changes slowest."""
    size = 1
    part[0] = 1.0
    for die in range(count):
        for face in range(5, -1, -1):
            for place in range(size):
                part[face * size + place] = part[place] * weights[die, face]
        size *= 6
    return size


@inner
def _at(worth, low, share, over):
    """Look a value up between two levels, from above; `over` is by how much the points exceed the last level."""
    if over > 0.0:
        return worth[len(worth) - 1] + over
    if share == 0.0:
        return worth[low]
    return worth[low] + share * (worth[low + 1] - worth[low])


@inner
def _roll(kinds, chance, first, level, total, steps, look, values, hot, needed):
    """The mean, over the kinds of a roll, of the best of banking and going on; `look` names the rows of `values`."""
    kind_best, offer_start, offer_points, offer_left, full = kinds
    low, share, over = steps
    mean = 0.0
    for kind in range(len(chance)):
        begin, end = offer_start[first + kind], offer_start[first + kind + 1]
        if begin == end or chance[kind] == 0.0:
            continue
        best = total + 50.0 * kind_best[first + kind]
        if best < needed:
            best = 0.0
        for offer in range(begin, end):
            points, left = offer_points[offer], offer_left[offer]
            row = hot if left == full else values[look[left]]
            going_on = _at(row, low[level, points], share[level, points], over[level, points])
            best = max(best, going_on)
        mean += chance[kind] * best
    return mean


@compiled
def bound_hands(kinds, first, kind_of_throw, dice, hands, look, steps, levels, needed, wanted, hot, values, bounds, begin, end):
    """Fill `bounds[hand, place]` for the hands from `begin` to `end` at the `wanted` levels: upper bounds, if `hot` is one of h.

    `dice[type]` are chances of faces, `hands[hand]` its types, and `look[hand, mask]` the rows of `values` for what can be left.
    """
    count = hands.shape[1]
    throw, weights = np.empty(6**count), np.empty((count, 6))
    chance = np.empty(kind_of_throw.max() + 1)
    for hand in range(begin, end):
        for place in range(count):
            weights[place] = dice[hands[hand, place]]
        size = _throw(weights, count, throw)
        chance[:] = 0.0
        for place in range(size):
            chance[kind_of_throw[place]] += throw[place]
        for place in range(len(wanted)):
            level = wanted[place]
            bounds[hand, place] = _roll(kinds, chance, first, level, levels[level], steps, look[hand], values, hot, needed)


@compiled
def kind_chances(kind_of_hand, number, dice):
    """Give the chance of every kind of roll, of every choice of some dice; `dice` are those of a hand."""
    count = len(dice)
    part = np.empty(7**count)
    part[0] = 1.0
    size = 1
    for die in range(count):
        for face in range(1, 7):
            for place in range(size):
                part[face * size + place] = part[place] * dice[die, face - 1]
        size *= 7
    chance = np.zeros(number)
    for place in range(size):
        chance[kind_of_hand[place]] += part[place]
    return chance


@compiled
def solve_hand(kinds, kind_start, chance, steps, levels, needed, guess, rounds):
    """Give upper bounds `[choice of dice, level]` for a hand by itself, given those for all its dice.

    A level whose steps lead to itself is computed `rounds` times, as all dice may come back between it and the next one. At a
    level from which all steps lead to other levels the result is exact if those are.
    """
    full = len(kind_start) - 2
    values = np.zeros((full + 1, len(levels)))
    values[full] = guess
    look = np.arange(full + 1)
    low = steps[0]
    for level in range(len(levels) - 1, -1, -1):
        own = level == len(levels) - 1 or low[level, 1] == level
        for _ in range(rounds if own else 1):
            for choice in range(1, full + 1):
                begin, end = kind_start[choice], kind_start[choice + 1]
                found = _roll(kinds, chance[begin:end], begin, level, levels[level], steps, look, values, values[full], needed)
                values[choice, level] = found if choice < full or not own else min(found, values[full, level])
    return values
