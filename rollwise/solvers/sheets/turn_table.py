"""One turn of one outer state, computed in full: every hand and keep with its value, and where the best strategy ends.

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

    arrays: SheetArrays
    fill: Floats
    effect: Ints
    expected: list[Floats]
    hand: list[Floats]

    @property
    def keeps(self) -> Ints:
        """The keeps of every hand, in the game's order."""
        return keep_rows(self.arrays.lattice.count, self.arrays.lattice.faces)

    @cached_property
    def effects(self) -> Ints:
        """The effects that may end this turn."""
        return np.flatnonzero(np.bincount(self.effect[self.fill > -np.inf]))

    @cached_property
    def chances(self) -> list[Floats]:
        """For each number of rolls to come the chance of each of `effects`, by dice kept."""
        first = self.arrays.lattice.first_hand
        found = [np.zeros((first, len(self.effects)))]
        for left in range(self.arrays.rerolls):
            rows = np.empty((len(self.arrays.lattice.keeps), len(self.effects)))
            rows[first:] = self._ends(left, found[-1])
            play_turn(self.arrays.lattice, rows)
            found.append(rows[:first].copy())  # not a view, which would keep the hands too
        return found

    def ends(self, left: int) -> Floats:
        """Give for every hand with `left` rerolls the chance of each of `effects`."""
        return self._ends(left, self.chances[left])

    def _ends(self, left: int, kept: Floats) -> Floats:
        """The chances by hand, when it is played with `left` rerolls."""
        chosen = self._choice(left)
        hands = np.arange(len(chosen))
        n_boxes = self.arrays.n_boxes
        rows = np.zeros((len(hands), len(self.effects)))
        fills = chosen < n_boxes
        place = np.searchsorted(self.effects, self.arrays.at(self.effect, left, 1)[chosen[fills], hands[fills]])
        rows[hands[fills], place] = 1.0
        rows[~fills] = kept[self.keeps[hands[~fills], chosen[~fills] - n_boxes]]
        return rows

    def _choice(self, left: int) -> Ints:
        """For every hand the place of the action taken: boxes in order, then keeps."""
        values = self.arrays.at(self.fill.T, left)
        if left:
            row = np.append(self.expected[left], -np.inf)
            values = np.concatenate([values, row[self.keeps]], axis=1)
        best = values.max(axis=1, keepdims=True)
        chosen: Ints = np.argmax(best - values <= TIE * np.abs(best), axis=1)
        return chosen


def turn_table(arrays: SheetArrays, opened: int, worth: Floats) -> TurnTable:
    """Work a turn out from what each effect is worth, its gain included."""
    effect, first = arrays.effects(opened), arrays.lattice.first_hand
    fill = np.where(effect >= 0, worth[effect], -np.inf)
    expected, hand = [np.empty(0)], []
    for table in turn_tables(arrays, fill.max(axis=0)):
        expected.append(table[:first].copy())
        hand.append(table[first:-1].copy())
    return TurnTable(arrays, fill, effect, expected, hand)
