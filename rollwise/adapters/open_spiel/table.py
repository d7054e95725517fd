"""An explored game as OpenSpiel walks it: numbered actions, chances, what it pays at most, and how long it lasts."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.adapters.models.texts import numbered_actions
from rollwise.errors import GameError
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.explore import Explored
from rollwise.solvers.graph.levels import levels

__all__ = ["GameTable", "Limits"]

Ints = npt.NDArray[np.int64]


class Limits(NamedTuple):
    """The least and the most that player 0 may get, in points, and the most decisions of a game."""

    low: int
    high: int
    moves: int


@dataclass(frozen=True, eq=False)
class GameTable:
    """A game by the numbers of its states and rolls; `horizon` ends a game that may go on for ever."""

    explored: Explored
    horizon: int | None

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The actions by number, as the game writes them."""
        return self._named[0]

    @property
    def scale(self) -> float:
        """What a point is worth to player 0, who wants much."""
        return (1 if self.explored.graph.maximise else -1) / self.explored.unit

    @property
    def players(self) -> int:
        return 2 if self.explored.graph.two_players else 1

    def offers(self, state: int) -> list[int]:
        """List the numbers of a state's actions, in the game's order."""
        graph, numbers = self.explored.graph, self._named[1]
        found: list[int] = numbers[graph.action_start[state] : graph.action_start[state + 1]].tolist()
        return found

    def take(self, state: int, action: int) -> tuple[int, int]:
        """Give the roll that an action leads to, and its gain."""
        graph = self.explored.graph
        place = int(graph.action_start[state]) + self.offers(state).index(action)
        return int(graph.action_pending[place]), int(graph.action_gain[place])

    def outcomes(self, pending: int) -> tuple[list[int], list[int]]:
        """List the states that a roll may give, and their weights."""
        graph = self.explored.graph
        part = slice(int(graph.outcome_start[pending]), int(graph.outcome_start[pending + 1]))
        return graph.outcome_state[part].tolist(), graph.outcome_weight[part].tolist()

    @property
    def most_outcomes(self) -> int:
        return int(np.diff(self.explored.graph.outcome_start).max())

    def limits(self) -> Limits:
        """Bound what a game pays and how long it lasts. Raises `GameError` for one that may go on for ever."""
        return self._cut(self.horizon) if self.horizon is not None else self._followed()

    @cached_property
    def _named(self) -> tuple[tuple[str, ...], Ints]:
        return numbered_actions(self.explored)

    def _cut(self, horizon: int) -> Limits:
        graph = self.explored.graph
        ends = graph.state_payoff[np.diff(graph.action_start) == 0]
        low = min(0, int(ends.min(initial=0))) + horizon * min(0, int(graph.action_gain.min(initial=0)))
        high = max(0, int(ends.max(initial=0))) + horizon * max(0, int(graph.action_gain.max(initial=0)))
        return Limits(low, high + (horizon + 1) * int(graph.pending_cost.max()), horizon)

    def _followed(self) -> Limits:
        """Follow all ways to the ends, from these on: no position comes back."""
        graph = self.explored.graph
        state, pending = np.zeros((3, graph.n_states), dtype=np.int64), np.zeros((3, graph.n_pendings), dtype=np.int64)
        state[:2] = graph.state_payoff
        for level in levels(graph):
            if level.retry.size or level.cyclic:
                raise GameError("positions come back in this game, and OpenSpiel's games must end: give a horizon, in decisions")
            rows = level.pendings
            flat, begin = gather(graph.outcome_start, rows)
            if rows.size:
                met = state[:, graph.outcome_state[flat]]
                pending[:, rows] = _extremes(met, begin) + np.array([[1], [1], [0]]) * graph.pending_cost[rows]
            rows = level.states[np.diff(graph.action_start)[level.states] > 0]
            flat, begin = gather(graph.action_start, rows)
            if rows.size:
                gain = graph.action_gain[flat].astype(np.int64)
                state[:, rows] = _extremes(pending[:, graph.action_pending[flat]] + np.stack([gain, gain, gain * 0 + 1]), begin)
        return Limits(*pending[:, 0].tolist())


def _extremes(met: Ints, begin: Ints) -> Ints:
    """Of each row the least, the most, and the longest."""
    return np.stack([
        np.minimum.reduceat(met[0], begin), np.maximum.reduceat(met[1], begin), np.maximum.reduceat(met[2], begin)
    ])  # fmt: skip
