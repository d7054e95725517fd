"""Why a move is good, in one plain sentence for players: what the game says, from what the solution knows."""

from typing import Any

from rollwise.forms.base.solution import Solution
from rollwise.model.overrides import hook

__all__ = ["explain"]


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
    said: str = hook(solution.game, "say")(state, action, solution.facts(state, action))
    return said
