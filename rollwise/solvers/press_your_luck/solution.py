"""Races at size: the chances of all turn starts, and answers about positions within a turn from those."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.games.farkle.rules import FarkleRace
from rollwise.games.farkle.scores import FIFTY
from rollwise.model.formatting import counted
from rollwise.model.objectives import AtLeast
from rollwise.model.policy import Policy
from rollwise.solvers.base.abilities import Follows, ListsDecisions, Player, PlaysMany, Reports
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.digest import digest
from rollwise.solvers.base.distribution import Distribution, Follow
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import Number, PackedSolution, Solution
from rollwise.solvers.press_your_luck.layers import needs_of, solve_starts
from rollwise.solvers.press_your_luck.tables import Bools, Floats, Ints, RollTables, make_tables, reachable

__all__ = ["LuckSolution", "count_rolls_of", "plan_race", "solve_race"]

SECONDS_A_ROLL = 1.4e-6
"""What one roll within a turn takes on a core, about, in all rounds."""
MOST_ROLLS = 2_000_000_000
BATCH = 256
"""Games that are played at once."""
KEPT = 256
"""Turns whose rolls are remembered."""


@dataclass(frozen=True, kw_only=True)
class LuckPlan(Plan):
    """The size of a race: rolls within turns, and turn starts."""

    starts: int

    def size(self) -> str:
        return f"{counted(self.starts, 'turn start')}, {counted(self.states or 0, 'roll')} within turns"


def count_rolls_of(game: FarkleRace) -> int:
    """Count the rolls within all turns: the mover's score, the other's, the points of the turn, and how many dice.

    >>> from rollwise.games.farkle.rules import Scores
    >>> count_rolls_of(FarkleRace(Scores(), target=10_000))
    24120000
    """
    needs = needs_of(game.goal, game.least, game.opening)
    return game.hands.full * game.goal * sum(max(game.goal - own, int(need)) for own, need in enumerate(needs))


def plan_race(game: FarkleRace, threads: int = 1) -> LuckPlan:
    """Say what solving a race takes: `states` counts rolls within turns. Raises `GameError` for one that takes hours."""
    rolls = count_rolls_of(game)
    if rolls > MOST_ROLLS:
        raise GameError(
            f"a race to {FIFTY * game.goal:,} has {game.goal**2:,} turn starts with {rolls:,} rolls within turns, more than "
            f"{MOST_ROLLS:,}: choose a lower target"
        )
    return LuckPlan(
        states=rolls, memory_bytes=16 * game.goal**2 + 2**20, seconds=SECONDS_A_ROLL * rolls / threads, starts=game.goal**2
    )


def solve_race(game: FarkleRace, objective: AtLeast, options: SolveOptions) -> "LuckSolution":
    """Solve a race by layers of turn starts. Raises `GameError` for one that takes hours."""
    begun = perf_counter()
    plan_race(game)
    layers = 2 * game.goal - 1
    needs = needs_of(game.goal, game.least, game.opening)
    found = solve_starts(make_tables(game), needs, options.threads, lambda done: options.tick("solving", done, layers))
    certificate = Certificate(residual=found.residual, error_bound=found.error, checked="everywhere")
    return LuckSolution(
        game,
        objective,
        certificate,
        "turn-starts",
        perf_counter() - begun,
        game.goal**2,
        count_rolls_of(game),
        starts=found.value,
    )


@dataclass(frozen=True, eq=False, repr=False)
class LuckSolution(Solution, Follows, PlaysMany, ListsDecisions, Reports):
    """A solved race: `starts[a, b]` is the chance of the mover who begins a turn with a fifties against b."""

    starts: Floats
    turns: OrderedDict[tuple[int, int], Floats] = field(default_factory=OrderedDict)

    solver_name = "luck"
    size_word = "turn starts"
    proof = "After solving, every turn start was checked against the equation that the chances must satisfy."

    @cached_property
    def fingerprint(self) -> str:
        return digest("luck", self.game.scores, self.game.number, self.game.goal, *self.game.loaded)[:16]

    @property
    def two_players(self) -> bool:
        return True

    @cached_property
    def tables(self) -> RollTables:
        """What rolls offer."""
        return make_tables(self.game)

    @cached_property
    def needs(self) -> Ints:
        """What a bank needs, by the mover's score."""
        return needs_of(self.game.goal, self.game.least, self.game.opening)

    @cached_property
    def reached(self) -> Bools:
        """The points with which so many dice can be rolled."""
        return reachable(self.tables, max(self.game.goal, int(self.needs.max())))

    def turn(self, own: int, other: int) -> Floats:
        """What the rolls of a turn are worth to the mover: `[points, dice]`."""
        from rollwise.solvers.press_your_luck.turns_numba import play_turn  # noqa: PLC0415  (compiled code is loaded only where it is used)

        if (own, other) not in self.turns:
            bust, row = 1.0 - self.starts[other, own], np.ascontiguousarray(self.starts[other])
            self.turns[own, other] = play_turn(self.tables, self.game.goal, int(self.needs[own]), own, row, bust)
            while len(self.turns) > KEPT:
                self.turns.popitem(last=False)
        return self.turns[own, other]

    def _known(self, position: Any) -> bool:
        """Whether a position is one of the game, with scores that can be had."""
        if self.game.layout.code(position) is None if isinstance(position, tuple) else True:
            return False
        low = [score for score in (position.first, position.second) if 0 < score < min(self.game.opening, self.game.goal)]
        return not low and not position.first == position.second == self.game.goal

    def _over(self, position: Any) -> float | None:
        """What a position without anything to do pays; None where there is something to do."""
        if not self.game.over(position):
            return None
        return float(position.first == self.game.goal)

    def _rolled(self, position: Any, dice: int) -> float | None:
        """The mover's chance if so many dice are rolled; None if that does not occur."""
        own, other = (position.first, position.second) if position.mover == 0 else (position.second, position.first)
        worth = self.turn(own, other)
        if position.points >= len(worth) or not self.reached[position.points, dice]:
            return None
        return float(worth[position.points, dice])

    def _pending_value(self, pending: Any) -> Number | None:
        if not self._known(pending) or pending.hand:
            return None
        if not pending.left:
            return self._over(pending) if not pending.points else None
        chance = None if self.game.over(pending) else self._rolled(pending, pending.left)
        return None if chance is None else self._of_first(pending, chance)

    def _of_first(self, position: Any, chance: float) -> float:
        return chance if position.mover == 0 else 1.0 - chance

    def _state_value(self, state: Any) -> Number | None:
        if not self._known(state) or state.left:
            return None
        if self.game.over(state):
            return self._over(state) if not state.hand and not state.points else None
        if not state.hand:
            return self._pending_value(state._replace(left=self.game.hands.full)) if not state.points else None
        if not self.game.best[state.hand] or self._rolled(state, int(self.game.hands.left[state.hand])) is None:
            return None
        values = [value for _, value in self._valued(state)]
        return max(values) if state.mover == 0 else min(values)

    def _states(self) -> Iterator[Any]:
        game = self.game
        hands = [hand for hand in range(1, len(game.hands)) if game.best[hand]]
        for first, second in np.ndindex(game.goal, game.goal):
            for mover in (0, 1):
                yield game.at(first=first, second=second, mover=mover)
                for points in range(len(self.turn(*((first, second) if mover == 0 else (second, first))))):
                    found = (game.at(first=first, second=second, mover=mover, points=points, hand=hand) for hand in hands)
                    yield from (state for state in found if self._state_value(state) is not None)

    def count(self, where: Mapping[str, str]) -> int:
        return int(2 * self.pendings * len(self.game.hands) // self.game.hands.full)

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution | None:
        """Tell the chances to lose and to win, which are the value."""
        if policy is not None:
            return None
        chance = float(self.value(pending, kind="pending"))
        return Distribution("points", 0, np.array([1.0 - chance, chance]))

    def player(self, policy: Policy | None, tick: Callable[[int], None]) -> Player | None:
        """Play many games at once, turn by turn."""
        if policy is not None:
            return None
        from rollwise.solvers.press_your_luck.turns_numba import play_games  # noqa: PLC0415

        return Player(
            lambda random, games: play_games(self.tables, self.game.goal, self.needs, self.starts, random, games), BATCH
        )

    def size(self) -> str:
        return f"{counted(self.states, 'turn start')}, {counted(self.pendings, 'roll')} within turns"

    def pack(self) -> PackedSolution:
        return PackedSolution.of(self, {"value": self.starts}, {})
