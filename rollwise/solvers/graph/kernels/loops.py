"""Free loops: where a player may go round for nothing, for ever, and lose nothing by it.

Along moves that gain nothing, cost nothing and are tied, a player can stay in a set of nodes for ever. All nodes of such a set
that hang together have the same value, so they are made one: the same value to the last bit, the same steps, and a choice that
walks to the nearest way on. Whether that is right is decided by the proof, not here.
"""

import numpy as np

from rollwise.solvers.base.compiling import inner
from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.graph.kernels.arrays import (
    BACK,
    BACK_FIRST,
    BASE,
    FIRST,
    KIND,
    LEAVES,
    MARK,
    MOVED,
    PIECE,
    QUEUE,
    TARGET,
    VALUE,
)  # fmt: skip
from rollwise.solvers.graph.kernels.searches import MAX, PENDING

__all__ = ["find_loops", "first_tied", "leave_loops", "level_loops"]


@inner
def find_loops(cycle, size, near):
    """Find the nodes among which one may stay for nothing; number what hangs together in PIECE, -1 elsewhere. Give how many."""
    inside = cycle.flag[MARK]
    tail = 0
    for node in range(size):
        cycle.note[PIECE, node] = node
        inside[node] = cycle.flag[KIND, node] == MAX
        if cycle.flag[KIND, node] == PENDING:
            inside[node] = not cycle.flag[LEAVES, node] and cycle.real[BASE, node] == 0.0
    for node in range(size):
        if not inside[node] or (cycle.flag[KIND, node] == MAX and not _stays(cycle, node, near)):
            inside[node] = 0
            cycle.note[QUEUE, tail] = node
            tail += 1
    head = 0
    while head < tail:
        node = cycle.note[QUEUE, head]
        head += 1
        for place in range(cycle.start[BACK_FIRST, node], cycle.start[BACK_FIRST, node + 1]):
            before = cycle.edge[BACK, place]
            if inside[before] and (cycle.flag[KIND, before] == PENDING or not _stays(cycle, before, near)):
                inside[before] = 0
                cycle.note[QUEUE, tail] = before
                tail += 1
    if tail < size:
        _join(cycle, size, near)
    return size - tail


@inner
def _is_free(cycle, place, state, near):
    """Say whether an action is part of a loop: inside, for nothing, and tied."""
    after = cycle.edge[TARGET, place]
    apart = abs(cycle.real[VALUE, after] - cycle.real[VALUE, state])
    return cycle.flag[MARK, after] and cycle.amount[place] == 0 and apart <= near


@inner
def _stays(cycle, state, near):
    for place in range(cycle.start[FIRST, state], cycle.start[FIRST, state + 1]):
        if _is_free(cycle, place, state, near):
            return True
    return False


@inner
def _join(cycle, size, near):
    """Make one piece of what hangs together."""
    piece = cycle.note[PIECE]
    for node in range(size):
        if not cycle.flag[MARK, node]:
            continue
        state = cycle.flag[KIND, node] != PENDING
        for place in range(cycle.start[FIRST, node], cycle.start[FIRST, node + 1]):
            if not state or _is_free(cycle, place, node, near):
                a, b = _root(piece, node), _root(piece, cycle.edge[TARGET, place])
                piece[max(a, b)] = min(a, b)
    for node in range(size):
        piece[node] = _root(piece, node) if cycle.flag[MARK, node] else -1


@inner
def _root(piece, node):
    while piece[node] != node:
        piece[node] = piece[piece[node]]
        node = piece[node]
    return node


@inner
def level_loops(cycle, size):
    """Give all nodes of a piece the largest value found in it."""
    piece, top = cycle.note[PIECE], cycle.real[MOVED]
    top[:size] = -np.inf
    for node in range(size):
        if piece[node] >= 0:
            top[piece[node]] = max(top[piece[node]], cycle.real[VALUE, node])
    for node in range(size):
        if piece[node] >= 0:
            cycle.real[VALUE, node] = top[piece[node]]


@inner
def first_tied(rows, solved, state, sign, width, avoid, cycle):
    """Give the first action of a state within a width of the best (or a relative TIE), -1 if there is none.

    Actions that stay in the piece `avoid` do not count, if that is not -1.
    """
    n_states = len(rows.action_start) - 1
    best = -np.inf
    for edge in range(rows.action_start[state], rows.action_start[state + 1]):
        best = max(best, sign * (rows.action_gain[edge] + solved.value[rows.action_pending[edge] + n_states]))
    least = best - (width if width >= 0 else TIE * max(abs(best), -width))
    for edge in range(rows.action_start[state], rows.action_start[state + 1]):
        node = rows.action_pending[edge] + n_states
        if sign * (rows.action_gain[edge] + solved.value[node]) >= least:
            place = cycle.number[node] - 1
            if avoid < 0 or place < 0 or cycle.note[PIECE, place] != avoid:
                return edge - rows.action_start[state]
    return -1


@inner
def leave_loops(rows, solved, order, begin, size, cycle, sign, width):
    """Change choices inside pieces, as few as it takes, such that all of them lead on; say whether they do."""
    n_states = len(rows.action_start) - 1
    piece, good = cycle.note[PIECE], cycle.flag[MARK]
    good[:size] = 0
    for turn in range(3):
        tail = 0
        for place in range(size):
            state = order[begin + place]
            if piece[place] >= 0 and state < n_states and not good[place]:
                if turn == 0:
                    on = cycle.number[rows.action_pending[rows.action_start[state] + solved.choice[state]] + n_states] - 1
                    good[place] = on < 0 or piece[on] != piece[place]
                elif turn == 1:
                    leaving = first_tied(rows, solved, state, sign, width, piece[place], cycle)
                    good[place] = leaving >= 0
                    solved.choice[state] = leaving if leaving >= 0 else solved.choice[state]
            if good[place]:
                cycle.note[QUEUE, tail] = place
                tail += 1
        _walk_back(rows, solved, order, begin, cycle, tail, turn == 2)
    for place in range(size):
        if piece[place] >= 0 and not good[place]:
            return False
    return True


@inner
def _walk_back(rows, solved, order, begin, cycle, tail, switch):
    """Mark the nodes of pieces that come to marked ones by their choices; with `switch`, by free moves that are then chosen."""
    n_states = len(rows.action_start) - 1
    piece, good = cycle.note[PIECE], cycle.flag[MARK]
    head = 0
    while head < tail:
        node = cycle.note[QUEUE, head]
        head += 1
        for place in range(cycle.start[BACK_FIRST, node], cycle.start[BACK_FIRST, node + 1]):
            before = cycle.edge[BACK, place]
            if good[before] or piece[before] != piece[node]:
                continue
            if cycle.flag[KIND, before] != PENDING:
                state, pending = order[begin + before], order[begin + node] - n_states
                if switch:
                    for edge in range(rows.action_start[state], rows.action_start[state + 1]):
                        if rows.action_pending[edge] == pending and rows.action_gain[edge] == 0:
                            solved.choice[state] = edge - rows.action_start[state]
                            break
                if rows.action_pending[rows.action_start[state] + solved.choice[state]] != pending:
                    continue
            good[before] = 1
            cycle.note[QUEUE, tail] = before
            tail += 1
