"""The closed form for "roll this again" at one pending.

A pending p whose outcomes i continue with value v_i or retry p with gain g_i has the value

    x = c + mean of max(v_i, x + g_i)

Keeping i is right exactly when v_i - g_i >= x, so the kept set is a prefix of the outcomes sorted by v_i - g_i, outcomes
that cannot retry first, and

    x = max over prefixes K of (c * W + sum over K of w_i v_i + sum over the rest of w_i g_i) / sum over K of w_i.

Retry components of one level are solved together, those with the same number of outcomes as one matrix.
"""

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError
from rollwise.solvers.base.numbers import TIE, UNIT, WHOLE
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.explore import Graph
from rollwise.solvers.graph.values import Floats, Ints, Values, first_of, rounding

__all__ = ["Unbounded", "solve_retries"]

Bools = npt.NDArray[np.bool_]


class Unbounded(GameError):
    """A loop pays more than it costs; `pending` says where."""

    def __init__(self, pending: int) -> None:
        self.pending = pending
        super().__init__("the expected total is unbounded: a loop of rolls pays more than it costs")


def solve_retries(graph: Graph, values: Values, rows: Ints) -> None:
    """Fill in retry pendings and the states that can roll them again."""
    length = graph.outcome_start[rows + 1] - graph.outcome_start[rows]
    for size in np.unique(length):
        _solve_block(graph, values, rows[length == size], int(size))


def _solve_block(graph: Graph, values: Values, rows: Ints, size: int) -> None:
    flat = graph.outcome_start[rows][:, None] + np.arange(size)
    state = graph.outcome_state[flat]
    weight = graph.outcome_weight[flat].astype(np.float64)
    total = weight.sum(axis=1)
    keep, gain, keep_up, keep_down = _continue(graph, values, rows, state)
    forced = np.isneginf(gain)
    cost = graph.pending_cost[rows].astype(np.float64)
    endless = ~forced.any(axis=1) & np.isfinite(keep).any(axis=1)
    _check_bounded(graph, rows[endless], weight[endless], gain[endless], cost[endless])
    value, slack = _best_prefix(keep, np.where(forced, 0.0, gain), forced, weight, cost * total)
    values.pending[rows] = value
    _solve_states(graph, values, rows, state, keep, gain)
    finite = np.isfinite(value)
    values.pending_up[rows] = np.where(finite, slack + keep_up.max(axis=1), 0.0)
    short, rolls = _policy_loss(graph, values, rows, state, weight, forced)
    mean = np.sum(weight * np.abs(values.state[state]), axis=1) / total + np.abs(cost)
    with np.errstate(invalid="ignore"):
        miss = np.abs(value - (cost + np.sum(weight * values.state[state], axis=1) / total)) + rounding(
            size * np.where(total < WHOLE, 1, 2), mean
        )
    values.pending_down[rows] = np.where(finite, keep_down.max(axis=1) + rolls * (short + miss), 0.0)
    owner = np.broadcast_to(np.arange(len(rows))[:, None], state.shape)[~forced]
    _bound_states(values, rows[owner], state[~forced], keep_up[~forced], keep_down[~forced] + short[owner])


def _check_bounded(graph: Graph, rows: Ints, weight: Floats, gain: Floats, cost: Floats) -> None:
    """Refuse a roll that pays when it is rolled for ever; floats decide only what their rounding cannot change."""
    terms = np.column_stack([cost * weight.sum(axis=1), weight * gain])
    drift, noise = terms.sum(axis=1), rounding(2 * terms.shape[1], np.abs(terms).sum(axis=1))
    for place in np.flatnonzero(drift > -noise).tolist():
        if drift[place] > noise[place] or _drift(graph, int(rows[place])) > 0:
            raise Unbounded(int(rows[place]))


def _drift(graph: Graph, pending: int) -> int:
    """What rolling a pending once and again gains on average, times its weight, in full."""
    low, high = int(graph.outcome_start[pending]), int(graph.outcome_start[pending + 1])
    drift = 0
    for state, weight in zip(graph.outcome_state[low:high].tolist(), graph.outcome_weight[low:high].tolist(), strict=True):
        actions = slice(int(graph.action_start[state]), int(graph.action_start[state + 1]))
        gains = graph.action_gain[actions][graph.action_pending[actions] == pending]
        drift += weight * (int(gains.max()) + int(graph.pending_cost[pending]))
    return drift


def _bound_states(values: Values, owner: Ints, state: Ints, up: Floats, down: Floats) -> None:
    value = values.state[state]
    finite = np.isfinite(value)
    slack = 2 * UNIT * np.abs(value)
    values.state_up[state] = np.where(finite, np.maximum(values.pending_up[owner], up) + slack, 0.0)
    values.state_down[state] = np.where(finite, np.maximum(values.pending_down[owner], down) + slack, 0.0)


