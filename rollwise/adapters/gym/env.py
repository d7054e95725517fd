"""One game as an environment of Gymnasium."""

from functools import cached_property
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec

from rollwise.adapters.gym.board import START, Board, Transitions
from rollwise.adapters.gym.described import Described, is_described
from rollwise.adapters.gym.numbered import Numbered
from rollwise.adapters.gym.task import Task, least_positions, make_task
from rollwise.errors import GameError, one_of
from rollwise.games.users import GameLike
from rollwise.model.abilities import in_columns
from rollwise.model.objective import Objective
from rollwise.model.policy import Policy
from rollwise.model.view import view_of
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.choose_solver import explore_rules
from rollwise.solvers.graph.explore import OverBudget

__all__ = ["NUMBERED", "DiceEnv", "Observation", "Solvable", "make_board", "make_env"]

Observation = Literal["auto", "number", "features"]

NUMBERED = 3_000_000
"""Positions that are numbered, at most."""
WALKED = 30_000
"""As many where they are found one by one and the game has features: about half a second."""


class Solvable:
    """What environments of a game that can be solved share."""

    task: Task
    _spec: EnvSpec | None = None
    _threshold: float | None = None

    @property
    def solution(self) -> Solution:
        """The solved game; solved on first use."""
        return self.task.solution

    @property
    def optimum(self) -> float:
        """The highest expected return of any agent, of player 0 where there are two; solved on first use."""
        return float(self.task.sign * self.task.optimum)

    @property
    def threshold(self) -> float | None:
        """The optimum, where that is known without solving."""
        return self._threshold if self.task.given is None else self.optimum

    @threshold.setter
    def threshold(self, known: float | None) -> None:
        self._threshold = known

    @property
    def spec(self) -> EnvSpec | None:
        """What Gymnasium knows of it; its `reward_threshold` is the `threshold`, whatever was registered."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        self._spec = spec
        if spec is not None:
            spec.reward_threshold = self.threshold


class DiceEnv(Solvable, gymnasium.Env[Any, np.int64]):
    """A game of dice, a decision a step; `info["action_mask"]` marks what is allowed, `actions` names the numbers."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  (as Gymnasium declares it)

    def __init__(self, task: Task, board: Board, *, strict: bool = False, render_mode: str | None = None) -> None:
        if render_mode not in (None, "ansi"):
            raise GameError(f"render mode {render_mode!r}: expected 'ansi', which is text")
        self.task, self.board, self.strict, self.render_mode = task, board, strict, render_mode
        self.observation_space, self.action_space = board.observation_space, board.action_space
        self.spot, self.over = START, False

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions by number, as the game writes them."""
        return self.board.actions

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game: the agent sees it before the first roll, and whatever it does rolls."""
        super().reset(seed=seed)
        self.spot, self.over = START, False
        return self.board.observe(START), {"action_mask": self.board.mask(START)}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action, and roll. Raises `GameError` once the game is over, or, if strict, for what is not allowed."""
        if self.over:
            raise GameError("the game is over: reset the environment")
        place = self.board.place(self.spot, int(action), strict=self.strict and self.spot is not START)
        self.spot, reward, self.over = self.board.move(self.spot, place, self.np_random)
        return self.board.observe(self.spot), reward, self.over, False, {"action_mask": self.board.mask(self.spot)}

    def render(self) -> str | None:
        """Write the position, if requested."""
        return self.board.show(self.spot) if self.render_mode == "ansi" else None

    @cached_property
    def P(self) -> Transitions:  # noqa: N802  (what Gymnasium's own tables are called)
        """All that may happen, in the format of `FrozenLake`: `P[observation][action]` lists (chance, next, reward, over).

        Raises `GameError` for a game of two players, a large one, or one that is not seen by numbers.
        """
        return self.board.transitions()

    def best(self, observation: Any = None) -> int:
        """Give the best action: of where the game stands, or of a numbered observation; the game is solved for it."""
        spot = self.spot if observation is None else self.board.spot(observation)
        allowed = self.board.allowed(spot)
        if spot is START or not allowed:
            return 0
        state = self.board.position(spot)
        return allowed[list(self.board.game.actions(state)).index(self.solution.best(state))]


def make_board(task: Task, observation: Observation, max_states: int) -> Board:
    """Give the requested board; by default, numbers where that takes almost no time."""
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


def make_env(
    game: GameLike,
    objective: Objective | str | None = None,
    *,
    opponent: Policy | None = None,
    solution: Solution | None = None,
    observation: Observation = "auto",
    strict: bool = False,
    max_states: int = NUMBERED,
    render_mode: str | None = None,
) -> DiceEnv:
    """Make an environment of a game (or of its name in the catalogue), played for `objective` (default: the game's own).

    >>> env = make_env("slots")
    >>> env.reset(seed=1)
    (0, {'action_mask': array([1, 0, 0, 0, 0, 0], dtype=int8)})
    >>> env.step(0)[0], round(env.optimum, 6)
    (3, 0.296146)

    Rewards add up to what the objective counts: points, 1 for a win, or minus the cost of rolls. Observations are numbers of
    positions ("number") or dictionaries of what lies on the table ("parts"); "auto" takes parts for score sheets. In a game of
    two the agent is player 0, and `opponent` (default: the best) plays player 1. An action that is not allowed is taken for
    the first that is; `strict` refuses it. Nothing is solved before it is needed. Raises `GameError` where the game is too large
    to be numbered, or cannot be seen by parts.
    """
    task = make_task(game, objective, opponent, solution)
    return DiceEnv(task, make_board(task, observation, max_states), strict=strict, render_mode=render_mode)
