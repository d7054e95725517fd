"""Play many grouping games at once."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.numbers import TIE

if TYPE_CHECKING:
    from rollwise.solvers.partitions.solution import PartitionSolution

__all__ = ["play_groups"]

Ints = npt.NDArray[np.int64]


def play_groups(solution: "PartitionSolution", rng: "np.random.Generator", games: int) -> Ints:
    """Play groups by held sizes, largest first, and give the numbers of rolls."""
    goal, grown = np.array(solution.game.goal), solution.grown
    rolls = np.zeros(games, dtype=np.int64)
    live, sizes, number = np.arange(games), np.zeros((games, len(goal)), dtype=np.int64), np.zeros(games, dtype=np.int64)
    while live.size:
        rolls[live] += 1
        face = rng.integers(0, solution.game.faces, len(live))
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
