"""Grow groups of dice into a goal: all partitions inside the goal at once, layer by layer.

Only partitions contained in the goal can occur. In lexicographic order the number of a partition (m_1 >= m_2 >= ...) is a sum
over its parts,

    number = sum over i of S_i(m_i),    S_i(b) = sum over c < b of the ways to continue after part i = c,

so letting group i grow by one die adds `ways_i(m_i)` to the number: no table, no search. A pending with held groups m either
grows one of them (as many faces as groups have that size; unheld faces start a new group) or is rolled again. The retry
closed form is

    x = (M + sum over kept w v) / sum over kept w,

over a prefix of the outcomes sorted by value; if all feasible outcomes are below x, that prefix is all of them and nothing
need be sorted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.numbers import TIE

__all__ = ["Grown", "count_partitions", "count_ways", "grow", "keep_chances", "play_groups"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Grown:
    """Expected rolls by number of partition, how to number one, and the largest residual.

    `part_start[i, m]` is what a part i of size m adds to the number.
    """

    value: Floats
    part_start: Ints
    residual: float

    def number(self, sizes: tuple[int, ...]) -> int:
        """Number a partition that is inside the goal."""
        return sum(int(self.part_start[i, size]) for i, size in enumerate(sizes))


def count_partitions(goal: tuple[int, ...]) -> int:
    """Count the partitions inside a goal, in integers of any size."""
    ways = [1] * (goal[0] + 1)
    for limit in reversed(goal):
        totals = list(accumulate(ways))
        ways = [totals[min(b, limit)] for b in range(goal[0] + 1)]
    return ways[goal[0]]


def count_ways(goal: tuple[int, ...]) -> Ints:
    """For each part i (and one more) and size b of it, the number of ways to choose the parts after it."""
    ways = np.ones((len(goal) + 1, goal[0] + 1), dtype=np.int64)
    for i in range(len(goal) - 1, -1, -1):
        after = np.cumsum(ways[i + 1])
        ways[i] = after[np.minimum(np.arange(goal[0] + 1), goal[i])]
    return ways[1:]


def grow(goal: tuple[int, ...], faces: int, tick: Callable[[int], None] = lambda _: None) -> Grown:
    """Solve for every partition inside `goal` (sorted, largest first) with dice of `faces` faces."""
    ways = count_ways(goal)
    parts = _partitions(goal)
    step = np.stack([ways[i][parts[i]] for i in range(len(goal))])
    dice = parts.sum(axis=0, dtype=np.int64)
    weight = _weights(parts, goal, faces)
    order = np.argsort(dice, kind="stable")
    cuts = np.searchsorted(dice[order], np.arange(dice.max() + 2))
    value = np.zeros(parts.shape[1])
    residual, done = 0.0, 1
    for layer in range(len(cuts) - 3, -1, -1):
        rows = order[cuts[layer] : cuts[layer + 1]]
        w = weight[:, rows]
        v = value[np.where(w > 0, rows + step[:, rows], 0)]
        x = _retry(w, v, faces)
        value[rows] = x
        residual = max(residual, float(np.abs(_rolled(w, v, x, faces) - x).max()))
        done += len(rows)
        tick(done)
    start = np.concatenate([np.zeros((len(goal), 1), dtype=np.int64), np.cumsum(ways, axis=1)[:, :-1]], axis=1)
    return Grown(value, start, residual)


def keep_chances(grown: Grown, goal: tuple[int, ...], faces: int) -> tuple[Floats, Ints]:
    """For each group and partition, the chance that a roll is kept to grow that group, and the number of what it grows into."""
    parts = _partitions(goal)
    ways = count_ways(goal)
    target = np.arange(parts.shape[1]) + np.stack([ways[i][parts[i]] for i in range(len(goal))])
    weight = _weights(parts, goal, faces)
    target = np.where(weight > 0, target, 0)
    wanted = grown.value[target] <= grown.value * (1 + 1e-9)
    return np.where(wanted, weight, 0.0) / faces, target


def _partitions(goal: tuple[int, ...]) -> npt.NDArray[np.int32]:
    """All partitions inside the goal in lexicographic order, a column each."""
    parts = np.arange(goal[0] + 1, dtype=np.int32)[None, :]
    for limit in goal[1:]:
        most = np.minimum(parts[-1], limit).astype(np.int64)
        begin = np.cumsum(most + 1) - (most + 1)
        own = np.arange(int((most + 1).sum())) - np.repeat(begin, most + 1)
        parts = np.concatenate([np.repeat(parts, most + 1, axis=1), own[None, :].astype(np.int32)])
    return parts


def _weights(parts: npt.NDArray[np.int32], goal: tuple[int, ...], faces: int) -> Floats:
    """How many faces let group i grow; only the first of equal groups counts, for all of them; 0 where it must not grow."""
    run = np.ones(parts.shape)
    for i in range(len(goal) - 2, -1, -1):
        run[i] += np.where(parts[i] == parts[i + 1], run[i + 1], 0.0)
    place = np.arange(len(goal))[:, None]
    run = np.where(parts == 0, faces - place, run)
    run[1:][parts[1:] == parts[:-1]] = 0.0
    run[parts >= np.array(goal)[:, None]] = 0.0
    return run


def _retry(weight: Floats, value: Floats, faces: int) -> Floats:
    """The retry closed form for every column: kept outcomes are those below the result."""
    x: Floats = (faces + (weight * value).sum(axis=0)) / weight.sum(axis=0)
    high = np.flatnonzero((np.where(weight > 0, value, 0.0) > x).any(axis=0))
    if high.size:
        w, v = weight[:, high], value[:, high]
        order = np.argsort(np.where(w > 0, v, np.inf), axis=0, kind="stable")
        w, v = np.take_along_axis(w, order, axis=0), np.take_along_axis(v, order, axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            prefixes = (faces + np.cumsum(w * v, axis=0)) / np.cumsum(w, axis=0)
        x[high] = np.nanmin(prefixes, axis=0)
    return x


def _rolled(weight: Floats, value: Floats, x: Floats, faces: int) -> Floats:
    """One roll: cost 1, keep what is better than rolling again."""
    result: Floats = 1.0 + x + (weight * np.minimum(value - x, 0.0)).sum(axis=0) / faces
    return result


def play_groups(grown: Grown, sizes_of_goal: tuple[int, ...], faces: int, rng: "np.random.Generator", games: int) -> Ints:
    """Play groups by held sizes, largest first, and give the numbers of rolls."""
    goal = np.array(sizes_of_goal)
    rolls = np.zeros(games, dtype=np.int64)
    live, sizes, number = np.arange(games), np.zeros((games, len(goal)), dtype=np.int64), np.zeros(games, dtype=np.int64)
    while live.size:
        rolls[live] += 1
        face = rng.integers(0, faces, len(live))
        rows = np.arange(len(live))
        size = np.where(face < len(goal), sizes[rows, np.minimum(face, len(goal) - 1)], 0)
        # The first group of that size grows, so that the sizes stay sorted; size 0 is the first group not begun.
        place = (sizes > size[:, None]).sum(axis=1)
        fits = place < len(goal)
        place = np.where(fits, place, 0)
        fits &= size < goal[place]
        after = number + np.where(fits, grown.part_start[place, np.where(fits, size + 1, 0)] - grown.part_start[place, size], 0)
        keep = fits & (grown.value[after] <= grown.value[number] * (1 + TIE))
        sizes[rows[keep], place[keep]] += 1
        number = np.where(keep, after, number)
        going = (sizes != goal).any(axis=1)
        live, sizes, number = live[going], sizes[going], number[going]
    return rolls
