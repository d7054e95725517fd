"""An evaluator of strategies: an explored graph as one player runs through it, laid out for computing one strategy after another.

Player 1 of a game for two, or player 0 if the evaluator is that of player 1, is bound to the best moves; what is then out of
reach is left out. All that is counted is turned so that more is better for the player of the evaluator.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.arrays import Graph, rows_of
from rollwise.solvers.graph.bound import bind, reach
from rollwise.solvers.graph.kernels.contract import contract
from rollwise.solvers.graph.kernels.evaluate import END, ROLL, mark_met, order_nodes, sweep_values, sweep_visits
from rollwise.solvers.graph.kernels.order import components_in_order
from rollwise.solvers.graph.moves import FREE, Taken

__all__ = ["EvaluationArrays", "StrategyEvaluator", "make_evaluator"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class EvaluationArrays(NamedTuple):
    """The arrays that the kernels take: see `kernels/evaluate.py`; `first` is the node at which a game begins."""

    start: Any
    target: Any
    amount: Any
    base: Any
    begins: Any
    shape: Any
    first: int
    single: Any
    """Whether a node is a state with one way on."""


@dataclass(frozen=True, eq=False)
class StrategyEvaluator:
    """An evaluator and its decisions: the states with a choice by their numbers in the graph, and the nodes they are here."""

    arrays: EvaluationArrays
    pick: npt.NDArray[np.int32]
    state: Ints
    node: Ints

    def value(self, choice: Ints) -> float:
        """Give the value of the start, for the place of the chosen action in every decision."""
        pick, met = self._picked(choice), np.empty(len(self.pick), dtype=np.uint8)
        mark_met(self.arrays, pick, met)
        value, slope = np.empty(len(self.pick)), np.zeros(len(self.pick))
        sweep_values(self.arrays, pick, met, value, slope)
        return float(value[self.arrays.first])

    def values(self, choice: Ints) -> Floats:
        """Give the values of all nodes."""
        value, slope = np.empty(len(self.pick)), np.zeros(len(self.pick))
        sweep_values(self.arrays, self._picked(choice), np.ones(len(self.pick), dtype=np.uint8), value, slope)
        return value

    def visits(self, choice: Ints) -> Floats:
        """Give how often a game comes to each decision."""
        visits, unit = np.empty(len(self.pick)), np.empty(len(self.pick))
        sweep_visits(self.arrays, self._picked(choice), visits, unit)
        return np.asarray(visits[self.node])

    def action_values(self, value: Floats) -> Floats:
        """Give the value of every action of every decision, one decision after another."""
        flat, _ = gather(self.arrays.start, self.node)
        found: Floats = self.arrays.amount[flat] + value[self.arrays.target[flat]]
        return found

    @property
    def widths(self) -> Ints:
        """How many actions every decision has."""
        found: Ints = np.diff(self.arrays.start)[self.node]
        return found

    def _picked(self, choice: Ints) -> npt.NDArray[np.int32]:
        pick = self.pick.copy()
        pick[self.node] = choice
        return pick


def make_evaluator(graph: Graph, player: int, best: Ints) -> StrategyEvaluator:
    """Make the evaluator of a player; where the other one moves, `best` says what he does."""

    def ask(states: Ints) -> Taken:
        bound = graph.state_mover[states] != player if graph.two_players else np.zeros(len(states), dtype=np.bool_)
        width = np.where(bound, 1, graph.action_start[states + 1] - graph.action_start[states])
        begin = np.cumsum(width) - width
        place = np.arange(int(width.sum())) - np.repeat(begin, width)
        place[begin[bound]] = best[states[bound]]
        return Taken(width, place, np.full(len(place), FREE))

    part = reach(graph, ask)
    return _contracted(_laid(bind(graph, part), part.state, -1.0 if player else 1.0))


def _laid(graph: Graph, states: Ints, sign: float) -> StrategyEvaluator:
    """Number the nodes of a graph by their places in one order; `states` are the numbers of its states elsewhere."""
    sign = sign if graph.maximise else -sign
    n_states, width, rolls = graph.n_states, np.diff(graph.action_start), np.diff(graph.outcome_start)
    start = np.concatenate([graph.action_start[:-1], graph.action_start[-1] + graph.outcome_start])
    target = np.concatenate([graph.action_pending + n_states, graph.outcome_state])
    weight = graph.outcome_weight.astype(np.float64)
    share = weight / np.repeat(np.add.reduceat(weight, graph.outcome_start[:-1]), rolls)
    over = np.where(width == 0, graph.state_payoff, 0)
    base = sign * np.concatenate([over, graph.pending_cost]).astype(np.float64)
    order, last = components_in_order(rows_of(graph))
    place, begins = np.empty(len(order), dtype=np.int32), np.empty(len(order) + 1, dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    shape = np.empty(len(order), dtype=np.uint8)
    count = order_nodes(start, target, order, last, place, begins, shape)
    flat, begin = gather(start, order.astype(np.int64))
    amount = np.concatenate([sign * graph.action_gain.astype(np.float64), share])[flat]
    laid = EvaluationArrays(
        np.append(begin, len(flat)), place[target[flat]], amount, base[order],
        begins[: count + 1].copy(), shape[:count].copy(), int(place[n_states]), np.zeros(len(order), dtype=np.bool_),
    )  # fmt: skip
    chooses = np.flatnonzero(width > 1)
    pick = np.full(len(order), ROLL, dtype=np.int32)
    pick[place[:n_states]] = np.where(width == 0, END, 0)
    laid.single[place[:n_states]] = width == 1
    return StrategyEvaluator(laid, pick, states[chooses], place[chooses].astype(np.int64))


def _contracted(evaluator: StrategyEvaluator) -> StrategyEvaluator:
    """Leave out what no choice touches, unless that makes more edges than it saves."""
    laid, pick = evaluator.arrays, evaluator.pick
    n, edges = len(pick), len(laid.target)
    width = np.where(pick == ROLL, 1, np.diff(laid.start)).astype(np.int32)
    kind, start, base = np.zeros(n, dtype=np.uint8), np.empty(n + 1, dtype=np.int64), np.empty(n)
    target, amount = np.empty(edges, dtype=np.int32), np.empty(edges)
    count = contract(laid, pick, width, kind, start, target, amount, base)
    if count < 0:
        return evaluator
    kept = np.flatnonzero(kind)
    place = np.cumsum(kind > 0, dtype=np.int32) - np.int32(1)
    begins = np.searchsorted(kept, laid.begins).astype(np.int32)
    some = np.flatnonzero(np.diff(begins))
    new = EvaluationArrays(
        start[np.append(kept, n)], place[target[:count]], amount[:count].copy(), base[kept], np.append(begins[some], begins[-1]),
        laid.shape[some], int(place[laid.first]), laid.single[kept],
    )  # fmt: skip
    return StrategyEvaluator(new, pick[kept], evaluator.state, place[evaluator.node].astype(np.int64))
