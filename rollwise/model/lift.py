"""The mechanical lift of a points game to a threshold or an opponent: remember what is still needed, or the total so far.

A lifted position is `Needs(position, points)` or `Has(position, points)`. A lifted game has no gains. `NeedingGame` pays 1 at the
end if the points still needed are covered by the payoff, else 0, so that its expected total is the probability of reaching the
target. `HavingGame` pays what the final total wins against the opponent, in whole units (`Against.won`).
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rollwise.errors import PositionError
from rollwise.model.game import Game
from rollwise.model.notation import is_number
from rollwise.model.objective import Against

__all__ = ["Has", "HavingGame", "LiftedGame", "NeedingGame", "Needs"]


class Needs(NamedTuple):
    """A position of the original game with the points still needed to reach the target."""

    position: Any
    points: int


class Has(NamedTuple):
    """A position of the original game with the total so far."""

    position: Any
    points: int


class LiftedGame(Game[Any, Any, Any]):
    """`game`, with positions that carry a number of points; `word` comes before it in the notation, `column` names it."""

    word: str
    column: str

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self.game = game
        self.action_word = game.action_word  # type: ignore[misc]

    @abstractmethod
    def lift(self, position: Any, points: int) -> Any:
        """Give a position with its points."""

    @abstractmethod
    def after(self, points: int, gain: int) -> int:
        """Give the points after a gain."""

    def roll(self, pending: Any) -> Mapping[Any, int]:
        position, points = pending
        return {self.lift(state, points): weight for state, weight in self.game.roll(position).items()}

    def actions(self, state: Any) -> Sequence[Any]:
        return self.game.actions(state.position)

    def play(self, state: Any, action: Any) -> Any:
        position, points = state
        return self.lift(self.game.play(position, action), self.after(points, self.game.gain(position, action)))

    def mover(self, state: Any) -> int:
        return self.game.mover(state.position)

    def greed(self, state: Any, action: Any) -> float:
        """What the original game's greed sees; it does not know the aim."""
        return self.game.greed(state.position, action)

    def show_state(self, state: Any) -> str:
        return f"{self.game.show_state(state.position)} {self.word} {state.points}"

    def read_state(self, text: str) -> Any:
        position, word, points = text.rpartition(f" {self.word} ")
        if not word or not is_number(points.strip(), negative=True):
            example = f"'{self.word} {self.start().points}'"
            raise PositionError(f"{text!r} does not say what it {self.word}: end it with, for example, {example}")
        return self.lift(self.game.read_state(position), self.after(int(points), 0))

    def show_action(self, action: Any) -> str:
        return self.game.show_action(action)

    def read_action(self, text: str) -> Any:
        return self.game.read_action(text)

    def show_pending(self, pending: Any) -> str:
        return f"{self.game.show_pending(pending.position)} {self.word} {pending.points}"

    def columns(self, state: Any) -> Mapping[str, str]:
        return {**self.game.columns(state.position), self.column: str(state.points)}


class NeedingGame(LiftedGame):
    """`game`, played for a total of at least `target`.

    `floor` says that no gain and no payoff is negative: then needing fewer than 0 points is the same as needing 0.
    """

    word = "needs"
    column = "points needed"

    def __init__(self, game: Game[Any, Any, Any], target: int, *, floor: bool) -> None:
        super().__init__(game)
        self.target, self.floor = target, floor

    def start(self) -> Needs:
        return Needs(self.game.start(), self.after(self.target, 0))

    def lift(self, position: Any, points: int) -> Needs:
        return Needs(position, points)

    def after(self, points: int, gain: int) -> int:
        return max(points - gain, 0) if self.floor else points - gain

    def payoff(self, state: Needs) -> int:
        return int(self.game.payoff(state.position) >= state.points)


class HavingGame(LiftedGame):
    """`game`, played against `opponent`."""

    word = "has"
    column = "total so far"

    def __init__(self, game: Game[Any, Any, Any], opponent: Against) -> None:
        super().__init__(game)
        self.opponent = opponent

    def start(self) -> Has:
        return Has(self.game.start(), 0)

    def lift(self, position: Any, points: int) -> Has:
        return Has(position, points)

    def after(self, points: int, gain: int) -> int:
        return points + gain

    def payoff(self, state: Has) -> int:
        return self.opponent.won(state.points + self.game.payoff(state.position))
