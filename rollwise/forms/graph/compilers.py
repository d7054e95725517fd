"""Whether a graph is worth a compiler, and whether there is one."""

from functools import lru_cache

from rollwise.forms.graph.arrays import Graph

__all__ = ["can_compile", "is_large"]

LARGE = 200_000
"""Graphs of this many moves and outcomes are solved and checked by compiled code."""


def is_large(graph: Graph) -> bool:
    """Say whether compiled code is to be used: for large graphs, where there is a compiler; a small one never waits for it."""
    return len(graph.action_pending) + len(graph.outcome_state) >= LARGE and can_compile()


@lru_cache(maxsize=1)
def can_compile() -> bool:
    """Say whether Numba can be had, and compiles."""
    try:
        import numba  # noqa: PLC0415  (loaded only where it is used)
    except ImportError:
        return False
    return not numba.config.DISABLE_JIT
