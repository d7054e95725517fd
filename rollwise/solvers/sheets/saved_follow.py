"""Follow the best strategy of a sheet with saved rolls to the end: the distribution of what is still to come.

Probability goes forwards. Between turns it lies on (open boxes, carry), by rolls saved and points so far; within a turn on keeps
and hands, from the most rerolls left down to none: what stops with r of them left goes on with r saved.
"""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rollwise.errors import GameError
from rollwise.games.sheets.boxes import Turn
from rollwise.solvers.base.distribution import Distribution, Follow, trim
from rollwise.solvers.sheets.arrays import Floats, SheetArrays
from rollwise.solvers.sheets.lattice import Lattice
from rollwise.solvers.sheets.saved_turn import SavedTurn

if TYPE_CHECKING:
    from rollwise.solvers.sheets.saved import SavedSolution

__all__ = ["saved_distribution", "steps_saved"]

MOST_STEPS = 20_000_000_000
"""Keeps and points, for every turn and number of rerolls, through which probability is followed: some minutes."""

Masses = dict[tuple[int, int], Floats]


def steps_saved(arrays: SheetArrays, opened: int) -> int:
    """Count, at most, the places that probability goes through from a turn with these open boxes."""
    masks = np.arange(1, opened + 1)
    below = masks[masks & ~opened == 0]
    starts = np.diff(arrays.carry_start)[arrays.carry_class[below]]
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
    mass: Masses = {solution.outer(pending): np.zeros((0, high - low + 1))}
    for layer in range(opened.bit_count(), 0, -1):
        after: Masses = {}
        for done, (outer, own) in enumerate(mass.items()):
            if follow.progress:
                follow.progress("following", done, len(mass))
            first = pending if layer == opened.bit_count() else None
            _Walk(solution, outer, after, -low).turn(own, first, (high - low + 1))
        mass = after
    total = sum(part.sum(axis=0) for part in mass.values()) if opened else np.ones(1)
    return trim(Distribution("points", low, np.asarray(total)))


def _range(arrays: SheetArrays, opened: int) -> tuple[int, int]:
    """The least and the most points that the open boxes can bring."""
    parts = [arrays.effect_gain[first:end] for first, end in pairwise(arrays.effect_start)]
    own = [parts[box] for box in range(arrays.n_boxes) if opened >> box & 1]
    return sum(min(int(part.min()), 0) for part in own), sum(max(int(part.max()), 0) for part in own)


class _Walk:
    """Takes the probability on one turn start through its turn; `after` are the turn starts that it goes on to."""

    def __init__(self, solution: "SavedSolution", outer: tuple[int, int], after: Masses, zero: int) -> None:
        self.solution, self.arrays, self.after, self.zero = solution, solution.arrays, after, zero
        self.opened, self.carry = outer

    def turn(self, mass: Floats, first: Turn | None, width: int) -> None:
        """Play the turn: `mass` by rolls saved and points, or all of it on a roll."""
        net, rerolls = self.arrays.lattice, self.arrays.rerolls
        table: SavedTurn = self.solution.turn_from(self.opened, self.carry)
        rolls: list[Any] = [None] * len(table.hand)
        for saved, row in enumerate(mass):
            if row.any():
                self._add(rolls, rerolls + saved, 0, row)
        if first is not None:
            here = np.zeros(width)
            here[self.zero] = 1.0
            self._add(rolls, first.left - 1, net.number(first.dice), here)
        for left in range(len(rolls) - 1, -1, -1):
            if rolls[left] is not None:
                self._choose(table, left, _roll(net, rolls[left]), rolls)

    def _add(self, rolls: list[Any], left: int, keep: int, row: Floats) -> None:
        if rolls[left] is None:
            rolls[left] = np.zeros((self.arrays.lattice.first_hand, len(row)))
        rolls[left][keep] += row

    def _choose(self, table: SavedTurn, left: int, hands: Floats, rolls: list[Any]) -> None:
        """Do with every hand what is best: go on to the next turn, or roll again."""
        chosen, n_boxes = table.choice(left), self.arrays.n_boxes
        live = hands.any(axis=1)
        fills, keeps = np.flatnonzero(live & (chosen < n_boxes)), np.flatnonzero(live & (chosen >= n_boxes))
        effects = table.effect[chosen[fills], fills]
        for effect in np.unique(effects).tolist():
            self._fill(effect, left, hands[fills[effects == effect]].sum(axis=0))
        if len(keeps):
            if rolls[left - 1] is None:
                rolls[left - 1] = np.zeros((self.arrays.lattice.first_hand, hands.shape[1]))
            np.add.at(rolls[left - 1], table.keeps[keeps, chosen[keeps] - n_boxes], hands[keeps])

    def _fill(self, effect: int, left: int, row: Floats) -> None:
        arrays, box = self.arrays, int(self.arrays.box_of_effect[effect])
        gain, target = int(arrays.effect_gain[effect, self.carry]), int(arrays.effect_target[effect, self.carry])
        opened = self.opened & ~(1 << box)
        most = self.solution.layout.most_saved(opened.bit_count())
        there = self.after.setdefault((opened, target), np.zeros((most + 1, len(row))))
        there[left, max(gain, 0) : len(row) + min(gain, 0)] += row[max(-gain, 0) : len(row) - max(gain, 0)]


def _roll(net: Lattice, kept: Floats) -> Floats:
    """Roll what is not kept, one die at a time: the probability of every hand."""
    table = np.zeros((len(net.keeps), kept.shape[1]))
    table[: net.first_hand] = kept
    for low, high in pairwise(net.size_start[:-1].tolist()):
        part = table[low:high] / net.faces
        for face in range(net.faces):
            table[net.more[low:high, face]] += part
    return table[net.first_hand :]
