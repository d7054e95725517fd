"""A graph's arrays as the kernels take them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.solvers.graph.arrays import Graph
from rollwise.solvers.graph.kernels.arrays import GraphRows

__all__ = ["rows_of"]

SMALL = np.iinfo(np.int32).max


def rows_of(graph: Graph) -> GraphRows:
    """Give the arrays as they are, or as integers of 32 bits if they are longer than they need be."""
    places = _alike([graph.action_start, graph.action_pending, graph.outcome_start, graph.outcome_state])
    amounts = _alike([graph.action_gain, graph.outcome_weight, graph.pending_cost, graph.state_payoff])
    return GraphRows(
        action_start=places[0], action_pending=places[1], action_gain=amounts[0],
        outcome_start=places[2], outcome_state=places[3], outcome_weight=amounts[1],
        pending_cost=amounts[2], state_payoff=amounts[3], state_mover=_to_read(graph.state_mover, np.uint8),
    )  # fmt: skip


def _alike(arrays: list[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    """Make arrays of integers of one type, the shorter one if all numbers and their negatives fit it."""
    most = max(max(int(array.max()), -int(array.min())) if array.size else 0 for array in arrays)
    return [_to_read(array, np.int32 if most <= SMALL else np.int64) for array in arrays]


def _to_read(array: npt.NDArray[Any], kind: Any) -> npt.NDArray[Any]:
    """View an array as one that is only read: kernels are compiled again for arrays that may be written."""
    view = np.ascontiguousarray(array, dtype=kind).view()
    view.flags.writeable = False
    return view
