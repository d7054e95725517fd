"""Solve score sheets by their compact form, and answer from turn-start values: a turn is recomputed when it is asked for."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import pairwise
from os import cpu_count
from time import perf_counter
from typing import Any, Literal

import numpy as np

from rollwise.errors import EngineError, require
from rollwise.forms.base.solution import Number
from rollwise.forms.graph.certify import Certificate
from rollwise.forms.graph.values import UNIT
from rollwise.forms.sheets.kernels.expected_exact import ExactSheet, solve_exact
from rollwise.forms.sheets.reading import check_fits, sheet_bytes, sheet_form
from rollwise.forms.sheets.solution import TurnSolution, sample_outer, turn_by_hands
from rollwise.forms.sheets.turns import Floats, Kernel, SheetForm, fill_turn, layers, numpy_kernel, solve_sheet
from rollwise.games.sheet import Hand, Sheet, Turn
from rollwise.model.game import Progress
from rollwise.model.objective import Expected

__all__ = ["SheetEngine", "SheetSolution", "form_digest", "solve_sheet_game"]

Steps = list[tuple[dict[Any, Number], dict[Any, Number]]]

SheetEngine = Literal["sheet-numpy", "sheet-numba"]

LARGE = 100_000
"""Beyond this many outer states compiling is worth its two seconds."""


def solve_sheet_game(
    sheet: Sheet,
    *,
    exact: bool = False,
    engine: SheetEngine | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> "SheetSolution":
    """Solve a sheet for the highest expected total.

    Raises `GameError`, before anything is allocated, if its values do not fit into memory.
    """
    begun = perf_counter()
    check_fits(f"a sheet of {len(sheet.boxes)} boxes", sheet_bytes(sheet))
    form = sheet_form(sheet)
    total = len(sheet.boxes) + 1 if form.in_order else 1 << form.n_boxes

    def tick(done: int) -> None:
        if progress:
            progress("solving", done, total)

    if exact:
        table: Floats | ExactSheet = solve_exact(form, tick)
        name, certificate = "sheet-exact", Certificate(True, True, Fraction(0), Fraction(0), 0.0)
    else:
        name, kernel = _pick(form, engine)
        parallel = (threads or cpu_count() or 1) if kernel is not numpy_kernel else 1
        table = solve_sheet(form, kernel, threads=parallel, tick=tick)
        certificate = _certify(form, table)
    return SheetSolution(
        sheet, Expected(), certificate, name, perf_counter() - begun, form.n_outer, form.n_outer, form=form, table=table
    )


def _pick(form: SheetForm, engine: SheetEngine | None) -> tuple[SheetEngine, Kernel]:
    """Compiled code for large sheets, or when it is there already; both kernels give the same bits."""
    if engine is None:
        there = "rollwise.forms.sheets.kernels.expected_numba" in sys.modules
        engine = "sheet-numba" if there or form.n_outer > LARGE else "sheet-numpy"
    if engine == "sheet-numpy":
        return engine, numpy_kernel
    from rollwise.forms.sheets.kernels.expected_numba import numba_kernel  # noqa: PLC0415  (compiled code is loaded only where it is used)

    return engine, numba_kernel


def _certify(form: SheetForm, table: Floats) -> Certificate:
    """Bound the error of the recursion, and check some outer states against it by another way of calculating.

    Every turn fills a box, so every strategy ends. A mean over faces errs by at most (faces + 2) units, there are `count` in a
    row in each roll, and an effect adds one rounding; no value is larger than the most that all boxes can gain.
    """
    lattice = form.lattice
    largest = float(sum(np.abs(form.effect_gain[low:high]).max() for low, high in pairwise(form.effect_start)))
    per_turn = (form.rerolls + 1) * lattice.count * (lattice.faces + 2) + 2
    bound = 1.01 * form.n_boxes * per_turn * UNIT * largest
    opened, carry = sample_outer(form)
    residual = float(np.abs(turn_by_hands(form, fill_turn(form, table, opened, carry)) - table[opened, carry]).max())
    require(residual <= max(bound, 1e-12), "an outer state violates the optimality equation")
    return Certificate(False, True, residual, 0.0, bound)


def form_digest(form: SheetForm) -> str:
    """Digest the arrays of a form: the fingerprint of its solution."""
    digest = sha256(b"sheet")
    for name, array in sorted(vars(form).items()):
        if isinstance(array, np.ndarray):
            digest.update(f"{name} {array.shape}".encode() + array.tobytes())
    digest.update(str((form.lattice.count, form.lattice.faces, form.rerolls, form.in_order)).encode())
    return digest.hexdigest()[:16]


@dataclass(frozen=True, eq=False, repr=False)
class SheetSolution(TurnSolution):
    """A solved score sheet: turn-start values, from which any position is worked out when asked."""

    table: Floats | ExactSheet

    @cached_property
    def fingerprint(self) -> str:
        """Digest the arrays of the form."""
        return form_digest(self.form)

    @property
    def sheet(self) -> Sheet:
        """The sheet."""
        return self.game  # type: ignore[no-any-return]

    @property
    def floats(self) -> Floats:
        """The turn-start values by open boxes and carry. Raises `EngineError` for an exact solution, which has none."""
        if isinstance(self.table, ExactSheet):
            raise EngineError("an exact solution of a sheet keeps no table in floating point: solve it without exact=True")
        return self.table

    def _split(self, position: Any) -> tuple[Any, ...]:
        return (position,)

    def _end_value(self, opened: int, carry: int, *more: int) -> Number:
        return Fraction(0) if self.exact else 0.0

    def _start_value(self, opened: int, carry: int, *more: int) -> Number:
        return self.table.value(opened, carry) if isinstance(self.table, ExactSheet) else float(self.table[opened, carry])

    def _worth(self, opened: int, carry: int, *more: int) -> Floats:
        form, table, worth = self.form, self.floats, np.zeros(len(self.form.effect_gain))
        for box in form.boxes(opened):
            part = slice(form.effect_start[box], form.effect_start[box + 1])
            after = table[opened & ~(1 << box), form.effect_target[part, carry]]
            worth[part] = form.effect_gain[part, carry] + after
        return worth

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
        form, keeps = self.form, self.form.lattice.keeps
        first = form.lattice.first_hand
        value = [self._fill(opened, carry, hand) for hand in range(form.lattice.n_hands)]
        steps: Steps = [({}, dict(zip(keeps[first:], value, strict=True)))]
        for _ in range(form.rerolls):
            expected = self._expected(value)
            best = list(expected)
            for k in range(1, len(keeps)):
                best[k] = max(
                    [
                        best[k],
                        *(best[j] for j in form.lattice.fewer[form.lattice.fewer_start[k] : form.lattice.fewer_start[k + 1]]),
                    ]
                )
            value = best[first:]
            steps.append((dict(zip(keeps[:first], expected[:first], strict=True)), dict(zip(keeps[first:], value, strict=True))))
        return steps

    def _fill(self, opened: int, carry: int, hand: int) -> Number:
        form = self.form
        return max(
            int(form.effect_gain[effect, carry]) + self._start_value(opened & ~(1 << box), int(form.effect_target[effect, carry]))
            for box, effect in form.options(opened, hand)
        )

    def _expected(self, value: list[Number]) -> list[Number]:
        """The expected value of every keep; of a full hand, its own."""
        form = self.form
        table: list[Any] = [0] * form.lattice.first_hand + value
        share = Fraction(1, form.lattice.faces)
        for k in range(form.lattice.first_hand - 1, -1, -1):
            table[k] = sum([table[j] for j in form.lattice.more[k]][1:], table[form.lattice.more[k, 0]]) * share
        return table

    def _states(self) -> Iterator[Any]:
        for opened in sorted(int(mask) for layer in layers(self.form) for mask in layer):
            for carry in sorted(self.form.can_carry(opened)):
                primed, upper = divmod(carry, (self.game.bonus.threshold if self.game.bonus else 0) + 1)
                for left in range(self.form.rerolls, -1, -1):
                    for hand in self.game.hands:
                        yield Turn(opened, upper, bool(primed), hand, left)
