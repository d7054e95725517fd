"""Strategies as objects: what a player does in each state, as actions with integer weights.

A policy is anything with `weights(game, state)`. `Optimal`, `Greedy`, `RandomPolicy`, `FunctionPolicy` (a function) and
`TablePolicy` (a mapping) cover most uses; `evaluate` and `distribution` take any of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from numbers import Real
from typing import Any, ClassVar, Protocol

from rollwise.errors import GameError, RollwiseError, brief
from rollwise.model.abilities import heuristic, project, single_player
from rollwise.model.faults import blame, describe_error, failed_rule
from rollwise.model.game import Game
from rollwise.model.roll import LARGEST, positive_weight

BEST_ANSWER = "best"
"""The policy of a player of `PolicyPair` who gives the best answer to the other."""

__all__ = [
    "BEST_ANSWER",
    "FunctionPolicy",
    "Greedy",
    "Optimal",
    "Policy",
    "PolicyLike",
    "PolicyPair",
    "RandomPolicy",
    "TablePolicy",
    "chosen_actions",
    "policy_of",
    "policy_weights",
]  # fmt: skip


class Policy(Protocol):
    """A policy: for every state with actions, the actions to take with positive integer weights.

    In lowest terms the weights of a state add up to less than 2**62.
    """

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Return the actions to take in a state, with their weights."""


class Solved(Protocol):
    """A solution, which is a policy by its best actions."""

    def best(self, state: Any, /) -> Any:
        """Return the best action in a state."""


PolicyLike = Policy | Solved | Mapping[Any, Any] | Callable[[Any], Any]
"""A policy, a solution, a mapping from state to action, or a function from state to action."""


def chosen_actions(game: Game[Any, Any, Any], policy: Policy, state: Any, actions: Sequence[Any]) -> list[tuple[int, int]]:
    """Give what a policy does in a state as (place of the action, weight), with the weights in lowest terms.

    Raises `GameError` for what is not an action there, and for weights that are not positive integers or add up to too much.
    """
    chosen = policy_weights(policy, game, state)
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
    """The optimal policy: the best action of a solution."""

    name: ClassVar[str] = "optimal"

    solution: Any

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Take the best action; where positions of the game hold more than those of the solution, by the common part."""
        known = self.solution.game
        more = single_player(known) is known and game is not known and single_player(game) is not game
        return {self.solution.best(project(game, state) if more else state): 1}


@dataclass(frozen=True)
class RandomPolicy:
    """A policy that takes every action with the same probability.

    >>> from rollwise.games import load
    >>> game = load("slots")
    >>> RandomPolicy().weights(game, game.read_state("x3,bin 30 6"))
    {'x3': 1, 'bin': 1}
    """

    name: ClassVar[str] = "random"

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Take any action."""
        return dict.fromkeys(game.actions(state), 1)


@dataclass(frozen=True)
class Greedy:
    """A policy that takes the action that looks best at once (`Heuristic`), the first listed among equals.

    In `slots` this is the slot that scores most now, on a score sheet the move that makes most of this turn, in `words` the
    reroll most likely to finish, in `groups` keeping everything that fits.

    >>> from rollwise.games import load
    >>> game = load("slots")
    >>> Greedy().weights(game, game.read_state("all 0 6"))
    {'x3': 1}
    """

    name: ClassVar[str] = "greedy"

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Take the action that looks best."""
        actions = game.actions(state)
        worth = [heuristic(game, state, action) for action in actions]
        try:
            best = max(worth)
            close = 1e-9 * abs(best)
        except TypeError:
            wrong = next((one for one in worth if not isinstance(one, Real)), worth)
            raise GameError(f"at state {game.show_state(state)}: heuristic() is {brief(wrong)}: expected a number") from None
        return {next(a for a, g in zip(actions, worth, strict=True) if g >= best - close): 1}


@dataclass(frozen=True)
class FunctionPolicy:
    """A policy that calls a function from state to action.

    >>> FunctionPolicy(lambda state: "bin").weights(None, "any state")
    {'bin': 1}
    """

    name: ClassVar[str] = "choose"

    function: Callable[[Any], Any]

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Take the action that the function returns."""
        return {self.function(state): 1}


@dataclass(frozen=True)
class TablePolicy:
    """A policy that looks up the action in a mapping from state to action.

    >>> TablePolicy({"end": "stop"}).weights(None, "end")
    {'stop': 1}

    Raises `GameError` for a state that is not in the table.
    """

    name: ClassVar[str] = "table"

    actions: Mapping[Any, Any] = field(repr=False)

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Take the action in the table."""
        if state not in self.actions:
            raise GameError(f"the table has no action for state {game.show_state(state)}: add it")
        return {self.actions[state]: 1}


@dataclass(frozen=True)
class PolicyPair:
    """The policies of two players; "best" is the best answer to the other player's policy.

    >>> from rollwise import evaluate, solve
    >>> from rollwise.games import load
    >>> sheet = load("yazy", boxes="ones,five-of-a-kind")
    >>> duellist, scorer = solve(sheet, "duel"), solve(sheet)
    >>> [round(evaluate(sheet, PolicyPair(*both), "duel").value, 6) for both in ((duellist, scorer), (scorer, duellist))]
    [0.640698, 0.340677]

    Raises `GameError` for anything else.
    """

    name: ClassVar[str] = "players"

    first: Any
    second: Any

    def __post_init__(self) -> None:
        for name, strategy in vars(self).items():
            if strategy != BEST_ANSWER:
                object.__setattr__(self, name, policy_of(strategy, "PolicyPair"))

    @property
    def players(self) -> tuple[Any, Any]:
        """The strategies of player 0 and of player 1."""
        return self.first, self.second

    def is_free(self, game: Game[Any, Any, Any], state: Any) -> bool:
        """Whether the player to move gives the best answer."""
        return bool(self.players[game.mover(state)] == BEST_ANSWER)

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Take the actions of the player to move."""
        if self.is_free(game, state):
            raise GameError("the best answer is computed from the whole game: use evaluate")
        return policy_weights(self.players[game.mover(state)], game, state)


def policy_of(thing: Any, caller: str) -> Policy:
    """Return a policy as it is, and make one of a solution, a mapping or a function.

    >>> policy_of({"end": "stop"}, "evaluate").weights(None, "end")
    {'stop': 1}

    Raises `GameError` for anything else.
    """
    if isinstance(thing, type):
        raise GameError(f"{caller} was given the class {thing.__name__} as policy: make an object of it, {thing.__name__}(...)")
    if callable(getattr(thing, "weights", None)):
        return thing  # type: ignore[no-any-return]
    if callable(getattr(thing, "ranked", None)):
        return Optimal(thing)
    if isinstance(thing, Mapping):
        return TablePolicy(thing)
    if callable(thing):
        return FunctionPolicy(thing)
    known = "a policy such as Greedy(), a solution, a function from state to action, or a mapping"
    raise GameError(f"{caller} was given {brief(thing)} as policy: expected {known}")


def policy_weights(policy: Policy, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
    """Return the weights of a policy in a state. Raises `GameError` with file and line for any error in it."""
    try:
        weights = policy.weights(game, state)
    except RollwiseError:
        raise
    except (Exception, SystemExit) as error:
        where = f"state {game.show_state(state)}"
        rule = failed_rule(error, game)
        raise GameError(
            blame(error, game, where) if rule else f"the policy failed at {where}: {describe_error(error)}"
        ) from error
    if not isinstance(weights, Mapping):
        where = f"state {game.show_state(state)}"
        raise GameError(f"the policy gives {brief(weights)} at {where}: expected a mapping from actions to weights")
    return weights
