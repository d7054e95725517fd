"""Dice for a game that is played: outcomes drawn by their weights from a seeded source."""

from bisect import bisect_right
from itertools import accumulate
from operator import index
from random import Random
from typing import Any

from rollwise.errors import GameError
from rollwise.model.abilities import Draws, ability
from rollwise.model.game import Game

__all__ = ["RollSource", "check_seed", "finds_gains"]

CACHED = 10_000
TRIED = 400


def check_seed(seed: int) -> None:
    """Refuse a seed that no source of rolls takes. Raises `GameError`."""
    if index(seed) < 0:
        raise GameError(f"seed {seed}: expected 0 or more")


class RollSource:
    """Rolls dice for a game: draws outcomes by their weights from a seeded source.

    >>> from random import Random
    >>> from rollwise.games import load
    >>> game = load("slots")
    >>> RollSource(game, Random(1)).draw(game.start()).roll
    2
    """

    def __init__(self, game: Game[Any, Any, Any], random: Random) -> None:
        self.game, self.random, self._drawing = game, random, ability(game, Draws)
        self._known: dict[Any, tuple[list[Any], list[int]]] = {}

    def draw(self, pending: Any) -> Any:
        """Roll a pending roll."""
        drawn = None if self._drawing is None else self._drawing.draw(pending, self.random)
        if drawn is not None:
            return drawn
        if pending not in self._known:
            if len(self._known) >= CACHED:
                self._known.clear()
            roll = self.game.roll(pending)
            self._known[pending] = list(roll), list(accumulate(roll.values()))
        return self._pick(*self._known[pending])

    def _pick(self, outcomes: list[Any], upto: list[int]) -> Any:
        return outcomes[bisect_right(upto, self.random.randrange(upto[-1]))]


def finds_gains(game: Game[Any, Any, Any]) -> bool:
    """Say whether points are banked on the way, by playing some moves at random: then positions must remember the total.

    >>> from rollwise.games import load
    >>> finds_gains(load("yazy")), finds_gains(load("slots"))
    (True, False)
    """
    random = Random(0)
    source, pending = RollSource(game, random), game.start()
    for _ in range(TRIED):
        state = source.draw(pending)
        actions = list(game.actions(state))
        action = random.choice(actions) if actions else None
        if actions and game.gain(state, action):
            return True
        pending = game.play(state, action) if actions else game.start()
    return False
