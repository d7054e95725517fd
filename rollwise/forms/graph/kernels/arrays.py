"""The arrays that the kernels share."""

from typing import Any, NamedTuple

__all__ = ["Cycle", "Rows", "Solved"]


class Rows(NamedTuple):
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

    `number` gives the local number of a node plus 1, or 0. `base` is what is known of a node: of a roll its cost and the mean of
    what lies outside, as far as it goes; of a state its best move out. `share` is 1 / total weight, `leaves` says
    whether an edge leads out. `back_start` and `back` are the edges backwards; `queue`, `count` and
    `mark` are for searches.
    """

    number: Any
    kind: Any
    first: Any
    target: Any
    amount: Any
    base: Any
    share: Any
    leaves: Any
    value: Any
    steps: Any
    best: Any
    gain: Any
    moved: Any
    mark: Any
    count: Any
    queue: Any
    back_start: Any
    back: Any
