"""The keep lattice: all multisets of up to `count` dice, joined by "one more die".

Nodes are ordered by size, then as sorted tuples; the hands (all dice) come last. Two facts make a turn cheap:

    expected value of a keep:   E[k] = mean over faces f of E[k + f]
    best of all sub-keeps:      B[k] = max(E[k], max over faces f in k of B[k - f])

so rolling and choosing cost a few operations a node, instead of one product for every keep and hand.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

__all__ = ["Lattice", "lattice", "without"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Lattice:
    """`more[k, f]` is keep k with one more die of face f; `fewer[fewer_start[k]:fewer_start[k + 1]]` are k with one die less."""

    count: int
    faces: int
    keeps: tuple[tuple[int, ...], ...]
    size_start: Ints
    more: Ints
    fewer_start: Ints
    fewer: Ints
    hand_weight: Ints

    @property
    def first_hand(self) -> int:
        """The number of the first full hand; nodes before it are partial keeps."""
        return int(self.size_start[-2])

    @property
    def n_hands(self) -> int:
        return len(self.keeps) - self.first_hand

    def number(self, keep: tuple[int, ...]) -> int:
        """Give the number of a sorted keep."""
        return _numbers(self.count, self.faces)[keep]

    def find(self, keep: tuple[int, ...]) -> int:
        """Give the number of a keep; -1 if there is none."""
        return _numbers(self.count, self.faces).get(keep, -1)


@lru_cache(maxsize=32)
def _numbers(count: int, faces: int) -> dict[tuple[int, ...], int]:
    return {keep: i for i, keep in enumerate(lattice(count, faces).keeps)}


@lru_cache(maxsize=32)
def lattice(count: int, faces: int) -> Lattice:
    """Make the lattice of `count` dice with faces 1 to `faces`.

    >>> five = lattice(5, 6)
    >>> len(five.keeps), five.n_hands, int(five.hand_weight.sum())
    (462, 252, 7776)
    """
    by_size = [list(combinations_with_replacement(range(1, faces + 1), size)) for size in range(count + 1)]
    keeps = tuple(keep for keeps in by_size for keep in keeps)
    number = {keep: i for i, keep in enumerate(keeps)}
    size_start = np.cumsum([0, *map(len, by_size)])
    partial = keeps[: size_start[-2]]
    more = [[number[tuple(sorted((*keep, face)))] for face in range(1, faces + 1)] for keep in partial]
    fewer = [[number[without(keep, face)] for face in sorted(set(keep))] for keep in keeps]
    weight = np.zeros(len(keeps), dtype=np.int64)
    weight[0] = 1
    for k, targets in enumerate(more):
        for target in targets:
            weight[target] += weight[k]
    return Lattice(
        count,
        faces,
        keeps,
        size_start,
        np.array(more, dtype=np.int64).reshape(len(partial), faces),
        np.cumsum([0, *map(len, fewer)]),
        np.array([k for row in fewer for k in row], dtype=np.int64),
        weight[size_start[-2] :],
    )


def without(keep: tuple[int, ...], face: int) -> tuple[int, ...]:
    """Give a keep with one die of a face less."""
    place = keep.index(face)
    return keep[:place] + keep[place + 1 :]
