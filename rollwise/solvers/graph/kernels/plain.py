"""Nodes on no cycle: the recursions of `induction`, one node at a time."""

import numpy as np

from rollwise.solvers.base.compiling import inner
from rollwise.solvers.base.numbers import TIE, UNIT, WHOLE

__all__ = ["solve_pending", "solve_state", "weighed"]


@inner
def solve_pending(rows, solved, pending):
    """Fill in a pending whose outcomes are solved."""
    node = pending + len(rows.action_start) - 1
    terms, mean, size, up, down = weighed(rows, solved, pending)
    cost = float(rows.pending_cost[pending])
    solved.value[node] = cost + mean
    slack = (terms + 8) * (1.01 * UNIT) * (size + abs(cost))
    finite = np.isfinite(solved.value[node])
    solved.up[node] = up + slack if finite else 0.0
    solved.down[node] = down + slack if finite else 0.0


@inner
def weighed(rows, solved, pending):
    """Give how often a mean over the outcomes of a roll may round, and the means of their values, sizes and bounds."""
    begin, end = rows.outcome_start[pending], rows.outcome_start[pending + 1]
    total, points, size, up, down = 0.0, 0.0, 0.0, 0.0, 0.0
    for place in range(begin, end):
        state, weight = rows.outcome_state[place], float(rows.outcome_weight[place])
        total += weight
        points += weight * solved.value[state]
        size += weight * abs(solved.value[state])
        up += weight * solved.up[state]
        down += weight * solved.down[state]
    # Weights that add up to less than 2**53 do so without rounding; others may round as often again.
    terms = (end - begin) * (1 if total < WHOLE else 2)
    return terms, points / total, size / total, up / total * (1 + 1e-12), down / total * (1 + 1e-12)


@inner
def solve_state(rows, solved, state):
    """Fill in a state whose pendings are solved, and choose the first of the best actions."""
    n_states = len(rows.action_start) - 1
    begin, end = rows.action_start[state], rows.action_start[state + 1]
    if begin == end:
        solved.value[state] = float(rows.state_payoff[state])
        solved.up[state] = solved.down[state] = abs(solved.value[state]) * UNIT
        return
    second = rows.state_mover[state] == 1
    sign = -1.0 if second else 1.0
    best, most = -np.inf, -np.inf
    for place in range(begin, end):
        node = rows.action_pending[place] + n_states
        value = sign * (rows.action_gain[place] + solved.value[node])
        best = max(best, value)
        most = max(most, value + (solved.down[node] if second else solved.up[node]))
    solved.value[state] = sign * best
    solved.up[state] = solved.down[state] = 0.0
    if not np.isfinite(best):
        return
    least = best - TIE * abs(best)
    slack = 2 * UNIT * abs(best)
    for place in range(begin, end):
        node = rows.action_pending[place] + n_states
        value = sign * (rows.action_gain[place] + solved.value[node])
        if value >= least:
            solved.choice[state] = place - begin
            above, below = most - best + slack, best - value + (solved.up[node] if second else solved.down[node]) + slack
            solved.up[state], solved.down[state] = (below, above) if second else (above, below)
            return
