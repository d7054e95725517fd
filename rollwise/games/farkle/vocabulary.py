"""The words of a strategy card for Farkle: the points of the turn, what scores in the roll, and which of it is set aside."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from rollwise.games.farkle.scores import FIFTY
from rollwise.model.card import CardFeature, Verb

__all__ = ["Aside", "turn_features", "turn_verbs"]


class Aside(NamedTuple):
    """Dice that may be set aside: what they are worth, how many are left to roll, single fives and ones among them, the move."""

    points: int
    left: int
    fives: int
    singles: int
    action: str


def turn_features(game: Any, most: int) -> tuple[CardFeature, ...]:
    """Give what is seen in a turn that cannot have more points than these."""
    best = int(game.best.max()) * FIFTY
    left = _left_of_all(game)

    def see(name: str, read: Callable[[Any], Any], low: int, high: int, says: str) -> CardFeature:
        return CardFeature(name, read, low, high, says, many=True)

    dice, count = game.hands.dice, game.hands.count
    return (
        see(
            "points",
            lambda s: FIFTY * (s.points + game.best[s.hand]),
            0,
            most + best,
            "what a bank would bring: the points of the turn with all that scores in this roll",
        ),
        see("set aside", lambda s: FIFTY * s.points, 0, most, "the points of the turn before this roll"),
        see("roll scores", lambda s: FIFTY * game.best[s.hand], 0, best, "the most points in this roll"),
        see("dice rolled", lambda s: dice[s.hand], 0, game.number, "how many dice were rolled"),
        see(
            "dice left",
            lambda s: left[s.hand],
            0,
            game.number,
            "how many dice there are to roll with all that scores set aside; all of them if none is left",
        ),
        see("hot dice", lambda s: 1 * (game.worth[s.hand] > 0), 0, 1, "every die of this roll scores"),
        see("ones", lambda s: count[s.hand, 1], 0, game.number, "how many dice show a 1"),
        see("fives", lambda s: count[s.hand, 5], 0, game.number, "how many dice show a 5"),
    )


def turn_verbs(game: Any, bank: Verb, sets: Callable[[Any], Sequence[Aside]]) -> tuple[Verb, ...]:
    """Give what may be done: bank, or roll on with one of the sets that may be put aside."""

    def roll(name: str, rank: Callable[[Aside], Any], says: str) -> Verb:
        def find(state: Any) -> str | None:
            offered = sets(state)
            return max(offered, key=rank).action if offered else None

        return Verb(name, find, says)

    def hot(state: Any) -> str | None:
        return next((aside.action for aside in sets(state) if aside.left == game.number), None)

    return (
        bank,
        roll("roll the rest", lambda a: (a.points, a.left), "set aside all that scores, and roll the other dice"),
        roll(
            "roll most dice",
            lambda a: (a.left, a.points),
            "set aside as few dice as may be, those with most points, and roll the others; all dice again if all score",
        ),
        roll(
            "roll without fives",
            lambda a: (-a.fives, a.points, a.left),
            "set aside all that scores but single fives, as far as that may be, and roll the other dice",
        ),
        roll(
            "roll without singles",
            lambda a: (-a.singles, a.points, a.left),
            "set aside all that scores but single ones and fives, as far as that may be, and roll the other dice",
        ),
        Verb("roll hot dice", hot, "set all dice aside, which must all score, and roll them again"),
    )


def _left_of_all(game: Any) -> Any:
    """By hand: how many dice are left to roll with the most points set aside, and of several such sets with the fewest dice."""
    found = game.hands.dice * 0
    dice_left = np.array(game.hands.dice_left)[game.sets.left]
    for hand, points, left in zip(*(column.tolist() for column in (game.sets.hand, game.sets.points, dice_left)), strict=True):
        if points == game.best[hand]:
            found[hand] = max(found[hand], left)
    return found
