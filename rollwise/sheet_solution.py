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
import numpy.typing as npt

from rollwise.engines.certify import Certificate
from rollwise.engines.lattice import lattice
from rollwise.engines.turns import Floats, Ints, Kernel, SheetForm, fill_turn, layers, numpy_kernel, solve_sheet
from rollwise.engines.turns_exact import ExactSheet, solve_exact
from rollwise.engines.work import UNIT
from rollwise.errors import PositionError
from rollwise.game import Progress
from rollwise.objective import Expected
from rollwise.roll import dice
from rollwise.sheet_form import carry_number, check_fits, sheet_bytes, sheet_form
from rollwise.sheets import Sheet, Turn
from rollwise.solution import Number, Solution

__all__ = ["SheetEngine", "SheetSolution", "completions", "form_digest", "solve_sheet_game"]

SheetEngine = Literal["sheet-numpy", "sheet-numba"]

LARGE = 100_000
"""Beyond this many outer states compiling is worth its two seconds."""
SAMPLE = 8


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
        there = "rollwise.engines.turns_numba" in sys.modules
        engine = "sheet-numba" if there or form.n_outer > LARGE else "sheet-numpy"
    if engine == "sheet-numpy":
        return engine, numpy_kernel
    from rollwise.engines.turns_numba import numba_kernel  # noqa: PLC0415  (compiled code is loaded only where it is used)

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
    opened, carry = _sample(form)
    residual = float(np.abs(_by_hands(form, table, opened, carry) - table[opened, carry]).max())
    assert residual <= max(bound, 1e-12), "an outer state violates the optimality equation"
    return Certificate(False, True, residual, 0.0, bound)


def _sample(form: SheetForm) -> tuple[Ints, Ints]:
    """Outer states spread over the layers, always the same ones; the start is the first."""
    full = (1 << form.n_boxes) - 1
    spread = [] if form.in_order else [step * 2654435761 % full + 1 for step in range(1, SAMPLE)]
    opened = np.array([full, *spread], dtype=np.int64)
    carries = [form.carries(int(mask)) for mask in opened]
    return opened, np.array([own[step % len(own)] for step, own in enumerate(carries)])


def _by_hands(form: SheetForm, table: Floats, opened: Ints, carry: Ints) -> Floats:
    """The values of turns from whole hands and their weights, without the lattice's one-die steps."""
    weights, part = completions(form.lattice.count, form.lattice.faces)
    value = fill_turn(form, table, opened, carry)
    for _ in range(form.rerolls):
        expected = weights @ value
        value = np.maximum(value, np.where(part[:, :, None], expected, -np.inf).max(axis=1))
    result: Floats = weights[0] @ value
    return result


