"""The certificate of a result, checked again from the arrays after the engines are done.

Two halves: the reported policy attains the value and ends with probability one; no action improves on it. In a cyclic game the
second half alone proves nothing (waiting for ever may satisfy the optimality equation), so both are always checked. With two
players the policy is both players' together, and no action improves on it for the player whose it is.
"""

from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import require
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph import exact
from rollwise.solvers.graph.arrays import Graph, rows_of
from rollwise.solvers.graph.compilers import is_large
from rollwise.solvers.graph.matrices import reached
from rollwise.solvers.graph.values import Result, rounding

__all__ = ["certify"]


def certify(graph: Graph, result: Result) -> Certificate:
    """Check both halves of a result; a failure is a fault of the engines and raises `CertificateError`."""
    graph, values = graph.maximising(), result.values
    for part in (values.state, values.pending, values.state_up, values.state_down, values.pending_up, values.pending_down):
        require(not np.isnan(part).any(), "an engine left a node unsolved")
    large = result.state_exact is None and is_large(graph)
    ends = _ends_compiled(graph, result) if large else _ends(graph, result)
    require(ends, "the policy does not surely end")
    if result.state_exact is not None and result.pending_exact is not None:
        wrong, missed = _exact_residual(graph, result.state_exact, result.pending_exact, values.choice)
        require(not wrong, "an exact result violates the optimality equation")
        require(not missed, "an exact policy does not attain its value")
        return Certificate(exact=True, ends=ends, residual=wrong, shortfall=missed, error_bound=0.0, checked="everywhere")
    residual, shortfall, noise = _measured(graph, result) if large else _float_residual(graph, result)
    bounds = (values.state_up, values.state_down, values.pending_up, values.pending_down)
    bound = float(max(b.max(initial=0.0) for b in bounds))
    # Two values that are each within the bound of the truth differ by two bounds and the rounding of the comparison at most.
    allowed = 2.01 * bound + noise
    require(residual <= allowed, "a value violates the optimality equation by more than its bound")
    require(shortfall <= allowed, "the policy falls short of its value by more than the bound")
    return Certificate(exact=False, ends=ends, residual=residual, shortfall=shortfall, error_bound=bound, checked="everywhere")


def _ends_compiled(graph: Graph, result: Result) -> bool:
    """Search as `_ends` does, with lists in place of matrices."""
    from rollwise.solvers.graph.kernels.check import policy_ends  # noqa: PLC0415  (compiled code is loaded only where it is used)

    values = result.values
    return bool(policy_ends(rows_of(graph), values.state, values.pending, values.choice))


def _measured(graph: Graph, result: Result) -> tuple[float, float, float]:
    """Give what `_float_residual` does, row by row, without temporary arrays."""
    from rollwise.solvers.graph.kernels.check import measure  # noqa: PLC0415

    values = result.values
    residual, shortfall, size = measure(rows_of(graph), values.state, values.pending, values.choice)
    return float(residual), float(shortfall), _noise(graph, size)


def _size(graph: Graph, result: Result) -> float:
    """Add up the largest numbers that are compared."""
    numbers = (result.values.state, result.values.pending, graph.action_gain, graph.pending_cost)
    return sum(float(np.abs(array[np.isfinite(array)]).max(initial=0.0)) for array in numbers)


def _noise(graph: Graph, size: float) -> float:
    """Bound the rounding that comparing values with one another can make."""
    most = int(np.diff(graph.outcome_start).max(initial=1))
    return float(rounding(2 * most, size))


def _ends(graph: Graph, result: Result) -> bool:
    """Search backwards from the ends along the policy: every node with a finite value must be found."""
    values, n = result.values, graph.n_states
    acting = np.flatnonzero(values.choice >= 0)
    action = graph.action_start[acting] + values.choice[acting]
    over = np.flatnonzero(graph.action_start[:-1] == graph.action_start[1:])
    goal = n + graph.n_pendings
    rolled = np.repeat(np.arange(graph.n_pendings), np.diff(graph.outcome_start)) + n
    source = np.concatenate([graph.action_pending[action] + n, graph.outcome_state, np.full(len(over), goal)])
    target = np.concatenate([acting, rolled, over])
    seen = reached(goal + 1, source, target, goal)
    return bool(seen[:n][np.isfinite(values.state)].all() and seen[n:goal][np.isfinite(values.pending)].all())


def _float_residual(graph: Graph, result: Result) -> tuple[float, float, float]:
    """Give the largest residual, the largest shortfall, and the rounding that comparing can make."""
    values, noise = result.values, _noise(graph, _size(graph, result))
    with np.errstate(invalid="ignore"):
        mean = _means(graph, values.state)
        residual = _largest(values.pending - (graph.pending_cost + mean))
        rows = np.flatnonzero(np.diff(graph.action_start))
        if not rows.size:
            return residual, 0.0, noise
        _, begin = gather(graph.action_start, rows)
        value = graph.action_gain + values.pending[graph.action_pending]
        best = np.maximum.reduceat(value, begin)
        if graph.two_players:
            best = np.where(graph.state_mover[rows] == 1, np.minimum.reduceat(value, begin), best)
        residual = max(residual, _largest(values.state[rows] - best))
        chosen = graph.action_start[rows] + np.maximum(values.choice[rows], 0)
        return residual, _largest(values.state[rows] - value[chosen]), noise


def _means(graph: Graph, state: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    weight = graph.outcome_weight.astype(np.float64)
    begin = graph.outcome_start[:-1]
    means: npt.NDArray[np.float64] = np.add.reduceat(weight * state[graph.outcome_state], begin) / np.add.reduceat(weight, begin)
    return means


def _largest(difference: npt.NDArray[np.float64]) -> float:
    """Largest absolute difference; infinite minus infinite (NaN) counts as none."""
    return float(np.fmax.reduce(np.abs(difference), initial=0.0))


def _exact_residual(
    graph: Graph, state: list[Any], pending: list[Any], choice: npt.NDArray[np.int64]
) -> tuple[Fraction, Fraction]:
    residual = shortfall = Fraction(0)
    for p, value in enumerate(pending):
        if value > -inf:
            mean = exact.pending_value(graph, p, state)
            residual = max(residual, abs(value - mean))
    for s, value in enumerate(state):
        values = exact.state_values(graph, s, pending)
        if values and value > -inf:
            residual = max(residual, abs(value - exact.best_of(graph, s, values)))
            shortfall = max(shortfall, abs(value - values[int(choice[s])]))
    return residual, shortfall
