"""What a strategy is worth on the part of an explored graph that it reaches: nobody asks it about other positions.

The part is found roll by roll. It becomes a graph of its own, in which every state has one action: the one that is taken, or,
where several are, one that leads to a roll over them. The ordinary engines solve and certify that.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.base.solution import Number
from rollwise.solvers.graph.arrays import Explored, Graph

__all__ = ["Ask", "Taken", "value_reached"]

Ints = npt.NDArray[np.int64]


class Taken(NamedTuple):
    """What is done in some states: how many actions are taken in each, and their places and weights, state by state."""

    width: Ints
    place: Ints
    weight: Ints


Ask = Callable[[Ints], Taken]
"""Takes the numbers of some states that are not over."""


def value_reached(explored: Explored, ask: Ask, *, exact: bool = False) -> tuple[Number, Certificate]:
    """Compute what a strategy is worth from the start, asking it only in states that it comes to.

    Infinitely bad is one that may never end the game.
    """
    from rollwise.solvers.graph.certify import certify  # noqa: PLC0415  (compiled code is loaded where it is needed)
    from rollwise.solvers.graph.run import run  # noqa: PLC0415

    graph = _bound(explored.graph, _reach(explored.graph, ask))
    result = run(graph, exact=exact)
    worth = result.values.pending[0] if result.pending_exact is None else result.pending_exact[0]
    worth = worth / explored.unit
    return worth if graph.maximise else 0 - worth, certify(graph, result).scaled(explored.unit)


class _Part(NamedTuple):
    """The states and pendings that were reached; for each state how many actions are taken, and these with their weights."""

    state: Ints
    pending: Ints
    width: Ints
    action: Ints
    weight: Ints


def _reach(graph: Graph, ask: Ask) -> _Part:
    """Follow a strategy from the first roll."""
    state_known, pending_known = np.zeros(graph.n_states, dtype=np.bool_), np.zeros(graph.n_pendings, dtype=np.bool_)
    pending_known[0] = True
    pendings, rows = [np.zeros(1, dtype=np.int64)], list[tuple[Ints, Ints, Ints, Ints]]()
    while len(pendings[-1]):
        new = _fresh(graph.outcome_state[gather(graph.outcome_start, pendings[-1])[0]], state_known)
        moving = graph.action_start[new] < graph.action_start[new + 1]
        taken = ask(new[moving])
        count = np.zeros(len(new), dtype=np.int64)
        count[moving] = taken.width
        action = np.repeat(graph.action_start[new[moving]], taken.width) + taken.place
        rows.append((new, count, action, taken.weight))
        pendings.append(_fresh(graph.action_pending[action], pending_known))
    state, count, action, weight = (np.concatenate(column).astype(np.int64) for column in zip(*rows, strict=True))
    return _Part(state, np.concatenate(pendings), count, action, weight)


def _fresh(numbers: Ints, known: npt.NDArray[np.bool_]) -> Ints:
    """Give those that are not known, each once, and mark them."""
    new: Ints = np.unique(numbers[~known[numbers]]).astype(np.int64)
    known[new] = True
    return new


def _bound(graph: Graph, part: _Part) -> Graph:
    """The graph of a part; rolls over several actions, and the forced states they lead to, come last."""
    state_number, pending_number = np.zeros(graph.n_states, dtype=np.int64), np.zeros(graph.n_pendings, dtype=np.int64)
    state_number[part.state], pending_number[part.pending] = np.arange(len(part.state)), np.arange(len(part.pending))
    flat, begin = gather(graph.outcome_start, part.pending)
    mixed = part.width > 1
    forced = np.repeat(mixed, part.width)
    target, gain = pending_number[graph.action_pending[part.action]], graph.action_gain[part.action]
    own = np.empty((2, int((part.width > 0).sum())), dtype=np.int64)
    is_mixed = mixed[part.width > 0]
    own[:, ~is_mixed] = target[~forced], gain[~forced]
    own[:, is_mixed] = np.stack([len(part.pending) + np.arange(int(mixed.sum())), np.zeros(int(mixed.sum()), dtype=np.int64)])
    ends = len(flat) + np.cumsum(part.width[mixed])
    more = np.zeros(int(forced.sum()), dtype=np.int64)
    return replace(
        graph,
        state_payoff=np.concatenate([graph.state_payoff[part.state], more]),
        state_mover=np.zeros(len(part.state) + len(more), dtype=np.uint8),
        action_start=np.concatenate([[0], np.cumsum(np.concatenate([np.minimum(part.width, 1), more + 1]))]),
        action_pending=np.concatenate([own[0], target[forced]]),
        action_gain=np.concatenate([own[1], gain[forced]]),
        pending_cost=np.concatenate([graph.pending_cost[part.pending], np.zeros(int(mixed.sum()), dtype=np.int64)]),
        outcome_start=np.concatenate([begin, [len(flat)], ends]).astype(np.int64),
        outcome_state=np.concatenate([state_number[graph.outcome_state[flat]], len(part.state) + np.arange(len(more))]),
        outcome_weight=np.concatenate([graph.outcome_weight[flat], part.weight[forced]]),
    )
