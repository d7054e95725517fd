"""The keep lattice: all multisets of up to `count` dice, joined by "one more die".

Nodes are ordered by size, then as sorted tuples; the hands (all dice) come last. Two facts make a turn cheap:

    expected value of a keep:   E[k] = mean over faces f of E[k + f]
    best of all sub-keeps:      B[k] = max(E[k], max over faces f in k of B[k - f])

so rolling and choosing cost a few operations a node, instead of one product for every keep and hand.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.keeps import Keeps, link_keeps

__all__ = ["Lattice", "keep_rows", "lattice", "listed_place", "sub_keeps"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Lattice(Keeps):
    """The keeps of `count` dice with faces 1 to `faces`, face 1 first in `more`; `hand_weight` counts the ways to roll a hand."""

    count: int
    faces: int
    hand_weight: Ints

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
    links = link_keeps(range(1, faces + 1), count)
    weight = np.zeros(len(links["keeps"]), dtype=np.int64)
    weight[0] = 1
    for k, targets in enumerate(links["more"]):
        for target in targets:
            weight[target] += weight[k]
    return Lattice(**links, count=count, faces=faces, hand_weight=weight[links["size_start"][-2] :])


@lru_cache(maxsize=32)
def sub_keeps(count: int, faces: int) -> tuple[Ints, Ints]:
    """List for each hand what can be kept of it while rolling at least one die, as games list it.

    That is most dice first, and then as sorted tuples. Gives where each hand's list begins, and the lists in one.

    >>> start, listed = sub_keeps(2, 6)
    >>> [lattice(2, 6).keeps[keep] for keep in listed[start[1] : start[2]]]
    [(1,), (2,), ()]
    """
    net = lattice(count, faces)
    below: list[set[int]] = []
    for k in range(len(net.keeps)):
        fewer = net.fewer[net.fewer_start[k] : net.fewer_start[k + 1]].tolist()
        below.append(set(fewer).union(*(below[less] for less in fewer)))
    place = listed_place(net)
    rows = [sorted(part, key=place.__getitem__) for part in below[net.first_hand :]]
    return np.cumsum([0, *map(len, rows)]), np.array([keep for row in rows for keep in row], dtype=np.int64)


@lru_cache(maxsize=32)
def keep_rows(count: int, faces: int) -> Ints:
    """Give `sub_keeps` as one array, a row for each hand, with -1 where a hand has fewer keeps.

    >>> keep_rows(1, 2).tolist(), keep_rows(2, 2).tolist()
    ([[0], [0]], [[1, 0, -1], [1, 2, 0], [2, 0, -1]])
    """
    start, listed = sub_keeps(count, faces)
    place = start[:-1, None] + np.arange(int(np.diff(start).max()))
    inside = place < start[1:, None]
    found: Ints = np.where(inside, listed[np.where(inside, place, 0)], -1)
    return found


def listed_place(net: Lattice) -> Ints:
    """Give the place of every keep in the order in which games list keeps: most dice first, then as sorted tuples."""
    size = np.repeat(np.arange(net.count + 1), np.diff(net.size_start))
    place = np.empty(len(net.keeps), dtype=np.int64)
    place[np.argsort(-size, kind="stable")] = np.arange(len(place))
    return place
