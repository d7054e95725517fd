"""The arrays of a game, and its positions by number.

In a graph the value of a pending p is `pending_cost[p]` plus the weighted mean of its outcomes' values; the value of a state is
the best `action_gain` plus the value of the pending the action leads to, or `state_payoff` where there is no action. That single
form holds for every objective; `maximise` says which way is best. In a game for two, `state_mover` is 1 where the other player
chooses, for whom the best is the opposite. Offsets end in `_start` and have one more entry than rows.

Arrays are of 32 bits where that suffices, else of 64.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.model.game import Game
from rollwise.model.lift import Remembers
from rollwise.model.objective import Objective
from rollwise.solvers.graph.kernels.arrays import GraphRows

__all__ = ["AnyInts", "Explored", "Graph", "Growing", "Ints", "fixed", "offsets", "rows_of"]

Ints = npt.NDArray[np.int64]
AnyInts = npt.NDArray[Any]
Movers = npt.NDArray[np.uint8]

SMALL = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """The arrays of a game; engines see nothing else."""

    maximise: bool
    state_payoff: Ints
    state_mover: Movers
    action_start: Ints
    action_pending: Ints
    action_gain: Ints
    pending_cost: Ints
    outcome_start: Ints
    outcome_state: Ints
    outcome_weight: Ints

    def __repr__(self) -> str:
        return f"<Graph of {self.n_states:,} states, {self.n_pendings:,} pendings>"

    @property
    def n_states(self) -> int:
        return len(self.action_start) - 1

    @property
    def n_pendings(self) -> int:
        return len(self.outcome_start) - 1

    def maximising(self) -> "Graph":
        """Give the graph that engines see, which all maximise: itself, or one with the sign of all that is counted turned."""
        if self.maximise:
            return self
        return replace(
            self, state_payoff=-self.state_payoff, action_gain=-self.action_gain, pending_cost=-self.pending_cost
        )  # fmt: skip

    @cached_property
    def two_players(self) -> bool:
        """Whether player 1 moves anywhere."""
        return bool(self.state_mover.any())


@dataclass(frozen=True, eq=False, repr=False)
class Explored:
    """A game's reachable positions and their arrays; number 0 among the pendings is the start.

    Values of the graph are divided by `unit`: the payoffs of a game against an opponent are whole numbers of a fraction of a win.
    `remembers` says which game was walked: the one that the objective states, or one whose positions carry points.
    """

    game: Game[Any, Any, Any]
    objective: Objective
    states: Sequence[Any]
    pendings: Sequence[Any]
    state_index: Mapping[Any, int]
    pending_index: Mapping[Any, int]
    graph: Graph
    unit: int = 1
    remembers: Remembers = "nothing"

    def __repr__(self) -> str:
        game = type(getattr(self.game, "game", self.game)).__name__
        return f"<Explored {game} ({self.objective}): {self.graph.n_states:,} states, {self.graph.n_pendings:,} pendings>"


class Growing:
    """An array that grows in place; of 32 bits as long as they suffice."""

    def __init__(self, dtype: Any = np.int32) -> None:
        self.array, self.size = np.empty(1024, dtype=dtype), 0

    def __len__(self) -> int:
        return self.size

    def add(self, numbers: Any) -> None:
        """Append numbers: an array, or a list."""
        values = np.asarray(numbers)
        if self.array.dtype == np.int32 and values.size and not _fits(values):
            self.array = self.array[: self.size].astype(np.int64)
        need = self.size + len(values)
        if need > len(self.array):
            # What is not used yet is filled with zeros, so it takes memory: little at a time, which moves no data.
            self.array.resize(max(need, len(self.array) * 17 // 16), refcheck=False)
        self.array[self.size : need] = values
        self.size = need

    def done(self) -> AnyInts:
        """Give what was added, and nothing more."""
        self.array.resize(self.size, refcheck=False)
        return self.array


def _fits(values: AnyInts) -> bool:
    if values.dtype.itemsize <= 4:
        return True
    limit = 1 << 31
    return bool(values.max() < limit and values.min() >= -limit)


def offsets(counts: AnyInts) -> AnyInts:
    """Give where rows of these lengths begin, and where the last one ends."""
    total = int(counts.sum(dtype=np.int64))
    found = np.empty(len(counts) + 1, dtype=np.int32 if total < 1 << 31 else np.int64)
    found[0] = 0
    np.cumsum(counts, out=found[1:], dtype=found.dtype)
    return found


def fixed(array: AnyInts) -> Any:
    """Make an array one that is only read."""
    array.flags.writeable = False
    return array


def rows_of(graph: Graph) -> GraphRows:
    """Give the arrays of a graph as the kernels take them: as they are, or of 32 bits if they are longer than they need be."""
    places = _alike([graph.action_start, graph.action_pending, graph.outcome_start, graph.outcome_state])
    amounts = _alike([graph.action_gain, graph.outcome_weight, graph.pending_cost, graph.state_payoff])
    return GraphRows(
        action_start=places[0], action_pending=places[1], action_gain=amounts[0],
        outcome_start=places[2], outcome_state=places[3], outcome_weight=amounts[1],
        pending_cost=amounts[2], state_payoff=amounts[3], state_mover=_to_read(graph.state_mover, np.uint8),
    )  # fmt: skip


def _alike(arrays: list[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    """Make arrays of integers of one type, the shorter one if all numbers and their negatives fit it."""
    most = max(max(int(array.max()), -int(array.min())) if array.size else 0 for array in arrays)
    return [_to_read(array, np.int32 if most <= SMALL else np.int64) for array in arrays]


def _to_read(array: npt.NDArray[Any], kind: Any) -> npt.NDArray[Any]:
    """View an array as one that is only read: kernels are compiled again for arrays that may be written."""
    view = np.ascontiguousarray(array, dtype=kind).view()
    view.flags.writeable = False
    return view
