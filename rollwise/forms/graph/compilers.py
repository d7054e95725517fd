"""Whether a graph is worth a compiler, and whether there is one."""

from importlib.util import find_spec

from rollwise.forms.graph.arrays import Graph

__all__ = ["is_large"]

LARGE = 200_000
"""Graphs of this many moves and outcomes are solved and checked by compiled code."""


def is_large(graph: Graph) -> bool:
    """Say whether compiled code is to be used: for large graphs, where Numba can be had; a first answer never waits for it."""
    return len(graph.action_pending) + len(graph.outcome_state) >= LARGE and find_spec("numba") is not None
