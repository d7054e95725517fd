"""Along the chosen actions of a graph: probability mass, all positions at once, and many games at once.

One roll of the mass is a product with a sparse matrix, the outcomes' chances by rolls, and a sum over the states that lead to the
same roll.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.solvers.graph.arrays import Graph

__all__ = ["GraphTables", "flow"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


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


class GraphTables:
    """The arrays of a graph, with cumulative weights of all outcomes in one row."""

    def __init__(self, graph: Graph, choice: Ints) -> None:
        self.graph = graph
        edge = np.concatenate([[0], np.cumsum(graph.outcome_weight, dtype=np.int64)])
        self.begin, self.weight = edge[graph.outcome_start[:-1]], np.diff(edge[graph.outcome_start])
        self.upto = edge[1:]
        self.chosen = graph.action_start[:-1] + choice
        self.over = np.diff(graph.action_start) == 0

    def play(self, rng: "np.random.Generator", games: int) -> Ints:
        """Play games from the start and give their totals."""
        graph = self.graph
        total = np.zeros(games, dtype=np.int64)
        live, pending = np.arange(games), np.zeros(games, dtype=np.int64)
        while live.size:
            total[live] += graph.pending_cost[pending]
            drawn = self.begin[pending] + rng.integers(0, self.weight[pending])
            state = graph.outcome_state[np.searchsorted(self.upto, drawn, side="right")]
            total[live] += np.where(self.over[state], graph.state_payoff[state], 0)
            going = ~self.over[state]
            live, action = live[going], self.chosen[state[going]]
            total[live] += graph.action_gain[action]
            pending = graph.action_pending[action]
        return total
