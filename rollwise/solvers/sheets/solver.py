"""The solvers of score sheets: the highest expected total, targets and opponents, a duel."""

from collections.abc import Mapping
from math import comb
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from rollwise.errors import GameError
from rollwise.games.sheets.rules import Sheet
from rollwise.model.abilities import rules_of
from rollwise.model.against import Against
from rollwise.model.game import Game
from rollwise.model.ids import read_position
from rollwise.model.message import Message
from rollwise.model.objective import Expected, Objective
from rollwise.model.objectives import AtLeast, Duel
from rollwise.model.policy import Policy
from rollwise.model.risk import RiskObjective
from rollwise.model.roll import dice
from rollwise.solvers.base.digest import digest
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import Evaluation, PackedSolution, Solution
from rollwise.solvers.base.solver import Solver
from rollwise.solvers.base.steps import Steps
from rollwise.solvers.sheets.arrays import layers_with_end
from rollwise.solvers.sheets.expected import SheetEngine, SheetSolution, evaluate_policy, solve_sheet_game
from rollwise.solvers.sheets.means import DUEL_ENGINES, KEEPS_PER_SECOND
from rollwise.solvers.sheets.outers import highest_total
from rollwise.solvers.sheets.packing import sheet_rules, unpack_arrays
from rollwise.solvers.sheets.reading import (
    least_positions,
    make_sheet_arrays,
    points_bytes,
    sheet_bytes,
    totals_are_dense,
    totals_span,
)
from rollwise.solvers.sheets.risk import PointsObjective, family_of
from rollwise.solvers.sheets.saved_rolls import SavedEngine, plan_saved, refuse_following, solve_saved, unpack_saved
from rollwise.solvers.sheets.standings import StandingRows
from rollwise.solvers.sheets.targets import PointsEngine, PointsSolution, evaluate_target_card, lift_sheet, solve_points_game

if TYPE_CHECKING:
    from rollwise.solvers.sheets.duel_plan import DuelPlan

__all__ = ["DuelSolver", "ExpectedSolver", "SavedSolver", "TargetSolver"]

AnyGame = Game[Any, Any, Any]

QUICK_SECONDS = 2.0
"""A game that is solved in less is always solved whole."""
SMALL_PART = 0.25
"""The largest share of a game that is solved alone."""


class SheetSolver(Solver):
    """What the solvers of a score sheet share: the rules they read."""

    what = "a score sheet"
    owner = Sheet
    reads = tuple(rule for rule in rules_of(Sheet) if rule != "cost")
    layered = True
    adding = ("saved_rolls",)

    def derived(self, game: Sheet) -> Mapping[str, Any]:
        return {
            "names": tuple(box.name for box in game.boxes), "hands": tuple(dice(game.count, game.die)), "saved_rolls": False,
        }  # fmt: skip

    def min_positions(self, game: Sheet) -> int:
        return least_positions(game)

    def steps(self, game: Sheet, count: int) -> Steps | None:
        from rollwise.solvers.sheets.steps import SheetSteps  # noqa: PLC0415  (loaded only for learning)

        return SheetSteps(game, count)

    def policy_reads(self, policy: Policy | None) -> tuple[str, ...]:
        return ("heuristic",) if getattr(policy, "name", "") == "greedy" else ()


def _seconds(game: Sheet, standings: int, options: SolveOptions) -> float:
    """Estimate the time from the size of the table of turn starts, and how many standings each has."""
    starts = sheet_bytes(game) / np.dtype(np.float64).itemsize
    keeps = comb(game.count + game.faces, game.faces)
    return starts * standings * (game.rerolls + 1) * keeps / (KEEPS_PER_SECOND["float64"] * options.threads)


