"""Follow a strategy through a score sheet, layer by layer: its exact worth, and the exact distribution of the final score."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rollwise.forms.graph.values import UNIT
from rollwise.forms.sheets.kernels.outcomes import effect_chances, push
from rollwise.forms.sheets.kernels.standings_outcomes import standing_chances
from rollwise.forms.sheets.lattice import lattice
from rollwise.forms.sheets.reading import check_fits, sheet_form
from rollwise.forms.sheets.standings import Rows
from rollwise.forms.sheets.turns import Floats, Ints, SheetForm, layers
from rollwise.games.sheet import Sheet, keeps_of
from rollwise.model.game import Progress

__all__ = ["SheetSpread", "Standings", "evaluate_sheet", "keep_lists", "spread_sheet"]

BLOCK = 4096


@dataclass(frozen=True, eq=False)
class Standings:
    """A guide that sees the score: rows of chances by standing, which is the score followed plus `shift`."""

    rows: Rows
    chance: Floats
    shift: int


def keep_lists(sheet: Sheet) -> tuple[Ints, Ints]:
    """List the keeps of every hand in the order of the game, as lattice numbers."""
    net = lattice(sheet.count, sheet.faces)
    rows = [[net.number(keep) for keep in keeps_of(hand)] for hand in net.keeps[net.first_hand :]]
    return np.cumsum([0, *map(len, rows)]), np.array([k for row in rows for k in row], dtype=np.int64)


def _table(form: SheetForm, guide: Any) -> Floats:
    if guide is not None and not isinstance(guide, Standings):
        return np.asarray(guide)
    return np.zeros(((1 << form.n_boxes) + 1, form.n_carries))


def _outer(form: SheetForm, layer: Ints) -> Iterator[tuple[Ints, Ints]]:
    """The outer states of a layer that are computed (not copied), in blocks."""
    opened: list[int] = []
    carry: list[int] = []
    for mask in layer.tolist():
        own = form.carries(mask)
        opened += [mask] * len(own)
        carry += own.tolist()
        if len(opened) >= BLOCK:
            yield np.array(opened), np.array(carry)
            opened, carry = [], []
    if opened:
        yield np.array(opened), np.array(carry)


def evaluate_sheet(sheet: Sheet, guide: Any, *, random: bool = False, progress: Progress | None = None) -> tuple[float, float]:
    """Give the expected total of a strategy and a bound on its error: guided by a table, by greed for the turn (None), or random.

    Chances are sums and products of positive numbers, so each turn adds at most as many units of relative error as it has steps.
    """
    form = sheet_form(sheet)
    table, keeps, box = _table(form, guide), keep_lists(sheet), form.box_of_effect
    worth = np.full(table.shape, np.nan)
    worth[0, form.carries(0)] = 0.0
    worth[0, form.copies(0)[0]] = 0.0
    done = 0
    for layer in layers(form):
        for opened, carry in _outer(form, layer):
            chance = effect_chances(form, keeps, table, random, opened, carry)
            after = worth[opened[:, None] & ~(1 << box), form.effect_target[:, carry].T]
            total = form.effect_gain[:, carry].T + after
            worth[opened, carry] = np.where(chance > 0, chance * np.where(chance > 0, total, 0.0), 0.0).sum(axis=1)
            done += len(opened)
            if progress:
                progress("following", done, form.n_outer)
        for mask in layer.tolist():
            to, source = form.copies(mask)
            worth[mask, to] = worth[mask, source]
    net = form.lattice
    steps = net.n_hands + (form.rerolls + 1) * net.count * (net.faces + 2) + len(form.effect_gain) + 8
    largest = float(max(np.nanmax(worth), -np.nanmin(worth))) + float(np.abs(form.effect_gain).max())
    return float(worth[(1 << form.n_boxes) - 1, 0]), 1.01 * form.n_boxes * steps * UNIT * largest


@dataclass(frozen=True, eq=False)
class SheetSpread:
    """The chance of every final score (from `lowest` on), and of the points in every box, under a strategy."""

    lowest: int
    chance: Floats
    box_points: dict[str, dict[int, float]]
    bonus: float | None


Begin = tuple[int, int, int, float]
"""Where following begins: open boxes, carry, score so far, and the chance of it."""


def spread_sheet(
    sheet: Sheet, guide: Any, *, random: bool = False, begin: list[Begin] | None = None, progress: Progress | None = None
) -> SheetSpread:
    """Follow a strategy forwards: mass by (open boxes, carry, score so far), two layers in memory.

    `begin` lists outer states with the same number of open boxes; default: the start. Raises `GameError`, before anything is
    allocated, if the layers do not fit.
    """
    form = sheet_form(sheet)
    begin = begin or [((1 << form.n_boxes) - 1, 0, 0, 1.0)]
    follower = _Follower(sheet, form, _table(form, guide), random, max(abs(score) for _, _, score, _ in begin))
    if isinstance(guide, Standings):
        follower.standings = guide
    order = _part([np.array([0]), *layers(form)], [opened for opened, _, _, _ in begin])
    follower.check_memory(order)
    mass = follower.first(begin, order[-1])
    for turn, (layer, after) in enumerate(zip(order[::-1], order[-2::-1], strict=False), 1):
        mass = follower.advance(mass, layer, after)
        if progress:
            progress("following", turn, len(order) - 1)
    return SheetSpread(-follower.zero, mass.sum(axis=0), follower.points(), follower.bonus_chance())


def _part(order: list[Ints], opened: list[int]) -> list[Ints]:
    """The layers that can be reached from some sets of open boxes: their subsets."""
    count = opened[0].bit_count()
    if len(opened) == 1 and count == len(order) - 1:
        return order
    return [layer[np.any([(layer & ~mask) == 0 for mask in opened], axis=0)] for layer in order[: count + 1]]


class _Follower:
    """Carries the distribution from layer to layer. Column `zero` is a score of 0; rows are the outer states of a layer."""

    def __init__(self, sheet: Sheet, form: SheetForm, table: Floats, random: bool, most_before: int) -> None:
        self.sheet, self.form, self.table, self.random = sheet, form, table, random
        self.keeps, self.box = keep_lists(sheet), form.box_of_effect
        most = [form.effect_gain[low:high].max() for low, high in pairwise(form.effect_start)]
        least = [min(0, form.effect_gain[low:high].min()) for low, high in pairwise(form.effect_start)]
        self.zero = most_before - int(sum(least))
        self.n_scores = int(sum(most)) + most_before + self.zero + 1
        self.effect_mass = np.zeros(form.effect_gain.shape)
        self.row_of = np.zeros((1 << form.n_boxes, form.n_carries), dtype=np.int32)
        self.standings: Standings | None = None

    def check_memory(self, order: list[Ints]) -> None:
        """Refuse a sheet whose two largest neighbouring layers do not fit."""
        lanes = np.diff(self.form.carry_start)[self.form.carry_class]
        rows = [int(lanes[layer].sum()) for layer in order]
        check_fits(
            f"the spread of {len(self.sheet.boxes)} boxes",
            8 * self.n_scores * max((a + b for a, b in pairwise(rows)), default=rows[0]),
        )

    def first(self, begin: list[Begin], layer: Ints) -> Floats:
        """Give the mass to begin with, by row of the first layer."""
        mass = np.zeros((self._number(layer), self.n_scores))
        for opened, carry, score, chance in begin:
            mass[self.row_of[opened, carry], self.zero + score] += chance
        return mass

    def _number(self, layer: Ints) -> int:
        """Number the outer states of a layer; those of equal worth share a row."""
        rows = 0
        for mask in layer.tolist():
            own, (to, source) = self.form.carries(mask), self.form.copies(mask)
            self.row_of[mask, own] = np.arange(rows, rows + len(own))
            self.row_of[mask, to] = self.row_of[mask, source]
            rows += len(own)
        return rows

    def advance(self, mass: Floats, layer: Ints, after: Ints) -> Floats:
        """Play one turn from every outer state of a layer that has mass."""
        result = np.zeros((self._number(after), self.n_scores))
        begin = 0
        for opened, carry in _outer(self.form, layer):
            part = mass[begin : begin + len(opened)]
            live = np.flatnonzero(part.any(axis=1))
            if live.size:
                self._turn(part[live], opened[live], carry[live], result)
            begin += len(opened)
        return result

    def _turn(self, mass: Floats, opened: Ints, carry: Ints, result: Floats) -> None:
        if self.standings is not None:
            self._turn_by_standing(self.standings, mass, opened, carry, result)
            return
        chance = effect_chances(self.form, self.keeps, self.table, self.random, opened, carry)
        shift = np.ascontiguousarray(self.form.effect_gain[:, carry].T)
        target = self.row_of[opened[:, None] & ~(1 << self.box), self.form.effect_target[:, carry].T]
        moved = np.zeros(chance.shape)
        push(mass, chance, target, shift, result, moved)
        np.add.at(self.effect_mass.T, carry, moved)

    def _turn_by_standing(self, guide: Standings, mass: Floats, opened: Ints, carry: Ints, result: Floats) -> None:
        """Play one turn, score by score, as what is best depends on it."""
        lanes, columns = np.nonzero(mass)
        for begin in range(0, len(lanes), BLOCK):
            lane, column = lanes[begin : begin + BLOCK], columns[begin : begin + BLOCK]
            standing = column - self.zero + guide.shift
            chance = standing_chances(self.form, self.keeps, guide.rows, guide.chance, opened[lane], carry[lane], standing)
            i, effect = np.nonzero(chance)
            own = lane[i]
            moved = chance[i, effect] * mass[own, column[i]]
            target = self.row_of[opened[own] & ~(1 << self.box[effect]), self.form.effect_target[effect, carry[own]]]
            np.add.at(result, (target, column[i] + self.form.effect_gain[effect, carry[own]]), moved)
            np.add.at(self.effect_mass, (effect, carry[own]), moved)

    def points(self) -> dict[str, dict[int, float]]:
        """The chance of the points that go into every box, bonuses left out."""
        result: dict[str, dict[int, float]] = {name: {} for name in self.sheet.names}
        plain = self.form.effect_gain.min(axis=1)
        for effect, row in enumerate(self.effect_mass):
            name = self.sheet.names[int(self.box[effect])]
            chance = float(row.sum())
            if chance:
                result[name][int(plain[effect])] = result[name].get(int(plain[effect]), 0.0) + chance
        return {name: dict(sorted(points.items())) for name, points in result.items()}

    def bonus_chance(self) -> float | None:
        """The chance of the upper bonus; None if the sheet has none."""
        if self.sheet.bonus is None:
            return None
        threshold = self.sheet.bonus.threshold
        before = np.arange(self.form.n_carries) % (threshold + 1)
        after = self.form.effect_target % (threshold + 1)
        return float(self.effect_mass[(before < threshold) & (after == threshold)].sum())
