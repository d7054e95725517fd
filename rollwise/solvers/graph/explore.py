"""From rules to arrays: number every reachable state and pending roll.

`explore` walks a game breadth first and returns an `Explored`: the positions, their numbers, and a `Graph` of flat arrays
(`arrays`). Rules in columns are asked about whole frontiers (`columns`), others about one position after another (`walk`); both
number positions in the same order.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.games.users import GameLike, problem_of
from rollwise.model.abilities import in_columns
from rollwise.model.game import Game, Progress
from rollwise.model.lift import Remembers, explored_game
from rollwise.model.notation import notation_of
from rollwise.model.objective import Objective
from rollwise.solvers.graph.arrays import Explored, Graph, Ints, fixed, offsets
from rollwise.solvers.graph.columns import Size, count_columns, explore_columns
from rollwise.solvers.graph.recheck import recheck
from rollwise.solvers.graph.traverse import OverBudget, Traversal, integer

__all__ = ["MAX_STATES", "Explored", "Graph", "OverBudget", "count_positions", "explore", "explore_part", "walked"]

MAX_STATES = 5_000_000


def explore(
    game: GameLike,
    objective: Objective | str | None = None,
    *,
    max_states: int = MAX_STATES,
    progress: Progress | None = None,
) -> Explored:
    """Number the positions that a game can reach, and write its rules as arrays for an objective.

    >>> found = explore("slots")
    >>> found.graph.n_states, found.graph.n_pendings
    (8184, 1404)

    Raises `GameError` for more than `max_states` positions, and for faulty rules, naming the position.
    """
    game, objective = problem_of(game, objective, "explore")
    found = walked(explored_game(game, objective), objective, max_states, progress)
    graph = found.graph
    if objective.counts == "costs":
        if graph.pending_cost.min() < 0:
            raise GameError(f"pending {_where(found)} has a negative cost: {objective} needs costs of 0 or more")
        zero = np.zeros_like
        graph = replace(graph, maximise=False, action_gain=zero(graph.action_gain), state_payoff=zero(graph.state_payoff))
        return replace(found, graph=graph)
    if not objective.adds and graph.action_gain.any():
        remembers = _remembers(floor=bool(graph.action_gain.min() >= 0 and graph.state_payoff.min() >= 0))
        found = walked(explored_game(game, objective, remembers), objective, max_states, progress)
        found = replace(found, remembers=remembers)
        graph = found.graph
    elif not objective.adds:
        graph = replace(graph, state_payoff=_scored(graph, objective))
    graph = replace(graph, maximise=objective.better == "higher", pending_cost=np.zeros_like(graph.pending_cost))
    return replace(found, graph=graph, unit=objective.unit)


def _scored(graph: Graph, objective: Objective) -> Ints:
    """What the payoffs are worth where all points come at the end, in units."""
    over = np.flatnonzero(np.diff(graph.action_start) == 0)
    totals, place = np.unique(graph.state_payoff[over], return_inverse=True)
    worth = [integer("score()", objective.score(total)) for total in totals.tolist()]
    found = np.full(graph.n_states, integer("score()", objective.score(0)), dtype=np.int64)
    found[over] = np.array(worth, dtype=np.int64)[place]
    return found


def _remembers(*, floor: bool) -> Remembers:
    return "points" if floor else "signed points"


def count_positions(
    game: Game[Any, Any, Any], objective: Objective, *, max_states: int = MAX_STATES, progress: Progress | None = None
) -> Size | None:
    """Count what `explore` would find, in far less memory; None for rules that are not in columns.

    Raises `GameError` as `explore` does.
    """
    rules = in_columns(explored_game(game, objective))
    found = None if rules is None else count_columns(rules, max_states, progress)
    if found is None or objective.adds or objective.counts == "costs" or not found.gains:
        return found
    rules = in_columns(explored_game(game, objective, _remembers(floor=found.floor)))
    return None if rules is None else count_columns(rules, max_states, progress)


def _where(found: Explored) -> str:
    return notation_of(found.game).show_pending(found.pendings[int(found.graph.pending_cost.argmin())])


def explore_part(game: Game[Any, Any, Any], limit: int) -> tuple[Explored, bool]:
    """Expand about `limit` positions and say whether that is all of them; the rest are numbered but have no rows."""
    walk = Traversal(game, limit, None)
    walk.run(stop=True)
    return _explored(walk, game.objective), not walk.left()


def walked(game: Game[Any, Any, Any], objective: Objective, max_states: int, progress: Progress | None = None) -> Explored:
    """Number the positions of a game that is stated as its objective wants it; points and costs are as the rules have them."""
    rules = in_columns(game)
    if rules is not None:
        return explore_columns(game, rules, objective, max_states, progress)
    walk = Traversal(game, max_states, progress, alone=objective.counts == "costs")
    walk.run()
    found = _explored(walk, objective)
    if walk.of_user:
        recheck(found)
    return found


def _explored(walk: Traversal, objective: Objective) -> Explored:
    mover = np.frombuffer(bytes(walk.state_mover), np.uint8) if walk.state_mover else np.zeros(len(walk.actions), np.uint8)
    graph = Graph(
        maximise=True,
        state_payoff=fixed(walk.state_payoff.done()),
        state_mover=fixed(mover),
        action_start=fixed(offsets(walk.actions.done())),
        action_pending=fixed(walk.action_pending.done()),
        action_gain=fixed(walk.action_gain.done()),
        pending_cost=fixed(walk.pending_cost.done()),
        outcome_start=fixed(offsets(walk.outcomes.done())),
        outcome_state=fixed(walk.outcome_state.done()),
        outcome_weight=fixed(walk.outcome_weight.done()),
    )
    return Explored(walk.game, objective, walk.states, walk.pendings, walk.state_index, walk.pending_index, graph)
