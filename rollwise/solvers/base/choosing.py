"""Choices of many players at once: the first listed among ties."""

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.numbers import TIE

__all__ = ["first_best"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def first_best(values: Floats) -> Ints:
    """For each column the first row that ties with the highest."""
    best = values.max(axis=0)
    found: Ints = np.argmax(values >= best - TIE * np.abs(best), axis=0)
    return found
