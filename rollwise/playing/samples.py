"""Positions to try: what a few moves of a position are worth, from its own game played on from there.

A position with little left to play is solved in a moment where its whole game is not: `Resumed` is the game that begins with it.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rollwise.games.catalogue import CATALOGUE, Sample, load
from rollwise.model.game import Game
from rollwise.model.objective import Objective
from rollwise.playing.advise import Move, advise
from rollwise.solving.solver import solve

__all__ = ["Resumed", "Tried", "try_sample", "try_samples"]

BEGIN = "resumed"
"""The pending before the position: a roll that can go only one way."""


class Resumed(Game[Any, Any, Any]):
    """A game that begins with a position of another one, and goes on by its rules.

    >>> from rollwise.solving.solver import solve
    >>> slots = load("slots")
    >>> solution = solve(Resumed(slots, slots.read_state("x3,bin 30 6")))
    >>> solution.value(), solution.best(solution.game.read_state("x3,bin 30 6"))
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

    def show_state(self, state: Any) -> str:
        return self.game.show_state(state)

    def read_state(self, text: str) -> Any:
        return self.game.read_state(text)

    def show_action(self, action: Any) -> str:
        return self.game.show_action(action)

    def read_action(self, text: str) -> Any:
        return self.game.read_action(text)


@dataclass(frozen=True)
class Tried:
    """A position of a game of the catalogue, and the moves to choose from, as they were asked for, with what they are worth."""

    name: str
    game: Game[Any, Any, Any]
    state: Any
    objective: Objective
    moves: tuple[Move, ...]


def try_sample(name: str, sample: Sample) -> Tried:
    """Work out what the moves of a sample are worth. Raises `PositionError` for a position or a move that is none of the game."""
    game = load(name)
    state = game.read_state(sample.state)
    solution = solve(Resumed(game, state))
    ranked = {move.action: move for move in advise(solution, state, outlook=False).moves}
    moves = tuple(ranked[game.read_action(text)] for text in sample.moves)
    return Tried(name, game, state, solution.objective, moves)


def try_samples() -> list[Tried]:
    """Work out all samples of the catalogue, those of the best known games first."""
    known = sorted(
        ((entry.famous or len(CATALOGUE), name, entry) for name, entry in CATALOGUE.items()), key=lambda item: item[:2]
    )
    return [try_sample(name, sample) for _, name, entry in known for sample in entry.samples]
