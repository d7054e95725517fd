"""What a roll offers, without the dice: rolls that offer the same are one.

A roll of n dice offers pairs (points, dice left): what may be set aside, and how many dice are rolled then, or which, where they
differ; of several with the same dice left only the one with the most points can be best.
"""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.games.farkle.rules import FarkleTable

__all__ = ["RollTables", "longest_turn", "make_tables", "reachable"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


class RollTables(NamedTuple):
    """Kinds of rolls by the dice rolled: `kind_start[n]` to `kind_start[n + 1]`; each has its offers, none for a farkle.

    `kind_best` is the most points that it scores; points are in fifties.
    """

    kind_start: Ints
    kind_chance: Floats
    kind_best: Ints
    offer_start: Ints
    offer_points: Ints
    offer_left: Ints


def make_tables(game: FarkleTable, *, every_offer: bool = False) -> RollTables:
    """List the kinds of rolls of a game, with `every_offer`: where one must bank, fewer points may be better."""
    offers: dict[int, dict[Any, tuple[int, int]]] = {}
    sets = game.sets
    for hand, left, points in zip(sets.hand.tolist(), sets.left.tolist(), sets.points.tolist(), strict=True):
        most = offers.setdefault(hand, {})
        key = (left, points) if every_offer else left
        most[key] = max(most.get(key, (left, 0)), (left, points))
    kinds: list[Counter[tuple[tuple[int, int], ...]]] = [Counter() for _ in range(game.hands.full + 1)]
    thrown = game.throws()
    for dice, hand, weight in zip(thrown.dice.tolist(), thrown.hand.tolist(), thrown.weight.tolist(), strict=True):
        kinds[dice][tuple(sorted(offers.get(hand, {}).values()))] += weight if dice else 0
    every = [(kind, weight / counts.total()) for counts in kinds[1:] for kind, weight in counts.items()]
    return RollTables(
        np.cumsum([0, 0, *(len(counts) for counts in kinds[1:])]),
        np.array([chance for _, chance in every]),
        np.array([max((points for _, points in kind), default=0) for kind, _ in every]),
        np.cumsum([0, *(len(kind) for kind, _ in every)]),
        np.array([points for kind, _ in every for _, points in kind]),
        np.array([left for kind, _ in every for left, _ in kind]),
    )


def longest_turn(tables: RollTables, top: int) -> float:
    """Give the most rolls that a turn to at most `top` has on average, whatever is done, and a little more."""
    rolls = np.zeros(len(tables.kind_start) - 1)
    while True:
        after = np.zeros_like(rolls)
        for dice in range(1, len(rolls)):
            for kind in range(tables.kind_start[dice], tables.kind_start[dice + 1]):
                offers = slice(tables.offer_start[kind], tables.offer_start[kind + 1])
                after[dice] += tables.kind_chance[kind] * rolls[tables.offer_left[offers]].max(initial=0.0)
            after[dice] += 1.0
        if np.abs(after - rolls).max() < 1e-6 or after.max() > top:
            return min(1.1 * float(after.max()), top)
        rolls = after


def reachable(tables: RollTables, top: int) -> Bools:
    """Mark the points, below `top`, with which so many dice can be rolled: `[points, dice]`."""
    found = np.zeros((top, len(tables.kind_start) - 1), dtype=np.bool_)
    found[0, -1] = True
    for points in range(top):
        for dice in np.flatnonzero(found[points]).tolist():
            offers = slice(tables.offer_start[tables.kind_start[dice]], tables.offer_start[tables.kind_start[dice + 1]])
            after, left = points + tables.offer_points[offers], tables.offer_left[offers]
            found[after[after < top], left[after < top]] = True
    return found
