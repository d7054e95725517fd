"""Solvers that find the best hand of dice among many without solving each."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

from rollwise.model.weights import Faces
from rollwise.solvers.base.options import SolveOptions

__all__ = ["ChoosesHands", "ChosenHands", "Hand", "count_hands", "list_hands"]

Hand = tuple[int, ...]
"""The dice of a hand, by their places in the inventory, in order."""


@dataclass(frozen=True)
class ChosenHands:
    """The best hands with their values, the best first; no other hand is worth more than the first by more than `gap`.

    `solved` hands were solved by themselves; of the others a bound was enough.
    """

    ranked: tuple[tuple[Hand, float], ...]
    gap: float
    solved: int


class ChoosesHands(ABC):
    """Can find the best hand of dice among many."""

    @abstractmethod
    def choose_hands(
        self, game: Any, dice: Sequence[Faces], counts: Sequence[int], take: int, options: SolveOptions
    ) -> ChosenHands | None:
        """Find the best hands of `take` dice, at most `counts[i]` of them being `dice[i]`; `game` is one with such a hand.

        None: this game has to be solved for each hand.
        """


def count_hands(counts: Sequence[int], take: int) -> int:
    """Count the hands of so many dice.

    >>> count_hands([1, 2, 3], 3), len(list_hands([1, 2, 3], 3))
    (6, 6)
    """
    ways = [1, *[0] * take]
    for count in counts:
        ways = [sum(ways[total - k] for k in range(min(count, total) + 1)) for total in range(take + 1)]
    return ways[take]


def list_hands(counts: Sequence[int], take: int) -> list[Hand]:
    """List the hands of so many dice, in order."""
    if all(count >= take for count in counts):
        return list(combinations_with_replacement(range(len(counts)), take))
    found: list[Hand] = [()]
    for place, count in enumerate(counts):
        found = [hand + (place,) * k for hand in found for k in range(min(count, take - len(hand)) + 1)]
        found = [hand for hand in found if len(hand) + sum(counts[place + 1 :]) >= take]
    return sorted(found)
