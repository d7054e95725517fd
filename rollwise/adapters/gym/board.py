"""What an environment is played on: observations, numbered actions, and what a move leads to.

A *spot* is where a game stands when the agent has to move, or is over; `START` is before the first roll. There the agent has
nothing to decide: any action rolls. So every roll belongs to an episode, and its expected return from `START` is the value of
the game. An action that is not allowed is taken for the first one that is: an agent that ignores the mask plays the same
game, with some actions that mean the same.
"""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete, Space

from rollwise.adapters.gym.task import Rival
from rollwise.errors import GameError
from rollwise.model.game import Game
from rollwise.model.objective import Objective
from rollwise.solvers.graph.arrays import Explored

__all__ = ["START", "Board", "Mask", "Step", "Transitions"]

START: Any = None
Mask = npt.NDArray[np.int8]
Transitions = dict[int, dict[int, list[tuple[float, int, float, bool]]]]
"""What actions lead to, by observation and action: probability, next observation, reward, whether that is the end."""


class Step(NamedTuple):
    """What a move led to."""

    spot: Any
    reward: float
    over: bool


class Board(ABC):
    """A game as an agent meets it; `game` is the one that is walked for the objective."""

    game: Game[Any, Any, Any]
    objective: Objective
    rival: Rival
    actions: tuple[str, ...]
    """The actions by number, as the game writes them."""
    observation_space: Space[Any]
    explored: Explored | None = None
    """The whole game as arrays, where its positions are numbered."""

    @property
    def action_space(self) -> Discrete:
        return Discrete(len(self.actions))

    @abstractmethod
    def observe(self, spot: Any) -> Any:
        """Give what is seen at a spot."""

    @abstractmethod
    def allowed(self, spot: Any) -> list[int]:
        """List the numbers of the actions that are allowed at a spot, in the game's order; at `START` there is only 0."""

    @abstractmethod
    def go(self, spot: Any, place: int, random: np.random.Generator) -> Step:
        """Take an action by its place among those that are allowed, and roll."""

    @abstractmethod
    def mover(self, spot: Any) -> int:
        """Say who has to move at a spot at which the game is not over."""

    def move(self, spot: Any, place: int, random: np.random.Generator) -> Step:
        """Take an action, roll, and let the rival move."""
        spot, reward, over = self.go(spot, place, random)
        while not over and self.mover(spot):
            spot, more, over = self.go(spot, self.rival.place(self.position(spot), random), random)
            reward += more
        return Step(spot, reward, over)

    @abstractmethod
    def show(self, spot: Any) -> str:
        """Write a spot as text."""

    @abstractmethod
    def position(self, spot: Any) -> Any:
        """Give the state of the game at a spot that is not `START`."""

    def transitions(self) -> Transitions:
        """Give all that may happen, as `FrozenLake` does in `P`. Raises `GameError` where that cannot be listed."""
        raise GameError("P lists positions by their numbers: make the environment with observation='number'")

    def vectorized(self, count: int) -> Any:
        """Give so many games of it at once, by arrays; None: one by one, by the rules."""
        return None

    def mask(self, spot: Any) -> Mask:
        """Mark the actions that are allowed."""
        found = np.zeros(len(self.actions), dtype=np.int8)
        found[self.allowed(spot)] = 1
        return found

    def place(self, spot: Any, action: int, *, strict: bool) -> int:
        """Find an action among those that are allowed. Raises `GameError` for another one if requested."""
        allowed = self.allowed(spot)
        if strict and 0 <= action < len(self.actions) and action not in allowed:
            raise GameError(f"action {action}, {self.actions[action]!r}, is not allowed at {self.show(spot)}: see action_mask")
        return self.place_among(allowed, action)

    def place_among(self, allowed: list[int], action: int) -> int:
        """Find an action in a list; the first one stands for those that are not in it."""
        if not 0 <= action < len(self.actions):
            raise GameError(f"action {action}: expected a number from 0 to {len(self.actions) - 1}")
        return allowed.index(action) if action in allowed else 0

    def spot(self, observation: Any) -> Any:
        """Give the spot that an observation is of. Raises `GameError` where observations are not numbers."""
        raise GameError("an observation by features is not looked up: make the environment with observation='number'")
