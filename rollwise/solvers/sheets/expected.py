"""Solve score sheets from their arrays, and answer from turn-start values: a turn is recomputed when it is queried."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import prod
from threading import Lock
from time import perf_counter
from typing import Any, Literal, cast

import numpy as np

from rollwise.errors import EngineError, GameError, require
from rollwise.games.sheets.boxes import Hand
from rollwise.games.sheets.rules import Sheet
from rollwise.model.game import Progress
from rollwise.model.objective import Expected
from rollwise.model.policy import Policy
from rollwise.solvers.base.abilities import EvaluatesCards, LooksAhead, Player, Tabulates
from rollwise.solvers.base.array_files import CacheError
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.card_evaluator import CardEvaluator
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.distribution import Distribution, Follow
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.memory_use import BYTES_A_POSITION, MemoryUse, memory_use
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import DerivedCache, Evaluation, Number, PackedSolution
from rollwise.solvers.base.tabulated import Tabulated
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays, layers
from rollwise.solvers.sheets.backward import numpy_starts, pick_kernel, solve_sheet
from rollwise.solvers.sheets.checking import exact_residual, sample_outer, turn_by_hands
from rollwise.solvers.sheets.effect_values import PointsValues
from rollwise.solvers.sheets.follow import (
    SIMPLE,
    Begin,
    ValueStrategy,
    evaluate_sheet,
    is_random,
    sheet_distributions,
)
from rollwise.solvers.sheets.kernels.expected_exact import ExactSheet, solve_exact, turn_fractions
from rollwise.solvers.sheets.outlook import Outlook
from rollwise.solvers.sheets.outlook_build import build_outlook, plan_outlook, score_span
from rollwise.solvers.sheets.packing import arrays_digest, pack_arrays
from rollwise.solvers.sheets.reading import make_sheet_arrays, sheet_bytes, totals_are_dense
from rollwise.solvers.sheets.reasons import exact_chances
from rollwise.solvers.sheets.report import sheet_sections
from rollwise.solvers.sheets.simulate import PlayedTurns, SheetPlayer, as_floats
from rollwise.solvers.sheets.solution import ListedTurns, OnePlayerSolution, is_small
from rollwise.solvers.sheets.tabulate import tabulate_sheet
from rollwise.solvers.sheets.turn import best_fill

__all__ = ["SheetEngine", "SheetSolution", "evaluate_policy", "solve_sheet_game"]

Steps = list[tuple[dict[Hand, Fraction], dict[Hand, Fraction]]]

SheetEngine = Literal["sheet-numpy", "sheet-numba"]

TOGETHER = 20_000
"""Turn starts, counted once for each roll, that are followed in one pass: more would take much memory."""
MOST_POSITIONS = 50_000
"""Positions of a score sheet whose totals are followed as a list: a few seconds."""
MANY = 1 << 62
MOST_SPAN = 10_000
"""Scores that a sheet may span, from 0 on, if distributions of all its turn starts are kept."""
SHELF = "outlook"
BATCH = 1 << 16
LARGE = 100_000
"""Beyond this many outer states compiling is worth its two seconds."""


def solve_sheet_game(sheet: Sheet, options: SolveOptions | None = None) -> "SheetSolution":
    """Solve a sheet for the highest expected total.

    Raises `GameError`, before anything is allocated, if its values do not fit into memory.
    """
    begun = perf_counter()
    options = options or SolveOptions()
    check_fits(f"a sheet of {len(sheet.boxes)} boxes", sheet_bytes(sheet))
    arrays = make_sheet_arrays(sheet)
    table: Any
    if options.exact:
        table, name, certificate = _solve_exactly(arrays, options)
    else:
        name, kernel = pick_kernel("sheet", numpy_starts, options.engine, large=arrays.n_outer > LARGE)
        own = replace(options, backend=options.backend.single_threaded()) if kernel is numpy_starts else options
        table = solve_sheet(arrays, kernel, own, fingerprint=arrays_digest(arrays))
        certificate = _certify(arrays, table)
    return SheetSolution(
        sheet,
        Expected(),
        certificate,
        name,
        perf_counter() - begun,
        arrays.n_outer,
        arrays.n_outer,
        arrays=arrays,
        turn_values=table,
    )


def _solve_exactly(arrays: SheetArrays, options: SolveOptions) -> tuple[ExactSheet, str, Certificate]:
    if options.checkpoint is not None:
        raise EngineError("exact values are not kept in layers: leave the checkpoint out")
    total = 1 + sum(map(len, layers(arrays)))
    table = solve_exact(arrays, lambda done: options.tick("solving", done, total))
    return table, "sheet-exact", _certify_exact(arrays, table)


def _certify(arrays: SheetArrays, table: Floats) -> Certificate:
    """Bound the error of the recursion, and check some outer states against it by another way of calculating.

    Every turn fills a box, so every strategy ends. An effect adds one rounding to those of a turn; no value is larger than the
    most that all boxes can gain.
    """
    bound = 1.01 * arrays.n_turns * (arrays.roundings + 2) * UNIT * arrays.largest_total
    opened, carry = sample_outer(arrays)
    fill = best_fill(arrays, opened, PointsValues(arrays, table).worth(opened, carry))
    residual = float(np.abs(turn_by_hands(arrays, fill) - table[opened, carry]).max())
    require(residual <= max(bound, 1e-12), "an outer state violates the optimality equation")
    return Certificate(residual=residual, error_bound=bound)


def _certify_exact(arrays: SheetArrays, table: ExactSheet) -> Certificate:
    """Check some outer states by another way of calculating; there is no rounding to bound."""
    residual = exact_residual(arrays, table)
    require(residual == 0, "an outer state violates the optimality equation")
    return Certificate(exact=True, ends=True, residual=residual, shortfall=Fraction(0), error_bound=0.0)


@dataclass(frozen=True, eq=False, repr=False)
class SheetSolution(ListedTurns, OnePlayerSolution, LooksAhead, EvaluatesCards, Tabulates):
    """A solved score sheet: turn-start values, from which any position is computed when it is queried."""

    solver_name = "sheet"

    turn_values: Floats | ExactSheet
    cache: DerivedCache | None = None

    @cached_property
    def fingerprint(self) -> str:
        """Digest the arrays of the sheet."""
        return arrays_digest(self.arrays)

    @property
    def floats(self) -> Floats:
        """The turn-start values by open boxes and carry. Raises `EngineError` for an exact solution, which has none."""
        if isinstance(self.turn_values, ExactSheet):
            raise EngineError("an exact solution of a sheet keeps no table in floating point: solve it without exact=True")
        return self.turn_values

    def _start_value(self, opened: int, carry: int, *more: int) -> Number:
        return (
            self.turn_values.value(opened, carry)
            if isinstance(self.turn_values, ExactSheet)
            else float(self.turn_values[opened, carry])
        )

    def worth_after(self, opened: int, carry: int, points: int, *more: int) -> Number | None:
        return points + self._start_value(opened, carry) if carry in self.arrays.can_carry(opened) else None

    def _ends(self, state: Any, action: Any) -> Iterator[tuple[int, Number]]:
        if not self.exact or isinstance(action, str):
            return super()._ends(state, action)
        return iter(self._exact_chances(*self.outer(state))[state.left][self.arrays.lattice.number(action)].items())

    @cached_property
    def _exact_chances(self) -> Any:
        return lru_cache(maxsize=64)(self._chances_in_fractions)

    def _chances_in_fractions(self, opened: int, carry: int) -> list[list[dict[int, Fraction]]]:
        """The chances of effects within a turn in fractions, for each number of rolls to come by dice kept."""
        arrays, worth = self.arrays, dict[int, Number]()
        for effect in {effect for hand in range(arrays.lattice.n_hands) for _, effect in arrays.options(opened, hand)}:
            left, target = arrays.after(opened, int(arrays.box_of_effect[effect])), int(arrays.effect_target[effect, carry])
            worth[effect] = int(arrays.effect_gain[effect, carry]) + self._start_value(left, target)
        kept = [values for values, _ in turn_fractions(arrays, cast("ExactSheet", self.turn_values), opened, carry)]
        return exact_chances(arrays, opened, worth, kept)

    def _worth(self, opened: Ints, carry: Ints, *more: Ints) -> Floats:
        return self._effect_values.worth(opened, carry)

    @property
    def _effect_values(self) -> PointsValues:
        return PointsValues(self.arrays, self.floats)

    def _hand_value(self, left: int, hand: Hand, opened: int, carry: int, *more: int) -> Number | None:
        if not self.exact:
            return super()._hand_value(left, hand, opened, carry)
        found: Number | None = self._exact_turns(opened, carry)[left][1].get(hand)
        return found

    def _keep_value(self, left: int, kept: Hand, opened: int, carry: int, *more: int) -> Number | None:
        if not self.exact:
            return super()._keep_value(left, kept, opened, carry)
        found: Number | None = self._exact_turns(opened, carry)[left][0].get(kept)
        return found

    @cached_property
    def _exact_turns(self) -> Any:
        return lru_cache(maxsize=64)(self._exact_turn)

    def _exact_turn(self, opened: int, carry: int) -> Steps:
        """The values within a turn in fractions: for each number of rolls left by dice kept, and by hand."""
        keeps, first = self.arrays.lattice.keeps, self.arrays.lattice.first_hand
        return [
            (dict(zip(keeps[:first] if kept else (), kept, strict=True)), dict(zip(keeps[first:], hands, strict=True)))
            for kept, hands in turn_fractions(self.arrays, cast("ExactSheet", self.turn_values), opened, carry)
        ]

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution | None:
        return None if self.exact or self._few_and_far else super().distribution(policy, pending, follow)

    def distributions(self, pendings: list[Any], follow: Follow) -> list[Distribution] | None:
        """Follow its own strategy from several rolls; a small sheet in one pass."""
        if self.exact or not totals_are_dense(self.sheet):
            return None
        found: list[Distribution] = []
        step = max(1, TOGETHER // self.arrays.n_outer)
        for part in (pendings[first : first + step] for first in range(0, len(pendings), step)):
            found += self._together([self.begins_after(pending) for pending in part], follow)
        return found

    def _together(self, begins: list[list[Begin]], follow: Follow) -> list[Distribution]:
        """Follow several beginnings with as many turns to come; those of a game that was won at once have none."""
        going = [begin for begin in begins if begin[0][0]]
        if 0 < len(going) < len(begins):
            rest, won = iter(self._together(going, follow)), Distribution("points", 0, np.ones(1))
            return [next(rest) if begin[0][0] else won for begin in begins]
        own = ValueStrategy(self.arrays, self._effect_values)
        return sheet_distributions(self.sheet, own, begins, max_bytes=follow.max_bytes, progress=follow.progress)

    def quick_distributions(self, pendings: list[Any], follow: Follow, *, build: bool = False) -> list[Distribution] | None:
        """Mix the distributions stored for every turn start."""
        if self.exact or not pendings:
            return None
        outlook = self._outlooks.find(self, follow, build)
        if outlook is None:
            return None
        try:
            return outlook.distributions([self.begins_after(pending) for pending in pendings])
        except CacheError as error:
            self._outlooks.drop(self, error.reason)
            return self.quick_distributions(pendings, follow, build=build)

    def quick_plan(self) -> Plan | None:
        """Say what the distributions of all turn starts take."""
        return None if self.exact or self._outlooks.find(self, Follow(), False) else self._outlooks.plan(self)

    def with_cache(self, cache: DerivedCache) -> "SheetSolution":
        """Keep the distributions of turn starts there."""
        return replace(self, cache=cache)

    @cached_property
    def _outlooks(self) -> "_Outlooks":
        return _Outlooks()

    @property
    def _few_and_far(self) -> bool:
        """Whether the totals lie so far apart that the positions, if they are few, are better followed one by one."""
        positions = self.states * self.arrays.lattice.n_hands * (self.arrays.rerolls + 1)
        return positions <= MOST_POSITIONS and not totals_are_dense(self.sheet)

    def memory_use(self) -> MemoryUse:
        return {**super().memory_use(), **self._outlooks.memory_use}

    def _solved_memory(self) -> MemoryUse:
        exact = isinstance(self.turn_values, ExactSheet)
        return {id(self.turn_values): BYTES_A_POSITION * self.states} if exact else super()._solved_memory()

    def player(self, policy: Policy | None, tick: Callable[[int], None]) -> Player | None:
        """Play many games a turn at a time, or by a strategy card."""
        if policy is None:
            values = PointsValues(self.arrays, as_floats(self.turn_values, self.arrays))

            def turns(opened: Ints, carry: Ints) -> PlayedTurns:
                return PlayedTurns(self.arrays, opened, values.worth(opened, carry))

            return Player(SheetPlayer(self.arrays, turns, tick).play, BATCH)
        followed = self.followed_card(policy)
        return None if followed is None else followed.player(tick)

    def card_evaluator(self, progress: Progress | None = None) -> CardEvaluator | None:
        """Evaluate strategy cards on the sheet's arrays."""
        if self.exact:
            return None
        from rollwise.solvers.sheets.card_evaluator import sheet_card_evaluator  # noqa: PLC0415  (compiled code is loaded only where it is used)

        return sheet_card_evaluator(self, progress)

    def steps(self, state: Any) -> int:
        """Count turn starts and carries; an exact solution is followed only on request."""
        lanes = int(np.diff(self.arrays.carry_start).max())
        fewer = [int(left) + 1 for left in (state.open & self.arrays.field) // self.arrays.unit]
        return MANY if self.exact else lanes * prod(fewer)

    def sections(self, found: Distribution | None, progress: Progress | None) -> list[Block]:
        """Tell what each box is worth, and the hardest decisions of the first turn."""
        return sheet_sections(self, lambda sheet: float(solve_sheet_game(sheet).value()), found, progress)

    def pack(self) -> PackedSolution:
        arrays, rest = pack_arrays(self.arrays)
        return PackedSolution.of(self, {**arrays, "table": self.turn_values}, rest)

    def tabulate(self, follow: Follow, *, build: bool = False) -> Tabulated | None:
        return (
            None if self.exact else tabulate_sheet(self.sheet, self.arrays, self.floats, self._outlooks.find(self, follow, build))
        )


class _Outlooks:
    """The distributions of a solution's turn starts, once they are there: computed, or from its cache."""

    def __init__(self) -> None:
        self.found: Outlook | None = None
        self.lock = Lock()

    @property
    def memory_use(self) -> MemoryUse:
        """What they take, if they are there."""
        return memory_use(self.found.arrays.values()) if self.found else {}

    def plan(self, solution: SheetSolution) -> Plan | None:
        """Say what working them out takes; None for a sheet whose scores span too much."""
        return plan_outlook(solution.arrays) if score_span(solution.arrays) <= MOST_SPAN else None

    def find(self, solution: SheetSolution, follow: Follow, build: bool) -> Outlook | None:
        """Give them, if need be after working them out; None if they are not there."""
        if self.found is None:
            self.found = self._shelved(solution)
        if self.found is None and build and self.plan(solution):
            with self.lock:
                self.found = self.found or self._build(solution, follow)
        return self.found

    def _shelved(self, solution: SheetSolution) -> Outlook | None:
        kept = solution.cache.get(solution, SHELF) if solution.cache else None
        return Outlook(solution.arrays, solution.turn_values, **kept.arrays) if kept else None

    def _build(self, solution: SheetSolution, follow: Follow) -> Outlook:
        begun = perf_counter()
        value = np.asarray(solution.turn_values)
        found = build_outlook(solution.arrays, value, max_bytes=follow.max_bytes, progress=follow.progress)
        if solution.cache:
            kept = PackedSolution.of(solution, found.arrays, {"error": found.worst})
            head = kept.head._replace(engine="outlook", seconds=perf_counter() - begun)
            solution.cache.put(solution, SHELF, replace(kept, head=head))
        return found

    def drop(self, solution: SheetSolution, reason: str) -> None:
        """Forget them, as their files are damaged."""
        self.found = None
        if solution.cache:
            solution.cache.drop(SHELF, reason)


def _evaluate_card(sheet: Sheet, card: Any, progress: Progress | None) -> Evaluation | None:
    """Compute what a strategy card is worth; None: the graph of the game is better, or must do."""
    if is_small(make_sheet_arrays(sheet)):
        return None
    from rollwise.solvers.sheets.card_follow import evaluate_card  # noqa: PLC0415  (compiled code is loaded only where it is used)

    return evaluate_card(sheet, card, progress)


def evaluate_policy(sheet: Sheet, policy: Policy, progress: Progress | None) -> Evaluation | None:
    """Compute what a policy is worth on a sheet; None: it is not one that the arrays can follow."""
    name = getattr(policy, "name", "")
    if name == "card":
        return _evaluate_card(sheet, policy, progress)
    if name not in ("optimal", *SIMPLE):
        return None
    values = None
    if name == "optimal":
        solution: Any = policy.solution  # type: ignore[attr-defined]
        if solution.solver_name == "graph":
            return None
        if not isinstance(solution, SheetSolution) or solution.exact:
            raise GameError("this policy's solution is not that of a score sheet in floating point: solve the sheet itself")
        if solution.game is not sheet and arrays_digest(make_sheet_arrays(sheet)) != solution.fingerprint:
            raise GameError("this policy's solution is that of another sheet: solve the sheet itself")
        values = np.asarray(solution.turn_values)
    value, residual, bound = evaluate_sheet(sheet, values, random=is_random(policy), progress=progress)
    require(residual <= max(bound, 1e-12), "what an outer state is worth under a strategy does not follow from its turn")
    return Evaluation(value, Certificate(residual=residual, error_bound=bound))
