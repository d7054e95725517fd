"""Make proved bounds tighter.

A value that lies within its bounds satisfies the optimality equation, and so does what a strategy attains. So the bounds of a
node's neighbours bound the node, whatever cycles there are: from a proof of a whole component, which counts the worst way out,
this gets what happens on average. Bounds only ever shrink.
"""

import numpy as np

from rollwise.solvers.base.compiling import inner
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.graph.kernels.plain import weighed

__all__ = ["tighten"]

MOST_NODES, SWEEPS = 100_000, 3
"""Components of at most this many nodes are swept again for tighter bounds, at most so often."""
ENOUGH = 0.8
"""Sweeps over a component end when its largest bound is not below this share of what it was."""


@inner
def tighten_pending(rows, solved, pending):
    """Bound a roll by its outcomes, and give the larger of its bounds."""
    node = pending + len(rows.action_start) - 1
    value = solved.value[node]
    terms, mean, size, up, down = weighed(rows, solved, pending)
    cost = float(rows.pending_cost[pending])
    if not np.isfinite(value) or not np.isfinite(mean):
        return 0.0
    slack = (terms + 12) * (1.01 * UNIT) * (size + abs(cost) + abs(value))
    off = cost + mean - value
    return put(solved, node, off + up + slack, down - off + slack)


@inner
def tighten_state(rows, solved, state):
    """Bound a state by its actions: by the chosen one for the player to move, by all for the other side."""
    n_states = len(rows.action_start) - 1
    begin, end = rows.action_start[state], rows.action_start[state + 1]
    value = solved.value[state]
    if begin == end or not np.isfinite(value) or solved.choice[state] < 0:
        return 0.0
    second = rows.state_mover[state] == 1
    top, low, size = -np.inf, np.inf, abs(value)
    for place in range(begin, end):
        node = rows.action_pending[place] + n_states
        gain = float(rows.action_gain[place])
        found = gain + solved.value[node]
        if np.isfinite(found):
            size = max(size, abs(gain) + abs(solved.value[node]))
        top = max(top, found + solved.up[node])
        low = min(low, found - solved.down[node])
    chosen = begin + solved.choice[state]
    node = rows.action_pending[chosen] + n_states
    found = float(rows.action_gain[chosen]) + solved.value[node]
    if second:
        top = found + solved.up[node]
    else:
        low = found - solved.down[node]
    slack = 8 * UNIT * size
    return put(solved, state, top - value + slack, value - low + slack)


@inner
def put(solved, node, up, down):
    """Write bounds that are tighter, and give the larger of the two."""
    if 0.0 <= up < solved.up[node]:
        solved.up[node] = up
    if 0.0 <= down < solved.down[node]:
        solved.down[node] = down
    return max(solved.up[node], solved.down[node])


@inner
def tighten(rows, solved, order, begin, size):
    """Sweep over a component that has just been proved, as long as that helps; a very large one stays as it is."""
    n_states = len(rows.action_start) - 1
    before = np.inf
    for _ in range(SWEEPS if size <= MOST_NODES else 0):
        widest = 0.0
        for place in range(begin, begin + size):
            node = order[place]
            if node < n_states:
                widest = max(widest, tighten_state(rows, solved, node))
            else:
                widest = max(widest, tighten_pending(rows, solved, node - n_states))
        if widest > ENOUGH * before:
            break
        before = widest
