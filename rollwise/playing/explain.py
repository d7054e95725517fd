"""Why a move is good, in one plain sentence for players: what the game says, from what the solution knows."""

from collections.abc import Callable
from typing import Any

from rollwise.forms.base.solution import Solution
from rollwise.model.overrides import hook

__all__ = ["explain", "explainer"]


def explain(solution: Solution, state: Any, action: Any) -> str:
    """Say in one sentence what a move does.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> solution = rollwise.solve(load("yazy"))
    >>> state = solution.game.read_state("23455 1 straight,five-of-a-kind")
    >>> explain(solution, state, (2, 3, 4, 5))
    'keeps 2345 for straight: 40 points with 33 %'
    >>> solution = rollwise.solve(load("yazy", boxes="sixes,straight,five-of-a-kind"), rollwise.AtLeast(60))
    >>> state = solution.game.read_state("23455 1 straight,five-of-a-kind needs 42")
    >>> explain(solution, state, (2, 3, 4, 5))
    'keeps 2345 for straight: 40 points with 33 %; 42 still needed from 2 boxes'
    """
    return explainer(solution)(state, action)


def explainer(solution: Solution) -> Callable[[Any, Any], str]:
    """Give what says so of any state and action; who speaks for the game is found out once."""
    say = hook(solution.game, "say")
    return lambda state, action: str(say(state, action, solution.facts(state, action)))
