"""Whether it pays to go round for ever: the sign of the mean gain of a loop, proved and never guessed.

A policy that never leaves settles in closed classes of pendings. Let r(p) be the points of rolling p there, its cost and the
gains of what follows, and P the chances from one roll to the next. Whatever numbers h are put down, the mean gain of a class lies
between the least and the largest of

    r(p) + sum of P(p, q) h(q) - h(p).

Floats find numbers h for which these are nearly equal; their signs are then computed in fractions. Where that leaves the
sign open, as it does when gains cancel, the points between two visits of one pending are computed in fractions instead.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rollwise.solvers.graph.component import Bools, Component
from rollwise.solvers.graph.exact import eliminate
from rollwise.solvers.graph.matrices import solve_sparse, strong_components
from rollwise.solvers.graph.values import Floats, Ints, uncertain

__all__ = ["paying_loop"]

SMALL = 60
"""Classes of up to this many pendings are solved in fractions where floats leave the sign open."""
WHOLE = 2.0**53


@dataclass(frozen=True)
class _Class:
    """A closed class: what each of its pendings is worth a roll and where it leads, both times its weight."""

    pendings: list[int]
    points: list[int]
    total: list[int]
    after: list[dict[int, int]]


def paying_loop(part: Component, choice: Ints, stuck: Bools) -> int | None:
    """Give a pending of a loop with a positive mean gain under a policy that never leaves the stuck states, if there is one.

    Raises `EngineError` where the sign of some loop remains open.
    """
    signs = {found.pendings[0]: _sign(found) for found in _classes(part, choice, stuck)}
    paying = [pending for pending, sign in signs.items() if sign == 1]
    if not paying and None in signs.values():
        raise uncertain()
    return paying[0] if paying else None


def _classes(part: Component, choice: Ints, stuck: Bools) -> list[_Class]:
    """The closed classes of pendings that are met again and again."""
    action = choice[np.flatnonzero(stuck)]
    pendings = np.unique(part.action_pending[action])
    rolled = np.isin(part.outcome_pending, pendings)
    source = np.searchsorted(pendings, part.outcome_pending[rolled])
    taken = choice[part.outcome_state[rolled]]
    if (part.outcome_state[rolled] < 0).any() or (taken < 0).any():
        raise uncertain()
    target = np.searchsorted(pendings, part.action_pending[taken])
    count, label = strong_components(len(pendings), source, target)
    closed = np.bincount(label[source], label[source] != label[target], count) == 0
    gain, weight = part.action_gain[taken], part.outcome_weight[rolled]
    if max(np.abs(gain).max(initial=0.0), np.abs(part.cost[pendings]).max(initial=0.0)) >= WHOLE:
        raise uncertain()
    edges: list[list[tuple[int, int, int]]] = [[] for _ in pendings]
    for p, q, w, g in zip(source.tolist(), target.tolist(), weight.tolist(), gain.tolist(), strict=True):
        edges[p].append((q, w, int(g)))
    order = np.argsort(label, kind="stable")
    groups = np.split(order, np.cumsum(np.bincount(label, minlength=count))[:-1])
    number, cost = pendings.tolist(), part.cost[pendings].tolist()
    return [_one_class(groups[place].tolist(), number, cost, edges) for place in np.flatnonzero(closed).tolist()]


def _one_class(members: list[int], pendings: list[int], cost: list[float], edges: list[list[tuple[int, int, int]]]) -> _Class:
    place = {p: i for i, p in enumerate(members)}
    total = [sum(w for _, w, _ in edges[p]) for p in members]
    points = [int(cost[p]) * all_ + sum(w * g for _, w, g in edges[p]) for p, all_ in zip(members, total, strict=True)]
    after: list[dict[int, int]] = [{} for _ in members]
    for row, p in zip(after, members, strict=True):
        for q, w, _ in edges[p]:
            row[place[q]] = row.get(place[q], 0) + w
    return _Class([pendings[p] for p in members], points, total, after)


def _sign(found: _Class) -> int | None:
    """The sign of the mean gain: 1, or at most 0 (0); None if it remains open."""
    if max(found.points) <= 0:
        return 0
    if min(found.points) >= 0:
        return 1
    sign = _sign_by_floats(found)
    return _sign_by_fractions(found) if sign is None and len(found.pendings) <= SMALL else sign


def _sign_by_floats(found: _Class) -> int | None:
    h = [Fraction(number) for number in _potential(found).tolist()]
    if not h:
        return None
    drift = [
        points + sum(w * h[q] for q, w in row.items()) - total * own
        for points, total, row, own in zip(found.points, found.total, found.after, h, strict=True)
    ]
    return 1 if min(drift) > 0 else 0 if max(drift) <= 0 else None


def _potential(found: _Class) -> Floats:
    """Solve h + gain - P h = r in floats, with h = 0 at the first pending, whose column holds the gain; nothing if that fails."""
    n = len(found.pendings)
    edges = [(p, q, w / found.total[p]) for p, row in enumerate(found.after) for q, w in row.items() if q]
    entries = [(p, 0, 1.0) for p in range(n)] + [(p, p, 1.0) for p in range(1, n)] + [(p, q, -share) for p, q, share in edges]
    row, column, entry = (np.array(numbers) for numbers in zip(*entries, strict=True))
    right = np.array([points / total for points, total in zip(found.points, found.total, strict=True)])
    try:
        solved = solve_sparse(entry, row, column, right)
    except RuntimeError:
        return np.zeros(0)
    solved[0] = 0.0
    return solved if np.isfinite(solved).all() else np.zeros(0)


def _sign_by_fractions(found: _Class) -> int:
    """Add up the points between two visits of the first pending."""
    rows: dict[int, dict[int, Any]] = {}
    right: dict[int, Any] = {}
    for p in range(1, len(found.pendings)):
        row = {q: Fraction(-w) for q, w in found.after[p].items() if q}
        row[p] = row.get(p, Fraction(0)) + found.total[p]
        rows[p], right[p] = row, Fraction(found.points[p])
    value = eliminate(rows, right)
    return int(found.points[0] + sum(w * value[q] for q, w in found.after[0].items() if q) > 0)
