"""Backward induction over score sheets: one recursion, whatever the values of a turn start depend on besides the turn start.

That is the *axis*: nothing, for the highest expected total (here); rolls saved (`saved_rolls_axis`), the standing
(`standings`), the lead over an opponent (`duel_arrays`). An axis says where the values lie, in layers of rows: layer k follows
from layer k - 1, and a row can be computed alone. A kernel computes rows: those of turn starts without points beside them are
NumPy (here) and Numba (`kernels.starts_numba`, the same bits); those of ragged rows by points are in `rows` and
`kernels.rows_numba`.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import pairwise
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.layers import Recursion, roomy, solve_in_layers
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays, layers_with_end, with_classes
from rollwise.solvers.sheets.effect_values import SavedValues
from rollwise.solvers.sheets.places import Places, places_of
from rollwise.solvers.sheets.turn import Values, best_fill, turn_tables

__all__ = [
    "Axis", "ExpectedAxis", "Kernel", "StartAxis", "StartLayer", "TurnRecursion", "Values", "numpy_starts",
    "pick_kernel", "solve_sheet",
]  # fmt: skip


class Layout(Protocol):
    """Where the rows of a layer begin in its values laid flat, and where the last ends."""

    @property
    def row_start(self) -> Ints: ...


Kernel = Callable[[Any, Any, Any, Values, Values, int, int], None]
"""Called with (axis, layer, the layer before, its values, values to write, first row, end): writes these rows of the layer."""


class Axis(ABC):
    """What values depend on besides the turn start, and how its layers lie; layer 0 is the end of the game."""

    what: ClassVar[str] = "the sheet"
    forgets: ClassVar[bool] = True
    """Whether layers are arrays of their own; else all are parts of one."""
    shapes: tuple[tuple[int, ...], ...]

    @abstractmethod
    def layer(self, number: int) -> Any:
        """Lay out a layer."""

    @abstractmethod
    def end(self, dtype: npt.DTypeLike) -> Values:
        """Give the values of layer 0."""

    def room(self, number: int, dtype: npt.DTypeLike) -> Values:
        """Give the array that a layer is written into."""
        return np.empty(self.shapes[number], dtype)

    def read(self, number: int, values: Values) -> Values:
        """Give the values of a layer, of the array that it was written into."""
        return values

    def take(self, number: int, values: Values) -> Values:
        """Take the values of a layer over; gives the array that it would have been written into."""
        return values

    @property
    @abstractmethod
    def title(self) -> str:
        """Say what is solved, and how large it is."""

    @property
    def worker_bytes(self) -> int | None:
        """Bytes that a worker needs who computes some rows, beside files that it maps; None: those of two layers."""
        return None


PIECE = 1 << 16
"""Values a call of the kernel writes, about: progress shows, an interrupt is heard, threads finish together."""


class TurnRecursion(Recursion):
    """The layers of a sheet along an axis; `layers` are the arrays of those that are kept.

    `fingerprint` is needed where layers are written, and `check` refuses what does not fit into memory when they cannot be.
    """

    def __init__(self, axis: Axis, kernel: Kernel, dtype: npt.DTypeLike = "float64", fingerprint: str = "") -> None:
        self.axis, self.kernel, self.fingerprint = axis, kernel, fingerprint
        self.what, self.forgets, self.shapes = axis.what, axis.forgets, axis.shapes
        self.dtype = np.dtype(dtype).name
        self.work = [int(np.prod(shape, dtype=np.int64)) for shape in axis.shapes]
        self.layers: dict[int, Values] = {}
        self.laid: dict[int, Any] = {}
        self.check: Callable[[SolveOptions], None] = lambda _: None

    def begin(self) -> None:
        self.restore(0, self.axis.end(self.dtype))

    def pieces(self, layer: int, threads: int) -> Iterable[Any]:
        self.layers[layer] = self.axis.room(layer, self.dtype)
        self.lay(layer - 1)
        start = self.lay(layer).row_start
        count = max(8 * threads if threads > 1 else 1, int(start[-1]) // PIECE)
        cuts = np.searchsorted(start, np.linspace(0, start[-1], count + 1)[1:-1])
        return list(pairwise(sorted({0, *cuts.tolist(), len(start) - 1})))

    def fill(self, layer: int, piece: tuple[int, int]) -> int:
        first, end = piece
        start = self._write(layer, self.layers[layer], first, end)
        return int(start[end] - start[first])

    def _write(self, layer: int, values: Values, first: int, end: int) -> Ints:
        """Write some rows of a layer; gives where its rows begin."""
        here: Layout = self.lay(layer)
        self.kernel(self.axis, here, self.lay(layer - 1), np.asarray(self.layers[layer - 1]), values, first, end)
        return here.row_start

    def lay(self, layer: int) -> Any:
        """Lay out a layer; its neighbours stay laid out."""
        if layer not in self.laid:
            near = {number: laid for number, laid in self.laid.items() if abs(number - layer) == 1}
            self.laid = near | {layer: self.axis.layer(layer)}
        return self.laid[layer]

    def values(self, layer: int) -> Values:
        return self.axis.read(layer, self.layers[layer])

    def restore(self, layer: int, values: Values) -> None:
        self.layers[layer] = self.axis.take(layer, values)

    def keep(self, layer: int, values: Values) -> None:
        if self.forgets:
            self.layers[layer] = values

    def forget(self, layer: int) -> None:
        self.layers.pop(layer, None)

    def without_files(self, options: SolveOptions) -> None:
        self.check(options)

    def recipe(self) -> tuple[Callable[..., Recursion], tuple[Any, ...]]:
        return type(self), (self.axis, self.kernel, self.dtype, self.fingerprint)

    def row_start(self, layer: int) -> Ints:
        start: Ints = self.lay(layer).row_start
        return start

    def rows(self, layer: int, first: int, end: int) -> Values:
        size = int(np.prod(self.shapes[layer], dtype=np.int64))
        values = roomy(size, self.dtype).reshape(self.shapes[layer]) if self.forgets else self.axis.room(layer, self.dtype)
        start = self._write(layer, values, first, end)
        return self.axis.read(layer, values).reshape(-1)[start[first] : start[end]]

    @property
    def worker_bytes(self) -> int:
        return super().worker_bytes if self.axis.worker_bytes is None else self.axis.worker_bytes

    @property
    def title(self) -> str:
        return self.axis.title


# Turn starts as lanes


class StartLayer:
    """The turn starts of a layer, a row each: those of `masks`, in the order of `places_of`.

    A row has `width` values, one for each number of rolls that can be saved.
    """

    def __init__(self, axis: "StartAxis", number: int) -> None:
        self.axis, self.number, self.masks = axis, number, axis.masks[number]
        rows, self.width = axis.shapes[number]
        self.row_start = np.arange(rows + 1) * self.width
        self.first = int(axis.places.layer_start[number])
        self.mask_start = axis.rank.start[self.masks] - axis.rank.layer_start[number]

    def part(self, first: int, end: int) -> tuple[Ints, Ints]:
        """List open boxes and carry of some rows."""
        begin = max(0, int(np.searchsorted(self.mask_start, first, side="right")) - 1)
        near = self.masks[begin : int(np.searchsorted(self.mask_start, end))]
        opened, place = with_classes(self.axis.arrays, near, self.axis.arrays.carry_start)
        rows = slice(first - int(self.mask_start[begin]), end - int(self.mask_start[begin]))
        return opened[rows], self.axis.arrays.carry_list[place[rows]]

    def places(self, opened: Ints, carry: Ints) -> Ints:
        """Give where turn starts lie in the array of the layer, laid out by turn start and rolls saved."""
        found: Ints = self.axis.places.rows(opened, carry) - self.first
        return found


class StartAxis(Axis):
    """Values by turn start, and in some by rolls saved: `rank` numbers the turn starts, `places` says where their values lie."""

    def __init__(self, arrays: SheetArrays, places: Places | None = None) -> None:
        self.arrays = arrays
        self.masks = layers_with_end(arrays)
        self.rank = places_of(arrays)
        self.places = places or self.rank
        self.shapes = tuple((n, self.width(layer)) for layer, n in enumerate(np.diff(self.rank.layer_start).tolist()))

    def width(self, number: int) -> int:
        """Count the values of a turn start."""
        return 1

    def layer(self, number: int) -> StartLayer:
        return StartLayer(self, number)

    def end(self, dtype: npt.DTypeLike) -> Values:
        return np.zeros(self.shapes[0], dtype=dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.arrays,)

    @property
    def title(self) -> str:
        return f"a sheet of {self.arrays.n_boxes} boxes"


class ExpectedAxis(StartAxis):
    """The highest expected total: nothing beside the turn start. `table[open boxes, carry]` has the values of all layers.

    It is NaN where a carry cannot occur; a last row of minus infinity stands for boxes that are not open.
    """

    forgets = False

    def __init__(self, arrays: SheetArrays) -> None:
        rank = places_of(arrays)
        place = np.tile(np.arange(arrays.n_carries), (len(rank.place), 1))
        for number, row in enumerate(place):
            copies = slice(arrays.copy_start[number], arrays.copy_start[number + 1])
            row[arrays.copy_to[copies]] = arrays.copy_from[copies]
        start = np.arange(arrays.n_masks) * arrays.n_carries
        super().__init__(arrays, Places(start, rank.of_class, place, np.zeros_like(rank.layer_start)))
        self.table = np.full((arrays.n_masks + 1, arrays.n_carries), np.nan)
        self.table[-1] = -np.inf

    def room(self, number: int, dtype: npt.DTypeLike) -> Values:
        return self.table.reshape(-1, 1)

    def read(self, number: int, values: Values) -> Values:
        found: Values = values[self._own(number)]
        return found

    def take(self, number: int, values: Values) -> Values:
        room = self.room(number, values.dtype)
        room[self._own(number)] = values
        return room

    def _own(self, number: int) -> Ints:
        layer = self.layer(number)
        return layer.places(*layer.part(0, self.shapes[number][0]))

    def copy_carries(self) -> None:
        """Write the values of carries that make no difference, once those of the others are there."""
        for masks in self.masks:
            opened, place = with_classes(self.arrays, masks, self.arrays.copy_start)
            self.table[opened, self.arrays.copy_to[place]] = self.table[opened, self.arrays.copy_from[place]]

    @property
    def worker_bytes(self) -> int:
        return self.table.nbytes


def pick_kernel(family: str, plain: Kernel, engine: str | None, *, large: bool) -> tuple[str, Kernel]:
    """Name an engine and give its kernel: compiled code where there is much to do, or when it is loaded already.

    `plain` is the kernel of NumPy; the compiled one, which gives the same bits, has the same name elsewhere.
    """
    lanes = plain.__name__.removeprefix("numpy_")
    compiled = f"rollwise.solvers.sheets.kernels.{lanes}_numba"
    engine = engine or f"{family}-{'numba' if large or compiled in sys.modules else 'numpy'}"
    return engine, plain if engine.endswith("-numpy") else getattr(import_module(compiled), f"numba_{lanes}")


def solve_sheet(arrays: SheetArrays, kernel: Kernel, options: SolveOptions | None = None, *, fingerprint: str = "") -> Floats:
    """Solve a sheet for the highest expected total: give the `table` of `ExpectedAxis`. It does not depend on threads."""
    axis = ExpectedAxis(arrays)
    solve_in_layers(TurnRecursion(axis, kernel, fingerprint=fingerprint), options or SolveOptions(backend=Threads(1)))
    axis.copy_carries()
    return axis.table


LANES = 512


def numpy_starts(
    axis: StartAxis, layer: StartLayer, previous: StartLayer, before: Values, values: Values, first: int, end: int
) -> None:
    """Write rows of a layer, many turn starts at a time as the vector axis: the definition, in the order of operations."""
    rerolls, after = axis.arrays.rerolls, SavedValues(axis.arrays, previous.places, before)
    for begin in range(first, end, LANES):
        opened, carry = layer.part(begin, min(begin + LANES, end))
        own = layer.places(opened, carry)
        fills = (best_fill(axis.arrays, opened, worth) for worth in after.worth(opened, carry))
        for left, table in enumerate(turn_tables(axis.arrays, *fills)):
            if left >= rerolls:
                values[own, left - rerolls] = table[0]
