"""The compiled kernels of `outlook_build`: distributions of what is to come, a layer from the one below, in few bins.

A distribution is a histogram whose bins are as wide as its shape allows: within a bin every score has the same chance, so the
cumulative chance is a chain of straight lines. `fit_lines` finds a short chain that stays within a tolerance of the true one at
every score, greedily: a line is made as long as some slope passes through all bands met so far.
"""

from typing import Any, NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.sheets.arrays import Floats, Ints

__all__ = ["Below", "Out", "Rounding", "fit_lines", "mix_rows"]


SINGLE = 2e-7
"""More than keeping heights in single precision, and lines that are `SLACK` off, change a cumulative chance by."""
SLACK = 1e-11
"""A line may miss a band by this, so that rounding never leaves one without an end."""


class Below(NamedTuple):
    """The layer below, whose first turn start is `begin`.

    The bins of a row begin at `start`: `first` is the lowest score of a bin, `height` the chance of each of its scores. The last
    bin of a row has none: it says where the row ends. `error` bounds the difference of the cumulative chance from the true one.
    """

    begin: int
    start: Ints
    first: Any
    height: Any
    mean: Floats
    variance: Floats
    error: Floats


class Rounding(NamedTuple):
    """How closely distributions are followed, `fine`, and kept: tolerances of the cumulative chance.

    Kept bins are at most `widest` scores wide, and their chances whole numbers of `parts`, in the lowest `shift` bits.
    """

    fine: float
    tolerance: float
    parts: int
    widest: int
    shift: int


class Out(NamedTuple):
    """What is found for some rows, to be written into; bins one behind the other."""

    mean: Floats
    variance: Floats
    error: Floats
    fine_count: Ints
    fine_first: Any
    fine_height: Any
    lowest: Ints
    kept_count: Ints
    bins: Any
    kept_error: Floats


@compiled
def mix_rows(opened, carry, chance, effects, unit_of, places, below, rounding, span, out):
    """Mix what comes after each effect of a turn; gives how many fine bins and how many kept ones were written."""
    change = np.zeros(span + 2)
    total = np.zeros(span + 2)
    knot = np.empty(span + 3, dtype=np.int64)
    level = np.empty(span + 3)
    row_of = np.empty(chance.shape[1], dtype=np.int64)
    n_fine, n_kept = 0, 0
    for i in range(len(opened)):
        low, high = _moments(i, opened[i], carry[i], chance[i], effects, unit_of, places, below, row_of, out)
        size = high - low
        _pile(carry[i], chance[i], effects.gain, below, row_of, low, change, total, size)
        begin = n_fine
        n_fine = _write_fine(total[:size], low, rounding, knot, level, out, n_fine)
        n_kept = _write_kept(i, total[:size], low, rounding, knot, level, out, n_kept)
        out.fine_count[i] = n_fine - begin
    return n_fine, n_kept


@compiled
def _moments(i, opened, carry, chance, effects, unit_of, places, below, row_of, out):
    """Find the rows that effects lead to, the range of scores, mean, variance and error."""
    low, high = 1 << 40, -(1 << 40)
    mean, error = 0.0, 0.0
    for effect in range(len(chance)):
        p = chance[effect]
        if p > 0.0:
            after = opened - unit_of[effect]
            row = places.start[after] + places.place[places.of_class[after], effects.target[effect, carry]] - below.begin
            row_of[effect] = row
            gain = effects.gain[effect, carry]
            low = min(low, below.first[below.start[row]] + gain)
            high = max(high, below.first[below.start[row + 1] - 1] + gain)
            mean += p * (gain + below.mean[row])
            error += p * below.error[row]
    variance = 0.0
    for effect in range(len(chance)):
        p = chance[effect]
        if p > 0.0:
            row = row_of[effect]
            off = effects.gain[effect, carry] + below.mean[row] - mean
            variance += p * (below.variance[row] + off * off)
    out.mean[i], out.variance[i], out.error[i] = mean, variance, error
    return low, high