@lru_cache(maxsize=8)
def completions(count: int, faces: int) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Give for each partial keep the chance of each hand, and for each hand which keeps are part of it."""
    net = lattice(count, faces)
    weights = np.zeros((net.first_hand, net.n_hands))
    for k, keep in enumerate(net.keeps[: net.first_hand]):
        roll = dice(count - len(keep), faces)
        for rolled, weight in roll.items():
            weights[k, net.number(tuple(sorted(keep + rolled))) - net.first_hand] = weight / roll.total
    return weights, (weights > 0).T


def form_digest(form: SheetForm) -> str:
    """Digest the arrays of a form: the fingerprint of its solution."""
    digest = sha256(b"sheet")
    for name, array in sorted(vars(form).items()):
        if isinstance(array, np.ndarray):
            digest.update(f"{name} {array.shape}".encode() + array.tobytes())
    digest.update(str((form.lattice.count, form.lattice.faces, form.rerolls, form.in_order)).encode())
    return digest.hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class SheetSolution(Solution):
    """A solved score sheet: turn-start values, from which any position is worked out when asked."""

    form: SheetForm
    table: Floats | ExactSheet

    @cached_property
    def fingerprint(self) -> str:
        """Digest the arrays of the form."""
        return form_digest(self.form)

    def outer(self, turn: Turn) -> tuple[int, int]:
        """Give the outer state of a position: open boxes and carry. Raises `PositionError` if it does not occur."""
        found = self._outer(turn)
        if found is None:
            raise self._unknown(turn)
        return found

    def _outer(self, turn: Turn) -> tuple[int, int] | None:
        """The outer state of a position; None if it does not occur."""
        if not isinstance(turn, Turn):
            raise PositionError(f"{turn!r} is not a position of a score sheet: use read_state")
        carry = carry_number(self.game, turn.upper, turn.primed)
        if not 0 <= turn.open < 1 << self.form.n_boxes or not 0 <= carry < self.form.n_carries:
            return None
        if turn.primed and not carry_number(self.game, 0, True):
            return None
        if self.form.in_order and turn.open & (turn.open + (turn.open & -turn.open)) & ((1 << self.form.n_boxes) - 1):
            return None
        reachable = {*self.form.carries(turn.open).tolist(), *self.form.copies(turn.open)[0].tolist()}
        return (turn.open, carry) if carry in reachable else None

    def _state_value(self, state: Any) -> Number | None:
        outer = self._outer(state)
        if outer is None or not 0 <= state.left <= self.form.rerolls or len(state.dice) not in (0, self.game.count):
            return None
        if not state.open:
            return self._zero() if not state.dice and not state.left else None
        found: Number | None = self._turn(*outer)[state.left][1].get(state.dice)
        return found

    def _pending_value(self, pending: Any) -> Number | None:
        outer = self._outer(pending)
        if outer is None:
            return None
        if not pending.open:
            return self._zero() if not pending.dice and not pending.left else None
        if not 1 <= pending.left <= self.form.rerolls + 1 or (pending.left > self.form.rerolls and pending.dice):
            return None
        if pending.left > self.form.rerolls:
            return self._start_value(*outer)
        found: Number | None = self._turn(*outer)[pending.left][0].get(pending.dice)
        return found

    def _zero(self) -> Number:
        return Fraction(0) if self.exact else 0.0

    def _start_value(self, opened: int, carry: int) -> Number:
        return self.table.value(opened, carry) if isinstance(self.table, ExactSheet) else float(self.table[opened, carry])

    @cached_property
    def _turn(self) -> Any:
        return lru_cache(maxsize=64)(self._play_turn)

    def _play_turn(self, opened: int, carry: int) -> list[tuple[dict[Any, Number], dict[Any, Number]]]:
        """For each number of rolls left in the turn: values by dice kept (a roll is pending) and by hand."""
        form, keeps = self.form, self.form.lattice.keeps
        first = form.lattice.first_hand
        value = [self._fill(opened, carry, hand) for hand in range(form.lattice.n_hands)]
        steps: list[tuple[dict[Any, Number], dict[Any, Number]]] = [({}, dict(zip(keeps[first:], value, strict=True)))]
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

    def turn_effects(self, pending: Turn) -> dict[tuple[int, int], float]:
        """Follow the best strategy from a roll within a turn: the chance that the turn ends with (box, effect)."""
        opened, _ = self.outer(pending)
        mass: dict[Any, float] = {pending.dice: 1.0}
        ends: dict[tuple[int, int], float] = {}
        for left in range(pending.left - 1, -1, -1):
            hands: dict[Any, float] = {}
            for kept, chance in mass.items():
                roll = self.game.roll(pending._replace(dice=kept, left=left + 1))
                for state, weight in roll.items():
                    hands[state.dice] = hands.get(state.dice, 0.0) + chance * weight / roll.total
            mass = {}
            for hand, chance in hands.items():
                action = self.best(pending._replace(dice=hand, left=left))
                if isinstance(action, str):
                    box = self.game.names.index(action)
                    number = self.form.lattice.number(hand) - self.form.lattice.first_hand
                    effect = dict(self.form.options(opened, number))[box]
                    ends[box, effect] = ends.get((box, effect), 0.0) + chance
                else:
                    mass[action] = mass.get(action, 0.0) + chance
        return ends

    def begins_after(self, pending: Turn) -> list[tuple[int, int, int, float]]:
        """The outer states that follow a roll within a turn: (open boxes, carry, points of the turn, chance)."""
        opened, carry = self.outer(pending)
        if not opened or pending.left > self.form.rerolls:
            return [(opened, carry, 0, 1.0)]
        return [
            (
                opened & ~(1 << box),
                int(self.form.effect_target[effect, carry]),
                int(self.form.effect_gain[effect, carry]),
                chance,
            )
            for (box, effect), chance in self.turn_effects(pending).items()
        ]

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
        share: Any = Fraction(1, form.lattice.faces) if self.exact else 1.0 / form.lattice.faces
        for k in range(form.lattice.first_hand - 1, -1, -1):
            table[k] = sum([table[j] for j in form.lattice.more[k]][1:], table[form.lattice.more[k, 0]]) * share
        return table

    def _states(self) -> Iterator[Any]:
        for opened in sorted(int(mask) for layer in layers(self.form) for mask in layer):
            for carry in sorted({*self.form.carries(opened).tolist(), *self.form.copies(opened)[0].tolist()}):
                primed, upper = divmod(carry, (self.game.bonus.threshold if self.game.bonus else 0) + 1)
                for left in range(self.form.rerolls, -1, -1):
                    for hand in self.game.hands:
                        yield Turn(opened, upper, bool(primed), hand, left)
