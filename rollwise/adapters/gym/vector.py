"""Many games at once as a vector environment of Gymnasium."""

from typing import Any, Literal

import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space

from rollwise.adapters.gym.env import NUMBERED, DiceEnv, Observation, Solvable, make_board
from rollwise.adapters.gym.task import Task, make_task
from rollwise.adapters.gym.vectorized import VectorizedGames
from rollwise.errors import GameError
from rollwise.games.users import GameLike
from rollwise.model.objective import Objective
from rollwise.model.policy import Policy
from rollwise.solvers.base.solution import Solution

__all__ = ["DiceVectorEnv", "make_vec"]

Reset = Literal["next-step", "same-step"]


class DiceVectorEnv(Solvable, VectorEnv[Any, Any, Any]):
    """Many games of one kind, which advance together by arrays; `info["action_mask"]` has a row for each."""

    def __init__(self, task: Task, board: Any, lanes: VectorizedGames, mode: AutoresetMode) -> None:
        self.task, self.board, self.lanes, self.mode = task, board, lanes, mode
        self.num_envs = lanes.count
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        self.single_observation_space, self.single_action_space = board.observation_space, board.action_space
        self.observation_space = batch_space(self.single_observation_space, lanes.count)
        self.action_space = batch_space(self.single_action_space, lanes.count)
        self.all = np.arange(lanes.count)
        self.ended = np.zeros(lanes.count, dtype=np.bool_)

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions by number, as the game writes them."""
        found: tuple[str, ...] = self.board.actions
        return found

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin all games."""
        super().reset(seed=seed)
        self.lanes.begin(self.all)
        self.ended[:] = False
        return self.lanes.observe(), {"action_mask": self.lanes.masks()}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Take an action in every game; one that is over starts over, at once or with the next step."""
        chosen = self._checked(actions)
        live = np.flatnonzero(~self.ended) if self.ended.any() else self.all
        reward, over = np.zeros(self.num_envs), np.zeros(self.num_envs, dtype=np.bool_)
        if len(live) < self.num_envs:
            self.lanes.begin(np.flatnonzero(self.ended))
        reward[live], over[live] = self.lanes.move(live, chosen[live], self.np_random)
        self.ended = over if self.mode == AutoresetMode.NEXT_STEP else np.zeros_like(over)
        info = self._begun(over) if self.mode == AutoresetMode.SAME_STEP and over.any() else {}
        info["action_mask"] = self.lanes.masks()
        return self.lanes.observe(), reward, over.copy(), np.zeros(self.num_envs, dtype=np.bool_), info

    def _checked(self, actions: Any) -> Any:
        chosen = np.asarray(actions)
        most = len(self.board.actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu" or chosen.min() < 0 or chosen.max() >= most:
            raise GameError(f"actions of shape {chosen.shape}: expected {self.num_envs} numbers from 0 to {most - 1}")
        return chosen

    def _begun(self, over: Any) -> dict[str, Any]:
        """Begin the games that are over, and give what they ended with."""
        seen, lanes = self.lanes.observe(), np.flatnonzero(over)
        final = np.full(self.num_envs, None, dtype=object)
        for lane in lanes.tolist():
            final[lane] = {name: rows[lane] for name, rows in seen.items()} if isinstance(seen, dict) else seen[lane]
        self.lanes.begin(lanes)
        return {"final_obs": final, "_final_obs": over.copy()}


def make_vec(
    game: GameLike,
    num_envs: int,
    objective: Objective | str | None = None,
    *,
    opponent: Policy | None = None,
    solution: Solution | None = None,
    observation: Observation = "auto",
    autoreset: Reset = "next-step",
    max_states: int = NUMBERED,
) -> VectorEnv[Any, Any, Any]:
    """Make many games at once, which see and do what `make_env` does.

    >>> envs = make_vec("slots", 3)
    >>> observations, info = envs.reset(seed=1)
    >>> envs.step(observations)[0].shape, info["action_mask"].shape
    ((3,), (3, 6))

    They advance together by arrays; a game that has none is played one by one, by its rules. `autoreset` says when a game that is
    over starts over: with the next step, as Gymnasium has it, or with the same one. Raises `GameError` as `make_env` does.
    """
    if num_envs < 1:
        raise GameError(f"{num_envs} environments: expected at least 1")
    task = make_task(game, objective, opponent, solution)
    mode = AutoresetMode.SAME_STEP if autoreset == "same-step" else AutoresetMode.NEXT_STEP
    board = make_board(task, observation, max_states)
    lanes = board.vectorized(num_envs)
    if lanes is None:
        return SyncVectorEnv([lambda: DiceEnv(task, board) for _ in range(num_envs)], autoreset_mode=mode)
    return DiceVectorEnv(task, board, lanes, mode)
