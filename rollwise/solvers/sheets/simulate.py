"""Score sheets for simulation: many games advance together, a turn at a time.

Whatever a sheet is played for, a turn follows from what each effect is worth. The table of a turn is computed once for each
distinct turn start that some game is in; choices are those of the solution, the first listed among ties.
"""

from collections.abc import Callable
from itertools import islice, pairwise

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.choosing import first_best
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.kernels.expected_exact import ExactSheet
from rollwise.solvers.sheets.lattice import Lattice, keep_rows
from rollwise.solvers.sheets.places import places_of
from rollwise.solvers.sheets.turn import best_fill, turn_tables

__all__ = ["LANES", "PlayedTurns", "SheetPlayer", "Watch", "as_floats", "play_turns", "prepared_dice", "roll_dice"]

LANES = 512
"""Turns of a score sheet that are computed together."""
TOGETHER = 1 << 14
"""Games that look at their keeps together."""

Dice = Callable[[int, Ints, Ints], Ints]
"""Called with (the number of the roll, games, what each of them keeps): gives their hands."""
Watch = Callable[[Floats, Ints, Ints, Ints, Ints], None]
"""Called with (the worth of actions, choices, games, hands, rerolls left) at every roll."""


class PlayedTurns:
    """Turns under way, the lanes: what every action is worth that a game may take.

    `worth[left, effect, lane]` is what effects are worth, `expected[left, keep, lane]` what keeps are: minus infinity in a last
    row, for those that do not exist, and with no rerolls left. Without `expected` effects are worth the same with any number of
    rerolls left, and `worth` has no such axis.
    """

    def __init__(self, arrays: SheetArrays, opened: Ints, worth: Floats, expected: Floats | None = None) -> None:
        self.arrays, self.opened = arrays, opened
        self.worth = np.broadcast_to(worth, (arrays.rerolls + 1, *worth.shape)) if expected is None else worth
        self.parts = keep_rows(arrays.lattice)
        self.expected = self._tables() if expected is None else expected

    def _tables(self) -> Floats:
        arrays, net = self.arrays, self.arrays.lattice
        found = np.empty((arrays.rerolls + 1, len(net.keeps) + 1, len(self.opened)))
        found[0] = -np.inf
        tables = turn_tables(arrays, best_fill(arrays, self.opened, self.worth[0]))
        for left, table in enumerate(islice(tables, arrays.rerolls), 1):
            found[left] = table
        return found

    def actions(self, hand: Ints, lane: Ints, left: Ints) -> tuple[Floats, Ints]:
        """Give the worth of every action with a hand, boxes and then keeps, a column for each; and the effects of the boxes."""
        arrays = self.arrays
        column = np.where(left == arrays.rerolls, arrays.first_column[hand], hand) if arrays.served else hand
        effect = arrays.hand_effects(self.opened[lane], column)
        values = np.where(effect >= 0, self.worth[left, effect, lane], -np.inf)
        if left.any():
            values = np.concatenate([values, self.expected[left, self.parts[hand].T, lane]])
        return values, effect


def play_turns(turns: PlayedTurns, lane: Ints, left: Ints, dice: Dice, watch: Watch | None = None) -> Ints:
    """Play a turn in many games, whose lanes and rerolls are given: give the effects they end with; lower `left` by rerolls."""
    moving, n_boxes = np.arange(len(lane)), turns.arrays.n_boxes
    hand, found = dice(0, moving, np.zeros(len(lane), dtype=np.int64)), np.empty(len(lane), dtype=np.int64)
    roll = 0
    while len(moving):
        values, effects = turns.actions(hand[moving], lane[moving], left[moving])
        choice = first_best(values)
        if watch:
            watch(values, choice, moving, hand[moving], left[moving])
        fills = np.flatnonzero(choice < n_boxes)
        found[moving[fills]] = effects[choice[fills], fills]
        again = np.flatnonzero(choice >= n_boxes)
        moving, keep, roll = moving[again], turns.parts[hand[moving[again]], choice[again] - n_boxes], roll + 1
        left[moving] -= 1
        if len(moving):
            hand[moving] = dice(roll, moving, keep)
    return found


