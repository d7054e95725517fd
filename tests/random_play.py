"""Games played at random, the same ones for the same seed."""

from collections.abc import Iterator
from random import Random
from typing import Any

from rollwise import Game, Solution, start_game
from rollwise.playing.grade import Grade
from rollwise.playing.roll_source import RollSource

__all__ = ["play", "walk"]


def walk(game: Game[Any, Any, Any], seed: int, count: int = 50) -> Iterator[tuple[Any, Any]]:
    """Give pending rolls and the states they lead to, of one game after the other."""
    source, random, pending = RollSource(game, Random(seed)), Random(seed), game.start()
    for _ in range(count):
        state = source.draw(pending)
        yield pending, state
        actions = game.actions(state)
        pending = game.play(state, random.choice(list(actions))) if actions else game.start()


def play(solution: Solution, seed: int, slips: float | None = None) -> Grade:
    """Play a whole game with any moves; with `slips`, with best ones and, in that share of decisions, the second best."""
    random, game = Random(seed), start_game(solution)
    source = RollSource(solution.game, random)
    while True:
        game = game.rolled(source.draw(game.pending))
        if game.over:
            return game
        state = game.steps[-1].state
        if slips is None:
            game = game.moved(random.choice(list(solution.game.actions(state))))
        else:
            ranked = solution.ranked(state)
            game = game.moved(ranked[min(len(ranked) - 1, int(random.random() < slips))].action)
