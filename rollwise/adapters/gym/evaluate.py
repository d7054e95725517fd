"""What an agent is worth, exactly: its policy is followed through the whole game, and compared with the best one.

An agent is asked as an environment asks it, by observations, and only about positions that it comes to.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from inspect import Parameter, signature
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.adapters.gym.board import Board
from rollwise.adapters.gym.task import Task, least_positions
from rollwise.errors import GameError, brief
from rollwise.model.game import Game
from rollwise.model.view import view_of
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.options import MAX_STATES
from rollwise.solvers.base.solution import Number
from rollwise.solvers.graph.bound import value_strategy
from rollwise.solvers.graph.moves import Taken

__all__ = ["AgentEvaluation", "evaluate_agent"]

Ints = npt.NDArray[np.int64]
FINE = 1 << 40
"""Chances of a policy are rounded to this fraction."""


@dataclass(frozen=True)
class AgentEvaluation:
    """What an agent is worth, what the best one is, and how much is lost: points, chances or rolls, as the objective counts.

    `certificate` proves `value`; its `error_bound` says how far that may be off.
    """

    value: Number
    optimum: Number
    certificate: Certificate

    @property
    def regret(self) -> Number:
        """How much worse than the best agent it is on average; never below 0 but by rounding."""
        best, own = self.optimum, self.value
        if isinstance(best, Fraction) and isinstance(own, Fraction):
            return abs(best - own)
        return abs(float(best) - float(own))

    def __str__(self) -> str:
        return f"worth {float(self.value):.6g}, best {float(self.optimum):.6g}, regret {float(self.regret):.3g}"


def evaluate_agent(policy: Any, env: Any, *, batch: bool = False, exact: bool = False) -> AgentEvaluation:
    """Compute exactly what an agent is worth in an environment that `make_env` or `make_vec` made, and its regret.

    >>> from rollwise.gym import make_env
    >>> env = make_env("slots")
    >>> print(evaluate_agent(lambda observation, mask: mask.argmax(), env))
    worth 0.00604424, best 0.296146, regret 0.29
    >>> print(evaluate_agent(env.best, env))
    worth 0.296146, best 0.296146, regret 0

    `policy` is a function from an observation, or from an observation and its mask, to an action, or to a chance for each; or a
    table by observation of either; or a `rollwise.policies.Policy`. With `batch` a function takes many observations at once. An
    action that is not allowed counts as the first one that is, as in the environment. With `exact` all values are fractions.
    Raises `GameError` for a game that is too large to be followed, or a policy that may never end one played for points.
    """
    plain = getattr(env, "unwrapped", env)
    task, board = getattr(plain, "task", None), getattr(plain, "board", None)
    if task is None or board is None:
        raise GameError(f"evaluate_agent was given {brief(env)} as environment: expected what make_env or make_vec gives")
    found = _worth(policy, task, board, batch=batch, exact=exact)
    return AgentEvaluation(found[0], task.exact_optimum if exact else task.optimum, found[1])


def _worth(policy: Any, task: Task, board: Board, *, batch: bool, exact: bool) -> tuple[Number, Certificate]:
    if callable(getattr(policy, "weights", None)):
        found = task.worth(policy, exact=exact)
        return found.value, found.certificate
    agent = Agent(policy, board, batch=batch)
    explored = board.explored
    if explored is not None:
        value, certificate = value_strategy(explored, agent.taken, exact=exact)
        if task.objective.counts == "points" and value in (inf, -inf):
            raise GameError("the policy may never end the game: it has no expected total")
        return value, certificate
    least = least_positions(task.game, task.objective)
    if least > MAX_STATES:
        raise GameError(
            f"{view_of(task.game).title} has at least {least:,} positions, over the {MAX_STATES:,} that an agent is asked about: "
            "evaluate it "
            "on fewer boxes, or play it with make_vec"
        )
    found = task.worth(agent, exact=exact)
    return found.value, found.certificate


class Agent:
    """A policy of observations as one of positions."""

    name = "agent"

    def __init__(self, policy: Any, board: Board, *, batch: bool) -> None:
        self.board, self.batch = board, batch
        self.table = _table(policy, board)
        self.function = policy if self.table is None else None
        self.sees_mask = self.table is None and _takes_two(policy)

    def weights(self, game: Game[Any, Any, Any], state: Any) -> Mapping[Any, int]:
        """Say what is done in a state, for `evaluate`."""
        seen, mask = self.board.observe(state), self.board.mask(state)
        if self.batch:
            seen, mask = _batched(seen), mask[None]
        answer = np.asarray(self._asked(seen, mask))[0] if self.batch else self._asked(seen, mask)
        actions = list(game.actions(state))
        found: dict[Any, int] = {}
        for place, weight in _places(answer, self.board.allowed(state), self.board):
            found[actions[place]] = found.get(actions[place], 0) + weight
        return found

    def taken(self, states: Ints) -> Taken:
        """Say what is done in some states of a numbered game, player 1 included."""
        board: Any = self.board
        rows: list[list[tuple[int, int]]] = [[] for _ in states]
        movers = board.graph.state_mover[states]
        for row in np.flatnonzero(movers).tolist():
            rows[row] = board.rival.chosen(board.explored.states[int(states[row])])
        own = np.flatnonzero(movers == 0)
        for row, answer in zip(own.tolist(), self._answers(states[own]), strict=True):
            rows[row] = _places(answer, board.allowed(int(states[row])), board)
        flat = [one for row in rows for one in row]
        count = np.array([len(row) for row in rows], dtype=np.int64)
        return Taken(count, *(np.array([one[i] for one in flat], dtype=np.int64) for i in range(2)))

    def _answers(self, states: Ints) -> Any:
        """Ask about many states."""
        if self.table is not None:
            return [self._asked(number + 1, None) for number in states.tolist()]
        if self.batch:
            masks = np.array([self.board.mask(number) for number in states.tolist()]) if self.sees_mask else None
            return np.asarray(self._asked(states + 1, masks)) if len(states) else ()
        return [self._asked(number + 1, self.board.mask(number)) for number in states.tolist()]

    def _asked(self, seen: Any, mask: Any) -> Any:
        if self.table is not None:
            try:
                return self.table[seen]
            except (KeyError, IndexError):
                where = self.board.show(seen - 1)
                raise GameError(f"the table says nothing about observation {seen}, {where}: add it") from None
        function: Any = self.function
        return function(seen, mask) if self.sees_mask else function(seen)


def _table(policy: Any, board: Board) -> Any:
    """A table of actions or chances by observation; None for a function."""
    if callable(policy):
        return None
    if isinstance(policy, Mapping):
        return policy
    table = np.asarray(policy)
    if board.explored is None or table.ndim not in (1, 2) or table.dtype.kind not in "iuf":
        raise GameError(
            f"evaluate_agent was given {brief(policy)} as policy: expected a function, or a table by numbered observations"
        )
    return table


def _takes_two(function: Any) -> bool:
    """Say whether a function takes a mask, too."""
    try:
        taken = signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    needed = [one for one in taken if one.kind in kinds and one.default is Parameter.empty]
    return len(needed) > 1 or any(one.name == "mask" for one in taken)


def _batched(seen: Any) -> Any:
    return {name: row[None] for name, row in seen.items()} if isinstance(seen, dict) else np.array([seen])


def _places(answer: Any, allowed: list[int], board: Board) -> list[tuple[int, int]]:
    """Read what an agent answered: an action, or a chance for each; by places among those allowed, each with a weight."""
    chances = np.asarray(answer)
    if chances.ndim == 0 and chances.dtype.kind in "iub":
        return [(board.place_among(allowed, int(chances)), 1)]
    size = len(board.actions)
    if chances.shape != (size,) or chances.dtype.kind != "f" or not (chances >= 0).all() or not 0 < chances.sum() < inf:
        raise GameError(f"the policy gave {brief(answer)}: expected an action from 0 to {size - 1}, or {size} chances")
    weights = np.rint(chances / chances.sum() * FINE).astype(np.int64)
    found: dict[int, int] = {}
    for action in np.flatnonzero(weights).tolist():
        place = board.place_among(allowed, action)
        found[place] = found.get(place, 0) + int(weights[action])
    return sorted(found.items())
