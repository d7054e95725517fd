"""The best chance of a total of at most so many points, for games in which points are bad."""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError
from rollwise.model.aim import Aim
from rollwise.model.at_least import LONGEST, MOST_POINTS
from rollwise.model.objective import Number, Objective
from rollwise.model.parameter import Integer, Parameter

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["AtMost"]

LIMIT = Aim(
    "at-most", "Stay at or below a total", "Every move has the best chance of at most so many points.", "at-most {target}",
    (Parameter("target", Integer(-MOST_POINTS, MOST_POINTS), "points to stay at or below", label="Points at most"),),
)  # fmt: skip


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
    def aims(cls) -> tuple[Aim, ...]:
        return (LIMIT,)

    @property
    def fields(self) -> Mapping[str, str]:
        return {"aim": self.name, "target": str(self.target)}

    def remark(self, value: Number) -> str:
        if value == 0:
            return f"{self.target:,} points or fewer are out of reach: every move is worth the same"
        return f"{self.target:,} points or fewer are certain with best play" if value == 1 else ""

    def score(self, total: int) -> int:
        return int(total <= self.target)

    def aim(self, game: "Game[Any, Any, Any]") -> str:
        return f"Played for a total of at most {self.target}"
