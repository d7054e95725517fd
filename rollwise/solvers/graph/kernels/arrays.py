"""The arrays that the kernels share."""

from typing import Any, NamedTuple

__all__ = [
    "AGAIN_GAIN", "BACK", "BACK_FIRST", "BASE", "BEST", "COUNT", "FIRST", "KIND", "LEAVES", "MARK", "MOVED", "PIECE", "QUEUE",
    "SHARE", "STEPS", "TARGET", "VALUE", "Cycle", "GraphRows", "Solved",
]  # fmt: skip


class GraphRows(NamedTuple):
    """A graph's rows: indices all of one type of integer, amounts all of one."""

    action_start: Any
    action_pending: Any
    action_gain: Any
    outcome_start: Any
    outcome_state: Any
    outcome_weight: Any
    pending_cost: Any
    state_payoff: Any
    state_mover: Any


class Solved(NamedTuple):
    """Values and bounds by node, states first and then pendings, and choices by state."""

    value: Any
    up: Any
    down: Any
    choice: Any


class Cycle(NamedTuple):
    """A cyclic component laid out in its order, by local numbers; only edges inside it.

    `number` gives the local number of a node plus 1, or 0. The others have a row for each thing that is known: `real`, `flag` and
    `note` of nodes, `start` where their edges begin, `edge` where they lead; `amount` is the weight of an outcome, the gain of an
    action. (Few arrays, as each costs time to compile wherever it is handed on.)
    """

    number: Any
    real: Any
    flag: Any
    note: Any
    start: Any
    edge: Any
    amount: Any


BASE, SHARE, VALUE, STEPS, AGAIN_GAIN, MOVED = range(6)
"""What is known of a node: of a roll its cost and the part of the mean that lies outside, of a state its best move out; 1 / total
weight; its value; its steps; the gain of its best move; by how much the last sweep changed it."""
KIND, LEAVES, MARK = range(3)
"""Whose choice it is; whether an edge leads out; for searches."""
BEST, COUNT, QUEUE, PIECE = range(4)
"""Where the best move leads; for searches, two rows; the free loop that it belongs to."""
FIRST, BACK_FIRST = range(2)
TARGET, BACK = range(2)
"""Edges, and the same backwards."""
