"""An explored game as a decision process (for two players: a stochastic game), in blocks of arrays.

The nodes of a model are the pendings of the graph (node 0 is the start), then its states, then the ends. A pending has one
choice, its roll, whose branches are the outcomes. A state has a choice for each action, with one branch, to the pending it leads
to; where the game is over it has one choice too, which gains the payoff and leads to an end, so that a sum "until the end" counts
it. Ends stay where they are for ever. Where a payoff is a chance to win, there are two ends, and a finished game leads to `won`
with that chance, else to `lost`: then the value of the game is the chance to reach `won`.

Nothing is spread: pendings are shared by the actions that lead to them, so a model has as many branches as the graph has edges.
Numbers stay whole: a chance is a weight over the weights' sum, a reward is a number of points over the objective's unit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.solvers.graph.explore import Explored, Graph

__all__ = ["LOSS", "Bits", "Fractions", "Ints", "Model", "spans"]

Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.bool_]

LOSS = "loss"
"""What points are called with their sign turned."""
BLOCK = 1 << 17
"""Nodes of a block, at most."""


class Fractions(NamedTuple):
    """Numerators and denominators in lowest terms."""

    top: Ints
    bottom: Ints


@dataclass(frozen=True, eq=False)
class Model:
    """A model of an explored game; its parts come in blocks, node by node, choice by choice or branch by branch."""

    explored: Explored

    @property
    def graph(self) -> Graph:
        return self.explored.graph

    @cached_property
    def over(self) -> Bits:
        """Which states are the end of a game."""
        start = self.graph.action_start
        return np.asarray(start[1:] == start[:-1])

    @cached_property
    def chance(self) -> bool:
        """Whether a payoff is a chance to win: nothing else counts, and it is between 0 and the unit."""
        graph, payoff = self.graph, self.graph.state_payoff[self.over]
        counted = bool(graph.action_gain.any() or graph.pending_cost.any())
        within = bool(payoff.min(initial=0) >= 0 and payoff.max(initial=0) <= self.explored.unit)
        return graph.maximise and not counted and within

    @property
    def counts(self) -> bool:
        """Whether anything is counted at all."""
        graph = self.graph
        return bool(graph.pending_cost.any() or graph.action_gain.any() or graph.state_payoff[self.over].any())

    @property
    def reward(self) -> str:
        """The name of what is counted."""
        return "points" if self.explored.objective.counts == "points" else "cost"

    @property
    def first_end(self) -> int:
        """The number of the first end; with `chance` that is `won`, and `lost` is the next."""
        return self.graph.n_pendings + self.graph.n_states

    @property
    def n_ends(self) -> int:
        return 2 if self.chance else 1

    @property
    def n_nodes(self) -> int:
        return self.first_end + self.n_ends

    @cached_property
    def n_choices(self) -> int:
        graph = self.graph
        return graph.n_pendings + len(graph.action_pending) + int(self.over.sum()) + self.n_ends

    @cached_property
    def n_branches(self) -> int:
        return len(self.graph.outcome_state) + self.n_choices - self.graph.n_pendings + int(self._split(self.over).sum())

    def labels(self) -> dict[str, Bits]:
        """Say which nodes are of which kind."""
        graph, found = self.graph, {}
        for name, low, high in (("roll", 0, graph.n_pendings), ("end", self.first_end, self.n_nodes)):
            found[name] = np.zeros(self.n_nodes, dtype=np.bool_)
            found[name][low:high] = True
        for name, mask in (("move", ~self.over), ("over", self.over)):
            found[name] = np.zeros(self.n_nodes, dtype=np.bool_)
            found[name][graph.n_pendings : self.first_end] = mask
        if self.chance:
            found["won"] = np.zeros(self.n_nodes, dtype=np.bool_)
            found["won"][self.first_end] = True
        return found

    def players(self) -> Iterator[Ints]:
        """Give the player of every node; where nobody chooses, player 0."""
        yield np.zeros(self.graph.n_pendings, dtype=np.int64)
        yield self.graph.state_mover.astype(np.int64)
        yield np.zeros(self.n_ends, dtype=np.int64)

    def choice_counts(self) -> Iterator[Ints]:
        """Count the choices of every node."""
        yield np.ones(self.graph.n_pendings, dtype=np.int64)
        yield np.maximum(np.diff(self.graph.action_start), 1)
        yield np.ones(self.n_ends, dtype=np.int64)

    def branch_counts(self) -> Iterator[Ints]:
        """Count the branches of every choice."""
        yield np.diff(self.graph.outcome_start)
        for part in self._parts():
            yield part.put(np.ones(part.n_actions, dtype=np.int64), 1 + self._split(part.rows))
        yield np.ones(self.n_ends, dtype=np.int64)

    def losses(self) -> Iterator[Fractions]:
        """Give what every choice counts, with its sign turned."""
        return (Fractions(-top, bottom) for top, bottom in self.rewards())

    def rewards(self) -> Iterator[Fractions]:
        """Give what every choice counts."""
        unit, graph = self.explored.unit, self.graph
        for span in spans(graph.n_pendings):
            yield _over(graph.pending_cost[span], unit)
        for part in self._parts():
            yield _over(part.put(graph.action_gain[part.actions], graph.state_payoff[part.rows]), unit)
        yield _over(np.zeros(self.n_ends, dtype=np.int64), 1)

    def targets(self) -> Iterator[Ints]:
        """Give the node that every branch leads to."""
        graph, won = self.graph, self.first_end
        for span in spans(len(graph.outcome_state)):
            yield graph.outcome_state[span].astype(np.int64) + graph.n_pendings
        for part in self._parts():
            payoff = graph.state_payoff[part.rows]
            ends = np.where(payoff > 0, won, won + 1) if self.chance else np.full(len(payoff), won)
            yield part.put(graph.action_pending[part.actions], ends, self._split(part.rows), won + 1)
        yield np.arange(won, self.n_nodes)

    def chances(self) -> Iterator[Fractions]:
        """Give the probability of every branch."""
        graph, unit = self.graph, self.explored.unit
        for span in spans(graph.n_pendings):
            start = graph.outcome_start[span.start : span.stop + 1].astype(np.int64)
            weight = graph.outcome_weight[start[0] : start[-1]].astype(np.int64)
            total = np.add.reduceat(weight, start[:-1] - start[0])
            yield _over(weight, np.repeat(total, np.diff(start)))
        for part in self._parts():
            split = self._split(part.rows)
            payoff = graph.state_payoff[part.rows].astype(np.int64)
            won = np.where(split, payoff, unit)
            top = part.put(np.full(part.n_actions, unit), won, split, unit - payoff[split])
            yield _over(top, unit)
        yield _over(np.ones(self.n_ends, dtype=np.int64), 1)

    def action_numbers(self, numbers: npt.NDArray[np.uint32], nobody: int) -> Iterator[npt.NDArray[np.uint32]]:
        """Give every choice the number of its action, and `nobody` where there is none to choose."""
        yield np.full(self.graph.n_pendings, nobody, dtype=np.uint32)
        for part in self._parts():
            yield part.put(numbers[part.actions].astype(np.int64), np.full(int(part.over.sum()), nobody)).astype(np.uint32)
        yield np.full(self.n_ends, nobody, dtype=np.uint32)

    def _split(self, rows: npt.NDArray[np.bool_] | Ints) -> Bits:
        """Say which of some finished states are neither won nor lost."""
        payoff = self.graph.state_payoff[rows]
        return np.asarray((payoff > 0) & (payoff < self.explored.unit) & self.chance)

    def _parts(self) -> Iterator["_Part"]:
        for span in spans(self.graph.n_states):
            start = self.graph.action_start[span.start : span.stop + 1].astype(np.int64)
            yield _Part(span.start, start)


@dataclass(frozen=True, eq=False)
class _Part:
    """Some states in a row, and the choices they have."""

    first: int
    start: Ints

    @property
    def actions(self) -> slice:
        return slice(int(self.start[0]), int(self.start[-1]))

    @property
    def n_actions(self) -> int:
        return int(self.start[-1] - self.start[0])

    @cached_property
    def over(self) -> Bits:
        return np.asarray(self.start[1:] == self.start[:-1])

    @property
    def rows(self) -> Ints:
        """The numbers of its finished states."""
        return self.first + np.flatnonzero(self.over)

    def put(self, actions: Ints, ends: Ints | Bits, split: Bits | None = None, more: Ints | int = 0) -> Ints:
        """Put what belongs to finished states among what belongs to actions; where `split`, with `more` after it."""
        at = (self.start[:-1] - self.start[0])[self.over]
        found = np.insert(actions.astype(np.int64), at, ends)
        if split is None or not split.any():
            return found
        places = at + np.arange(len(at))
        return np.insert(found, places[split] + 1, more)


def spans(count: int) -> Iterator[slice]:
    """Cut a range into blocks.

    >>> [(span.start, span.stop) for span in spans(150_000)]
    [(0, 131072), (131072, 150000)]
    """
    return (slice(low, min(low + BLOCK, count)) for low in range(0, count, BLOCK))


def _over(top: Ints, bottom: Ints | int) -> Fractions:
    top = top.astype(np.int64)
    divisor = np.gcd(top, bottom)
    return Fractions(top // divisor, np.asarray(bottom // divisor, dtype=np.int64))
