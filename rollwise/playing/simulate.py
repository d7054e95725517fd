"""Play a game many times and compare the mean with the exact value.

All games of a batch advance together, one roll at a time. What a position needs is looked up in arrays: the choices of an
explored graph; of a score sheet, the table of one turn for each distinct (open boxes, carry) that some game is in; of words and
groups, the values that the moves lead to. Any other strategy is a function from state to action and is played one game at a
time, by the rules themselves.

With totals x_1..x_n, the standard error of the mean is s / sqrt(n), where s is their standard deviation with n - 1.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import inf, sqrt
from operator import index
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError, PositionError
from rollwise.model.abilities import unlifted
from rollwise.model.faults import blaming
from rollwise.model.formatting import digits, fits_float, infinite
from rollwise.model.game import Progress
from rollwise.model.policy import Policy, PolicyLike, policy_of, policy_weights
from rollwise.playing.roll_source import RollSource, check_seed
from rollwise.solvers.base.abilities import Player, PlaysMany, ability
from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.base.solution import Number, Solution, require_solution

__all__ = ["Simulated", "check_request", "simulate"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MOST_GAMES = 10**12
LONGEST = 1_000_000
"""Rolls after which a strategy is taken to play for ever."""
NORMAL = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""


@dataclass(frozen=True)
class Simulated:
    """The results of simulated games: `counts` is the number of games by total (a win counts 1 where a target is played for).

    `value` is the exact optimum. Totals are in units of 1 / `unit`: against an opponent, a game counts with the chance that its
    total wins.
    """

    games: int
    seed: int
    counts: Mapping[int, int] = field(repr=False)
    value: Number
    unit: int = 1

    @property
    def mean(self) -> float:
        """The mean total."""
        return sum(total * count for total, count in self.counts.items()) / self.games / self.unit

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        mean = self.mean
        squares = sum(count * (total / self.unit - mean) ** 2 for total, count in self.counts.items())
        return sqrt(squares / (self.games - 1) / self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the mean."""
        width = NORMAL * self.standard_error
        return self.mean - width, self.mean + width

    @property
    def z_score(self) -> float:
        """How many standard errors the mean is above the exact value."""
        off = self.mean - float(self.value)
        if abs(off) <= TIE * abs(self.mean):
            return 0.0
        return off / self.standard_error if self.standard_error else inf if off > 0 else -inf


def simulate(
    solution: Solution, games: int, *, seed: int = 0, policy: PolicyLike | None = None, progress: Progress | None = None
) -> Simulated:
    """Play a number of games by a policy (default: the optimal one), and compare the mean with the exact optimum.

    >>> import rollwise
    >>> played = simulate(rollwise.solve("slots"), 20_000)
    >>> abs(played.z_score) < 4
    True

    A function or a mapping from state to action is a policy, too. The same seed gives the same games. Actions that are ties may
    be chosen differently from `best`. Raises `GameError` for fewer than two games, a negative seed, a game that cannot surely be
    ended, or a policy that plays for ever; `PositionError` for an action that the rules do not allow.
    """
    require_solution(solution, "simulate")
    check_request(games, seed)
    policy = None if policy is None else policy_of(policy, "simulate")
    value = solution.value()
    if infinite(value):
        raise GameError("the game is impossible: no strategy surely ends it, so it cannot be simulated")
    if not fits_float(value):
        raise GameError(f"the value is {digits(value, 3)}: no number of games that can be played would come near it")
    counts: dict[int, int] = {}
    done = 0

    def tick(part: int) -> None:
        if progress:
            progress("playing", done + part, games)

    with blaming(solution.game):
        for totals in _player(solution, policy, tick)(seed, games):
            for total, count in zip(*np.unique(totals, return_counts=True), strict=True):
                counts[int(total)] = counts.get(int(total), 0) + int(count)
            done += len(totals)
            tick(0)
    return Simulated(games, seed, dict(sorted(counts.items())), value, solution.objective.unit)


def check_request(games: int, seed: int) -> None:
    """Refuse a number of games or a seed that cannot be played. Raises `GameError`."""
    if not 2 <= index(games) <= MOST_GAMES:
        raise GameError(f"{games} games: expected at least 2, and at most {MOST_GAMES:,}")
    check_seed(seed)


Batches = Callable[[int, int], Iterator[Ints]]
"""Takes a seed and a number of games, and gives their totals batch by batch."""


def _player(solution: Solution, policy: Policy | None, tick: Callable[[int], None]) -> Batches:
    player = ability(solution, PlaysMany).player(policy, tick)
    if player is not None:
        return _batches(player)
    return lambda seed, games: _play_plain(solution, policy, seed, games)


def _drawn(solution: Solution, policy: Policy, seed: int) -> Callable[[Any], Any]:
    """Make a function of a policy: where it mixes actions, one of them is drawn."""
    source = Random(f"moves {seed}")

    def choose(state: Any) -> Any:
        weights = policy_weights(policy, solution.game, state)
        return next(iter(weights)) if len(weights) == 1 else source.choices(list(weights), list(weights.values()))[0]

    return choose


def _batches(player: Player) -> Batches:
    def run(seed: int, games: int) -> Iterator[Ints]:
        rng = np.random.default_rng(seed)
        for begin in range(0, games, player.most):
            yield player.play(rng, min(player.most, games - begin))

    return run


# Any game and strategy, by the rules


def _play_plain(solution: Solution, policy: Policy | None, seed: int, games: int) -> Iterator[Ints]:
    source = RollSource(solution.game, Random(seed))
    choose = cache(solution.best) if policy is None else _drawn(solution, policy, seed)
    for _ in range(games):
        yield np.array([_play_one(solution, choose, source)])


def _play_one(solution: Solution, choose: Callable[[Any], Any], source: RollSource) -> int:
    game, total, fewest = solution.game, 0, solution.objective.counts == "costs"
    pending = game.start()
    for _ in range(LONGEST):
        total += game.cost(pending) if fewest else 0
        state = source.draw(pending)
        actions = game.actions(state)
        if not actions:
            return total if fewest else _score(solution, total + game.payoff(state))
        action = choose(state)
        if action not in actions:
            raise PositionError(f"the policy chose {action!r} at state {game.show_state(state)}, which is not allowed there")
        total += 0 if fewest else game.gain(state, action)
        pending = game.play(state, action)
    raise GameError(f"a game did not end within {LONGEST:,} rolls: the policy seems to play for ever")


def _score(solution: Solution, total: int) -> int:
    """Points, or what they are worth, in units; a game that was restated or remembers pays that itself."""
    paid = solution.objective.adds or solution.game is not unlifted(solution.game)
    return total if paid else solution.objective.score(total)
