"""The exact distribution of the final score, or of the number of rolls, under the optimal or any other strategy.

A forward pass: probability mass starts at the first roll and follows the strategy until all of it has ended. Score sheets are
followed on their compact form, words and groups roll by roll on theirs, any other game on its graph. Where a game may go on
for ever the pass stops when less than 1e-12 is left; `rest` says how much.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError
from rollwise.forms.base.solution import GraphSolution, Solution, wants_solution
from rollwise.forms.graph.explore import LARGEST, MAX_STATES, Explored
from rollwise.forms.graph.levels import gather
from rollwise.forms.partitions.solution import PartitionSolution
from rollwise.forms.rerolls.solution import FEWER_DICE, RerollSolution
from rollwise.forms.sheets.expected import SheetSolution
from rollwise.forms.sheets.follow import Standings, spread_sheet, spreads_sheet
from rollwise.forms.sheets.reading import check_fits
from rollwise.forms.sheets.targets import PointsSolution, totals_are_dense
from rollwise.model.faults import blaming
from rollwise.model.game import Progress
from rollwise.model.lift import LiftedGame
from rollwise.model.objective import AtLeast, Duel, Expected, Fewest, Winning
from rollwise.model.policy import Greedy, Optimal, Policy, Random, chosen_actions, wants_policy
from rollwise.solving.general import explore_rules, unread

__all__ = ["Spread", "outlooks", "spread", "win_chance"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

TAIL = 1e-12
MOST_STEPS = 1_000_000
MOST_STANDINGS = 2_000_000
"""Standings that are followed one by one: half a minute."""
WIDEST = 100_000
"""Totals further apart than this are kept as a list of those that occur."""
MOST_POSITIONS = 50_000
"""Positions of a score sheet whose totals are followed as a list: a few seconds."""
TICK = 256
BYTES_AN_OUTCOME = 120
"""What following takes for every outcome of a roll, about: its place, state, total and chance, and copies of them."""
TOGETHER = 20_000
"""Turn starts, counted once for each roll, that are followed in one pass: more would take much memory."""


@dataclass(frozen=True, eq=False, repr=False)
class Spread:
    """A distribution over whole numbers: `chance[i]` is that of `values[i]`, which is `lowest + i` unless `numbers` lists others.

    `what` names the numbers: "points", or what the game's `cost` counts (`Game.cost_word`: "rolls"). `rest` is the chance not
    followed to the end. On a score sheet `box_points` gives the chance of the points in every box, and `bonus` that of the upper
    bonus. `numbers`, in rising order from `lowest` on, is there where totals lie far apart.

    >>> coin = Spread("points", 0, np.array([0.5, 0.0, 0.5]))
    >>> coin.mean, coin.deviation, coin.quantile(0.5), coin.at_least(1)
    (1.0, 1.0, 0, 0.5)
    >>> Spread("points", 0, np.array([0.5, 0.5]), numbers=np.array([0, 10**12])).at_least(1)
    0.5
    """

    what: str
    lowest: int
    chance: Floats
    rest: float = 0.0
    box_points: dict[str, dict[int, float]] = field(default_factory=dict)
    bonus: float | None = None
    numbers: Ints | None = None

    def __repr__(self) -> str:
        return f"<Spread of {self.what}: mean {self.mean:.6g}, from {self.quantile(0)} to {self.quantile(1)}>"

    @property
    def values(self) -> Ints:
        """The numbers that `chance` belongs to."""
        return np.arange(self.lowest, self.lowest + len(self.chance)) if self.numbers is None else self.numbers

    @property
    def highest(self) -> int:
        """The largest number."""
        return int(self.numbers[-1]) if self.numbers is not None else self.lowest + len(self.chance) - 1

    @property
    def mean(self) -> float:
        """The expected number."""
        return float(self.values @ self.chance)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return float(np.sqrt(max(0.0, float((self.values - self.mean) ** 2 @ self.chance))))

    def quantile(self, share: float) -> int:
        """Give the least number that is not exceeded with a chance of at least `share`."""
        if not 0 <= share <= 1:
            raise GameError(f"quantile {share}: expected a number from 0 to 1")
        place = int(np.searchsorted(np.cumsum(self.chance), share * (1 - 1e-12)))
        return int(self.values[min(place, len(self.chance) - 1)])

    def at_least(self, number: int) -> float:
        """Give the chance of at least `number`."""
        return float(self.chance[self._place(number) :].sum())

    def between(self, low: int, high: int) -> float:
        """Give the chance of at least `low` and less than `high`."""
        return float(self.chance[self._place(low) : self._place(high)].sum())

    def _place(self, number: int) -> int:
        """Where the numbers of at least `number` begin."""
        number = min(max(number, self.lowest), self.highest + 1)
        return number - self.lowest if self.numbers is None else int(np.searchsorted(self.numbers, number))

    def moved(self, points: int) -> "Spread":
        """Give the distribution of so much more."""
        numbers = None if self.numbers is None else self.numbers + points
        return replace(self, lowest=self.lowest + points, numbers=numbers)


def win_chance(found: Spread, objective: Winning) -> float:
    """Give the chance that a total with this distribution wins.

    >>> from rollwise import Against
    >>> win_chance(Spread("points", 0, np.array([0.5, 0.0, 0.5])), Against({0: 1, 1: 1}))
    0.625
    """
    if isinstance(objective, AtLeast):
        return found.at_least(objective.target)
    won = [float(objective.chance(total)) for total in found.values.tolist()]
    return float(np.array(won) @ found.chance)


def spread(
    solution: Solution,
    policy: Policy | None = None,
    *,
    pending: Any = None,
    max_bytes: int | None = None,
    progress: Progress | None = None,
) -> Spread:
    """Give the distribution of the total (or of the cost, under `Fewest`) when `policy` is played; default: the optimal one.

    It counts what is still to come from `pending`, a roll of the game; default: the first one. `max_bytes` bounds the memory that
    following takes; default: most of this machine's.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> final = spread(rollwise.solve(load("slots")))
    >>> round(final.at_least(45) * 46656), final.quantile(0.5)
    (13817, 40)

    Raises `GameError` for a game too large to follow, or a policy that plays something that is not an action.
    """
    wants_solution(solution, "spread")
    if policy is not None:
        wants_policy(policy, "spread")
    limits = Limits(max_bytes, progress)
    own = policy is None or (isinstance(policy, Optimal) and policy.solution is solution)
    if isinstance(solution.objective, Duel):
        raise GameError("a duel is won, tied or lost: use split_duel")
    if pending is None:
        pending = solution.game.start()
    elif not own:
        raise GameError("a strategy other than the optimal one can be followed from the start only: leave pending out")
    if (
        isinstance(solution, SheetSolution)
        and not solution.exact
        and not _few_and_far(solution)
        and (own or _simple(solution.sheet, policy))
    ):
        return _sheet(solution, policy, own, pending, limits)
    if isinstance(solution, PointsSolution) and (own or _simple(solution.sheet, policy)):
        return _points_sheet(solution, policy, pending, limits)
    if isinstance(solution, RerollSolution) and own:
        check_fits("following the dice", solution.follow_bytes, max_bytes, cure=FEWER_DICE)
        return _rolls(solution.follow(pending, progress), solution.game.cost_word, progress)
    if isinstance(solution, PartitionSolution) and own:
        check_fits("following the groups", solution.follow_bytes, max_bytes, cure="use fewer or smaller groups")
        return _rolls(solution.follow(pending), solution.game.cost_word, progress)
    with blaming(solution.game):
        return _spread_graph(solution, policy, pending, limits)


def outlooks(solution: Solution, pendings: list[Any], progress: Progress | None = None) -> list[Spread]:
    """Give the distributions of what is still to come from some pending rolls under the optimal strategy.

    They are those of `spread`, without what it says about boxes. A small sheet is followed from several in one pass.
    """
    if not isinstance(solution, SheetSolution) or solution.exact or not totals_are_dense(solution.game) or not pendings:
        return [replace(spread(solution, pending=pending, progress=progress), box_points={}, bonus=None) for pending in pendings]
    found: list[Spread] = []
    step = max(1, TOGETHER // solution.form.n_outer)
    for part in (pendings[first : first + step] for first in range(0, len(pendings), step)):
        begins = [solution.begins_after(pending) for pending in part]
        lowest, chances = spreads_sheet(solution.game, np.asarray(solution.table), begins, progress=progress)
        found += [_trim(Spread("points", lowest, chance)) for chance in chances]
    return found


class Limits(NamedTuple):
    """How much memory following may take (None: most of what is here), and whom to tell how far it is."""

    max_bytes: int | None
    progress: Progress | None


def _simple(sheet: Any, policy: Policy | None) -> bool:
    """Say whether a strategy is one that the compact form of a sheet follows without a solution."""
    return isinstance(policy, Greedy | Random) and unread(sheet, Expected(), policy) is None


def _few_and_far(solution: SheetSolution) -> bool:
    """Say whether a sheet's totals lie so far apart that its positions, if they are few, are better followed one by one."""
    positions = solution.states * solution.form.lattice.n_hands * (solution.form.rerolls + 1)
    return positions <= MOST_POSITIONS and not totals_are_dense(solution.game)


