"""The measurements of the certificate on a large graph: row by row, with nothing from the engines but their result."""

import numpy as np

from rollwise.solvers.base.compiling import compiled, inner

__all__ = ["measure", "policy_ends"]


@compiled
def measure(rows, state, pending, choice):
    """Give the largest residual, the largest shortfall of a choice, and the largest of all numbers that were compared.

    Infinite minus infinite (NaN) counts as nothing.
    """
    residual, shortfall, size = 0.0, 0.0, np.zeros(4)
    for p in range(len(pending)):
        total, points = 0.0, 0.0
        for edge in range(rows.outcome_start[p], rows.outcome_start[p + 1]):
            total += float(rows.outcome_weight[edge])
            points += float(rows.outcome_weight[edge]) * state[rows.outcome_state[edge]]
        cost = float(rows.pending_cost[p])
        residual = max(residual, _distance(pending[p], cost + points / total))
        size[1] = max(size[1], _distance(pending[p], 0.0) if np.isfinite(pending[p]) else 0.0)
        size[3] = max(size[3], abs(cost))
    for s in range(len(state)):
        size[0] = max(size[0], abs(state[s]) if np.isfinite(state[s]) else 0.0)
        begin, end = rows.action_start[s], rows.action_start[s + 1]
        if begin == end:
            continue
        flip = -1.0 if rows.state_mover[s] == 1 else 1.0
        best, chosen = -np.inf, np.nan
        for edge in range(begin, end):
            gain = float(rows.action_gain[edge])
            value = flip * (gain + pending[rows.action_pending[edge]])
            best = max(best, value)
            size[2] = max(size[2], abs(gain))
            if edge - begin == max(choice[s], 0):
                chosen = flip * value
        residual = max(residual, _distance(state[s], flip * best))
        shortfall = max(shortfall, _distance(state[s], chosen))
    return residual, shortfall, size.sum()


@inner
def _distance(a, b):
    apart = abs(a - b)
    return 0.0 if np.isnan(apart) else apart


@compiled
def policy_ends(rows, state, pending, choice):
    """Search backwards from the ends along the policy: is every node with a finite value found?"""
    n_states, n_pendings = len(state), len(pending)
    start, back = _outcomes_back(rows, n_states)
    head, after = np.full(n_pendings, -1, np.int32), np.empty(n_states, np.int32)
    for s in range(n_states):
        if choice[s] >= 0:
            p = rows.action_pending[rows.action_start[s] + choice[s]]
            after[s] = head[p]
            head[p] = s
    found, rolled = np.zeros(n_states, np.uint8), np.zeros(n_pendings, np.uint8)
    stack = np.empty(n_states, np.int32)
    top = 0
    for s in range(n_states):
        if rows.action_start[s] == rows.action_start[s + 1]:
            found[s] = 1
            stack[top] = s
            top += 1
    while top:
        top -= 1
        s = stack[top]
        for place in range(start[s], start[s + 1]):
            p = back[place]
            if rolled[p]:
                continue
            rolled[p] = 1
            user = head[p]
            while user >= 0:
                if not found[user]:
                    found[user] = 1
                    stack[top] = user
                    top += 1
                user = after[user]
    for s in range(n_states):
        if not found[s] and np.isfinite(state[s]):
            return False
    for p in range(n_pendings):
        if not rolled[p] and np.isfinite(pending[p]):
            return False
    return True


@inner
def _outcomes_back(rows, n_states):
    """For each state the pendings that it is an outcome of."""
    start = np.zeros(n_states + 2, rows.outcome_start.dtype)
    for edge in range(len(rows.outcome_state)):
        start[rows.outcome_state[edge] + 2] += 1
    for s in range(n_states):
        start[s + 2] += start[s + 1]
    back = np.empty(len(rows.outcome_state), np.int32)
    for p in range(len(rows.outcome_start) - 1):
        for edge in range(rows.outcome_start[p], rows.outcome_start[p + 1]):
            s = rows.outcome_state[edge] + 1
            back[start[s]] = p
            start[s] += 1
    return start, back
