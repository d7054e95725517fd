"""Follow the best strategy of a sheet with saved rolls to the end: the distribution of what is still to come.

Probability goes forwards. Between turns it lies on (open boxes, carry), by rolls saved and points so far; within a turn the
points are lanes, and what stops with r rerolls left goes on with r saved.
"""

from typing import TYPE_CHECKING

import numpy as np

from rollwise.errors import GameError
from rollwise.games.sheets.boxes import Turn
from rollwise.solvers.base.distribution import Distribution, Follow, trim
from rollwise.solvers.sheets.arrays import Floats, SheetArrays
from rollwise.solvers.sheets.outcomes import Begins, turn_ends

if TYPE_CHECKING:
    from rollwise.solvers.sheets.saved_rolls import SavedSolution

__all__ = ["saved_distribution", "steps_saved"]

MOST_STEPS = 20_000_000_000
"""Keeps and points, for every turn and number of rerolls, through which probability is followed: some minutes."""

Masses = dict[tuple[int, int], Floats]
"""Probability by open boxes and carry: by rolls saved and points."""


def steps_saved(arrays: SheetArrays, opened: int) -> int:
    """Count, at most, the places that probability goes through from a turn with these open boxes."""
    masks = np.arange(1, opened + 1)
    below = masks[masks & ~opened == 0]
    starts = arrays.carry_count[below]
    rolls = arrays.rerolls * (1 + arrays.n_boxes - np.bitwise_count(below).astype(np.int64)) + 1
    low, high = _range(arrays, opened)
    return int((starts * rolls).sum()) * len(arrays.lattice.keeps) * (high - low + 1)


def saved_distribution(solution: "SavedSolution", pending: Turn, follow: Follow) -> Distribution:
    """Follow its own strategy from a roll. Raises `GameError` where that takes too long."""
    arrays, opened = solution.arrays, pending.open
    if steps_saved(arrays, opened) > MOST_STEPS:
        raise GameError(
            f"the distribution from a sheet with {opened.bit_count()} open boxes and saved rolls takes too long to follow: "
            "simulate the game, or ask with fewer boxes open"
        )
    low, high = _range(arrays, opened)
    here = np.zeros(high - low + 1)
    here[-low] = 1.0
    begins = {solution.outer(pending): {pending.left - 1: (arrays.lattice.number(pending.dice), here)}}
    mass: Masses = {}
    for _ in range(opened.bit_count()):
        mass = {}
        for done, (outer, begin) in enumerate(begins.items()):
            if follow.progress:
                follow.progress("following", done, len(begins))
            _play_turn(solution, outer, begin, mass)
        begins = {
            outer: {arrays.rerolls + saved: (0, row) for saved, row in enumerate(own) if row.any()} for outer, own in mass.items()
        }
    total = sum(part.sum(axis=0) for part in mass.values()) if opened else np.ones(1)
    return trim(Distribution("points", low, np.asarray(total)))


def _range(arrays: SheetArrays, opened: int) -> tuple[int, int]:
    """The least and the most points that the open boxes can bring."""
    own = [arrays.box_gains[box] for box in range(arrays.n_boxes) if opened >> box & 1]
    return sum(min(int(part.min()), 0) for part in own), sum(max(int(part.max()), 0) for part in own)


def _play_turn(solution: "SavedSolution", outer: tuple[int, int], begin: Begins, after: Masses) -> None:
    """Take the probability on one turn start through its turn, to the turn starts `after` it."""
    arrays, (opened, carry) = solution.arrays, outer
    for left, effect, ended in turn_ends(solution.turn_from(opened, carry), begin):
        live = np.flatnonzero(ended.any(axis=1))
        for one in np.unique(effect[live, 0]).tolist():
            row = ended[live[effect[live, 0] == one]].sum(axis=0)
            gain, target = int(arrays.effect_gain[one, carry]), int(arrays.effect_target[one, carry])
            there = arrays.after(opened, int(arrays.box_of_effect[one])), target
            if there not in after:
                after[there] = np.zeros((solution.axis.most_saved(there[0].bit_count()) + 1, len(row)))
            after[there][left, max(gain, 0) : len(row) + min(gain, 0)] += row[max(-gain, 0) : len(row) - max(gain, 0)]
