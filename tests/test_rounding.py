"""Bounds hold where rounding does its worst."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rollwise.solvers.graph.arrays import Graph
from rollwise.solvers.graph.run import run


def one_roll(payoff: list[int], weight: list[int]) -> Graph:
    """A single roll, after which the game is over."""
    n = len(payoff)
    none = np.zeros(0, dtype=np.int64)
    return Graph(
        maximise=True,
        state_payoff=np.array(payoff),
        state_mover=np.zeros(n, dtype=np.uint8),
        action_start=np.zeros(n + 1, dtype=np.int64),
        action_pending=none,
        action_gain=none,
        pending_cost=np.zeros(1, dtype=np.int64),
        outcome_start=np.array([0, n]),
        outcome_state=np.arange(n),
        outcome_weight=np.array(weight),
    )


@pytest.mark.parametrize("engine", [None, pytest.param("sweep", marks=pytest.mark.audit)])  # compiled for 64 bits: 20 s
def test_weights_that_round_up_and_points_that_round_down(engine: Any) -> None:
    """Each of the small weights is rounded up when it is added to the large one, and its points are lost."""
    graph = one_roll([128] + [127] * 60, [2**61] + [257] * 60)
    truth: Any = (run(graph, exact=True).pending_exact or [])[0]
    values = run(graph, engine=engine).values
    assert abs(truth - Fraction(float(values.pending[0]))) <= min(values.pending_up[0], values.pending_down[0])
