"""The exact distribution of the final score, or of the number of rolls, under the optimal or any other strategy.

A forward pass: probability mass starts at the first roll and follows the strategy until all of it has ended; a form follows what
it can on its own arrays, the graph of the game everything else. Where a game may go on for ever the pass stops when less than
1e-12 is left; `rest` says how much.
"""

from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from rollwise.errors import GameError, PositionError
from rollwise.model.abilities import unlift, unlifted
from rollwise.model.faults import blaming
from rollwise.model.game import Progress
from rollwise.model.objective import Objective
from rollwise.model.policy import Optimal, Policy, PolicyLike, policy_of
from rollwise.solvers.base.abilities import Follows, HasGraph, LooksAhead, ability
from rollwise.solvers.base.distribution import QUANTILES, Distribution, Follow, Spent, Work
from rollwise.solvers.base.solution import Solution, require_solution
from rollwise.solvers.choose_solver import explore_rules
from rollwise.solvers.graph.explore import MAX_STATES
from rollwise.solvers.graph.follow import graph_distribution

__all__ = ["QUANTILES", "Distribution", "distribution", "is_decided", "outlooks", "quick_outlooks", "win_chance"]

A_ROLL = 1500
"""Outcomes that take as long to follow as going from one roll to the next."""


def win_chance(found: Distribution, objective: Objective) -> float:
    """Give what a total with this distribution is worth to an objective: the chance that it wins.

    >>> from rollwise import Against
    >>> win_chance(Distribution("points", 0, np.array([0.5, 0.0, 0.5])), Against({0: 1, 1: 1}))
    0.625
    """
    if objective.mark is not None:
        return found.at_least(objective.mark)
    worth = [float(objective.worth(total)) for total in found.values.tolist()]
    return float(np.array(worth) @ found.chance)


def is_decided(found: Distribution, objective: Objective) -> bool:
    """Say whether a total is nothing but who has won: no points to take a mean of.

    >>> from rollwise import AtLeast
    >>> [is_decided(Distribution("points", 0, np.full(most, 1 / most)), AtLeast(1)) for most in (2, 3)]
    [True, False]
    """
    totals = found.values[found.chance > 0].tolist()
    return objective.wins and all(objective.worth(total) == Fraction(total, objective.unit) for total in totals)


def distribution(
    solution: Solution,
    policy: PolicyLike | None = None,
    *,
    start: Any = None,
    max_bytes: int | None = None,
    progress: Progress | None = None,
) -> Distribution:
    """Compute the exact distribution of the total (under `Fewest`, of the cost) under a policy; default: the optimal one.

    >>> import rollwise
    >>> solution = rollwise.solve("slots")
    >>> final = distribution(solution)
    >>> round(final.at_least(45) * 46656), final.quantile(0.5)
    (13817, 40)
    >>> distribution(solution, start="x3,flip,bin 21 2").quantile(0.5)
    36

    With `start`, it counts what is still to come from a position: a state, its text, or a pending roll. `max_bytes` bounds the
    memory that this takes; default: most of this machine's. Raises `GameError` for a game that is too large, or a policy that
    plays something that is not an action; `PositionError` for a position that does not occur.
    """
    require_solution(solution, "distribution")
    policy = None if policy is None else policy_of(policy, "distribution")
    if not solution.objective.follows:
        raise GameError(f"{solution.objective} is won, tied or lost, and has no total to follow: use evaluate")
    if start is not None and policy is not None and getattr(policy, "solution", None) is not solution:
        raise GameError("a policy other than the optimal one can be followed from the start of the game only: leave start out")
    follow = Follow(max_bytes, progress)
    if start is None:
        return _distribution(solution, policy, solution.game.start(), follow)
    state = ability(solution, HasGraph).canonical_state(start)
    with suppress(PositionError):
        return _distribution(solution, policy, state, follow)
    action = solution.best(state)
    gain = unlifted(solution.game).gain(unlift(solution.game, state), action) if solution.objective.counts == "points" else 0
    found: Distribution = _distribution(solution, policy, solution.game.play(state, action), follow) + gain
    return found


def _distribution(solution: Solution, policy: Policy | None, pending: Any, follow: Follow) -> Distribution:
    own = policy is None or getattr(policy, "solution", None) is solution
    solution.value(pending, kind="pending")
    with blaming(solution.game):
        found = ability(solution, Follows).distribution(None if own else policy, pending, follow)
        if found is not None:
            return found
        return _by_rules(solution, Optimal(solution) if own or policy is None else policy, pending, follow)


def _by_rules(solution: Solution, policy: Policy, pending: Any, follow: Follow) -> Distribution:
    """Follow a policy on the graph of the game, which is explored for that."""
    game, objective = unlifted(solution.game), solution.objective
    explored = explore_rules(game, objective, max_states=MAX_STATES, progress=follow.progress, policy=policy)
    return graph_distribution(explored, policy, pending, follow)


def quick_outlooks(
    solution: Solution,
    pendings: list[Any],
    progress: Progress | None = None,
    *,
    build: bool = False,
    max_bytes: int | None = None,
) -> list[Distribution] | None:
    """Give the distributions of what is still to come as they are kept, each with a bound of its error; None: they are not.

    `build` works those of all positions out first, where that is possible.
    """
    return (
        ability(solution, LooksAhead).quick_distributions(pendings, Follow(max_bytes, progress), build=build) if pendings else []
    )


def outlooks(
    solution: Solution, pendings: list[Any], progress: Progress | None = None, *, work: Work | None = None
) -> list[Distribution | None]:
    """Give the distributions of what is still to come from some pending rolls under the optimal strategy.

    They are those of `distribution`, without what it says about boxes. When the `work` is spent, there are no more of them.
    """
    follow = Follow(None, progress if work is None else _counted(work, progress), work)
    found: list[Distribution | None] = []
    with suppress(Spent):
        together = ability(solution, Follows).distributions(pendings, follow) if pendings else []
        for number, pending in enumerate(pendings):
            one = _distribution(solution, None, pending, follow) if together is None else together[number]
            found.append(one.plain())
    return found + [None] * (len(pendings) - len(found))


def _counted(work: Work, progress: Progress | None) -> Progress:
    """Take some work, too, whenever progress is told: a roll costs something however little it leads to."""

    def told(what: str, done: int, total: int | None) -> None:
        work.take(A_ROLL)
        if progress:
            progress(what, done, total)

    return told
