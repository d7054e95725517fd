"""A game for two as an environment of PettingZoo (extra `rollwise[pettingzoo]`): each player is an agent.

Agents take turns as the game has it, one of them often several times in a row. Both see everything, so they see the same; the
mask of who does not move is empty. The first roll is made by `reset`.
"""

from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils.seeding import np_random

try:
    from pettingzoo import AECEnv
except ImportError:
    raise ImportError("environments of two players need PettingZoo: pip install 'rollwise[pettingzoo]'") from None

from rollwise.adapters.gym.board import START, Board
from rollwise.adapters.gym.env import NUMBERED, Observation, Solvable, make_board
from rollwise.adapters.gym.task import Task, make_task
from rollwise.errors import GameError
from rollwise.games.users import GameLike
from rollwise.model.objective import Objective
from rollwise.model.view import view_of
from rollwise.solvers.base.solution import Solution

__all__ = ["AGENTS", "TwoPlayersEnv", "make_aec"]

AGENTS = ("player_0", "player_1")


class TwoPlayersEnv(Solvable, AECEnv):  # type: ignore[misc]
    """A game for two, a decision a step; what is allowed is marked in `observation["action_mask"]`."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "name": "rollwise_v0", "is_parallelizable": False}

    def __init__(self, task: Task, board: Board, *, strict: bool = False, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise GameError(f"render mode {render_mode!r}: expected 'ansi', which is text")
        self.task, self.board, self.strict, self.render_mode = task, board, strict, render_mode
        self.possible_agents, self.agents = list(AGENTS), list[str]()
        mask = Box(0, 1, (len(board.actions),), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": board.observation_space, "action_mask": mask}) for agent in AGENTS
        }  # fmt: skip
        self.action_spaces = {agent: Discrete(len(board.actions)) for agent in AGENTS}
        self.np_random = np_random(None)[0]

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions by number, as the game writes them."""
        return self.board.actions

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game, and make its first roll."""
        if seed is not None:
            self.np_random = np_random(seed)[0]
        self.agents, self.agent_selection = list(AGENTS), AGENTS[0]
        self.rewards, self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0), dict.fromkeys(AGENTS, 0.0)
        self.terminations, self.truncations = dict.fromkeys(AGENTS, False), dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._go(START, 0)

    def step(self, action: Any) -> None:
        """Take an action for who is to move, and roll. Raises `GameError` before a reset, or, if strict, for a wrong action."""
        if not self.agents:
            raise GameError("no game is being played: reset the environment")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        place = self.board.place(self.spot, int(action), strict=self.strict)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._go(self.spot, place)

    def _go(self, spot: Any, place: int) -> None:
        self.spot, reward, over = self.board.go(spot, place, self.np_random)
        self.rewards = dict(zip(AGENTS, self._shares(reward, over), strict=True))
        self.terminations = dict.fromkeys(AGENTS, over)
        self.agent_selection = self.agent_selection if over else AGENTS[self.board.mover(self.spot)]
        self._accumulate_rewards()

    def _shares(self, reward: float, over: bool) -> tuple[float, float]:
        """What a move brings both: what one wins the other does not, what one gains the other loses."""
        return reward, float(over) - reward if self.task.objective.wins else -reward

    def observe(self, agent: str) -> dict[str, Any]:
        """Give what is on the table, and what the agent may do now."""
        moves = agent == self.agent_selection and not self.terminations.get(agent, True)
        seen = self.board.observe(self.spot)
        mask = self.board.mask(self.spot) if moves else np.zeros(len(self.board.actions), dtype=np.int8)
        return {"observation": seen if isinstance(seen, dict) else np.int64(seen), "action_mask": mask}

    def render(self) -> str | None:
        """Write the position, if requested."""
        return self.board.show(self.spot) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def make_aec(
    game: GameLike,
    objective: Objective | str | None = None,
    *,
    solution: Solution | None = None,
    observation: Observation = "auto",
    strict: bool = False,
    max_states: int = NUMBERED,
    render_mode: str | None = None,
) -> TwoPlayersEnv:
    """Make an environment of PettingZoo from a game for two, or a duel (`objective="duel"`) on a score sheet.

    >>> from rollwise.games import load
    >>> env = make_aec(load("pig", target=20))
    >>> env.reset(seed=1)
    >>> env.agent_selection, [env.actions[place] for place in env.observe("player_0")["action_mask"].nonzero()[0]]
    ('player_0', ['hold', 'roll'])

    The options are those of `make_env`. Where the game is won, a win is worth 1 to either agent, at the end; else player 1 gets
    what player 0 loses. Raises `GameError` for a game of one player, and as `make_env` does.
    """
    task = make_task(game, objective, None, solution)
    if task.objective.restate(task.game).players < 2:
        raise GameError(
            f"{view_of(task.game).title} for {task.objective} has one player: use make_env, or a duel where it is a score sheet"
        )
    return TwoPlayersEnv(task, make_board(task, observation, max_states), strict=strict, render_mode=render_mode)
