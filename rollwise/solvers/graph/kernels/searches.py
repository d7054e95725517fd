"""Questions about a cyclic component that sets of nodes answer: all by queues, each edge met a few times."""

import numpy as np

from rollwise.solvers.base.compiling import compiled, inner
from rollwise.solvers.graph.kernels.arrays import (
    BACK,
    BACK_FIRST,
    BASE,
    BEST,
    COUNT,
    FIRST,
    KIND,
    LEAVES,
    MARK,
    QUEUE,
    TARGET,
    VALUE,
)

__all__ = ["DEAD", "MAX", "MIN", "PENDING", "bury", "never_left", "surely_left", "turn_back"]

PENDING, MAX, MIN, DEAD = 0, 1, 2, 3
QUICK = 20


@inner
def surely_left(cycle, size):
    """Mark the nodes from which a component is left whatever is chosen; say whether those are all.

    A roll is marked if any outcome is, or lies outside; a state if all its moves are. In the order of the component a few passes
    mostly find them all; a queue does the rest.
    """
    cycle.flag[MARK, :size] = 0
    for _ in range(QUICK):
        changed = False
        left = 0
        for node in range(size):
            if not cycle.flag[MARK, node]:
                found = _is_left(cycle, node)
                cycle.flag[MARK, node] = found
                changed |= found
                left += 1 - found
        if not left or not changed:
            return left == 0
    return _spread(cycle, size)


@inner
def _is_left(cycle, node):
    begin, end = cycle.start[FIRST, node], cycle.start[FIRST, node + 1]
    if cycle.flag[KIND, node] == PENDING:
        found = cycle.flag[LEAVES, node]
        for place in range(begin, end):
            found |= cycle.flag[MARK, cycle.edge[TARGET, place]]
        return found
    for place in range(begin, end):
        if not cycle.flag[MARK, cycle.edge[TARGET, place]]:
            return False
    return True


@inner
def _spread(cycle, size):
    """Go on marking, from the nodes that are marked."""
    turn_back(cycle, size)
    tail = 0
    for node in range(size):
        cycle.note[COUNT, node] = (
            1 if cycle.flag[KIND, node] == PENDING else cycle.start[FIRST, node + 1] - cycle.start[FIRST, node]
        )
        if cycle.flag[MARK, node]:
            cycle.note[QUEUE, tail] = node
            tail += 1
    head = 0
    while head < tail:
        node = cycle.note[QUEUE, head]
        head += 1
        for place in range(cycle.start[BACK_FIRST, node], cycle.start[BACK_FIRST, node + 1]):
            before = cycle.edge[BACK, place]
            cycle.note[COUNT, before] -= 1
            if cycle.note[COUNT, before] <= 0 and not cycle.flag[MARK, before]:
                cycle.flag[MARK, before] = 1
                cycle.note[QUEUE, tail] = before
                tail += 1
    return tail == size


@inner
def turn_back(cycle, size):
    """List the edges backwards."""
    start = cycle.start[BACK_FIRST]
    start[: size + 2] = 0
    for place in range(cycle.start[FIRST, size]):
        start[cycle.edge[TARGET, place] + 2] += 1
    for node in range(size):
        start[node + 2] += start[node + 1]
    for node in range(size):
        for place in range(cycle.start[FIRST, node], cycle.start[FIRST, node + 1]):
            after = cycle.edge[TARGET, place] + 1
            cycle.edge[BACK, start[after]] = node
            start[after] += 1


@inner
def bury(cycle, size):
    """Find the nodes from which nothing surely ends: make them DEAD, with the value minus infinity; say how many there are.

    Nodes that cannot reach a way out are dead; a roll that can fall into a dead node is, and a state all of whose moves are;
    repeat with what is left.
    """
    turn_back(cycle, size)
    cycle.flag[MARK, :size] = 0
    dead = 0
    tail = 0
    for node in range(size):
        cycle.note[COUNT, node] = (
            cycle.start[FIRST, node + 1]
            - cycle.start[FIRST, node]
            + (cycle.flag[KIND, node] != PENDING and cycle.flag[LEAVES, node])
        )
        if cycle.flag[KIND, node] == PENDING and cycle.real[BASE, node] == -np.inf:
            cycle.flag[MARK, node] = 2
            cycle.note[QUEUE, tail] = node
            tail += 1
    while True:
        dead = _sink(cycle, tail, dead)
        tail = _unreached(cycle, size)
        if tail == 0:
            return dead


@inner
def _sink(cycle, tail, dead):
    """Make the nodes of the queue DEAD, and those that they pull down."""
    head = 0
    while head < tail:
        node = cycle.note[QUEUE, head]
        head += 1
        if cycle.flag[KIND, node] == DEAD:
            continue
        pending = cycle.flag[KIND, node] == PENDING
        cycle.flag[KIND, node] = DEAD
        cycle.real[VALUE, node] = cycle.real[BASE, node] = -np.inf
        dead += 1
        for place in range(cycle.start[BACK_FIRST, node], cycle.start[BACK_FIRST, node + 1]):
            before = cycle.edge[BACK, place]
            if cycle.flag[KIND, before] == DEAD:
                continue
            cycle.note[COUNT, before] -= 1
            if (not pending or cycle.note[COUNT, before] == 0) and cycle.flag[MARK, before] != 2:
                cycle.flag[MARK, before] = 2
                cycle.note[QUEUE, tail] = before
                tail += 1
    return dead


@inner
def _unreached(cycle, size):
    """Search backwards from the ways out; put the nodes that are not found into the queue and give their number."""
    tail = 0
    for node in range(size):
        cycle.flag[MARK, node] = cycle.flag[KIND, node] != DEAD and cycle.flag[LEAVES, node]
        if cycle.flag[MARK, node]:
            cycle.note[QUEUE, tail] = node
            tail += 1
    head = 0
    while head < tail:
        node = cycle.note[QUEUE, head]
        head += 1
        for place in range(cycle.start[BACK_FIRST, node], cycle.start[BACK_FIRST, node + 1]):
            before = cycle.edge[BACK, place]
            if not cycle.flag[MARK, before] and cycle.flag[KIND, before] != DEAD:
                cycle.flag[MARK, before] = 1
                cycle.note[QUEUE, tail] = before
                tail += 1
    tail = 0
    for node in range(size):
        if not cycle.flag[MARK, node] and cycle.flag[KIND, node] != DEAD:
            cycle.flag[MARK, node] = 2
            cycle.note[QUEUE, tail] = node
            tail += 1
    return tail


@compiled
def never_left(cycle, size):
    """Mark the nodes from which the best moves lead out sooner or later, and give how many do not; the edges are turned back."""
    mark, tail = cycle.flag[MARK], 0
    for node in range(size):
        out = cycle.flag[LEAVES, node] if cycle.flag[KIND, node] == PENDING else cycle.note[BEST, node] < 0
        mark[node] = out or cycle.flag[KIND, node] == DEAD
        if mark[node]:
            cycle.note[QUEUE, tail] = node
            tail += 1
    head = 0
    while head < tail:
        node = cycle.note[QUEUE, head]
        head += 1
        for place in range(cycle.start[BACK_FIRST, node], cycle.start[BACK_FIRST, node + 1]):
            before = cycle.edge[BACK, place]
            if not mark[before] and (cycle.flag[KIND, before] == PENDING or cycle.note[BEST, before] == node):
                mark[before] = 1
                cycle.note[QUEUE, tail] = before
                tail += 1
    return size - tail
