"""A score sheet as arrays: what filling a box does, the joker rule, and which carries can occur.

An *outer state* is what a sheet remembers between turns: (open boxes, carry). Open boxes are the bits of a mask; the carry
numbers what else matters, the upper total and whether a joker earns its bonus.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from rollwise.forms.sheets.lattice import Lattice

__all__ = ["Floats", "Ints", "SheetArrays", "layers", "read_ragged"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = TypeVar("Mask", int, npt.NDArray[np.int64])


@dataclass(frozen=True, eq=False)
class SheetArrays:
    """The arrays of a score sheet.

    `hand_effect[box, hand]` numbers what filling a box does: it gains `effect_gain[effect, carry]` and leads to the carry
    `effect_target[effect, carry]`; `effect_start[box]` is where the effects of a box begin. For special hands (jokers) the effect
    depends on the open boxes: `special_effect[special, variant, box]`, -1 where the box may not be filled, with the variant
    `special_variant[open, special]`. `carry_class[open]` says which carries can occur: those listed in
    `carry_list[carry_start[class]:carry_start[class + 1]]` are computed, and `copy_to` are copied from `copy_from`.
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

    @property
    def n_carries(self) -> int:
        return int(self.effect_gain.shape[1])

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
    def _carry_sets(self) -> dict[int, frozenset[int]]:
        return {}

    @cached_property
    def box_of_effect(self) -> Ints:
        """The box that each effect fills."""
        return np.repeat(np.arange(self.n_boxes), np.diff(self.effect_start))

    @property
    def n_outer(self) -> int:
        """The number of (open boxes, carry) that can occur."""
        per_class = np.diff(self.carry_start) + np.diff(self.copy_start)
        masks = _in_order_masks(self.n_boxes) if self.in_order else slice(None)
        return int(per_class[self.carry_class[masks]].sum())

    def fillable(self, opened: Mask) -> Mask:
        """Give the open boxes that may be filled (jokers aside)."""
        return opened & -opened if self.in_order else opened

    def boxes(self, opened: int) -> list[int]:
        """List the boxes that may be filled (jokers aside)."""
        return [box for box in range(self.n_boxes) if self.fillable(opened) >> box & 1]

    def special_effects(self, special: int, opened: int | Ints) -> Ints:
        """Give the effect of filling each box, the last axis, with a special hand; -1 where the joker rule bars the box."""
        found: Ints = self.special_effect[special, self.special_variant[opened, special]]
        return found

    def effects(self, opened: int | Ints) -> Ints:
        """Give the effect of filling a box with a hand, by box, hand and then as `opened`; -1 where it may not be filled."""
        opened = np.asarray(opened)
        lanes = (1,) * opened.ndim
        effect = np.tile(self.hand_effect.reshape(*self.hand_effect.shape, *lanes), (1, 1, *opened.shape))
        for special, hand in enumerate(self.special_hand):
            effect[:, hand] = np.moveaxis(self.special_effects(special, opened), -1, 0)
        box = np.arange(self.n_boxes).reshape(-1, 1, *lanes)
        found: Ints = np.where(self.fillable(opened) >> box & 1, effect, -1)
        return found

    def hand_effects(self, opened: Ints, hand: Ints) -> Ints:
        """Give the effect of filling each box, the first axis, with one hand for each set of open boxes; -1: it may not be."""
        effect = self.hand_effect[:, hand]
        for special, one in enumerate(self.special_hand):
            those = np.flatnonzero(hand == one)
            effect[:, those] = self.special_effects(special, opened[those]).T
        found: Ints = np.where(self.fillable(opened) >> np.arange(self.n_boxes)[:, None] & 1, effect, -1)
        return found

    def options(self, opened: int, hand: int) -> list[tuple[int, int]]:
        """List (box, effect) for every box that may be filled with a hand."""
        special = self.special_index[hand]
        row = self.hand_effect[:, hand] if special < 0 else self.special_effects(special, opened)
        return [(box, int(row[box])) for box in self.boxes(opened) if row[box] >= 0]

    @cached_property
    def special_index(self) -> Ints:
        """For each hand its number among the special ones; -1: none of them."""
        index = np.full(self.lattice.n_hands, -1, dtype=np.int64)
        index[self.special_hand] = np.arange(len(self.special_hand))
        return index


def layers(form: SheetArrays) -> list[Ints]:
    """Group the sets of open boxes by their number, one box first."""
    n = form.n_boxes
    if form.in_order:
        return list(_in_order_masks(n)[1:, None])
    masks = np.arange(1 << n, dtype=np.int64)
    filled = np.bitwise_count(masks).astype(np.int64)
    order = np.argsort(filled, kind="stable")
    cuts = np.searchsorted(filled[order], np.arange(1, n + 1))
    return np.split(order, cuts)[1:]


def _in_order_masks(n_boxes: int) -> Ints:
    return np.array([((1 << k) - 1) << (n_boxes - k) for k in range(n_boxes + 1)], dtype=np.int64)


def read_ragged(values: Any, start: Ints, low: Ints, row: int, place: Ints) -> Any:
    """Read a row of ragged rows, which begins with the place `low[row]`, at some places: 0 below it and 1 above."""
    begin, end = start[row : row + 2]
    at = place - low[row]
    found = (at >= 0).astype(values.dtype)
    inside = (at >= 0) & (at < end - begin)
    found[inside] = values[begin + at[inside]]
    return found
