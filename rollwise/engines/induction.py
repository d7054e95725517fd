"""Backward induction: nodes whose successors are solved, a level at a time.

    value(pending) = cost + sum(weight * value(outcome)) / sum(weight)
    value(state)   = max over actions of gain + value(pending)

The bounds follow the same recursion, each step adding the rounding it can make.
"""

import numpy as np

from rollwise.engines.components import gather
from rollwise.engines.work import TIE, UNIT, Floats, Ints, Work, first_of, rounding
from rollwise.graph import Graph

__all__ = ["solve_pendings", "solve_states"]


def solve_pendings(graph: Graph, work: Work, rows: Ints) -> None:
    """Fill in pendings whose outcomes are solved."""
    if not rows.size:
        return
    flat, begin = gather(graph.outcome_start, rows)
    outcome = graph.outcome_state[flat]
    weight = graph.outcome_weight[flat].astype(np.float64)
    total = np.add.reduceat(weight, begin)

    def mean(values: Floats) -> Floats:
        averaged: Floats = np.add.reduceat(weight * values, begin) / total
        return averaged

    cost = graph.pending_cost[rows]
    value = work.state[outcome]
    work.pending[rows] = cost + mean(value)
    slack = rounding(np.diff(begin, append=len(flat)), mean(np.abs(value)) + np.abs(cost))
    _bound(work.pending_up, work.pending[rows], rows, mean(work.state_up[outcome]) * (1 + 1e-12) + slack)
    _bound(work.pending_down, work.pending[rows], rows, mean(work.state_down[outcome]) * (1 + 1e-12) + slack)


def solve_states(graph: Graph, work: Work, rows: Ints) -> None:
    """Fill in states whose pendings are solved, and choose the first of the best actions."""
    ends = graph.action_start[rows] == graph.action_start[rows + 1]
    over = rows[ends]
    work.state[over] = graph.state_payoff[over]
    work.state_up[over] = work.state_down[over] = np.abs(work.state[over]) * UNIT
    rows = rows[~ends]
    if not rows.size:
        return
    flat, begin = gather(graph.action_start, rows)
    pending = graph.action_pending[flat]
    value = graph.action_gain[flat] + work.pending[pending]
    best = np.maximum.reduceat(value, begin)
    length = np.diff(begin, append=len(flat))
    place = first_of(value >= np.repeat(best - TIE * np.abs(best), length), begin)
    chosen = begin + place
    work.state[rows] = best
    work.choice[rows] = np.where(np.isfinite(best), place, -1)
    slack = 2 * UNIT * np.abs(best)
    with np.errstate(invalid="ignore"):
        up = np.maximum.reduceat(value + work.pending_up[pending], begin) - best
        down = best - value[chosen] + work.pending_down[pending[chosen]]
    _bound(work.state_up, best, rows, up + slack)
    _bound(work.state_down, best, rows, down + slack)


def _bound(target: Floats, value: Floats, rows: Ints, bound: Floats) -> None:
    """Write bounds where the value is finite; an infinite value needs none."""
    target[rows] = np.where(np.isfinite(value), bound, 0.0)
