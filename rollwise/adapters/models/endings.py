"""Whether a game ends whatever is done, and whether it can be ended from everywhere: what other programs' answers depend on.

A game that need not end has a set of nodes in which it can be kept for ever: every roll of the set stays in it, and every state
has an action that does. Such a set lies within a strongly connected component. So rolls that may leave their component are taken
out, then states without an action left, then rolls that may lead to such a state, and so on; in what remains a game can be kept.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from rollwise.adapters.models.model import Bits, Ints
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.explore import Graph

__all__ = ["Endings", "endings"]

Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Endings:
    """`sure`: every strategy ends. `possible`: from every node some strategy surely ends."""

    sure: bool
    possible: bool


def endings(graph: Graph) -> Endings:
    """Find out how games end.

    >>> from rollwise import explore
    >>> from rollwise.games import load
    >>> endings(explore(load("slots")).graph), endings(explore(load("groups", faces=6, sizes=[1, 2])).graph)
    (Endings(sure=True, possible=True), Endings(sure=False, possible=True))
    """
    part = _components(graph)
    if int(part.max()) + 1 == len(part):
        return Endings(sure=True, possible=True)
    pending = np.repeat(np.arange(graph.n_pendings, dtype=np.int32), np.diff(graph.outcome_start))
    state = np.repeat(np.arange(graph.n_states, dtype=np.int32), np.diff(graph.action_start))
    pending_part, state_part = part[: graph.n_pendings], part[graph.n_pendings :]
    leaving = pending_part[pending] != state_part[graph.outcome_state]
    left = pending_part[graph.action_pending] != state_part[state]
    ways_out = np.bincount(pending_part[pending[leaving]], minlength=part.max(initial=0) + 1)
    ways_out += np.bincount(state_part[state[left]], minlength=len(ways_out))
    over = graph.action_start[1:] == graph.action_start[:-1]
    ways_out[state_part[over]] = 1
    sure = not _kept(graph, pending, state, leaving, left)
    return Endings(sure, bool(ways_out.all()))


def _components(graph: Graph) -> Numbers:
    """Number the strongly connected components; pendings first, then states."""
    size = graph.n_pendings + graph.n_states
    start = np.concatenate([graph.outcome_start, graph.action_start[1:] + graph.outcome_start[-1]])
    target = np.concatenate([graph.outcome_state + graph.n_pendings, graph.action_pending])
    edges = csr_array((np.ones(len(target), dtype=np.int8), target, start), shape=(size, size))
    return np.asarray(connected_components(edges, connection="strong")[1], dtype=np.int32)


def _kept(graph: Graph, pending: Numbers, state: Numbers, leaving: Bits, left: Bits) -> bool:
    """Say whether a game can be kept from its end."""
    by_state_start, by_state = _turned(pending[~leaving], graph.outcome_state[~leaving], graph.n_states)
    by_pending_start, by_pending = _turned(state[~left], graph.action_pending[~left], graph.n_pendings)
    ways = np.bincount(state[~left], minlength=graph.n_states)
    gone_state, gone_pending = ways == 0, np.zeros(graph.n_pendings, dtype=np.bool_)
    gone_pending[pending[leaving]] = True
    states, pendings = np.flatnonzero(gone_state), np.flatnonzero(gone_pending)
    while states.size or pendings.size:
        met = by_state[gather(by_state_start, states)[0]]
        more = np.unique(met[~gone_pending[met]])
        gone_pending[more] = True
        pendings = np.concatenate([pendings, more])
        states, lost = np.unique(by_pending[gather(by_pending_start, pendings)[0]], return_counts=True)
        ways[states] -= lost
        states = states[(ways[states] == 0) & ~gone_state[states]]
        gone_state[states] = True
        pendings = pendings[:0]
    return not gone_pending.all()


def _turned(source: Numbers, target: Numbers | Ints, size: int) -> tuple[Ints, Numbers]:
    """List the sources by target, and where each target's begin."""
    start = np.concatenate([[0], np.cumsum(np.bincount(target, minlength=size))])
    return start, source[np.argsort(target, kind="stable")]
