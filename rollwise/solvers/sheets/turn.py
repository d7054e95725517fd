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

from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.lattice import Lattice

__all__ = ["best_steps", "fill_turn", "play_turn", "roll_turn", "take_best", "turn_tables", "turn_values"]

Values = npt.NDArray[Any]
"""float64 or float32."""


def turn_values(arrays: SheetArrays, value: Floats, opened: Ints, carry: Ints) -> Floats:
    """Give the expected value of every keep at the start of a turn; row 0, keeping nothing, is the value of the turn."""
    return roll_turn(arrays, fill_turn(arrays, value, opened, carry))


def turn_tables(arrays: SheetArrays, fill: Values) -> Iterator[Values]:
    """Play a turn backwards from what every hand is worth when a box must be filled, served hands last.

    Yields a table for 1, 2, ... rolls to come.

    Its rows are the expected values of the partial keeps with so many rolls to come, the values of the hands with one roll less,
    and minus infinity, for keeps that do not exist. It is one array, written again for every roll.
    """
    net = arrays.lattice
    table = np.full((len(net.keeps) + 1, *fill.shape[1:]), -np.inf, dtype=fill.dtype)
    table[net.first_hand : -1] = arrays.at(fill, -1)
    for left in range(1, arrays.rerolls + 1):
        play_turn(net, table)
        yield table
        serve(arrays, table, fill, left)
        take_best(net, table)
    if not arrays.rerolls:
        serve(arrays, table, fill, 0)
    play_turn(net, table)
    yield table


def serve(arrays: SheetArrays, table: Values, fill: Values, left: int) -> None:
    """Write what hands are worth at the first roll, when a box is filled with them, if it counts for more."""
    if arrays.served and left == arrays.rerolls:
        table[arrays.lattice.first_hand : -1] = arrays.at(fill, left)


def roll_turn(arrays: SheetArrays, fill: Values) -> Values:
    """Give the expected value of every keep at the start of a turn, from what every hand is worth when a box must be filled."""
    *_, table = turn_tables(arrays, fill)
    return table


def fill_turn(arrays: SheetArrays, value: Floats, opened: Ints, carry: Ints) -> Floats:
    """Give the best value of every hand when a box must be filled; served hands follow."""
    best = np.full((arrays.hand_effect.shape[1], len(opened)), -np.inf)
    for box in range(arrays.n_boxes):
        lanes = np.flatnonzero(arrays.can_fill(opened, box))
        if lanes.size:
            _fill_box(arrays, value, best, box, lanes, opened[lanes], carry[lanes])
    return best


def _fill_box(arrays: SheetArrays, value: Floats, best: Floats, box: int, lanes: Ints, opened: Ints, carry: Ints) -> None:
    effects = np.arange(arrays.effect_start[box], arrays.effect_start[box + 1])
    after = arrays.after(opened, box)
    gained = arrays.effect_gain[effects][:, carry] + value[after, arrays.effect_target[effects][:, carry]]
    plain = np.setdiff1d(np.arange(arrays.hand_effect.shape[1]), arrays.special_hand)
    rows = gained[arrays.hand_effect[box, plain] - arrays.effect_start[box]]
    best[plain[:, None], lanes] = np.maximum(best[plain[:, None], lanes], rows)
    for special, hand in enumerate(arrays.special_hand):
        effect = arrays.special_effects(special, opened)[:, box]
        may = effect >= 0
        row = gained[effect[may] - arrays.effect_start[box], np.flatnonzero(may)]
        best[hand, lanes[may]] = np.maximum(best[hand, lanes[may]], row)


def play_turn(lattice: Lattice, table: Values) -> None:
    """Write the expected value of every partial keep, from the hands down: one more die at a time."""
    inverse = 1.0 / lattice.faces
    for low, high in zip(lattice.size_start[-3::-1], lattice.size_start[-2:0:-1], strict=True):
        total = table[lattice.more[low:high, 0]]
        for face in range(1, lattice.faces):
            total += table[lattice.more[low:high, face]]
        total *= inverse
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
