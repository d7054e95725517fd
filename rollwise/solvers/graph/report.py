"""What mistakes cost: how often best play meets a decision, and what the second best move loses there.

The expected number of visits x to the pending rolls under best play solves x = start + x T, summed up roll by roll; T leads from
a roll to its outcomes and on by the chosen actions.
"""

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rollwise.model.policy import Greedy
from rollwise.solvers.base.blocks import Block, Grid, Heading, Prose
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.base.solution import Number
from rollwise.solvers.graph.flow import flow

if TYPE_CHECKING:
    from rollwise.solvers.graph.solution import GraphSolution

__all__ = ["graph_sections", "second_losses", "visits"]

Floats = npt.NDArray[np.float64]

MOST_ROLLS = 20_000
MOST_WORK = 4_000_000_000
"""Outcomes that are followed, over all rolls: some twenty seconds. Games that last longer count up to there."""
MOST_ASKED = 20_000
"""Positions in which the move that looks best at once is computed, those first where most is at stake."""
TAIL = 1e-10
SHOWN = 10
NOTHING = 1e-9


def graph_sections(solution: "GraphSolution") -> list[Block]:
    """Give what a page about an explored game says: the decisions that matter most, and the most tempting mistakes."""
    seen = visits(solution)
    return [*costly_moves(solution, seen), *greedy_slips(solution, seen)]


def visits(solution: "GraphSolution") -> Floats:
    """Give the expected number of times that best play meets each state, within as many rolls as there is time for."""
    graph = solution.explored.graph
    seen = np.zeros(graph.n_states)
    rolls = min(MOST_ROLLS, max(1, MOST_WORK // len(graph.outcome_state)))
    for state, left in islice(flow(graph, solution.result.values.choice), rolls):
        seen += state
        if left < TAIL:
            break
    return seen


def second_losses(solution: "GraphSolution") -> Floats:
    """Give for each state what the second best action loses; 0 where there is no choice or it makes no difference."""
    graph, values = solution.explored.graph, solution.result.values
    worth = graph.action_gain + values.pending[graph.action_pending]
    moving = np.flatnonzero((values.choice >= 0) & (np.diff(graph.action_start) > 1))
    chosen = graph.action_start[moving] + values.choice[moving]
    best = worth[chosen].copy()
    worth[chosen] = -np.inf
    flat, begin = gather(graph.action_start, moving)
    loss = np.zeros(graph.n_states)
    if len(moving):
        loss[moving] = (best - np.maximum.reduceat(worth[flat], begin)) / solution.explored.unit
    return np.where(loss > NOTHING, loss, 0.0)


def costly_moves(solution: "GraphSolution", seen: Floats) -> list[Block]:
    """The decisions that matter most: chance to be there times the loss of the second best move."""
    game = solution.game
    words = solution.objective.words(game)
    loss = second_losses(solution)
    weighed = np.where(np.isfinite(loss), loss, 0.0) * seen
    rows = []
    for number in _top(weighed):
        state = solution.explored.states[number]
        ranked = solution.ranked(state)
        rows.append((
            game.show_state(state), game.show_action(ranked[0].action), game.show_action(ranked[1].action),
            words.cost(ranked[1].loss), often(seen[number]), words.cost(weighed[number]),
        ))  # fmt: skip
    if not rows:
        return []
    return [
        Heading("The decisions that matter most"),
        Prose(
            "What playing the second best move just once would lose, times how often best play meets the position: a decision "
            "ranks high if it "
            f"comes up often, costs much, or both. Positions are written as for 'rollwise advise'; losses in {words.unit}."
        ),
        Grid(["position", "best", "second best", "loss there", "met", "mean loss"], rows),
    ]


def stakes(solution: "GraphSolution") -> Floats:
    """Give for each state what the worst action loses."""
    graph, values = solution.explored.graph, solution.result.values
    moving = np.flatnonzero(values.choice >= 0)
    flat, begin = gather(graph.action_start, moving)
    worth = graph.action_gain[flat] + values.pending[graph.action_pending[flat]]
    stake = np.zeros(graph.n_states)
    if len(moving):
        best = np.repeat(worth[begin + values.choice[moving]], np.diff(begin, append=len(flat)))
        stake[moving] = np.maximum.reduceat(np.abs(best - worth), begin) / solution.explored.unit
    return stake


def greedy_slips(solution: "GraphSolution", seen: Floats) -> list[Block]:
    """Where the move that looks best at once costs most along best play."""
    game, greedy = solution.game, Greedy()
    words = solution.objective.words(game)
    stake = np.where(seen > 1e-9, stakes(solution), 0.0)
    asked = np.flatnonzero(stake > NOTHING)
    most = len(asked) > MOST_ASKED
    if most:
        asked = np.sort(asked[np.argsort(-(stake * seen)[asked], kind="stable")[:MOST_ASKED]])
    states = solution.explored.states
    found: list[tuple[float, int, Any, Number]] = []
    for number in asked.tolist():
        state = states[number]
        move = next(iter(greedy.weights(game, state)))
        loss = next(row.loss for row in solution.ranked(state) if row.action == move)
        if NOTHING < loss < float("inf"):
            found.append((float(loss) * float(seen[number]), number, move, loss))
    found.sort(key=lambda row: (-row[0], row[1]))
    rows = [
        (
            game.show_state(states[number]), game.show_action(move),
            game.show_action(solution.best(states[number])), words.cost(loss), often(seen[number]),
        )
        for _, number, move, loss in found[:SHOWN]
    ]  # fmt: skip
    if not rows:
        return []
    where = f"{MOST_ASKED:,} positions where most is at stake" if most else "positions that best play can meet"
    return [
        Heading("The most tempting mistakes"),
        Prose(
            f"In {len(found):,} of the {where}, the move that looks best at once is a mistake. "
            f"These cost most, weighed by how often they come up; losses in {words.unit}."
        ),
        Grid(["position", "tempting", "best", "loss there", "met"], rows),
    ]


def _top(weighed: Floats) -> Sequence[int]:
    order = np.argsort(-weighed, kind="stable")[:SHOWN]
    return [int(number) for number in order if weighed[number] > NOTHING]


def often(times: float) -> str:
    """Write how often a position is met.

    >>> often(0.25), often(1.5)
    ('25.00 %', '1.50 times')
    """
    return f"{100 * times:.2f} %" if times <= 1 + 1e-9 else f"{times:.2f} times"
