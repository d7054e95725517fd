"""Which board a game is played on."""

from typing import Literal

from rollwise.adapters.gym.board import Board
from rollwise.adapters.gym.numbered import Numbered
from rollwise.adapters.gym.task import Task
from rollwise.errors import one_of
from rollwise.solving.pick import explore_rules

__all__ = ["NUMBERED", "Observation", "make_board"]

Observation = Literal["auto", "number", "parts"]

NUMBERED = 3_000_000
"""Positions that are numbered, at most."""


def make_board(task: Task, observation: Observation, max_states: int) -> Board:
    """Give the board that is asked for."""
    one_of("observation", observation, ("auto", "number", "parts"))
    explored = getattr(task.given, "explored", None) or explore_rules(task.game, task.objective, max_states=max_states)
    return Numbered(explored, task.rival(explored.game))
