"""Strategies as objects: what a player does in each state, as actions with integer weights.

A policy is anything with `weights(game, state)`. `Optimal`, `Greedy`, `Random`, `Choose` (a function) and `Table` (a mapping)
cover most uses; `evaluate` and `spread` take any of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rollwise.errors import GameError
from rollwise.forms.base.solution import Solution
from rollwise.model.game import Game

__all__ = ["Choose", "Greedy", "Optimal", "Policy", "Random", "Table"]


class Policy(Protocol):
    """A strategy: for every state with actions, which of them, with positive integer weights."""

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Say what is done in a state."""


@dataclass(frozen=True)
class Optimal:
    """The strategy of a solution."""

    solution: Solution

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Take the best action."""
        return {self.solution.best(state): 1}


@dataclass(frozen=True)
class Random:
    """Every action with the same chance.

    >>> from rollwise.games import load
    >>> game = load("slots")
    >>> Random().weights(game, game.read_state("x3,bin 30 6"))
    {'x3': 1, 'bin': 1}
    """

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Take any action."""
        return dict.fromkeys(game.actions(state), 1)


@dataclass(frozen=True)
class Greedy:
    """The action that looks best at once (`Game.greed`), the first listed among equals.

    In `slots` that is the slot that scores most now, on a score sheet the move that makes most of this turn, in `words` the
    reroll most likely to finish, in `groups` keeping whatever fits.

    >>> from rollwise.games import load
    >>> game = load("slots")
    >>> Greedy().weights(game, game.read_state("all 0 6"))
    {'x3': 1}
    """

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Take the action with the most greed."""
        actions = game.actions(state)
        greed = [game.greed(state, action) for action in actions]
        best = max(greed)
        close = 1e-9 * abs(best)
        return {next(a for a, g in zip(actions, greed, strict=True) if g >= best - close): 1}


@dataclass(frozen=True)
class Choose:
    """A function from state to action.

    >>> Choose(lambda state: "bin").weights(None, "any state")
    {'bin': 1}
    """

    function: Callable[[Any], Any]

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Take what the function says."""
        return {self.function(state): 1}


@dataclass(frozen=True)
class Table:
    """A mapping from state to action.

    Raises `GameError` for a state that is not in the table.
    """

    actions: Mapping[Any, Any]

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Take what the table says."""
        if state not in self.actions:
            raise GameError(f"the table says nothing about state {game.show_state(state)}: add it")
        return {self.actions[state]: 1}
