"""Boards with captures: values of all positions before a roll, proved, and answers from them."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import fsum
from time import perf_counter
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.games.hypergammon import HyperPosition, Points
from rollwise.games.ur import UNROLLED, Squares, UrPosition
from rollwise.model.formatting import counted
from rollwise.model.objective import Objective
from rollwise.model.policy import Policy
from rollwise.solvers.base.abilities import Follows, ListsDecisions, Reports
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.distribution import Distribution, Follow
from rollwise.solvers.base.layer_files import layer_name
from rollwise.solvers.base.layers import solve_in_layers
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import Number, PackedSolution, Solution
from rollwise.solvers.boards.moves import BAR, FIVE, number
from rollwise.solvers.boards.recursion import BoardRecursion
from rollwise.solvers.boards.tables import Board, hypergammon_board, points_code, ur_board, ur_code

__all__ = ["BoardSolution", "HypergammonSolution", "UrSolution", "plan_board"]

CURE = "use fewer pieces"
SECONDS_A_TURN = {"ur": 0.4e-6, "hypergammon": 4e-6}
"""What the turn of a position takes in a sweep on a core of a 2024 server, measured."""
SWEEPS = 30, 18
"""About how many sweeps a board takes, and for each piece more; measured with up to four pieces."""


def plan_board(name: str, board: Board, threads: int) -> Plan:
    """Say about what solving takes: memory for the values, and for the positions, bounds and old values of the largest layer."""
    numbers = board.layers.numbers
    largest = max(high - low for low, high in board.layers.spans)
    memory = 8 * numbers + (2 + 8 + 8 * board.repeats) * largest + board.tables.base.nbytes
    seconds = SECONDS_A_TURN[name] * (SWEEPS[0] + SWEEPS[1] * board.tables.pieces) * numbers / threads
    return Plan(states=numbers, memory_bytes=memory, disk_bytes=8 * numbers, seconds=seconds)


@dataclass(frozen=True, eq=False, repr=False)
class BoardSolution(Solution, Follows, ListsDecisions, Reports):
    """A solved board: `layers` are the values by stage, to the side to move, each with the bound of its error at its end."""

    layers: tuple[Any, ...]

    two_players = True
    proof = "Bounds from below and above were checked against one turn at every position."
    size_word = "positions"

    @classmethod
    def solve(cls, game: Any, objective: Objective, options: SolveOptions) -> "BoardSolution":
        """Solve a board. Raises `GameError`, before anything is allocated, if it does not fit into memory."""
        begun, board = perf_counter(), cls.board_of(game)
        plan = plan_board(cls.solver_name, board, options.threads)
        what = f"a board with {board.layers.numbers:,} positions"
        check_fits(what, plan.memory_bytes or 0, options.max_bytes, cure=CURE)
        total = board.layers.numbers - len(board.layers.spans) + 1
        with options.backend.pool() as together:
            recursion = BoardRecursion(
                what, cls.key_of(game), board, together, options.threads, lambda done: options.tick("solving", done, total)
            )
            solve_in_layers(recursion, options)
        layers = tuple(recursion.values(layer) for layer in range(recursion.n_layers))
        # Advice takes one more mean of values, and turns chances of the second player into the first one's.
        bound = recursion.bound(recursion.n_layers - 1) + 100 * UNIT * board.most
        certificate = Certificate(residual=recursion.residual, error_bound=bound, checked="everywhere")
        return cls(
            game, objective, certificate, f"{cls.solver_name}-sweeps", perf_counter() - begun, total - 1, total - 1, layers=layers
        )

    @staticmethod
    @abstractmethod
    def board_of(game: Any) -> Board:
        """Give the arrays of a game."""

    @staticmethod
    @abstractmethod
    def key_of(game: Any) -> str:
        """Name the rules of a game."""

    @abstractmethod
    def _sides(self, position: Any) -> tuple[int, int, int, int]:
        """Give the codes of the side to move and of the other, and how many checkers each has left."""

    @abstractmethod
    def _unrolled(self, state: Any) -> Any:
        """Give a position before the roll."""

    @abstractmethod
    def _position(self, own: int, other: int, left: int, other_left: int, mover: int) -> Any:
        """Give the pending roll with these codes."""

    @cached_property
    def board(self) -> Board:
        """The arrays of the game."""
        return self.board_of(self.game)

    @cached_property
    def fingerprint(self) -> str:
        """Name the rules."""
        return self.key_of(self.game)

    def _worth(self, pending: Any) -> float:
        """The value of a pending roll, to player 0."""
        if self.game.is_over(pending):
            return float(self.game.payoff(pending))
        own, other, left, other_left = self._sides(pending)
        layer = self.board.layers.layer(left, other_left)
        place = int(number.py_func(self.board.tables, own, other, left, other_left))
        value = float(self.layers[layer + 1][place - self.board.layers.spans[layer][0]])
        return value if self.game.mover(pending) == 0 else self.board.tables.total - value

    def _pending_value(self, pending: Any) -> Number | None:
        if pending == self.game.start():
            rolls = self.game.roll(pending)
            return fsum(weight * self._best(state) for state, weight in rolls.items()) / int(sum(rolls.values()))
        return self._worth(pending) if self._occurs(pending) and pending == self._unrolled(pending) else None

    def _state_value(self, state: Any) -> Number | None:
        if not self._occurs(state) or (state == self._unrolled(state)) != self.game.is_over(state):
            return None
        return self._worth(state) if self.game.is_over(state) else self._best(state)

    def _best(self, state: Any) -> float:
        best = max if self.game.mover(state) == 0 else min
        return float(best(self._worth(self.game.play(state, action)) for action in self.game.actions(state)))

    def _occurs(self, position: Any) -> bool:
        """Say whether something is a position of the game: what it is written as is read as the same."""
        try:
            if type(position) is not type(self.game.start()):
                return False
            unrolled = position == self._unrolled(position) and not self.game.is_over(position)
            state = next(iter(self.game.roll(position))) if unrolled else position
            return bool(self.game.read_state(self.game.show_state(state)) == state)
        except (GameError, LookupError, TypeError, ValueError, AttributeError):
            return False

    def _states(self) -> Iterator[Any]:
        board, pieces = self.board, self.board.tables.pieces
        for left, other_left in product(range(1, pieces + 1), repeat=2):
            for own in board.sides[left].tolist():
                free = board.sides[other_left][board.blocked[board.sides[other_left]] & board.bits[own] == 0]
                for other, mover in product(free.tolist(), (0, 1)):
                    yield from self.game.roll(self._position(own, other, left, other_left, mover))

    def count(self, where: Mapping[str, str]) -> int:
        return 2 * self.states * len(self.board.tables.chance)

    def size(self) -> str:
        return counted(self.states, "position")

    def pack(self) -> PackedSolution:
        return PackedSolution.of(self, {layer_name(layer): values for layer, values in enumerate(self.layers)}, {})

    @classmethod
    def unpack(cls, game: Any, objective: Objective, packed: PackedSolution) -> "BoardSolution":
        """Put a stored solution together. Raises `GameError` for layers of another size."""
        spans = cls.board_of(game).layers.spans
        layers = tuple(packed.arrays[layer_name(layer)] for layer in range(len(spans) + 1))
        if [part.shape for part in layers] != [(1,), *((high - low + 1,) for low, high in spans)]:
            raise GameError("layers of another size")
        return cls(game, objective, *packed.head, layers=layers)


@dataclass(frozen=True, eq=False, repr=False)
class UrSolution(BoardSolution):
    """The Royal Game of Ur, solved."""

    solver_name = "ur"

    @staticmethod
    def board_of(game: Any) -> Board:
        return ur_board(game.pieces, game.variant_name)

    @staticmethod
    def key_of(game: Any) -> str:
        return f"ur {game.pieces} {game.variant_name}"

    def _sides(self, position: UrPosition) -> tuple[int, int, int, int]:
        own, other = position.mover, 1 - position.mover
        left = [self.game.pieces - off for off in position.off]
        return ur_code(position.squares[own]), ur_code(position.squares[other]), left[own], left[other]

    def _unrolled(self, state: UrPosition) -> UrPosition:
        return state._replace(roll=UNROLLED)

    def _position(self, own: int, other: int, left: int, other_left: int, mover: int) -> UrPosition:
        pieces = self.game.pieces
        sides, off = (_squares(own), _squares(other)), (pieces - left, pieces - other_left)
        return UrPosition(*((sides, off) if mover == 0 else (sides[::-1], off[::-1])), mover)

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution | None:
        """Under best play the end is won or lost, by the value; any other strategy is followed on the graph."""
        if policy is not None:
            return None
        won = float(self.value(pending, kind="pending"))
        return Distribution("points", 0, np.array([1.0 - won, won]))

    def steps(self, state: Any) -> int:
        return 1


@dataclass(frozen=True, eq=False, repr=False)
class HypergammonSolution(BoardSolution):
    """Hypergammon, solved."""

    solver_name = "hypergammon"

    @staticmethod
    def board_of(game: Any) -> Board:
        return hypergammon_board(game.checkers)

    @staticmethod
    def key_of(game: Any) -> str:
        return f"hypergammon {game.checkers}"

    def steps(self, state: Any) -> int:
        return self.count({})

    def _sides(self, position: HyperPosition) -> tuple[int, int, int, int]:
        own, other = position.points[position.mover], position.points[1 - position.mover]
        return points_code(own), points_code(other), len(own), len(other)

    def _unrolled(self, state: HyperPosition) -> HyperPosition:
        return state._replace(dice=(), opening=False)

    def _position(self, own: int, other: int, left: int, other_left: int, mover: int) -> HyperPosition:
        sides = (_points(own), _points(other))
        return HyperPosition(sides if mover == 0 else sides[::-1], mover)


def _squares(code: int) -> Squares:
    return tuple(bit + 1 for bit in range(code.bit_length()) if code >> bit & 1)


def _points(code: int) -> Points:
    return tuple(point for point in (code >> 10, code >> 5 & FIVE, code & FIVE) if 0 < point <= BAR)
