"""Choices of many players at once: the first listed among ties."""

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.numbers import TIE

__all__ = ["first_best", "padded"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def padded(rows: list[list[int]], fill: list[int]) -> Ints:
    """Make a matrix of rows of different lengths, filled up on the right."""
    width = max(map(len, rows))
    return np.array([row + [own] * (width - len(row)) for row, own in zip(rows, fill, strict=True)], dtype=np.int64)


def first_best(values: Floats) -> Ints:
    """For each column the first row that ties with the highest."""
    best = values.max(axis=0)
    found: Ints = np.argmax(values >= best - TIE * np.abs(best), axis=0)
    return found
