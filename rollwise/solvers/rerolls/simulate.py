"""Play many reroll games at once, by the choices of the best strategy in all states."""

from typing import TYPE_CHECKING

import numpy as np

from rollwise.solvers.rerolls.sweeps import Axis, Ints

if TYPE_CHECKING:
    from rollwise.solvers.rerolls.solution import RerollSolution

__all__ = ["play_rerolls"]


def play_rerolls(solution: "RerollSolution", rng: "np.random.Generator", games: int) -> Ints:
    """Play games from the first roll on and give the numbers of rolls."""
    arrays, chosen = solution.arrays, solution.choices()
    weights = [np.cumsum([weight for _, weight in faces]) for faces, _ in solution.groups]
    rolls = np.zeros(games, dtype=np.int64)
    live, kept = np.arange(games), [np.zeros(games, dtype=np.int64) for _ in arrays.axes]
    while live.size:
        rolls[live] += 1
        hands = [_roll(rng, axis, upto, part) for axis, upto, part in zip(arrays.axes, weights, kept, strict=True)]
        going = ~arrays.goal[tuple(hands)]
        live = live[going]
        kept = list(np.unravel_index(chosen[tuple(hand[going] for hand in hands)], arrays.shape))
    return rolls


def _roll(rng: "np.random.Generator", axis: Axis, upto: Ints, kept: Ints) -> Ints:
    """Roll the missing dice of one group and give the hands; the weights of its faces add up to `upto`."""
    for _ in range(len(axis.keeps[-1])):
        rolled = np.searchsorted(upto, rng.integers(0, upto[-1], len(kept)), side="right")
        partial = kept < axis.first_hand
        kept = np.where(partial, axis.more[np.where(partial, kept, 0), rolled], kept)
    return kept - axis.first_hand
