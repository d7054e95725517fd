"""Backward induction over score sheets, for the highest expected total: outer states by filled boxes.

What comes in is a `SheetArrays`, arrays only. `value[open, carry]` is the expected gain to come of an outer state, NaN where the
carry cannot occur; a last row of minus infinity stands for boxes that are not open. Each is the value of a `turn`.

Three kernels share this contract: NumPy (here), Numba (`kernels.expected_numba`, the same bits) and integers
(`kernels.expected_exact`).
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from rollwise.forms.sheets.arrays import Floats, Ints, SheetArrays, layers
from rollwise.forms.sheets.turn import turn_values

__all__ = ["Kernel", "numpy_kernel", "solve_sheet"]

Kernel = Callable[[SheetArrays, Floats, Ints], None]
"""Fills in `value[opened]` for an array of masks whose successors are done."""


def solve_sheet(form: SheetArrays, kernel: Kernel, *, threads: int = 1, tick: Callable[[int], None] = lambda _: None) -> Floats:
    """Solve layer by layer, from the full sheet backwards; the result does not depend on `threads`."""
    value = np.full(((1 << form.n_boxes) + 1, form.n_carries), np.nan)
    value[-1] = -np.inf
    value[0, form.carries(0)] = 0.0
    value[0, form.copies(0)[0]] = 0.0
    done = 1
    tick(done)
    pool = ThreadPoolExecutor(threads)
    try:
        for layer in layers(form):
            for size in pool.map(lambda masks: _run(kernel, form, value, masks), _deal(layer, threads)):
                done += size
                tick(done)
    finally:
        pool.shutdown(cancel_futures=True)
    return value


def _run(kernel: Kernel, form: SheetArrays, value: Floats, masks: Ints) -> int:
    kernel(form, value, masks)
    return len(masks)


PIECE = 2048
"""Masks a call of the kernel solves at most, so that progress shows and an interrupt is heard."""


def _deal(layer: Ints, threads: int) -> list[Ints]:
    """Deal masks out in small pieces, so that threads finish together."""
    pieces = max(4 * threads if threads > 1 else 1, -(-len(layer) // PIECE))
    return np.array_split(layer, min(len(layer), pieces))


def numpy_kernel(form: SheetArrays, value: Floats, masks: Ints) -> None:
    """Solve masks of one layer, many (mask, carry) pairs at a time as the vector axis."""
    sizes = form.carry_start[form.carry_class[masks] + 1] - form.carry_start[form.carry_class[masks]]
    begin = 0
    while begin < len(masks):
        end = begin + max(1, int(np.searchsorted(np.cumsum(sizes[begin:]), LANES)))
        _numpy_block(form, value, masks[begin:end])
        begin = end


LANES = 512


def _numpy_block(form: SheetArrays, value: Floats, masks: Ints) -> None:
    carry = np.concatenate([form.carries(int(mask)) for mask in masks])
    opened = np.repeat(masks, [len(form.carries(int(mask))) for mask in masks])
    value[opened, carry] = turn_values(form, value, opened, carry)[0]
    for mask in masks.tolist():
        to, source = form.copies(mask)
        value[mask, to] = value[mask, source]
