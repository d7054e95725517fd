"""Races: two players in turn, each at a game of his own that the other cannot disturb; the player who is done first wins.

What a side needs is data: `positions` of it, numbered so that every play leads to a lower number and 0 is done; the rolls with
their weights; and what each roll may make of each position. A race has no ties: the first player moves first, and who is
done has won at once.
"""

from abc import abstractmethod
from typing import Any

from rollwise.games.columns import ColumnGame, Relation, chance, choice, where
from rollwise.games.columns.game import ColumnView
from rollwise.model.objectives import AtLeast
from rollwise.model.view import OfferedAim

__all__ = ["Race"]


class RaceView(ColumnView):
    """The board and the words of the game."""

    game: "Race"
    own_aim = OfferedAim.known("own", "", key="own-race")
    other_aims = ()


class Race(ColumnGame):
    """A race of two; a position has the columns `first`, `second`, `mover` and `roll`, 0 where nothing was rolled."""

    view = RaceView
    objective = AtLeast(1)
    gains = False

    positions: int
    """How many positions a side has; every play leads to one with a lower number, and 0 is done."""

    @abstractmethod
    def throws(self) -> Relation:
        """List the rolls, `roll` from 1 on, with their weights; those that never come are left out."""

    @abstractmethod
    def plays(self) -> Relation:
        """List what rolls make of a side, each result once: `after`, by `at` = roll * positions + position."""

    @chance(lambda self: self.throws(), unless=lambda p: (p.first == 0) | (p.second == 0))
    def thrown(self, p: Any, dice: Any) -> Any:
        """Throw the dice."""
        return p.but(roll=dice.roll)

    @choice(
        "move", lambda self: self.plays(), on=lambda self, s: s.roll * self.positions + where(s.mover == 0, s.first, s.second)
    )
    def moved(self, s: Any, play: Any) -> Any:
        """Play them, and leave the turn to the other."""
        mine = s.mover == 0
        return s.but(first=where(mine, play.after, s.first), second=where(mine, s.second, play.after), mover=1 - s.mover, roll=0)

    def final(self, s: Any) -> Any:
        return s.first == 0
