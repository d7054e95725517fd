"""Turn starts of a race by layers: those with the same scores in all. Points only grow, so a layer needs those above it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from rollwise.errors import EngineError
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.press_your_luck.tables import Floats, Ints, RollTables, longest_turn

__all__ = ["Solved", "needs_of", "solve_starts"]

PIECE = 8
"""Pairs of turn starts that a thread computes at a time."""


class Solved(NamedTuple):
    """`value[a, b]` is the chance of the mover who has a against b; the equations fail by `residual`, it is wrong by `error`."""

    value: Floats
    residual: float
    error: float


def needs_of(goal: int, least: int, opening: int) -> Ints:
    """Give what a bank needs, by the mover's score."""
    return np.array([max(opening, least), *[least] * (goal - 1)])


def solve_starts(tables: RollTables, needs: Ints, threads: int, tick: Callable[[int], None]) -> Solved:
    """Compute all turn starts. Raises `EngineError` where the error cannot be bounded.

    With errors of at most e in the layers above, equations x = F(1 - y), y = G(1 - x) that fail by r and have slopes of at most
    s and t give values that are wrong by at most e + r (1 + s) / (1 - s t), and the same with t: errors of x and y beyond e
    that are no larger reproduce themselves. r includes the rounding of a turn: that of a mean, for every roll of a turn, on
    average.
    """
    from rollwise.solvers.press_your_luck.turns_numba import AROUND, solve_pairs  # noqa: PLC0415  (compiled code is loaded only where it is used)

    goal = len(needs)
    value, residual, error = np.zeros((goal, goal)), 0.0, 0.0
    rounding = longest_turn(tables, max(goal, int(needs.max()))) * (int(np.diff(tables.kind_start).max()) + 8) * UNIT
    with ThreadPoolExecutor(threads) as pool:
        for layer in range(2 * goal - 2, -1, -1):
            first, last = max(0, layer - goal + 1), layer // 2 + 1
            apart, spans = np.zeros(last), np.zeros(last)
            pieces = [
                pool.submit(solve_pairs, tables, goal, needs, layer, a, min(a + PIECE, last), value, apart, spans)
                for a in range(first, last, PIECE)
            ]
            for piece in pieces:
                piece.result()
            residual = max(residual, float(apart.max()))
            error += float(((apart + rounding) * spans).max())
            if not error < AROUND:
                raise EngineError(f"rounding may add up to {error:.1e} in a race as long as this: choose a lower target")
            tick(2 * goal - 1 - layer)
    return Solved(value, residual, error)
