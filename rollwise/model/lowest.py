"""The lowest expected total, for games in which points are bad."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError
from rollwise.model.aim import OfferedAim
from rollwise.model.message import Message
from rollwise.model.objective import Objective

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["LOWEST", "Lowest"]

LOWEST = OfferedAim.known("lowest", "lowest")


@dataclass(frozen=True)
class Lowest(Objective):
    """Minimise the expected total of points.

    >>> str(Lowest())
    'lowest'
    """

    name = "lowest"
    better = "lower"
    few = True
    adds = True

    @classmethod
    def read(cls, text: str) -> "Lowest":
        if text:
            raise GameError(f"objective '{cls.name} {text}': expected {cls.name!r} alone")
        return cls()

    @classmethod
    def aims(cls) -> tuple[OfferedAim, ...]:
        return (LOWEST,)

    def aim(self, game: "Game[Any, Any, Any]") -> Message:
        return Message("aim.lowest.sentence")
