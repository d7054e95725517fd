"""The mechanical lift of a points game to a threshold: remember how many points are still needed.

A lifted position is `Needs(position, points)`. The lifted game has no gains; it pays 1 at the end if the points still needed
are covered by the payoff, else 0, so that its expected total is the probability of reaching the target.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rollwise.errors import PositionError
from rollwise.game import Game
from rollwise.notation import is_number

__all__ = ["NeedingGame", "Needs"]


class Needs(NamedTuple):
    """A position of the original game with the points still needed to reach the target."""

    position: Any
    points: int


class NeedingGame(Game[Needs, Needs, Any]):
    """`game`, played for a total of at least `target`.

    `floor` says that no gain and no payoff is negative: then needing fewer than 0 points is the same as needing 0.
    """

    def __init__(self, game: Game[Any, Any, Any], target: int, *, floor: bool) -> None:
        self.game, self.target, self.floor = game, target, floor
        self.action_word = game.action_word  # type: ignore[misc]

    def start(self) -> Needs:
        return Needs(self.game.start(), self._left(self.target))

    def roll(self, pending: Needs) -> Mapping[Needs, int]:
        position, points = pending
        return {Needs(state, points): weight for state, weight in self.game.roll(position).items()}

    def actions(self, state: Needs) -> Sequence[Any]:
        return self.game.actions(state.position)

    def play(self, state: Needs, action: Any) -> Needs:
        position, points = state
        return Needs(self.game.play(position, action), self._left(points - self.game.gain(position, action)))

    def payoff(self, state: Needs) -> int:
        return int(self.game.payoff(state.position) >= state.points)

    def mover(self, state: Needs) -> int:
        return self.game.mover(state.position)

    def greed(self, state: Needs, action: Any) -> float:
        """What the original game's greed sees; it does not know the target."""
        return self.game.greed(state.position, action)

    def _left(self, points: int) -> int:
        return max(points, 0) if self.floor else points

    def show_state(self, state: Needs) -> str:
        return f"{self.game.show_state(state.position)} needs {state.points}"

    def read_state(self, text: str) -> Needs:
        position, word, points = text.rpartition(" needs ")
        if not word or not is_number(points.strip(), negative=True):
            raise PositionError(f"{text!r} does not say what is still needed: end it with, for example, 'needs {self.target}'")
        return Needs(self.game.read_state(position), self._left(int(points)))

    def show_action(self, action: Any) -> str:
        return self.game.show_action(action)

    def read_action(self, text: str) -> Any:
        return self.game.read_action(text)

    def show_pending(self, pending: Needs) -> str:
        return f"{self.game.show_pending(pending.position)} needs {pending.points}"

    def columns(self, state: Needs) -> Mapping[str, str]:
        return {**self.game.columns(state.position), "points needed": str(state.points)}
