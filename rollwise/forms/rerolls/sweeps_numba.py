"""The compiled operators of `rerolling`: the same loops over (before, axis, after), without temporary arrays."""

from math import prod

import numpy as np
import numpy.typing as npt
from numba import njit

from rollwise.forms.rerolls.sweeps import LARGEST_TABLE, Floats, NumpySweeps, RerollForm

__all__ = ["NumbaSweeps"]

_compile = njit(nogil=True, cache=True, error_model="numpy")


class NumbaSweeps:
    """The operators in compiled code."""

    def mean(self, form: RerollForm, array: Floats) -> None:
        for place, axis in enumerate(form.axes):
            _mean(_around(form, array, place), axis.first_hand, axis.share, axis.more)

    def best(self, form: RerollForm, array: Floats, source: npt.NDArray[np.int32]) -> None:
        for place, axis in enumerate(form.axes):
            _best(_around(form, array, place), _around(form, source, place), axis.fewer_start, axis.fewer)

    def again(self, form: RerollForm, source: npt.NDArray[np.int32], out: Floats) -> None:
        if max(axis.size * (axis.size - axis.first_hand) for axis in form.axes) > LARGEST_TABLE:
            NumpySweeps().again(form, source, out)
            return
        sizes = np.array(form.shape)
        first = np.array([axis.first_hand for axis in form.axes])
        tables = [axis.chances for axis in form.axes]
        start = np.cumsum([0, *map(len, tables)])
        chance = np.concatenate(tables)
        out[...] = 0.0
        _again(source.reshape(-1), form.goal.reshape(-1), sizes, first, start, chance, out.reshape(-1))

    def gap(self, a: Floats, b: Floats) -> float:
        return float(_gap(a.reshape(-1), b.reshape(-1)))

    def retry(self, pending: Floats, plain: Floats, chance: Floats) -> None:
        _retry(pending.reshape(-1), plain.reshape(-1), chance.reshape(-1))


def _around(form: RerollForm, array: npt.NDArray[np.generic], place: int) -> npt.NDArray[np.generic]:
    """View an array as (before, axis, after)."""
    shape = form.shape
    return array.reshape(prod(shape[:place]), shape[place], prod(shape[place + 1 :]))


@_compile
def _mean(array, first_hand, share, more):
    for before in range(array.shape[0]):
        for keep in range(first_hand - 1, -1, -1):
            target = array[before, keep]
            source = array[before, more[keep, 0]]
            for after in range(len(target)):
                target[after] = share[0] * source[after]
            for face in range(1, len(share)):
                source = array[before, more[keep, face]]
                for after in range(len(target)):
                    target[after] += share[face] * source[after]


@_compile
def _best(array, origin, fewer_start, fewer):
    for before in range(array.shape[0]):
        for keep in range(1, array.shape[1]):
            for place in range(fewer_start[keep], fewer_start[keep + 1]):
                less = fewer[place]
                for after in range(array.shape[2]):
                    if array[before, less, after] < array[before, keep, after]:
                        array[before, keep, after] = array[before, less, after]
                        origin[before, keep, after] = origin[before, less, after]


@_compile
def _again(source, goal, sizes, first, start, chance, out):
    n = len(sizes)
    hand = np.zeros(n, dtype=np.int64)
    hands = sizes - first
    for state in range(len(goal)):
        if not goal[state]:
            flat = 0
            for i in range(n):
                flat = flat * sizes[i] + first[i] + hand[i]
            chosen = source[flat]
            rest = chosen
            product = 1.0
            for i in range(n - 1, -1, -1):
                keep = rest % sizes[i]
                rest //= sizes[i]
                product *= chance[start[i] + keep * hands[i] + hand[i]]
            out[chosen] += product
        for i in range(n - 1, -1, -1):
            hand[i] += 1
            if hand[i] < hands[i]:
                break
            hand[i] = 0


@_compile
def _gap(a, b):
    largest = 0.0
    for i in range(len(a)):
        gap = abs(a[i] - b[i])
        largest = max(largest, gap)
    return largest


@_compile
def _retry(pending, plain, chance):
    for i in range(len(pending)):
        again = chance[i] if np.isfinite(pending[i]) else 0.0
        closed = plain[i]
        if 0.0 < again < 1.0:
            closed = (plain[i] - again * pending[i]) / (1.0 - again)
        pending[i] = min(pending[i], closed)
