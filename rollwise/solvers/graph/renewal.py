"""Components that always come back to one pending: a root in one variable each.

In a game of turns every cycle goes through the start of a turn. Cut the component at that pending c: with x as its value wherever
it is met again, the rest has no cycle and backward induction gives c the value F(x). The truth is the x with F(x) = x.

F rises with x, piecewise linearly, with the chance of coming back under the choices made at x as its slope s. If the largest such
chance under any choices of the players is at most L < 1, then the component is surely left, F(x) - x falls strictly, and Newton's

    x + (F(x) - x) / (1 - s)

finds the root, with bisection where a step leaves the interval known to hold it. That is strategy improvement for both
players at once, kept from going in circles. All components of a level are solved together.

The bounds of `induction` hold here too once they hold at c: let D(d) be the bound it gives c for F(x) if c is met with the bound
d. If |F(x) - x| + D(d) <= d, then x + d and x - d bound the values that the chosen strategies secure.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.component import local
from rollwise.solvers.graph.explore import Graph
from rollwise.solvers.graph.induction import solve_pendings, solve_states
from rollwise.solvers.graph.levels import depths
from rollwise.solvers.graph.values import Floats, Ints, Values, uncertain

__all__ = ["solve_renewal"]

Bools = npt.NDArray[np.bool_]
Nodes = tuple[Ints, Ints]

STEPS = 200
MARGIN = 1.01
OFTEN = 1 - 1e-6
"""Components that may come back more often than this are left to other engines."""


@dataclass(frozen=True, eq=False)
class Loops:
    """The pendings at which components are cut, and all their nodes in the order of induction: (pendings, states)."""

    cut: Ints
    layers: list[Nodes]


def solve_renewal(graph: Graph, values: Values, components: list[Nodes]) -> list[Nodes]:
    """Solve those components of a level that always come back to their first pending; return the others."""
    fits = np.ones(len(components), dtype=np.bool_)
    while fits.any():
        loops, acyclic = _cut(graph, [part for part, fit in zip(components, fits, strict=True) if fit])
        often = _come_back(graph, loops, None)
        good = acyclic & (often <= OFTEN)
        if good.all():
            _solve(graph, values, loops)
            break
        fits[fits] = good
    return [part for part, fit in zip(components, fits, strict=True) if not fit]


def _cut(graph: Graph, components: list[Nodes]) -> tuple[Loops, Bools]:
    """Cut each component at its first pending, and say in which of them that leaves no cycle."""
    states, state_owner = _together([states for states, _ in components])
    pendings, pending_owner = _together([pendings for _, pendings in components])
    owner = np.concatenate([state_owner, pending_owner])
    cut = np.array([pendings[0] for _, pendings in components])
    n = len(states)
    actor, pending = _edges(graph.action_start, graph.action_pending, states, pendings)
    roll, state = _edges(graph.outcome_start, graph.outcome_state, pendings, states)
    open_ = ~np.isin(pendings, cut)[pending]
    depth = depths(len(owner), np.concatenate([actor[open_], roll + n]), np.concatenate([pending[open_] + n, state]))
    acyclic = np.bincount(owner, depth < 0, len(components)) == 0
    top = int(depth.max()) + 1
    layers = zip(_by_depth(pendings, depth[n:], top), _by_depth(states, depth[:n], top), strict=True)
    return Loops(cut, list(layers)), acyclic


def _by_depth(nodes: Ints, depth: Ints, top: int) -> list[Ints]:
    order = np.argsort(depth, kind="stable")
    return np.split(nodes[order], np.searchsorted(depth[order], np.arange(top + 1)))[1:-1]


def _together(parts: list[Ints]) -> tuple[Ints, Ints]:
    """Sort the nodes of several components; give them with the number of the component that each is of."""
    nodes = np.concatenate(parts)
    order = np.argsort(nodes)
    return nodes[order], np.repeat(np.arange(len(parts)), [len(part) for part in parts])[order]


def _edges(start: Ints, target: Ints, rows: Ints, members: Ints) -> tuple[Ints, Ints]:
    """List the edges from rows to members, both by their places."""
    flat, _ = gather(start, rows)
    place = local(members, target[flat])
    source = np.repeat(np.arange(len(rows)), start[rows + 1] - start[rows])
    return source[place >= 0], place[place >= 0]


def _come_back(graph: Graph, loops: Loops, choice: Ints | None) -> Floats:
    """Give the chance to come back to each cut under the choices made; under any choices if none are given."""
    state, pending = np.zeros(graph.n_states), np.zeros(graph.n_pendings)
    pending[loops.cut] = 1.0
    for pendings, states in loops.layers:
        if pendings.size:
            flat, begin = gather(graph.outcome_start, pendings)
            weight = graph.outcome_weight[flat].astype(np.float64)
            sums = np.add.reduceat(weight * state[graph.outcome_state[flat]], begin)
            pending[pendings] = sums / np.add.reduceat(weight, begin)
        if states.size and choice is not None:
            state[states] = pending[graph.action_pending[graph.action_start[states] + choice[states]]]
        elif states.size:
            flat, begin = gather(graph.action_start, states)
            state[states] = np.maximum.reduceat(pending[graph.action_pending[flat]], begin)
    return pending[loops.cut]


def _solve(graph: Graph, values: Values, loops: Loops) -> None:
    """Find the roots, then bounds that prove themselves."""
    x, none = np.zeros(len(loops.cut)), np.zeros(len(loops.cut))
    low, high = np.full_like(x, -np.inf), np.full_like(x, np.inf)
    for _ in range(STEPS):
        gap, noise = _induce(graph, values, loops, x, none)
        slope = _come_back(graph, loops, values.choice)
        settled = np.abs(gap) <= noise
        low, high = np.where(gap > 0, x, low), np.where(gap < 0, x, high)
        x = x + gap / (1 - slope)
        outside = ~settled & ((x <= low) | (x >= high))
        x[outside] = (low[outside] + high[outside]) / 2
        if settled.all():
            break
    _prove(graph, values, loops, x, noise, slope)


def _prove(graph: Graph, values: Values, loops: Loops, x: Floats, noise: Floats, slope: Floats) -> None:
    """Try bounds until they hold. D has the slope of F but for ties, so the first attempt is nearly always enough."""
    bound = MARGIN * noise / (1 - slope)
    for _ in range(STEPS):
        gap, reached = _induce(graph, values, loops, x, bound)
        missed = np.abs(gap) + reached
        if np.all(missed <= bound):
            return
        bound = np.where(missed <= bound, bound, MARGIN * (missed - slope * bound) / (1 - slope))
    raise uncertain()


def _induce(graph: Graph, values: Values, loops: Loops, x: Floats, bound: Floats) -> tuple[Floats, Floats]:
    """Values out F(x) - x, and the bound of F(x) if x has the given one."""
    cut = loops.cut
    values.pending[cut] = x
    values.pending_up[cut] = values.pending_down[cut] = bound
    for pendings, states in loops.layers:
        solve_pendings(graph, values, pendings)
        if states.size:
            solve_states(graph, values, states)
    return values.pending[cut] - x, np.maximum(values.pending_up[cut], values.pending_down[cut])
