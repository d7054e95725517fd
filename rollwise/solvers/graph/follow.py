"""Follow any strategy through an explored graph: its exact worth, and the distribution of what it ends with.

A policy turns every state into a chance node: a state's only action leads to a roll over its chosen actions, and the ordinary
engines solve the result, with a certificate. The strategy of a solution is there already, as the choices in its arrays. For the
distribution, probability mass goes forwards roll by roll; where a game may go on for ever that stops when less than 1e-12 is
left.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.errors import PositionError
from rollwise.model.abilities import unlift, unlifted
from rollwise.model.game import Progress
from rollwise.model.policy import Policy, chosen_actions
from rollwise.model.roll import LARGEST
from rollwise.model.view import view_of
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.distribution import MOST_STEPS, TAIL, Distribution, Follow
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.choices import choices_of
from rollwise.solvers.graph.columns import CodedPositions
from rollwise.solvers.graph.explore import Explored, Graph
from rollwise.solvers.graph.flow import flow
from rollwise.solvers.graph.values import Result

__all__ = ["choice_distribution", "follows_arrays", "graph_distribution", "value_policy"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

WIDEST = 100_000
"""Totals further apart than this are kept as a list of those that occur."""
DENSE = 8
"""Sums are made in one row of all places if it is at most this many times as long as what is added up."""
TICK = 256
BYTES_A_SHARE, BYTES_A_MASS = 20, 40
"""What following all positions together takes for every outcome and every position: a matrix, and the mass before and after."""
MOST_ASKED = 10_000
"""States in which a policy is asked while somebody waits: a second or two."""
BYTES_AN_OUTCOME = 120
"""What following takes for every outcome of a roll, about: its place, state, total and chance, and copies of them."""


def value_policy(explored: Explored, policy: Policy, *, exact: bool = False) -> tuple[Result, Certificate]:
    """Solve the graph in which the player follows `policy`; by its arrays alone, if it is that of a solution of this graph."""
    from rollwise.solvers.graph.certify import certify  # noqa: PLC0415  (whoever only reads a solution needs no engines)
    from rollwise.solvers.graph.run import run  # noqa: PLC0415

    choice = choices_of(explored, policy)
    graph = _followed(explored, policy) if choice is None else _bound(explored.graph, choice)
    result = run(graph, exact=exact)
    return result, certify(graph, result)


def best_answer(explored: Explored, policy: Policy, player: int, *, exact: bool = False) -> Result | None:
    """Solve the graph in which a player has only the actions that a policy chooses; None where that takes long to find out.

    Nodes keep their numbers; so no state may have two chosen actions.
    """
    from rollwise.solvers.graph.run import run  # noqa: PLC0415

    graph = explored.graph
    asked = np.flatnonzero((graph.state_mover == player) & (np.diff(graph.action_start) > 1))
    known = choices_of(explored, policy)
    if known is None and len(asked) > MOST_ASKED:
        return None
    left = np.ones(len(graph.action_pending), dtype=np.bool_)
    for number in asked.tolist():
        if known is None:
            state = explored.states[number]
            chosen = chosen_actions(explored.game, policy, state, list(explored.game.actions(state)))
            if len(chosen) > 1:
                return None
            place = chosen[0][0]
        else:
            place = int(known[number])
        left[graph.action_start[number] : graph.action_start[number + 1]] = False
        left[graph.action_start[number] + place] = True
    start = np.concatenate([[0], np.cumsum(left)])[graph.action_start]
    pending, gain = graph.action_pending[left], graph.action_gain[left]
    return run(replace(graph, action_start=start, action_pending=pending, action_gain=gain), exact=exact)


def _bound(graph: Graph, choice: Ints) -> Graph:
    """The graph in which every state has only its chosen action."""
    count = np.minimum(np.diff(graph.action_start), 1)
    moving = np.flatnonzero(count)
    chosen = graph.action_start[moving] + choice[moving]
    return replace(
        graph,
        state_mover=np.zeros_like(graph.state_mover),
        action_start=np.concatenate([[0], np.cumsum(count)]),
        action_pending=graph.action_pending[chosen],
        action_gain=graph.action_gain[chosen],
    )


def _followed(explored: Explored, policy: Policy) -> Graph:
    """Add, for every state with actions, a roll over what the policy does, and a forced state for each such action.

    Where a player gives the best answer to what the other does, the state stays as it is.
    """
    graph, game = explored.graph, explored.game
    is_free = getattr(policy, "is_free", lambda *_: False)
    mover = np.zeros(graph.n_states, dtype=np.uint8)
    n_states, n_pendings = graph.n_states, graph.n_pendings
    first_action, action_pending, action_gain = [0], [], []
    outcome, weight, start = [], [], [len(graph.outcome_state)]
    forced: list[tuple[int, int]] = []
    for number, state in enumerate(explored.states):
        actions = list(game.actions(state))
        if actions and is_free(game, state):
            own = slice(graph.action_start[number], graph.action_start[number + 1])
            action_pending += graph.action_pending[own].tolist()
            action_gain += graph.action_gain[own].tolist()
            mover[number] = graph.state_mover[number] if graph.two_players else 0
        elif actions:
            for action, share in chosen_actions(game, policy, state, actions):
                outcome.append(n_states + len(forced))
                weight.append(share)
                flat = int(graph.action_start[number]) + action
                forced.append((int(graph.action_pending[flat]), int(graph.action_gain[flat])))
            action_pending.append(n_pendings + len(start) - 1)
            action_gain.append(0)
            start.append(len(graph.outcome_state) + len(outcome))
        first_action.append(len(action_pending))
    action_pending += [pending for pending, _ in forced]
    action_gain += [gain for _, gain in forced]
    first_action += range(first_action[-1] + 1, len(action_pending) + 1)
    return replace(
        graph,
        state_payoff=np.concatenate([graph.state_payoff, np.zeros(len(forced), dtype=np.int64)]),
        state_mover=np.concatenate([mover, np.zeros(len(forced), dtype=np.uint8)]),
        action_start=np.array(first_action),
        action_pending=np.array(action_pending, dtype=np.int64),
        action_gain=np.array(action_gain, dtype=np.int64),
        pending_cost=np.concatenate([graph.pending_cost, np.zeros(len(start) - 1, dtype=np.int64)]),
        outcome_start=np.concatenate([graph.outcome_start[:-1], np.array(start)]),
        outcome_state=np.concatenate([graph.outcome_state, np.array(outcome, dtype=np.int64)]),
        outcome_weight=np.concatenate([graph.outcome_weight, np.array(weight, dtype=np.int64)]),
    )


def graph_distribution(explored: Explored, policy: Policy, first: Any, follow: Follow) -> Distribution:
    """Follow a strategy on the explored graph: mass by (pending, total), one roll at a time."""
    choice = choices_of(explored, policy, follow.progress)
    if choice is not None:
        return choice_distribution(explored, choice, first, follow)
    return _distribution(_Asked(explored, policy, follow.progress), explored.pending_index[first], follow)


def choice_distribution(explored: Explored, choice: Ints, first: Any, follow: Follow) -> Distribution:
    """Follow the chosen actions as `graph_distribution` follows a strategy, on the arrays.

    Only what is met is read; but where there are no points on the way, and nobody counts the work, all positions go at once.
    """
    walk, start = _Chosen(explored, choice), explored.pending_index[first]
    if follow.work is None and not walk.counts_rolls and not _gains(explored):
        return _distribution_at_ends(walk, start, follow)
    return _distribution(walk, start, follow)


def _gains(explored: Explored) -> bool:
    """Say whether there may be points on the way: a lifted game keeps them elsewhere."""
    return unlifted(explored.game) is not explored.game or bool(np.asarray(explored.graph.action_gain).any())


def _distribution_at_ends(walk: "_Chosen", first: int, follow: Follow) -> Distribution:
    """Follow the mass of all positions together: what games end with is what their ends pay."""
    graph = walk.graph
    needed = BYTES_A_SHARE * len(graph.outcome_state) + BYTES_A_MASS * (graph.n_states + graph.n_pendings)
    check_fits("following all positions", needed, follow.max_bytes, cure="there is no distribution of so many of them")
    over = np.diff(graph.action_start) == 0
    ended, lost = np.zeros(graph.n_states), np.flatnonzero(~over & (np.asarray(walk.choice) < 0))
    for rolls, (state, left) in enumerate(flow(graph, walk.choice, first), 1):
        ended += np.where(over, state, 0.0)
        if lost.size and state[lost].any():
            raise walk.stuck(int(lost[state[lost].argmax()]))
        if left <= TAIL or rolls == MOST_STEPS:
            break
        if follow.progress:
            follow.progress("rolls followed", rolls, None)
    met = np.flatnonzero(ended)
    return _listed(walk.what, dict(_add_up(walk.payoff(met), ended[met])), left)


def follows_arrays(explored: Explored) -> bool:
    """Say whether the points along a game are all in its arrays, so that no position need be asked."""
    objective = explored.objective
    return objective.counts == "costs" or (objective.adds and unlifted(explored.game) is explored.game)


def _distribution(walk: "_Walk", first: int, follow: Follow) -> Distribution:
    progress, work = follow.progress, follow.work
    pending, total, mass = np.array([first]), np.array([0]), np.array([1.0])
    rolls = 0
    while mass.size and mass.sum() > TAIL and rolls < MOST_STEPS:
        ways = walk.outcomes(pending)
        if work is not None:
            work.take(ways)
        needed = BYTES_AN_OUTCOME * (ways + len(walk.ended))
        check_fits("following all totals", needed, follow.max_bytes, cure="there is no distribution of so many of them")
        pending, total, mass = walk.roll(pending, total, mass)
        rolls += 1
        if progress:
            progress("rolls followed", rolls, None)
    return _listed(walk.what, walk.ended, float(mass.sum()))


def _listed(what: str, ended: dict[int, float], rest: float) -> Distribution:
    """Make the distribution of totals with their chances, consecutive ones unless they lie far apart."""
    low, high = min(ended), max(ended)
    if high - low < WIDEST:
        return Distribution(what, low, np.array([ended.get(number, 0.0) for number in range(low, high + 1)]), rest)
    numbers = sorted(ended)
    return Distribution(
        what, low, np.array([ended[number] for number in numbers]), rest, numbers=np.array(numbers, dtype=np.int64)
    )


class _Moves(NamedTuple):
    """What is done in some states: how many ways there are in each, where they lead, their chances and points, way by way."""

    length: Ints
    target: Ints
    share: Floats
    gain: Ints


class _Walk(ABC):
    """Mass on its way through a graph; how states are moved on from is the strategy's."""

    def __init__(self, explored: Explored) -> None:
        self.graph = explored.graph
        self.counts_rolls = explored.objective.counts == "costs"
        self.what = view_of(explored.game).cost_word if self.counts_rolls else "points"
        self.ended: dict[int, float] = {}

    @abstractmethod
    def moves(self, state: Ints) -> _Moves:
        """Say what is done in states that are not over."""

    @abstractmethod
    def payoff(self, state: Ints) -> Ints:
        """Say how many points some ends add."""

    def outcomes(self, pending: Ints) -> int:
        """Count what rolling once gives."""
        return int((self.graph.outcome_start[pending + 1] - self.graph.outcome_start[pending]).sum(dtype=np.int64))

    def roll(self, pending: Ints, total: Ints, mass: Floats) -> tuple[Ints, Ints, Floats]:
        """Roll once: end what ends, and give (pending, total, mass) of the rest."""
        graph = self.graph
        if self.counts_rolls:
            total = _plus(total, graph.pending_cost[pending])
        flat, begin = gather(graph.outcome_start, pending)
        length = np.diff(begin, append=len(flat))
        state, weight = graph.outcome_state[flat], graph.outcome_weight[flat].astype(np.float64)
        share = weight / np.repeat(np.add.reduceat(weight, begin), length)
        mass, total = np.repeat(mass, length) * share, np.repeat(total, length)
        over = graph.action_start[state] == graph.action_start[state + 1]
        payoff = np.zeros(1, dtype=np.int64) if self.counts_rolls else self.payoff(state[over])
        for number, chance in _add_up(_plus(total[over], payoff), mass[over]):
            self.ended[number] = self.ended.get(number, 0.0) + chance
        state, total, mass = state[~over], total[~over], mass[~over]
        made = self.moves(state)
        mass, total = np.repeat(mass, made.length) * made.share, _plus(np.repeat(total, made.length), made.gain)
        return _merge(made.target, total, mass)


