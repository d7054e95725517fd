"""The compiled operators of `sweeps`: the same loops over (before, axis, after), without temporary arrays."""

from math import prod

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.rerolls.sweeps import FACTORIAL, LARGEST_TABLE, Floats, RerollArrays

__all__ = ["NumbaSweeps"]


class NumbaSweeps:
    """The operators in compiled code."""

    def mean(self, arrays: RerollArrays, array: Floats) -> None:
        for place, axis in enumerate(arrays.axes):
            _mean(_around(arrays, array, place), axis.first_hand, axis.share, axis.more)

    def best(self, arrays: RerollArrays, array: Floats, source: npt.NDArray[np.int32]) -> None:
        for place, axis in enumerate(arrays.axes):
            _best(_around(arrays, array, place), _around(arrays, source, place), axis.fewer_start, axis.fewer)

    def again(self, arrays: RerollArrays, source: npt.NDArray[np.int32], out: Floats) -> None:
        sizes = np.array(arrays.shape)
        first = np.array([axis.first_hand for axis in arrays.axes])
        out[...] = 0.0
        if max(axis.size * (axis.size - axis.first_hand) for axis in arrays.axes) > LARGEST_TABLE:
            faces = np.array([len(axis.share) for axis in arrays.axes])
            start = np.cumsum([0, *(axis.counts.size for axis in arrays.axes)])
            counts = np.concatenate([axis.counts.reshape(-1) for axis in arrays.axes])
            share = np.concatenate([axis.share for axis in arrays.axes])
            rules = (sizes, first, faces, start, counts, share, FACTORIAL)
            _again_counted(source.reshape(-1), arrays.goal.reshape(-1), *rules, out.reshape(-1))
            return
        tables = [axis.chances for axis in arrays.axes]
        start = np.cumsum([0, *map(len, tables)])
        chance = np.concatenate(tables)
        _again(source.reshape(-1), arrays.goal.reshape(-1), sizes, first, start, chance, out.reshape(-1))

    def gap(self, a: Floats, b: Floats) -> float:
        return float(_gap(a.reshape(-1), b.reshape(-1)))

    def retry(self, pending: Floats, plain: Floats, chance: Floats) -> None:
        _retry(pending.reshape(-1), plain.reshape(-1), chance.reshape(-1))


def _around(arrays: RerollArrays, array: npt.NDArray[np.generic], place: int) -> npt.NDArray[np.generic]:
    """View an array as (before, axis, after)."""
    shape = arrays.shape
    return array.reshape(prod(shape[:place]), shape[place], prod(shape[place + 1 :]))


@compiled
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


@compiled
def _best(array, origin, fewer_start, fewer):
    for before in range(array.shape[0]):
        for keep in range(1, array.shape[1]):
            for place in range(fewer_start[keep], fewer_start[keep + 1]):
                less = fewer[place]
                for after in range(array.shape[2]):
                    if array[before, less, after] < array[before, keep, after]:
                        array[before, keep, after] = array[before, less, after]
                        origin[before, keep, after] = origin[before, less, after]


@compiled
def _flat(sizes, first, hand):
    """The number of a state: its hands, after the keeps of each group, in digits of these sizes."""
    flat = 0
    for i in range(len(sizes)):
        flat = flat * sizes[i] + first[i] + hand[i]
    return flat


@compiled
def _go_on(hand, hands):
    """Count on to the next state, the last group first."""
    for i in range(len(hand) - 1, -1, -1):
        hand[i] += 1
        if hand[i] < hands[i]:
            break
        hand[i] = 0


@compiled
def _again(source, goal, sizes, first, start, chance, out):
    n = len(sizes)
    hand = np.zeros(n, dtype=np.int64)
    hands = sizes - first
    for state in range(len(goal)):
        if not goal[state]:
            chosen = source[_flat(sizes, first, hand)]
            rest = chosen
            product = 1.0
            for i in range(n - 1, -1, -1):
                keep = rest % sizes[i]
                rest //= sizes[i]
                product *= chance[start[i] + keep * hands[i] + hand[i]]
            out[chosen] += product
        _go_on(hand, hands)


@compiled
def _again_counted(source, goal, sizes, first, faces, start, counts, share, factorial, out):
    """The same where a table of all chances would be too large: they are computed one by one."""
    n = len(sizes)
    hand = np.zeros(n, dtype=np.int64)
    hands = sizes - first
    for state in range(len(goal)):
        if not goal[state]:
            chosen = source[_flat(sizes, first, hand)]
            rest = chosen
            product = 1.0
            end = len(share)
            for i in range(n - 1, -1, -1):
                keep = start[i] + (rest % sizes[i]) * faces[i]
                full = start[i] + (first[i] + hand[i]) * faces[i]
                rest //= sizes[i]
                end -= faces[i]
                dice = 0
                for face in range(faces[i]):
                    rolled = counts[full + face] - counts[keep + face]
                    if rolled < 0:
                        product = 0.0
                        break
                    dice += rolled
                    product *= share[end + face] ** rolled / factorial[rolled]
                product *= factorial[dice]
            out[chosen] += product
        _go_on(hand, hands)


@compiled
def _gap(a, b):
    largest = 0.0
    for i in range(len(a)):
        gap = abs(a[i] - b[i])
        largest = max(largest, gap)
    return largest


@compiled
def _retry(pending, plain, chance):
    for i in range(len(pending)):
        again = chance[i] if np.isfinite(pending[i]) else 0.0
        closed = plain[i]
        if 0.0 < again < 1.0:
            closed = (plain[i] - again * pending[i]) / (1.0 - again)
        pending[i] = min(pending[i], closed)
