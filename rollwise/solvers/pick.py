"""Which form solves a game, and the general way where a game's own rules keep it from the form of its family."""

from typing import Any

from rollwise.errors import EngineError, GameError, one_of
from rollwise.model.abilities import unlifted
from rollwise.model.game import Game, Progress
from rollwise.model.objective import Objective
from rollwise.model.policy import Policy
from rollwise.solvers.base.form import Form, Unread
from rollwise.solvers.base.how import How
from rollwise.solvers.graph.explore import Explored, OverBudget, explore
from rollwise.solvers.registry import forms

__all__ = ["engines", "explore_rules", "pick", "refuse_large", "unread"]

AnyGame = Game[Any, Any, Any]


def engines() -> tuple[str, ...]:
    """List the engines of all forms."""
    return tuple(engine for form in reversed(forms()) for engine in form.engines)


def pick(game: AnyGame, objective: Objective, how: How) -> Form:
    """Give the first form that solves a game so. Raises `EngineError` where none does."""
    if how.engine is not None:
        one_of("engine", how.engine, engines())
    found = next((form for form in forms() if form.accepts(game, objective, how)), None)
    if found is None and how.engine is not None:
        raise next(form for form in forms() if how.engine in form.engines).unfit(game, objective, how)
    if found is None and not objective.general:
        raise EngineError(
            f"this game cannot be solved for {objective}: that takes a score sheet without rules of its own, or {objective.name}"
        )
    if found is None:
        mode = f"precision {how.precision} on {how.backend.name}"
        raise EngineError(f"no form solves this game for {objective} with {mode}: use float64 on cpu")
    if how.backend.far and (how.exact or not found.layered):
        raise EngineError(f"this game is not solved in layers for {objective}{' exactly' * how.exact}: leave the cluster out")
    if how.checkpoint is not None and not found.layered:
        raise EngineError(f"this game is not solved in layers for {objective}: leave the checkpoint out")
    return found


def unread(game: AnyGame, objective: Objective, policy: Policy | None = None) -> Unread | None:
    """Find what keeps a game from the compact form of its family: None if it has no such form, or is read by it.

    >>> from rollwise import Expected
    >>> from rollwise.games import load
    >>> game = load("yazy")
    >>> game.payoff = lambda state: 1
    >>> print(unread(game, Expected()))
    Yazy overrides payoff(), which the compact form of a score sheet does not read
    """
    plain = unlifted(game)
    for form in forms():
        if form.reads and form.kin(plain, objective):
            return form.unread(plain, form.policy_reads(policy))
    return None


def refuse_large(game: AnyGame, objective: Objective, max_states: int, policy: Policy | None = None) -> Unread | None:
    """Find what keeps a game from its form, and refuse it where it is then surely too large. Raises `GameError`."""
    why = unread(game, objective, policy)
    if why and why.least > max_states:
        raise GameError(
            f"{why}, and it has at least {why.least:,} positions, over the budget of {max_states:,}: make it smaller or raise "
            "max_states"
        )
    return why


def explore_rules(
    game: AnyGame,
    objective: Objective,
    *,
    max_states: int,
    progress: Progress | None = None,
    policy: Policy | None = None,
) -> Explored:
    """Explore a game as `explore` does; where it is too large, name the rules that keep it from its compact form."""
    why = refuse_large(game, objective, max_states, policy)
    try:
        return explore(game, objective, max_states=max_states, progress=progress)
    except OverBudget as error:
        if why is None:
            raise
        raise GameError(f"{why}, and {error}") from None
