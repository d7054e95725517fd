"""The best chance of a total of at least so many points."""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError
from rollwise.model.aim import OfferedAim
from rollwise.model.lift import NeedingGame
from rollwise.model.message import Message, Text
from rollwise.model.objective import Number, Objective
from rollwise.model.parameter import Integer, Parameter

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["MOST_POINTS", "AtLeast"]

MOST_POINTS = 10**15
TARGET = OfferedAim.known(
    "at-least",
    "at-least {target}",
    (Parameter.known("target", Integer(-MOST_POINTS, MOST_POINTS), key="at-least"),),
)
LONGEST = 4000
"""Digits of a target that are read, if only to say that they are too many."""


@dataclass(frozen=True)
class AtLeast(Objective):
    """Maximise the probability that the total is at least `target`.

    >>> str(AtLeast(45))
    'at-least 45'

    Raises `GameError` for a target that is not a whole number of reasonable size.
    """

    name = "at-least"
    wins = True

    target: int

    def __post_init__(self) -> None:
        if not isinstance(self.target, Integral) or abs(self.target) > MOST_POINTS:
            raise GameError(f"a target of {self.target!r} points: expected a whole number of at most {MOST_POINTS:,}")

    def __str__(self) -> str:
        return f"{self.name} {self.target}"

    @classmethod
    def read(cls, text: str) -> "AtLeast":
        if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > LONGEST:
            raise GameError(f"objective '{f'{cls.name} {text}'.strip()}': expected {cls.name!r} and a number of points")
        return cls(int(text))

    @classmethod
    def aims(cls) -> tuple[OfferedAim, ...]:
        return (TARGET,)

    @property
    def fields(self) -> Mapping[str, str]:
        return {"aim": self.name, "target": str(self.target)}

    def remark(self, value: Number) -> Text:
        if value == 0:
            return Message("aim.at-least.lost", {"points": self.target})
        return Message("aim.at-least.certain", {"points": self.target}) if value == 1 else ""

    def score(self, total: int) -> int:
        return int(total >= self.target)

    def remember(self, game: "Game[Any, Any, Any]", *, floor: bool) -> "Game[Any, Any, Any]":
        """Remember the points still needed."""
        return NeedingGame(game, self.target, floor=floor)

    def aim(self, game: "Game[Any, Any, Any]") -> Message:
        return Message("aim.at-least.sentence", {"target": str(self.target)})

    @property
    def mark(self) -> int:
        return self.target

    def result(self, total: Number, game: "Game[Any, Any, Any]") -> str:
        return "won" if total else "lost"

    def ending(self, total: Number, start: Number, game: "Game[Any, Any, Any]") -> str:
        return f"{self.result(total, game)} (chance at the start {float(start):.4f})"
