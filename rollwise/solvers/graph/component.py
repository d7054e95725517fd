"""A cyclic component cut out of its graph, and what its cycles allow.

`Component` holds edge lists with local numbers; -1 points outside, where everything is solved. Three questions about cycles are
answered here, all by sets of nodes and none by arithmetic:

- `surely_ending`: from which nodes can the component be left with probability one, and by which first choices?
- `proper`: make a policy leave, by changing choices only among those it may use;
- `free_loops`: where can the player go round for nothing, for ever?
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.explore import Graph
from rollwise.solvers.graph.matrices import strong_components
from rollwise.solvers.graph.values import Floats, Ints, Values

__all__ = ["Component", "cut", "free_loops", "local", "proper", "surely_ending"]

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Component:
    """Edges with local numbers. Actions are sorted by state and outcomes by pending; `*_outside` is the solved value there."""

    n_states: int
    n_pendings: int
    action_state: Ints
    action_pending: Ints
    action_gain: Floats
    action_outside: Floats
    outcome_pending: Ints
    outcome_state: Ints
    outcome_weight: Ints
    outcome_share: Floats
    outcome_outside: Floats
    cost: Floats
    ends: Bools
    payoff: Floats

    def leads(self, pending: Bools) -> Bools:
        """For each action: does it lead to a marked pending, or outside to a value above minus infinity?"""
        return np.where(self.action_pending >= 0, pending[self.action_pending], np.isfinite(self.action_outside))

    def gives(self, state: Bools) -> Bools:
        """For each outcome: is it a marked state, or outside with a value above minus infinity?"""
        return np.where(self.outcome_state >= 0, state[self.outcome_state], np.isfinite(self.outcome_outside))

    def action_value(self, pending: Floats) -> Floats:
        """For each action: gain plus value."""
        return self.action_gain + np.where(self.action_pending >= 0, pending[self.action_pending], self.action_outside)

    def pending_value(self, state: Floats) -> Floats:
        """For each pending: cost plus mean."""
        value = np.where(self.outcome_state >= 0, state[self.outcome_state], self.outcome_outside)
        return self.cost + np.bincount(self.outcome_pending, self.outcome_share * value, self.n_pendings)


def cut(graph: Graph, values: Values, states: Ints, pendings: Ints) -> Component:
    """Cut a component out of a graph whose other reachable components are solved."""
    actions, _ = gather(graph.action_start, states)
    outcomes, _ = gather(graph.outcome_start, pendings)
    n_outcomes = graph.outcome_start[pendings + 1] - graph.outcome_start[pendings]
    weight = graph.outcome_weight[outcomes].astype(np.float64)
    owner = np.repeat(np.arange(len(pendings)), n_outcomes)
    n_actions = graph.action_start[states + 1] - graph.action_start[states]
    return Component(
        n_states=len(states),
        n_pendings=len(pendings),
        action_state=np.repeat(np.arange(len(states)), n_actions),
        action_pending=local(pendings, graph.action_pending[actions]),
        action_gain=graph.action_gain[actions].astype(np.float64),
        action_outside=values.pending[graph.action_pending[actions]],
        outcome_pending=owner,
        outcome_state=local(states, graph.outcome_state[outcomes]),
        outcome_weight=graph.outcome_weight[outcomes],
        outcome_share=weight / np.bincount(owner, weight)[owner],
        outcome_outside=values.state[graph.outcome_state[outcomes]],
        cost=graph.pending_cost[pendings].astype(np.float64),
        ends=n_actions == 0,
        payoff=graph.state_payoff[states].astype(np.float64),
    )


def local(members: Ints, nodes: Ints) -> Ints:
    """Give the places of nodes among the members, which are sorted; -1 for others."""
    place = np.minimum(np.searchsorted(members, nodes), len(members) - 1)
    return np.where(members[place] == nodes, place, -1)


def _any(marks: Bools, owner: Ints, count: int) -> Bools:
    return np.bincount(owner, marks, count) > 0


def surely_ending(part: Component) -> tuple[Bools, Bools, Ints]:
    """Mark the states and pendings from which some policy surely leaves; give each such state a first action doing so.

    Greatest fixed point over "never fall into an unmarked node" of the least fixed point over "may leave".
    """
    state = np.ones(part.n_states, dtype=np.bool_)
    while True:
        safe = ~_any(~part.gives(state), part.outcome_pending, part.n_pendings)
        allowed = part.leads(safe)
        choice = np.full(part.n_states, -1, dtype=np.int64)
        reached, pending = _reach(part, safe, allowed, part.ends.copy(), choice)
        if np.array_equal(reached, state):
            return reached, pending, choice
        state = reached


def _reach(part: Component, safe: Bools, allowed: Bools, state: Bools, choice: Ints) -> tuple[Bools, Bools]:
    """Grow `state` by those with an allowed action that may reach it; note that action in `choice`."""
    outside = part.action_pending < 0
    pending = np.zeros(part.n_pendings, dtype=np.bool_)
    while True:
        hit = np.where(part.outcome_state >= 0, state[part.outcome_state], True)
        pending = safe & _any(hit, part.outcome_pending, part.n_pendings)
        good = allowed & (outside | pending[part.action_pending]) & ~state[part.action_state]
        if not good.any():
            return state, pending
        new, first = np.unique(part.action_state[good], return_index=True)
        choice[new] = np.flatnonzero(good)[first]
        state[new] = True


def proper(part: Component, choice: Ints, allowed: Bools) -> Ints:
    """Return a policy that surely leaves: `choice` where that leaves, else the first allowed action that may get there.

    `choice` holds an action number, or -1 where no policy surely ends; `allowed` must contain a policy that surely leaves.
    """
    live = choice >= 0
    used = np.zeros(len(part.action_state), dtype=np.bool_)
    used[choice[live]] = True
    result = np.full_like(choice, -1)
    everywhere = np.ones(part.n_pendings, dtype=np.bool_)
    state, _ = _reach(part, everywhere, used, part.ends.copy(), result)
    result[state & live] = choice[state & live]
    if not np.array_equal(state & live, live):
        _reach(part, everywhere, allowed, state, result)
    return np.where(live, result, -1)


def free_loops(part: Component, allowed: Bools) -> Ints:
    """Number the maximal sets of states closed under some allowed actions that gain and cost nothing; -1 outside of any.

    These are the maximal end components of the free allowed actions: every state in one has the same value. Pendings inside a
    loop are those reached by its actions.
    """
    inside = part.action_pending >= 0
    free = allowed & inside & (part.action_gain == 0) & (part.cost[part.action_pending] == 0)
    begin = np.searchsorted(part.outcome_pending, np.arange(part.n_pendings))
    while True:
        label = _loop_labels(part, free)
        target = np.where(part.outcome_state >= 0, label[part.outcome_state], -1)
        low, high = np.minimum.reduceat(target, begin), np.maximum.reduceat(target, begin)
        home = np.where(low == high, low, -1)
        keep = free & (home[part.action_pending] == label[part.action_state])
        if np.array_equal(keep, free):
            return np.where(_any(free, part.action_state, part.n_states), label, -1)
        free = keep


def _loop_labels(part: Component, free: Bools) -> Ints:
    """Strong components of the states under the marked actions."""
    n = part.n_states + part.n_pendings
    used = np.zeros(part.n_pendings, dtype=np.bool_)
    used[part.action_pending[free]] = True
    rolled = used[part.outcome_pending] & (part.outcome_state >= 0)
    source = np.concatenate([part.action_state[free], part.outcome_pending[rolled] + part.n_states])
    target = np.concatenate([part.action_pending[free] + part.n_states, part.outcome_state[rolled]])
    label = strong_components(n, source, target)[1]
    return np.asarray(label[: part.n_states], dtype=np.int64)
