"""The order in which a graph can be solved: strongly connected components, successors first.

Nodes are the states 0..S-1 and then the pendings S..S+P-1. Components that depend only on solved ones form a level and are
solved together:

- *plain* nodes lie on no cycle;
- a *retry* component has a single pending: every cycle goes through "roll this again", which is player 0's choice;
- any other component is *cyclic*.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.explore import Graph
from rollwise.solvers.graph.matrices import strong_components

__all__ = ["Level", "chooses", "depths", "levels", "one_level"]

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Level:
    """What can be solved at once: plain nodes, the pendings of retry components, cyclic components (states, pendings)."""

    states: Ints
    pendings: Ints
    retry: Ints
    cyclic: list[tuple[Ints, Ints]]


def chooses(graph: Graph, player: int) -> Bools:
    """Mark the states in which a player has more than one action."""
    marks: Bools = (np.diff(graph.action_start) > 1) & (graph.state_mover == player)
    return marks


def levels(graph: Graph) -> Iterator[Level]:
    """Yield the levels of a graph, those that depend on nothing first."""
    source, target = _edges(graph)
    n = graph.n_states + graph.n_pendings
    count, found = strong_components(n, source, target)
    label = found.astype(np.int64)
    depth = depths(count, label[source], label[target])[label]
    order = np.lexsort((label, depth))
    size = np.bincount(label, minlength=count)
    single = np.bincount(label[graph.n_states :], minlength=count) == 1
    single[label[: graph.n_states][chooses(graph, 1)]] = False
    bounds = np.searchsorted(depth[order], np.arange(int(depth.max()) + 2))
    for low, high in pairwise(bounds):
        yield _level(order[low:high], label, size, single, graph.n_states)


def one_level(graph: Graph) -> Level:
    """Treat the whole graph as a single cyclic component, for an engine that is asked to do everything."""
    nothing = np.zeros(0, dtype=np.int64)
    return Level(nothing, nothing, nothing, [(np.arange(graph.n_states), np.arange(graph.n_pendings))])


def _edges(graph: Graph) -> tuple[Ints, Ints]:
    state = np.repeat(np.arange(graph.n_states), np.diff(graph.action_start))
    pending = np.repeat(np.arange(graph.n_pendings), np.diff(graph.outcome_start)) + graph.n_states
    return (
        np.concatenate([state, pending]),
        np.concatenate([graph.action_pending + graph.n_states, graph.outcome_state]),
    )


def depths(count: int, source: Ints, target: Ints) -> Ints:
    """Give each node the length of the longest path to a node without successors; -1 to those that may meet a cycle."""
    between = source != target
    source, target = source[between], target[between]
    order = np.argsort(target, kind="stable")
    source = source[order]
    start = np.concatenate([[0], np.cumsum(np.bincount(target, minlength=count))])
    waiting = np.bincount(source, minlength=count)
    depth = np.full(count, -1, dtype=np.int64)
    ready = np.flatnonzero(waiting == 0)
    level = 0
    while ready.size:
        depth[ready] = level
        touched, times = np.unique(source[gather(start, ready)[0]], return_counts=True)
        waiting[touched] -= times
        ready = touched[waiting[touched] == 0]
        level += 1
    return depth


def _level(nodes: Ints, label: Ints, size: Ints, single: Bools, n_states: int) -> Level:
    is_state = nodes < n_states
    plain = size[label[nodes]] == 1
    retry = ~plain & single[label[nodes]]
    loops = nodes[~plain & ~retry]
    cyclic = np.split(loops, np.flatnonzero(np.diff(label[loops])) + 1) if loops.size else []
    return Level(
        states=nodes[plain & is_state],
        pendings=nodes[plain & ~is_state] - n_states,
        retry=nodes[retry & ~is_state] - n_states,
        cyclic=[(part[part < n_states], part[part >= n_states] - n_states) for part in cyclic],
    )
