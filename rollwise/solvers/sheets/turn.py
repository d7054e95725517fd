"""A turn of a score sheet: fill a box, or roll again what is not kept. The turn recursion, in one place.

With the outer states as the vector axis:

    fill:    V[hand] = max over boxes of gain[effect, carry] + value[open - box, target[effect, carry]]
    reroll:  V[hand] = best sub-keep of the expected values of V         (as often as there are rerolls)
    roll:    value = mean of V over the hands

Compiled kernels repeat these operations in the same order, so that the bits are the same.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.solvers.sheets.arrays import Ints, SheetArrays
from rollwise.solvers.sheets.lattice import Lattice

__all__ = ["best_fill", "best_steps", "play_turn", "roll_turn", "take_best", "turn_tables"]

Values = npt.NDArray[Any]
"""float64 or float32."""


def turn_tables(arrays: SheetArrays, *fills: Values) -> Iterator[Values]:
    """Play a turn backwards from what every hand is worth when a box is filled with 0, 1, ... rerolls left, served hands last.

    Where no more is given, filling a box is worth the same with more rerolls. Yields a table for 1, 2, ... rolls to come: its
    rows are the expected values of the partial keeps with so many rolls to come, the values of the hands with one roll less, and
    minus infinity, for keeps that do not exist. It is one array, written again for every roll.
    """
    net = arrays.lattice
    table = np.full((len(net.keeps) + 1, *fills[0].shape[1:]), -np.inf, dtype=fills[0].dtype)
    hands = table[net.first_hand : -1]
    for left in range(max(arrays.rerolls + 1, len(fills))):
        if left < len(fills):
            hands[:] = arrays.at(fills[left], -1)
        if arrays.served and left == arrays.rerolls:
            # At the first roll some hands count for more. Rolling again with fewer rolls to come is no better than with more.
            hands[:] = arrays.at(fills[-1], left)
        if left:
            take_best(net, table)
        play_turn(net, table)
        yield table


def roll_turn(arrays: SheetArrays, fill: Values) -> Values:
    """Give the expected value of every keep at the start of a turn, from what every hand is worth when a box must be filled."""
    *_, table = turn_tables(arrays, fill)
    return table


def best_fill(arrays: SheetArrays, opened: Ints, gained: Values) -> Values:
    """Give the best of every hand, from what each effect is worth in each lane; served hands follow.

    Where the lanes have different open boxes, the effects of those that are not open are worth minus infinity.
    """
    may = arrays.can_fill(opened[:, None], np.arange(arrays.n_boxes))
    best = np.full((arrays.hand_effect.shape[1], len(opened)), -np.inf, dtype=gained.dtype)
    for box in np.flatnonzero(may.any(axis=0)):
        np.maximum(best, gained[arrays.hand_effect[box]], out=best)
    for special, hand in enumerate(arrays.special_hand):
        effect = np.where(may, arrays.special_effects(special, opened), -1)
        best[hand] = np.where(effect >= 0, gained[effect, np.arange(len(opened))[:, None]], -np.inf).max(axis=1)
    return best


def play_turn(lattice: Lattice, table: Values) -> None:
    """Write the expected value of every partial keep, from the hands down: one more die at a time."""
    share = lattice.share.astype(table.dtype)
    for low, high in zip(lattice.size_start[-3::-1], lattice.size_start[-2:0:-1], strict=True):
        total = table[lattice.more[low:high, 0]]
        if len(share) > 1:
            total *= share[0]
        for face in range(1, lattice.faces):
            row = table[lattice.more[low:high, face]]
            total += row * share[face] if len(share) > 1 else row
        if len(share) == 1:
            total *= share[0]
        table[low:high] = total


def take_best(lattice: Lattice, table: Values) -> None:
    """Replace every keep's value by the best of its sub-keeps, in place, small keeps first."""
    for step in best_steps(lattice):
        for keep, less in step:
            table[keep] = np.maximum(table[keep], table[less])


@lru_cache(maxsize=8)
def best_steps(lattice: Lattice) -> list[list[tuple[Ints, Ints]]]:
    """List for each size the pairs (keep, keep without one die), split so that no keep occurs twice in an update."""
    steps = []
    length = np.diff(lattice.fewer_start)
    for low, high in zip(lattice.size_start[1:-1], lattice.size_start[2:], strict=True):
        keeps = np.arange(low, high)
        most = int(length[low:high].max())
        steps.append(
            [
                (keeps[length[keeps] > place], lattice.fewer[lattice.fewer_start[keeps[length[keeps] > place]] + place])
                for place in range(most)
            ]
        )
    return steps
