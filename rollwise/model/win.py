"""The best chance to win a game for two that may end in a tie, which counts half."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError
from rollwise.model.aim import OfferedAim
from rollwise.model.message import Message
from rollwise.model.objective import Number, Objective

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["WIN", "Win"]

WIN = OfferedAim.known("win", "win")


@dataclass(frozen=True)
class Win(Objective):
    """Maximise the chance to win, a tie counting half: the end pays 2 for a win, 1 for a tie, 0 for a loss.

    >>> Win().worth(1), str(Win())
    (Fraction(1, 2), 'win')
    """

    name = "win"
    wins = True

    @classmethod
    def read(cls, text: str) -> "Win":
        if text:
            raise GameError(f"objective '{cls.name} {text}': expected {cls.name!r} alone")
        return cls()

    @classmethod
    def aims(cls) -> tuple[OfferedAim, ...]:
        return (WIN,)

    @property
    def unit(self) -> int:
        return 2

    def score(self, total: int) -> int:
        return min(max(total, 0), self.unit)

    def restate(self, game: "Game[Any, Any, Any]") -> "Game[Any, Any, Any]":
        own = game.objective
        if own.wins and own.name != self.name:
            raise GameError(
                f"'win' counts 2 for a win and 1 for a tie, and this game counts otherwise: leave it out, for '{own}'"
            )
        return game

    def aim(self, game: "Game[Any, Any, Any]") -> Message:
        return Message("aim.win.sentence")

    def result(self, total: Number, game: "Game[Any, Any, Any]") -> str:
        return "tied" if 0 < total < 1 else super().result(total, game)