class SavedSolver(SheetSolver):
    """A sheet with saved rolls for the highest expected total."""

    name = "saved"
    what = "a score sheet with saved rolls"
    engines = get_args(SavedEngine)
    objectives = (Expected,)
    precisions = ("float64", "float32")
    large = "layer-*"

    def is_candidate(self, game: AnyGame, objective: Objective) -> bool:
        return super().is_candidate(game, objective) and game.saved_rolls  # type: ignore[attr-defined]

    def derived(self, game: Sheet) -> Mapping[str, Any]:
        return {**super().derived(game), "saved_rolls": True}

    def key(self, game: Sheet, objective: Expected) -> str:
        return f"saved-{digest(sheet_rules(game))}"

    def plan(self, game: Sheet, objective: Expected, options: SolveOptions) -> Plan:
        return plan_saved(game, options)

    def solve(self, game: Sheet, objective: Expected, options: SolveOptions) -> Solution:
        return solve_saved(game, options)

    def unpack(self, game: Sheet, objective: Expected, packed: PackedSolution) -> Solution:
        return unpack_saved(game, objective, packed)

    def evaluate(self, game: Sheet, policy: Policy, objective: Expected, options: SolveOptions) -> Evaluation | None:
        """Leave it to the graph, where that is small."""
        refuse_following(game, options.max_states)
        return None


class ExpectedSolver(SheetSolver):
    """A sheet for the highest expected total."""

    name = "sheet"
    engines = get_args(SheetEngine)
    objectives = (Expected,)
    large = "table"
    exact = True

    def key(self, game: Sheet, objective: Expected) -> str:
        return f"sheet-{digest(sheet_rules(game))}"

    def plan(self, game: Sheet, objective: Expected, options: SolveOptions) -> Plan:
        return Plan(memory_bytes=sheet_bytes(game), seconds=_seconds(game, 1, options))

    def solve(self, game: Sheet, objective: Expected, options: SolveOptions) -> Solution:
        return solve_sheet_game(game, options)

    def unpack(self, game: Sheet, objective: Expected, packed: PackedSolution) -> Solution:
        arrays = unpack_arrays(game, packed.arrays, packed.rest)
        return SheetSolution(game, objective, *packed.head, arrays=arrays, turn_values=packed.arrays["table"])

    def evaluate(self, game: Sheet, policy: Policy, objective: Expected, options: SolveOptions) -> Evaluation | None:
        return evaluate_policy(game, policy, options.progress) if not options.exact else None


class TargetSolver(SheetSolver):
    """A sheet for a target, against an opponent or at a risk; one solution answers every target and every share of games."""

    name = "points"
    engines = get_args(PointsEngine)
    objectives = (AtLeast, Against, RiskObjective)
    chooses_targets = True
    large = "chance"

    def fits(self, game: Any, objective: Any, options: SolveOptions) -> bool:
        return not objective.few and (options.engine is not None or totals_are_dense(game))

    def key(self, game: Sheet, objective: PointsObjective) -> str:
        return f"points-{digest(sheet_rules(game), family_of(objective).key(objective))}"

    def plan(self, game: Sheet, objective: PointsObjective, options: SolveOptions) -> Plan:
        """Say what a chance for every turn start and total takes; those that cannot occur are left out, so it is less."""
        span = totals_span(game) + 1
        return Plan(memory_bytes=points_bytes(game), seconds=_seconds(game, span, options))

    def solve(self, game: Sheet, objective: PointsObjective, options: SolveOptions) -> Solution:
        return solve_points_game(game, objective, options)

    def part(self, game: Sheet, objective: PointsObjective, position: Any, options: SolveOptions) -> Any:
        """Give the start of a turn in a game that takes long, if at most a quarter of the sets of open boxes can follow.

        Solved for one turn after another, all parts together take less than the whole game. A plan whose target is not chosen
        yet needs the whole game.
        """
        if objective.needs_target or (self.plan(game, objective, options).seconds or 0) < QUICK_SECONDS:
            return None
        arrays = make_sheet_arrays(game)
        lifted = lift_sheet(game, arrays, objective)
        turn, points = read_position(lifted, position) if isinstance(position, str) else position
        sets = np.concatenate(layers_with_end(arrays))
        if not turn.open or arrays.within(sets, turn.open).mean() > SMALL_PART:
            return None
        return lifted.lift(turn._replace(dice=(), left=game.rerolls + 1), points)

    def solve_part(self, game: Sheet, objective: PointsObjective, start: Any, options: SolveOptions) -> Solution:
        return solve_points_game(game, objective, options, start)

    def check(self, game: Sheet, objective: PointsObjective) -> None:
        if objective.by_mean:
            return
        plain = sum(box.times * game.most(place) for place, box in enumerate(game.boxes))
        most = plain if objective.score(plain) else highest_total(make_sheet_arrays(game))
        if not objective.score(most):
            raise GameError(Message("aim.unreachable", {"most": most}))

    def unpack(self, game: Sheet, objective: PointsObjective, packed: PackedSolution) -> Solution:
        """Put a solution together for the target of the objective."""
        arrays, chance = unpack_arrays(game, packed.arrays, packed.rest), packed.arrays.pop("chance")
        rows, solved = StandingRows(**packed.arrays), family_of(objective).stored(objective, packed.rest)
        found = PointsSolution(lift_sheet(game, arrays, solved), solved, *packed.head, arrays=arrays, rows=rows, chance=chance)
        return found.for_objective(objective) or found

    def evaluate(self, game: Sheet, policy: Policy, objective: PointsObjective, options: SolveOptions) -> Evaluation | None:
        return (
            evaluate_target_card(game, policy, objective, options.progress)
            if not options.exact and totals_are_dense(game)
            else None
        )

    def stored_value(self, solution: Any, rest: Mapping[str, Any]) -> float | str:
        """Give the value for the target that the entry was written with."""
        solved = family_of(solution.objective).stored(solution.objective, rest)
        return super().stored_value(solution.for_objective(solved), rest)


