"""What looks best at once, and which decisions were obvious.

A decision is obvious if the move that looks best at once (that of the greedy strategy) is a best one, and a best one was played:
it says nothing about how well somebody plays. Error rates in backgammon leave out such decisions in the same way.
"""

from typing import Any

from rollwise.model.game import Game
from rollwise.model.policy import Greedy, policy_weights
from rollwise.playing.grade import Step
from rollwise.solvers.base.solution import Solution

__all__ = ["ROUNDING", "is_obvious", "obvious_move"]

ROUNDING = 1e-9
"""Losses below this are rounding: none."""


def obvious_move(game: Game[Any, Any, Any], state: Any) -> Any:
    """Give the move that looks best at once.

    >>> from rollwise.games import load
    >>> game = load("slots")
    >>> obvious_move(game, game.read_state("all 0 6"))
    'x3'
    """
    return next(iter(policy_weights(Greedy(), game, state)))


def is_obvious(solution: Solution, step: Step) -> bool:
    """Say whether the decision of a move was obvious.

    >>> import rollwise
    >>> game = rollwise.start_game(rollwise.solve("slots")).rolled("all 0 6")
    >>> [is_obvious(game.solution, game.moved(action).steps[0]) for action in ("x3", "x2even")]
    [False, False]
    """
    if step.loss >= ROUNDING:
        return False
    looks = obvious_move(solution.game, step.state)
    return looks == step.action or next(move.loss for move in solution.ranked(step.state) if move.action == looks) < ROUNDING
