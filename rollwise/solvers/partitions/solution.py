"""Groups at size: the solver by partitions inside the goal, and answers from it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from time import perf_counter
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.games.groups import GroupingGame, fits
from rollwise.model.game import Progress
from rollwise.model.objectives import Fewest
from rollwise.model.policy import Policy
from rollwise.model.view import view_of
from rollwise.solvers.base.abilities import Follows, Player, PlaysMany, Reports
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.distribution import Distribution, Follow, count_rolls
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.base.solution import Number, PackedSolution, Solution
from rollwise.solvers.partitions.recursion import Grown, count_partitions, grow, keep_chances, play_groups
from rollwise.solvers.partitions.report import partition_sections

__all__ = ["PartitionSolution", "groups_bytes", "solve_groups"]

LARGEST = 200_000_000
BATCH = 1 << 16
BYTES_A_CELL = 64
"""What a group of a grouping takes, about: its size, weight, and what it grows into, with copies."""


def solve_groups(game: GroupingGame, *, progress: Progress | None = None) -> "PartitionSolution":
    """Solve a groups game by partitions.

    Raises `GameError`, before anything is allocated, if the goal contains too many.
    """
    begun = perf_counter()
    size = count_partitions(game.goal)
    if size * len(game.goal) > LARGEST:
        raise GameError(f"the goal contains {size:,} groupings: too many for memory, use fewer or smaller groups")
    check_fits(f"a goal that contains {size:,} groupings", groups_bytes(game), cure="use fewer or smaller groups")
    grown = grow(game.goal, game.faces, lambda done: progress("solving", done, size) if progress else None)
    # Only positive numbers are added and divided, so a layer adds a relative error of at most its number of terms.
    bound = 1.01 * sum(game.goal) * (len(game.goal) + 6) * UNIT * float(grown.value.max())
    certificate = Certificate(residual=grown.residual, error_bound=bound, checked="everywhere")
    return PartitionSolution(
        game, Fewest(), certificate, "partitions", perf_counter() - begun, size, size, grown=grown
    )  # fmt: skip


def groups_bytes(game: GroupingGame) -> int:
    """Say about how many bytes solving a groups game takes, or following it.

    >>> groups_bytes(GroupingGame(faces=6, sizes=[1, 2]))
    640
    """
    return BYTES_A_CELL * count_partitions(game.goal) * len(game.goal)


@dataclass(frozen=True, eq=False, repr=False)
class PartitionSolution(Solution, Follows, PlaysMany, Reports):
    """A solved groups game: expected rolls by held groups."""

    solver_name = "groups"
    proof = "After solving, every roll was checked against the equation that the fewest expected rolls must satisfy."

    grown: Grown

    @cached_property
    def fingerprint(self) -> str:
        """Digest the parameters."""
        return sha256(str(("groups", self.game.faces, self.game.goal)).encode()).hexdigest()[:16]

    def follow(self, pending: Any) -> Callable[[], float]:
        """Follow the optimal strategy from a pending roll: each call plays one roll and returns the mass that ends with it."""
        kept, target = keep_chances(self.grown, self.game.goal, self.game.faces)
        mass = np.zeros(len(self.grown.value))
        if self._pending_value(pending) is None:
            raise self._unknown(pending)
        mass[self.grown.number(pending)] = 1.0
        stay = 1.0 - kept.sum(axis=0)

        def step() -> float:
            moved = (kept * mass).ravel()
            mass[:] = mass * stay + np.bincount(target.ravel(), moved, len(mass))
            ended = float(mass[-1])
            mass[-1] = 0.0
            return ended

        return step

    def _pending_value(self, pending: Any) -> Number | None:
        if not isinstance(pending, tuple) or not all(isinstance(size, int) and size > 0 for size in pending):
            return None
        if not fits(pending, self.game.goal) or list(pending) != sorted(pending, reverse=True) or pending == self.game.goal:
            return None
        return float(self.grown.value[self.grown.number(pending)])

    def _state_value(self, state: Any) -> Number | None:
        if not isinstance(state, tuple) or len(state) != 2 or not isinstance(state[0], tuple):
            return None
        again = self._pending_value(state[0])
        if again is None or state not in self.game.roll(state[0]):
            return None
        after = self.game.keep(state)
        if after == self.game.goal:
            return 0.0
        return min(again, self._pending_value(after) or again) if fits(after, self.game.goal) else again

    def _states(self) -> Iterator[Any]:
        for held in self._held((), 0):
            yield from (state for state in self.game.roll(held) if self.game.actions(state))

    def _held(self, sizes: tuple[int, ...], i: int) -> Iterator[tuple[int, ...]]:
        """All groupings on the way to the goal that start with `sizes`."""
        if sizes != self.game.goal:
            yield sizes
        if i < len(self.game.goal):
            for size in range(1, min(self.game.goal[i], sizes[-1] if sizes else self.game.goal[i]) + 1):
                yield from self._held((*sizes, size), i + 1)

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution | None:
        """Follow its own strategy roll by roll."""
        if policy is not None:
            return None
        check_fits("following the groups", groups_bytes(self.game), follow.max_bytes, cure="use fewer or smaller groups")
        return count_rolls(self.follow(pending), view_of(self.game).cost_word, follow.progress)

    def player(self, policy: Policy | None, tick: Callable[[int], None]) -> Player | None:
        """Play all games together, a roll at a time."""
        if policy is not None:
            return None
        game, grown = self.game, self.grown
        return Player(lambda random, games: play_groups(grown, game.goal, game.faces, random, games), BATCH)

    def sections(self, found: Distribution | None, progress: Progress | None) -> list[Block]:
        """Tell how many rolls are left by progress, and when a reroll is right."""
        return partition_sections(self)

    def pack(self) -> PackedSolution:
        grown = self.grown
        return PackedSolution.of(self, {"value": grown.value, "part_start": grown.part_start}, {"residual": grown.residual})