def _sheet(solution: SheetSolution, policy: Policy | None, own: bool, pending: Any, limits: Limits) -> Spread:
    solution.value(pending, kind="pending")
    begin = solution.begins_after(pending)
    guide = np.asarray(solution.table) if own else None
    found = spread_sheet(solution.game, guide, random=isinstance(policy, Random), begin=begin, **limits._asdict())
    return _trim(Spread("points", found.lowest, found.chance, box_points=found.box_points, bonus=found.bonus))


def _points_sheet(solution: PointsSolution, policy: Policy | None, pending: Any, limits: Limits) -> Spread:
    """Follow a strategy on a sheet that is played for a win; simple ones do not see the standing."""
    solution.value(pending, kind="pending")
    simple = isinstance(policy, Greedy | Random)
    if not simple and solution.pendings > MOST_STANDINGS:
        raise GameError(
            f"the spread of a sheet played {solution.objective} follows {solution.pendings:,} standings, more than the "
            f"{MOST_STANDINGS:,} that take seconds: use fewer boxes"
        )
    guide = None if simple else _standings(solution, pending)
    begin = None if simple else solution.begins_after(pending)
    found = spread_sheet(solution.sheet, guide, random=isinstance(policy, Random), begin=begin, **limits._asdict())
    return _trim(Spread("points", found.lowest, found.chance, box_points=found.box_points, bonus=found.bonus))