class _Asked(_Walk):
    """Any strategy: every state is asked for it, and for its points."""

    def __init__(self, explored: Explored, policy: Policy, progress: Progress | None) -> None:
        super().__init__(explored)
        game: Any = explored.game
        rows: list[list[tuple[int, float, int]]] = []
        self.points = np.zeros(self.graph.n_states, dtype=np.int64)
        for number, state in enumerate(explored.states):
            if progress and number % TICK == 0:
                progress("moves read", number, len(explored.states))
            rows.append(self._options(game, policy, number, state))
            if not rows[-1] and not self.counts_rolls:
                self.points[number] = _points(game, "payoff", state)
        self.start = np.cumsum([0, *map(len, rows)])
        flat = [option for row in rows for option in row]
        self.target = np.array([p for p, _, _ in flat], dtype=np.int64)
        self.share = np.array([share for _, share, _ in flat])
        self.gain = np.array([gain for _, _, gain in flat], dtype=np.int64)
        options = np.maximum(np.diff(self.start), 1)[self.graph.outcome_state]
        self.ways = np.add.reduceat(options, self.graph.outcome_start[:-1])

    def _options(self, game: Any, policy: Policy, number: int, state: Any) -> list[tuple[int, float, int]]:
        """What is done in a state: (pending, chance, points)."""
        actions = list(game.actions(state))
        if not actions:
            return []
        chosen = chosen_actions(game, policy, state, actions)
        first, total = int(self.graph.action_start[number]), sum(weight for _, weight in chosen)
        return [
            (
                int(self.graph.action_pending[first + place]),
                weight / total,
                0 if self.counts_rolls else _points(game, "gain", state, actions[place]),
            )
            for place, weight in chosen
        ]

    def outcomes(self, pending: Ints) -> int:
        """Count what rolling once gives, and what is done after it."""
        return int(self.ways[pending].sum())

    def moves(self, state: Ints) -> _Moves:
        flat, begin = gather(self.start, state)
        return _Moves(np.diff(begin, append=len(flat)), self.target[flat], self.share[flat], self.gain[flat])

    def payoff(self, state: Ints) -> Ints:
        return self.points[state]


