"""Score sheets with saved rolls for simulation: many games advance together, a turn at a time.

The table of a turn is computed once for each distinct (open boxes, carry) that some game is in, for every number of rolls;
choices are those of the solution, the first listed among ties.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rollwise.solvers.base.choosing import first_best
from rollwise.solvers.sheets.arrays import Floats, Ints
from rollwise.solvers.sheets.lattice import keep_rows
from rollwise.solvers.sheets.simulate import chiefs, roll_dice

if TYPE_CHECKING:
    from rollwise.solvers.sheets.saved import SavedSolution

__all__ = ["SavedTables"]

LANES = 128
"""Turns that are computed together."""
TOGETHER = 1 << 14
"""Games that look at their keeps together."""


class SavedTables:
    """What the turns of a sheet with saved rolls need: turn-start values, and the keeps of every hand in the order of actions."""

    def __init__(self, solution: "SavedSolution", tick: Callable[[int], None]) -> None:
        self.solution, self.arrays, self.layout, self.tick = solution, solution.arrays, solution.layout, tick
        self.chief = chiefs(self.arrays)
        self.parts = keep_rows(self.arrays.lattice.count, self.arrays.lattice.faces)

    def play(self, rng: "np.random.Generator", games: int) -> Ints:
        """Play games from the start and give their totals."""
        arrays = self.arrays
        opened = np.full(games, (1 << arrays.n_boxes) - 1)
        carry, saved, total = (np.zeros(games, dtype=np.int64) for _ in range(3))
        for layer in range(arrays.n_boxes, 0, -1):
            self.tick(games * (arrays.n_boxes - layer) // arrays.n_boxes)
            before: Any = np.asarray(self.solution.values(layer - 1))
            outer, lane = np.unique(self._outer(opened, carry), return_inverse=True)
            order = np.argsort(lane, kind="stable")
            cuts = np.searchsorted(lane[order], np.arange(0, len(outer) + LANES, LANES))
            for number, (begin, end) in enumerate(pairwise(cuts.tolist())):
                own = order[begin:end]
                tables = self._tables(layer, before, *np.divmod(outer[number * LANES : (number + 1) * LANES], arrays.n_carries))
                for those in np.array_split(own, -(-len(own) // TOGETHER)):
                    place = lane[those] - number * LANES
                    box, effect, left = self._turn(rng, layer, before, tables, place, opened[those], carry[those], saved[those])
                    total[those] += arrays.effect_gain[effect, carry[those]]
                    opened[those] &= ~(1 << box)
                    carry[those], saved[those] = arrays.effect_target[effect, carry[those]], left
        return total

    def _outer(self, opened: Ints, carry: Ints) -> Ints:
        """Number outer states, alike where the carry makes no difference."""
        number: Ints = opened * self.arrays.n_carries + self.chief[self.arrays.carry_class[opened], carry]
        return number

    def _tables(self, layer: int, before: Any, opened: Ints, carry: Ints) -> Floats:
        from rollwise.solvers.sheets.kernels.starts_numba import numba_tables  # noqa: PLC0415  (compiled code is loaded only where it is used)

        return numba_tables(self.layout, layer, before, opened, carry)

    def _turn(
        self,
        rng: "np.random.Generator",
        layer: int,
        before: Any,
        tables: Floats,
        lane: Ints,
        opened: Ints,
        carry: Ints,
        saved: Ints,
    ) -> tuple[Ints, Ints, Ints]:
        """Play one turn in every game; give the boxes and effects chosen, and the rolls left."""
        games = len(opened)
        left = self.arrays.rerolls + saved
        hand = self._roll(rng, np.zeros(games, dtype=np.int64))
        moving = np.flatnonzero(left > 0)
        while len(moving):
            fills = self._fills(layer, before, opened[moving], carry[moving], hand[moving], left[moving])[0]
            own = lane[moving]
            block, rolls, inside = own // tables.shape[3], left[moving] - 1, own % tables.shape[3]
            keeps = self.parts[hand[moving]].T
            kept = np.where(keeps >= 0, tables[block, rolls, keeps, inside], -np.inf)
            choice = first_best(np.concatenate([fills, kept])) - self.arrays.n_boxes
            going = choice >= 0
            moving, choice = moving[going], choice[going]
            hand[moving] = self._roll(rng, self.parts[hand[moving], choice])
            left[moving] -= 1
            moving = moving[left[moving] > 0]
        fills, effects = self._fills(layer, before, opened, carry, hand, left)
        box = first_best(fills)
        return box, effects[box, np.arange(games)], left

    def _roll(self, rng: "np.random.Generator", kept: Ints) -> Ints:
        net = self.arrays.lattice
        faces = rng.integers(0, net.faces, (net.count, len(kept)), dtype=np.int8)
        found: Ints = roll_dice(net, kept, faces) - net.first_hand
        return found

    def _fills(self, layer: int, before: Any, opened: Ints, carry: Ints, hand: Ints, left: Ints) -> tuple[Floats, Ints]:
        """The values and effects of filling each box with the hand; minus infinity where that is not allowed."""
        arrays, boxes = self.arrays, np.arange(self.arrays.n_boxes)[:, None]
        effect = arrays.hand_effects(opened, hand)
        may = effect >= 0
        after = np.where(may, opened & ~(1 << boxes), 0)
        rows = np.where(may, self.layout.rows(layer - 1, after, arrays.effect_target[effect, carry]), 0)
        values: Floats = np.where(may, arrays.effect_gain[effect, carry] + before[rows, left], -np.inf)
        return values, effect
