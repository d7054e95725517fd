"""The best chance of a total of at most so many points, for games in which points are bad."""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError
from rollwise.model.aim import OfferedAim
from rollwise.model.at_least import LONGEST, MOST_POINTS
from rollwise.model.message import Message, Text
from rollwise.model.objective import Number, Objective
from rollwise.model.parameter import Integer, Parameter

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["AtMost"]

LIMIT = OfferedAim.known(
    "at-most",
    "at-most {target}",
    (Parameter.known("target", Integer(-MOST_POINTS, MOST_POINTS), key="at-most"),),
)


@dataclass(frozen=True)
class AtMost(Objective):
    """Maximise the probability that the total is at most `target`.

    >>> str(AtMost(5))
    'at-most 5'

    Raises `GameError` for a target that is not a whole number of reasonable size.
    """

    name = "at-most"
    wins = True
    few = True

    target: int

    def __post_init__(self) -> None:
        if not isinstance(self.target, Integral) or abs(self.target) > MOST_POINTS:
            raise GameError(f"at most {self.target!r} points: expected a whole number of at most {MOST_POINTS:,}")

    def __str__(self) -> str:
        return f"{self.name} {self.target}"

    @classmethod
    def read(cls, text: str) -> "AtMost":
        if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > LONGEST:
            raise GameError(f"objective '{f'{cls.name} {text}'.strip()}': expected {cls.name!r} and a number of points")
        return cls(int(text))

    @classmethod
    def aims(cls) -> tuple[OfferedAim, ...]:
        return (LIMIT,)

    @property
    def fields(self) -> Mapping[str, str]:
        return {"aim": self.name, "target": str(self.target)}

    def remark(self, value: Number) -> Text:
        if value == 0:
            return Message("aim.at-most.lost", {"points": self.target})
        return Message("aim.at-most.certain", {"points": self.target}) if value == 1 else ""

    def score(self, total: int) -> int:
        return int(total <= self.target)

    def aim(self, game: "Game[Any, Any, Any]") -> Message:
        return Message("aim.at-most.sentence", {"target": str(self.target)})
