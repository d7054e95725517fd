"""Backward induction: nodes whose successors are solved, a level at a time.

    value(pending) = cost + sum(weight * value(outcome)) / sum(weight)
    value(state)   = max over actions of gain + value(pending), or min where player 1 moves

The bounds follow the same recursion, each step adding the rounding it can make.
"""

import numpy as np

from rollwise.solvers.base.numbers import TIE, UNIT, WHOLE
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.explore import Graph
from rollwise.solvers.graph.values import Floats, Ints, Values, first_of, rounding

__all__ = ["solve_pendings", "solve_states"]


def solve_pendings(graph: Graph, values: Values, rows: Ints) -> None:
    """Fill in pendings whose outcomes are solved."""
    if not rows.size:
        return
    flat, begin = gather(graph.outcome_start, rows)
    outcome = graph.outcome_state[flat]
    weight = graph.outcome_weight[flat].astype(np.float64)
    total = np.add.reduceat(weight, begin)

    def mean(numbers: Floats) -> Floats:
        averaged: Floats = np.add.reduceat(weight * numbers, begin) / total
        return averaged

    cost = graph.pending_cost[rows]
    value = values.state[outcome]
    values.pending[rows] = cost + mean(value)
    # Weights that add up to less than 2**53 do so without rounding; others may round as often again.
    terms = np.diff(begin, append=len(flat)) * np.where(total < WHOLE, 1, 2)
    slack = rounding(terms, mean(np.abs(value)) + np.abs(cost))
    _bound(values.pending_up, values.pending[rows], rows, mean(values.state_up[outcome]) * (1 + 1e-12) + slack)
    _bound(values.pending_down, values.pending[rows], rows, mean(values.state_down[outcome]) * (1 + 1e-12) + slack)


def solve_states(graph: Graph, values: Values, rows: Ints) -> None:
    """Fill in states whose pendings are solved, and choose the first of the best actions."""
    ends = graph.action_start[rows] == graph.action_start[rows + 1]
    over = rows[ends]
    values.state[over] = graph.state_payoff[over]
    values.state_up[over] = values.state_down[over] = np.abs(values.state[over]) * UNIT
    rows = rows[~ends]
    if not graph.two_players:
        _choose(graph, values, rows, 1)
        return
    second = graph.state_mover[rows] == 1
    _choose(graph, values, rows[~second], 1)
    _choose(graph, values, rows[second], -1)


def _choose(graph: Graph, values: Values, rows: Ints, sign: int) -> None:
    """Value and choose in states of one mover; for player 1 (sign -1) all values change their sign, and bounds their side."""
    if not rows.size:
        return
    above, below = (values.pending_up, values.pending_down)[::sign]
    flat, begin = gather(graph.action_start, rows)
    pending = graph.action_pending[flat]
    value = sign * (graph.action_gain[flat] + values.pending[pending])
    best = np.maximum.reduceat(value, begin)
    length = np.diff(begin, append=len(flat))
    place = first_of(value >= np.repeat(best - TIE * np.abs(best), length), begin)
    chosen = begin + place
    values.state[rows] = sign * best
    values.choice[rows] = np.where(np.isfinite(best), place, -1)
    slack = 2 * UNIT * np.abs(best)
    with np.errstate(invalid="ignore"):
        over = np.maximum.reduceat(value + above[pending], begin) - best
        under = best - value[chosen] + below[pending[chosen]]
    state_above, state_below = (values.state_up, values.state_down)[::sign]
    _bound(state_above, best, rows, over + slack)
    _bound(state_below, best, rows, under + slack)


def _bound(target: Floats, value: Floats, rows: Ints, bound: Floats) -> None:
    """Write bounds where the value is finite; an infinite value needs none."""
    target[rows] = np.where(np.isfinite(value), bound, 0.0)
