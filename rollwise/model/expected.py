"""The highest expected total."""

from dataclasses import dataclass

from rollwise.errors import GameError
from rollwise.model.objective import Objective

__all__ = ["Expected"]


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

    @property
    def aim(self) -> str:
        return "for the highest expected total"