class DuelSolver(SheetSolver):
    """Two players on two equal sheets, taking turns."""

    name = "duel"
    worth_seconds = 0.0
    engines = tuple(DUEL_ENGINES.values())
    objectives = (Duel,)
    precisions = ("float64", "float32")
    backends = tuple(DUEL_ENGINES)
    large = "layer-*"

    def fits(self, game: Any, objective: Any, options: SolveOptions) -> bool:
        """Read sheets whose boxes are filled once, and whose first rolls count as others do."""
        usual = not game.first_roll_counts and all(box.times == 1 for box in game.boxes)
        return usual and options.engine in (None, DUEL_ENGINES[options.backend.name])

    def min_positions(self, game: Sheet) -> int:
        """Count as for one sheet, for each pair of sets of open boxes: as many on both sides, or one fewer on the other's."""
        one, boxes = super().min_positions(game), len(game.boxes)
        every = (1 << boxes) - 1
        hands = len(game.hands) * (game.rerolls + 1)
        return 2 * one if one != every * hands else (comb(2 * boxes + 1, boxes) - 1) * hands

    def key(self, game: Sheet, objective: Duel) -> str:
        return f"duel-{digest(sheet_rules(game), objective.key)}"

    def plan(self, game: Sheet, objective: Duel, options: SolveOptions) -> "DuelPlan":
        from rollwise.solvers.sheets.duel_plan import plan_duel  # noqa: PLC0415  (loaded only where there is a duel)

        return plan_duel(game, options)

    def worker_bytes(self, game: Sheet, objective: Duel, options: SolveOptions) -> int:
        from rollwise.solvers.sheets.duel_arrays import rows_bytes  # noqa: PLC0415
        from rollwise.solvers.sheets.duel_plan import list_outers  # noqa: PLC0415

        return rows_bytes(list_outers(game)[1])

    def solve(self, game: Sheet, objective: Duel, options: SolveOptions) -> Solution:
        from rollwise.solvers.sheets.duel import solve_duel  # noqa: PLC0415
        from rollwise.solvers.sheets.duel_answer import solve_answer  # noqa: PLC0415

        return (solve_duel if objective.points is None else solve_answer)(game, objective, options)

    def unpack(self, game: Sheet, objective: Duel, packed: PackedSolution) -> Solution:
        from rollwise.solvers.sheets.duel import unpack_duel  # noqa: PLC0415
        from rollwise.solvers.sheets.duel_answer import unpack_answer  # noqa: PLC0415

        return (unpack_duel if objective.points is None else unpack_answer)(game, objective, packed)

    def evaluate(self, game: Sheet, policy: Policy, objective: Duel, options: SolveOptions) -> Evaluation | None:
        from rollwise.solvers.sheets.duel_follow import evaluate_duel  # noqa: PLC0415

        return evaluate_duel(game, policy, objective, options) if not options.exact else None
