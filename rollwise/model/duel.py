"""The best chance of beating another player who does the same, taking turns."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rollwise.model.objective import Number, Objective
from rollwise.model.ties import read_share, read_ties, show_share

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["Duel"]


@dataclass(frozen=True)
class Duel(Objective):
    """Maximise the probability of ending with more points than another player who does the same, taking turns (score sheets).

    A tie counts `ties` for the first player (default: half a win) and 1 - ties for the second.

    >>> str(Duel())
    'duel'

    Raises `GameError` for `ties` outside 0..1.
    """

    name = called = "duel"
    adds = True
    wins = True
    follows = False

    ties: Fraction

    def __init__(self, ties: float | Fraction = Fraction(1, 2)) -> None:
        object.__setattr__(self, "ties", read_share(ties))

    def __str__(self) -> str:
        return f"{self.name}{show_share(self.ties)}"

    @classmethod
    def read(cls, text: str) -> "Duel":
        """Read what a tie counts, as it is written: nothing, "ties win", "ties lose" or "ties 1/3"."""
        return cls(read_ties(text)) if text else cls()

    @property
    def unit(self) -> int:
        """The points of a win in the game that is walked."""
        return self.ties.denominator

    def restate(self, game: "Game[Any, Any, Any]") -> "Game[Any, Any, Any]":
        """Put two players on the game, taking turns."""
        return game.duel(self.ties)

    def aim(self, game: "Game[Any, Any, Any]") -> str:
        worth = {Fraction(1, 2): "half a win", Fraction(1): "a win for the first", Fraction(0): "a win for the second"}
        return f"Two optimal players take turns; a tie is {worth.get(self.ties, f'{self.ties} of a win for the first')}"

    def result(self, total: Number, game: "Game[Any, Any, Any]") -> str:
        return "won" if total == 1 else "lost" if total == 0 else "tied"

    def ending(self, total: Number, start: Number, game: "Game[Any, Any, Any]") -> str:
        return f"{self.result(total, game)} (chance at the start {float(start):.4f})"
