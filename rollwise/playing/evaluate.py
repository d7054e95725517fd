"""The exact worth of any strategy, without simulation: on a form that can follow it, else on the graph of the game."""

from math import inf
from typing import Any

from rollwise.errors import GameError
from rollwise.games.users import GameLike, problem_of
from rollwise.model.abilities import unlifted
from rollwise.model.game import Game, Progress
from rollwise.model.objective import Objective
from rollwise.model.policy import Policy, PolicyLike, policy_of
from rollwise.solvers.base.options import MAX_STATES, SolveOptions
from rollwise.solvers.base.solution import Evaluation
from rollwise.solvers.choose_solver import explore_rules
from rollwise.solvers.graph.bound import value_strategy
from rollwise.solvers.graph.explore import Explored
from rollwise.solvers.graph.moves import ask_policy
from rollwise.solvers.registry import solvers

__all__ = ["Evaluation", "evaluate"]


def evaluate(
    game: GameLike,
    policy: PolicyLike,
    objective: Objective | str | None = None,
    *,
    exact: bool = False,
    max_states: int = MAX_STATES,
    progress: Progress | None = None,
) -> Evaluation:
    """Compute what a policy is worth in a game, for an objective (default: the game's own).

    >>> from rollwise.policies import Greedy
    >>> evaluate("slots", Greedy(), exact=True).value
    Fraction(587, 7776)

    A solution, a mapping from state to action, or a function from state to action is a policy, too. Raises `GameError` for a
    policy that plays something that is not an action, or a game for points that it may never end.
    """
    game, objective = problem_of(game, objective, "evaluate")
    policy = policy_of(policy, "evaluate")
    options = SolveOptions(exact=exact, max_states=max_states, progress=progress)
    for solver in solvers():
        if solver.matches(game, objective) and solver.overridden(game, solver.policy_reads(policy)) is None:
            found = solver.evaluate(game, policy, objective, options)
            if found is not None:
                return found
    explored = _known(game, policy, objective) or explore_rules(
        game, objective, max_states=max_states, progress=progress, policy=policy
    )
    value, certificate = value_strategy(explored, ask_policy(explored, policy), exact=exact)
    if objective.counts == "points" and value in (inf, -inf):
        raise GameError("the policy may never end the game: it has no expected total")
    return Evaluation(value, certificate)


def _known(game: Game[Any, Any, Any], policy: Policy, objective: Objective) -> Explored | None:
    """The explored game, where the policy, or that of one of two players, is that of its solution."""
    for strategy in (policy, *getattr(policy, "players", ())):
        found: Explored | None = getattr(getattr(strategy, "solution", None), "explored", None)
        if found is not None and unlifted(found.game) is game and found.objective == objective:
            return found
    return None
