"""Random graphs with cycles, written as arrays: retries, free loops, places that no strategy leaves, one player and two."""

import numpy as np

from rollwise.solvers.graph.arrays import Graph

__all__ = ["random_graph"]

STYLES = ("chances", "gains", "losses", "costs", "mixed", "ties")


def random_graph(seed: int) -> Graph:
    """Make a graph of up to forty nodes; what it is like follows from the seed."""
    draw = np.random.default_rng(seed)
    style = STYLES[seed % len(STYLES)]
    two = style != "costs" and draw.random() < 0.4
    n_states, n_pendings = int(draw.integers(2, 20)), int(draw.integers(1, 20))
    n_ends = int(draw.integers(1, 3))
    most = int(draw.integers(1, 4))
    local = draw.random() < 0.4
    actions = [_targets(draw, s, n_pendings, most, n_states, local) if s >= n_ends else [] for s in range(n_states)]
    outcomes = [_targets(draw, p, n_states, 4, n_pendings, local) for p in range(n_pendings)]
    if draw.random() < 0.6:
        outcomes = [sorted({*row, int(draw.integers(n_ends))}) if draw.random() < 0.5 else row for row in outcomes]
    outcomes = [sorted(set(row)) for row in outcomes]
    action_start, outcome_start = _starts(actions), _starts(outcomes)
    n_actions, n_outcomes = int(action_start[-1]), int(outcome_start[-1])
    gain = _gains(draw, style, n_actions)
    costs = style == "costs"
    return Graph(
        maximise=not costs,
        state_payoff=np.where(np.arange(n_states) < n_ends, 0 if costs else draw.integers(-1, 4, n_states), 0),
        state_mover=(draw.integers(0, 2, n_states) * two * (np.arange(n_states) >= n_ends)).astype(np.uint8),
        action_start=action_start,
        action_pending=np.array([p for row in actions for p in row], dtype=np.int64),
        action_gain=gain,
        pending_cost=draw.integers(int(draw.integers(0, 2)), 3, n_pendings) if costs else np.zeros(n_pendings, dtype=np.int64),
        outcome_start=outcome_start,
        outcome_state=np.array([s for row in outcomes for s in row], dtype=np.int64),
        outcome_weight=draw.integers(1, int(draw.choice([2, 4, 30])), n_outcomes),
    )


def _targets(draw: np.random.Generator, own: int, count: int, most: int, of: int, local: bool) -> list[int]:
    """Some nodes of the other kind: anywhere, or near the own place."""
    size = int(draw.integers(1, most + 1))
    if not local:
        return [int(x) for x in draw.integers(0, count, size)]
    place = own * count / of
    return [int(x) for x in np.clip(np.round(place + draw.normal(0, 1.5, size)), 0, count - 1)]


def _starts(rows: list[list[int]]) -> np.ndarray:
    return np.cumsum([0, *(len(row) for row in rows)])


def _gains(draw: np.random.Generator, style: str, count: int) -> np.ndarray:
    none = np.zeros(count, dtype=np.int64)
    if style == "gains":
        return np.where(draw.random(count) < 0.15, draw.integers(0, 3, count), none)
    if style == "losses":
        return -draw.integers(0, 3, count)
    if style == "mixed":
        return np.where(draw.random(count) < 0.5, draw.integers(-4, 2, count), none)
    return none
