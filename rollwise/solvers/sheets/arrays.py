"""A score sheet as arrays: what filling a box does, the joker rule, and which carries can occur.

An *outer state* is what a sheet remembers between turns: (open boxes, carry). Open boxes are the bits of a mask; the carry
numbers what else matters, the upper total and whether a joker earns its bonus.

A box that is filled several times has several bits, which count the times to come. Where the first roll of a turn counts for
more, the hands for which it does follow the others once more, as *served* hands: `hand_effect` has a column for each of them.
A game that was won at once is one whose carry is `over`: formally it goes on, and nothing gains any more.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.games.sheets.boxes import box_fields
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.sheets.lattice import Lattice

__all__ = ["Floats", "Ints", "SheetArrays", "layers", "layers_with_end", "with_classes"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SheetArrays:
    """The arrays of a score sheet.

    `hand_effect[box, hand]` numbers what filling a box does: it gains `effect_gain[effect, carry]` and leads to the carry
    `effect_target[effect, carry]`; `effect_start[box]` is where the effects of a box begin. For special hands (jokers) the effect
    depends on the open boxes: `special_effect[special, variant, box]`, -1 where the box may not be filled, with the variant
    `special_variant[open, special]`. `carry_class[open]` says which carries can occur: those listed in
    `carry_list[carry_start[class]:carry_start[class + 1]]` are computed, and `copy_to` are copied from `copy_from`.

    Boxes are filled `times` times, () for once each; `served` are the hands for which the first roll counts for more; `wins`:
    the last carry is that of a game that was won at once.
    """

    lattice: Lattice
    rerolls: int
    n_boxes: int
    in_order: bool
    effect_start: Ints
    effect_gain: Ints
    effect_target: Ints
    hand_effect: Ints
    special_hand: Ints
    special_effect: Ints
    special_variant: Ints
    carry_class: Ints
    carry_start: Ints
    carry_list: Ints
    copy_start: Ints
    copy_to: Ints
    copy_from: Ints
    times: tuple[int, ...] = ()
    served: tuple[int, ...] = ()
    wins: bool = False

    @property
    def roundings(self) -> int:
        """By how many units a turn is wrong at most: a mean over faces by (faces + 2), `count` in a row in each roll."""
        return (self.rerolls + 1) * self.lattice.count * (self.lattice.faces + 2)

    @property
    def n_carries(self) -> int:
        return int(self.effect_gain.shape[1])

    @property
    def over(self) -> int:
        """The carry of a game that was won at once; -1: there is none."""
        return self.n_carries - 1 if self.wins else -1

    @property
    def live_gain(self) -> Ints:
        """What effects gain, by carry, in a game that is not over."""
        return self.effect_gain[:, : self.over] if self.wins else self.effect_gain

    @cached_property
    def fills(self) -> Ints:
        """How often each box is filled."""
        return np.array(self.times or (1,) * self.n_boxes, dtype=np.int64)

    @cached_property
    def _fields(self) -> list[tuple[int, int]]:
        return list(zip(*box_fields(self.fills.tolist()), strict=True))

    @cached_property
    def unit(self) -> Ints:
        """One time of each box, in the number that stands for the open boxes."""
        return np.array([unit for unit, _ in self._fields], dtype=np.int64)

    @cached_property
    def field(self) -> Ints:
        """All bits of each box."""
        return np.array([field for _, field in self._fields], dtype=np.int64)

    @cached_property
    def full(self) -> int:
        """All boxes open."""
        return int((self.fills * self.unit).sum())

    @property
    def n_masks(self) -> int:
        """Numbers that may stand for open boxes: all below this one."""
        return int(self.field.sum()) + 1

    @property
    def n_turns(self) -> int:
        """The turns of a game."""
        return int(self.fills.sum())

    def turns(self, opened: Any) -> Any:
        """Count the turns to come with these open boxes, or with each of many sets of them."""
        if not self.times:
            return opened.bit_count() if isinstance(opened, int) else np.bitwise_count(opened).astype(np.int64)
        return sum((opened & field) // unit for unit, field in self._fields)

    def after(self, opened: Any, box: Any) -> Any:
        """Give the open boxes once a box is filled; the same where it is not open."""
        if isinstance(opened, int):
            unit, field = self._fields[box]
            return opened - unit if opened & field else opened
        if not self.times:
            return opened & ~self.unit[box]
        return opened - self.unit[box] * ((opened & self.field[box]) != 0)

    def can_fill(self, opened: Any, box: Any) -> Any:
        """Say whether a box may be filled (jokers aside), with open boxes or with each of many sets of them."""
        if isinstance(opened, int):
            unit, field = self._fields[box]
            return opened & field != 0 and not (self.in_order and opened & (unit - 1))
        found = (opened & self.field[box]) != 0
        return found & ((opened & (self.unit[box] - 1)) == 0) if self.in_order else found

    @cached_property
    def first_column(self) -> Ints:
        """For each hand its place among hands and served hands, at the first roll."""
        column = np.arange(self.lattice.n_hands)
        column[list(self.served)] = np.arange(len(self.served)) + self.lattice.n_hands
        return column

    def column(self, hand: int, left: int) -> int:
        """Give the place of a hand with some rerolls left among hands and served hands."""
        return int(self.first_column[hand]) if left == self.rerolls else hand

    def at(self, rows: Any, left: int, axis: int = 0) -> Any:
        """Give the rows of all hands with some rerolls left, of rows in which the served ones follow."""
        if not self.served:
            return rows
        columns = self.first_column if left == self.rerolls else np.arange(self.lattice.n_hands)
        return np.take(rows, columns, axis)

    def occurs(self, opened: int) -> bool:
        """Say whether a number stands for open boxes that can occur."""
        if self.in_order:
            return opened in self._in_order
        if not self.times:
            return 0 <= opened <= self.full
        return 0 <= opened <= self.full and all(opened & field <= self.full & field for _, field in self._fields)

    @cached_property
    def _in_order(self) -> frozenset[int]:
        return frozenset(_in_order_masks(self).tolist())

    def within(self, masks: Ints, opened: int) -> npt.NDArray[np.bool_]:
        """Say of each set of open boxes whether it can come of another one."""
        found: npt.NDArray[np.bool_] = np.all([(masks & field) <= opened & field for _, field in self._fields], axis=0)
        return found

    def carries(self, opened: int) -> Ints:
        """List the carries to compute with these open boxes."""
        place = self.carry_class[opened]
        return self.carry_list[self.carry_start[place] : self.carry_start[place + 1]]

    def copies(self, opened: int) -> tuple[Ints, Ints]:
        """List the other carries that can occur, and which ones have the same value."""
        part = slice(*self.copy_start[self.carry_class[opened] : self.carry_class[opened] + 2])
        return self.copy_to[part], self.copy_from[part]

    def can_carry(self, opened: int) -> frozenset[int]:
        """Give the carries that can occur with these open boxes, copies included."""
        place = int(self.carry_class[opened])
        if place not in self._carry_sets:
            self._carry_sets[place] = frozenset(self.carries(opened).tolist()) | frozenset(self.copies(opened)[0].tolist())
        return self._carry_sets[place]

    @cached_property
    def carry_count(self) -> Ints:
        """How many carries are computed with each set of open boxes."""
        found: Ints = np.diff(self.carry_start)[self.carry_class]
        return found

    @cached_property
    def _carry_sets(self) -> dict[int, frozenset[int]]:
        return {}

    @cached_property
    def box_of_effect(self) -> Ints:
        """The box that each effect fills."""
        return np.repeat(np.arange(self.n_boxes), np.diff(self.effect_start))

    @cached_property
    def box_gains(self) -> list[Ints]:
        """What the effects of each box gain, by effect and carry."""
        return np.split(self.effect_gain, self.effect_start[1:-1])

    @property
    def largest_total(self) -> int:
        """The most that all boxes can gain, or cost."""
        return sum(int(times * np.abs(gain).max()) for times, gain in zip(self.fills, self.box_gains, strict=True))

    @cached_property
    def plain_effects(self) -> npt.NDArray[np.bool_]:
        """Whether each effect changes nothing but the points, by as many whatever the carry."""
        same = self.effect_gain == self.effect_gain[:, :1]
        found: npt.NDArray[np.bool_] = (same & (self.effect_target == np.arange(self.n_carries))).all(axis=1)
        return found

    @property
    def n_outer(self) -> int:
        """The number of (open boxes, carry) that can occur."""
        per_class = np.diff(self.carry_start) + np.diff(self.copy_start)
        if self.in_order or self.times or self.wins:
            masks = np.concatenate(layers_with_end(self))
            over = sum(self.over in self.can_carry(mask) for mask in masks.tolist())
            return int(per_class[self.carry_class[masks]].sum()) - over
        return int(per_class[self.carry_class].sum())

    def boxes(self, opened: int) -> list[int]:
        """List the boxes that may be filled (jokers aside)."""
        return [box for box in range(self.n_boxes) if self.can_fill(opened, box)]

    def special_effects(self, special: int, opened: int | Ints) -> Ints:
        """Give the effect of filling each box, the last axis, with a special hand; -1 where the joker rule bars the box."""
        found: Ints = self.special_effect[special, self.special_variant[opened, special]]
        return found

    def effects(self, opened: int | Ints) -> Ints:
        """Give the effect of filling a box with a hand, by box, hand and then as `opened`; -1 where it may not be filled.

        Served hands follow the others.
        """
        opened = np.asarray(opened)
        lanes = (1,) * opened.ndim
        effect = np.tile(self.hand_effect.reshape(*self.hand_effect.shape, *lanes), (1, 1, *opened.shape))
        for special, hand in enumerate(self.special_hand):
            effect[:, hand] = np.moveaxis(self.special_effects(special, opened), -1, 0)
        box = np.arange(self.n_boxes).reshape(-1, 1, *lanes)
        found: Ints = np.where(self.can_fill(opened, box), effect, -1)
        return found

    def hand_effects(self, opened: Ints, hand: Ints) -> Ints:
        """Give the effect of filling each box, the first axis, with one hand for each set of open boxes; -1: it may not be."""
        effect = self.hand_effect[:, hand]
        for special, one in enumerate(self.special_hand):
            those = np.flatnonzero(hand == one)
            effect[:, those] = self.special_effects(special, opened[those]).T
        found: Ints = np.where(self.can_fill(opened, np.arange(self.n_boxes)[:, None]), effect, -1)
        return found

    def options(self, opened: int, hand: int) -> list[tuple[int, int]]:
        """List (box, effect) for every box that may be filled with a hand."""
        special = self.special_index[hand]
        row = self.hand_effect[:, hand] if special < 0 else self.special_effects(special, opened)
        return [(box, int(row[box])) for box in self.boxes(opened) if row[box] >= 0]

    @cached_property
    def special_index(self) -> Ints:
        """For each hand its number among the special ones; -1: none of them."""
        index = np.full(self.hand_effect.shape[1], -1, dtype=np.int64)
        index[self.special_hand] = np.arange(len(self.special_hand))
        return index


def layers(arrays: SheetArrays) -> list[Ints]:
    """Group the sets of open boxes by the turns to come, one first."""
    if arrays.in_order:
        return list(_in_order_masks(arrays)[1:, None])
    masks = np.arange(arrays.n_masks, dtype=np.int64)
    if arrays.times:
        masks = masks[arrays.within(masks, arrays.full)]
    filled = arrays.turns(masks)
    order = np.argsort(filled, kind="stable")
    cuts = np.searchsorted(filled[order], np.arange(1, arrays.n_turns + 1))
    return np.split(masks[order], cuts)[1:]


def layers_with_end(arrays: SheetArrays) -> list[Ints]:
    """Group the sets of open boxes by the turns to come, those of the full sheet, none, first."""
    return [np.zeros(1, dtype=np.int64), *layers(arrays)]


def with_classes(arrays: SheetArrays, masks: Ints, start: Ints) -> tuple[Ints, Ints]:
    """List sets of open boxes, once for every place of their carry class; and these places, which `start` says by class."""
    of_class = arrays.carry_class[masks]
    return np.repeat(masks, start[of_class + 1] - start[of_class]), gather(start, of_class)[0]


def _in_order_masks(arrays: SheetArrays) -> Ints:
    """The sets of open boxes when they are filled from first to last, none first."""
    found = [arrays.full]
    while found[-1]:
        found.append(arrays.after(found[-1], arrays.boxes(found[-1])[0]))
    return np.array(found[::-1], dtype=np.int64)
