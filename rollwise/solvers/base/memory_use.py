"""What arrays take in memory, by what they are: two that show the same memory, or the same file, are one."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from rollwise.solvers.base.array_files import Checked

__all__ = ["BYTES_A_POSITION", "MemoryUse", "memory_use"]

MemoryUse = dict[Any, int]
"""Bytes by what takes them."""
BYTES_A_POSITION = 1500
"""What a position takes that is kept as an object, about."""


def memory_use(arrays: Iterable[Any]) -> MemoryUse:
    """Give the bytes of arrays; those in files count, as what was read of them stays in memory.

    >>> table = np.zeros(4)
    >>> sum(memory_use([table, table[1:], np.zeros(2)]).values())
    48
    """
    return dict(_one(array) for array in arrays)


def _one(array: Any) -> tuple[Any, int]:
    if isinstance(array, Checked):
        return array.path, int(array.nbytes)
    whole = np.asarray(array)
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    key = str(whole.filename) if isinstance(whole, np.memmap) else whole.__array_interface__["data"][0]
    return key, int(whole.nbytes)