class _Chosen(_Walk):
    """The strategy of the arrays themselves. Points that are not in them are asked for where they are met, once each."""

    def __init__(self, explored: Explored, choice: Ints) -> None:
        super().__init__(explored)
        self.explored, self.choice = explored, choice
        self.known = follows_arrays(explored)
        self.found: dict[int, int] = {}

    def moves(self, state: Ints) -> _Moves:
        place = self.choice[state]
        if (place < 0).any():
            raise self.stuck(int(state[place < 0][0]))
        chosen = self.graph.action_start[state] + place
        gain = self.graph.action_gain[chosen] if self.known else self._asked(state, self._gain)
        return _Moves(np.ones(len(state), dtype=np.int64), self.graph.action_pending[chosen], np.ones(len(state)), gain)

    def stuck(self, number: int) -> PositionError:
        """Say that there is nothing to follow in a state."""
        where = self.explored.game.show_state(self.explored.states[number])
        return PositionError(f"state {where} has no best action: no strategy surely ends the game from there")

    def payoff(self, state: Ints) -> Ints:
        return self.graph.state_payoff[state] if self.known else self._asked(state, self._payoff)

    def _asked(self, state: Ints, ask: Callable[[int], int]) -> Ints:
        numbers, place = np.unique(state, return_inverse=True)
        new = [number for number in numbers.tolist() if number not in self.found]
        self.found.update(zip(new, self._coded(new) or map(ask, new), strict=True))
        found: Ints = np.array([self.found[number] for number in numbers.tolist()], dtype=np.int64)[place]
        return found

    def _coded(self, numbers: list[int]) -> list[int]:
        """What a column game says of many states at once: what is gained, or paid at an end; nothing for other games."""
        states, game = self.explored.states, unlifted(self.explored.game)
        if not numbers or not isinstance(states, CodedPositions):
            return []
        rules, codes = states.rules, states.codes[np.array(numbers)].astype(np.int64)
        if getattr(rules, "inner", None) is not None:
            rules, codes = rules.inner, codes // rules.width
        if getattr(rules, "game", None) is not game:
            return []
        found = rules.offered(codes)
        count = np.diff(found.start)
        gains = np.concatenate([found.gain, [0]])[np.minimum(found.start[:-1] + self.choice[np.array(numbers)], len(found.gain))]
        points: list[int] = np.where(count > 0, gains, found.payoff).tolist()
        return points

    def _gain(self, number: int) -> int:
        game, state = self.explored.game, self.explored.states[number]
        return _points(game, "gain", state, game.actions(state)[int(self.choice[number])])

    def _payoff(self, number: int) -> int:
        return _points(self.explored.game, "payoff", self.explored.states[number])


