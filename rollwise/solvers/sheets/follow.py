"""Follow a strategy through a score sheet, layer by layer: its exact worth, and the exact distribution of the final score."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from rollwise.games.sheets.rules import Sheet
from rollwise.model.game import Progress
from rollwise.model.policy import Policy
from rollwise.solvers.base.distribution import Distribution, trim
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.numbers import TIE, UNIT
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays, layers, layers_with_end
from rollwise.solvers.sheets.checking import policy_by_hands, sample_outer
from rollwise.solvers.sheets.effect_values import EffectValues, PointsValues
from rollwise.solvers.sheets.outcomes import ChancesKernel, PushKernel, numpy_chances, numpy_push
from rollwise.solvers.sheets.reading import make_sheet_arrays, read_carry, sheet_bytes

__all__ = [
    "CLOSER",
    "SIMPLE",
    "Begin",
    "Strategy",
    "ValueStrategy",
    "describe_ends",
    "evaluate_sheet",
    "is_random",
    "outer_blocks",
    "sheet_distribution",
    "sheet_distributions",
    "simple_strategy",
]  # fmt: skip

BLOCK = 4096
SLICE = 512
"""Outer states that are followed between two reports of progress: some hundredths of a second."""
SIMPLE = ("greedy", "random")
"""Policies, by name, that are followed on the arrays of a sheet without a solution."""


def is_random(policy: Policy | None) -> bool:
    """Say whether a policy takes any action with the same chance."""
    return getattr(policy, "name", "") == "random"


CLOSER = "use fewer boxes, or points that lie closer together"
LARGE = 4_000
"""Beyond this many outer states compiling is worth its five seconds."""


def _kernels(arrays: SheetArrays) -> tuple[ChancesKernel, PushKernel]:
    """Compiled code where there is much to follow, or when it is there already."""
    if arrays.n_outer <= LARGE and "rollwise.solvers.sheets.kernels.outcomes_numba" not in sys.modules:
        return numpy_chances, numpy_push
    from rollwise.solvers.sheets.kernels.outcomes_numba import numba_chances, numba_push  # noqa: PLC0415  (loaded only where it is used)

    return numba_chances, numba_push


class Strategy(Protocol):
    """What is done on a sheet, on arrays with all that it sees."""

    @property
    def arrays(self) -> SheetArrays:
        """The arrays of the sheet."""

    def chances(self, opened: Ints, carry: Ints, *more: Ints) -> Floats:
        """Give the chance of each effect by turn start; `more` is what else a turn start consists of."""


@dataclass(frozen=True, eq=False)
class ValueStrategy:
    """Does what is best by effect values; without them, anything with the same chance."""

    arrays: SheetArrays
    values: EffectValues | None

    def chances(self, opened: Ints, carry: Ints, *more: Ints) -> Floats:
        worth = None if self.values is None else self.values.worth(opened, carry, *more)
        return self._kernel(self.arrays, opened, worth, TIE if self.values is None else self.values.tie)

    @cached_property
    def _kernel(self) -> ChancesKernel:
        return _kernels(self.arrays)[0]


def simple_strategy(arrays: SheetArrays, policy: Policy | None) -> ValueStrategy:
    """Play at random, or else by greed for the points of the turn."""
    return ValueStrategy(arrays, None if is_random(policy) else PointsValues(arrays, _no_value(arrays)))


def _no_value(arrays: SheetArrays) -> Floats:
    return np.zeros((arrays.n_masks + 1, arrays.n_carries))


def outer_blocks(arrays: SheetArrays, layer: Ints, size: int = BLOCK) -> Iterator[tuple[Ints, Ints]]:
    """Give the outer states of a layer that are computed (not copied), in blocks of about `size`."""
    opened: list[int] = []
    carry: list[int] = []
    for mask in layer.tolist():
        own = arrays.carries(mask)
        opened += [mask] * len(own)
        carry += own.tolist()
        if len(opened) >= size:
            yield np.array(opened), np.array(carry)
            opened, carry = [], []
    if opened:
        yield np.array(opened), np.array(carry)


def evaluate_sheet(
    sheet: Sheet, value: Floats | None, *, random: bool = False, progress: Progress | None = None
) -> tuple[float, float, float]:
    """Give the expected total of a strategy, the residual on a sample of turns, and a bound on its error.

    The strategy plays by turn-start values, by greed for the turn (None), or at random.

    Chances are sums and products of positive numbers, so each turn adds at most as many units of relative error as it has steps.
    """
    arrays = make_sheet_arrays(sheet)
    table, box = _no_value(arrays) if value is None else value, arrays.box_of_effect
    strategy = ValueStrategy(arrays, None if random else PointsValues(arrays, table))
    worth = np.full(table.shape, np.nan)
    worth[0, arrays.carries(0)] = 0.0
    worth[0, arrays.copies(0)[0]] = 0.0
    done = 0
    for layer in layers(arrays):
        for opened, carry in outer_blocks(arrays, layer):
            chance = strategy.chances(opened, carry)
            after = worth[arrays.after(opened[:, None], box), arrays.effect_target[:, carry].T]
            total = arrays.effect_gain[:, carry].T + after
            worth[opened, carry] = np.where(chance > 0, chance * np.where(chance > 0, total, 0.0), 0.0).sum(axis=1)
            done += len(opened)
            if progress:
                progress("following", done, arrays.n_outer)
        for mask in layer.tolist():
            to, source = arrays.copies(mask)
            worth[mask, to] = worth[mask, source]
    steps = arrays.lattice.n_hands + arrays.roundings + len(arrays.effect_gain) + 8
    largest = float(max(np.nanmax(worth), -np.nanmin(worth))) + float(np.abs(arrays.effect_gain).max())
    opened, carry = sample_outer(arrays)
    again = policy_by_hands(arrays, table, worth, opened, carry, random=random)
    residual = float(np.abs(again - worth[opened, carry]).max())
    return float(worth[arrays.full, 0]), residual, 1.01 * arrays.n_turns * steps * UNIT * largest


Begin = tuple[int, int, int, float]
"""Where following begins: open boxes, carry, score so far, and the chance of it."""


def sheet_distribution(
    sheet: Sheet,
    strategy: Strategy,
    *,
    begin: list[Begin] | None = None,
    max_bytes: int | None = None,
    progress: Progress | None = None,
) -> Distribution:
    """Follow a strategy forwards to the chance of every final score, of the points in every box, and of the bonus.

    `begin` lists outer states with the same number of open
    boxes; default: the start. Raises `GameError`, before anything is allocated, if the layers do not fit into memory, or into
    `max_bytes`.
    """
    check_fits(f"the distribution of {len(sheet.boxes)} boxes", sheet_bytes(sheet), max_bytes)
    follower = _Follower(sheet, strategy, [begin or [(strategy.arrays.full, 0, 0, 1.0)]])
    (chance,) = follower.run(max_bytes, progress)
    ends = describe_ends(sheet, follower.arrays, follower.effect_mass)
    return trim(Distribution("points", follower.windows[0][0], chance, **ends))


def sheet_distributions(
    sheet: Sheet,
    strategy: Strategy,
    begins: list[list[Begin]],
    *,
    max_bytes: int | None = None,
    progress: Progress | None = None,
) -> list[Distribution]:
    """Follow a strategy from several beginnings in one pass: for each of them the chance of every score.

    All outer states to begin with have the same number of open boxes. Raises `GameError` if the layers do not fit.
    """
    follower = _Follower(sheet, strategy, begins)
    return [trim(Distribution("points", follower.windows[0][0], chance)) for chance in follower.run(max_bytes, progress)]


Window = tuple[int, int]
"""The lowest score of a layer, and how many numbers there are up to the highest."""


def _windows(sheet: Sheet, arrays: SheetArrays, begin: list[Begin]) -> list[Window]:
    """For each number of boxes still open, the scores that can be reached, or a few more.

    So many turns bring at most as many of the best boxes, the bonus once, and jokers after the turn that fills their box.
    """
    fields = zip(arrays.unit.tolist(), arrays.field.tolist(), strict=True)
    left = [max((mask & field) // unit for mask, _, _, _ in begin) for unit, field in fields]
    opened = [box for box, times in enumerate(left) for _ in range(times)]
    effects = [slice(*arrays.effect_start[box : box + 2]) for box in opened]
    jumps, joker = sheet.bonus.jumps if sheet.bonus else (0,), sheet.joker.bonus if sheet.joker else 0
    bonus, usual = sum(jumps), min(*jumps, joker) >= 0
    plain = arrays.live_gain.min(axis=1) if usual else arrays.live_gain.max(axis=1)
    most = sorted((int(plain[own].max()) for own in effects), reverse=True)
    least = sorted(int(arrays.effect_gain[own].min()) for own in effects)
    first = 0 if any(carry for _, carry, _, _ in begin) else 1
    lowest, highest = min(score for _, _, score, _ in begin), max(score for _, _, score, _ in begin)
    found = []
    for turns in range(arrays.turns(begin[0][0]), -1, -1):
        low = lowest + sum(least[:turns])
        extra = bonus + joker * max(turns - first, 0) if usual and turns else 0
        found.append((low, highest + sum(most[:turns]) + extra - low + 1))
    return found


def _part(arrays: SheetArrays, opened: list[int]) -> list[Ints]:
    """The layers that can be reached from some sets of open boxes: their subsets."""
    order, count = layers_with_end(arrays), arrays.turns(opened[0])
    if len(opened) == 1 and count == len(order) - 1:
        return order
    return [layer[np.any([arrays.within(layer, mask) for mask in opened], axis=0)] for layer in order[: count + 1]]


class _Follower:
    """Carries distributions from layer to layer: mass by (open boxes, carry, score so far), two layers in memory.

    Rows are the outer states of a layer, columns the scores of its window. Several distributions lie side by side; then all
    layers have the same window, so that no score leads from one into the next.
    """

    def __init__(self, sheet: Sheet, strategy: Strategy, begins: list[list[Begin]]) -> None:
        self.sheet, self.strategy, self.arrays = sheet, strategy, strategy.arrays
        self.begins = begins
        every = [one for begin in begins for one in begin]
        self.order = _part(self.arrays, [opened for opened, _, _, _ in every])
        self.windows = _windows(sheet, self.arrays, every)
        if len(begins) > 1:
            low = min(first for first, _ in self.windows)
            self.windows = [(low, max(first + count for first, count in self.windows) - low)] * len(self.order)
        self.box = self.arrays.box_of_effect
        self.push = _kernels(self.arrays)[1]
        self.effect_mass = np.zeros(self.arrays.effect_gain.shape)
        self.row_of = np.zeros((self.arrays.n_masks, self.arrays.n_carries), dtype=np.int32)

    def run(self, max_bytes: int | None, progress: Progress | None) -> Floats:
        """Give the chance of every score at the end, by beginning."""
        check_fits(f"the distribution of {len(self.sheet.boxes)} boxes", self._needs(), max_bytes, cure=CLOSER)
        mass = self._first()
        for layer in range(len(self.order) - 1, 0, -1):
            mass = self._advance(mass, layer, progress)
        found: Floats = mass.sum(axis=0).reshape(len(self.begins), -1)
        return found

    def _needs(self) -> int:
        """Say how many bytes the two largest neighbouring layers take, and the numbers of their rows."""
        lanes = self.arrays.carry_count
        wide = zip(self.order, self.windows, strict=True)
        sizes = [8 * int(lanes[layer].sum()) * width * len(self.begins) for layer, (_, width) in wide]
        return self.row_of.nbytes + max((a + b for a, b in pairwise(sizes)), default=sizes[0])

    def _first(self) -> Floats:
        """Give the mass to begin with, by row of the first layer."""
        low, width = self.windows[-1]
        mass = np.zeros((self._number(self.order[-1]), width * len(self.begins)))
        for copy, begin in enumerate(self.begins):
            for opened, carry, score, chance in begin:
                mass[self.row_of[opened, carry], copy * width + score - low] += chance
        return mass

    def _number(self, layer: Ints) -> int:
        """Number the outer states of a layer; those of equal worth share a row."""
        rows = 0
        for mask in layer.tolist():
            own, (to, source) = self.arrays.carries(mask), self.arrays.copies(mask)
            self.row_of[mask, own] = np.arange(rows, rows + len(own))
            self.row_of[mask, to] = self.row_of[mask, source]
            rows += len(own)
        return rows

    def _advance(self, mass: Floats, layer: int, progress: Progress | None) -> Floats:
        """Play one turn from every outer state of a layer that has mass."""
        result = np.zeros((self._number(self.order[layer - 1]), self.windows[layer - 1][1] * len(self.begins)))
        begin = 0
        for opened, carry in outer_blocks(self.arrays, self.order[layer], SLICE):
            part = mass[begin : begin + len(opened)]
            live = np.flatnonzero(part.any(axis=1))
            if live.size:
                self._turn(part[live], opened[live], carry[live], layer, result)
            if progress:
                progress("following", len(self.order) - layer, len(self.order) - 1)
            begin += len(opened)
        return result

    def _turn(self, mass: Floats, opened: Ints, carry: Ints, layer: int, result: Floats) -> None:
        (low, _), (low_after, _) = self.windows[layer], self.windows[layer - 1]
        chance = self.strategy.chances(opened, carry)
        shift = np.ascontiguousarray(self.arrays.effect_gain[:, carry].T) + (low - low_after)
        target = self.row_of[self.arrays.after(opened[:, None], self.box), self.arrays.effect_target[:, carry].T]
        moved = np.zeros(chance.shape)
        self.push(mass, chance, target, shift, result, moved)
        np.add.at(self.effect_mass.T, carry, moved)


def describe_ends(sheet: Sheet, arrays: SheetArrays, effect_mass: Floats) -> dict[str, Any]:
    """Give what a distribution says about boxes and the bonus, from how often each effect occurs with each carry."""
    steps = _bonus_steps(sheet, arrays, effect_mass)
    return {
        "box_points": _box_points(sheet, arrays, effect_mass), "bonus": next(iter(steps.values()), None), "bonus_steps": steps,
    }  # fmt: skip


def _box_points(sheet: Sheet, arrays: SheetArrays, effect_mass: Floats) -> dict[str, dict[int, float]]:
    """The chance of the points that go into every box, bonuses left out."""
    result: dict[str, dict[int, float]] = {name: {} for name in sheet.names}
    plain = arrays.effect_gain[:, sheet.bonus.threshold if sheet.bonus else 0]
    for effect, row in enumerate(effect_mass[:, : arrays.live_gain.shape[1]]):
        name = sheet.names[int(arrays.box_of_effect[effect])]
        chance = float(row.sum())
        if chance:
            result[name][int(plain[effect])] = result[name].get(int(plain[effect]), 0.0) + chance
    return {name: dict(sorted(points.items())) for name, points in result.items()}


def _bonus_steps(sheet: Sheet, arrays: SheetArrays, effect_mass: Floats) -> dict[int, float]:
    """The chance of each step of the upper bonus, by its threshold."""
    before = read_carry(sheet, np.arange(arrays.n_carries)).upper
    after = read_carry(sheet, arrays.effect_target).upper
    steps = [threshold for threshold, _ in sheet.bonus.steps] if sheet.bonus else []
    return {step: float(effect_mass[(before < step) & (after >= step)].sum()) for step in steps}
