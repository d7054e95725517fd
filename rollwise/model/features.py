"""A position as rows of whole numbers, for programs that learn."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rollwise.model.abilities import POSITION_RULES, named_part

__all__ = ["MOST_POINTS", "Feature", "Features", "face_counts", "features_of", "one_number"]

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


class Features:
    """The positions of a game as numbers; a game that has them names its class as the attribute `features`."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def features(self, state: Any) -> Mapping[str, Feature] | None:
        """Give a state as named rows of numbers: different states differ in them. None: it has none."""
        return None

    def every_action(self) -> Sequence[Any] | None:
        """List all actions that some state may offer, each once; None: only following the rules tells."""
        return None


def features_of(game: Any) -> Features:
    """Give the features of a game: its own, or none where it changes which positions there are."""
    named = named_part(game, "features", POSITION_RULES) if hasattr(type(game), "features") else None
    found: Features = (named or Features)(game)
    return found
