"""Rows of different lengths in one array: `start` says where each begins, and has one entry more than there are rows."""

import numpy as np
import numpy.typing as npt

__all__ = ["gather"]

Ints = npt.NDArray[np.int64]


def gather(start: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """List the flat positions of the given rows of an offset array, and where each row begins in that list.

    >>> gather(np.array([0, 2, 5, 6]), np.array([1, 0]))
    (array([2, 3, 4, 0, 1]), array([0, 3]))
    """
    length = start[rows + 1] - start[rows]
    begin = np.cumsum(length) - length
    flat = np.repeat(start[rows] - begin, length) + np.arange(int(length.sum()))
    return flat, begin
