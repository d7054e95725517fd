"""Policy iteration: for every cycle that nothing simpler solves.

Start from a policy that surely ends. Evaluate it (one sparse linear system), switch every state that can do strictly better,
repeat. A switch that makes the policy go round for ever can only mean a loop with positive mean gain, that is an unbounded
total, or rounding: `loops` proves which, and after rounding the switch is taken back. So every policy on the way surely ends,
and the last one is optimal among those that do. That is what a value means here: a game that is never finished pays nothing
and counts for nothing.

`bounds` proves a result without trusting how it was found. With w an upper bound on the number of rolls left under any choice of
(nearly) tied actions, and d twice the largest violation of the optimality equation, value + d * w is provably no less than
the optimum and value - d * w is attained by the policy. Loops that are free and tied would make w infinite; all their states
have the same value, so they are merged first.
"""

from dataclasses import replace

import numpy as np

from rollwise.errors import EngineError
from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.graph.component import Bools, Component, free_loops, proper, surely_ending
from rollwise.solvers.graph.loops import paying_loop
from rollwise.solvers.graph.matrices import solve_sparse
from rollwise.solvers.graph.retry import Unbounded
from rollwise.solvers.graph.values import Floats, Ints, rounding, uncertain

__all__ = ["bounds", "bounds_by_cost", "choose", "iterate"]

ROUNDS = 1000
SWITCH = 1e-12
NEAR = 1e-7
NOISE = 1e-3
"""Values this much smaller than the largest of their component are compared on that scale: a linear system leaves noise there."""


def iterate(part: Component, state: Bools, pending: Bools, choice: Ints) -> tuple[Floats, Floats]:
    """Find the values of the marked nodes, from a proper policy on; minus infinity elsewhere."""
    allowed = part.leads(pending)
    for _ in range(ROUNDS):
        state_value, pending_value = _evaluate(part, state, pending, choice)
        value = np.where(allowed, part.action_value(pending_value), -np.inf)
        best = np.full(part.n_states, -np.inf)
        np.maximum.at(best, part.action_state, value)
        now = np.where(state, state_value, np.inf)
        better = ~part.ends & (best > now + SWITCH * (1 + np.abs(now)))
        if not better.any():
            return state_value, pending_value
        switch = value == best[part.action_state]
        switched, first = np.unique(part.action_state[switch], return_index=True)
        new = choice.copy()
        new[switched] = np.flatnonzero(switch)[first]
        switched_to = np.where(better, new, choice)
        stuck = _stuck(part, switched_to)
        if stuck.any():
            paying = paying_loop(part, switched_to, stuck)
            if paying is not None:
                raise Unbounded(paying)
            switched_to = np.where(stuck, choice, switched_to)
            if np.array_equal(switched_to, choice):
                return state_value, pending_value
        choice = switched_to
    raise EngineError(f"policy iteration did not settle in {ROUNDS} rounds: use exact=True")


def _evaluate(part: Component, state: Bools, pending: Bools, choice: Ints) -> tuple[Floats, Floats]:
    """Solve value = gain + value(pending), value(pending) = cost + mean for a policy on the marked nodes."""
    n, size = part.n_states, part.n_states + part.n_pendings
    acting = np.flatnonzero(choice >= 0)
    action = choice[acting]
    inner = part.action_pending[action] >= 0
    rolled = (part.outcome_state >= 0) & pending[part.outcome_pending]
    row = np.concatenate([np.arange(size), acting[inner], part.outcome_pending[rolled] + n])
    column = np.concatenate([np.arange(size), part.action_pending[action[inner]] + n, part.outcome_state[rolled]])
    entry = np.concatenate([np.ones(size), -np.ones(int(inner.sum())), -part.outcome_share[rolled]])
    right = np.zeros(size)
    right[:n][part.ends] = part.payoff[part.ends]
    right[acting] = part.action_gain[action] + np.where(inner, 0.0, part.action_outside[action])
    shut = np.where(part.outcome_state >= 0, 0.0, part.outcome_outside)
    fixed = part.cost + np.bincount(part.outcome_pending, part.outcome_share * shut, part.n_pendings)
    right[n:] = np.where(pending, fixed, 0.0)
    try:
        solved = solve_sparse(entry, row, column, right)
    except RuntimeError:
        raise uncertain() from None
    return np.where(state, solved[:n], -np.inf), np.where(pending, solved[n:], -np.inf)


