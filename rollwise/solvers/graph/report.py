"""What mistakes cost: how often best play meets a decision, and what the second best move loses there.

The expected number of visits x to the pending rolls under best play solves x = start + x T, summed up roll by roll; T leads from
a roll to its outcomes and on by the chosen actions.
"""

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rollwise.model.abilities import prefetch
from rollwise.model.notation import notation_of
from rollwise.model.policy import Greedy
from rollwise.model.view import view_of
from rollwise.solvers.base.blocks import Block, Grid, Heading, Prose
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.flow import flow
from rollwise.texts.render import render

if TYPE_CHECKING:
    from rollwise.solvers.graph.solution import GraphSolution

__all__ = ["graph_sections", "second_losses", "visits"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MOST_ROLLS = 20_000
MOST_WORK = 4_000_000_000
"""Outcomes that are followed, over all rolls: some twenty seconds. Games that last longer count up to there."""
MOST_ASKED = 20_000
"""Positions in which the move that looks best at once is computed, those first where most is at stake."""
TAIL = 1e-10
AT_ONCE = 1000
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


def action_losses(solution: "GraphSolution") -> Floats:
    """Give what each action of each state loses to the player to move, compared with the chosen one."""
    graph, values = solution.explored.graph, solution.result.values
    sign = 1 if graph.maximise else -1  # values of what is minimised are negative, gains are not
    worth = sign * graph.action_gain + values.pending[graph.action_pending]
    moving = np.flatnonzero(values.choice >= 0)
    chosen = worth[graph.action_start[moving] + values.choice[moving]]
    flat, _ = gather(graph.action_start, moving)
    lost = np.zeros(len(worth))
    lost[flat] = np.abs(np.repeat(chosen, np.diff(graph.action_start)[moving]) - worth[flat]) / solution.explored.unit
    return lost


def second_losses(solution: "GraphSolution") -> Floats:
    """Give for each state what the second best action loses; 0 where there is no choice or it makes no difference."""
    graph, choice = solution.explored.graph, solution.result.values.choice
    moving = np.flatnonzero((choice >= 0) & (np.diff(graph.action_start) > 1))
    others = action_losses(solution)
    others[graph.action_start[moving] + choice[moving]] = np.inf
    loss = _by_state(solution, others, moving, np.minimum)
    return np.where(loss > NOTHING, loss, 0.0)


def _by_state(solution: "GraphSolution", lost: Floats, moving: Ints, pick: np.ufunc) -> Floats:
    """Pick one loss for each of these states; 0 for others."""
    flat, begin = gather(solution.explored.graph.action_start, moving)
    found = np.zeros(solution.explored.graph.n_states)
    if len(moving):
        found[moving] = pick.reduceat(lost[flat], begin)
    return found


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
            *_columns(game, state)[1], game.show_action(ranked[0].action), game.show_action(ranked[1].action),
            words.cost(ranked[1].loss), often(seen[number]), words.cost(weighed[number]),
        ))  # fmt: skip
    if not rows:
        return []
    return [
        Heading("The decisions that matter most"),
        Prose(
            "What playing the second best move just once would lose, times how often best play meets the position: a decision "
            "ranks high if it "
            f"comes up often, costs much, or both. Losses in {words.unit}."
        ),
        Grid([*_columns(game, state)[0], "best", "second best", "loss", "how often", "mean loss"], rows),
    ]


def greedy_slips(solution: "GraphSolution", seen: Floats) -> list[Block]:
    """Where the move that looks best at once costs most along best play."""
    game, greedy = solution.game, Greedy()
    words = solution.objective.words(game)
    lost = action_losses(solution)
    stake = _by_state(solution, lost, np.flatnonzero(solution.result.values.choice >= 0), np.maximum)
    asked = np.flatnonzero((seen > NOTHING) & (stake > NOTHING))
    most = len(asked) > MOST_ASKED
    if most:
        asked = np.sort(asked[np.argsort(-(stake * seen)[asked], kind="stable")[:MOST_ASKED]])
    states, start = solution.explored.states, solution.explored.graph.action_start
    found: list[tuple[float, int, Any, float]] = []
    for first in range(0, len(asked), AT_ONCE):
        numbers = asked[first : first + AT_ONCE].tolist()
        met = [states[number] for number in numbers]
        prefetch(game, met)
        for number, state in zip(numbers, met, strict=True):
            move = next(iter(greedy.weights(game, state)))
            loss = float(lost[start[number] + list(game.actions(state)).index(move)])
            if NOTHING < loss < float("inf"):
                found.append((loss * float(seen[number]), number, move, loss))
    found.sort(key=lambda row: (-row[0], row[1]))
    rows = [
        (
            *_columns(game, states[number])[1], game.show_action(move),
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
        Grid([*_columns(game, states[found[0][1]])[0], "tempting", "best", "loss", "how often"], rows),
    ]


def _columns(game: Any, state: Any) -> tuple[list[str], list[str]]:
    """Give the parts of a position: the labels that the game has for them, and what they are."""
    labels = {part["name"]: render(part["label"]) for part in view_of(game).parts(state)}
    columns = notation_of(game).columns(state)
    return [labels.get(name, name) for name in columns], list(columns.values())


def _top(weighed: Floats) -> Sequence[int]:
    order = np.argsort(-weighed, kind="stable")[:SHOWN]
    return [int(number) for number in order if weighed[number] > NOTHING]


def often(times: float) -> str:
    """Write how often a position is met.

    >>> often(0.25), often(1.5)
    ('25.00 %', '1.50 times')
    """
    return f"{100 * times:.2f} %" if times <= 1 + 1e-9 else f"{times:.2f} times"
