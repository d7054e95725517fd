"""The risk dial of a game: what a player gets and gives up, from the safest plan to the hunt for a record.

Each plan is followed to the end, so all figures are those of its exact distribution. Of a score sheet, the positions that the
plan for the mean reaches most often are compared (`Follows.often`), of other games those of the first rolls, at most `POSITIONS`.

Where one solution answers every share of games, a change of moves between two plans is narrowed down to the share from which it
holds. For the worst share a, the plan with target t is worth t + S(t) / a: a line in 1 / a. The best of two lines changes where
they meet; a plan that is better there lies between them, and is compared with both in turn.
"""

import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from rollwise.errors import GameError
from rollwise.model.game import Progress
from rollwise.model.risk import Quantile, RiskObjective, Worst, show_share
from rollwise.playing.distribution import distribution, win_chance
from rollwise.solvers.base.abilities import AnswersTargets, Follows, ability
from rollwise.solvers.base.distribution import Distribution, Follow
from rollwise.solvers.base.solution import Solution

__all__ = ["DIAL", "Change", "Move", "RiskDial", "RiskPlan", "RiskPrice", "risk_dial", "risk_price"]

DIAL: tuple[RiskObjective, ...] = (
    *(Worst(Fraction(percent, 100)) for percent in (5, 10, 25, 50, 100)),
    *(Quantile(Fraction(percent, 100)) for percent in (75, 90)),
)
"""From careful to bold; the worst 100 % is the mean, and a quantile of 90 % a total that is reached in one game of ten."""
TENTH = 0.1
POSITIONS = 1_000
"""Positions whose best moves are compared in a game by its rules; beyond them the next roll is left out."""
FINEST = 10_000
"""The denominator to which shares are rounded."""


@dataclass(frozen=True)
class RiskPlan:
    """A plan on the dial: the objective with its target, its value, and what its totals are like (None: too large to follow)."""

    objective: RiskObjective
    value: float
    mean: float | None = None
    deviation: float | None = None
    worst_tenth: float | None = None
    median: int | None = None

    @classmethod
    def of(cls, solution: Solution, found: Distribution | None) -> "RiskPlan":
        """Describe a plan, with the distribution of its total where that is known."""
        objective: Any = solution.objective
        value = float(solution.value())
        if found is None:
            return cls(objective, value)
        tenth = found.worst_mean(TENTH, few=objective.few)
        return cls(objective, value, found.mean, found.standard_deviation, tenth, found.quantile(0.5))


class Move(NamedTuple):
    """A move, the plans that make it, one after another on the dial, and the share of games from which it is best."""

    action: str
    plans: tuple[str, ...]
    start: str


