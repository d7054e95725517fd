"""A duel with a player for points: the best answer to one who never looks up, layer by layer.

One player, the *scorer*, plays for the highest expected score of his own sheet, so his turn from an outer ends with fixed
chances (`outcomes`), whatever the lead. With R as in `duel_arrays`, in his turns

    R[k](p, q)[-d] = 1 - sum over effects of chance[q][effect] * R[k - 1](q after effect, p)[d + gain(effect)]

and in the other's turns the recursion is that of a duel, with its maximum. Inside one of his turns a position is worth the same
sum, with the chances of how the turn resumes from there.
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from time import perf_counter
from typing import Any

import numpy as np

from rollwise.errors import EngineError
from rollwise.games.sheets.duel import DuelTurn, RestatedDuel
from rollwise.games.sheets.rules import Sheet
from rollwise.model.game import Progress
from rollwise.model.objectives import Duel
from rollwise.solvers.base.blocks import Block, Prose
from rollwise.solvers.base.distribution import Distribution
from rollwise.solvers.base.layers import solve_in_layers
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.solution import PackedSolution, Ranked
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.backward import TurnRecursion, Values
from rollwise.solvers.sheets.duel import Check, DuelSolution, best_by_hands, certify_layers, lay_out_duel
from rollwise.solvers.sheets.duel_arrays import DuelArrays, make_duel_arrays
from rollwise.solvers.sheets.duel_follow import BEST, Side, follow_bound, points_table, side_kernel
from rollwise.solvers.sheets.duel_plan import list_outers
from rollwise.solvers.sheets.effect_values import PointsValues
from rollwise.solvers.sheets.outcomes import numpy_chances
from rollwise.solvers.sheets.packing import arrays_digest
from rollwise.solvers.sheets.rows import Layer
from rollwise.solvers.sheets.solution import unpack_layers
from rollwise.solvers.sheets.turn_table import TurnTable

__all__ = ["AnswerSolution", "solve_answer", "unpack_answer"]


def solve_answer(sheet: Sheet, objective: Duel, options: SolveOptions, table: Floats | None = None) -> "AnswerSolution":
    """Solve a duel in which `objective.points` says who plays for points.

    `table` has the turn-start values of the sheet, where they are known. Raises `GameError` as for any duel, and `EngineError`
    for another precision than float64, or a GPU.
    """
    if options.precision != "float64" or options.backend.name != "cpu":
        raise EngineError("a duel with a player for points is solved in float64 on the processor: leave the others out")
    begun = perf_counter()
    game, duel_arrays, plan = lay_out_duel(sheet, objective, options)
    arrays = duel_arrays.sheet
    table = points_table(arrays) if table is None else table
    scorer = Side(table=table)
    sides = (scorer, BEST) if objective.points == 0 else (BEST, scorer)
    recursion = TurnRecursion(duel_arrays, side_kernel(duel_arrays, sides), fingerprint=_fingerprint(arrays, objective))
    solve_in_layers(recursion, options)
    proof = certify_layers(duel_arrays, recursion.layers, follow_bound(duel_arrays), _check(objective, table))
    return AnswerSolution(
        game, objective, proof, "duel-numba", perf_counter() - begun, plan.states, plan.states,
        arrays=arrays, duel=duel_arrays, precision=options.precision, layers=recursion.layers, turn_values=table,
    )  # fmt: skip


def unpack_answer(sheet: Sheet, objective: Duel, packed: PackedSolution) -> "AnswerSolution":
    """Put a stored solution together again. Raises `GameError` for layers that are not those of this duel."""
    arrays, outers = list_outers(sheet)
    game, duel = RestatedDuel(sheet, objective.ties), make_duel_arrays(arrays, outers)
    parts = {**unpack_layers(duel, packed), "turn_values": packed.arrays["table"]}
    return AnswerSolution(game, objective, *packed.head, arrays=arrays, duel=duel, **parts)


def _fingerprint(arrays: SheetArrays, objective: Duel) -> str:
    return sha256(f"{objective} {arrays_digest(arrays)}".encode()).hexdigest()[:16]


def _check(objective: Duel, table: Floats) -> Check:
    """Compute turns in another way: those of the scorer by the chances of his ends, as the plain kernel gives them."""

    def check(arrays: DuelArrays, previous: Layer, before: Values, mover: int, moved: int, lead: Ints) -> Floats:
        if previous.left % 2 == objective.points:
            return best_by_hands(arrays, previous, before, mover, moved, lead)
        opened, carry = arrays.outers.opened[[mover]], arrays.outers.carry[[mover]]
        chance = numpy_chances(arrays.sheet, opened, PointsValues(arrays.sheet, table).worth(opened, carry))[0]
        worth: Floats = chance @ np.where(chance[:, None] > 0, arrays.worth(previous, before, mover, moved, lead), 0.0)
        return worth

    return check


class _GuidedTable(TurnTable):
    """A turn in which another table, the guide, says what is done."""

    def __init__(self, guide: TurnTable, worth: Floats) -> None:
        self.arrays, self.effect, self.guide = guide.arrays, guide.effect, guide
        ends, lefts = worth[guide.effects], range(len(guide.fill))
        self.fill = [self._fill(left, worth) for left in lefts]
        self.hand = [guide.chances.hands(left) @ ends for left in lefts]
        self.expected = [guide.chances.keeps(left) @ ends for left in lefts]

    def choice(self, left: int) -> Ints:
        return self.guide.choice(left)


@dataclass(frozen=True, eq=False, repr=False)
class AnswerSolution(DuelSolution):
    """The best answer to a player for points: as `DuelSolution`, but in the scorer's turns values are those of what he does.

    `turn_values` has the turn-start values that he plays by.
    """

    turn_values: Floats

    @cached_property
    def fingerprint(self) -> str:
        """Digest the rules and the objective."""
        return _fingerprint(self.arrays, self.objective)  # type: ignore[arg-type]

    @property
    def scorer(self) -> int:
        """Which player plays for points."""
        return int(self.objective.points)  # type: ignore[attr-defined]

    @property
    def _sides(self) -> tuple[Side, Side]:
        free, scorer = Side(layers=self.all_layers()), Side(table=np.asarray(self.turn_values))
        return (scorer, free) if self.scorer == 0 else (free, scorer)

    def _turn_table(self, opened: int, carry: int, *more: int) -> TurnTable:
        other = int(self.duel.outers.opened[more[0]])
        if (opened.bit_count() > other.bit_count()) != bool(self.scorer):
            return super()._turn_table(opened, carry, *more)
        worth = self._worth(*(np.array([one]) for one in (opened, carry, *more)))
        return _GuidedTable(self._scored_turn(opened, carry), worth[:, 0])

    @cached_property
    def _scored_turn(self) -> Any:
        return lru_cache(maxsize=128)(self._score_turn)

    def _score_turn(self, opened: int, carry: int) -> TurnTable:
        arrays = self.arrays
        worth = PointsValues(arrays, self.turn_values).worth(np.array([opened]), np.array([carry]))[:, 0]
        return TurnTable(arrays, opened, worth)

    def _choice(self, state: Any, best: Any, rows: list[Ranked]) -> int:
        """The place of what the scorer does in his turns; else of the first among the ties."""
        if self.game.mover(state) != self.scorer:
            return super()._choice(state, best, rows)
        action = self.scored(state)
        return next(place for place, row in enumerate(rows) if row.action == action)

    def scored(self, state: DuelTurn) -> Any:
        """Say what the player for points does."""
        net, boxes = self.arrays.lattice, self.arrays.n_boxes
        hand = net.number(state.turn.dice) - net.first_hand
        guide = self._scored_turn(*self.outer(state))
        place = int(guide.choice(state.turn.left)[hand])
        return self.sheet.names[place] if place < boxes else net.keeps[int(guide.keeps[hand, place - boxes])]

    def answer(self, policy: Any, player: int) -> "DuelSolution | None":
        return None

    def pack(self) -> PackedSolution:
        """Take it apart: its layers, and what the scorer plays by."""
        found = super().pack()
        return replace(found, arrays={**found.arrays, "table": np.asarray(self.turn_values)})

    def sections(self, found: Distribution | None, progress: Progress | None) -> list[Block]:
        return [Prose("The player for points takes the move with the highest expected score, whatever the other has.")]