def _stuck(part: Component, choice: Ints) -> Bools:
    """Mark the states from which a policy never leaves."""
    live = choice >= 0
    used = np.zeros(len(part.action_state), dtype=np.bool_)
    used[choice[live]] = True
    return live & (proper(part, choice, used) < 0)


def choose(part: Component, pending_value: Floats, ending: Bools) -> Ints:
    """Choose in each state the first action (numbered in the part) among the ties, such that the policy surely ends.

    `ending` marks the states from which that is possible. Raises `EngineError` if rounding hides the ties it would take.
    """
    value = part.action_value(pending_value)
    best = np.full(part.n_states, -np.inf)
    np.maximum.at(best, part.action_state, value)
    finite = np.abs(best[np.isfinite(best)])
    width = TIE * np.maximum(np.abs(best), NOISE * finite.max(initial=0.0))
    tied = np.isfinite(best)[part.action_state] & (value >= np.where(np.isfinite(best), best - width, 0.0)[part.action_state])
    choice = np.full(part.n_states, -1, dtype=np.int64)
    states, first = np.unique(part.action_state[tied], return_index=True)
    choice[states] = np.flatnonzero(tied)[first]
    choice = proper(part, choice, tied)
    if (ending & ~part.ends & (choice < 0)).any():
        raise uncertain()
    return choice


def bounds(part: Component, state_value: Floats, pending_value: Floats) -> tuple[Floats, Floats]:
    """Bound |value - optimum| and the policy's shortfall, by state and pending, given exact values outside.

    Raises `EngineError` when floats cannot tell, which takes a loop of ties whose gains cancel.
    """
    state, pending = np.isfinite(state_value), np.isfinite(pending_value)
    v = np.where(state, state_value, 0.0)
    p = np.where(pending, pending_value, 0.0)
    size = max(float(np.abs(v).max(initial=0.0)), float(np.abs(p).max(initial=0.0)), float(np.abs(part.cost).max()))
    size += float(np.abs(part.action_gain).max(initial=0.0)) + float(np.abs(part.payoff).max(initial=0.0))
    n_terms = int(np.bincount(part.outcome_pending).max(initial=1))
    live = state[part.action_state] & part.leads(pending)
    gap = np.where(live, v[part.action_state] - part.action_value(p), np.inf)
    near = gap <= NEAR * max(size, 1e-300)
    loop = free_loops(part, near)
    merged, keep = _merge(part, loop, near)
    steps_state, steps_pending = _steps(merged, np.isfinite(state_value), pending, loop)
    skip = ~keep & near
    v, p = _level(part, loop, skip, v, p)
    slack = float(rounding(2 * n_terms, size))
    gap = np.where(live, v[part.action_state] - part.action_value(p), np.inf)
    off = np.where(pending, part.pending_value(v) - p, 0.0)
    inside_loop = np.zeros(part.n_pendings, dtype=np.bool_)
    inside_loop[part.action_pending[skip]] = True
    off[inside_loop] = 0.0
    worst = max(float(np.abs(gap[near & keep]).max(initial=0.0)), float(np.abs(off).max(initial=0.0)))
    drift = float(np.abs(state_value[state] - v[state]).max(initial=0.0))
    d = 2 * (worst + drift + slack)
    climb = np.where(part.action_pending >= 0, steps_pending[part.action_pending], 0.0) - steps_state[part.action_state]
    fall = (
        replace(part, outcome_outside=np.zeros_like(part.outcome_outside)).pending_value(steps_state) - part.cost - steps_pending
    )
    tight = np.all(climb[near & keep] <= -0.5) and np.all(fall[pending & ~inside_loop] <= -0.5)
    if not tight or not np.all(gap[live & ~near] >= d * climb[live & ~near] + slack):
        raise uncertain()
    return d * steps_state + drift, d * steps_pending + drift


