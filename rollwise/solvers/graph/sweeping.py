"""Solve a large graph in one order, by compiled sweeps.

Small graphs are solved by whole levels at once, which needs no compiler; a large one may have tens of thousands of levels of a
few nodes. Here every node has its place: strongly connected components, successors first, and inside a component the order in
which a depth-first search leaves the nodes. The kernels solve them in that order; what they cannot prove is left to the other
engines, one component at a time.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import EngineError, RollwiseError
from rollwise.solvers.graph.arrays import Graph, rows_of
from rollwise.solvers.graph.component import cut, local
from rollwise.solvers.graph.kernels.arrays import BEST, KIND, MARK, Cycle, GraphRows, Solved
from rollwise.solvers.graph.kernels.order import SLICE, components_in_order, largest_cycle
from rollwise.solvers.graph.kernels.searches import DEAD, never_left
from rollwise.solvers.graph.kernels.sweep import (
    AGAIN,
    ALONE,
    AT,
    BOTH,
    ENDLESS,
    MODE,
    PLACES,
    SIZE,
    SOLVED,
    TIED,
    TWO,
    leave,
    sweep,
)
from rollwise.solvers.graph.loops import paying_loop
from rollwise.solvers.graph.retry import Unbounded
from rollwise.solvers.graph.two_players import NO_WAY, ROUND_FOR_EVER, Endless
from rollwise.solvers.graph.values import Ints, Values

__all__ = ["Cyclic", "sweep_graph"]

Cyclic = Callable[[Ints, Ints], None]
"""Solves the component of the given states and pendings in `values`, or raises."""


def sweep_graph(graph: Graph, cyclic: Callable[[Values], Cyclic], tick: Callable[[int], None]) -> Values:
    """Solve a graph that maximises; `cyclic` gives the engine for components that cannot be proved here."""
    rows = rows_of(graph)
    order, last = components_in_order(rows, tick)
    solved, values = _nothing(graph)
    cycle = _room(rows, order, last)
    at, memo = np.zeros(PLACES, dtype=np.int64), np.zeros(PLACES)
    at[TWO] = graph.two_players
    solve_cycle = cyclic(values)
    while (found := sweep(rows, solved, order, last, cycle, at, memo, SLICE)) != SOLVED:
        tick(int(at[AT]))
        if found == ENDLESS:
            raise _endless(graph, order[at[AT] : at[AT] + at[SIZE]], cycle, both=bool(at[BOTH]))
        if found != AGAIN:
            nodes = order[at[AT] : at[AT] + at[SIZE]].astype(np.int64)
            if at[SIZE] > ALONE:
                raise _too_large(graph, values, nodes, cycle, tied=at[MODE] == TIED)
            solve_cycle(*_split(graph, nodes))
            leave(order, cycle, at)
    if not (solved.value < np.inf).all():
        raise EngineError("a value is too large for floating point: use exact=True")
    tick(len(order))
    return values


def _endless(graph: Graph, nodes: npt.NDArray[np.int32], cycle: Cycle, *, both: bool) -> Endless:
    """Name a pending at which the players can go round for ever, or from which some player cannot end it."""
    stays = cycle.flag[MARK, : len(nodes)] == 0 if both else cycle.flag[KIND, : len(nodes)] == DEAD
    pending = int(nodes[stays & (nodes >= graph.n_states)].min()) - graph.n_states
    return Endless(pending, ROUND_FOR_EVER if both else NO_WAY)


def _split(graph: Graph, nodes: Ints) -> tuple[Ints, Ints]:
    """Give the states among the nodes, and the pendings, each sorted and by its own number."""
    nodes = np.sort(nodes)
    return nodes[nodes < graph.n_states], nodes[nodes >= graph.n_states] - graph.n_states


def _too_large(graph: Graph, values: Values, nodes: Ints, cycle: Cycle, *, tied: bool) -> RollwiseError:
    """Say that a large component has no value, if that can be proved, or that none can be proved."""
    paying = _paying(graph, values, nodes, cycle) if tied and never_left(cycle, len(nodes)) else None
    if paying is not None:
        return Unbounded(paying)
    return EngineError(
        f"a cycle through {len(nodes):,} positions is left too rarely to be certified by sweeps, and policy iteration takes at "
        f"most {ALONE:,}: make the game smaller"
    )


def _paying(graph: Graph, values: Values, nodes: Ints, cycle: Cycle) -> int | None:
    """Give a pending of a loop that pays, if the best moves so far make one."""
    states, pendings = _split(graph, nodes[cycle.flag[MARK, : len(nodes)] == 0])
    part = cut(graph, values, states, pendings)
    target = local(pendings, nodes[cycle.note[BEST, cycle.number[states] - 1]] - graph.n_states)
    order = np.lexsort((-part.action_gain, part.action_pending != target[part.action_state], part.action_state))
    best = order[np.searchsorted(part.action_state, np.arange(len(states)))]
    paying = paying_loop(part, best, np.ones(len(states), dtype=np.bool_))
    return None if paying is None else int(pendings[paying])


def _nothing(graph: Graph) -> tuple[Solved, Values]:
    """Make what there is before anything is solved: by node for the kernels, and the same by states and pendings."""
    n = graph.n_states
    value, up, down = (np.full(n + graph.n_pendings, np.nan) for _ in range(3))
    choice: Any = np.full(n, -1, dtype=np.int32)
    return Solved(value, up, down, choice), Values(value[:n], up[:n], down[:n], value[n:], up[n:], down[n:], choice)


def _room(rows: GraphRows, order: npt.NDArray[np.int32], last: npt.NDArray[np.uint8]) -> Cycle:
    """Make room for the largest component; memory that is never written is never taken."""
    nodes, edges = largest_cycle(rows.action_start, rows.outcome_start, order, last)
    return Cycle(
        number=np.zeros(len(order), dtype=np.int32),
        real=np.empty((6, nodes)),
        flag=np.empty((3, nodes), dtype=np.uint8),
        note=np.empty((4, nodes), dtype=np.int32),
        start=np.empty((2, nodes + 2), dtype=np.int64),
        edge=np.empty((2, edges), dtype=np.int32),
        amount=np.empty(edges, dtype=rows.action_gain.dtype),
    )
