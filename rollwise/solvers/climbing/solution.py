"""Climbing at size: values of all turn starts; a turn is computed again on demand.

Error. Let T be the exact equation of a whole turn, v the values found. Only positive numbers are added and multiplied, so a
position errs relatively by its number of rolls plus 3 units, and a turn by that times the most rolls it can have; with the
residual that Newton's method left, v = (1 + h) Tv everywhere. A best strategy takes V turns on average, so the difference to the
truth is at most |h| * max v * V; the same holds for the strategy that is reported.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import combinations, product
from time import perf_counter
from typing import Any

import numpy as np

from rollwise.errors import EngineError
from rollwise.games.cant_stop import CantStop, Climb
from rollwise.model.formatting import counted
from rollwise.model.game import Progress
from rollwise.model.objectives import Fewest
from rollwise.model.policy import Policy
from rollwise.model.view import view_of
from rollwise.solvers.base.abilities import Follows, ListsDecisions, Reports
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.distribution import Distribution, Follow, count_rolls
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.solution import Number, PackedSolution, Solution
from rollwise.solvers.climbing.arrays import Board, Floats, Ints, board_of
from rollwise.solvers.climbing.kernels import BoardTable, follow_turn, solve_starts, walk_turn
from rollwise.solvers.climbing.plan import plan_board

__all__ = ["ClimbSolution", "solve_board"]

PIECE = 256
"""Turn starts that a thread computes at a time."""
TURN_BYTES = 1 << 26
"""What turns that were computed again may take."""
CURE = "use fewer sides or shorter columns"


def solve_board(game: CantStop, options: SolveOptions) -> "ClimbSolution":
    """Solve a board, steps by steps. Raises `GameError`, before anything is allocated, if it does not fit into memory."""
    begun = perf_counter()
    plan = plan_board(game, options.threads)
    check_fits(f"a board with {plan.states:,} turn starts", plan.memory_bytes, cure=CURE)
    board = board_of(game)
    table, value, residual, done = table_of(board), np.zeros(board.size), 0.0, 0
    total = sum(map(len, board.layers))
    with options.backend.pool() as together:
        for layer in board.layers:
            pieces = [layer[i : i + PIECE] for i in range(0, len(layer), PIECE)]
            for piece, left in zip(pieces, together(lambda codes: solve_starts(table, value, codes), pieces), strict=True):
                residual, done = max(residual, left), done + len(piece)
                options.tick("solving", done, total)
            value[board.mirrored(layer)] = value[layer]
    proof = _certify(board, table, value, residual)
    seconds = perf_counter() - begun
    return ClimbSolution(game, Fewest(), proof, "turns", seconds, plan.states, plan.states, array=value)


def table_of(board: Board) -> BoardTable:
    """What kernels read of a board."""
    menus = board.menus
    most = int(np.diff(menus.move_start).max())
    return BoardTable(board.length, board.stride, board.groups, board.markers, board.to_win, most, menus)


def _certify(board: Board, table: BoardTable, value: Floats, residual: float) -> Certificate:
    rolls = int(np.sort(board.length)[-board.markers :].sum()) + 1
    terms = int(np.diff(table.menus.roll_start).max()) + 4
    relative, largest = residual + 1.01 * rolls * terms * UNIT, float(value.max())
    if relative * largest > 0.5:
        raise EngineError(f"turns up to {largest:.1e} are too many for floating point: {CURE}")
    bound = 2 * relative * largest * (largest + 1)
    return Certificate(residual=residual * largest, error_bound=bound, checked="everywhere")


@dataclass(frozen=True, eq=False, repr=False)
class ClimbSolution(Solution, Follows, ListsDecisions, Reports):
    """A solved board: `array[code]` is the value of each turn start, 0 where the game is won."""

    array: Floats

    solver_name = "climbing"
    proof = "Every turn start was compared with the equation that the fewest expected turns must satisfy."
    size_word = "turn starts"

    @cached_property
    def fingerprint(self) -> str:
        """Digest the board."""
        game = self.game
        about = "climbing", game.sides, game.lengths, game.markers, game.columns_to_win, *game.loaded
        return sha256(str(about).encode()).hexdigest()[:16]

    @cached_property
    def board(self) -> Board:
        """The board as arrays."""
        return board_of(self.game)

    @cached_property
    def _table(self) -> BoardTable:
        return table_of(self.board)

    @cached_property
    def _turn(self) -> Callable[[int], Floats]:
        """What rolling on is worth at each code of a turn, by the code of its start; the last few are remembered."""

        @lru_cache(maxsize=max(2, TURN_BYTES // self.array.nbytes))
        def turn(start: int) -> Floats:
            best, again, lost = (np.full(len(self.array), np.nan) for _ in range(3))
            walk_turn(self._table, np.asarray(self.array), start, float(self.array[start]), best, again, lost)
            again[start] = self.array[start]
            return again

        return turn

    @cached_property
    def _hands(self) -> set[tuple[int, ...]]:
        return {state.dice for state in self.game.roll(self.game.start())}

    def _pending_value(self, pending: Any) -> Number | None:
        if not self._occurs(pending) or pending.dice:
            return None
        if self.game.is_won(pending.now):
            return 0.0 if pending.saved == pending.now else None
        found = float(self._turn(self.board.code(pending.saved))[self.board.code(pending.now)])
        return None if np.isnan(found) else found

    def _state_value(self, state: Any) -> Number | None:
        if not self._occurs(state) or bool(state.dice) == self.game.is_won(state.now):
            return None
        return min((float(value) for _, value in self._valued(state)), default=0.0)

    def _occurs(self, position: Any) -> bool:
        """Say whether a position lies on the board, with a turn start that is not won before."""
        if not isinstance(position, Climb) or {len(position.saved), len(position.now)} != {len(self.game.lengths)}:
            return False
        if position.dice and position.dice not in self._hands:
            return False
        inside = all(0 <= old <= new <= top for old, new, top in zip(*position[:2], self.game.lengths, strict=True))
        climbing = sum(map(int.__lt__, position.saved, position.now))
        return inside and climbing <= self.game.markers and (not climbing or not self.game.is_won(position.now))

    def _states(self) -> Iterator[Any]:
        """All turn starts, then all positions of each turn, then all rolls; some never come up."""
        for saved in product(*(range(length + 1) for length in self.game.lengths)):
            if not self.game.is_won(saved):
                for now in self._positions(saved):
                    yield from self.game.roll(Climb(saved, now))

    def _positions(self, saved: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        columns = [i for i, length in enumerate(self.game.lengths) if saved[i] < length]
        for count in range(min(self.game.markers, len(columns)) + 1):
            for chosen in combinations(columns, count):
                ranges = [
                    range(saved[i] + 1, self.game.lengths[i] + 1) if i in chosen else (saved[i],) for i in range(len(saved))
                ]
                yield from (now for now in product(*ranges) if not self.game.is_won(now))

    def count(self, where: Mapping[str, str]) -> int:
        return plan_board(self.game, 1).positions * len(self.game.roll(self.game.start()))

    def size(self) -> str:
        return counted(self.states, "turn start")

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution | None:
        """Follow its own strategy turn by turn; a turn that has begun is not counted."""
        if policy is not None or self._pending_value(pending) is None or self.game.is_won(pending.now):
            return None
        start, now = self.board.code(pending.saved), self.board.code(pending.now)
        found = count_rolls(self._chain(start, now, follow.progress), view_of(self.game).cost_word, None)
        return found if start == now else found + -1

    def _chain(self, start: int, now: int, progress: Progress | None) -> Callable[[], float]:
        """Give a function that plays one turn, the first from `now`, and gives the chance that the game ends with it."""
        row, column, chance = self._transitions(start, now, progress)
        mass = np.zeros(len(self.array) + 1)
        mass[start if start == now else -1] = 1.0
        over = np.append(np.asarray(self.array) == 0, False)

        def step() -> float:
            mass[:] = np.bincount(column, mass[row] * chance, len(mass))
            ended = float(mass[over].sum())
            mass[over] = 0.0
            return ended

        return step

    def _transitions(self, start: int, now: int, progress: Progress | None) -> tuple[Ints, Ints, Floats]:
        """List from where to where a turn may lead under best play, and the chance of that.

        A turn that has begun has a number of its own, the one after all turn starts.
        """
        value = np.asarray(self.array)
        mass, kept, codes = np.zeros(len(value)), np.zeros(len(value)), np.empty(len(value), dtype=np.int64)
        begun = len(value)
        waiting, seen = [start, *([begun] if now != start else [])], {start}
        parts: list[tuple[int, Ints, Floats]] = []
        while waiting:
            row = waiting.pop()
            here, begin = (start, now) if row == begun else (row, row)
            count, bust = follow_turn(self._table, value, here, begin, self._turn(here), mass, kept, codes)
            to = codes[:count].copy()
            parts.append((row, np.append(to, here), np.append(kept[to], bust)))
            kept[to] = 0.0
            fresh = [code for code in to[value[to] > 0].tolist() if code not in seen]
            seen.update(fresh)
            waiting += fresh
            if progress:
                progress("turns followed", len(parts), None)
        rows = [np.full(len(to), row) for row, to, _ in parts]
        return np.concatenate(rows), np.concatenate([to for _, to, _ in parts]), np.concatenate([part[2] for part in parts])

    def pack(self) -> PackedSolution:
        return PackedSolution.of(self, {"value": self.array}, {})
