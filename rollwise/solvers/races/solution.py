"""Races at size: the chance to win for every pair of positions, and answers from it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from time import perf_counter
from typing import Any

import numpy as np

from rollwise.games.race import Race
from rollwise.model.abilities import in_columns
from rollwise.model.game import Progress
from rollwise.model.objective import Objective
from rollwise.model.policy import Policy
from rollwise.solvers.base.abilities import Follows, ListsDecisions, Player, PlaysMany, Reports
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.distribution import Distribution, Follow
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.base.solution import Number, PackedSolution, Solution
from rollwise.solvers.races.recursion import Floats, play_races, run_race, sample_residual, side_of

__all__ = ["RaceSolution", "fingerprint", "race_bytes", "solve_race"]

CURE = "begin with fewer checkers, or on lower points"
BATCH = 1 << 14


def race_bytes(game: Race) -> int:
    """Say about how many bytes solving a race takes: two tables of pairs, and a row of the plays of a side."""
    return 16 * game.positions**2


def fingerprint(game: Race) -> str:
    """Digest the rules of a race, and where it begins."""
    plays, rolls = game.plays(), game.throws()
    some = [rolls.roll.tolist()] if rolls.rows < rolls.roll[-1] else []
    found = sha256(str(("race", game.positions, tuple(game.start()), rolls.weight.tolist(), *some)).encode())
    for part in (plays.columns["at"], plays.after):
        found.update(part.tobytes())
    return found.hexdigest()[:24]


def solve_race(
    game: Race, objective: Objective, *, most_bytes: int | None = None, progress: Progress | None = None
) -> "RaceSolution":
    """Solve a race. Raises `GameError`, before anything is allocated, for one that does not fit into memory."""
    begun, pairs = perf_counter(), game.positions**2
    check_fits(f"a race with {pairs:,} pairs of positions", race_bytes(game), most_bytes, cure=CURE)
    side = side_of(game)
    move, turns = run_race(side, lambda done: progress("solving", done * game.positions, pairs) if progress else None)
    # A turn adds chances times rolls and one difference; errors of what follows are only averaged.
    bound = 1.01 * 2 * turns * (2 * len(side.chance) + 4) * UNIT
    certificate = Certificate(residual=sample_residual(side, move), error_bound=bound, checked="on a sample")
    return RaceSolution(game, objective, certificate, "pairs", perf_counter() - begun, pairs, pairs, move=move)


@dataclass(frozen=True, eq=False, repr=False)
class RaceSolution(Solution, Follows, PlaysMany, ListsDecisions, Reports):
    """A solved race: `move[a, b]` is the chance of the player to move at a against b."""

    move: Floats

    solver_name = "race"
    two_players = True
    proof = "After solving, some pairs of positions were computed again one by one, and compared."

    @cached_property
    def fingerprint(self) -> str:
        """Digest the rules."""
        return fingerprint(self.game)

    def _pending_value(self, pending: Any) -> Number | None:
        return self._value(pending) if self._is_position(pending) and not pending.roll else None

    def _state_value(self, state: Any) -> Number | None:
        if not self._is_position(state) or bool(state.roll) == (not state.first or not state.second):
            return None
        if not state.roll:
            return self._value(state)
        best = max if state.mover == 0 else min
        return best(float(value) for _, value in self._valued(state))

    def _is_position(self, position: Any) -> bool:
        return in_columns(self.game).code(position) is not None and bool(position.first or position.second)

    def _value(self, pending: Any) -> float:
        """The first player's chance before a roll; a player may be done."""
        if not pending.first or not pending.second:
            return float(not pending.first)
        if pending.mover == 0:
            return float(self.move[pending.first, pending.second])
        return 1.0 - float(self.move[pending.second, pending.first])

    def _states(self) -> Iterator[Any]:
        places, rolls = range(1, self.game.positions), self.game.throws().roll.tolist()
        for first in reversed(places):
            for second in reversed(places):
                for mover in (0, 1):
                    yield from (self.game.at(first=first, second=second, mover=mover, roll=roll) for roll in rolls)

    def count(self, where: Mapping[str, str]) -> int:
        return int(2 * self.game.throws().rows * (self.game.positions - 1) ** 2)

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution | None:
        """Under best play the end is won or lost, by the value; any other strategy is followed on the graph."""
        if policy is not None:
            return None
        won = float(self.value(pending, kind="pending"))
        return Distribution("points", 0, np.array([1.0 - won, won]))

    def player(self, policy: Policy | None, tick: Callable[[int], None]) -> Player | None:
        """Play all games together, a turn at a time."""
        return Player(lambda random, games: play_races(self.game, self.move, random, games), BATCH) if policy is None else None

    def size(self) -> str:
        return f"{self.states:,} pairs of positions"

    def pack(self) -> PackedSolution:
        return PackedSolution.of(self, {"move": self.move}, {})
