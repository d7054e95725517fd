"""A solution kept as the arrays of an explored graph."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from rollwise.errors import PositionError
from rollwise.forms.base.blocks import Block
from rollwise.forms.base.solution import BYTES_A_POSITION, Number, Player, Ranked, Solution, Stored
from rollwise.forms.base.spread import Spread
from rollwise.forms.graph.explore import Explored
from rollwise.forms.graph.report import graph_sections
from rollwise.forms.graph.run import Result
from rollwise.forms.graph.simulate import GraphTables
from rollwise.model.game import Progress

__all__ = ["GraphSolution"]

BATCH = 1 << 16
SMALL_POINTS = 1 << 31
"""Points below this are added up in 64 bits; others one game at a time, in Python's integers."""


@dataclass(frozen=True, eq=False, repr=False)
class GraphSolution(Solution):
    """A solution kept as the arrays of an explored graph."""

    explored: Explored
    result: Result

    @cached_property
    def fingerprint(self) -> str:
        """Digest the arrays."""
        graph = self.explored.graph
        digest = sha256(str((type(self.game).__qualname__, self.objective.key, graph.maximise)).encode())
        for array in (
            graph.state_payoff, graph.action_start, graph.action_pending, graph.action_gain,
            graph.pending_cost, graph.outcome_start, graph.outcome_state, graph.outcome_weight,
        ):  # fmt: skip
            digest.update(array.astype(np.int64).tobytes())
        if graph.two_players:
            digest.update(graph.state_mover.tobytes())
        return digest.hexdigest()[:16]

    def met(self, state: Any) -> Any:
        """Give a state as the rules made it."""
        number = _find(self.explored.state_index, state)
        return state if number is None else self.explored.states[number]

    def ranked(self, state: Any) -> list[Ranked]:
        """List all actions from best to worst, the chosen one first; an end has none."""
        return super().ranked(self.met(state))

    def _state_value(self, state: Any) -> Number | None:
        number = _find(self.explored.state_index, state)
        exact, floats = self.result.state_exact, self.result.values.state
        return None if number is None else self._signed(float(floats[number]) if exact is None else exact[number])

    def _pending_value(self, pending: Any) -> Number | None:
        number = _find(self.explored.pending_index, pending)
        exact, floats = self.result.pending_exact, self.result.values.pending
        return None if number is None else self._signed(float(floats[number]) if exact is None else exact[number])

    def _choice(self, state: Any, best: Number, rows: list[Ranked]) -> int:
        return int(self.result.values.choice[self.explored.state_index[state]])

    def _states(self) -> Iterator[Any]:
        choice = self.result.values.choice
        return (state for number, state in enumerate(self.explored.states) if choice[number] >= 0)

    def _signed(self, value: Number) -> Number:
        if self.explored.unit > 1:
            return value / self.explored.unit
        return value if self.explored.graph.maximise else 0 - value

    form_name = "graph"
    worth_seconds = 2.0

    @property
    def nbytes(self) -> int:
        """What its positions take, about."""
        return BYTES_A_POSITION * (self.states + self.pendings)

    @property
    def two_players(self) -> bool:
        """Whether player 1 has something to decide."""
        return bool(self.explored.graph.two_players)

    def player(self, tick: Callable[[int], None]) -> Player | None:
        """Play by arrays, if all weights, and the points of any game that ends in a lifetime, add up to integers of 64 bits."""
        graph = self.explored.graph
        points = max(int(np.abs(part).max(initial=0)) for part in (graph.action_gain, graph.state_payoff, graph.pending_cost))
        if points >= SMALL_POINTS or float(graph.outcome_weight.sum(dtype=np.float64)) >= 2.0**62:
            return None
        return Player(GraphTables(graph, self.result.values.choice).play, BATCH)

    def trust(self) -> str:
        return (
            "After solving, the result was checked position by position, from the numbers alone: following the strategy surely "
            "ends the game and attains the value, and no move anywhere improves on it."
        )

    def sections(self, found: Spread | None, progress: Progress | None) -> list[Block]:
        """Tell which decisions matter most, and which mistakes are the most tempting."""
        return graph_sections(self)

    def pack(self) -> Stored:
        return Stored(self.head, dict(vars(self.result.values)), {"engines": self.result.engines})


def _find(numbers: Mapping[Any, int], position: Any) -> int | None:
    try:
        return numbers.get(position)
    except TypeError:
        raise PositionError(f"{position!r} is not a position: positions are hashable") from None
