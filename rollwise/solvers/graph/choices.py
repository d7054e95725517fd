"""The choices of a strategy in all states of a graph at once, as places of actions: of a solution, of a card, of two players."""

from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.model.game import Progress
from rollwise.solvers.graph.explore import Explored
from rollwise.solvers.graph.words import read_words

__all__ = ["choices_of"]

Ints = npt.NDArray[np.int64]


def choices_of(explored: Explored, policy: Any, progress: Progress | None = None) -> Ints | None:
    """Give the place of the action that a strategy takes in every state, -1 at an end; None: it must be asked state by state."""
    name = getattr(policy, "name", "")
    if name == "card":
        return _of_card(explored, policy, progress)
    if name == "players":
        return _of_players(explored, policy, progress)
    return _of_solution(explored, policy)


def _of_solution(explored: Explored, policy: Any) -> Ints | None:
    """The choices of a policy that is a solution's own strategy on these arrays, if there is one in every state."""
    solution = getattr(policy, "solution", None)
    if getattr(getattr(solution, "explored", None), "graph", None) is not explored.graph:
        return None
    choice: Ints = np.asarray(solution.result.values.choice)  # type: ignore[union-attr]
    return choice if ((choice >= 0) | (np.diff(explored.graph.action_start) == 0)).all() else None


def _of_card(explored: Explored, card: Any, progress: Progress | None) -> Ints:
    width = np.diff(np.asarray(explored.graph.action_start))
    choice = np.where(width > 0, 0, -1).astype(np.int64)
    asked = np.flatnonzero(width > 1)
    if asked.size:
        choice[asked] = read_words(explored, asked, progress, only=card).play(card).choice
    return choice


def _of_players(explored: Explored, players: Any, progress: Progress | None) -> Ints | None:
    first, second = (choices_of(explored, policy, progress) for policy in players.players)
    if first is None or second is None:
        return None
    return np.where(np.asarray(explored.graph.state_mover) == 0, first, second)
