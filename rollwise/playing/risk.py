"""The risk dial of a game: what a player gets and gives up, from the safest plan to the hunt for a record.

Each plan is followed to the end, so all figures are those of its exact distribution. Positions of the first rolls are compared,
at most `POSITIONS` of them; how often they come up is how often the plan for the mean reaches them.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from rollwise.errors import GameError
from rollwise.model.game import Progress
from rollwise.model.risk import Quantile, RiskObjective, Worst
from rollwise.playing.distribution import distribution, win_chance
from rollwise.solvers.base.abilities import AnswersTargets, ability
from rollwise.solvers.base.distribution import Distribution
from rollwise.solvers.base.solution import Solution

__all__ = ["DIAL", "Change", "RiskDial", "RiskPlan", "RiskPrice", "risk_dial", "risk_price"]

DIAL: tuple[RiskObjective, ...] = (
    *(Worst(Fraction(percent, 100)) for percent in (5, 10, 25, 50, 100)),
    *(Quantile(Fraction(percent, 100)) for percent in (75, 90)),
)
"""From careful to bold; the worst 100 % is the mean, and a quantile of 90 % a total that is reached in one game of ten."""
MEAN = 4
TENTH = 0.1
POSITIONS = 1_000
"""Positions whose best moves are compared; beyond them the next roll is left out."""


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


@dataclass(frozen=True)
class Change:
    """A position, how often it comes up, and its best moves along the dial: each with the plans that make it."""

    state: Any
    text: str
    frequency: float
    moves: tuple[tuple[str, tuple[str, ...]], ...]


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
    solutions: list[Solution] = []
    for aim in DIAL:
        known = (ability(one, AnswersTargets).for_objective(aim) for one in solutions[-1:])
        solutions.append(next(known, None) or solve(aim))
    plans = [RiskPlan.of(solution, _followed(solution, progress)) for solution in solutions]
    return RiskDial(tuple(plans), tuple(_changes(solutions)))


def _followed(solution: Solution, progress: Progress | None) -> Distribution | None:
    try:
        return distribution(solution, progress=progress)
    except GameError:
        return None


def _changes(solutions: Sequence[Solution]) -> list[Change]:
    found = []
    names = [str(solution.objective).partition(",")[0] for solution in solutions]
    for state, frequency in _positions(solutions[MEAN]).items():
        moves = [solution.best(state) for solution in solutions]
        if len(set(moves)) == 1:
            continue
        game = solutions[MEAN].game
        runs = [
            (move, [name for _, name in run]) for move, run in groupby(zip(moves, names, strict=True), key=lambda one: one[0])
        ]
        shown = tuple((game.show_action(move), tuple(run)) for move, run in runs)
        found.append(Change(state, game.show_state(state), frequency, shown))
    return sorted(found, key=lambda change: -change.frequency)


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
