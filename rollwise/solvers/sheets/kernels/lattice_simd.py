"""The steps of a turn on the keep lattice in compiled code, for tables whose rows are vectors (`simd`).

The same operations in the same order as `play_turn` and `take_best` in `turn`, so that the bits are the same.
"""

from functools import lru_cache

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.sheets.arrays import Ints
from rollwise.solvers.sheets.kernels.simd import best_row, copy_row, mean_row
from rollwise.solvers.sheets.lattice import Lattice

__all__ = ["best_rows", "chains", "expect_rows", "serve_rows"]


@lru_cache(maxsize=8)
def chains(lattice: Lattice) -> tuple[Ints, Ints]:
    """Order the keeps, small ones first, in runs with the same number of different faces: loops of one length predict well.

    Gives rows (keeps in the run, different faces) and a flat list: each keep, followed by it without one die of each face.
    """
    length = np.diff(lattice.fewer_start)
    size = np.array([len(keep) for keep in lattice.keeps])
    order = np.lexsort((length, size))[1:]
    cuts = np.flatnonzero(np.diff(length[order]) | np.diff(size[order])) + 1
    runs = [(len(run), int(length[run[0]])) for run in np.split(order, cuts)]
    flat = [[k, *lattice.fewer[lattice.fewer_start[k] : lattice.fewer_start[k + 1]]] for k in order]
    return np.array(runs), np.array([k for row in flat for k in row])


@compiled
def expect_rows(more, table, share):
    """Write the expected value of every partial keep; `share` is one over the faces, in the table's type."""
    for keep in range(len(more) - 1, -1, -1):
        if more.shape[1] == 6:
            a, b, c, d, e, f = more[keep, 0], more[keep, 1], more[keep, 2], more[keep, 3], more[keep, 4], more[keep, 5]
            mean_row(table, keep, a, b, c, d, e, f, share)
        else:
            for i in range(table.shape[1]):
                total = table[more[keep, 0], i]
                for face in range(1, more.shape[1]):
                    total += table[more[keep, face], i]
                table[keep, i] = total * share


@compiled
def serve_rows(steps, left, table):
    """At the first roll, write what served hands are worth, whose rows follow those of all hands, in the place of theirs."""
    if left == steps.rerolls:
        last = len(table) - len(steps.served)
        for place in range(len(steps.served)):
            copy_row(table, steps.first_hand + steps.served[place], table, last + place)


@compiled
def best_rows(runs, chain, table):
    """Replace every keep's value by the best of its sub-keeps, in place."""
    place = 0
    for run in range(len(runs)):
        different = runs[run, 1]
        for _ in range(runs[run, 0]):
            best_row(table, chain[place], table, chain, place, place + 1 + different)
            place += 1 + different
