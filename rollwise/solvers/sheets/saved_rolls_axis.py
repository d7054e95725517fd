"""Score sheets with saved rolls, for the highest expected total: turn starts by open boxes, carry and rolls saved.

A roll that a turn does not use is one more for the turns after it. Within a turn from (open boxes, carry), with r rerolls left,
n rerolls a turn:

    stop:    F[r][hand] = max over boxes of gain + value[open - box, carry', r saved]
    choose:  V[r][hand] = max(F[r][hand], best sub-keep of E[r])
    roll:    E[r + 1][keep] = mean of V[r] over the hands that the keep becomes
    start:   value[open, carry, s saved] = E[n + s + 1][nothing kept]

Nothing here depends on how many rolls were saved when the turn began, so one sweep over r answers for every number saved: a turn
of `turn_tables`, with a fill for every number of rerolls.

A layer holds the turn starts with as many open boxes, carries that make no difference merged (`places`), a row each, with a
value for each number of rolls saved, at most n for each filled box. Layer 0, the full sheet, is worth nothing.
"""

from functools import lru_cache

import numpy as np

from rollwise.solvers.sheets.arrays import Ints, SheetArrays, layers_with_end
from rollwise.solvers.sheets.backward import StartAxis

__all__ = ["SavedLayers", "count_saved", "saved_layers"]


class SavedLayers(StartAxis):
    """The turn starts of a sheet with saved rolls, layer j those with j open boxes."""

    def width(self, number: int) -> int:
        return self.most_saved(number) + 1

    def most_saved(self, layer: int) -> int:
        """The most rolls that can be saved with so many open boxes."""
        return self.arrays.rerolls * (self.arrays.n_boxes - layer)

    def rows(self, layer: int, opened: Ints, carry: Ints) -> Ints:
        """Give the rows of turn starts in their layer."""
        found: Ints = self.places.rows(opened, carry) - self.places.layer_start[layer]
        return found

    @property
    def title(self) -> str:
        return f"{super().title} with saved rolls"


@lru_cache(maxsize=4)
def saved_layers(arrays: SheetArrays) -> SavedLayers:
    """Lay out the turn starts of a sheet with saved rolls."""
    return SavedLayers(arrays)


def count_saved(arrays: SheetArrays) -> tuple[int, list[int]]:
    """Count the turn starts with their rolls saved: all that occur, and by layer those that are stored."""
    lanes = arrays.carry_count
    every = lanes + np.diff(arrays.copy_start)[arrays.carry_class]
    groups = layers_with_end(arrays)
    width = [arrays.rerolls * (arrays.n_boxes - layer) + 1 for layer in range(len(groups))]
    total = sum(int(every[group].sum()) * columns for group, columns in zip(groups, width, strict=True))
    return total, [int(lanes[group].sum()) * columns for group, columns in zip(groups, width, strict=True)]
