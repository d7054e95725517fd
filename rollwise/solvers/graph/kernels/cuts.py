"""The best conditions for a line of a card, from the gains of the rows of a table: a beam over comparisons of features.

Features are given as ranks, row by row. One pass adds up the gain by rank of every feature; sums from either end are then what
`feature <= t` and `feature >= t` gain, and the sum at one rank is what `feature = t` does.
"""

import numpy as np

from rollwise.solvers.base.compiling import compiled, inner

__all__ = ["WORTH_A_WORD", "follow_beam"]

WORTH_A_WORD = 1.02
"""One comparison more has to gain this many times as much."""


@compiled
def follow_beam(ranks, sizes, rows, gain, least, found_gain, found_cut):
    """Fill in the best conditions: `found_gain[depth, i]`, and `found_cut[depth, i, j]` as column, operator and rank.

    Each depth has one comparison more than the one before it, and resumes from the best of that.
    """
    depths, width = found_gain.shape
    columns = ranks.shape[1]
    sums = np.zeros((columns, sizes.max()))
    found_gain[:] = 0.0
    for depth in range(depths):
        for before in range(width if depth else 1):
            base = found_gain[depth - 1, before] if depth else 0.0
            if depth and base <= 0.0:
                break
            sums[:] = 0.0
            for place in range(len(rows)):
                row, own = rows[place], gain[place]
                inside = True
                for each in range(depth):
                    cut = found_cut[depth - 1, before, each]
                    rank = ranks[row, cut[0]]
                    inside &= rank <= cut[2] if cut[1] == 0 else rank >= cut[2] if cut[1] == 1 else rank == cut[2]
                if inside:
                    for column in range(columns):
                        sums[column, ranks[row, column]] += own
            for column in range(columns):
                last = sizes[column] - 1
                whole = sums[column, : last + 1].sum()
                upto = 0.0
                best, at = np.zeros(3), np.zeros(3, dtype=np.int64)
                for rank in range(last + 1):
                    own = sums[column, rank]
                    if rank and whole - upto > best[1]:
                        best[1], at[1] = whole - upto, rank
                    upto += own
                    if rank < last and upto > best[0]:
                        best[0], at[0] = upto, rank
                    if 0 < rank < last and own > best[2]:
                        best[2], at[2] = own, rank
                for operator in range(3):
                    if best[operator] > least and best[operator] > WORTH_A_WORD * base:
                        _insert(found_gain, found_cut, depth, before, best[operator], column, operator, at[operator])


@inner
def _insert(found_gain, found_cut, depth, before, worth, column, operator, rank):
    """Put a condition among the best of its depth; one that gains the same as another is not needed."""
    width = found_gain.shape[1]
    for place in range(width):
        if abs(found_gain[depth, place] - worth) <= 1e-13 * worth:
            return
        if found_gain[depth, place] < worth:
            break
    else:
        return
    for later in range(width - 1, place, -1):
        found_gain[depth, later] = found_gain[depth, later - 1]
        found_cut[depth, later] = found_cut[depth, later - 1]
    found_gain[depth, place] = worth
    if depth:
        found_cut[depth, place] = found_cut[depth - 1, before]
    found_cut[depth, place, depth, 0] = column
    found_cut[depth, place, depth, 1] = operator
    found_cut[depth, place, depth, 2] = rank
