"""The keep lattice: all multisets of up to `count` dice, joined by "one more die".

Nodes are ordered by size, then as sorted tuples; the hands (all dice) come last. Two facts make a turn cheap:

    expected value of a keep:   E[k] = mean over faces f of E[k + f], each by its chance
    best of all sub-keeps:      B[k] = max(E[k], max over faces f in k of B[k - f])

so rolling and choosing cost a few operations a node, instead of one product for every keep and hand.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from rollwise.model.roll import LARGEST
from rollwise.solvers.base.keeps import Keeps, link_keeps

__all__ = ["Lattice", "keep_rows", "lattice", "listed_place", "sub_keeps"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Lattice(Keeps):
    """The keeps of `count` dice, whose faces from 1 on have `weights`; `hand_weight` counts the ways to roll a hand.

    Faces that never come are left out: `more` has a column for each of the others, in their order.
    """

    count: int
    weights: tuple[int, ...]
    hand_weight: Ints

    @property
    def faces(self) -> int:
        """How many faces come."""
        return int(self.more.shape[1])

    @cached_property
    def face_weight(self) -> tuple[int, ...]:
        """The weight of each face that comes."""
        return tuple(weight for weight in self.weights if weight)

    @property
    def ways(self) -> int:
        """The ways to roll one die."""
        return sum(self.weights)

    @cached_property
    def share(self) -> Floats:
        """The chance of each face that comes; of fair dice one number for all of them.

        So a mean over the faces of fair dice is a sum, multiplied once.
        """
        if len(set(self.face_weight)) == 1:
            return np.array([1.0 / self.faces])
        return np.array(self.face_weight) / self.ways

    def throw(self, random: "np.random.Generator", size: tuple[int, ...]) -> npt.NDArray[np.int8]:
        """Throw dice; give the place of each face among those that come."""
        if len(self.share) == 1:
            return random.integers(0, self.faces, size, dtype=np.int8)
        faces = np.searchsorted(np.cumsum(self.face_weight), random.integers(0, self.ways, size), side="right")
        return faces.astype(np.int8)

    def number(self, keep: tuple[int, ...]) -> int:
        """Give the number of a sorted keep."""
        return self._numbers[keep]

    def find(self, keep: tuple[int, ...]) -> int:
        """Give the number of a keep; -1 if there is none."""
        return self._numbers.get(keep, -1)

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        return {keep: i for i, keep in enumerate(self.keeps)}


@lru_cache(maxsize=32)
def lattice(count: int, weights: tuple[int, ...]) -> Lattice:
    """Make the lattice of `count` dice whose faces from 1 on have these weights.

    >>> five = lattice(5, (1, 1, 1, 1, 1, 1))
    >>> len(five.keeps), five.n_hands, int(five.hand_weight.sum())
    (462, 252, 7776)
    """
    links = link_keeps([face for face, weight in enumerate(weights, 1) if weight], count)
    ways = np.zeros(len(links["keeps"]), dtype=np.int64 if sum(weights) ** count < LARGEST else object)
    ways[0] = 1
    for k, targets in enumerate(links["more"]):
        for target, weight in zip(targets, filter(None, weights), strict=True):
            ways[target] += ways[k] * weight
    return Lattice(**links, count=count, weights=weights, hand_weight=ways[links["size_start"][-2] :])


@lru_cache(maxsize=32)
def sub_keeps(net: Lattice) -> tuple[Ints, Ints]:
    """List for each hand what can be kept of it while rolling at least one die, as games list it.

    That is most dice first, and then as sorted tuples. Gives where each hand's list begins, and the lists in one.

    >>> two = lattice(2, (1, 1, 1, 1, 1, 1))
    >>> start, listed = sub_keeps(two)
    >>> [two.keeps[keep] for keep in listed[start[1] : start[2]]]
    [(1,), (2,), ()]
    """
    below: list[set[int]] = []
    for k in range(len(net.keeps)):
        fewer = net.fewer[net.fewer_start[k] : net.fewer_start[k + 1]].tolist()
        below.append(set(fewer).union(*(below[less] for less in fewer)))
    place = listed_place(net)
    rows = [sorted(part, key=place.__getitem__) for part in below[net.first_hand :]]
    return np.cumsum([0, *map(len, rows)]), np.array([keep for row in rows for keep in row], dtype=np.int64)


@lru_cache(maxsize=32)
def keep_rows(net: Lattice) -> Ints:
    """Give `sub_keeps` as one array, a row for each hand, with -1 where a hand has fewer keeps.

    >>> keep_rows(lattice(1, (1, 1))).tolist(), keep_rows(lattice(2, (1, 1))).tolist()
    ([[0], [0]], [[1, 0, -1], [1, 2, 0], [2, 0, -1]])
    """
    start, listed = sub_keeps(net)
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
