"""One turn of a sheet with saved rolls, computed in full: every hand and keep with its value, and where the best strategy ends.

As `turn_table`, for every number of rerolls that can be left; stopping is worth more the more rolls are saved by it, so that
what filling a box is worth depends on that number too.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.lattice import keep_rows
from rollwise.solvers.sheets.saved_arrays import SavedLayers
from rollwise.solvers.sheets.turn import play_turn, take_best
from rollwise.solvers.sheets.turns import Values

__all__ = ["SavedTurn", "saved_turn"]


@dataclass(frozen=True, eq=False)
class SavedTurn:
    """The values of a turn, by rerolls left.

    `fill[left, box, hand]` is the value of filling a box (minus infinity: not allowed), by the effect `effect[box, hand]`, which
    gains `gain[effect]`. `expected[left][keep]` is the value of keeping dice with `left` rolls to come, `hand[left][hand]` that
    of a hand with as many rerolls.
    """

    arrays: SheetArrays
    fill: Floats
    effect: Ints
    gain: Ints
    expected: list[Floats]
    hand: list[Floats]

    @property
    def keeps(self) -> Ints:
        """The keeps of every hand, in the game's order."""
        return keep_rows(self.arrays.lattice.count, self.arrays.lattice.faces)

    def choice(self, left: int) -> Ints:
        """For every hand the place of the action taken: boxes in order, then keeps."""
        values = self.fill[left].T
        if left:
            row = np.append(self.expected[left], -np.inf)
            values = np.concatenate([values, row[self.keeps]], axis=1)
        best = values.max(axis=1, keepdims=True)
        chosen: Ints = np.argmax(best - values <= TIE * np.abs(best), axis=1)
        return chosen

    def ends(self, left: int, keep: int) -> Floats:
        """Say what the turn may end with after keeping dice: by box its chance, and value and points, each times the chance."""
        net, n_boxes = self.arrays.lattice, self.arrays.n_boxes
        while len(self._ends) <= left:
            rows = np.empty((len(net.keeps), n_boxes, 3))
            rows[net.first_hand :] = self._hand_ends(len(self._ends) - 1)
            play_turn(net, rows)
            self._ends.append(rows[: net.first_hand].copy())
        found: Floats = self._ends[left][keep]
        return found

    @cached_property
    def _ends(self) -> list[Floats]:
        return [np.zeros((0, self.arrays.n_boxes, 3))]

    def _hand_ends(self, left: int) -> Floats:
        chosen = self.choice(left)
        rows = np.zeros((len(chosen), self.arrays.n_boxes, 3))
        fills = np.flatnonzero(chosen < self.arrays.n_boxes)
        box = chosen[fills]
        points = self.gain[self.effect[box, fills]]
        rows[fills, box] = np.stack([np.ones(len(fills)), self.fill[left, box, fills], points], axis=1)
        others = np.flatnonzero(chosen >= self.arrays.n_boxes)
        if len(others):
            rows[others] = self._ends[left][self.keeps[others, chosen[others] - self.arrays.n_boxes]]
        return rows


def saved_turn(layout: SavedLayers, before: Values, opened: int, carry: int) -> SavedTurn:
    """Work a turn out from the layer after it."""
    arrays, net, layer = layout.arrays, layout.arrays.lattice, opened.bit_count()
    effect = arrays.effects(opened)
    rolls = np.arange(layout.most_saved(layer - 1) + 1)
    worth = np.full((len(rolls), len(arrays.effect_gain)), -np.inf)
    for box in arrays.boxes(opened):
        part = np.arange(arrays.effect_start[box], arrays.effect_start[box + 1])
        rows = layout.rows(layer - 1, np.array(opened & ~(1 << box)), arrays.effect_target[part, carry])
        after = before[np.broadcast_to(rows, (len(rolls), len(part))), np.broadcast_to(rolls[:, None], (len(rolls), len(part)))]
        worth[:, part] = arrays.effect_gain[part, carry] + after.astype(np.float64)
    fill = np.where(effect >= 0, worth[:, effect], -np.inf)
    table = np.full(len(net.keeps) + 1, -np.inf)
    expected, hand = [np.empty(0)], []
    for left, best in enumerate(fill.max(axis=1)):
        table[net.first_hand : -1] = best
        if left:
            take_best(net, table)
        play_turn(net, table)
        hand.append(table[net.first_hand : -1].copy())
        expected.append(table[: net.first_hand].copy())
    return SavedTurn(arrays, fill, effect, arrays.effect_gain[:, carry], expected, hand)
