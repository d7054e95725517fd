"""One turn with loaded dice, which may differ: every roll by the points at stake and the dice rolled, from many points down."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.games.farkle.rules import Farkle
from rollwise.games.farkle.scores import FIFTY
from rollwise.model.formatting import counted
from rollwise.model.game import Progress
from rollwise.model.objective import Expected
from rollwise.model.policy import Policy
from rollwise.model.weights import Faces
from rollwise.solvers.base.abilities import Follows, KnowsSlopes, Reports
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.digest import digest
from rollwise.solvers.base.distribution import Distribution, Follow
from rollwise.solvers.base.hands import ChoosesHands, ChosenHands
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.slopes import FaceSlopes, slope_blocks
from rollwise.solvers.base.solution import Number, PackedSolution, Solution
from rollwise.solvers.base.solver import Solver
from rollwise.solvers.press_your_luck.tables import Bools, Floats, RollTables, make_tables, reachable

__all__ = ["TurnSolution", "TurnSolver"]

SMALL = 1e-10
"""What the limit of a turn that is hardly ever reached may take from its value."""
MOST_ROLLS = 20_000_000


class TurnSolver(Solver, ChoosesHands):
    """One turn is a recursion over points and dice; hands need not be listed. Fair dice are left to the graph."""

    name = "turn"
    what = "a turn of luck with loaded dice"
    engines = ("turn-rolls",)
    owner = Farkle
    objectives = (Expected,)
    reads = (
        "start", "roll", "actions", "play", "gain", "payoff", "mover", "thrown", "bank", "keep", "final", "chance_rule",
        "choice_rules", "throws", "set_sizes", "lay_table",
    )  # fmt: skip

    def fits(self, game: Farkle, objective: Expected, options: SolveOptions) -> bool:
        return bool(game.loaded)

    def key(self, game: Farkle, objective: Expected) -> str:
        return f"turn-{digest(game.scores, game.loads, game.limit, game.must_bank, game.needed)}"

    def plan(self, game: Farkle, objective: Expected, options: SolveOptions) -> Plan:
        rolls = game.limit * game.hands.full
        if rolls > MOST_ROLLS:
            raise GameError(
                f"a turn of these dice has {rolls:,} rolls, more than {MOST_ROLLS:,}: give most=N, a total where one must bank"
            )
        return Plan(states=rolls, memory_bytes=32 * rolls + 2**20)

    def solve(self, game: Farkle, objective: Expected, options: SolveOptions) -> Solution:
        from rollwise.solvers.press_your_luck.turns_numba import solve_turn  # noqa: PLC0415  (compiled code is loaded only where it is used)

        begun = perf_counter()
        self.plan(game, objective, options)
        tables = make_tables(game, every_offer=game.must_bank)
        worth = solve_turn(tables, game.limit, game.needed, float(FIFTY))
        # A sum of n products of positive numbers is wrong by at most n + 2 roundings of itself, and a turn has `limit` rolls.
        rounding = game.limit * (int(np.diff(tables.kind_start).max()) + 8) * UNIT * float(worth.max(initial=1.0))
        proof = Certificate(residual=0.0, error_bound=rounding + SMALL * (not game.must_bank), checked="by recursion")
        rolls = int(reachable(tables, game.limit).sum())
        return TurnSolution(game, objective, proof, "turn-rolls", perf_counter() - begun, rolls, rolls, worth=worth)

    def choose_hands(
        self, game: Farkle, dice: Sequence[Faces], counts: Sequence[int], take: int, options: SolveOptions
    ) -> ChosenHands | None:
        from rollwise.solvers.press_your_luck.hands import choose_turn_hands  # noqa: PLC0415

        return None if game.must_bank or take != game.number else choose_turn_hands(game, dice, counts, take, options)

    def unpack(self, game: Farkle, objective: Expected, packed: PackedSolution) -> Solution:
        return TurnSolution(game, objective, *packed.head, worth=packed.arrays["worth"])


@dataclass(frozen=True, eq=False, repr=False)
class TurnSolution(Solution, Follows, KnowsSlopes, Reports):
    """A solved turn: `worth[t, n]` is what rolling dice n with t fifties at stake brings on average."""

    worth: Floats

    solver_name = "turn"
    size_word = "rolls"
    proof = "It is computed from the largest totals down, and the bound adds up the rounding of every step."

    @cached_property
    def fingerprint(self) -> str:
        return digest("turn", self.game.scores, self.game.loads, self.game.limit)[:16]

    @cached_property
    def tables(self) -> RollTables:
        """What rolls offer."""
        return make_tables(self.game, every_offer=self.game.must_bank)

    @cached_property
    def reached(self) -> Bools:
        """The points with which dice can be rolled."""
        return reachable(self.tables, self.game.limit)

    def _pending_value(self, pending: Any) -> Number | None:
        if not self._known(pending) or pending.hand:
            return None
        if not pending.left:
            return 0.0 if not pending.points else None
        return float(self.worth[pending.points, pending.left]) if self.reached[pending.points, pending.left] else None

    def _state_value(self, state: Any) -> Number | None:
        if not self._known(state) or state.left:
            return None
        if not self.game.best[state.hand]:
            return 0.0 if not state.points else None
        if not self.reached[state.points, self.game.hands.left[state.hand]]:
            return None
        return max(value for _, value in self._valued(state))

    def _known(self, position: Any) -> bool:
        return isinstance(position, tuple) and self.game.layout.code(position) is not None

    def _states(self) -> Iterator[Any]:
        game = self.game
        hands = [(hand, int(game.hands.left[hand])) for hand in range(1, len(game.hands)) if game.best[hand]]
        for points in range(game.limit):
            yield from (game.at(points=points, hand=hand) for hand, left in hands if self.reached[points, left])

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution | None:
        from rollwise.solvers.press_your_luck.turns_numba import flow_turn  # noqa: PLC0415

        if policy is not None or self._pending_value(pending) is None:
            return None
        if not pending.left:
            return Distribution("points", 0, np.ones(1))
        place = (pending.points, pending.left)
        _, banked = flow_turn(self.tables, self.game.needed, float(FIFTY), self.worth, *place)
        chance = np.zeros(FIFTY * (len(banked) - 1) + 1)
        chance[::FIFTY] = banked
        return Distribution("points", 0, np.trim_zeros(chance, "b"))

    def face_slopes(self) -> FaceSlopes:
        from rollwise.solvers.press_your_luck.hands import turn_slopes  # noqa: PLC0415

        return turn_slopes(self.game)

    def sections(self, found: Distribution | None, progress: Progress | None) -> list[Block]:
        return slope_blocks(self.face_slopes(), "points")

    def size(self) -> str:
        return counted(self.states, "roll")

    def pack(self) -> PackedSolution:
        return PackedSolution.of(self, {"worth": self.worth}, {})
