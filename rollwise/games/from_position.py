"""A game from one of its positions on: with little left to play it is solved in a moment, where the whole game is not."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from rollwise.model.game import Game
from rollwise.model.objective import Objective

__all__ = ["GameFromPosition"]

BEGIN = "resumed"
"""The pending before the position: a roll that can go only one way."""


class GameFromPosition(Game[Any, Any, Any]):
    """A game that begins with a position of another one, and goes on by its rules.

    >>> import rollwise
    >>> slots = rollwise.games.load("slots")
    >>> solution = rollwise.solve(GameFromPosition(slots, slots.read_state("x3,bin 30 6")))
    >>> solution.value(), solution.best(slots.read_state("x3,bin 30 6"))
    (1.0, 'x3')
    """

    def __init__(self, game: Game[Any, Any, Any], state: Hashable) -> None:
        self.game, self.state = game, state

    @property
    def objective(self) -> Objective:
        return self.game.objective

    def start(self) -> Any:
        return BEGIN

    def roll(self, pending: Any) -> Mapping[Any, int]:
        return {self.state: 1} if pending == BEGIN else self.game.roll(pending)

    def actions(self, state: Any) -> Sequence[Any]:
        return self.game.actions(state)

    def play(self, state: Any, action: Any) -> Any:
        return self.game.play(state, action)

    def gain(self, state: Any, action: Any) -> int:
        return self.game.gain(state, action)

    def payoff(self, state: Any) -> int:
        return self.game.payoff(state)

    def mover(self, state: Any) -> int:
        return self.game.mover(state)

    def cost(self, pending: Any) -> int:
        return 0 if pending == BEGIN else self.game.cost(pending)

    def show_state(self, state: Any) -> str:
        return self.game.show_state(state)

    def read_state(self, text: str) -> Any:
        return self.game.read_state(text)

    def show_action(self, action: Any) -> str:
        return self.game.show_action(action)

    def read_action(self, text: str) -> Any:
        return self.game.read_action(text)
