"""The exact worth of any strategy, without simulation.

A policy turns every state into a chance node. In a general game the explored graph is rewritten so: a state's only action
leads to a roll over its chosen actions, and the ordinary engines solve the result, with a certificate. A score sheet is
followed turn by turn on its compact form.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.forms.base.solution import GraphSolution, Number
from rollwise.forms.graph.certify import Certificate, certify
from rollwise.forms.graph.explore import MAX_STATES, Explored, Graph
from rollwise.forms.graph.run import Result, run
from rollwise.forms.sheets.expected import SheetSolution, form_digest
from rollwise.forms.sheets.follow import evaluate_sheet
from rollwise.forms.sheets.reading import sheet_form
from rollwise.games.sheet import Sheet
from rollwise.model.faults import blaming
from rollwise.model.game import Game, Progress, aim_of, wants_game
from rollwise.model.objective import Expected, Objective
from rollwise.model.policy import Greedy, Optimal, Policy, Random, chosen_actions, wants_policy
from rollwise.solving.general import explore_rules, unread

__all__ = ["Evaluation", "evaluate", "follow"]


@dataclass(frozen=True)
class Evaluation:
    """What a strategy is worth from the start; infinite under `Fewest` if it may never end."""

    value: Number
    certificate: Certificate


def evaluate(
    game: Game[Any, Any, Any],
    policy: Policy,
    objective: Objective | None = None,
    *,
    exact: bool = False,
    max_states: int = MAX_STATES,
    progress: Progress | None = None,
) -> Evaluation:
    """Work out what `policy` is worth in `game`.

    >>> from rollwise import Greedy, Random
    >>> from rollwise.games import load
    >>> evaluate(load("slots"), Greedy(), exact=True).value
    Fraction(587, 7776)

    Raises `GameError` for a policy that plays something that is not an action, or a points game that it may never end.
    """
    wants_game(game, "evaluate")
    wants_policy(policy, "evaluate")
    with blaming(game):
        objective = aim_of(game, objective)
    if isinstance(game, Sheet) and isinstance(objective, Expected) and not exact and _reads(game, objective, policy):
        value, bound = evaluate_sheet(game, _guide(game, policy), random=isinstance(policy, Random), progress=progress)
        return Evaluation(value, Certificate(False, True, 0.0, 0.0, bound))
    explored = explore_rules(game, objective, max_states=max_states, progress=progress, policy=policy)
    result, certificate = follow(explored, policy, exact=exact)
    worth = result.work.pending[0] if result.pending_exact is None else result.pending_exact[0]
    worth, certificate = worth / explored.unit, certificate.scaled(explored.unit)
    if explored.graph.maximise:
        if worth == float("-inf"):
            raise GameError("the policy may never end the game: it has no expected total")
        return Evaluation(worth if isinstance(worth, Fraction) else float(worth), certificate)
    return Evaluation(0 - worth if isinstance(worth, Fraction) else float(0 - worth), certificate)


def _reads(sheet: Sheet, objective: Objective, policy: Policy) -> bool:
    """Say whether a sheet and a policy can be followed on the compact form."""
    elsewhere = isinstance(policy, Optimal) and isinstance(policy.solution, GraphSolution)
    return isinstance(policy, Optimal | Greedy | Random) and not elsewhere and unread(sheet, objective, policy) is None


def _guide(game: Sheet, policy: Policy) -> Any:
    """The table of values a sheet policy looks at: the solution's own, or nothing beyond the turn."""
    if not isinstance(policy, Optimal):
        return None
    if not isinstance(policy.solution, SheetSolution) or policy.solution.exact:
        raise GameError("this policy's solution is not that of a score sheet in floating point: solve the sheet itself")
    if policy.solution.game is not game and form_digest(sheet_form(game)) != policy.solution.fingerprint:
        raise GameError("this policy's solution is that of another sheet: solve the sheet itself")
    return np.asarray(policy.solution.table)


def follow(explored: Explored, policy: Policy, *, exact: bool = False) -> tuple[Result, Certificate]:
    """Solve the graph in which the player follows `policy`."""
    graph = _followed(explored, policy)
    result = run(graph, exact=exact)
    return result, certify(graph, result)


def _followed(explored: Explored, policy: Policy) -> Graph:
    """Add, for every state with actions, a roll over what the policy does, and a forced state for each such action."""
    graph, game = explored.graph, explored.game
    n_states, n_pendings = graph.n_states, graph.n_pendings
    first_action, action_pending, action_gain = [0], [], []
    outcome, weight, start = [], [], [len(graph.outcome_state)]
    forced: list[tuple[int, int]] = []
    for number, state in enumerate(explored.states):
        actions = list(game.actions(state))
        if actions:
            for action, share in chosen_actions(game, policy, state, actions):
                outcome.append(n_states + len(forced))
                weight.append(share)
                flat = int(graph.action_start[number]) + action
                forced.append((int(graph.action_pending[flat]), int(graph.action_gain[flat])))
            action_pending.append(n_pendings + len(start) - 1)
            action_gain.append(0)
            start.append(len(graph.outcome_state) + len(outcome))
        first_action.append(len(action_pending))
    action_pending += [pending for pending, _ in forced]
    action_gain += [gain for _, gain in forced]
    first_action += range(first_action[-1] + 1, len(action_pending) + 1)
    return replace(
        graph,
        state_payoff=np.concatenate([graph.state_payoff, np.zeros(len(forced), dtype=np.int64)]),
        state_mover=np.zeros(n_states + len(forced), dtype=np.uint8),
        action_start=np.array(first_action),
        action_pending=np.array(action_pending, dtype=np.int64),
        action_gain=np.array(action_gain, dtype=np.int64),
        pending_cost=np.concatenate([graph.pending_cost, np.zeros(len(start) - 1, dtype=np.int64)]),
        outcome_start=np.concatenate([graph.outcome_start[:-1], np.array(start)]),
        outcome_state=np.concatenate([graph.outcome_state, np.array(outcome, dtype=np.int64)]),
        outcome_weight=np.concatenate([graph.outcome_weight, np.array(weight, dtype=np.int64)]),
    )
