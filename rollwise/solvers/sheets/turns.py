"""Backward induction over score sheets, for the highest expected total: outer states by filled boxes.

What comes in is a `SheetArrays`, arrays only. `value[open, carry]` is the expected gain to come of an outer state, NaN where the
carry cannot occur; a last row of minus infinity stands for boxes that are not open. Each is the value of a `turn`.

Three kernels share this contract: NumPy (here), Numba (`kernels.expected_numba`, the same bits) and integers
(`kernels.expected_exact`).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.layers import Recursion, solve_in_layers
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays, layers
from rollwise.solvers.sheets.turn import turn_values

__all__ = ["Kernel", "SheetRecursion", "numpy_kernel", "solve_sheet"]

Kernel = Callable[[SheetArrays, Floats, Ints], None]
"""Fills in `value[opened]` for an array of masks whose successors are done."""


class SheetRecursion(Recursion):
    """The layers of a sheet: `value` holds all of them, by open boxes; a layer is the rows with as many open boxes."""

    what = "the sheet"
    dtype = "float64"

    def __init__(self, arrays: SheetArrays, kernel: Kernel, fingerprint: str = "") -> None:
        self.arrays, self.kernel, self.fingerprint = arrays, kernel, fingerprint
        self.masks = [np.zeros(1, dtype=np.int64), *layers(arrays)]
        self.work = [len(masks) for masks in self.masks]
        self.shapes = tuple((size, arrays.n_carries) for size in self.work)
        self.value = np.full((arrays.n_masks + 1, arrays.n_carries), np.nan)
        self.value[-1] = -np.inf

    def begin(self) -> None:
        self.value[0, self.arrays.carries(0)] = 0.0
        self.value[0, self.arrays.copies(0)[0]] = 0.0

    def pieces(self, layer: int, threads: int) -> list[Ints]:
        return _deal(self.masks[layer], threads)

    def fill(self, layer: int, piece: Ints) -> int:
        self.kernel(self.arrays, self.value, piece)
        return len(piece)

    def values(self, layer: int) -> Floats:
        found: Floats = self.value[self.masks[layer]]
        return found

    def restore(self, layer: int, values: Floats) -> None:
        self.value[self.masks[layer]] = values

    def recipe(self) -> tuple[Callable[..., Recursion], tuple[Any, ...]]:
        return SheetRecursion, (self.arrays, self.kernel, self.fingerprint)

    def row_start(self, layer: int) -> Ints:
        return np.arange(len(self.masks[layer]) + 1) * self.arrays.n_carries

    def rows(self, layer: int, first: int, end: int) -> Floats:
        masks = self.masks[layer][first:end]
        self.kernel(self.arrays, self.value, masks)
        found: Floats = self.value[masks].reshape(-1)
        return found

    @property
    def worker_bytes(self) -> int:
        return self.value.nbytes

    @property
    def title(self) -> str:
        return f"a sheet of {self.arrays.n_boxes} boxes"


def solve_sheet(arrays: SheetArrays, kernel: Kernel, options: SolveOptions | None = None, *, fingerprint: str = "") -> Floats:
    """Solve layer by layer, from the full sheet backwards; the result does not depend on the number of threads (default 1)."""
    recursion = SheetRecursion(arrays, kernel, fingerprint)
    solve_in_layers(recursion, options or SolveOptions(backend=Threads(1)))
    return recursion.value


PIECE = 2048
"""Masks a call of the kernel solves at most, so that progress shows and an interrupt is heard."""


def _deal(layer: Ints, threads: int) -> list[Ints]:
    """Deal masks out in small pieces, so that threads finish together."""
    pieces = max(4 * threads if threads > 1 else 1, -(-len(layer) // PIECE))
    return np.array_split(layer, min(len(layer), pieces))


def numpy_kernel(arrays: SheetArrays, value: Floats, masks: Ints) -> None:
    """Solve masks of one layer, many (mask, carry) pairs at a time as the vector axis."""
    sizes = arrays.carry_start[arrays.carry_class[masks] + 1] - arrays.carry_start[arrays.carry_class[masks]]
    begin = 0
    while begin < len(masks):
        end = begin + max(1, int(np.searchsorted(np.cumsum(sizes[begin:]), LANES)))
        _numpy_block(arrays, value, masks[begin:end])
        begin = end


LANES = 512


def _numpy_block(arrays: SheetArrays, value: Floats, masks: Ints) -> None:
    carry = np.concatenate([arrays.carries(int(mask)) for mask in masks])
    opened = np.repeat(masks, [len(arrays.carries(int(mask))) for mask in masks])
    value[opened, carry] = turn_values(arrays, value, opened, carry)[0]
    for mask in masks.tolist():
        to, source = arrays.copies(mask)
        value[mask, to] = value[mask, source]