def _continue(graph: Graph, values: Values, rows: Ints, state: Ints) -> tuple[Floats, Floats, Floats, Floats]:
    """Give, for each outcome: the best value without retrying, the retry gain (-inf: cannot), and bounds of the former."""
    flat, begin = gather(graph.action_start, state.ravel())
    length = (graph.action_start[state + 1] - graph.action_start[state]).ravel()
    pending = graph.action_pending[flat]
    again = pending == np.repeat(np.repeat(rows, state.shape[1]), length)
    gains = graph.action_gain[flat].astype(np.float64)
    value = np.where(again, -np.inf, gains + np.where(again, 0.0, values.pending[pending]))
    some = length > 0
    keep, gain = values.state[state].ravel(), np.full(state.size, -np.inf)
    up, down = values.state_up[state].ravel(), values.state_down[state].ravel()
    if some.any():
        first = begin[some]
        gain[some] = np.maximum.reduceat(np.where(again, gains, -np.inf), first)
        inside = gain[some] > -np.inf
        rest = np.flatnonzero(some)[inside]
        keep[rest] = np.maximum.reduceat(value, first)[inside]
        for bound, source in ((up, values.pending_up), (down, values.pending_down)):
            worst = np.maximum.reduceat(np.where(again, 0.0, source[pending]), first)
            bound[rest] = worst[inside] + 2 * UNIT * np.abs(np.where(np.isfinite(keep[rest]), keep[rest], 0.0))
    shape = state.shape
    return keep.reshape(shape), gain.reshape(shape), up.reshape(shape), down.reshape(shape)


def _best_prefix(keep: Floats, gain: Floats, forced: Bools, weight: Floats, cost: Floats) -> tuple[Floats, Floats]:
    """Give the best value over prefixes and a bound on its rounding."""
    rank = np.where(forced, np.inf, keep - gain)
    order = np.argsort(-rank, axis=1, kind="stable")
    keep, gain, weight = (np.take_along_axis(a, order, axis=1) for a in (keep, gain, weight))
    place = np.arange(1, keep.shape[1] + 1)
    kept = np.cumsum(weight, axis=1)
    lost = np.sum(weight * gain, axis=1)[:, None] - np.cumsum(weight * gain, axis=1)
    points = np.cumsum(weight * keep, axis=1)
    allowed = place >= np.maximum(np.count_nonzero(forced, axis=1), 1)[:, None]
    value = np.where(allowed, (cost[:, None] + points + lost) / kept, -np.inf)
    size = np.abs(cost)[:, None] + np.cumsum(weight * np.abs(keep), axis=1) + np.sum(weight * np.abs(gain), axis=1)[:, None]
    slack = np.where(np.isfinite(value), rounding(np.where(kept < WHOLE, 2, 3) * place, size / kept), 0.0).max(axis=1)
    return value.max(axis=1), slack


def _solve_states(graph: Graph, values: Values, rows: Ints, state: Ints, keep: Floats, gain: Floats) -> None:
    """Value and choose in the states that can retry; a component whose first choices never leave is made to leave."""
    inside = np.isfinite(gain)
    value = np.maximum(keep, values.pending[rows][:, None] + gain)
    values.state[state[inside]] = value[inside]
    if not inside.any():
        return
    chosen = state[inside]
    owner = np.broadcast_to(rows[:, None], state.shape)[inside]
    flat, begin = gather(graph.action_start, chosen)
    length = np.diff(begin, append=len(flat))
    pending = graph.action_pending[flat]
    again = pending == np.repeat(owner, length)
    best = values.state[chosen]
    tied = graph.action_gain[flat] + values.pending[pending] >= np.repeat(best - TIE * np.abs(best), length)
    place = first_of(tied, begin)
    leaving = first_of(tied & ~again, begin)
    leaves = ~again[begin + place]
    left = set(owner[leaves].tolist()) | set(rows[~inside.all(axis=1)].tolist())
    stuck = np.array([int(p) not in left for p in owner]) & (leaving < length)
    place[stuck] = leaving[stuck]
    values.choice[chosen] = np.where(np.isfinite(best), place, -1)


def _policy_loss(graph: Graph, values: Values, rows: Ints, state: Ints, weight: Floats, forced: Bools) -> tuple[Floats, Floats]:
    """Give the most that a chosen action lies below the best (it is the first of the ties), and the rolls it takes to leave."""
    action = np.where(forced, 0, graph.action_start[state] + np.maximum(values.choice[state], 0))
    pending = graph.action_pending[action]
    value = graph.action_gain[action] + values.pending[pending]
    idle = forced | ~np.isfinite(values.state[state])
    with np.errstate(invalid="ignore"):
        short = np.where(idle, 0.0, values.state[state] - value).max(axis=1)
    kept = np.sum(weight * (forced | (pending != rows[:, None])), axis=1)
    with np.errstate(divide="ignore"):
        return short, weight.sum(axis=1) / kept
