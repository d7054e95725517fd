"""The turn starts of a sheet, numbered, and what a player can have gained before each and gain after it.

An *outer* is (open boxes, carry), carries that make no difference merged; those with fewest turns to come are first.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rollwise.solvers.sheets.arrays import Ints, SheetArrays, layers_with_end, with_classes

__all__ = ["FAR", "Moves", "Outers", "extreme_effects", "find_outers", "highest_total", "list_moves"]

FAR = 2**60
"""Beyond every total: where nothing was found yet."""
BLOCK = 1 << 14
"""Outers whose moves are listed at a time."""


@dataclass(frozen=True, eq=False)
class Outers:
    """The outers of a sheet, by turns to come: those with j are numbered `start[j]` to `start[j + 1] - 1`.

    `number[open, carry]` is the number of an outer (a merged carry has its chief's), -1 where it cannot occur. A player can gain
    `least` to `most` more; `got_least` to `got_most` can lie behind him.
    """

    start: Ints
    opened: Ints
    carry: Ints
    number: npt.NDArray[np.int32]
    most: Ints
    least: Ints
    got_most: Ints
    got_least: Ints

    def with_open(self, turns: int) -> slice:
        """Give the numbers of the outers with so many turns to come."""
        return slice(int(self.start[turns]), int(self.start[turns + 1]))

    def blocks(self, turns: int) -> Iterator[tuple[int, int]]:
        """Cut the outers with so many turns to come into blocks: first and end of each."""
        part = self.with_open(turns)
        return ((begin, min(begin + BLOCK, part.stop)) for begin in range(part.start, part.stop, BLOCK))


def find_outers(arrays: SheetArrays, begin: tuple[int, int] | None = None) -> Outers:
    """Number the outers of a sheet and bound what they can gain and what can lie behind them.

    With `begin`, open boxes and carry, only those whose open boxes can follow from there, and what is gained from there on counts
    as lying behind; of an outer that cannot follow, `got_most` is below `got_least`.
    """
    order = layers_with_end(arrays)
    if begin is not None:
        order = [masks[arrays.within(masks, begin[0])] for masks in order[: arrays.turns(begin[0]) + 1]]
    masks, counts = np.concatenate(order), [int(arrays.carry_count[masks].sum()) for masks in order]
    opened, place = with_classes(arrays, masks, arrays.carry_start)
    carry = arrays.carry_list[place]
    number = np.full((arrays.n_masks, arrays.n_carries), -1, dtype=np.int32)
    number[opened, carry] = np.arange(len(opened))
    copied, copy = with_classes(arrays, masks, arrays.copy_start)
    number[copied, arrays.copy_to[copy]] = number[copied, arrays.copy_from[copy]]
    zeros = [np.zeros(len(opened), dtype=np.int64) for _ in range(4)]
    outers = Outers(np.cumsum([0, *counts]), opened, carry, number, *zeros)
    _bound(arrays, outers, int(number[begin or (arrays.full, 0)]))
    return outers


def highest_total(arrays: SheetArrays) -> int:
    """Give the most that all boxes can pay together, with bonuses."""
    outers = find_outers(arrays)
    return int(outers.most[outers.number[arrays.full, 0]])


Moves = tuple[Ints, Ints, Ints, Ints]


def list_moves(arrays: SheetArrays, outers: Outers, begin: int, end: int, effects: Ints | None = None) -> Moves:
    """For each move of some outers, in order: which outer of them, the effect, the outer it leads to, the gain.

    `effects` are those that are looked at; default: all.
    """
    effects = np.arange(len(arrays.effect_gain)) if effects is None else effects
    box = arrays.box_of_effect[effects]
    opened, carry = outers.opened[begin:end], outers.carry[begin:end]
    place, which = np.nonzero(arrays.can_fill(opened[:, None], box))
    effect, own = effects[which], carry[place]
    target = outers.number[arrays.after(opened[place], box[which]), arrays.effect_target[effect, own]].astype(np.int64)
    return place, effect, target, arrays.effect_gain[effect, own]


def _bound(arrays: SheetArrays, outers: Outers, start: int) -> None:
    """Write `most` and `least`, from the full sheet backwards, then `got_most` and `got_least`, from an outer forwards."""
    effects, turns = extreme_effects(arrays), len(outers.start) - 2
    for left in range(1, turns + 1):
        for begin, end in outers.blocks(left):
            place, _, target, gain = list_moves(arrays, outers, begin, end, effects)
            first = np.searchsorted(place, np.arange(end - begin))
            outers.most[begin:end] = np.maximum.reduceat(gain + outers.most[target], first)
            outers.least[begin:end] = np.minimum.reduceat(gain + outers.least[target], first)
    outers.got_most[:], outers.got_least[:] = -FAR, FAR
    outers.got_most[start] = outers.got_least[start] = 0
    for left in range(turns, 0, -1):
        for begin, end in outers.blocks(left):
            place, _, target, gain = list_moves(arrays, outers, begin, end, effects)
            np.maximum.at(outers.got_most, target, gain + outers.got_most[begin + place])
            np.minimum.at(outers.got_least, target, gain + outers.got_least[begin + place])


def extreme_effects(arrays: SheetArrays) -> Ints:
    """The effects that can gain most or least: of those of a box that change nothing but the points, two."""
    found = np.flatnonzero(~arrays.plain_effects).tolist()
    for box in range(arrays.n_boxes):
        plain = [e for e in range(arrays.effect_start[box], arrays.effect_start[box + 1]) if arrays.plain_effects[e]]
        gain = [int(arrays.effect_gain[effect, 0]) for effect in plain]
        found += [plain[gain.index(pick(gain))] for pick in (min, max)] if plain else []
    return np.unique(found)