@dataclass(frozen=True)
class Change:
    """A position, how often it comes up in play for the mean, and its best moves from careful to bold."""

    state: Any
    text: str
    frequency: float
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class RiskDial:
    """Plans from careful to bold, and the positions in which they make different moves, most frequent first."""

    plans: tuple[RiskPlan, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class RiskPrice:
    """A plan beside the one with the best mean; `most_value` is the value of the plan's objective under the latter."""

    plan: RiskPlan
    most: RiskPlan
    most_value: float


def risk_price(solution: Solution, most: Solution, follow: Callable[[Solution], Distribution] = distribution) -> RiskPrice:
    """Compare a plan with the strategy that has the best mean; `follow` gives the distribution of the total of either.

    >>> import rollwise
    >>> price = risk_price(rollwise.solve("slots", "worst 10%"), rollwise.solve("slots", "expected"))
    >>> round(price.plan.mean - price.most.mean, 2), round(price.plan.value - price.most_value, 2)
    (-0.5, 0.74)

    A plan that is too large to follow has its value only. Raises `GameError` for an objective without a place on the dial, and
    where the other strategy is too large to follow.
    """
    objective = solution.objective
    if solution.two_players:
        raise GameError("the risk dial is about the total of one player, and this game is for two")
    if not isinstance(objective, RiskObjective):
        raise GameError(f"'{objective}' is no plan of the risk dial: expected an objective such as 'worst 10%'")
    found, other = None, follow(most)
    with suppress(GameError):
        found = follow(solution)
    value = win_chance(other, objective)
    if isinstance(objective, Worst):
        value = other.worst_mean(float(objective.share), few=objective.few)
    return RiskPrice(RiskPlan.of(solution, found), RiskPlan.of(most, other), value)


def risk_dial(solve: Callable[[RiskObjective], Solution], progress: Progress | None = None) -> RiskDial:
    """Compare the plans along the dial; `solve` solves a game for an objective.

    >>> import rollwise
    >>> dial = risk_dial(lambda aim: rollwise.solve("slots", aim))
    >>> [round(plan.mean, 2) for plan in dial.plans][:2], dial.plans[1].objective.target
    ([39.81, 39.89], 33)

    Raises `GameError` for a game without totals of one player.
    """
    plans: list[RiskPlan] = []
    compared: _Compared | None = None
    for _, aims in groupby(DIAL, key=type):  # one kind after another, as large sheets fill the memory
        solutions: list[Solution] = []
        gc.collect()  # a solution is part of a cycle of references, as it caches turns
        for aim in aims:
            solutions.append((_at(solutions[0], aim) if solutions else None) or solve(aim))
            plans.append(RiskPlan.of(solutions[-1], _followed(solutions[-1], progress)))
        compared = compared or _Compared(solutions[-1], progress)
        compared.add(solutions)
    return RiskDial(tuple(plans), tuple(compared.changes()) if compared else ())


def _at(solution: Solution, aim: Any) -> Solution | None:
    """Give the plan for another share of games without solving anything; None: it must be solved."""
    return ability(solution, AnswersTargets).for_objective(aim)


def _followed(solution: Solution, progress: Progress | None) -> Distribution | None:
    try:
        return distribution(solution, progress=progress)
    except GameError:
        return None


class _Compared:
    """The best moves along the dial in the positions that a plan, the one for the mean, reaches."""

    def __init__(self, mean: Solution, progress: Progress | None) -> None:
        self.game, self.progress = mean.game, progress
        often = ability(mean, Follows).often(Follow(progress=progress))
        found = _positions(mean) if often is None else often
        self.frequency = {state: chance for state, chance in found.items() if len(self.game.actions(state)) > 1}
        self.moves: dict[Any, list[tuple[Any, str, str]]] = {state: [] for state in self.frequency}

    def add(self, solutions: Sequence[Solution]) -> None:
        """Add the moves of the next plans on the dial, all of one kind."""
        between = [_between(one, other) for one, other in pairwise(solutions)]
        names = [_name(solution.objective) for solution in solutions]
        for done, (state, moves) in enumerate(self.moves.items()):
            best = [solution.best(state) for solution in solutions]
            for place, (move, name) in enumerate(zip(best, names, strict=True)):
                new = place > 0 and move != best[place - 1]
                moves.append((move, name, (_first(between[place - 1], move, state) if new else "") or name))
            if self.progress:
                self.progress("comparing", done + 1, len(self.moves))

    def changes(self) -> list[Change]:
        """List the positions with several best moves, most frequent first."""
        found = []
        for state, moves in self.moves.items():
            runs = [list(run) for _, run in groupby(moves, key=lambda one: one[0])]
            if len(runs) > 1:
                shown = (Move(self.game.show_action(run[0][0]), tuple(name for _, name, _ in run), run[0][2]) for run in runs)
                found.append(Change(state, self.game.show_state(state), self.frequency[state], tuple(shown)))
        return sorted(found, key=lambda change: -change.frequency)


def _name(aim: Any) -> str:
    return str(aim).partition(",")[0]


def _near(aim: Worst | Quantile) -> str:
    """Name an objective by its share to a tenth of a per cent."""
    return f"{aim.name} {show_share(Fraction(round(1000 * aim.share), 1000))}"


Stops = list[tuple[str, Solution]]
"""Plans, each with the share of games from which it is the best."""


def _between(low: Solution, high: Solution) -> Stops:
    """List the plans between two on the dial and the second one; empty where they would have to be solved."""
    one, other = _aim(low), _aim(high)
    if one.target == other.target or _at(low, one) is None:
        return []
    return (_worst_between if isinstance(one, Worst) else _quantiles_between)(low, high)


def _worst_between(low: Solution, high: Solution) -> Stops:
    (target, short), (further, most) = _line(low), _line(high)
    if target == further:
        return []
    share = Fraction((short - most) / (further - target)).limit_denominator(FINEST)
    aim = Worst(min(max(share, _aim(low).share), _aim(high).share))
    middle = _at(low, aim)
    if middle is None or _aim(middle).target in (target, further):
        return [(_near(aim), high)]
    return _worst_between(low, middle) + _worst_between(middle, high)


def _line(plan: Solution) -> tuple[int, float]:
    """Give the target t of a plan for a worst share, and its S(t)."""
    return _aim(plan).target, (float(plan.value()) - _aim(plan).target) * float(_aim(plan).share)


def _quantiles_between(low: Solution, high: Solution) -> Stops:
    """Each target is the best one from the share of games on that miss it."""
    first, last, found = _aim(low), _aim(high), []
    for target in range(first.target + 1, last.target + 1):
        plan = _at(low, last.at(target))
        if plan is not None:
            share = Fraction(1 - float(plan.value())).limit_denominator(FINEST)
            found.append((_near(Quantile(min(max(share, first.share), last.share))), plan))
    return found


def _aim(plan: Solution) -> Any:
    return plan.objective


def _first(stops: Stops, move: Any, state: Any) -> str:
    """Say from which share of games on a move is best that is best at the last of some stops; "": nothing is known."""
    low, high = 0, len(stops) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if stops[middle][1].best(state) == move else (middle + 1, high)
    return stops[high][0] if stops else ""


def _positions(solution: Solution) -> Mapping[Any, float]:
    """Give positions with a choice, and how often they come up, roll by roll as long as they are few."""
    game, found = solution.game, dict[Any, float]()
    pendings = {game.start(): 1.0}
    while pendings:
        states: dict[Any, float] = {}
        for pending, chance in pendings.items():
            roll = game.roll(pending)
            whole = sum(roll.values())
            for state, weight in roll.items():
                states[state] = states.get(state, 0.0) + chance * weight / whole
        if len(found) + len(states) > POSITIONS:
            break
        pendings = {}
        for state, chance in states.items():
            actions = game.actions(state)
            if len(actions) > 1:
                found[state] = found.get(state, 0.0) + chance
            if actions:
                after = game.play(state, solution.best(state))
                pendings[after] = pendings.get(after, 0.0) + chance
    return found
