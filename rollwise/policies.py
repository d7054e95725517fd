"""Strategies as objects: what a player does in each state, as actions with integer weights.

A policy is anything with `weights(game, state)`. `Optimal`, `Greedy`, `Random`, `Choose` (a function) and `Table` (a mapping)
cover most uses; `evaluate` and `spread` take any of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, Protocol

from rollwise.errors import GameError
from rollwise.game import Game
from rollwise.graph import LARGEST
from rollwise.roll import positive_weight
from rollwise.solution import Solution

__all__ = ["Choose", "Greedy", "Optimal", "Policy", "Random", "Table", "chosen_actions"]


class Policy(Protocol):
    """A strategy: for every state with actions, which of them, with positive integer weights.

    In lowest terms the weights of a state add up to less than 2**62.
    """

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Say what is done in a state."""


def chosen_actions(game: Game[Any, Any, Any], policy: Policy, state: Any, actions: Sequence[Any]) -> list[tuple[int, int]]:
    """Give what a policy does in a state as (place of the action, weight), with the weights in lowest terms.

    Raises `GameError` for what is not an action there, and for weights that are not positive integers or add up to too much.
    """
    chosen = policy.weights(game, state)
    if not isinstance(chosen, Mapping):
        raise _refused(game, policy, state, f"its weights are {chosen!r}: expected a mapping from action to positive integer")
    if not chosen:
        raise GameError(f"the policy does nothing at state {game.show_state(state)}: expected at least one action")
    for action in chosen:
        if action not in actions:
            raise GameError(f"the policy plays {action!r} at state {game.show_state(state)}, which is not an action there")
    try:
        weights = [positive_weight(action, weight) for action, weight in chosen.items()]
    except ValueError as error:  # also for an integer too long to be written
        raise _refused(game, policy, state, str(error)) from None
    divisor = gcd(*weights)
    if sum(weights) // divisor >= LARGEST:
        raise _refused(game, policy, state, "the weights in lowest terms add up to 2**62 or more: use smaller ones")
    return [(actions.index(action), weight // divisor) for action, weight in zip(chosen, weights, strict=True)]


def _refused(game: Game[Any, Any, Any], policy: Policy, state: Any, reason: str) -> GameError:
    return GameError(f"the policy {type(policy).__name__} at state {game.show_state(state)}: {reason}")


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
