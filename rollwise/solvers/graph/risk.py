"""The risk dial on the graph of a game: the target of a quantile or a worst share, and ties that the mean decides.

Both read the totals that the game may end with, which a graph whose positions remember the total pays at its ends. For one
target t the graph is solved as for any worth of the total. Let S(t) be the least expected shortfall E[(t - X)+]: it never falls,
and never rises faster than t. So between two targets l < h that are solved, no target is worth more than

    t* - S(l) / share     with t* = h - (S(h) - S(l))

and where that is less than the best one found, none between them need be solved. In a game in which few points are good, all
totals change their sign.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.model.abilities import unlifted
from rollwise.model.game import Game
from rollwise.model.objective import Objective
from rollwise.model.risk import Totals
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.graph.arrays import Explored, Graph, Ints
from rollwise.solvers.graph.explore import explore
from rollwise.solvers.graph.run import run
from rollwise.solvers.graph.values import Result

__all__ = ["choose_by_mean", "choose_target"]

Number = float | Fraction
CLOSE = 1e-12
"""A chance that falls short of the share of games by less reaches it; targets that differ by less are worth the same."""


def choose_target(game: Game[Any, Any, Any], objective: Any, options: SolveOptions) -> Objective:
    """Give an objective with the target that is best at the start of a game."""
    search = _Search(game, objective, options)
    return objective.at(search.quantile() if objective.wins else search.worst())  # type: ignore[no-any-return]


class _Search:
    """What a game is worth at the start by target: a number of `totals`, which are in the order from bad to good."""

    def __init__(self, game: Game[Any, Any, Any], objective: Any, options: SolveOptions) -> None:
        self.objective, self.options, self.sign = objective, options, -1 if objective.few else 1
        self.graph = _totals(game, options)
        ends = np.unique(self.graph.state_payoff[_ends(self.graph)]).tolist()
        if not ends:
            raise GameError("the game never ends: no reachable state is without actions")
        self.totals: list[int] = ends[:: self.sign]
        self.values: dict[int, Number] = {}

    def value(self, place: int) -> Number:
        """Give what the target at a place is worth; more is better."""
        if place not in self.values:
            aim = self.objective.at(self.totals[place])
            self.values[place] = _start(run(_paying(self.graph, aim), exact=self.options.exact)) / aim.unit
            self.options.tick("targets", len(self.values), None)
        return self.values[place]

    def quantile(self) -> int:
        """Give the best total that is reached in all but a share of games: chances fall from total to total."""
        low, high = 0, len(self.totals)
        wanted = 1 - self.objective.share - (0 if self.options.exact else CLOSE)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.value(middle) >= wanted else (low, middle)
        return self.totals[low]

    def worst(self) -> int:
        """Give the target that is worth most, the one from which the strategy's mean is best among those."""
        best = max(self.value(0), self.value(len(self.totals) - 1))
        left = [(0, len(self.totals) - 1)]
        while left:
            low, high = left.pop()
            if high - low > 1 and self._bound(low, high) >= best - self._close(best):
                middle = (low + high) // 2
                best = max(best, self.value(middle))
                left += [(low, middle), (middle, high)]
        near = sorted(place for place, value in self.values.items() if value >= best - self._close(best))
        return self.totals[max(near, key=self._mean) if len(near) > 1 else near[0]]

    def _mean(self, place: int) -> Number:
        """Give the best mean of the total among the best strategies for a target."""
        graph = _paying(self.graph, self.objective.at(self.totals[place]))
        return _start(_best_means(graph, self.graph, run(graph, exact=self.options.exact), few=self.objective.few)[0])

    def _bound(self, low: int, high: int) -> Number:
        """Bound what any target between two others is worth, and a target between is a total in the same direction."""
        share: Number = self.objective.share if self.options.exact else float(self.objective.share)
        ends = [self.sign * self.totals[place] for place in (low, high)]
        short = [(end - self.value(place)) * share for end, place in zip(ends, (low, high), strict=True)]
        return ends[1] - (short[1] - short[0]) - short[0] / share

    def _close(self, value: Number) -> Number:
        return 0 if self.options.exact else CLOSE * max(1.0, abs(float(value)))


def _totals(game: Game[Any, Any, Any], options: SolveOptions) -> Graph:
    """Explore a game whose positions remember the total, which is what its ends pay."""
    return explore(unlifted(game), Totals(), max_states=options.max_states, progress=options.progress).graph


def _ends(graph: Graph) -> Ints:
    return np.flatnonzero(np.diff(graph.action_start) == 0)


def _paying(graph: Graph, aim: Objective) -> Graph:
    """Give the graph whose ends pay what their totals are worth."""
    ends = _ends(graph)
    totals, place = np.unique(graph.state_payoff[ends], return_inverse=True)
    payoff = np.zeros(graph.n_states, dtype=np.int64)
    payoff[ends] = np.array([aim.score(total) for total in totals.tolist()], dtype=np.int64)[place]
    return replace(graph, state_payoff=payoff, maximise=aim.better == "higher")


def _start(result: Result) -> Number:
    """Give the value of the start, as engines see it: more is better."""
    return float(result.values.pending[0]) if result.pending_exact is None else result.pending_exact[0]


def choose_by_mean(explored: Explored, result: Result, options: SolveOptions) -> Result:
    """Choose again where several actions are equally good: those with which the mean total is best."""
    graph, values = explored.graph, result.values
    second, tied, start = _best_means(graph, _totals(explored.game, options), result, few=explored.objective.few)
    acting = np.flatnonzero((second.values.choice >= 0) & (values.choice >= 0))
    choice = values.choice.copy()
    choice[acting] = np.flatnonzero(tied)[start[acting] + second.values.choice[acting]] - graph.action_start[acting]
    return replace(result, values=replace(values, choice=choice))


def _best_means(graph: Graph, totals: Graph, result: Result, *, few: bool) -> tuple[Result, Any, Ints]:
    """Solve the graph that has only the best actions for the mean total.

    Gives also which actions of all those are, and where those of each state begin.
    """
    tied = _tied(graph, result)
    start = np.concatenate([[0], np.cumsum(tied)])[graph.action_start]
    rest = replace(
        totals, maximise=not few, action_start=start, action_pending=graph.action_pending[tied],
        action_gain=np.zeros(int(tied.sum()), dtype=np.int64), pending_cost=np.zeros_like(graph.pending_cost),
    )  # fmt: skip
    return run(rest, exact=result.pending_exact is not None), tied, start


def _tied(graph: Graph, result: Result) -> Any:
    """Mark the actions that are as good as the best in their states; all of them where nothing is known."""
    rows = np.flatnonzero(np.diff(graph.action_start))
    flat, begin = gather(graph.action_start, rows)
    length = np.diff(begin, append=len(flat))
    if result.pending_exact is not None and result.state_exact is not None:
        best = np.repeat([result.state_exact[row] for row in rows.tolist()], length)
        pairs = zip(graph.action_pending.tolist(), best.tolist(), strict=True)
        return np.array([result.pending_exact[pending] == value for pending, value in pairs], dtype=np.bool_)
    values = result.values
    bounds = (values.state_up, values.state_down, values.pending_up, values.pending_down)
    width = 2 * max(float(bound.max(initial=0.0)) for bound in bounds)
    worth = values.pending[graph.action_pending]
    return worth >= np.repeat(np.maximum.reduceat(worth, begin), length) - width if len(flat) else np.zeros(0, dtype=np.bool_)
