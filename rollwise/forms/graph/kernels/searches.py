"""Questions about a cyclic component that sets of nodes answer: all by queues, each edge met a few times."""

import numpy as np

from rollwise.forms.base.compiling import compiled

__all__ = ["DEAD", "MAX", "MIN", "PENDING", "bury", "surely_left", "turn_back"]

PENDING, MAX, MIN, DEAD = 0, 1, 2, 3
QUICK = 20


@compiled
def surely_left(cycle, size):
    """Mark the nodes from which a component is left whatever is chosen; say whether those are all.

    A roll is marked if any outcome is, or lies outside; a state if all its moves are. In the order of the component a few passes
    mostly find them all; a queue does the rest.
    """
    cycle.mark[:size] = 0
    for _ in range(QUICK):
        changed = False
        left = 0
        for node in range(size):
            if not cycle.mark[node]:
                found = _is_left(cycle, node)
                cycle.mark[node] = found
                changed |= found
                left += 1 - found
        if not left or not changed:
            return left == 0
    return _spread(cycle, size)


@compiled
def _is_left(cycle, node):
    begin, end = cycle.first[node], cycle.first[node + 1]
    if cycle.kind[node] == PENDING:
        found = cycle.leaves[node]
        for place in range(begin, end):
            found |= cycle.mark[cycle.target[place]]
        return found
    for place in range(begin, end):
        if not cycle.mark[cycle.target[place]]:
            return False
    return True


@compiled
def _spread(cycle, size):
    """Go on marking, from the nodes that are marked."""
    turn_back(cycle, size)
    tail = 0
    for node in range(size):
        cycle.count[node] = 1 if cycle.kind[node] == PENDING else cycle.first[node + 1] - cycle.first[node]
        if cycle.mark[node]:
            cycle.queue[tail] = node
            tail += 1
    head = 0
    while head < tail:
        node = cycle.queue[head]
        head += 1
        for place in range(cycle.back_start[node], cycle.back_start[node + 1]):
            before = cycle.back[place]
            cycle.count[before] -= 1
            if cycle.count[before] <= 0 and not cycle.mark[before]:
                cycle.mark[before] = 1
                cycle.queue[tail] = before
                tail += 1
    return tail == size


@compiled
def turn_back(cycle, size):
    """List the edges backwards."""
    start = cycle.back_start
    start[: size + 2] = 0
    for place in range(cycle.first[size]):
        start[cycle.target[place] + 2] += 1
    for node in range(size):
        start[node + 2] += start[node + 1]
    for node in range(size):
        for place in range(cycle.first[node], cycle.first[node + 1]):
            after = cycle.target[place] + 1
            cycle.back[start[after]] = node
            start[after] += 1


@compiled
def bury(cycle, size):
    """Find the nodes from which nothing surely ends: make them DEAD, with the value minus infinity; say how many there are.

    Nodes that cannot reach a way out are dead; a roll that can fall into a dead node is, and a state all of whose moves are;
    repeat with what is left.
    """
    turn_back(cycle, size)
    cycle.mark[:size] = 0
    dead = 0
    tail = 0
    for node in range(size):
        cycle.count[node] = cycle.first[node + 1] - cycle.first[node] + (cycle.kind[node] != PENDING and cycle.leaves[node])
        if cycle.kind[node] == PENDING and cycle.base[node] == -np.inf:
            cycle.mark[node] = 2
            cycle.queue[tail] = node
            tail += 1
    while True:
        dead = _sink(cycle, tail, dead)
        tail = _unreached(cycle, size)
        if tail == 0:
            return dead


@compiled
def _sink(cycle, tail, dead):
    """Make the nodes of the queue DEAD, and those that they pull down."""
    head = 0
    while head < tail:
        node = cycle.queue[head]
        head += 1
        if cycle.kind[node] == DEAD:
            continue
        pending = cycle.kind[node] == PENDING
        cycle.kind[node] = DEAD
        cycle.value[node] = cycle.base[node] = -np.inf
        dead += 1
        for place in range(cycle.back_start[node], cycle.back_start[node + 1]):
            before = cycle.back[place]
            if cycle.kind[before] == DEAD:
                continue
            cycle.count[before] -= 1
            if (not pending or cycle.count[before] == 0) and cycle.mark[before] != 2:
                cycle.mark[before] = 2
                cycle.queue[tail] = before
                tail += 1
    return dead


@compiled
def _unreached(cycle, size):
    """Search backwards from the ways out; put the nodes that are not found into the queue and give their number."""
    tail = 0
    for node in range(size):
        cycle.mark[node] = cycle.kind[node] != DEAD and cycle.leaves[node]
        if cycle.mark[node]:
            cycle.queue[tail] = node
            tail += 1
    head = 0
    while head < tail:
        node = cycle.queue[head]
        head += 1
        for place in range(cycle.back_start[node], cycle.back_start[node + 1]):
            before = cycle.back[place]
            if not cycle.mark[before] and cycle.kind[before] != DEAD:
                cycle.mark[before] = 1
                cycle.queue[tail] = before
                tail += 1
    tail = 0
    for node in range(size):
        if not cycle.mark[node] and cycle.kind[node] != DEAD:
            cycle.mark[node] = 2
            cycle.queue[tail] = node
            tail += 1
    return tail
