"""What a face is worth in a game that was explored: the derivative of its value by the chance of each face.

Let x raise the chance p of a face, and lower the others in proportion. A throw of n dice, c of which show the face, then changes
its chance P by P (c / p - n) / (1 - p) times x. The strategy being fixed, the value changes by the sum of that over all outcomes
of all rolls, times the value after them and the expected visits to the roll. As the strategy is best, that is the derivative of
the best value, except for ties.
"""

from collections.abc import Sequence
from math import factorial, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from rollwise.model.abilities import unlifted
from rollwise.model.view import view_of
from rollwise.model.weights import Faces, ThrowsDice
from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.base.slopes import DieSlopes, FaceSlopes
from rollwise.solvers.graph.report import action_losses, visits

if TYPE_CHECKING:
    from rollwise.solvers.graph.solution import GraphSolution

__all__ = ["graph_slopes"]


def graph_slopes(solution: "GraphSolution") -> FaceSlopes | None:
    """Give the slopes; None for a game without weights, or whose outcomes do not tell which dice were thrown."""
    game, graph, values = unlifted(solution.game), solution.explored.graph, solution.result.values
    if not isinstance(game, ThrowsDice) or len(game.loaded) > 1:
        return None
    seen = visits(solution)
    moving = np.flatnonzero((values.choice >= 0) & (seen > 0))
    rolled = np.bincount(
        graph.action_pending[graph.action_start[moving] + values.choice[moving]], seen[moving], graph.n_pendings
    )  # fmt: skip
    rolled[0] += 1.0
    weights, found = game.weights, np.zeros(len(game.weights))
    chance = np.array(weights) / sum(weights)
    most = 0
    for number in np.flatnonzero(rolled).tolist():
        part = slice(int(graph.outcome_start[number]), int(graph.outcome_start[number + 1]))
        states, ways = graph.outcome_state[part], graph.outcome_weight[part].tolist()
        if len(states) == 1:
            continue
        counts = _thrown(solution, number, states, ways, weights)
        if counts is None:
            return None
        most = max(most, int(counts[0].sum()))
        share = np.array(ways) / sum(ways) * np.array([float(solution._signed(float(values.state[state]))) for state in states])
        with np.errstate(divide="ignore", invalid="ignore"):
            found += rolled[number] * (share @ (counts / chance - counts.sum(axis=1)[:, None]))
    slopes = [float(slope / (1 - p)) if 0 < p < 1 else None for slope, p in zip(found, chance, strict=True)]
    return FaceSlopes((DieSlopes(weights, most, tuple(slopes)),), _has_ties(solution, moving))


def _thrown(
    solution: "GraphSolution", number: int, states: Any, ways: Sequence[int], weights: Faces
) -> Any | None:  # fmt: skip
    """Count how many dice of each outcome show each face; None where these dice have not the chances of the outcomes."""
    explored = solution.explored
    named = view_of(solution.game).name_rolls(explored.pendings[number], [explored.states[state] for state in states])
    counts = [[tuple(dice).count(face) for face in range(1, len(weights) + 1)] for _, dice in named]
    if len({sum(count) for count in counts}) > 1 or not sum(counts[0]) or len({*map(tuple, counts)}) < len(counts):
        return None
    total = sum(ways)
    for count, way in zip(counts, ways, strict=True):
        thrown = factorial(sum(count)) // prod(map(factorial, count)) * prod(w**c for w, c in zip(weights, count, strict=True))
        if thrown * total != way * sum(weights) ** sum(count):
            return None
    return np.array(counts)


def _has_ties(solution: "GraphSolution", moving: Any) -> bool:
    """Say whether best play meets a state with two best moves."""
    graph, values = solution.explored.graph, solution.result.values
    losses = action_losses(solution)
    several = moving[np.diff(graph.action_start)[moving] > 1]
    for state in several.tolist():
        own = np.sort(losses[graph.action_start[state] : graph.action_start[state + 1]])
        if own[1] <= TIE * abs(float(values.state[state])) / solution.explored.unit:
            return True
    return False
