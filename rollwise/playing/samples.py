"""Positions to try: what a few moves of a position are worth, in its own game played on from there."""

from copy import copy
from dataclasses import dataclass
from typing import Any

from rollwise.games.catalogue import CATALOGUE, Sample
from rollwise.games.users import load
from rollwise.model.abilities import in_columns
from rollwise.model.game import Game
from rollwise.model.objective import Objective
from rollwise.playing.advise import Move, advise
from rollwise.solvers.solve import solve

__all__ = ["Tried", "game_from", "try_sample", "try_samples"]

BEGIN = "resumed"
"""The pending before the position: a roll that can go only one way."""


@dataclass(frozen=True)
class Tried:
    """A position of a game of the catalogue, and the moves to choose from, as requested, with what they are worth."""

    name: str
    game: Game[Any, Any, Any]
    state: Any
    objective: Objective
    moves: tuple[Move, ...]
    so_far: int


def game_from(game: Game[Any, Any, Any], state: Any) -> Game[Any, Any, Any]:
    """Give a game that begins with a position of another one: with little left to play it is solved in a moment.

    >>> import rollwise
    >>> slots = rollwise.games.load("slots")
    >>> solution = rollwise.solve(game_from(slots, slots.read_state("x3,bin 30 6")))
    >>> solution.value(), solution.best(slots.read_state("x3,bin 30 6"))
    (1.0, 'x3')
    """
    rest = copy(game)
    vars(rest).update(
        start=lambda: BEGIN,
        roll=lambda pending: {state: 1} if pending == BEGIN else game.roll(pending),
        cost=lambda pending: 0 if pending == BEGIN else game.cost(pending),
    )
    return rest


def try_sample(name: str, sample: Sample) -> Tried:
    """Compute what the moves of a sample are worth: where rules are in columns from the whole game, which is quick then.

    Raises `PositionError` for a position or a move that is none of the game.
    """
    game = load(name)
    state = game.read_state(sample.state)
    solution = solve(game if in_columns(game) is not None else game_from(game, state))
    ranked = {move.action: move for move in advise(solution, state, outlook=False).moves}
    moves = tuple(ranked[game.read_action(text)] for text in sample.moves)
    return Tried(name, game, state, solution.objective, moves, sample.so_far)


def try_samples(most: int | None = None) -> list[Tried]:
    """Compute the samples of the catalogue, those of the best known games first, at most so many."""
    known = sorted(
        ((entry.famous or len(CATALOGUE), name, entry) for name, entry in CATALOGUE.items()), key=lambda item: item[:2]
    )
    samples = [(name, sample) for _, name, entry in known for sample in entry.samples]
    return [try_sample(name, sample) for name, sample in samples[:most]]
