"""An evaluator of strategies: an explored graph as one player runs through it, laid out for computing one strategy after another.

Player 1 of a game for two, or player 0 if the evaluator is that of player 1, is bound to the best moves; what is then out of
reach is left out. All that is counted is turned so that more is better for the player of the evaluator.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.arrays import Graph
from rollwise.solvers.graph.kernels.contract import contract
from rollwise.solvers.graph.kernels.evaluate import END, ROLL, mark_met, order_nodes, reach, sweep_values, sweep_visits
from rollwise.solvers.graph.kernels.order import put_in_order

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
    other = (graph.state_mover != player) & (np.diff(graph.action_start) > 0)
    bound = np.where(other, best, -1).astype(np.int64) if graph.two_players else np.full(graph.n_states, -1)
    states, pendings = _reached(graph, bound)
    part = _Part.of(graph, states, pendings, bound, -1.0 if player else 1.0)
    return part.laid(graph, states)


def _reached(graph: Graph, bound: Ints) -> tuple[Ints, Ints]:
    """List what can be reached; pending 0, at which a game begins, is the first."""
    state, pending = np.zeros(graph.n_states, dtype=np.uint8), np.zeros(graph.n_pendings, dtype=np.uint8)
    edges = (graph.action_start, graph.action_pending, graph.outcome_start, graph.outcome_state)
    reach(*map(np.asarray, edges), bound, state, pending, np.empty(graph.n_pendings + 1, dtype=np.int64))
    return np.flatnonzero(state), np.flatnonzero(pending)


class _Part(NamedTuple):
    """What is reached: states first, then pendings, with edges between them."""

    action_start: Ints
    action_pending: Ints
    action_gain: Floats
    outcome_start: Ints
    outcome_state: Ints
    outcome_share: Floats
    base: Floats

    @classmethod
    def of(cls, graph: Graph, states: Ints, pendings: Ints, bound: Ints, sign: float) -> "_Part":
        """Cut the part out of a graph."""
        sign = sign if graph.maximise else -sign
        width = np.diff(graph.action_start)[states]
        free = bound[states] < 0
        flat, begin = gather(graph.action_start, states)
        kept = np.repeat(free, width) | (np.arange(len(flat)) - np.repeat(begin, width) == np.repeat(bound[states], width))
        action = flat[kept]
        rolled, first = gather(graph.outcome_start, pendings)
        weight = np.asarray(graph.outcome_weight)[rolled].astype(np.float64)
        share = weight / np.repeat(np.add.reduceat(weight, first), np.diff(graph.outcome_start)[pendings])
        over = np.where(width == 0, np.asarray(graph.state_payoff)[states], 0)
        return cls(
            action_start=_starts(np.where(free, width, np.minimum(width, 1))),
            action_pending=np.searchsorted(pendings, graph.action_pending[action]),
            action_gain=sign * np.asarray(graph.action_gain)[action].astype(np.float64),
            outcome_start=_starts(np.diff(graph.outcome_start)[pendings]),
            outcome_state=np.searchsorted(states, graph.outcome_state[rolled]),
            outcome_share=share,
            base=sign * np.concatenate([over, np.asarray(graph.pending_cost)[pendings]]).astype(np.float64),
        )

    def laid(self, graph: Graph, states: Ints) -> StrategyEvaluator:
        """Number the nodes by their places in one order."""
        n_states = len(self.action_start) - 1
        start = np.concatenate([self.action_start[:-1], self.action_start[-1] + self.outcome_start])
        target = np.concatenate([self.action_pending + n_states, self.outcome_state])
        order, last = self._ordered(len(self.base))
        place, begins = np.empty(len(order), dtype=np.int32), np.empty(len(order) + 1, dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        shape = np.empty(len(order), dtype=np.uint8)
        count = order_nodes(start, target, order, last, place, begins, shape)
        flat, begin = gather(start, order.astype(np.int64))
        amount = np.concatenate([self.action_gain, self.outcome_share])[flat]
        laid = EvaluationArrays(
            np.append(begin, len(flat)), place[target[flat]], amount, self.base[order],
            begins[: count + 1].copy(), shape[:count].copy(), int(place[n_states]), np.zeros(len(order), dtype=np.bool_),
        )  # fmt: skip
        width = np.diff(self.action_start)
        chooses = np.flatnonzero(width > 1)
        pick = np.full(len(order), ROLL, dtype=np.int32)
        pick[place[:n_states]] = np.where(width == 0, END, 0)
        laid.single[place[:n_states]] = width == 1
        return _contracted(StrategyEvaluator(laid, pick, states[chooses], place[chooses].astype(np.int64)))

    def _ordered(self, n: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
        low, last = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.uint8)
        stack, edge, mine, order = (np.empty(n, dtype=np.int32) for _ in range(4))
        edges = (self.action_start, self.action_pending, self.outcome_start, self.outcome_state)
        put_in_order(*edges, low, stack, edge, mine, order, last, np.array([0, n, 0, 0, 0]), 1 << 60)
        return order, last


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


def _starts(count: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(count)])
