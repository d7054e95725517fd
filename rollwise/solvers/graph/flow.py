"""Probability mass on its way through a graph by the chosen actions, all positions at once.

One roll is a product with a sparse matrix, the outcomes' chances by rolls, and a sum over the states that lead to the same roll.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.solvers.graph.arrays import Graph

__all__ = ["flow"]

Floats = npt.NDArray[np.float64]


def flow(graph: Graph, choice: Any, first: int = 0) -> Iterator[tuple[Floats, float]]:
    """Roll by roll, give the chance of being in each state after it, and of going on from there; it never stops by itself."""
    from scipy.sparse import csr_array  # noqa: PLC0415  (loaded where it is used: advice on a kept game must not wait for it)

    start, choice = np.asarray(graph.outcome_start), np.asarray(choice)
    share = np.asarray(graph.outcome_weight).astype(np.float64)
    share /= np.repeat(np.add.reduceat(share, start[:-1]), np.diff(start))
    rolled = csr_array((share, np.asarray(graph.outcome_state), start), shape=(graph.n_pendings, graph.n_states)).T
    moving = np.flatnonzero(choice >= 0)
    target = np.asarray(graph.action_pending)[np.asarray(graph.action_start)[moving] + choice[moving]]
    mass = np.zeros(graph.n_pendings)
    mass[first] = 1.0
    while True:
        state: Floats = np.asarray(rolled @ mass)
        mass = np.bincount(target, state[moving], graph.n_pendings).astype(np.float64)
        yield state, float(mass.sum())
