"""One turn of one outer state, worked out in full: every hand and keep with its value, and where the best strategy ends.

What `turn` does for many outer states at a time and forgets, this keeps for one. The values are the same bits. For every
number of rerolls left the best action of a hand is the first, in the game's order, within a relative 1e-9 of the best; from
these choices follows, one die at a time, the chance of every effect (box and points) that a keep leads to:

    D[hand] = the effect of the chosen box, or C[chosen keep];     C[keep] = mean over the next die of C[keep + die]
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.lattice import keep_rows
from rollwise.solvers.sheets.turn import play_turn, turn_tables

__all__ = ["TurnTable", "turn_table"]


@dataclass(frozen=True, eq=False)
class TurnTable:
    """The values of a turn.

    `fill[box, hand]` is the value of filling a box (minus infinity: not allowed), by the effect `effect[box, hand]`; served hands
    follow.
    `expected[left][keep]` is the value of keeping dice with `left` rolls to come, `hand[left][hand]` that of a hand.
    """

    form: SheetArrays
    fill: Floats
    effect: Ints
    expected: list[Floats]
    hand: list[Floats]

    @property
    def keeps(self) -> Ints:
        """The keeps of every hand, in the game's order."""
        return keep_rows(self.form.lattice.count, self.form.lattice.faces)

    @cached_property
    def effects(self) -> Ints:
        """The effects that may end this turn."""
        return np.flatnonzero(np.bincount(self.effect[self.fill > -np.inf]))

    @cached_property
    def chances(self) -> list[Floats]:
        """For each number of rolls to come the chance of each of `effects`, by dice kept."""
        first = self.form.lattice.first_hand
        found = [np.zeros((first, len(self.effects)))]
        for left in range(self.form.rerolls):
            rows = np.empty((len(self.form.lattice.keeps), len(self.effects)))
            rows[first:] = self._ends(left, found[-1])
            play_turn(self.form.lattice, rows)
            found.append(rows[:first].copy())  # not a view, which would keep the hands too
        return found

    def ends(self, left: int) -> Floats:
        """Give for every hand with `left` rerolls the chance of each of `effects`."""
        return self._ends(left, self.chances[left])

    def aims(self, left: int, gain: Ints) -> list[tuple[int, int, float]]:
        """Say what each keep is kept for, with `left` rolls to come: (box, points, chance).

        It is the box that gains most on average, and the points there that weigh most; box -1 where nothing gains. `gain` is
        that of each of `effects`.
        """
        if left not in self._aims:
            self._aims[left] = self._find_aims(self.chances[left], gain)
        return self._aims[left]

    @cached_property
    def _aims(self) -> dict[int, list[tuple[int, int, float]]]:
        return {}

    def _find_aims(self, chances: Floats, gain: Ints) -> list[tuple[int, int, float]]:
        box = self.form.box_of_effect[self.effects]
        order = np.lexsort((gain, box))
        box, gain = box[order], gain[order]
        first = np.flatnonzero(np.append(True, (np.diff(box) != 0) | (np.diff(gain) != 0)))
        box, gain = box[first], gain[first]
        chance = np.add.reduceat(chances[:, order], first, axis=1)
        worth = chance * np.maximum(gain, 0)
        begin = np.flatnonzero(np.append(True, np.diff(box) != 0))
        per_box = np.add.reduceat(worth, begin, axis=1)
        chosen = box[begin][per_box.argmax(axis=1)]
        best = np.where(box == chosen[:, None], worth, -1.0).argmax(axis=1)
        chosen = np.where(per_box.any(axis=1), chosen, -1)
        return list(zip(chosen.tolist(), gain[best].tolist(), chance[np.arange(len(best)), best].tolist(), strict=True))

    def _ends(self, left: int, kept: Floats) -> Floats:
        """The chances by hand, when it is played with `left` rerolls."""
        chosen = self._choice(left)
        hands = np.arange(len(chosen))
        n_boxes = self.form.n_boxes
        rows = np.zeros((len(hands), len(self.effects)))
        fills = chosen < n_boxes
        place = np.searchsorted(self.effects, self.form.at(self.effect, left, 1)[chosen[fills], hands[fills]])
        rows[hands[fills], place] = 1.0
        rows[~fills] = kept[self.keeps[hands[~fills], chosen[~fills] - n_boxes]]
        return rows

    def _choice(self, left: int) -> Ints:
        """For every hand the place of the action taken: boxes in order, then keeps."""
        values = self.form.at(self.fill.T, left)
        if left:
            row = np.append(self.expected[left], -np.inf)
            values = np.concatenate([values, row[self.keeps]], axis=1)
        best = values.max(axis=1, keepdims=True)
        chosen: Ints = np.argmax(best - values <= TIE * np.abs(best), axis=1)
        return chosen


def turn_table(form: SheetArrays, opened: int, worth: Floats) -> TurnTable:
    """Work a turn out from what each effect is worth, its gain included."""
    effect, first = form.effects(opened), form.lattice.first_hand
    fill = np.where(effect >= 0, worth[effect], -np.inf)
    expected, hand = [np.empty(0)], []
    for table in turn_tables(form, fill.max(axis=0)):
        expected.append(table[:first].copy())
        hand.append(table[first:-1].copy())
    return TurnTable(form, fill, effect, expected, hand)
