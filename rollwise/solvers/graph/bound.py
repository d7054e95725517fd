"""What a strategy is worth: the part of a graph that it reaches becomes a graph of its own, in which it is all there is to do.

The part is found roll by roll, and the strategy is asked only there. In its graph a state has the one action that is taken, or,
where several are, one that leads to a roll over them; a player who is free keeps all his actions. The ordinary engines solve and
certify it.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.model.policy import Policy
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.base.solution import Number
from rollwise.solvers.graph.arrays import Explored, Graph
from rollwise.solvers.graph.moves import FREE, Ask, ask_policy, choices_of
from rollwise.solvers.graph.values import Result

__all__ = ["Part", "best_answer", "bind", "reach", "value_strategy"]

Ints = npt.NDArray[np.int64]

MOST_ASKED = 10_000
"""States in which a policy is asked while a client waits: a second or two."""


def value_strategy(explored: Explored, ask: Ask, *, exact: bool = False) -> tuple[Number, Certificate]:
    """Compute what a strategy is worth from the start, asking it only in states that it comes to.

    Infinitely bad is one that may never end the game.
    """
    from rollwise.solvers.graph.certify import certify  # noqa: PLC0415  (reading a solution needs no engines)
    from rollwise.solvers.graph.run import run  # noqa: PLC0415

    graph = bind(explored.graph, reach(explored.graph, ask))
    result = run(graph, exact=exact)
    worth = float(result.values.pending[0]) if result.pending_exact is None else result.pending_exact[0]
    worth = worth / explored.unit
    return worth if graph.maximise else 0 - worth, certify(graph, result).scaled(explored.unit)


def best_answer(explored: Explored, policy: Policy, player: int, *, exact: bool = False) -> Result | None:
    """Solve the graph in which a player has only the actions that a policy chooses; None where that takes long to find out.

    Nodes keep their numbers; so no state may have two chosen actions.
    """
    from rollwise.solvers.graph.run import run  # noqa: PLC0415

    graph = explored.graph
    asked = np.flatnonzero((graph.state_mover == player) & (np.diff(graph.action_start) > 1))
    if len(asked) > MOST_ASKED and choices_of(explored, policy) is None:
        return None
    taken = ask_policy(explored, policy)(asked)
    if (taken.width > 1).any():
        return None
    left = np.ones(len(graph.action_pending), dtype=np.bool_)
    left[gather(graph.action_start, asked)[0]] = False
    left[graph.action_start[asked] + taken.place] = True
    start = np.concatenate([[0], np.cumsum(left)])[graph.action_start]
    pending, gain = graph.action_pending[left], graph.action_gain[left]
    return run(replace(graph, action_start=start, action_pending=pending, action_gain=gain), exact=exact)


class Part(NamedTuple):
    """The states and pendings that are reached, in rising order; for each state how many actions are taken, and these with their
    weights.
    """

    state: Ints
    pending: Ints
    width: Ints
    action: Ints
    weight: Ints


def reach(graph: Graph, ask: Ask) -> Part:
    """Follow a strategy from the first roll."""
    state_known, pending_known = np.zeros(graph.n_states, dtype=np.bool_), np.zeros(graph.n_pendings, dtype=np.bool_)
    pending_known[0] = True
    pending, rows = np.zeros(1, dtype=np.int64), list[tuple[Ints, Ints, Ints, Ints]]()
    while len(pending):
        new = _fresh(graph.outcome_state[gather(graph.outcome_start, pending)[0]], state_known)
        moving = graph.action_start[new] < graph.action_start[new + 1]
        taken = ask(new[moving])
        count = np.zeros(len(new), dtype=np.int64)
        count[moving] = taken.width
        action = np.repeat(graph.action_start[new[moving]], taken.width) + taken.place
        rows.append((new, count, action, taken.weight))
        pending = _fresh(graph.action_pending[action], pending_known)
    state, width, action, weight = (np.concatenate(column).astype(np.int64) for column in zip(*rows, strict=True))
    order = np.argsort(state)
    flat, _ = gather(np.concatenate([[0], np.cumsum(width)]), order)
    return Part(state[order], np.flatnonzero(pending_known), width[order], action[flat], weight[flat])


def _fresh(numbers: Ints, known: npt.NDArray[np.bool_]) -> Ints:
    """Give those that are not known, each once, and mark them."""
    new: Ints = np.unique(numbers[~known[numbers]]).astype(np.int64)
    known[new] = True
    return new


def bind(graph: Graph, part: Part) -> Graph:
    """Make the graph of a part; rolls over several actions, and the forced states they lead to, come last."""
    state_number, pending_number = np.zeros(graph.n_states, dtype=np.int64), np.zeros(graph.n_pendings, dtype=np.int64)
    state_number[part.state], pending_number[part.pending] = np.arange(len(part.state)), np.arange(len(part.pending))
    target, gain = pending_number[graph.action_pending[part.action]], graph.action_gain[part.action]
    owner = np.repeat(np.arange(len(part.state)), part.width)
    free = np.zeros(len(part.state), dtype=np.bool_)
    free[owner[part.weight == FREE]] = True
    mixed = (part.width > 1) & ~free
    forced = mixed[owner]
    # What is left of the actions: those that are not forced, and one for every roll over several.
    mixes, more = int(mixed.sum()), np.zeros(int(forced.sum()), dtype=np.int64)
    own = np.concatenate([owner[~forced], np.flatnonzero(mixed)])
    order = np.argsort(own, kind="stable")
    own_target = np.concatenate([target[~forced], len(part.pending) + np.arange(mixes)])[order]
    own_gain = np.concatenate([gain[~forced], np.zeros(mixes, dtype=np.int64)])[order]
    flat, begin = gather(graph.outcome_start, part.pending)
    return replace(
        graph,
        state_payoff=np.concatenate([graph.state_payoff[part.state], more]),
        state_mover=np.concatenate([np.where(free, graph.state_mover[part.state], 0), more]).astype(np.uint8),
        action_start=np.concatenate([[0], np.cumsum(np.concatenate([np.where(mixed, 1, part.width), more + 1]))]),
        action_pending=np.concatenate([own_target, target[forced]]),
        action_gain=np.concatenate([own_gain, gain[forced]]),
        pending_cost=np.concatenate([graph.pending_cost[part.pending], np.zeros(mixes, dtype=np.int64)]),
        outcome_start=np.concatenate([begin, [len(flat)], len(flat) + np.cumsum(part.width[mixed])]).astype(np.int64),
        outcome_state=np.concatenate([state_number[graph.outcome_state[flat]], len(part.state) + np.arange(len(more))]),
        outcome_weight=np.concatenate([graph.outcome_weight[flat], part.weight[forced]]),
    )
