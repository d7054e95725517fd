"""Score sheets for simulation: many games advance together, a turn at a time.

The table of a turn is computed once for each distinct (open boxes, carry) that some game is in; choices are those of the
solution, the first listed among ties.
"""

from collections.abc import Callable
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.choosing import first_best
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.kernels.expected_exact import ExactSheet
from rollwise.solvers.sheets.lattice import Lattice, keep_rows
from rollwise.solvers.sheets.turn import fill_turn, turn_tables

if TYPE_CHECKING:
    from rollwise.solvers.sheets.expected import SheetSolution

__all__ = ["LANES", "SheetTables", "as_floats", "chiefs", "roll_dice"]

LANES = 512
"""Turns of a score sheet that are computed together."""


class SheetTables:
    """What a score sheet's turns need: turn-start values, and the keeps of every hand in the order of its actions."""

    def __init__(self, solution: "SheetSolution", tick: Callable[[int], None]) -> None:
        self.arrays: SheetArrays = solution.arrays
        self.tick = tick
        self.chief = chiefs(self.arrays)
        self.value = as_floats(solution.turn_values, self.arrays)
        self.parts = keep_rows(self.arrays.lattice.count, self.arrays.lattice.faces)

    def play(self, rng: "np.random.Generator", games: int) -> Ints:
        """Play games from the start and give their totals."""
        arrays, net = self.arrays, self.arrays.lattice
        opened = np.full(games, arrays.full)
        carry, total = np.zeros(games, dtype=np.int64), np.zeros(games, dtype=np.int64)
        for turn in range(arrays.n_turns):
            self.tick(games * turn // arrays.n_turns)
            faces = rng.integers(0, net.faces, (arrays.rerolls + 1, net.count, games), dtype=np.int8)
            outer, lane = np.unique(self._outer(opened, carry), return_inverse=True)
            order = np.argsort(lane, kind="stable")
            cuts = np.searchsorted(lane[order], np.arange(0, len(outer) + LANES, LANES))
            for begin, end in pairwise(cuts.tolist()):
                own = order[begin:end]
                box, effect = self._turn(faces[:, :, own], opened[own], carry[own])
                total[own] += arrays.effect_gain[effect, carry[own]]
                opened[own] = arrays.after(opened[own], box)
                carry[own] = arrays.effect_target[effect, carry[own]]
        return total

    def _outer(self, opened: Ints, carry: Ints) -> Ints:
        """Number outer states, alike where the carry makes no difference."""
        number: Ints = opened * self.arrays.n_carries + self.chief[self.arrays.carry_class[opened], carry]
        return number

    def _turn(self, faces: npt.NDArray[np.int8], opened: Ints, carry: Ints) -> tuple[Ints, Ints]:
        """Play one turn in every game and give the boxes and effects chosen."""
        arrays, net = self.arrays, self.arrays.lattice
        outer, lane = np.unique(self._outer(opened, carry), return_inverse=True)
        tables = self._expected(*np.divmod(outer, arrays.n_carries))
        kept = roll_dice(net, np.zeros(len(opened), dtype=np.int64), faces[0])
        moving, first = np.arange(len(opened)), np.ones(len(opened), dtype=np.bool_)
        for left in range(arrays.rerolls, 0, -1):
            hand = kept[moving] - net.first_hand
            fills = self._fills(opened[moving], carry[moving], arrays.first_column[hand] if left == arrays.rerolls else hand)[0]
            values = np.concatenate([fills, self._keeps(tables[left - 1], hand, lane[moving])])
            choice = first_best(values) - arrays.n_boxes
            moving, choice, hand = moving[choice >= 0], choice[choice >= 0], hand[choice >= 0]
            first[moving] = False
            kept[moving] = roll_dice(net, self.parts[hand, choice], faces[arrays.rerolls - left + 1][:, moving])
        hand = kept - net.first_hand
        fills, effects = self._fills(opened, carry, np.where(first, arrays.first_column[hand], hand))
        box = first_best(fills)
        return box, effects[box, np.arange(len(box))]

    def _expected(self, opened: Ints, carry: Ints) -> list[Floats]:
        """The expected values of keeps with 1, 2, ... rolls left, for some outer states; the last row is minus infinity."""
        tables = turn_tables(self.arrays, fill_turn(self.arrays, self.value, opened, carry))
        return [table.copy() for table in islice(tables, self.arrays.rerolls)]

    def _keeps(self, table: Floats, hand: Ints, lane: Ints) -> Floats:
        """The values of keeping parts of the hand, a row for each part."""
        values: Floats = table[self.parts[hand].T, lane]
        return values

    def _fills(self, opened: Ints, carry: Ints, hand: Ints) -> tuple[Floats, Ints]:
        """The values and effects of filling each box with the hand; minus infinity where that is not allowed."""
        arrays, boxes = self.arrays, np.arange(self.arrays.n_boxes)[:, None]
        effect = arrays.hand_effects(opened, hand)
        after = np.where(effect >= 0, arrays.after(opened, boxes), -1)
        values: Floats = arrays.effect_gain[effect, carry] + self.value[after, arrays.effect_target[effect, carry]]
        return values, effect


def chiefs(arrays: SheetArrays) -> Ints:
    """For each class of open boxes and carry, the carry that stands for it."""
    chief = np.tile(np.arange(arrays.n_carries), (len(arrays.carry_start) - 1, 1))
    chief[np.repeat(np.arange(len(chief)), np.diff(arrays.copy_start)), arrays.copy_to] = arrays.copy_from
    return chief


def as_floats(table: Floats | ExactSheet, arrays: SheetArrays) -> Floats:
    """Give turn-start values as floats."""
    if not isinstance(table, ExactSheet):
        return np.asarray(table)
    value = np.full((arrays.n_masks + 1, arrays.n_carries), np.nan)
    value[-1] = -np.inf
    for opened, carry in table.numerator:
        value[opened, carry] = float(table.value(opened, carry))
    return value


def roll_dice(net: Lattice, kept: Ints, faces: npt.NDArray[np.int8]) -> Ints:
    """Roll the dice that are not kept, one after another."""
    for face in faces:
        partial = kept < net.first_hand
        kept = np.where(partial, net.more[np.where(partial, kept, 0), face], kept)
    return kept
