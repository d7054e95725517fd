"""Play many races at once by the best strategy."""

from typing import TYPE_CHECKING

import numpy as np

from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.races.recursion import Floats, Ints, Side, side_of

if TYPE_CHECKING:
    from rollwise.solvers.races.solution import RaceSolution

__all__ = ["play_races"]


def play_races(solution: "RaceSolution", random: np.random.Generator, games: int) -> Ints:
    """Play games from the start; give 1 for each that the first player won, else 0."""
    side, start = side_of(solution.game), solution.game.start()
    own, other = np.full(games, start.first), np.full(games, start.second)
    won, live, mover = np.zeros(games, dtype=np.int64), np.arange(games), 0
    while live.size:
        roll = random.choice(len(side.chance), len(live), p=side.chance)
        own = _played(side, solution.move, own, other, roll)
        won[live[own == 0]] = 1 - mover
        going = own > 0
        live, own, other, mover = live[going], other[going], own[going], 1 - mover
    return won


def _played(side: Side, move: Floats, own: Ints, other: Ints, roll: Ints) -> Ints:
    """Give what the best play makes of each own position: the first listed among those that win most."""
    start, count = side.start[roll, own], side.count[roll, own]
    begin = np.cumsum(count) - count
    owner = np.repeat(np.arange(len(own)), count)
    after = side.after[np.arange(len(owner)) - begin[owner] + start[owner]]
    chance = np.where(after > 0, 1.0 - move[other[owner], after], 1.0)
    best = np.maximum.reduceat(chance, begin)
    good = np.flatnonzero(chance >= (best * (1 - TIE))[owner])
    return after[good[np.searchsorted(good, begin)]]
