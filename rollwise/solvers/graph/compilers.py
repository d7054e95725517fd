"""Whether a graph is worth a compiler, and whether there is one."""

from functools import lru_cache
from typing import Any

from rollwise.solvers.graph.arrays import Graph, rows_of

__all__ = ["can_compile", "is_compiled", "is_large"]

LARGE = 200_000
"""Graphs of this many moves and outcomes are solved and checked by compiled code, if it is there."""
WORTH = 4_000_000
"""Graphs of this many take so long without it that it is compiled for them, once."""


def is_large(graph: Graph) -> bool:
    """Say whether compiled code is to be used: where it is at hand, or worth waiting for; a small graph never waits for it."""
    edges = len(graph.action_pending) + len(graph.outcome_state)
    return edges >= LARGE and can_compile() and (edges >= WORTH or is_compiled(graph))


def is_compiled(graph: Graph) -> bool:
    """Say whether the kernels were compiled before, for integers as long as a graph's."""
    from rollwise.solvers.base.compiling import is_ready  # noqa: PLC0415  (loaded only where it is used)
    from rollwise.solvers.graph.kernels.sweep import sweep  # noqa: PLC0415

    return is_ready(sweep, rows_of(graph))


@lru_cache(maxsize=1)
def can_compile() -> bool:
    """Say whether Numba can be had, and compiles."""
    try:
        import numba  # noqa: PLC0415  (loaded only where it is used)
    except ImportError:
        return False
    config: Any = numba.config
    return not config.DISABLE_JIT
