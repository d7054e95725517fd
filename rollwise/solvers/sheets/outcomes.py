"""What one turn of a score sheet leads to under a strategy: the chance of every effect.

A strategy is either uniformly random or guided by a table of values: it does what would be best if the table were true (the
solution's own table: the optimal strategy; zeros: greed for the turn). For an outer state the turn is first solved backwards
with the guide, then followed forwards: hands by their chances, kept dice completed one die at a time, until a box is filled.

Actions are listed as the game lists them, boxes in order and then keeps, and the first within a relative 1e-9
of the best is taken, so that decisions are those of every other engine. Two kernels share this contract: NumPy (here), for sheets
so small that a compiler would take longer, and Numba (`outcomes_numba`).
"""

from collections.abc import Callable
from itertools import islice

import numpy as np

from rollwise.solvers.base.choosing import first_best
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.lattice import Lattice, keep_rows
from rollwise.solvers.sheets.turn import turn_tables

__all__ = ["ChancesKernel", "PushKernel", "numpy_chances", "numpy_push"]

ChancesKernel = Callable[[SheetArrays, Floats, bool, Ints, Ints], Floats]
"""Called with (arrays, guide, random, open boxes, carries): gives the chance of each effect by outer state."""
PushKernel = Callable[[Floats, Floats, Ints, Ints, Floats, Floats], None]
"""Called with (mass, chance, target, shift, out, effect mass): passes score distributions on to what effects lead to."""

LANES = 64


def numpy_chances(arrays: SheetArrays, guide: Floats, random: bool, opened: Ints, carry: Ints) -> Floats:
    """Give, for every outer state and effect, the chance that the turn ends with it: many states at a time."""
    out = np.zeros((len(opened), len(arrays.effect_gain)))
    for begin in range(0, len(opened), LANES):
        turn = _Turn(arrays, opened[begin : begin + LANES], carry[begin : begin + LANES], out[begin : begin + LANES])
        if random:
            turn.follow_random()
        else:
            turn.follow_guide(guide)
    return out


class _Turn:
    """The turns from some outer states, the lanes. Actions of a hand are boxes in order, then keeps.

    `effect[box, hand, lane]` is the effect of a fill, served hands last, -1 where it is not allowed; `keeps[hand]` lists
    keeps, -1 after the last.
    """

    def __init__(self, arrays: SheetArrays, opened: Ints, carry: Ints, out: Floats) -> None:
        self.arrays, self.net, self.opened, self.carry, self.out = arrays, arrays.lattice, opened, carry, out
        self.keeps = keep_rows(self.net.count, self.net.faces)
        self.effect = arrays.effects(opened)
        self.hand, self.lane = np.arange(self.net.n_hands)[:, None], np.arange(len(opened))
        chance = self.net.hand_weight / self.net.hand_weight.sum()
        self.mass = np.repeat(chance[:, None], len(opened), axis=1)

    def follow_guide(self, guide: Floats) -> None:
        """Take with every hand the first action that ties with the best, and add up the chance of each effect."""
        for left, chosen in reversed(list(enumerate(self._choices(guide)))):
            fills = chosen < self.arrays.n_boxes
            effect = self.arrays.at(self.effect, left, 1)[np.where(fills, chosen, 0), self.hand, self.lane]
            _add(self.out.T, np.where(fills, effect, 0), self.lane, np.where(fills, self.mass, 0.0))
            keep = self.keeps[self.hand, np.where(fills, 0, chosen - self.arrays.n_boxes)]
            self._roll(keep, np.where(fills, 0.0, self.mass))

    def _choices(self, guide: Floats) -> list[Ints]:
        """By rolls left, none first, the place of the action of every hand."""
        fill = self._worth(guide)[self.effect, self.lane]
        found = [first_best(self.arrays.at(fill, 0, 1))]
        for left, table in enumerate(islice(turn_tables(self.arrays, fill.max(axis=0)), self.arrays.rerolls), 1):
            found.append(first_best(np.concatenate([self.arrays.at(fill, left, 1), table[self.keeps.T]])))
        return found

    def _worth(self, guide: Floats) -> Floats:
        """What every effect is worth, its gain included; in a last row minus infinity."""
        worth = np.full((len(self.arrays.effect_gain) + 1, len(self.lane)), -np.inf)
        after = self.arrays.after(self.opened, self.arrays.box_of_effect[:, None])
        worth[:-1] = self.arrays.effect_gain[:, self.carry] + guide[after, self.arrays.effect_target[:, self.carry]]
        return worth

    def follow_random(self) -> None:
        """Take every action with the same chance, and add up the chance of each effect."""
        for left in range(self.arrays.rerolls, -1, -1):
            n_keeps = (self.keeps >= 0).sum(axis=1) if left else np.zeros(self.net.n_hands, dtype=np.int64)
            effects = self.arrays.at(self.effect, left, 1)
            share = self.mass / ((effects >= 0).sum(axis=0) + n_keeps[:, None])
            for effect in effects:
                _add(self.out.T, np.maximum(effect, 0), self.lane, np.where(effect >= 0, share, 0.0))
            kept = np.where(np.arange(self.keeps.shape[1]) < n_keeps[:, None], self.keeps, -1).T[:, :, None]
            self._roll(np.maximum(kept, 0), np.where(kept >= 0, share, 0.0))

    def _roll(self, kept: Ints, mass: Floats) -> None:
        """Roll what is not kept of some hands."""
        rolled = np.zeros((len(self.net.keeps), len(self.lane)))
        _add(rolled, kept, self.lane, mass)
        _complete(self.net, rolled)
        self.mass = rolled[self.net.first_hand :]


def _add(table: Floats, row: Ints, lane: Ints, number: Floats) -> None:
    """Add numbers to places of a table, some of them several times."""
    rows, lanes = table.shape
    place = np.broadcast_to(row * lanes + lane, number.shape)
    table += np.bincount(place.ravel(), number.ravel(), rows * lanes).reshape(rows, lanes)


def _complete(net: Lattice, mass: Floats) -> None:
    """Roll the dice that are not kept, one at a time: pass the mass of every keep on to one more die."""
    for low, high in zip(net.size_start[:-2], net.size_start[1:-1], strict=True):
        share = mass[low:high] * (1.0 / net.faces)
        for face in range(net.faces):
            mass[net.more[low:high, face]] += share


def numpy_push(mass: Floats, chance: Floats, target: Ints, shift: Ints, out: Floats, effect_mass: Floats) -> None:
    """Pass score distributions on: out[target[i, e]] += chance[i, e] * mass[i], moved by shift[i, e] points."""
    effect_mass += chance * mass.sum(axis=1)[:, None]
    live = mass != 0.0
    first, end = live.argmax(axis=1).tolist(), (mass.shape[1] - live[:, ::-1].argmax(axis=1)).tolist()
    for i, effect in zip(*map(np.ndarray.tolist, np.nonzero(chance * live.any(axis=1)[:, None])), strict=True):
        low, high, moved = first[i], end[i], int(shift[i, effect])
        out[target[i, effect], low + moved : high + moved] += chance[i, effect] * mass[i, low:high]