def bounds_by_cost(part: Component, state_value: Floats, pending_value: Floats, choice: Ints) -> tuple[Floats, Floats]:
    """Bound as `bounds` does where every roll costs at least 1 and nothing is gained: the cost left bounds the rolls left."""
    state, pending = np.isfinite(state_value), np.isfinite(pending_value)
    v, p = np.where(state, state_value, 0.0), np.where(pending, pending_value, 0.0)
    cheapest = float(-part.cost.max())
    n_terms = int(np.bincount(part.outcome_pending).max(initial=1))
    live = state[part.action_state] & part.leads(pending)
    better = np.where(live, part.action_value(p) - v[part.action_state], 0.0).max(initial=0.0)
    chosen = choice[choice >= 0]
    worse = (v[part.action_state[chosen]] - part.action_value(p)[chosen]).max(initial=0.0)
    off = float(np.abs(np.where(pending, part.pending_value(v) - p, 0.0)).max(initial=0.0))
    size = max(float(np.abs(v).max(initial=0.0)), float(np.abs(p).max(initial=0.0))) - float(part.cost.min())
    per_roll = float(max(better, worse)) + off + float(rounding(2 * n_terms, size))
    if per_roll >= cheapest / 2:
        raise uncertain()
    d = 2 * per_roll / cheapest
    return d * np.abs(v), d * np.abs(p)


def _level(part: Component, loop: Ints, skip: Bools, v: Floats, p: Floats) -> tuple[Floats, Floats]:
    """Give all nodes of a free loop the same value, the largest found in it."""
    if not skip.any():
        return v, p
    top = np.full(part.n_states, -np.inf)
    member = loop >= 0
    np.maximum.at(top, loop[member], v[member])
    v = np.where(member, top[loop], v)
    p = p.copy()
    p[part.action_pending[skip]] = v[part.action_state[skip]]
    return v, p


def _merge(part: Component, loop: Ints, near: Bools) -> tuple[Component, Bools]:
    """Make one state of each free loop and keep its nearly tied actions that leave it; loops are named by a member state."""
    member = loop >= 0
    name = np.arange(part.n_states)
    if member.any():
        label, first = np.unique(loop[member], return_index=True)
        chief = np.flatnonzero(member)[first]
        name[member] = chief[np.searchsorted(label, loop[member])]
    target = np.where(part.outcome_state >= 0, name[part.outcome_state], -1)
    begin = np.searchsorted(part.outcome_pending, np.arange(part.n_pendings))
    low, high = np.minimum.reduceat(target, begin), np.maximum.reduceat(target, begin)
    home = np.where(low == high, low, -1)
    owner = name[part.action_state]
    free = (part.action_gain == 0) & (part.cost[part.action_pending] == 0)
    within = member[part.action_state] & (part.action_pending >= 0) & free & (home[part.action_pending] == owner)
    kept = np.flatnonzero(near & ~within)
    kept = kept[np.argsort(owner[kept], kind="stable")]
    zero = np.zeros(len(part.outcome_state))
    return replace(
        part,
        action_state=owner[kept],
        action_pending=part.action_pending[kept],
        action_gain=np.ones(len(kept)),
        action_outside=np.zeros(len(kept)),
        outcome_state=target,
        outcome_outside=zero,
        cost=np.ones(part.n_pendings),
        payoff=np.zeros(part.n_states),
    ), ~within


def _steps(merged: Component, state: Bools, pending: Bools, loop: Ints) -> tuple[Floats, Floats]:
    """Bound the expected number of steps left under any nearly tied choices."""
    chief = np.zeros(merged.n_states, dtype=np.bool_)
    chief[merged.action_state] = True
    chief |= merged.ends & state
    usable, reachable, choice = surely_ending(replace(merged, ends=merged.ends | ~state))
    try:
        steps_state, steps_pending = iterate(merged, usable & chief, reachable & pending, np.where(chief, choice, -1))
    except Unbounded:
        raise uncertain() from None
    member = loop >= 0
    value = np.where(np.isfinite(steps_state), steps_state, 0.0)
    if member.any():
        top = np.zeros(merged.n_states)
        np.maximum.at(top, loop[member], value[member])
        value = np.where(member, top[loop], value)
    return value + 1, np.where(np.isfinite(steps_pending), steps_pending, 0.0) + 1
