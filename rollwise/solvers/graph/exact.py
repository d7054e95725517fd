"""Exact mode: the same recursions in rational numbers, from the same arrays.

Numbers are `fractions.Fraction`; minus infinity (a float) marks nodes from which no policy surely ends. Ties are exact here.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import inf
from typing import Any

from rollwise.solvers.graph.explore import Graph
from rollwise.solvers.graph.retry import Unbounded
from rollwise.solvers.graph.values import Ints

__all__ = ["Rational", "best_of", "best_prefix", "eliminate", "improve", "pending_value", "state_values", "value_policy"]

Rational = Any
"""A Fraction, or minus infinity."""


def pending_value(graph: Graph, pending: int, state: list[Rational]) -> Rational:
    """Cost plus the weighted mean of the outcomes."""
    low, high = int(graph.outcome_start[pending]), int(graph.outcome_start[pending + 1])
    weights = graph.outcome_weight[low:high].tolist()
    values = [state[s] for s in graph.outcome_state[low:high].tolist()]
    return int(graph.pending_cost[pending]) + _mean(weights, values)


def _mean(weights: list[int], values: list[Rational]) -> Rational:
    if any(v == -inf for v in values):
        return -inf
    return Fraction(sum(w * v for w, v in zip(weights, values, strict=True))) / sum(weights)


def state_values(graph: Graph, state: int, pending: list[Rational]) -> list[Rational]:
    """Gain plus value of each action of a state."""
    low, high = int(graph.action_start[state]), int(graph.action_start[state + 1])
    gains = graph.action_gain[low:high].tolist()
    return [g + pending[p] for g, p in zip(gains, graph.action_pending[low:high].tolist(), strict=True)]


def best_of(graph: Graph, state: int, values: list[Rational]) -> Rational:
    """The best of a state's action values for its mover."""
    return min(values) if graph.state_mover[state] else max(values)


def best_prefix(graph: Graph, pending: int, state: list[Rational], pending_now: list[Rational]) -> Rational:
    """The retry closed form (see `retry`) at one pending."""
    low, high = int(graph.outcome_start[pending]), int(graph.outcome_start[pending + 1])
    weights = graph.outcome_weight[low:high].tolist()
    outcomes = [_continue(graph, pending, s, state, pending_now) for s in graph.outcome_state[low:high].tolist()]
    forced = [(w, v) for w, (v, g) in zip(weights, outcomes, strict=True) if g is None]
    free = [(v - g, w, v, g) for w, (v, g) in zip(weights, outcomes, strict=True) if g is not None]
    free.sort(key=lambda item: item[0], reverse=True)
    points = int(graph.pending_cost[pending]) * sum(weights) + sum(w * g for _, w, _, g in free)
    if not forced and points > 0 and any(v > -inf for _, _, v, _ in free):
        raise Unbounded(pending)
    if any(v == -inf for _, v in forced):
        return -inf
    points += sum(w * v for w, v in forced)
    kept = sum(w for w, _ in forced)
    best: Rational = Fraction(points) / kept if forced else -inf
    for _, w, v, g in free:
        if v == -inf:
            break
        points, kept = points + w * (v - g), kept + w
        best = max(best, Fraction(points) / kept)
    return best


def _continue(
    graph: Graph, pending: int, outcome: int, state: list[Rational], pending_now: list[Rational]
) -> tuple[Rational, int | None]:
    """Best value without rolling `pending` again, and the gain of doing so (None: impossible)."""
    low, high = int(graph.action_start[outcome]), int(graph.action_start[outcome + 1])
    targets = graph.action_pending[low:high].tolist()
    gains = graph.action_gain[low:high].tolist()
    again = [g for g, p in zip(gains, targets, strict=True) if p == pending]
    if not again:
        return state[outcome], None
    return max((g + pending_now[p] for g, p in zip(gains, targets, strict=True) if p != pending), default=-inf), max(again)


def value_policy(
    graph: Graph, pendings: Ints, choice: dict[int, int], state: list[Rational], pending: list[Rational]
) -> dict[int, Rational]:
    """Solve for the values of a component's pendings under a policy that surely leaves it.

    `choice` maps the component's states to flat action numbers; other states and pendings are solved. Elimination by pendings,
    fewest entries first.
    """
    inside = set(pendings.tolist())
    rows: dict[int, dict[int, Rational]] = {}
    right: dict[int, Rational] = {}
    for p in inside:
        low, high = int(graph.outcome_start[p]), int(graph.outcome_start[p + 1])
        total = sum(graph.outcome_weight[low:high].tolist())
        row: dict[int, Rational] = {p: Fraction(total)}
        value = Fraction(int(graph.pending_cost[p]) * total)
        pairs = zip(graph.outcome_state[low:high].tolist(), graph.outcome_weight[low:high].tolist(), strict=True)
        for s, w in pairs:
            if s not in choice:
                value += w * state[s]
                continue
            target = int(graph.action_pending[choice[s]])
            value += w * int(graph.action_gain[choice[s]])
            if target in inside:
                row[target] = row.get(target, Fraction(0)) - w
            else:
                value += w * pending[target]
        rows[p], right[p] = {q: entry for q, entry in row.items() if entry}, value
    return eliminate(rows, right)


def eliminate(rows: dict[int, dict[int, Rational]], right: dict[int, Rational]) -> dict[int, Rational]:
    """Solve a sparse system whose diagonal pivots are safe (it comes from a chain that is surely left)."""
    users: dict[int, set[int]] = {p: set() for p in rows}
    for p, row in rows.items():
        for q in row:
            users[q].add(p)
    left = set(rows)
    order: list[int] = []
    while left:
        p = min(left, key=lambda q: (len(rows[q]), len(users[q])))
        left.remove(p)
        order.append(p)
        pivot = rows[p][p]
        for q in [q for q in users[p] if q in left]:
            factor = rows[q].pop(p) / pivot
            for r, entry in rows[p].items():
                if r != p:
                    rows[q][r] = rows[q].get(r, Fraction(0)) - factor * entry
                    users[r].add(q)
            right[q] -= factor * right[p]
    value: dict[int, Rational] = {}
    for p in reversed(order):
        known = sum((entry * value[q] for q, entry in rows[p].items() if q != p), Fraction(0))
        value[p] = (right[p] - known) / rows[p][p]
    return value


def improve(graph: Graph, states: Iterable[int], choice: dict[int, int], pending: list[Rational]) -> bool:
    """Switch to a strictly better action wherever there is one; say whether anything changed."""
    changed = False
    for s in states:
        if s not in choice:
            continue
        low = int(graph.action_start[s])
        values = state_values(graph, s, pending)
        best = best_of(graph, s, values)
        if best != values[choice[s] - low]:
            choice[s] = low + values.index(best)
            changed = True
    return changed
