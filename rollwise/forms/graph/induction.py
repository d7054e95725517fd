"""Backward induction: nodes whose successors are solved, a level at a time.

    value(pending) = cost + sum(weight * value(outcome)) / sum(weight)
    value(state)   = max over actions of gain + value(pending), or min where player 1 moves

The bounds follow the same recursion, each step adding the rounding it can make.
"""

import numpy as np

from rollwise.forms.base.numbers import TIE, UNIT
from rollwise.forms.base.offsets import gather
from rollwise.forms.graph.explore import Graph
from rollwise.forms.graph.values import Floats, Ints, Work, first_of, rounding

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
    if not graph.two_players:
        _choose(graph, work, rows, 1)
        return
    second = graph.state_mover[rows] == 1
    _choose(graph, work, rows[~second], 1)
    _choose(graph, work, rows[second], -1)


def _choose(graph: Graph, work: Work, rows: Ints, sign: int) -> None:
    """Value and choose in states of one mover; for player 1 (sign -1) all values change their sign, and bounds their side."""
    if not rows.size:
        return
    above, below = (work.pending_up, work.pending_down)[::sign]
    flat, begin = gather(graph.action_start, rows)
    pending = graph.action_pending[flat]
    value = sign * (graph.action_gain[flat] + work.pending[pending])
    best = np.maximum.reduceat(value, begin)
    length = np.diff(begin, append=len(flat))
    place = first_of(value >= np.repeat(best - TIE * np.abs(best), length), begin)
    chosen = begin + place
    work.state[rows] = sign * best
    work.choice[rows] = np.where(np.isfinite(best), place, -1)
    slack = 2 * UNIT * np.abs(best)
    with np.errstate(invalid="ignore"):
        over = np.maximum.reduceat(value + above[pending], begin) - best
        under = best - value[chosen] + below[pending[chosen]]
    state_above, state_below = (work.state_up, work.state_down)[::sign]
    _bound(state_above, best, rows, over + slack)
    _bound(state_below, best, rows, under + slack)


def _bound(target: Floats, value: Floats, rows: Ints, bound: Floats) -> None:
    """Write bounds where the value is finite; an infinite value needs none."""
    target[rows] = np.where(np.isfinite(value), bound, 0.0)
