"""Follow a strategy through an explored graph: the distribution of what it ends with.

Probability mass goes forwards roll by roll; where a game may go on for ever that stops when less than 1e-12 is left. It is kept
by roll and total. Where there are no points on the way, and the choices are known in all states, the mass of all positions goes
at once (`flow`): one roll is a product with a sparse matrix.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.model.abilities import unlift, unlifted
from rollwise.model.objective import Objective
from rollwise.model.policy import Policy
from rollwise.model.roll import LARGEST
from rollwise.model.view import view_of
from rollwise.solvers.base.distribution import MOST_STEPS, TAIL, Distribution, Follow
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.arrays import Explored
from rollwise.solvers.graph.columns import CodedPositions
from rollwise.solvers.graph.flow import flow
from rollwise.solvers.graph.moves import Ask, ask_choices, ask_policy, choices_of

__all__ = ["choice_distribution", "decided_distribution", "follows_arrays", "graph_distribution"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

WIDEST = 100_000
"""Totals further apart than this are kept as a list of those that occur."""
DENSE = 8
"""Sums are made in one row of all places if it is at most this many times as long as what is added up."""
BYTES_A_SHARE, BYTES_A_MASS = 20, 40
"""What following all positions together takes for every outcome and every position: a matrix, and the mass before and after."""
BYTES_AN_OUTCOME = 120
"""What following takes for every outcome of a roll, about: its place, state, total and chance, and copies of them."""
CURE = "there is no distribution of so many of them"


def graph_distribution(explored: Explored, policy: Policy, first: Any, follow: Follow) -> Distribution:
    """Follow a strategy on the explored graph from a pending roll."""
    choice = choices_of(explored, policy, follow.progress)
    if choice is not None:
        return choice_distribution(explored, choice, first, follow)
    return _Walk(explored, ask_policy(explored, policy, follow.progress), follow).distribution(explored.pending_index[first])


def choice_distribution(explored: Explored, choice: Ints, first: Any, follow: Follow) -> Distribution:
    """Follow the chosen actions as `graph_distribution` follows a strategy.

    Only what is met is read; but where there are no points on the way, and nobody counts the work, all positions go at once.
    """
    walk, start = _Walk(explored, ask_choices(explored, choice), follow), explored.pending_index[first]
    if follow.work is None and not walk.counts_rolls and not _gains(explored):
        return _distribution_at_ends(walk, choice, start)
    return walk.distribution(start)


def decided_distribution(explored: Explored, value: float, objective: Objective) -> Distribution | None:
    """Give the distribution of a game of two players that pays one of two totals at its end: its value says how likely each is.

    So nothing is followed, which takes long where games are long. None: there are points on the way, or other than two totals, or
    one player, whose graph may contain whether a target was reached in place of the total. The strategy must surely end the
    game, as a solution proves of its own.
    """
    graph = explored.graph
    if objective.counts == "costs" or not graph.two_players or _gains(explored):
        return None
    paid = np.unique(np.asarray(graph.state_payoff)[np.diff(graph.action_start) == 0]).tolist()
    worth = [float(objective.worth(total)) for total in paid]
    if len(set(worth)) != 2 or len(paid) != 2:
        return None
    high = min(max((value - worth[0]) / (worth[1] - worth[0]), 0.0), 1.0)
    return _listed("points", {total: chance for total, chance in zip(paid, (1.0 - high, high), strict=True) if chance}, 0.0)


def follows_arrays(explored: Explored) -> bool:
    """Say whether the points along a game are all in its arrays, so that no position need be asked."""
    objective = explored.objective
    return objective.counts == "costs" or (objective.adds and unlifted(explored.game) is explored.game)


def _gains(explored: Explored) -> bool:
    """Say whether there may be points on the way: a lifted game keeps them elsewhere."""
    return unlifted(explored.game) is not explored.game or bool(np.asarray(explored.graph.action_gain).any())


def _distribution_at_ends(walk: "_Walk", choice: Ints, first: int) -> Distribution:
    """Follow the mass of all positions together: what games end with is what their ends pay."""
    graph, follow = walk.graph, walk.follow
    needed = BYTES_A_SHARE * len(graph.outcome_state) + BYTES_A_MASS * (graph.n_states + graph.n_pendings)
    check_fits("following all positions", needed, follow.max_bytes, cure=CURE)
    over = np.diff(graph.action_start) == 0
    ended, lost = np.zeros(graph.n_states), np.flatnonzero(~over & (np.asarray(choice) < 0))
    for rolls, (state, left) in enumerate(flow(graph, choice, first), 1):
        ended += np.where(over, state, 0.0)
        if lost.size and state[lost].any():
            walk.ask(lost[state[lost] > 0])  # raises an error: there is no choice
        if left <= TAIL or rolls == MOST_STEPS:
            break
        if follow.progress:
            follow.progress("rolls followed", rolls, None)
    met = np.flatnonzero(ended)
    return _listed(walk.what, dict(_add_up(walk.points(met), ended[met])), left)


def _listed(what: str, ended: dict[int, float], rest: float) -> Distribution:
    """Make the distribution of totals with their chances, consecutive ones unless they lie far apart."""
    low, high = min(ended), max(ended)
    if high - low < WIDEST:
        return Distribution(what, low, np.array([ended.get(number, 0.0) for number in range(low, high + 1)]), rest)
    numbers = sorted(ended)
    return Distribution(
        what, low, np.array([ended[number] for number in numbers]), rest, numbers=np.array(numbers, dtype=np.int64)
    )


class _Walk:
    """Mass on its way through a graph by a strategy. Points that are not in the arrays are computed where they are met."""

    def __init__(self, explored: Explored, ask: Ask, follow: Follow) -> None:
        self.explored, self.graph, self.ask, self.follow = explored, explored.graph, ask, follow
        self.counts_rolls = explored.objective.counts == "costs"
        self.what = view_of(explored.game).cost_word if self.counts_rolls else "points"
        self.ended: dict[int, float] = {}
        self.known = follows_arrays(explored)
        self.found: dict[int, int] = {}

    def distribution(self, first: int) -> Distribution:
        """Follow the strategy from a pending roll to the end."""
        pending, total, mass = np.array([first]), np.array([0]), np.array([1.0])
        rolls = 0
        while mass.size and mass.sum() > TAIL and rolls < MOST_STEPS:
            pending, total, mass = self._roll(pending, total, mass)
            rolls += 1
            if self.follow.progress:
                self.follow.progress("rolls followed", rolls, None)
        return _listed(self.what, self.ended, float(mass.sum()))

    def _roll(self, pending: Ints, total: Ints, mass: Floats) -> tuple[Ints, Ints, Floats]:
        """Roll once: end what ends, and give (pending, total, mass) of the rest."""
        graph = self.graph
        length = graph.outcome_start[pending + 1] - graph.outcome_start[pending]
        outcomes = int(length.sum(dtype=np.int64))
        if self.follow.work is not None:
            self.follow.work.take(outcomes)
        self._check_memory(outcomes)
        if self.counts_rolls:
            total = _plus(total, graph.pending_cost[pending])
        flat, begin = gather(graph.outcome_start, pending)
        state, weight = graph.outcome_state[flat], graph.outcome_weight[flat].astype(np.float64)
        share = weight / np.repeat(np.add.reduceat(weight, begin), length)
        mass, total = np.repeat(mass, length) * share, np.repeat(total, length)
        over = graph.action_start[state] == graph.action_start[state + 1]
        for number, chance in _add_up(_plus(total[over], self.points(state[over])), mass[over]):
            self.ended[number] = self.ended.get(number, 0.0) + chance
        return self._move(state[~over], total[~over], mass[~over])

    def _move(self, state: Ints, total: Ints, mass: Floats) -> tuple[Ints, Ints, Floats]:
        """Do what the strategy does in some states."""
        graph, taken = self.graph, self.ask(state)
        width, weight = taken.width, taken.weight
        if len(weight) > len(state):
            self._check_memory(len(weight))
            mass = np.repeat(mass, width) * (weight / np.repeat(np.add.reduceat(weight, np.cumsum(width) - width), width))
            state, total = np.repeat(state, width), np.repeat(total, width)
        target = graph.action_pending[graph.action_start[state] + taken.place]
        return _merge(target, _plus(total, self.points(state, taken.place)), mass)

    def _check_memory(self, ways: int) -> None:
        check_fits("following all totals", BYTES_AN_OUTCOME * (ways + len(self.ended)), self.follow.max_bytes, cure=CURE)

    def points(self, state: Ints, place: Ints | None = None) -> Ints:
        """Give the points of actions by their places in states; without places, of ends."""
        graph = self.graph
        action = -1 - state if place is None else graph.action_start[state] + place
        if self.known:
            return graph.state_payoff[state] if place is None else graph.action_gain[action]
        numbers, first, inverse = np.unique(action, return_index=True, return_inverse=True)
        new = first[[number not in self.found for number in numbers.tolist()]]
        self.found.update(zip(action[new].tolist(), self._asked(state[new], None if place is None else place[new]), strict=True))
        found: Ints = np.array([self.found[number] for number in numbers.tolist()], dtype=np.int64)[inverse]
        return found

    def _asked(self, state: Ints, place: Ints | None) -> list[int]:
        """What the rules say of the game itself, also where it was lifted; a column game is asked about all states at once."""
        game: Any = self.explored.game
        states, plain = self.explored.states, unlifted(game)
        if len(state) and isinstance(states, CodedPositions):
            rules, codes = states.rules, states.codes[state].astype(np.int64)
            if getattr(rules, "inner", None) is not None:
                rules, codes = rules.inner, codes // rules.width
            if getattr(rules, "game", None) is plain:
                offered = rules.offered(codes)
                points: Ints = offered.payoff if place is None else offered.gain[offered.start[:-1] + place]
                return points.tolist()  # type: ignore[no-any-return]
        met = [states[number] for number in state.tolist()]
        if place is None:
            return [int(plain.payoff(unlift(game, one))) for one in met]
        pairs = zip(met, place.tolist(), strict=True)
        return [int(plain.gain(unlift(game, one), game.actions(one)[at])) for one, at in pairs]


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
