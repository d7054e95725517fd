"""What compiled code takes, by name: arrays of a score sheet and its lattice. In compiled code a record costs nothing."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.lattice import sub_keeps

__all__ = ["Effects", "Hands", "Rolls", "Steps", "effects_of", "hands_of", "rolls_of", "steps_of"]


class Effects(NamedTuple):
    """What filling a box does: by box from `start` on, `gain` and `target` by effect and carry; `of_hand` by box and hand."""

    start: Ints
    gain: Any
    target: Ints
    of_hand: Any


class Hands(NamedTuple):
    """The effect of each hand in each box, and the joker rule: `special` numbers the special hands, -1 for others.

    `unit` is one time of each box and `field` all its bits, in the number that stands for the open boxes.
    """

    effect: Ints
    special: Ints
    special_hand: Ints
    special_effect: Ints
    special_variant: Ints
    in_order: bool
    unit: Ints
    field: Ints


class Steps(NamedTuple):
    """A turn on the keep lattice: `more` for rolling, with the `share` of each face, `fewer` for choosing; the `served` hands."""

    more: Ints
    share: Floats
    fewer_start: Ints
    fewer: Ints
    first_hand: int
    rerolls: int
    served: Ints


class Rolls(NamedTuple):
    """A turn that is followed: the chance of every hand, what is kept of it, as games list it; its column at the first roll."""

    more: Ints
    share: Floats
    first_hand: int
    n_hands: int
    chance: Floats
    keep_start: Ints
    keeps: Ints
    rerolls: int
    first: Ints


@lru_cache(maxsize=8)
def effects_of(arrays: SheetArrays, gain: type, number: type) -> Effects:
    """Give the effects of a sheet, gains and the numbers of effects in these types."""
    return Effects(arrays.effect_start, arrays.effect_gain.astype(gain), arrays.effect_target, arrays.hand_effect.astype(number))


@lru_cache(maxsize=4)
def hands_of(arrays: SheetArrays) -> Hands:
    """Give what can be done with each hand."""
    return Hands(
        arrays.hand_effect, arrays.special_index, arrays.special_hand, arrays.special_effect, arrays.special_variant,
        arrays.in_order,
        arrays.unit, arrays.field,
    )  # fmt: skip


@lru_cache(maxsize=4)
def steps_of(arrays: SheetArrays) -> Steps:
    """Give the steps of a turn."""
    net, served = arrays.lattice, np.array(arrays.served, dtype=np.int64)
    return Steps(net.more, net.share, net.fewer_start, net.fewer, net.first_hand, arrays.rerolls, served)


@lru_cache(maxsize=4)
def rolls_of(arrays: SheetArrays) -> Rolls:
    """Give what it takes to follow a turn."""
    net = arrays.lattice
    chance = (net.hand_weight / np.sum(net.hand_weight)).astype(np.float64)
    keeps = sub_keeps(net)
    return Rolls(net.more, net.share, net.first_hand, net.n_hands, chance, *keeps, arrays.rerolls, arrays.first_column)
