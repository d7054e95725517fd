"""The words of a strategy card for bearing off: the boards, the dice, and ways to choose a play."""

from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np

from rollwise.games.bear_off.homes import POINTS, ROLLS, Counts, Homes, Numbers, pips
from rollwise.model.card import CardFeature, Verb, Vocabulary

__all__ = ["checker_vocabulary"]

Ask = Callable[[Any], Any]
DICE = np.array([(0, 0), *ROLLS])
"""The dice of each throw; 0: nothing was thrown."""


def checker_vocabulary(game: Any, mine: Ask, moved: Ask, theirs: Ask | None = None) -> Vocabulary:
    """Give the words: `mine` and `theirs` give the boards of the player to move and the other, `moved` that of who just moved.

    All three take one position, or the columns of many.
    """
    boards = game.homes.boards
    own = _board_features("", lambda s: boards[mine(s)], game.checkers)
    other = _board_features("their ", lambda s: boards[theirs(s)], game.checkers) if theirs else ()
    rolled = (
        CardFeature("higher die", lambda s: DICE[s.roll, 0], 0, 6, "the higher of the two dice", many=True),
        CardFeature("lower die", lambda s: DICE[s.roll, 1], 0, 6, "the lower of the two dice", many=True),
        CardFeature("double", _is_double, says="both dice show the same", many=True),
    )

    def play(name: str, rank: Callable[[Counts], Any], says: str) -> Verb:
        @cache
        def order() -> Numbers:
            return _order(game.homes, rank)

        def prefers(position: Any) -> Any:
            return order()[moved(position)]

        def find(state: Any) -> Any:
            return max(game.actions(state), key=lambda action: prefers(game.play(state, action)), default=None)

        return Verb(name, find, says, prefers=prefers)

    verbs = (
        play(
            "bear off most",
            lambda c: (-sum(c), *_rear(c)),
            "bear off as many checkers as can be; of several plays, clear from the rear",
        ),
        play("clear the rear", _rear, "leave the fewest checkers on the highest point, then on the next, and so on"),
        play(
            "fill gaps",
            lambda c: (sum(map(bool, c)), -sum(c), *_rear(c)),
            "leave checkers on as many different points as can be; then bear off most",
        ),
        play("save pips", lambda c: (-pips(c), -sum(c)), "leave the fewest pips, and then the fewest checkers"),
    )
    return Vocabulary((*own, *rolled, *other), verbs)


def _board_features(whose: str, board: Ask, checkers: int) -> tuple[CardFeature, ...]:
    def see(name: str, read: Callable[[Any], Any], most: int, says: str) -> CardFeature:
        return CardFeature(f"{whose}{name}", lambda s: read(board(s)), 0, most, says, many=True)

    owner = whose or "your "
    points = [
        see(f"on {point}", itemgetter((..., point - 1)), checkers, f"{owner}checkers on point {point}")
        for point in range(1, POINTS + 1)
    ]
    return (
        see("checkers", lambda b: b.sum(axis=-1), checkers, f"{owner}checkers that are not off"),
        see("pips", lambda b: b @ np.arange(1, POINTS + 1), checkers * POINTS, f"{owner}pips to go"),
        see("points covered", lambda b: (b > 0).sum(axis=-1), POINTS, f"points with {owner}checkers"),
        *points,
    )


def _is_double(position: Any) -> Any:
    high, low = DICE[position.roll].T
    return (high == low) & (high > 0)


def _order(homes: Homes, rank: Callable[[Counts], Any]) -> Numbers:
    """Rank all boards: a higher number is preferred, equal ones are as good."""
    ranks = [rank(counts) for counts in map(tuple, homes.boards.tolist())]
    place = {one: number for number, one in enumerate(sorted(set(ranks)))}
    return np.array([place[one] for one in ranks], dtype=np.int32)


def _rear(counts: Counts) -> tuple[int, ...]:
    return tuple(-count for count in reversed(counts))