@compiled
def _pile(carry, chance, gain, below, row_of, low, change, total, size):
    """Add up the bins of all effects, each as a step up and a step down; write the cumulative chance of every score."""
    change[: size + 1] = 0.0
    for effect in range(len(chance)):
        p = chance[effect]
        if p > 0.0:
            shift = gain[effect, carry] - low
            before = 0.0
            for n in range(below.start[row_of[effect]], below.start[row_of[effect] + 1]):
                height = below.height[n]
                change[below.first[n] + shift] += p * (height - before)
                before = height
    height, reached = 0.0, 0.0
    for score in range(size):
        height += change[score]
        reached += max(height, 0.0)
        total[score] = reached


@compiled
def fit_lines(total, tolerance, unit, widest, knot, level):
    """Draw straight lines within the tolerance of the cumulative chance; gives the number of knots, the first at chance 0.

    `knot` is a score, from -1 on, and `level` the chance there, a multiple of `unit` (0: any). Both tails are cut where
    they have less than half the tolerance.
    """
    cut = 0.5 * tolerance
    at, end = -1, len(total) - 1
    while at + 1 < end and total[at + 1] <= cut:
        at += 1
    while end - 1 > at and total[end - 1] >= 1.0 - cut:
        end -= 1
    knot[0], level[0] = at, 0.0
    n = 1
    while at < end:
        origin = level[n - 1]
        least, most = 0.0, np.inf
        # Every line leads on, were it only by a score: so there are never more knots than scores, whatever comes in.
        best, best_least = at + 1, origin if at + 1 < end else 1.0
        best_most = best_least
        bends_up = True
        for score in range(at + 1, min(end, at + widest) + 1):
            steps = score - at
            low = max(total[score] - tolerance, 0.0) if score < end else 1.0
            high = min(total[score] + tolerance, 1.0) if score < end else 1.0
            if low - origin > most * steps + SLACK:
                break
            if high - origin < least * steps - SLACK:
                bends_up = False
                break
            least = max(least, (low - origin) / steps)
            most = max(min(most, (high - origin) / steps), least)
            bottom, top = _inside(origin + least * steps, origin + most * steps, unit)
            if score == end:
                bottom, top = 1.0, 1.0
            if bottom <= top:
                best, best_least, best_most = score, bottom, top
        # Where the chance bends up, lines lie above it at their ends, else below: so they are longest.
        level[n] = min(best_most, 1.0) if bends_up else best_least
        at = best
        knot[n] = at
        n += 1
    return n


@compiled
def _inside(low, high, unit):
    """The smallest and the largest multiple of a unit in an interval."""
    if unit == 0.0:
        return low, high
    return np.ceil(low / unit - 1e-9) * unit, np.floor(high / unit + 1e-9) * unit


@compiled
def _distance(total, knot, level, n):
    """The largest difference between the lines and the cumulative chance."""
    worst = 0.0
    for score in range(knot[0] + 1):
        worst = max(worst, total[score])
    for k in range(1, n):
        slope = (level[k] - level[k - 1]) / (knot[k] - knot[k - 1])
        for score in range(knot[k - 1] + 1, knot[k] + 1):
            worst = max(worst, abs(level[k - 1] + slope * (score - knot[k - 1]) - total[score]))
    for score in range(knot[n - 1] + 1, len(total)):
        worst = max(worst, abs(1.0 - total[score]))
    return worst


@compiled
def _write_fine(total, low, rounding, knot, level, out, place):
    n = fit_lines(total, rounding.fine, 0.0, len(total), knot, level)
    for k in range(1, n):
        out.fine_first[place] = low + knot[k - 1] + 1
        out.fine_height[place] = (level[k] - level[k - 1]) / (knot[k] - knot[k - 1])
        place += 1
    out.fine_first[place] = low + knot[n - 1] + 1
    out.fine_height[place] = 0.0
    return place + 1


@compiled
def _write_kept(i, total, low, rounding, knot, level, out, place):
    n = fit_lines(total, rounding.tolerance, 1.0 / rounding.parts, rounding.widest, knot, level)
    out.kept_error[i] = out.error[i] + _distance(total, knot, level, n)
    out.error[i] += rounding.fine + SINGLE
    out.lowest[i] = low + knot[0] + 1
    out.kept_count[i] = n - 1
    for k in range(1, n):
        chance = round(level[k] * rounding.parts) - round(level[k - 1] * rounding.parts)
        out.bins[place] = (knot[k] - knot[k - 1]) << rounding.shift | chance
        place += 1
    return place