def prepared_dice(rng: "np.random.Generator", arrays: SheetArrays, games: int) -> Dice:
    """Roll the dice of one turn of all games beforehand."""
    net = arrays.lattice
    faces = net.throw(rng, (arrays.rerolls + 1, net.count, games))
    return lambda roll, games, kept: roll_dice(net, kept, faces[roll][:, games]) - net.first_hand


def _fresh_dice(rng: "np.random.Generator", arrays: SheetArrays) -> Dice:
    """Roll dice when they are needed, as often as that may be."""
    net = arrays.lattice

    def dice(_roll: int, games: Ints, kept: Ints) -> Ints:
        return roll_dice(net, kept, net.throw(rng, (net.count, len(games)))) - net.first_hand

    return dice


def roll_dice(net: Lattice, kept: Ints, faces: npt.NDArray[np.int8]) -> Ints:
    """Roll the dice that are not kept, one after another."""
    for face in faces:
        partial = kept < net.first_hand
        kept = np.where(partial, net.more[np.where(partial, kept, 0), face], kept)
    return kept


class SheetPlayer:
    """Plays many games of a sheet; `turns` computes the turns from some open boxes and carries.

    With `saves_rolls` the rerolls that a turn leaves are more for the next one.
    """

    def __init__(
        self,
        arrays: SheetArrays,
        turns: Callable[[Ints, Ints], PlayedTurns],
        tick: Callable[[int], None],
        *,
        saves_rolls: bool = False,
        lanes: int = LANES,
    ) -> None:
        self.arrays, self.turns, self.tick, self.saves_rolls, self.lanes = arrays, turns, tick, saves_rolls, lanes

    def play(self, rng: "np.random.Generator", games: int) -> Ints:
        """Play games from the start and give their totals."""
        arrays = self.arrays
        opened = np.full(games, arrays.full)
        carry, saved, total = (np.zeros(games, dtype=np.int64) for _ in range(3))
        for turn in range(arrays.n_turns):
            self.tick(games * turn // arrays.n_turns)
            dice = _fresh_dice(rng, arrays) if self.saves_rolls else prepared_dice(rng, arrays, games)
            start = places_of(arrays).rows(opened, carry)
            _, first, lane = np.unique(start, return_index=True, return_inverse=True)
            order = np.argsort(lane, kind="stable")
            cuts = np.searchsorted(lane[order], np.arange(0, len(first) + self.lanes, self.lanes))
            for number, (begin, end) in enumerate(pairwise(cuts.tolist())):
                some = first[number * self.lanes : (number + 1) * self.lanes]
                turns = self.turns(opened[some], carry[some])
                for own in np.array_split(order[begin:end], -(-(end - begin) // TOGETHER)):
                    left = arrays.rerolls + saved[own]
                    effect = play_turns(turns, lane[own] - number * self.lanes, left, _of_games(dice, own))
                    total[own] += arrays.effect_gain[effect, carry[own]]
                    opened[own] = arrays.after(opened[own], arrays.box_of_effect[effect])
                    carry[own] = arrays.effect_target[effect, carry[own]]
                    saved[own] = left if self.saves_rolls else 0
        return total


def _of_games(dice: Dice, own: Ints) -> Dice:
    """The dice of some of the games."""
    return lambda roll, games, kept: dice(roll, own[games], kept)


def as_floats(table: Floats | ExactSheet, arrays: SheetArrays) -> Floats:
    """Give turn-start values as floats."""
    if not isinstance(table, ExactSheet):
        return np.asarray(table)
    value = np.full((arrays.n_masks + 1, arrays.n_carries), np.nan)
    value[-1] = -np.inf
    for opened, carry in table.numerator:
        value[opened, carry] = float(table.value(opened, carry))
    return value
