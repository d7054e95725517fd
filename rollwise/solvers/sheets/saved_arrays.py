"""Score sheets with saved rolls, for the highest expected total: turn starts by open boxes, carry and rolls saved.

A roll that a turn does not use is one more for the turns after it. Within a turn from (open boxes, carry), with r rerolls left,
n rerolls a turn:

    stop:    F[r][hand] = max over boxes of gain + value[open - box, carry', r saved]
    choose:  V[r][hand] = max(F[r][hand], best sub-keep of E[r])
    roll:    E[r + 1][keep] = mean of V[r] over the hands that the keep becomes
    start:   value[open, carry, s saved] = E[n + s + 1][nothing kept]

Nothing here depends on how many rolls were saved when the turn began, so one sweep over r answers for every number saved.

A layer holds the turn starts with as many open boxes, carries that make no difference merged (`places`), a row each; the columns
are the rolls saved, at most n for each filled box. Layer 0, the full sheet, is worth nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.layers import Recursion, roomy
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays, layers
from rollwise.solvers.sheets.places import Places, places_of
from rollwise.solvers.sheets.turn import fill_turn, play_turn, take_best

__all__ = [
    "After",
    "SavedKernel", "SavedLayers", "SavedRecursion", "Values", "count_saved", "numpy_saved", "saved_fills", "saved_layers",
    "saved_tables",
]  # fmt: skip

Values = npt.NDArray[Any]
"""The values of a layer, by turn start and rolls saved: float64 or float32."""


@dataclass(frozen=True, eq=False)
class SavedLayers:
    """How the layers of a sheet lie: layer j has the turn starts of `masks[j]`, in the order of `places`."""

    arrays: SheetArrays
    masks: tuple[Ints, ...]
    places: Places

    @property
    def shapes(self) -> tuple[tuple[int, int], ...]:
        """Turn starts and columns of every layer."""
        rows = np.diff(self.places.layer_start).tolist()
        return tuple((n, self.most_saved(layer) + 1) for layer, n in enumerate(rows))

    def most_saved(self, layer: int) -> int:
        """The most rolls that can be saved with so many open boxes."""
        return self.arrays.rerolls * (self.arrays.n_boxes - layer)

    def rows(self, layer: int, opened: Ints, carry: Ints) -> Ints:
        """Give the rows of turn starts in their layer."""
        found: Ints = self.places.rows(opened, carry) - self.places.layer_start[layer]
        return found

    def part(self, layer: int, first: int, end: int) -> tuple[Ints, Ints]:
        """List open boxes and carry of some rows of a layer."""
        masks = self.masks[layer]
        begin = self.places.start[masks] - self.places.layer_start[layer]
        near = masks[max(0, int(np.searchsorted(begin, first, side="right")) - 1) : int(np.searchsorted(begin, end))]
        carries = [self.arrays.carries(int(mask)) for mask in near]
        opened, carry = np.repeat(near, [len(own) for own in carries]), np.concatenate(carries)
        skip = first - int(self.rows(layer, opened[:1], carry[:1])[0])
        return opened[skip : skip + end - first], carry[skip : skip + end - first]


@lru_cache(maxsize=4)
def saved_layers(arrays: SheetArrays) -> SavedLayers:
    """Lay out the turn starts of a sheet with saved rolls."""
    return SavedLayers(arrays, (np.zeros(1, dtype=np.int64), *layers(arrays)), places_of(arrays))


def count_saved(arrays: SheetArrays) -> tuple[int, list[int]]:
    """Count the turn starts with their rolls saved: all that occur, and by layer those that are stored."""
    lanes = np.diff(arrays.carry_start)[arrays.carry_class]
    every = lanes + np.diff(arrays.copy_start)[arrays.carry_class]
    groups = [np.zeros(1, dtype=np.int64), *layers(arrays)]
    width = [arrays.rerolls * (arrays.n_boxes - layer) + 1 for layer in range(len(groups))]
    total = sum(int(every[group].sum()) * columns for group, columns in zip(groups, width, strict=True))
    return total, [int(lanes[group].sum()) * columns for group, columns in zip(groups, width, strict=True)]


SavedKernel = Callable[[SavedLayers, int, Values, Values, int, int], None]
"""Called with (layout, layer, values of the layer before, values to write, first row, end): writes these rows of the layer."""


class SavedRecursion(Recursion):
    """The layers of a sheet with saved rolls, each an array of its own; `layers` are those that are kept."""

    what = "the sheet"
    forgets = True

    def __init__(self, arrays: SheetArrays, kernel: SavedKernel, dtype: npt.DTypeLike = "float64", fingerprint: str = "") -> None:
        self.arrays, self.kernel, self.fingerprint = arrays, kernel, fingerprint
        self.dtype = np.dtype(dtype).name
        self.layout = saved_layers(arrays)
        self.shapes = self.layout.shapes
        self.work = [rows * columns for rows, columns in self.shapes]
        self.layers: dict[int, Values] = {}
        self.check: Callable[[SolveOptions], None] = lambda _: None

    def begin(self) -> None:
        self.layers[0] = np.zeros(self.shapes[0], dtype=self.dtype)

    def pieces(self, layer: int, threads: int) -> Iterable[Any]:
        self.before = np.asarray(self.layers[layer - 1])
        self.layers[layer] = np.empty(self.shapes[layer], dtype=self.dtype)
        rows, columns = self.shapes[layer]
        n = min(rows, max(8 * threads if threads > 1 else 1, rows * columns // PIECE))
        return list(pairwise(np.linspace(0, rows, n + 1).astype(np.int64).tolist()))

    def fill(self, layer: int, piece: tuple[int, int]) -> int:
        first, end = piece
        self.kernel(self.layout, layer, self.before, self.layers[layer], first, end)
        return (end - first) * self.shapes[layer][1]

    def values(self, layer: int) -> Values:
        return self.layers[layer]

    def restore(self, layer: int, values: Values) -> None:
        self.layers[layer] = values

    def keep(self, layer: int, values: Values) -> None:
        self.layers[layer] = values

    def forget(self, layer: int) -> None:
        self.layers.pop(layer, None)

    def without_files(self, options: SolveOptions) -> None:
        self.check(options)

    def recipe(self) -> tuple[Callable[..., Recursion], tuple[Any, ...]]:
        return SavedRecursion, (self.arrays, self.kernel, self.dtype, self.fingerprint)

    def row_start(self, layer: int) -> Ints:
        rows, columns = self.shapes[layer]
        return np.arange(rows + 1) * columns

    def rows(self, layer: int, first: int, end: int) -> Values:
        rows, columns = self.shapes[layer]
        values = roomy(rows * columns, self.dtype).reshape(rows, columns)
        self.kernel(self.layout, layer, np.asarray(self.layers[layer - 1]), values, first, end)
        return values[first:end].reshape(-1)

    @property
    def title(self) -> str:
        return f"a sheet of {self.arrays.n_boxes} boxes with saved rolls"


PIECE = 1 << 18
"""Values a call of the kernel writes, about: progress shows, an interrupt is heard, threads finish together."""
LANES = 512


def numpy_saved(layout: SavedLayers, layer: int, before: Values, values: Values, first: int, end: int) -> None:
    """Write rows of a layer, many at a time as the vector axis: the definition, in the order of operations."""
    rerolls = layout.arrays.rerolls
    for begin in range(first, end, LANES):
        opened, carry = layout.part(layer, begin, min(begin + LANES, end))
        for left, table in enumerate(saved_tables(layout, layer, before, opened, carry)):
            if left >= rerolls:
                values[begin : begin + len(opened), left - rerolls] = table[0]


def saved_tables(layout: SavedLayers, layer: int, before: Values, opened: Ints, carry: Ints) -> Iterator[Floats]:
    """Play turns backwards; yield a table for 0, 1, ... rerolls left.

    Its rows are the expected values of the partial keeps with one roll more to come, the values of the hands with so many rerolls
    left, and minus infinity, for keeps that do not exist. It is one array, written again for every roll.
    """
    net = layout.arrays.lattice
    table = np.full((len(net.keeps) + 1, len(opened)), -np.inf)
    for left, fill in enumerate(saved_fills(layout, layer, before, opened, carry)):
        table[net.first_hand : -1] = fill
        if left:
            take_best(net, table)
        play_turn(net, table)
        yield table


def saved_fills(layout: SavedLayers, layer: int, before: Values, opened: Ints, carry: Ints) -> Iterator[Floats]:
    """Give the best value of every hand when a box is filled, with 0, 1, ... rerolls left."""
    for left in range(layout.most_saved(layer - 1) + 1):
        yield fill_turn(layout.arrays, After(layout, layer - 1, before, left), opened, carry)  # type: ignore[arg-type]


class After:
    """The turn starts of a layer with so many rolls saved, read as arrays by open boxes and carry are."""

    def __init__(self, layout: SavedLayers, layer: int, values: Values, saved: int) -> None:
        self.layout, self.layer, self.values, self.saved = layout, layer, values, saved

    def __getitem__(self, key: tuple[Ints, Ints]) -> Floats:
        found: Floats = self.values[self.layout.rows(self.layer, *key), self.saved].astype(np.float64)
        return found
