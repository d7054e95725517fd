"""Play many games of an explored graph at once."""

import numpy as np

from rollwise.solvers.graph.explore import Graph
from rollwise.solvers.graph.values import Ints

__all__ = ["GraphTables"]


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