def _standings(solution: PointsSolution, pending: Any) -> Standings:
    return Standings(solution.rows, np.asarray(solution.chance), solution.standing(pending.points))


def _trim(found: Spread) -> Spread:
    """Cut chances of zero off both ends."""
    live = np.flatnonzero(found.chance)
    low, high = (int(live[0]), int(live[-1]) + 1) if live.size else (0, 1)
    return Spread(found.what, found.lowest + low, found.chance[low:high], found.rest, found.box_points, found.bonus)


def _rolls(step: Callable[[], float], what: str, progress: Progress | None) -> Spread:
    """Count rolls until (nearly) all mass has ended; `step` plays one roll and returns the mass that ends with it."""
    chance = [0.0]
    left = 1.0
    while left > TAIL:
        chance.append(step())
        left -= chance[-1]
        if len(chance) > MOST_STEPS:
            break
        if progress:
            progress("rolls followed", len(chance) - 1, None)
    return _trim(Spread(what, 0, np.array(chance), max(0.0, left)))


def _spread_graph(solution: Solution, policy: Policy | None, first: Any, limits: Limits) -> Spread:
    """Follow a strategy on the explored graph: mass by (pending, total), one roll at a time."""
    solution.value(first, kind="pending")
    progress = limits.progress
    walk = _Walk(solution, policy or Optimal(solution), progress)
    pending, total, mass = np.array([walk.number[first]]), np.array([0]), np.array([1.0])
    rolls = 0
    while mass.size and mass.sum() > TAIL and rolls < MOST_STEPS:
        needed = BYTES_AN_OUTCOME * (walk.outcomes(pending) + len(walk.ended))
        check_fits("following all totals", needed, limits.max_bytes, cure="there is no distribution of so many of them")
        pending, total, mass = walk.roll(pending, total, mass)
        rolls += 1
        if progress:
            progress("rolls followed", rolls, None)
    return _listed(solution.game.cost_word if walk.counts_rolls else "points", walk.ended, float(mass.sum()))


def _listed(what: str, ended: dict[int, float], rest: float) -> Spread:
    """Make the distribution of totals with their chances, consecutive ones unless they lie far apart."""
    low, high = min(ended), max(ended)
    if high - low < WIDEST:
        return Spread(what, low, np.array([ended.get(number, 0.0) for number in range(low, high + 1)]), rest)
    numbers = sorted(ended)
    return Spread(what, low, np.array([ended[number] for number in numbers]), rest, numbers=np.array(numbers, dtype=np.int64))


