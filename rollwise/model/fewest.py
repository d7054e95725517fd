"""The fewest expected rolls, or whatever else a game counts."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError
from rollwise.model.aim import OfferedAim
from rollwise.model.message import Message, known_text
from rollwise.model.objective import Number, Objective, Words
from rollwise.model.view import view_of

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["FEWEST", "Fewest"]

FEWEST = OfferedAim.known("fewest", "fewest")


@dataclass(frozen=True)
class Fewest(Objective):
    """Minimise the expected cost, usually the number of rolls, until the game ends.

    >>> str(Fewest())
    'fewest'
    """

    name = "fewest"
    better = "lower"
    counts = "costs"
    adds = True

    @classmethod
    def read(cls, text: str) -> "Fewest":
        if text:
            raise GameError(f"objective '{cls.name} {text}': expected {cls.name!r} alone")
        return cls()

    @classmethod
    def aims(cls) -> tuple[OfferedAim, ...]:
        return (FEWEST,)

    def words(self, game: "Game[Any, Any, Any]") -> Words:
        word = view_of(game).cost_word
        return Words(f"expected {word}", f"loss ({word})", word, False)

    def aim(self, game: "Game[Any, Any, Any]") -> Message:
        return Message(
            "aim.fewest.sentence", {"what": known_text(f"aim.fewest.{view_of(game).cost_word}", view_of(game).cost_word)}
        )

    def result(self, total: Number, game: "Game[Any, Any, Any]") -> str:
        return view_of(game).cost_word
