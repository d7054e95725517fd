"""The chance to win a race, for all pairs of positions, a row of pairs at a time.

V[a, b] is the chance of the player to move, whose side is at a, against a side at b; a side at 0 is done. With w_r for
the chance of roll r and A(a, r) for what may be made of a,

    V[a, b] = 1 - sum over r of w_r * min over a' in A(a, r) of V[b, a'],    V[a, 0] = 0.

Plays lead to lower numbers. So with all rows and columns below a known, row a follows from columns, all b at once; and then
column a, V[b, a] for all b, from row a alone, by one pass through the plays of every b. Only gathers and minima of whole rows are
needed: n * plays * 2 steps in all, for n positions of a side, where every pair by itself would need 42 times as many nodes.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rollwise.games.race import Race
from rollwise.solvers.base.numbers import TIE

__all__ = ["Floats", "Ints", "Side", "play_races", "run_race", "sample_residual", "side_of"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SAMPLE = 500


@dataclass(frozen=True, eq=False)
class Side:
    """One side: its positions, the chance of each roll, and what may be made of a position other than 0.

    The results of roll r at position a, both from 0 on, are `after[start[r, a] : start[r, a] + count[r, a]]`.
    """

    positions: int
    chance: Floats
    after: Ints
    start: Ints
    count: Ints

    def results(self, position: int) -> tuple[Ints, Ints]:
        """Give the results of all rolls at a position, one after another, and where those of each roll begin."""
        start, count = self.start[:, position], self.count[:, position]
        parts = [self.after[low : low + size] for low, size in zip(start.tolist(), count.tolist(), strict=True)]
        return np.concatenate(parts), np.cumsum(count) - count


def side_of(game: Race) -> Side:
    """Give one side of a race as arrays."""
    rolls, plays = game.throws(), game.plays()
    weight = rolls.weight
    if rolls.rows < plays.columns["at"][-1] // game.positions:
        # The results of rolls that never come would lie among the others.
        plays = plays.only(np.isin(plays.columns["at"] // game.positions, rolls.roll))
    at = rolls.roll[:, None] * game.positions + np.arange(game.positions)
    start, count = plays.counts(at.reshape(-1))
    return Side(game.positions, weight / weight.sum(), plays.after, start.reshape(at.shape), count.reshape(at.shape))


def run_race(side: Side, tick: Callable[[int], None] = lambda _: None) -> tuple[Floats, int]:
    """Give V and the largest number of turns that one side can take."""
    size = side.positions
    move, wait = np.zeros((size, size)), np.zeros((size, size))
    turns = np.zeros(size, dtype=np.int64)
    # Every position but 0 has results for every roll, so no segment is empty.
    every = side.start[:, 1:].reshape(-1)
    for own in range(1, size):
        after, begin = side.results(own)
        turns[own] = 1 + turns[after].max()
        move[own] = 1.0 - side.chance @ np.minimum.reduceat(wait[after], begin, axis=0)
        move[own, 0] = 0.0
        best = np.minimum.reduceat(move[own][side.after], every).reshape(len(side.chance), size - 1)
        wait[own, 1:] = 1.0 - side.chance @ best
        tick(own)
    return move, int(turns.max())


def sample_residual(side: Side, move: Floats) -> float:
    """Compute some pairs by themselves, in plain sums, and give the largest difference."""
    random = np.random.default_rng(0)
    pairs = random.integers(1, side.positions, (SAMPLE, 2)) if side.positions > 1 else np.zeros((0, 2), dtype=np.int64)
    worst = 0.0
    for own, other in pairs.tolist():
        after, begin = side.results(own)
        lost = [float(move[other, part].min()) for part in np.split(after, begin[1:])]
        again = 1.0 - sum(chance * value for chance, value in zip(side.chance.tolist(), lost, strict=True))
        worst = max(worst, abs(again - float(move[own, other])))
    return worst


def play_races(game: Race, move: Floats, random: np.random.Generator, games: int) -> Ints:
    """Play games from the start by the best strategy; give 1 for each that the first player won, else 0."""
    side, start = side_of(game), game.start()
    own, other = np.full(games, start.first), np.full(games, start.second)
    won, live, mover = np.zeros(games, dtype=np.int64), np.arange(games), 0
    while live.size:
        roll = random.choice(len(side.chance), len(live), p=side.chance)
        own = _played(side, move, own, other, roll)
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
