"""The general way: explore a game by its rules, also one of a family whose compact form does not read all of them."""

from typing import Any

from rollwise.errors import GameError
from rollwise.forms.base.overrides import Unread
from rollwise.forms.graph.explore import Explored, OverBudget, explore
from rollwise.forms.partitions.solution import GROUPS
from rollwise.forms.rerolls.solution import WORDS
from rollwise.forms.sheets.reading import SHEETS
from rollwise.model.game import Game, Progress
from rollwise.model.lift import LiftedGame
from rollwise.model.objective import Objective
from rollwise.model.policy import Greedy, Policy

__all__ = ["explore_rules", "unread"]

FAMILIES = (SHEETS, WORDS, GROUPS)


def unread(game: Game[Any, Any, Any], objective: Objective, policy: Policy | None = None) -> Unread | None:
    """Find what keeps a game from the compact form of its family: None if it has no such form, or is read by it.

    A score sheet's form follows simple policies too, and then takes the family's greed for granted.

    >>> from rollwise import Expected
    >>> from rollwise.games import load
    >>> game = load("yazy")
    >>> game.payoff = lambda state: 1
    >>> print(unread(game, Expected()))
    Yazy overrides payoff(), which the compact form of a score sheet does not read
    """
    rules = game.game if isinstance(game, LiftedGame) else game
    for family in FAMILIES:
        if isinstance(rules, family.owner) and isinstance(objective, family.objectives):
            return family.unread(rules, ("greed",) if family is SHEETS and isinstance(policy, Greedy) else ())
    return None


def explore_rules(
    game: Game[Any, Any, Any],
    objective: Objective,
    *,
    max_states: int,
    progress: Progress | None = None,
    policy: Policy | None = None,
) -> Explored:
    """Explore a game as `explore` does; where it is too large, name the rules that keep it from its compact form."""
    why = unread(game, objective, policy)
    if why and why.least > max_states:
        raise GameError(
            f"{why}, and it has at least {why.least:,} positions, over the budget of {max_states:,}: make it smaller or raise "
            "max_states"
        )
    try:
        return explore(game, objective, max_states=max_states, progress=progress)
    except OverBudget as error:
        if why is None:
            raise
        raise GameError(f"{why}, and {error}") from None
