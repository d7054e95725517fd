"""Many games at once, a decision of each at a time, by arrays.

A *lane* is one game. A lane that was begun is before its first roll, where any action rolls; as on a `Board`, an action that is
not allowed is taken for the first one that is.
"""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.adapters.gym.numbered import Numbered
from rollwise.errors import GameError
from rollwise.model.abilities import prefetch

__all__ = ["VectorizedGames", "VectorizedGraph"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

MOST_PAIRS = 1 << 28
"""Observations times actions that are kept in a table."""
LARGEST = 2.0**62


class VectorizedGames(ABC):
    """Games of one board side by side."""

    count: int

    @abstractmethod
    def begin(self, lanes: Ints) -> None:
        """Put some lanes before their first roll."""

    @abstractmethod
    def observe(self) -> Any:
        """Give what is seen in all lanes; nothing of it is changed later."""

    @abstractmethod
    def masks(self) -> npt.NDArray[np.int8]:
        """Mark the actions that are allowed, lane by lane."""

    @abstractmethod
    def move(self, lanes: Ints, actions: Ints, random: np.random.Generator) -> tuple[Floats, Bools]:
        """Take an action in each of some lanes; give the rewards, and which games are over."""


class VectorizedGraph(VectorizedGames):
    """Lanes of an explored game: numbers of observations, and look-ups."""

    def __init__(self, board: Numbered, count: int) -> None:
        self.board, self.count = board, count
        self.seen = np.zeros(count, dtype=np.int64)
        self.rows = _GraphRows(board)

    def begin(self, lanes: Ints) -> None:
        self.seen[lanes] = 0

    def observe(self) -> Ints:
        return self.seen.copy()

    def masks(self) -> npt.NDArray[np.int8]:
        return self.rows.allowed[self.seen]

    def move(self, lanes: Ints, actions: Ints, random: np.random.Generator) -> tuple[Floats, Bools]:
        rows, graph = self.rows, self.board.graph
        row = rows.table[self.seen[lanes], actions]
        points = rows.gain[row]
        state, spent = rows.roll(rows.pending[row], random)
        points = points + spent
        if graph.two_players:
            state, points = self._answered(state, points, random)
        self.seen[lanes] = state + 1
        return self.board.scale * points, rows.over[state]

    def _answered(self, state: Ints, points: Ints, random: np.random.Generator) -> tuple[Ints, Ints]:
        """Let the rival move until the agent has to, or the game is over."""
        rows, graph = self.rows, self.board.graph
        while (other := np.flatnonzero((graph.state_mover[state] == 1) & ~rows.over[state])).size:
            row = 1 + graph.action_start[state[other]] + self._places(state[other], random)
            state[other], spent = rows.roll(rows.pending[row], random)
            points[other] += rows.gain[row] + spent
        return state, points

    def _places(self, state: Ints, random: np.random.Generator) -> Ints:
        """Ask the rival."""
        return self._answers.places(state, random)

    @cached_property
    def _answers(self) -> "_Answers":
        return _Answers(self.board)


class _Answers:
    """What the rival does, as far as it was asked: for each state a row of places with chances that are added up."""

    def __init__(self, board: Numbered) -> None:
        self.board = board
        self.row = np.full(board.graph.n_states, -1, dtype=np.int32)
        self.width = int(np.diff(board.graph.action_start)[board.graph.state_mover == 1].max(initial=1))
        self.size = 0
        self.place = np.zeros((1024, self.width), dtype=np.int32)
        self.upto = np.ones((1024, self.width))

    def places(self, state: Ints, random: np.random.Generator) -> Ints:
        """Draw an action for each of some states."""
        new = np.unique(state[self.row[state] < 0])
        if len(new):
            self._ask(new)
        row = self.row[state]
        drawn = (self.upto[row] <= random.random(len(state))[:, None]).sum(axis=1)
        found: Ints = self.place[row, np.minimum(drawn, self.width - 1)].astype(np.int64)
        return found

    def _ask(self, states: Ints) -> None:
        board = self.board
        positions = [board.explored.states[number] for number in states.tolist()]
        prefetch(board.game, positions)
        while len(self.place) < self.size + len(states):
            self.place, self.upto = (np.concatenate([old, rest]) for old, rest in zip(*self._more(), strict=True))
        for number, position in zip(states.tolist(), positions, strict=True):
            chosen = board.rival.asked(position)
            weight = np.array([weight for _, weight in chosen], dtype=np.float64)
            self.place[self.size, : len(chosen)] = [place for place, _ in chosen]
            self.place[self.size, len(chosen) :] = chosen[-1][0]
            self.upto[self.size, : len(chosen)] = np.cumsum(weight) / weight.sum()
            self.row[number] = self.size
            self.size += 1

    def _more(self) -> Any:
        """The arrays, and as much again."""
        return (self.place, self.upto), (np.zeros_like(self.place), np.ones_like(self.upto))


class _GraphRows:
    """The arrays of a graph by row: row 0 is the first roll, row i + 1 action i. Observation 0 has only row 0."""

    def __init__(self, board: Numbered) -> None:
        graph, width = board.graph, len(board.actions)
        if (graph.n_states + 1) * width > MOST_PAIRS:
            raise GameError(f"{graph.n_states:,} positions times {width} actions are too many for a table: use make_env")
        self.graph = graph
        self.pending = np.concatenate([[0], graph.action_pending.astype(np.int64)])
        self.gain = np.concatenate([[0], graph.action_gain.astype(np.int64)])
        self.over = np.diff(graph.action_start) == 0
        count = np.concatenate([[1], np.diff(graph.action_start)])
        owner = np.repeat(np.arange(graph.n_states + 1), count)
        number = np.concatenate([[0], board.numbers])
        first = np.minimum(np.concatenate([[0], 1 + graph.action_start[:-1].astype(np.int64)]), len(self.pending) - 1)
        self.table = np.repeat(first.astype(np.int32)[:, None], width, axis=1)
        self.table[owner, number] = np.arange(len(owner), dtype=np.int32)
        self.allowed = np.zeros((graph.n_states + 1, width), dtype=np.int8)
        self.allowed[owner, number] = 1
        self._weigh()

    def _weigh(self) -> None:
        """Find out how outcomes are drawn: by their place where all of a roll are equally likely, else by added weights."""
        graph = self.graph
        self.start, self.outcomes = graph.outcome_start[:-1].astype(np.int64), np.diff(graph.outcome_start).astype(np.int64)
        low, high = (find.reduceat(graph.outcome_weight, self.start) for find in (np.minimum, np.maximum))
        self.fair = bool((low == high).all())
        if self.fair:
            return
        whole = float(graph.outcome_weight.sum(dtype=np.float64)) < LARGEST
        weight = graph.outcome_weight.astype(np.int64) if whole else self._shares()
        edge = np.concatenate([np.zeros(1, dtype=weight.dtype), np.cumsum(weight)])
        self.before, self.upto = edge[self.start], edge[1:]
        self.weight = np.add.reduceat(weight, self.start)

    def _shares(self) -> Any:
        """Chances, where the weights do not add up in 64 bits."""
        weight = self.graph.outcome_weight.astype(np.float64)
        return weight / np.repeat(np.add.reduceat(weight, self.start), self.outcomes)

    def roll(self, pending: Ints, random: np.random.Generator) -> tuple[Ints, Ints]:
        """Roll; give the states and what rolls and ends count."""
        graph = self.graph
        if self.fair:
            place = self.start[pending] + random.integers(0, self.outcomes[pending])
        else:
            place = np.searchsorted(self.upto, self._drawn(pending, random), side="right")
            if self.upto.dtype.kind == "f":
                place = np.clip(place, self.start[pending], self.start[pending] + self.outcomes[pending] - 1)
        state = graph.outcome_state[place].astype(np.int64)
        return state, graph.pending_cost[pending] + np.where(self.over[state], graph.state_payoff[state], 0)

    def _drawn(self, pending: Ints, random: np.random.Generator) -> Any:
        if self.upto.dtype.kind == "f":
            return self.before[pending] + random.random(len(pending)) * self.weight[pending]
        return self.before[pending] + random.integers(0, self.weight[pending])
