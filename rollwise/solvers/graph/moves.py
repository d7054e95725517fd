"""What a strategy does in the states of a graph: which actions it takes, by their places, and with which weights.

The strategy of a solution, of a card, and of two players who have such strategies is known in all states at once, as an array of
choices. Any other is asked state by state, where it is met, and once each.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.errors import PositionError
from rollwise.model.abilities import prefetch
from rollwise.model.game import Progress
from rollwise.model.policy import Policy, chosen_actions
from rollwise.solvers.graph.arrays import Explored
from rollwise.solvers.graph.words import read_words

__all__ = ["FREE", "Ask", "Taken", "ask_choices", "ask_policy", "choices_of"]

Ints = npt.NDArray[np.int64]

FREE = 0
"""The weight of actions among which a player is free to choose the best."""
TICK = 256
AT_ONCE = 1000
"""States whose actions are computed together."""


class Taken(NamedTuple):
    """What is done in some states: how many actions are taken in each, and their places and weights, state by state."""

    width: Ints
    place: Ints
    weight: Ints


Ask = Callable[[Ints], Taken]
"""Takes the numbers of some states that are not over."""


def ask_policy(explored: Explored, policy: Policy, progress: Progress | None = None) -> Ask:
    """Give what says what a policy does in some states; where a player gives the best answer, all actions are `FREE`."""
    choice = choices_of(explored, policy, progress)
    return _Asked(explored, policy, progress).taken if choice is None else ask_choices(explored, choice)


def ask_choices(explored: Explored, choice: Ints) -> Ask:
    """Give what says what choices do in some states. Raises `PositionError` where there is none."""

    def ask(states: Ints) -> Taken:
        place, one = choice[states], np.ones(len(states), dtype=np.int64)
        if (place < 0).any():
            where = explored.game.show_state(explored.states[int(states[place < 0][0])])
            raise PositionError(f"state {where} has no best action: no strategy surely ends the game from there")
        return Taken(one, place, one)

    return ask


class _Asked:
    """A policy that is asked where it is met."""

    def __init__(self, explored: Explored, policy: Policy, progress: Progress | None) -> None:
        self.explored, self.policy, self.progress = explored, policy, progress
        self.is_free = getattr(policy, "is_free", lambda *_: False)
        self.known: dict[int, list[tuple[int, int]]] = {}

    def taken(self, states: Ints) -> Taken:
        rows = []
        for first in range(0, len(states), AT_ONCE):
            numbers = states[first : first + AT_ONCE].tolist()
            prefetch(self.explored.game, [self.explored.states[number] for number in numbers if number not in self.known])
            rows += [self._row(number) for number in numbers]
        flat = np.array([one for row in rows for one in row], dtype=np.int64).reshape(-1, 2)
        return Taken(np.array([len(row) for row in rows], dtype=np.int64), flat[:, 0], flat[:, 1])

    def _row(self, number: int) -> list[tuple[int, int]]:
        if number not in self.known:
            if self.progress and len(self.known) % TICK == 0:
                self.progress("moves read", len(self.known), self.explored.graph.n_states)
            game, state = self.explored.game, self.explored.states[number]
            actions = list(game.actions(state))
            if self.is_free(game, state):
                self.known[number] = [(place, FREE) for place in range(len(actions))]
            else:
                self.known[number] = chosen_actions(game, self.policy, state, actions)
        return self.known[number]


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
