"""One order for everything: strongly connected components, successors first; inside a component, nodes as the search leaves them.

That is Tarjan's algorithm in the form of Pearce (2016, "A space-efficient algorithm for finding strongly connected components"),
with arrays in place of recursion. Nodes are the states 0..S-1 and then the pendings S..S+P-1. The search can be left and
entered again: everything it knows is in its arrays.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.compiling import compiled

__all__ = ["components_in_order", "largest_cycle"]

SOLVED = 2**31 - 1
SLICE = 100_000_000
"""Edges that are gone through before progress is told."""


def components_in_order(
    rows: Any, tick: Callable[[int], None] = lambda _: None
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    """List the nodes of a graph, component by component; and mark the places at which a component ends."""
    n = len(rows.action_start) + len(rows.outcome_start) - 2
    low, last = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.uint8)
    stack, edge, mine, order = (np.empty(n, dtype=np.int32) for _ in range(4))
    at = np.array([0, n, 0, 0, 0])
    edges = (rows.action_start, rows.action_pending, rows.outcome_start, rows.outcome_state)
    while not put_in_order(*edges, low, stack, edge, mine, order, last, at, SLICE):
        tick(0)
    return order, last


@compiled
def put_in_order(action_start, action_pending, outcome_start, outcome_state, low, stack, edge, mine, order, last, at, budget):
    """Go on with the search for about `budget` edges; True when every node has its place in `order`.

    `last` marks the places at which a component ends. The path of the search fills `stack` from the left, the nodes that it has
    left but whose components are open from the right; `low` is 0 where it has not been.
    """
    n_states = len(action_start) - 1
    n = n_states + len(outcome_start) - 1
    depth, top, index, found, root = at[0], at[1], at[2], at[3], at[4]
    while budget > 0:
        if depth == 0:
            while root < n and low[(root + n_states) % n]:
                root += 1
            if root == n:
                break
            node = (root + n_states) % n
            index += 1
            low[node] = index
            stack[0], edge[0], mine[0] = node, 0, index
            depth = 1
        node = stack[depth - 1]
        if node < n_states:
            begin, end = action_start[node], action_start[node + 1]
        else:
            begin, end = outcome_start[node - n_states], outcome_start[node - n_states + 1]
        lowest = low[node]
        after = -1
        place = begin + edge[depth - 1]
        while place < end:
            after = action_pending[place] + n_states if node < n_states else outcome_state[place]
            budget -= 1
            if low[after] == 0:
                break
            lowest = min(lowest, low[after])
            place += 1
        low[node] = lowest
        if place < end:
            edge[depth - 1] = place - begin
            index += 1
            low[after] = index
            stack[depth], edge[depth], mine[depth] = after, 0, index
            depth += 1
            continue
        depth -= 1
        if lowest < mine[depth]:
            top -= 1
            stack[top] = node
            continue
        oldest = top
        while oldest < n and low[stack[oldest]] >= lowest:
            oldest += 1
        index -= oldest - top + 1
        for place in range(oldest - 1, top - 1, -1):
            order[found] = stack[place]
            low[stack[place]] = SOLVED
            found += 1
        top = oldest
        order[found] = node
        low[node] = SOLVED
        last[found] = 1
        found += 1
    at[0], at[1], at[2], at[3], at[4] = depth, top, index, found, root
    return found == n


@compiled
def largest_cycle(action_start, outcome_start, order, last):
    """Give the most nodes, and the most edges, of a component with a cycle."""
    n_states = len(action_start) - 1
    nodes, edges, most_nodes, most_edges = 0, 0, 0, 0
    for place in range(len(order)):
        node = order[place]
        nodes += 1
        if node < n_states:
            edges += action_start[node + 1] - action_start[node]
        else:
            edges += outcome_start[node - n_states + 1] - outcome_start[node - n_states]
        if last[place]:
            if nodes > 1:
                most_nodes, most_edges = max(most_nodes, nodes), max(most_edges, edges)
            nodes, edges = 0, 0
    return most_nodes, most_edges
