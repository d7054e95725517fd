"""The highest expected total."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError
from rollwise.model.aim import OfferedAim
from rollwise.model.message import Message
from rollwise.model.objective import Objective

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["EXPECTED", "Expected"]

EXPECTED = OfferedAim.known("expected", "expected")


@dataclass(frozen=True)
class Expected(Objective):
    """Maximise the expected total of points.

    >>> str(Expected())
    'expected'
    """

    name = "expected"
    adds = True

    @classmethod
    def read(cls, text: str) -> "Expected":
        if text:
            raise GameError(f"objective '{cls.name} {text}': expected {cls.name!r} alone")
        return cls()

    @classmethod
    def aims(cls) -> tuple[OfferedAim, ...]:
        return (EXPECTED,)

    def aim(self, game: "Game[Any, Any, Any]") -> Message:
        return Message("aim.expected.sentence")
