"""Sparse matrices: strong components, what is reached, linear equations.

SciPy is loaded where it is used only: advice on a kept game must not wait for it.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["reached", "solve_sparse", "strong_components"]

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


def _edges(n: int, source: Any, target: Any) -> Any:
    """Make a matrix of a graph with n nodes: as many in a place as there are edges."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    return csr_array((np.ones(len(source), dtype=np.int8), (source, target)), shape=(n, n))


def strong_components(n: int, source: Any, target: Any) -> tuple[int, Any]:
    """Give the number of strong components of a graph with n nodes, and each node's.

    >>> count, label = strong_components(3, np.array([0, 1, 1]), np.array([1, 0, 2]))
    >>> count, bool(label[0] == label[1]), bool(label[1] == label[2])
    (2, True, False)
    """
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    count, label = connected_components(_edges(n, source, target), directed=True, connection="strong")
    return int(count), label


def reached(n: int, source: Any, target: Any, start: int) -> Bools:
    """Mark the nodes that edges lead to from a start, itself included."""
    from scipy.sparse.csgraph import breadth_first_order  # noqa: PLC0415

    seen = np.zeros(n, dtype=np.bool_)
    seen[breadth_first_order(_edges(n, source, target), start, directed=True, return_predecessors=False)] = True
    return seen


def solve_sparse(entry: Any, row: Any, column: Any, right: Floats) -> Floats:
    """Solve linear equations with as many unknowns. Raises `RuntimeError` where the matrix is singular."""
    from scipy.sparse import csc_array  # noqa: PLC0415
    from scipy.sparse.linalg import splu  # noqa: PLC0415

    n = len(right)
    solved: Floats = splu(csc_array((entry, (row, column)), shape=(n, n))).solve(right)
    return solved
