"""The best chance of beating another player who does the same, taking turns."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError
from rollwise.model.abilities import duel
from rollwise.model.aim import TIES, OfferedAim
from rollwise.model.message import Message
from rollwise.model.objective import Number, Objective
from rollwise.model.parameter import Choice, Parameter
from rollwise.model.ties import name_share, read_share, read_ties, show_share

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["Duel"]

BEST = OfferedAim.known("duel", "duel, ties {ties}", (TIES,))
POINTS = OfferedAim.known(
    "duel-points",
    "duel points {begins}, ties {ties}",
    (Parameter.known("begins", Choice("second", "first"), "second"), TIES),
)
WRITTEN = re.compile(r"(?P<points>points)?(?: (?P<seat>first|second))?(?:,? ?(?P<ties>ties.*))?")


@dataclass(frozen=True)
class Duel(Objective):
    """Maximise the probability of ending with more points than another player who does the same, taking turns (score sheets).

    A tie counts `ties` for the first player (default: half a win) and 1 - ties for the second. With `points` 0 or 1, that player
    plays for the highest expected score of his own sheet instead, and the other gives the best answer to that.

    >>> str(Duel()), str(Duel(points=1)), str(Duel(points=0))
    ('duel', 'duel points', 'duel points first')

    Raises `GameError` for `ties` outside 0..1, or another player.
    """

    name = called = "duel"
    instead = "against self"
    adds = True
    wins = True
    follows = False

    ties: Fraction
    points: int | None

    def __init__(self, ties: float | Fraction = Fraction(1, 2), points: int | None = None) -> None:
        if points not in (None, 0, 1):
            raise GameError(f"the player for points is {points!r}: expected 0, who begins, 1, or None")
        object.__setattr__(self, "ties", read_share(ties))
        object.__setattr__(self, "points", points)

    def __str__(self) -> str:
        return f"{self.name}{self._who}{show_share(self.ties)}"

    @property
    def _who(self) -> str:
        return "" if self.points is None else " points" if self.points else " points first"

    @property
    def general(self) -> bool:  # type: ignore[override]
        """Whether the graph solver solves it: what a player for points does follows from the sheet alone."""
        return self.points is None

    @property
    def bound(self) -> int | None:
        return self.points

    @property
    def rival(self) -> str:  # type: ignore[override]
        """Who the other player is: one for points, or anybody."""
        return "" if self.points is None else "points"

    @classmethod
    def read(cls, text: str) -> "Duel":
        """Read the rest of its text: "points" or "points first", then what a tie counts: "ties win", "ties lose", "ties 1/3"."""
        found = WRITTEN.fullmatch(text.strip())
        if not found or (found["seat"] and not found["points"]):
            return cls(read_ties(text))
        seat = (0 if found["seat"] == "first" else 1) if found["points"] else None
        return cls(read_ties(found["ties"]) if found["ties"] else Fraction(1, 2), seat)

    @classmethod
    def aims(cls) -> tuple[OfferedAim, ...]:
        return BEST, POINTS

    @property
    def fields(self) -> Mapping[str, str]:
        if self.points is None:
            return {"aim": BEST.name, "ties": name_share(self.ties)}
        return {"aim": POINTS.name, "begins": ("first", "second")[self.points], "ties": name_share(self.ties)}

    @property
    def unit(self) -> int:
        """The points of a win in the game that is walked."""
        return self.ties.denominator

    def restate(self, game: "Game[Any, Any, Any]") -> "Game[Any, Any, Any]":
        """Put two players on the game, taking turns."""
        return duel(game, self.ties)

    def aim(self, game: "Game[Any, Any, Any]") -> Message:
        if self.points is not None:
            return Message(f"aim.duel-points.{('first', 'second')[self.points]}")
        worth = {Fraction(1, 2): "half", Fraction(1): "first", Fraction(0): "second"}.get(self.ties, "share")
        return Message("aim.duel.sentence", {"ties": Message(f"aim.duel.{worth}", {"share": str(self.ties)})})

    def result(self, total: Number, game: "Game[Any, Any, Any]") -> str:
        return "won" if total == 1 else "lost" if total == 0 else "tied"

    def ending(self, total: Number, start: Number, game: "Game[Any, Any, Any]") -> str:
        return f"{self.result(total, game)} (chance at the start {float(start):.4f})"
