"""Play many reroll games at once: the values that the moves lead to are looked up for all of them together."""

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from rollwise.solvers.base.choosing import padded
from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.rerolls.sweeps import Axis, Ints

if TYPE_CHECKING:
    from rollwise.solvers.rerolls.solution import RerollSolution

__all__ = ["ENTRIES", "RerollTables"]

ENTRIES = 1 << 22
"""Moves of words that are compared together."""
ROLLED = 32
"""Where the number of dice rolled begins among the bits of a move of words: there are fewer dice."""


class RerollTables:
    """The values of a words game, and what can be kept of each group of equal dice."""

    def __init__(self, solution: "RerollSolution") -> None:
        self.arrays, self.value = solution.arrays, np.asarray(solution.array).ravel()
        shape = self.arrays.shape
        self.strides = [int(np.prod(shape[place + 1 :], dtype=np.int64)) for place in range(len(shape))]
        found = [_axis_parts(axis, members) for axis, (_, members) in zip(self.arrays.axes, solution.groups, strict=True)]
        self.parts, self.orders = [parts for parts, _ in found], [order for _, order in found]
        self.dice = [len(axis.keeps[-1]) for axis in self.arrays.axes]
        self.weights = [np.cumsum([weight for _, weight in faces]) for faces, _ in solution.groups]
        self.width = int(np.prod([part.shape[1] for part in self.parts], dtype=np.int64))

    def play(self, rng: "np.random.Generator", games: int) -> Ints:
        """Play games from the first roll on and give the numbers of rolls."""
        rolls = np.zeros(games, dtype=np.int64)
        live, kept = np.arange(games), [np.zeros(games, dtype=np.int64) for _ in self.parts]
        while live.size:
            rolls[live] += 1
            hands = [self._roll(rng, place, part) for place, part in enumerate(kept)]
            going = ~self.arrays.goal[tuple(hands)]
            live = live[going]
            kept = self._choose([hand[going] for hand in hands])
        return rolls

    def _roll(self, rng: "np.random.Generator", place: int, kept: Ints) -> Ints:
        """Roll the missing dice of one group and give the hands."""
        axis, upto = self.arrays.axes[place], self.weights[place]
        for _ in range(self.dice[place]):
            rolled = np.searchsorted(upto, rng.integers(0, upto[-1], len(kept)), side="right")
            partial = kept < axis.first_hand
            kept = np.where(partial, axis.more[np.where(partial, kept, 0), rolled], kept)
        return kept - axis.first_hand

    def _choose(self, hands: list[Ints]) -> list[Ints]:
        """Find the part to keep of the dice, group by group: the first listed among ties with the best."""
        own = np.zeros(len(hands[0]), dtype=np.int64)
        number, order = (np.zeros((len(hands[0]), 1), dtype=np.int64) for _ in range(2))
        for axis, stride, parts, orders, hand in zip(self.arrays.axes, self.strides, self.parts, self.orders, hands, strict=True):
            own += (hand + axis.first_hand) * stride
            number = _sums(number, parts[hand] * stride)
            order = _sums(order, orders[hand])
        value = np.where(number == own[:, None], np.inf, self.value[number])
        tied = value <= value.min(axis=1, keepdims=True) * (1 + TIE)
        chosen = np.where(tied, order, np.iinfo(np.int64).max).argmin(axis=1)
        return list(np.unravel_index(number[np.arange(len(number)), chosen], self.arrays.shape))


def _sums(one: Ints, other: Ints) -> Ints:
    """For each row all sums of a number of one and a number of the other."""
    found: Ints = (one[:, :, None] + other[:, None, :]).reshape(len(one), one.shape[1] * other.shape[1])
    return found


def _axis_parts(axis: Axis, members: list[int]) -> tuple[Ints, Ints]:
    """For each hand of a group the numbers of its parts, itself first; itself again fills up rows. And where they are listed.

    A game lists what to roll by the number of dice, and then the last dice first. With a bit for every die that is kept and the
    number of those rolled above them, the place of a part is a sum over groups. Of equal symbols the first are kept.
    """
    number = {keep: place for place, keep in enumerate(axis.keeps)}
    rows, orders = [], []
    for hand in axis.keeps[axis.first_hand :]:
        found: list[tuple[tuple[int, ...], int]] = [((), 0)]
        begin = 0
        for face, n in Counter(hand).items():
            bits = [sum(1 << die for die in members[begin : begin + k]) for k in range(n + 1)]
            found = [((*part, *(face,) * k), order + bits[k]) for part, order in found for k in range(n, -1, -1)]
            begin += n
        rows.append([number[part] for part, _ in found])
        orders.append([order + ((len(members) - len(part)) << ROLLED) for part, order in found])
    return padded(rows, [row[0] for row in rows]), padded(orders, [row[0] for row in orders])
