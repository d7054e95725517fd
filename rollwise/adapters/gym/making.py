"""Which board a game is played on."""

from typing import Literal

from rollwise.adapters.gym.board import Board
from rollwise.adapters.gym.described import Described, is_described
from rollwise.adapters.gym.numbered import Numbered
from rollwise.adapters.gym.task import Task, least_positions
from rollwise.errors import GameError, one_of
from rollwise.model.abilities import in_columns
from rollwise.model.view import view_of
from rollwise.solvers.choose_solver import explore_rules
from rollwise.solvers.graph.explore import OverBudget

__all__ = ["NUMBERED", "Observation", "make_board"]

Observation = Literal["auto", "number", "features"]

NUMBERED = 3_000_000
"""Positions that are numbered, at most."""
WALKED = 30_000
"""As many where they are found one by one and the game has features: about half a second."""


def make_board(task: Task, observation: Observation, max_states: int) -> Board:
    """Give the board that is asked for; of itself, numbers where that takes no time to speak of."""
    one_of("observation", observation, ("auto", "number", "features"))
    if observation == "features":
        return Described(task)
    walked = task.objective.restate(task.game)
    if observation == "number" or in_columns(walked) is not None or not is_described(walked):
        return _numbered(task, max_states)
    if least_positions(task.game, task.objective) > WALKED:
        return Described(task)
    try:
        return _numbered(task, min(WALKED, max_states))
    except OverBudget:
        return Described(task)


def _numbered(task: Task, max_states: int) -> Numbered:
    least = least_positions(task.game, task.objective)
    if least > max_states:
        raise GameError(
            f"{view_of(task.game).title} has at least {least:,} positions, over the budget of {max_states:,} to be numbered: "
            "see it by "
            "features, observation='features'"
        )
    explored = getattr(task.given, "explored", None) or explore_rules(task.game, task.objective, max_states=max_states)
    return Numbered(explored, task.rival(explored.game))
