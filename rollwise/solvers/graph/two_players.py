"""Cycles in which both players choose: strategy improvement by Hoffman and Karp (1966).

Such a component must be left with probability one whatever the players do (a *stopping* game); then there is one value V with

    V(state) = max (player 0) or min (player 1) over actions of gain + V(pending),    V(pending) = cost + mean of V(outcomes),

and each player has a strategy that secures it against everything. Fix what player 1 does and find player 0's best answer, which
is a game for one (`policy`); switch player 1 wherever that is strictly better; repeat. The values of the answers fall with
every switch, so no strategy comes twice.

`bounds` proves a result without trusting how it was found. With w an upper bound on the number of steps left under any choices
at all, and d twice the largest violation of the equations, V + d * w is a bound that player 1's strategy keeps whatever
player 0 does, and V - d * w is one that player 0's strategy keeps whatever player 1 does.
"""

from dataclasses import replace

import numpy as np

from rollwise.errors import EngineError, GameError
from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.graph import policy_iteration as policy
from rollwise.solvers.graph.component import Bools, Component
from rollwise.solvers.graph.values import Floats, Ints, rounding, uncertain

__all__ = ["NO_WAY", "ROUND_FOR_EVER", "Endless", "bounds", "check_stopping", "choose", "iterate", "mirror"]

NO_WAY = "some player cannot bring it to an end"
ROUND_FOR_EVER = "the players can go round for ever"


class Endless(GameError):
    """A game for two may go on for ever; `pending` says where."""

    def __init__(self, pending: int, how: str) -> None:
        self.pending = pending
        super().__init__(f"a game for two must surely end, but {how}")


def mirror(part: Component) -> Component:
    """Change sides: what player 1 minimises becomes what player 0 maximises."""
    return replace(
        part,
        action_gain=-part.action_gain,
        action_outside=-part.action_outside,
        outcome_outside=-part.outcome_outside,
        cost=-part.cost,
        payoff=-part.payoff,
    )


def check_stopping(part: Component, pendings: Ints) -> None:
    """Raise `Endless` if the players together could stay in a component for ever.

    They can in the largest set of states each of which has an action whose outcomes all lie in the set.
    """
    state = ~part.ends
    while True:
        inside = np.where(part.outcome_state >= 0, state[part.outcome_state], False)
        pending = np.bincount(part.outcome_pending, ~inside, part.n_pendings) == 0
        stays = (part.action_pending >= 0) & pending[part.action_pending]
        kept = state & (np.bincount(part.action_state, stays, part.n_states) > 0)
        if np.array_equal(kept, state):
            break
        state = kept
    if state.any():
        raise Endless(int(pendings[np.argmax(pending)]), ROUND_FOR_EVER)


def iterate(part: Component, second: Bools) -> tuple[Floats, Floats]:
    """Find the values of a stopping component; `second` marks the states of player 1."""
    states, pendings = np.ones(part.n_states, dtype=np.bool_), np.ones(part.n_pendings, dtype=np.bool_)
    choice = np.where(part.ends, -1, np.searchsorted(part.action_state, np.arange(part.n_states)))
    for _ in range(policy.ROUNDS):
        answer, start = _fix(part, second, choice)
        state_value, pending_value = policy.iterate(answer, states, pendings, start)
        value, best = _signed(part, second, pending_value)
        now = np.where(second, -state_value, np.inf)
        better = second & ~part.ends & (best > now + policy.SWITCH * (1 + np.abs(now)))
        if not better.any():
            return state_value, pending_value
        choice = np.where(better | ~second, _first(part, value >= best[part.action_state]), choice)
    raise EngineError(f"strategy improvement did not settle in {policy.ROUNDS} rounds: use exact=True")


def _fix(part: Component, second: Bools, choice: Ints) -> tuple[Component, Ints]:
    """Leave player 1 only the chosen actions; give what is left, and the choices by their new numbers."""
    keep = ~second[part.action_state]
    keep[choice[choice >= 0]] = True
    number = np.append(np.cumsum(keep) - 1, -1)
    return replace(
        part,
        action_state=part.action_state[keep],
        action_pending=part.action_pending[keep],
        action_gain=part.action_gain[keep],
        action_outside=part.action_outside[keep],
    ), number[choice]


def _signed(part: Component, second: Bools, pending_value: Floats) -> tuple[Floats, Floats]:
    """Give each action's value as its mover sees it, and the best of each state."""
    value = np.where(second[part.action_state], -1.0, 1.0) * part.action_value(pending_value)
    best = np.full(part.n_states, -np.inf)
    np.maximum.at(best, part.action_state, value)
    return value, best


def _first(part: Component, marked: Bools) -> Ints:
    """Give each state its first marked action; -1 where there is none."""
    found = np.full(part.n_states, -1, dtype=np.int64)
    states, place = np.unique(part.action_state[marked], return_index=True)
    found[states] = np.flatnonzero(marked)[place]
    return found


def choose(part: Component, second: Bools, pending_value: Floats) -> Ints:
    """Choose in each state the first action among the ties; whatever is chosen, a stopping game ends."""
    value, best = _signed(part, second, pending_value)
    size = np.where(part.ends, 0.0, np.abs(best))
    width = TIE * np.maximum(size, policy.NOISE * size.max())
    return _first(part, value >= (best - width)[part.action_state])


def bounds(part: Component, second: Bools, choice: Ints, state_value: Floats, pending_value: Floats) -> tuple[Floats, Floats]:
    """Bound how far either player's strategy can miss the value, by state and pending, given exact values outside."""
    size = max(float(np.abs(array).max(initial=0.0)) for array in (state_value, pending_value, part.action_gain, part.payoff))
    n_terms = int(np.bincount(part.outcome_pending).max(initial=1))
    value, _ = _signed(part, second, pending_value)
    gap = np.where(second, -state_value, state_value)[part.action_state] - value
    off = part.pending_value(state_value) - pending_value
    worst = max(float(-gap.min()), float(np.abs(gap[choice[choice >= 0]]).max()), float(np.abs(off).max()))
    d = 2 * (worst + float(rounding(2 * n_terms, 2 * size + float(np.abs(part.cost).max()))))
    steps_state, steps_pending = _steps(part)
    return d * steps_state, d * steps_pending


def _steps(part: Component) -> tuple[Floats, Floats]:
    """Bound the expected number of steps left under any choices, and check that every step counts at least one half."""
    counted = replace(
        part,
        action_gain=np.ones_like(part.action_gain),
        action_outside=np.zeros_like(part.action_outside),
        outcome_outside=np.zeros_like(part.outcome_outside),
        cost=np.ones(part.n_pendings),
        payoff=np.zeros(part.n_states),
    )
    everything = np.zeros(part.n_states, dtype=np.bool_)
    state, pending = iterate(counted, everything)
    climb = counted.action_value(pending) - 1 - state[part.action_state]
    fall = counted.pending_value(state) - 1 - pending
    if not (np.all(climb <= -0.5) and np.all(fall <= -0.5) and np.all(state >= 0)):
        raise uncertain()
    return state, pending
