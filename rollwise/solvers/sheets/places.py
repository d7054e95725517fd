"""The turn starts of a score sheet in a row: fewest open boxes first, and of those that are equally good only one."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rollwise.solvers.sheets.arrays import Ints, SheetArrays, layers_with_end

__all__ = ["Places", "count_starts", "places_of"]


class Places(NamedTuple):
    """Where a turn start is: at `start[open boxes] + place[of_class[open boxes], carry]`; layers begin at `layer_start`."""

    start: Ints
    of_class: Ints
    place: Ints
    layer_start: Ints

    def rows(self, opened: Ints, carry: Ints) -> Ints:
        """Give the places of some turn starts."""
        found: Ints = self.start[opened] + self.place[self.of_class[opened], carry]
        return found


@lru_cache(maxsize=4)
def places_of(arrays: SheetArrays) -> Places:
    """Number the turn starts of a sheet."""
    place = np.zeros((len(arrays.carry_start) - 1, arrays.n_carries), dtype=np.int64)
    for number, row in enumerate(place):
        own = arrays.carry_list[arrays.carry_start[number] : arrays.carry_start[number + 1]]
        row[own] = np.arange(len(own))
        copies = slice(arrays.copy_start[number], arrays.copy_start[number + 1])
        row[arrays.copy_to[copies]] = row[arrays.copy_from[copies]]
    order = layers_with_end(arrays)
    masks = np.concatenate(order)
    end = np.cumsum(arrays.carry_count[masks])
    start = np.zeros(arrays.n_masks, dtype=np.int64)
    start[masks[1:]] = end[:-1]
    layer_start = np.append(0, end[np.cumsum([len(layer) for layer in order]) - 1])
    return Places(start, arrays.carry_class, place, layer_start)


def count_starts(arrays: SheetArrays) -> int:
    """Count the turn starts that differ."""
    return int(arrays.carry_count[np.concatenate(layers_with_end(arrays))].sum())
