"""The values that engines fill in, level by level, with bounds and choices.

All engines maximise; a game that minimises comes with its costs negated. A value of minus infinity means that no policy surely
ends the game from there. `up` and `down` are rigorous bounds on rounding: the optimum is at most value + up, and the chosen
policy attains at least value - down. With two players, player 0's policy attains at least value - down whatever player 1 does,
and player 1's allows at most value + up whatever player 0 does; values are player 0's throughout.
"""

import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from rollwise.errors import EngineError
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.graph.explore import Graph

__all__ = ["ENGINES", "Engine", "Floats", "Ints", "Result", "Used", "Values", "first_of", "nearest", "rounding", "uncertain"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

Engine = Literal["induction", "retry", "shortest", "policy", "sweep"]
Used = Engine | Literal["return"]
ENGINES: tuple[str, ...] = get_args(Engine)

LARGEST_FLOAT = sys.float_info.max


@dataclass(frozen=True, eq=False)
class Values:
    """Values, bounds and choices by node; NaN until solved. `choice` counts from the state's first action; -1: none."""

    state: Floats
    state_up: Floats
    state_down: Floats
    pending: Floats
    pending_up: Floats
    pending_down: Floats
    choice: Ints

    @classmethod
    def empty(cls, graph: Graph) -> "Values":
        """Make what there is before anything is solved."""
        s, s_up, s_down = (np.full(graph.n_states, np.nan) for _ in range(3))
        p, p_up, p_down = (np.full(graph.n_pendings, np.nan) for _ in range(3))
        return cls(s, s_up, s_down, p, p_up, p_down, np.full(graph.n_states, -1, dtype=np.int64))


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """Solved values (floats always; rationals in exact mode), choices, bounds, and the engines that were used."""

    values: Values
    state_exact: list[Any] | None
    pending_exact: list[Any] | None
    engines: tuple[Used, ...]


def rounding(terms: Ints | int, size: Floats | float) -> Floats:
    """Bound the rounding error of a weighted mean of `terms` numbers of the given mean size."""
    return np.asarray((np.asarray(terms) + 8) * (1.01 * UNIT) * np.asarray(size))


def nearest(value: float | Fraction) -> float:
    """Give the float nearest to a number, the largest one for a fraction beyond it: infinite means something else here.

    >>> nearest(Fraction(1, 4)), nearest(Fraction(-10**400)), nearest(float("-inf"))
    (0.25, -1.7976931348623157e+308, -inf)
    """
    try:
        return float(value)
    except OverflowError:
        return LARGEST_FLOAT if value > 0 else -LARGEST_FLOAT


def uncertain() -> EngineError:
    """Make the error that says floats do not suffice."""
    return EngineError("the error bound cannot be certified in floating point: use exact=True")


def first_of(tied: npt.NDArray[np.bool_], begin: Ints) -> Ints:
    """Give the place, counted from the segment's begin, of the first True of each segment (its length if there is none).

    >>> first_of(np.array([False, True, True, True]), np.array([0, 3]))
    array([1, 0])
    """
    length = np.diff(begin, append=len(tied))
    place = np.arange(len(tied)) - np.repeat(begin, length)
    found: Ints = np.minimum.reduceat(np.where(tied, place, np.repeat(length, length)), begin)
    return found
