"""A turn of five dice by whole hands, for recursions that share nothing with the library: NumPy, and no lattice of keeps."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.known.sides import sides_of

Values = npt.NDArray[np.float64]

EVERY = range(1, 7)
HANDS = list(combinations_with_replacement(EVERY, 5))
KEEPS = [keep for size in range(5) for keep in combinations_with_replacement(EVERY, size)]
PLACE: dict[tuple[int, ...], int] = {hand: place for place, hand in enumerate(HANDS)}


@cache
def chances(weights: str) -> Values:
    """The chance of every hand after every keep."""
    sides = sides_of(weights)
    found = np.zeros((len(KEEPS), len(HANDS)))
    for row, keep in zip(found, KEEPS, strict=True):
        for rolled in product(sides, repeat=5 - len(keep)):
            row[PLACE[tuple(sorted(keep + rolled))]] += float(len(sides)) ** (len(keep) - 5)
    return found


PARTS = [[place for place, keep in enumerate(KEEPS) if not Counter(keep) - Counter(hand)] for hand in HANDS]


def turn(rerolls: int, fill: Values, first: Values | None = None, weights: str = "") -> Any:
    """The worth of turns from what hands are worth when a box is filled with them; with others for the first roll."""
    chance = chances(weights)
    value = fill if rerolls or first is None else first
    for left in range(1, rerolls + 1):
        expected = chance @ value
        kept = np.array([expected[part].max(axis=0) for part in PARTS])
        value = np.maximum(fill if left < rerolls or first is None else first, kept)
    return chance[0] @ value