def _plus(total: Ints, points: Ints) -> Ints:
    """Add points to totals; those beyond 64 bits go on as Python's integers."""
    if np.abs(total.astype(np.float64) + points).max(initial=0.0) < LARGEST:
        return total + points
    return total.astype(object) + points.astype(object)  # type: ignore[no-any-return]


def _add_up(numbers: Ints, mass: Floats) -> list[tuple[int, float]]:
    found, place = np.unique(numbers, return_inverse=True)
    return list(zip(found.tolist(), np.bincount(place, mass).tolist(), strict=True)) if len(found) else []


def _merge(pending: Ints, total: Ints, mass: Floats) -> tuple[Ints, Ints, Floats]:
    """Put together what is at the same roll with the same total."""
    if not len(mass):
        return pending, total, mass
    points, number = np.unique(total, return_inverse=True) if (total != total[0]).any() else (total[:1], 0)
    width = len(points)
    at = pending.astype(np.int64) * width + number
    if (int(pending.max()) + 1) * width <= DENSE * len(at):
        added: Floats = np.bincount(at, mass).astype(np.float64)
        key = np.flatnonzero(added)
        return key // width, points[key % width], added[key]
    key, place = np.unique(at, return_inverse=True)
    return key // width, points[key % width], np.bincount(place, mass).astype(np.float64)


def _points(game: Any, method: str, state: Any, *action: Any) -> int:
    """Points of the original game, also where it was lifted."""
    return int(getattr(unlifted(game), method)(unlift(game, state), *action))
