"""Turns computed in full: every hand and keep with its value, what is chosen, and where the turn ends.

What `turn` does for a solve and forgets, this keeps, for one outer state or for many, the lanes of a last axis; the values are
the same bits. A turn follows from what each effect is worth, by rerolls left: where rolls are saved that number matters, else it
is the same for all. For every number of rerolls left the best action of a hand is the first, in the game's order (boxes, then
keeps), within a relative `tie` of the best. What the ends of a turn pay on average follows from these choices, one die at a time:

    H[hand] = what the chosen box pays, or K[chosen keep];     K[keep] = mean over the next die of K[keep + die]
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.lattice import keep_rows
from rollwise.solvers.sheets.turn import play_turn, take_best

__all__ = ["Ends", "TurnTable"]


class TurnTable:
    """The values of turns from open boxes, one set or many in lanes, when `worth[effect]` is what each effect is worth.

    Where rerolls are saved it is `worth[left, effect]`, with `left` of them to spare; lanes, if any, are a last axis.
    `effect[box, hand]` is the effect of filling a box, -1 where that is not allowed, served hands last; `fill[left]` is its value
    by box and hand, minus infinity where it is not allowed. `hand[left]` is the value of a hand, `expected[left]` that of keeping
    dice with `left` rolls to come; its last row is minus infinity, for keeps that do not exist.
    """

    def __init__(self, arrays: SheetArrays, opened: int | Ints, worth: Floats, tie: float = TIE) -> None:
        self.tie, self.arrays, self.effect = tie, arrays, arrays.effects(opened)
        self.fill: list[Floats] = []
        self.hand: list[Floats] = []
        self.expected: list[Floats] = [np.empty(0)]
        net = arrays.lattice
        worths = list(worth) if worth.ndim - np.ndim(opened) == 2 else [worth] * (arrays.rerolls + 1)
        table = np.empty((len(net.keeps), *worths[0].shape[1:]))
        for left, own in enumerate(worths):
            if left:
                play_turn(net, table)
                self.expected.append(table[: net.first_hand + 1].copy())
                self.expected[left][-1] = -np.inf
            if left and own is worths[left - 1] and not arrays.served:
                # What was best with fewer rerolls is in the table, and with more of them it is worth at least as much.
                self.fill.append(self.fill[-1])
            else:
                self.fill.append(self._fill(left, own))
                table[net.first_hand :] = self.fill[left].max(axis=0)
            if left:
                take_best(net, table)
            self.hand.append(table[net.first_hand :].copy())

    def _fill(self, left: int, worth: Floats) -> Floats:
        effect = self.effects_at(left)
        worth = np.concatenate([worth, np.full((1, *worth.shape[1:]), -np.inf)])  # the last row is that of no effect, -1
        found: Floats = worth[effect] if effect.ndim == 2 else worth[effect, np.arange(effect.shape[2])]
        return found

    def effects_at(self, left: int) -> Ints:
        """Give the effects of all hands with so many rerolls left."""
        found: Ints = self.arrays.at(self.effect, left, 1)
        return found

    @property
    def keeps(self) -> Ints:
        """The keeps of every hand, in the game's order."""
        return keep_rows(self.arrays.lattice)

    def actions(self, left: int) -> Floats:
        """Give the value of every action, boxes and then keeps, by hand."""
        return np.concatenate([self.fill[left], self.expected[left][self.keeps.T]]) if left else self.fill[0]

    def choice(self, left: int) -> Ints:
        """Give for every hand the place of the action taken."""
        best = self.hand[left]
        least = best - self.tie * np.abs(best)
        ties = self.fill[left] >= least
        if left:
            ties = np.concatenate([ties, self.expected[left][self.keeps.T] >= least])
        found: Ints = ties.argmax(axis=0)
        return found

    @cached_property
    def effects(self) -> Ints:
        """The effects that may end this turn."""
        return np.flatnonzero(np.bincount(self.effect[self.effect >= 0]))

    @cached_property
    def chances(self) -> "Ends":
        """The chance of each of `effects`."""
        one = np.eye(len(self.effects))

        def pays(left: int, box: Ints, hand: Ints) -> Floats:
            found: Floats = one[np.searchsorted(self.effects, self.effects_at(left)[box, hand])]
            return found

        return Ends(self, (len(self.effects),), pays)


class Ends:
    """What the ends of turns pay on average, as the choices of a table are followed.

    `pays` is called with rerolls left, and with boxes filled and hands (and lanes): it gives what each pays, of the given shape.
    """

    def __init__(self, table: TurnTable, shape: tuple[int, ...], pays: Callable[..., Floats]) -> None:
        self.table, self.pays = table, pays
        self._keeps = [np.zeros((0, *table.hand[0].shape[1:], *shape))]

    def hands(self, left: int) -> Floats:
        """Give what every hand with so many rerolls left comes to."""
        chosen, kept = self.table.choice(left), self.keeps(left)
        n_boxes = self.table.arrays.n_boxes
        fills, others = np.nonzero(chosen < n_boxes), np.nonzero(chosen >= n_boxes)
        found = np.empty((len(chosen), *kept.shape[1:]))
        found[fills] = self.pays(left, chosen[fills], *fills)
        found[others] = kept[self.table.keeps[others[0], chosen[others] - n_boxes], *others[1:]]
        return found

    def keeps(self, left: int) -> Floats:
        """Give what dice kept with so many rolls to come lead to."""
        net = self.table.arrays.lattice
        while len(self._keeps) <= left:
            hands = self.hands(len(self._keeps) - 1)
            rows = np.empty((len(net.keeps), *hands.shape[1:]))
            rows[net.first_hand :] = hands
            play_turn(net, rows)
            self._keeps.append(rows[: net.first_hand].copy())  # not a view, which would keep the hands too
        return self._keeps[left]
