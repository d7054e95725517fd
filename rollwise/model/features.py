"""A position as rows of whole numbers, for programs that learn."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

__all__ = ["MOST_POINTS", "Feature", "face_counts", "one_number"]

MOST_POINTS = (1 << 31) - 1
"""As high as points are told where nobody knows how high they may be."""


class Feature(NamedTuple):
    """A row of whole numbers, each from `low` to `high`; it has as many in every position of a game."""

    values: tuple[int, ...]
    low: int
    high: int


def one_number(value: int, low: int, high: int) -> Feature:
    """Make a row of one number."""
    return Feature((int(value),), low, high)


def face_counts(dice: Sequence[int], faces: Iterable[int], most: int) -> Feature:
    """Count how many of at most so many dice show each face.

    >>> face_counts((1, 3, 3), range(1, 7), 5).values
    (1, 0, 2, 0, 0, 0)
    """
    return Feature(tuple(dice.count(face) for face in faces), 0, most)
