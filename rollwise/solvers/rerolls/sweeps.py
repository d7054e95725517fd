"""Reroll any of the dice until a goal shows: separable sweeps with the retry closed form.

Every group of equal dice is an axis. A position on it is what is kept of the group, a multiset of up to all its dice: the
full ones are hands, the others are being rolled. For a single die that is the founding picture: six faces and a star. An
array over all axes holds the values: of a state where every axis is full, of a pending elsewhere. Both operators act one axis
at a time:

    mean:  X[keep] = sum over faces of p(face) X[keep + face]          from full hands down
    best:  V[keep] = min(V[keep], V[keep - face])                      from empty keeps up

so a sweep costs a few operations an entry, not one for every pair of pending and outcome. Each sweep also uses the closed
form for retries: with q the chance that an outcome of y rolls y again, X[y] = (1 + mean of V - q X[y]) / (1 - q). Started
from "roll until a goal shows", values fall monotonically, each attained by a strategy. As every roll costs 1, a residual r
proves a relative error of at most r / (1 - r): values that are r / (1 - r) larger only fall in a sweep. A fall from far away may
end below the truth by more than the last digits, as large numbers cancel; then the sweeps resume from just so much higher.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import comb, factorial
from typing import Protocol

import numpy as np
import numpy.typing as npt

from rollwise.errors import EngineError
from rollwise.solvers.base.keeps import Keeps, link_keeps

__all__ = ["Axis", "NumpySweeps", "RerollArrays", "Swept", "axis_size", "make_axis", "scatter", "sweep"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

ROUNDS = 2000
GOOD = 2e-13
"""The residual, relative to the largest value, at which sweeping stops at once."""
PATIENCE = 6
LARGEST_TABLE = 1_000_000
BLOCK = 1 << 16
"""States whose chances are computed at a time."""
FACTORIAL = np.array([float(factorial(n)) for n in range(64)])


@dataclass(frozen=True, eq=False, kw_only=True)
class Axis(Keeps):
    """What can be kept of a group of equal dice: `share[face]` is a chance, `counts[keep, face]` how many are kept."""

    share: Floats
    counts: Ints

    @property
    def size(self) -> int:
        return len(self.keeps)

    @cached_property
    def chances(self) -> Floats:
        """The chance of every hand from every keep, as one row."""
        keep, hand = np.divmod(np.arange(self.size * (self.size - self.first_hand)), self.size - self.first_hand)
        return self._work_out(keep, hand)

    def chance(self, keep: Ints, hand: Ints) -> Floats:
        """Give the chance that rolling the dice not kept completes each keep to the hand beside it (counted among the hands)."""
        n_hands = self.size - self.first_hand
        if self.size * n_hands <= LARGEST_TABLE:
            return np.asarray(self.chances[keep * n_hands + hand])
        return self._work_out(keep, hand)

    def _work_out(self, keep: Ints, hand: Ints) -> Floats:
        rolled = self.counts[self.first_hand + hand] - self.counts[keep]
        possible = (rolled >= 0).all(axis=-1)
        rolled = np.maximum(rolled, 0)
        ways = FACTORIAL[rolled.sum(axis=-1)] * (self.share**rolled / FACTORIAL[rolled]).prod(axis=-1)
        return np.where(possible, ways, 0.0)


def make_axis(weights: tuple[int, ...], count: int, tick: Callable[[], None] = lambda: None) -> Axis:
    """Make the axis of `count` equal dice with these face weights; `tick` is called now and then.

    >>> make_axis((1, 1), 1).keeps
    ((), (0,), (1,))
    """
    links = link_keeps(range(len(weights)), count, tick)
    counts = np.zeros((len(links["keeps"]), len(weights)), dtype=np.int64)
    for low, high in pairwise(links["size_start"][:-1]):
        for face, one in enumerate(np.eye(len(weights), dtype=np.int64)):
            counts[links["more"][low:high, face]] = counts[low:high] + one
    return Axis(**links, share=np.array(weights) / sum(weights), counts=counts)


def axis_size(faces: int, count: int) -> tuple[int, int]:
    """Count what can be kept of equal dice, and the hands among it.

    >>> axis_size(6, 5)
    (462, 252)
    """
    return comb(faces + count, count), comb(faces + count - 1, count)


@dataclass(frozen=True, eq=False)
class RerollArrays:
    """Axes, and which states are goals (an array over the full hands of every axis)."""

    axes: tuple[Axis, ...]
    goal: Bools

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(axis.size for axis in self.axes)

    @property
    def hands(self) -> tuple[slice, ...]:
        """The part of the array that holds states."""
        return tuple(slice(axis.first_hand, None) for axis in self.axes)


@dataclass(frozen=True, eq=False)
class Swept:
    """Values over all axes, the rounds they took, and the largest residual of a pending."""

    value: Floats
    rounds: int
    residual: float


class Sweeps(Protocol):
    """The operators on whole arrays, one kernel each."""

    def mean(self, arrays: RerollArrays, array: Floats) -> None:
        """Fill in all pendings by averaging the states."""

    def best(self, arrays: RerollArrays, array: Floats, source: npt.NDArray[np.int32]) -> None:
        """Take minima over sub-keeps, in place, and note in `source` where each came from."""

    def again(self, arrays: RerollArrays, source: npt.NDArray[np.int32], out: Floats) -> None:
        """Add up, for every pending, the chance that an outcome rolls it again."""

    def gap(self, a: Floats, b: Floats) -> float:
        """Give the largest difference; infinite minus infinite counts as none."""

    def retry(self, pending: Floats, plain: Floats, chance: Floats) -> None:
        """Lower pending to (plain - chance * pending) / (1 - chance), where that is defined."""


def sweep(arrays: RerollArrays, sweeps: Sweeps, tick: Callable[[int, float], None] = lambda _rounds, _residual: None) -> Swept:
    """Find the least expected number of rolls from every state and pending; infinite if there is no goal."""
    pending = np.full(arrays.shape, np.inf)
    if not arrays.goal.any():
        return Swept(pending, 0, 0.0)
    pending[arrays.hands] = arrays.goal
    sweeps.mean(arrays, pending)
    with np.errstate(divide="ignore"):
        np.divide(1.0, pending, out=pending)
    best, source, chance = np.empty_like(pending), np.empty(arrays.shape, np.int32), np.empty_like(pending)
    lowest, waited = np.inf, 0
    for rounds in range(1, ROUNDS + 1):
        pending[arrays.hands] = np.where(arrays.goal, 0.0, np.inf)
        best[...] = pending
        source[...] = np.arange(source.size, dtype=np.int32).reshape(arrays.shape)
        sweeps.best(arrays, best, source)
        state = best[arrays.hands].copy()
        sweeps.mean(arrays, best)
        best += 1.0
        best[arrays.hands] = state
        pending[arrays.hands] = state
        residual = sweeps.gap(best, pending)
        tick(rounds, residual)
        scale = float(state.max())
        waited = 0 if residual < 0.5 * lowest else waited + 1
        lowest = min(lowest, residual)
        if residual <= GOOD * scale or (waited >= PATIENCE and residual < 1e-10):
            return Swept(pending, rounds, residual)
        if waited >= PATIENCE and residual < 0.25:
            pending *= 1.0 + 2.0 * residual
            lowest, waited = np.inf, 0
            continue
        sweeps.again(arrays, source, chance)
        sweeps.retry(pending, best, chance)
    raise EngineError(f"sweeping did not settle in {ROUNDS} rounds: solve the game in fractions (exact=True, or --exact)")


def scatter(arrays: RerollArrays, mass: Floats) -> None:
    """Roll: pass the mass of every pending on to the states it may give, one die at a time; pendings are left with none."""
    for place, axis in enumerate(arrays.axes):
        rows = np.moveaxis(mass[..., None], place, 0)
        for begin, end in pairwise(axis.size_start[:-1].tolist()):
            for face in range(len(axis.share) - 1, -1, -1):
                rows[axis.more[begin:end, face]] += axis.share[face] * rows[begin:end]
            rows[begin:end] = 0.0


class NumpySweeps:
    """The operators by NumPy slices."""

    def mean(self, arrays: RerollArrays, array: Floats) -> None:
        for place, axis in enumerate(arrays.axes):
            rows = np.moveaxis(array[..., None], place, 0)
            for keep in range(axis.first_hand - 1, -1, -1):
                total = axis.share[0] * rows[axis.more[keep, 0]]
                for face in range(1, len(axis.share)):
                    total += axis.share[face] * rows[axis.more[keep, face]]
                rows[keep] = total

    def best(self, arrays: RerollArrays, array: Floats, source: npt.NDArray[np.int32]) -> None:
        for place, axis in enumerate(arrays.axes):
            rows, origin = np.moveaxis(array[..., None], place, 0), np.moveaxis(source[..., None], place, 0)
            for keep in range(1, axis.size):
                for less in axis.fewer[axis.fewer_start[keep] : axis.fewer_start[keep + 1]]:
                    better = rows[less] < rows[keep]
                    np.copyto(rows[keep], rows[less], where=better)
                    np.copyto(origin[keep], origin[less], where=better)

    def again(self, arrays: RerollArrays, source: npt.NDArray[np.int32], out: Floats) -> None:
        moving = np.flatnonzero(~arrays.goal)
        chosen = source[arrays.hands].reshape(-1)[moving]
        chance = np.ones(len(chosen))
        for begin in range(0, len(chosen), BLOCK):
            part = slice(begin, begin + BLOCK)
            kept = np.unravel_index(chosen[part], arrays.shape)
            for axis, keep, hand in zip(arrays.axes, kept, np.unravel_index(moving[part], arrays.goal.shape), strict=True):
                chance[part] *= axis.chance(keep, hand)
        out[...] = np.bincount(chosen, chance, out.size).reshape(arrays.shape)

    def gap(self, a: Floats, b: Floats) -> float:
        with np.errstate(invalid="ignore"):
            return float(np.fmax.reduce(np.abs(a - b).ravel(), initial=0.0))

    def retry(self, pending: Floats, plain: Floats, chance: Floats) -> None:
        finite = np.isfinite(pending)
        again = np.where(finite & (chance < 1.0), chance, 0.0)
        closed = (plain - again * np.where(finite, pending, 0.0)) / (1.0 - again)
        np.minimum(pending, closed, out=pending)