class _Walk:
    """The graph of a game with the points and the strategy of every state as arrays."""

    def __init__(self, solution: Solution, policy: Policy, progress: Progress | None) -> None:
        explored = _explored(solution, policy, progress)
        self.graph = explored.graph
        self.number = explored.pending_index
        self.counts_rolls = isinstance(solution.objective, Fewest)
        self.ended: dict[int, float] = {}
        game: Any = explored.game
        rows: list[list[tuple[int, float, int]]] = []
        self.payoff = np.zeros(self.graph.n_states, dtype=np.int64)
        for number, state in enumerate(explored.states):
            if progress and number % TICK == 0:
                progress("moves read", number, len(explored.states))
            rows.append(self._options(game, policy, number, state))
            if not rows[-1] and not self.counts_rolls:
                self.payoff[number] = _points(game, "payoff", state)
        self.start = np.cumsum([0, *map(len, rows)])
        flat = [option for row in rows for option in row]
        self.target = np.array([p for p, _, _ in flat], dtype=np.int64)
        self.share = np.array([share for _, share, _ in flat])
        self.gain = np.array([gain for _, _, gain in flat], dtype=np.int64)
        options = np.maximum(np.diff(self.start), 1)[self.graph.outcome_state]
        self.ways = np.add.reduceat(options, self.graph.outcome_start[:-1])
        weight = self.graph.outcome_weight.astype(np.float64)
        self.outcome_share = weight / np.repeat(
            np.add.reduceat(weight, self.graph.outcome_start[:-1]), np.diff(self.graph.outcome_start)
        )

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

    def roll(self, pending: Ints, total: Ints, mass: Floats) -> tuple[Ints, Ints, Floats]:
        """Roll once: end what ends, and give (pending, total, mass) of the rest."""
        if self.counts_rolls:
            total = _plus(total, self.graph.pending_cost[pending])
        flat, begin = gather(self.graph.outcome_start, pending)
        length = np.diff(begin, append=len(flat))
        state = self.graph.outcome_state[flat]
        mass, total = np.repeat(mass, length) * self.outcome_share[flat], np.repeat(total, length)
        over = self.start[state] == self.start[state + 1]
        for number, chance in _add_up(_plus(total[over], self.payoff[state[over]]), mass[over]):
            self.ended[number] = self.ended.get(number, 0.0) + chance
        state, total, mass = state[~over], total[~over], mass[~over]
        flat, begin = gather(self.start, state)
        length = np.diff(begin, append=len(flat))
        mass, total = np.repeat(mass, length) * self.share[flat], _plus(np.repeat(total, length), self.gain[flat])
        return _merge(self.target[flat], total, mass)


def _plus(total: Ints, points: Ints) -> Ints:
    """Add points to totals; those beyond 64 bits go on as Python's integers."""
    if np.abs(total.astype(np.float64) + points).max(initial=0.0) < LARGEST:
        return total + points
    return total.astype(object) + points.astype(object)  # type: ignore[no-any-return]


def _add_up(numbers: Ints, mass: Floats) -> list[tuple[int, float]]:
    found, place = np.unique(numbers, return_inverse=True)
    return list(zip(found.tolist(), np.bincount(place, mass).tolist(), strict=True)) if len(found) else []


def _merge(pending: Ints, total: Ints, mass: Floats) -> tuple[Ints, Ints, Floats]:
    if not len(mass):
        return pending, total, mass
    points, number = np.unique(total, return_inverse=True)
    width = len(points)
    key, place = np.unique(pending * width + number, return_inverse=True)
    added: Floats = np.bincount(place, mass).astype(np.float64)
    return key // width, points[key % width], added


def _explored(solution: Solution, policy: Policy, progress: Progress | None) -> Explored:
    if isinstance(solution, GraphSolution):
        return solution.explored
    return explore_rules(solution.game, solution.objective, max_states=MAX_STATES, progress=progress, policy=policy)


def _points(game: Any, method: str, state: Any, *action: Any) -> int:
    """Points of the original game, also where it was lifted."""
    if isinstance(game, LiftedGame):
        return int(getattr(game.game, method)(state.position, *action))
    return int(getattr(game, method)(state, *action))
