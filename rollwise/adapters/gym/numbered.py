"""Small games: every position has a number, and everything is read from the arrays of the explored game.

Observation 0 is before the first roll, observation i + 1 is state i of the graph.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete

from rollwise.adapters.gym.board import START, Board, Step, Transitions
from rollwise.adapters.gym.task import Rival
from rollwise.adapters.models.texts import numbered_actions
from rollwise.errors import GameError
from rollwise.solvers.graph.explore import Explored

__all__ = ["Numbered"]

Ints = npt.NDArray[np.int64]
MOST_TRANSITIONS = 5_000_000


class Numbered(Board):
    """An explored game by the numbers of its states."""

    explored: Explored

    def __init__(self, explored: Explored, rival: Rival) -> None:
        self.explored, self.rival = explored, rival
        self.game, self.objective, self.graph = explored.game, explored.objective, explored.graph
        self.actions, self.numbers = numbered_actions(explored)
        self.observation_space = Discrete(self.graph.n_states + 1)
        self.scale = (1 if self.graph.maximise else -1) / explored.unit

    def observe(self, spot: Any) -> int:
        return 0 if spot is START else int(spot) + 1

    def allowed(self, spot: Any) -> list[int]:
        if spot is START:
            return [0]
        found: list[int] = self.numbers[self.graph.action_start[spot] : self.graph.action_start[spot + 1]].tolist()
        return found

    def mover(self, spot: Any) -> int:
        return int(self.graph.state_mover[spot])

    def go(self, spot: Any, place: int, random: np.random.Generator) -> Step:
        graph, points, pending = self.graph, 0, 0
        if spot is not START:
            action = int(graph.action_start[spot]) + place
            points = int(graph.action_gain[action])
            pending = int(graph.action_pending[action])
        points += int(graph.pending_cost[pending])
        spot = self._roll(pending, random)
        if graph.action_start[spot] == graph.action_start[spot + 1]:
            return Step(spot, self.scale * (points + int(graph.state_payoff[spot])), True)
        return Step(spot, self.scale * points, False)

    def _roll(self, pending: int, random: np.random.Generator) -> int:
        first, end = int(self.graph.outcome_start[pending]), int(self.graph.outcome_start[pending + 1])
        if end - first == 1:
            return int(self.graph.outcome_state[first])
        upto = self.graph.outcome_weight[first:end].cumsum(dtype=np.int64)
        drawn = int(random.integers(upto[-1]))
        return int(self.graph.outcome_state[first + int(upto.searchsorted(drawn, side="right"))])

    def show(self, spot: Any) -> str:
        return "before the first roll" if spot is START else self.game.show_state(self.explored.states[spot])

    def spot(self, observation: Any) -> Any:
        number = int(observation) - 1
        if not -1 <= number < self.graph.n_states:
            raise GameError(f"observation {observation}: expected a number from 0 to {self.graph.n_states}")
        return START if number < 0 else number

    def position(self, spot: Any) -> Any:
        return self.explored.states[spot]

    def vectorized(self, count: int) -> Any:
        from rollwise.adapters.gym.vectorized import VectorizedGraph  # noqa: PLC0415  (lanes stand on this board)

        return VectorizedGraph(self, count)

    # The whole game as a table

    def transitions(self) -> Transitions:
        """Give all that may happen, as `FrozenLake` does in `P`. Raises `GameError` for two players or a large game."""
        graph = self.graph
        if graph.two_players:
            raise GameError("P is for one player: in this game the other one moves between two observations")
        width = np.diff(graph.outcome_start)[graph.action_pending]
        if int(width.sum()) > MOST_TRANSITIONS:
            raise GameError(f"P would have {int(width.sum()):,} rows, over {MOST_TRANSITIONS:,}: read explored.graph instead")
        rolls = [self._row(pending) for pending in range(graph.n_pendings)]
        found: Transitions = {0: dict.fromkeys(range(len(self.actions)), self._after(rolls[0], 0))}
        for state in range(graph.n_states):
            found[state + 1] = self._offers(state, rolls)
        return found

    def _offers(self, state: int, rolls: Any) -> dict[int, list[tuple[float, int, float, bool]]]:
        graph = self.graph
        part = range(int(graph.action_start[state]), int(graph.action_start[state + 1]))
        if not part:
            stays = [(1.0, state + 1, 0.0, True)]
            return dict.fromkeys(range(len(self.actions)), stays)
        rows = [self._after(rolls[graph.action_pending[action]], int(graph.action_gain[action])) for action in part]
        return dict.fromkeys(range(len(self.actions)), rows[0]) | dict(zip(self.allowed(state), rows, strict=True))

    def _row(self, pending: int) -> list[tuple[float, int, int, bool]]:
        """What a roll leads to: chance, observation, points, whether that is the end."""
        graph = self.graph
        part = slice(int(graph.outcome_start[pending]), int(graph.outcome_start[pending + 1]))
        state, weight = graph.outcome_state[part], graph.outcome_weight[part]
        over = graph.action_start[state] == graph.action_start[state + 1]
        points = int(graph.pending_cost[pending]) + np.where(over, graph.state_payoff[state], 0)
        chance = weight / weight.sum(dtype=np.int64)
        return list(zip(chance.tolist(), (state + 1).tolist(), points.tolist(), over.tolist(), strict=True))

    def _after(self, roll: list[tuple[float, int, int, bool]], gain: int) -> list[tuple[float, int, float, bool]]:
        return [(chance, seen, self.scale * (points + gain), over) for chance, seen, points, over in roll]
