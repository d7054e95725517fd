"""Label setting for fewest-cost games with cycles: a Dijkstra that works backwards from the ends.

Nodes are settled in increasing order of value. A pending p of cost c and total weight W, of whose outcomes the set D is settled,
can be rolled again and again until D is hit; that has the value

    (c * W + sum over D of w_z v_z) / sum over D of w_z,

so a count and a sum per pending suffice. The formula needs outcomes outside D to be able to roll p again. An outcome that
cannot must be settled before p has a label at all; where that would break the increasing order, or leave a pending without a
label although it can surely end, label setting does not apply and says so. All costs on cycles must be positive.

The code is written for any number type: floats, or fractions in exact mode.
"""

from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import inf
from typing import Any

import numpy as np

from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.explore import Graph
from rollwise.solvers.graph.values import Ints

__all__ = ["Labels", "set_labels"]


@dataclass(frozen=True, eq=False)
class Labels:
    """Least costs by local number, infinite where not settled; `broken` is a local pending at which the order failed."""

    state: list[Any]
    pending: list[Any]
    broken: int | None


def set_labels(
    graph: Graph, states: Ints, pendings: Ints, state_value: Any, pending_value: Any, *, exact: bool = False
) -> Labels:
    """Settle a component. The values of the graph's solved nodes and `pending_cost` are negative, as engines maximise."""
    web = _web(graph, states, pendings)
    number: Any = Fraction if exact else float
    n = len(states)
    label: list[Any] = [inf] * (n + len(web.outside) + len(pendings))
    first_pending = n + len(web.outside)
    for local, state in enumerate(states.tolist()):
        if graph.action_start[state] == graph.action_start[state + 1]:
            label[local] = number(0)
    for place, state in enumerate(web.outside):
        label[n + place] = -state_value[state]
    for local, pending in web.exits:
        label[local] = min(label[local], -pending_value[pending])
    heap = [(value, node) for node, value in enumerate(label) if value < inf]
    heapify(heap)
    base = [number(-int(c) * w) for c, w in zip(graph.pending_cost[pendings].tolist(), web.total, strict=True)]
    weight = [0] * len(pendings)
    missing = list(web.missing)
    settled = [False] * len(label)
    while heap:
        value, node = heappop(heap)
        if settled[node]:
            continue
        settled[node] = True
        if node >= first_pending:
            for state in web.users[web.user_start[node - first_pending] : web.user_start[node - first_pending + 1]]:
                if value < label[state]:
                    label[state] = value
                    heappush(heap, (value, state))
            continue
        for edge in range(web.hit_start[node], web.hit_start[node + 1]):
            pending = web.hit_pending[edge]
            if settled[first_pending + pending]:
                continue
            weight[pending] += web.hit_weight[edge]
            base[pending] += web.hit_weight[edge] * value
            missing[pending] -= web.hit_final[edge]
            if missing[pending]:
                continue
            new = base[pending] / weight[pending]
            if new < value * (1 if exact else 1 - 1e-12):
                return Labels(label[:n], label[first_pending:], pending)
            if new < label[first_pending + pending]:
                label[first_pending + pending] = new
                heappush(heap, (new, first_pending + pending))
    return Labels(label[:n], label[first_pending:], None)


@dataclass(frozen=True, eq=False)
class _Web:
    """Backward edges. From a state: the pendings it is an outcome of; from a pending: the states that may roll it."""

    outside: list[int]
    exits: list[tuple[int, int]]
    total: list[int]
    missing: list[int]
    hit_start: list[int]
    hit_pending: list[int]
    hit_weight: list[int]
    hit_final: list[int]
    user_start: list[int]
    users: list[int]


def _web(graph: Graph, states: Ints, pendings: Ints) -> _Web:
    actions, _ = gather(graph.action_start, states)
    n_actions = graph.action_start[states + 1] - graph.action_start[states]
    user = np.repeat(np.arange(len(states)), n_actions)
    place = np.minimum(np.searchsorted(pendings, graph.action_pending[actions]), len(pendings) - 1)
    inside = pendings[place] == graph.action_pending[actions]
    exits = list(zip(user[~inside].tolist(), graph.action_pending[actions][~inside].tolist(), strict=True))
    user, place = user[inside], place[inside]

    outcomes, begin = gather(graph.outcome_start, pendings)
    n_outcomes = np.diff(begin, append=len(outcomes))
    hit_pending = np.repeat(np.arange(len(pendings)), n_outcomes)
    state = graph.outcome_state[outcomes]
    local = np.minimum(np.searchsorted(states, state), len(states) - 1)
    foreign = states[local] != state
    outside, number = np.unique(state[foreign], return_inverse=True)
    local[foreign] = len(states) + number
    weight = graph.outcome_weight[outcomes]

    repeats = np.isin(local * len(pendings) + hit_pending, user * len(pendings) + place)
    order = np.argsort(local, kind="stable")
    by_user = np.argsort(place, kind="stable")
    n_nodes = len(states) + len(outside)
    return _Web(
        outside=outside.tolist(),
        exits=exits,
        total=np.add.reduceat(weight, begin).tolist(),
        missing=np.bincount(hit_pending, ~repeats, len(pendings)).astype(np.int64).tolist(),
        hit_start=np.searchsorted(local[order], np.arange(n_nodes + 1)).tolist(),
        hit_pending=hit_pending[order].tolist(),
        hit_weight=weight[order].tolist(),
        hit_final=(~repeats[order]).astype(np.int64).tolist(),
        user_start=np.searchsorted(place[by_user], np.arange(len(pendings) + 1)).tolist(),
        users=user[by_user].tolist(),
    )
