"""What can be kept of equal dice: all multisets of up to so many of them, joined by "one more die"."""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Keeps", "link_keeps", "without"]

Ints = npt.NDArray[np.int64]

TICK = 1 << 12


@dataclass(frozen=True, eq=False, kw_only=True)
class Keeps:
    """Keeps are ordered by size, then as sorted tuples; the hands (all dice) come last.

    `more[k, f]` is keep k with one more die of face f; `fewer[fewer_start[k]:fewer_start[k + 1]]` are k with one die less.
    `size_start[n]` is the first keep of n dice.
    """

    keeps: tuple[tuple[int, ...], ...]
    size_start: Ints
    more: Ints
    fewer_start: Ints
    fewer: Ints

    @cached_property
    def first_hand(self) -> int:
        """The number of the first full hand; those before it are partial keeps."""
        return int(self.size_start[-2])

    @property
    def n_hands(self) -> int:
        return len(self.keeps) - self.first_hand


def link_keeps(faces: Sequence[int], count: int, tick: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Give the fields of the `Keeps` of `count` dice with these faces; `tick` is called now and then."""
    keeps = tuple(keep for size in range(count + 1) for keep in combinations_with_replacement(faces, size))
    number = {keep: i for i, keep in enumerate(keeps)}
    start = [number[(faces[0],) * size] for size in range(count + 1)]
    more, column = np.zeros((start[-1], len(faces)), dtype=np.int64), {face: i for i, face in enumerate(faces)}
    fewer, fewer_start = array("q"), array("q", [0])
    for i, keep in enumerate(keeps):
        if i % TICK == 0:
            tick()
        for face in sorted(set(keep)):
            less = number[without(keep, face)]
            more[less, column[face]] = i
            fewer.append(less)
        fewer_start.append(len(fewer))
    return {
        "keeps": keeps,
        "size_start": np.array([*start, len(keeps)]),
        "more": more,
        "fewer_start": np.array(fewer_start),
        "fewer": np.array(fewer, dtype=np.int64),
    }


def without(keep: tuple[int, ...], face: int) -> tuple[int, ...]:
    """Give a keep with one die of a face less."""
    place = keep.index(face)
    return keep[:place] + keep[place + 1 :]
