"""Compare what was kept of a game with its rules, where these are asked anyway: at the start, and at every state in question.

There the kept graph must be what the rules say, move by move and weight by weight, and the kept values must satisfy the
optimality equation. Whatever does not is refused.
"""

from math import gcd, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from rollwise.solvers.base.offsets import gather
from rollwise.solvers.base.solution import Number
from rollwise.solvers.graph.values import rounding

if TYPE_CHECKING:
    from rollwise.solvers.graph.serialize import CacheOrigin
    from rollwise.solvers.graph.solution import GraphSolution

__all__ = ["compare_start", "compare_state"]

MOST_OUTCOMES = 2000
"""Outcomes of the first roll that are looked up; of more, only the number is compared."""

Row = tuple[Any, Number]


def compare_start(solution: "GraphSolution", kept: "CacheOrigin") -> None:
    """Compare the first roll. Raises what `kept.refuse` gives."""
    game, explored, values = solution.game, solution.explored, solution.result.values
    graph, start = explored.graph, game.start()
    roll = game.roll(start)
    edges, _ = gather(graph.outcome_start, np.array([0]))
    right = explored.pending_index.get(start) == 0 and len(roll) == len(edges)
    if right and solution.objective.counts == "costs":
        right = game.cost(start) == graph.pending_cost[0]
    if right and len(roll) <= MOST_OUTCOMES:
        divisor = gcd(*roll.values())
        rolled = {explored.state_index.get(state): weight // divisor for state, weight in roll.items()}
        numbers, weights = graph.outcome_state[edges], graph.outcome_weight[edges]
        right = rolled == dict(zip(numbers.tolist(), weights.tolist(), strict=True))
        mean = float(values.state[numbers] @ weights.astype(np.float64)) / float(weights.sum())
        cost = float(graph.pending_cost[0]) * (1 if graph.maximise else -1)
        right = right and _agree(solution, float(values.pending[0]), cost + mean, len(roll))
    if not right:
        raise kept.refuse("does not fit the rules at the start")


def compare_state(solution: "GraphSolution", kept: "CacheOrigin", state: Any, rows: list[Row]) -> None:
    """Compare the moves of a state, with their values, or its end. Raises what `kept.refuse` gives."""
    game, explored = solution.game, solution.explored
    graph, number = explored.graph, explored.state_index[state]
    edges, _ = gather(graph.action_start, np.array([number]))
    pendings = [explored.pending_index.get(game.play(state, action)) for action, _ in rows]
    gains = [game.gain(state, action) if solution.gains else 0 for action, _ in rows]
    right = graph.action_pending[edges].tolist() == pendings and graph.action_gain[edges].tolist() == gains
    if right and rows:
        best = max if (game.mover(state) == 0) == (solution.objective.better == "higher") else min
        right = _agree(solution, float(solution.value(state, kind="state")), float(best(value for _, value in rows)), 1)
    elif right:
        right = graph.state_payoff[number] == _payoff(solution, state)
    if not right:
        raise kept.refuse(f"does not fit the rules at state {game.show_state(state)}")


def _payoff(solution: "GraphSolution", state: Any) -> int:
    """What the end is worth, in units."""
    if solution.objective.counts == "costs":
        return 0
    points = solution.game.payoff(state)
    return points if solution.objective.adds or solution.explored.lift != "plain" else solution.objective.score(points)


def _agree(solution: "GraphSolution", one: float, other: float, terms: int) -> bool:
    """Say whether two numbers differ by no more than the bounds of both and rounding."""
    if not (isfinite(one) and isfinite(other)):
        return one == other
    unit = solution.explored.unit
    allowed = 2.01 * unit * solution.certificate.error_bound + float(rounding(2 * terms, abs(one) + abs(other)))
    return abs(one - other) <= allowed
