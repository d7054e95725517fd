"""The flat Markov decision process that the general solvers get: one numbering, one list of choices, one list of entries.

Every node has at least one choice, and a choice leads to nodes with probabilities. Pending rolls come first (node 0 is the
start; each has the one choice "roll"), then states, then a sink that loops for ever at no gain and that finished states lead
to. Giving nature nodes of its own is the form kindest to the peers: spreading a roll over every keep that leads to it would
need ten times as many entries.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.games import make
from rollwise import explore

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Model:
    """Choices of node n: `choice_start[n]` up to `choice_start[n + 1]`; entries of choice c likewise by `entry_start`.

    The entry weights of a choice add up to `choice_total`; the columns of a choice are ascending. Many gains are good, or few
    where `maximise` is false.
    """

    maximise: bool
    choice_start: Ints
    choice_gain: Ints
    choice_total: Ints
    entry_start: Ints
    entry_node: Ints
    entry_weight: Ints

    @property
    def n_nodes(self) -> int:
        return len(self.choice_start) - 1

    @property
    def n_choices(self) -> int:
        return len(self.choice_gain)

    @property
    def n_entries(self) -> int:
        return len(self.entry_node)

    def choice_node(self) -> Ints:
        """Give the node of every choice."""
        return np.repeat(np.arange(self.n_nodes), np.diff(self.choice_start))

    def entry_choice(self) -> Ints:
        """Give the choice of every entry."""
        return np.repeat(np.arange(self.n_choices), np.diff(self.entry_start))


def explored_model(game: str, parameters: Mapping[str, Any]) -> tuple[Model, float]:
    """Make a game, explore it and write it as a flat model; also give the CPU seconds of exploring."""
    begun = process_time()
    graph = explore(make(game, parameters)).graph
    explored = process_time() - begun
    return flat_model(graph), explored


def flat_model(graph: Any) -> Model:
    """Write an explored game (a `rollwise.solvers.graph.explore.Graph`) as a flat model."""
    n_pendings, sink = graph.n_pendings, graph.n_pendings + graph.n_states
    actions = np.diff(graph.action_start)
    over = actions == 0
    choices = np.concatenate([np.ones(n_pendings, np.int64), np.maximum(actions, 1), [1]])
    gain, target = _moves(graph, over, sink)
    entry_node, entry_weight = _sorted_rolls(graph)
    rolls = np.diff(graph.outcome_start)
    weight_before = np.concatenate([[0], np.cumsum(entry_weight)])
    return Model(
        maximise=graph.maximise,
        choice_start=_starts(choices),
        choice_gain=np.concatenate([graph.pending_cost, gain, [0]]),
        choice_total=np.concatenate([np.diff(weight_before[graph.outcome_start]), np.ones(len(target) + 1, np.int64)]),
        entry_start=_starts(np.concatenate([rolls, np.ones(len(target) + 1, np.int64)])),
        entry_node=np.concatenate([entry_node + n_pendings, target, [sink]]),
        entry_weight=np.concatenate([entry_weight, np.ones(len(target) + 1, np.int64)]),
    )


def _moves(graph: Any, over: npt.NDArray[np.bool_], sink: int) -> tuple[Ints, Ints]:
    """Give gain and target of every choice of the states; a finished state has one choice, its payoff and the sink."""
    at = graph.action_start[:-1][over]
    return np.insert(graph.action_gain, at, graph.state_payoff[over]), np.insert(graph.action_pending, at, sink)


def _sorted_rolls(graph: Any) -> tuple[Ints, Ints]:
    pending = np.repeat(np.arange(graph.n_pendings), np.diff(graph.outcome_start))
    order = np.lexsort((graph.outcome_state, pending))
    return graph.outcome_state[order], graph.outcome_weight[order]


def _starts(sizes: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes)])
