"""The integer kernel of `backward`: exact values over a common denominator.

With k boxes open, every value is an integer over D**k, where D = ways ** (dice * rolls) is the number of equally likely ways
one turn can be rolled, with as many ways to roll a die as it has faces, or as its weights add up to. A roll multiplies the scale
by ways ** dice: the plain sum over all ways to complete a keep of s dice counts ways ** (dice - s), so keeps of different sizes
are compared after multiplying it by ways ** s.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from rollwise.solvers.sheets.arrays import SheetArrays, layers
from rollwise.solvers.sheets.lattice import Lattice

__all__ = ["ExactSheet", "solve_exact", "turn_fractions", "turn_scale"]


class ExactSheet:
    """Exact values of outer states, as integers by (open boxes, carry)."""

    def __init__(self, arrays: SheetArrays) -> None:
        self.arrays = arrays
        self.numerator: dict[tuple[int, int], int] = {}
        self.scale = turn_scale(arrays)

    def value(self, opened: int, carry: int) -> Fraction:
        """Give a value as a fraction."""
        return Fraction(self.numerator[opened, carry], self.scale ** self.arrays.turns(opened))


def turn_scale(arrays: SheetArrays) -> int:
    """The number of equally likely ways to roll a turn."""
    rolled = arrays.lattice.count * (arrays.rerolls + 1)
    return int(arrays.lattice.ways**rolled)


def solve_exact(arrays: SheetArrays, tick: Callable[[int], None] = lambda _: None) -> ExactSheet:
    """Solve layer by layer in integers."""
    sheet = ExactSheet(arrays)
    for carry in (*arrays.carries(0), *arrays.copies(0)[0]):
        sheet.numerator[0, int(carry)] = 0
    done = 1
    for layer in layers(arrays):
        for opened in layer.tolist():
            for carry in arrays.carries(opened).tolist():
                sheet.numerator[opened, carry] = _turn(arrays, sheet, opened, carry)
            for to, source in zip(*(part.tolist() for part in arrays.copies(opened)), strict=True):
                sheet.numerator[opened, to] = sheet.numerator[opened, source]
            done += 1
            tick(done)
    return sheet


def turn_fractions(
    arrays: SheetArrays, sheet: ExactSheet, opened: int, carry: int
) -> list[tuple[list[Fraction], list[Fraction]]]:
    """Give the values within a turn: for each number of rolls to come by dice kept, and by hand with so many rerolls."""
    first, unit = arrays.lattice.first_hand, sheet.scale ** (arrays.turns(opened) - 1)
    steps = []
    for kept, table in _tables(arrays, sheet, opened, carry):
        steps.append(([Fraction(n, unit) for n in kept], [Fraction(n, unit) for n in table[first:]]))
        unit *= arrays.lattice.ways**arrays.lattice.count
    return steps


def _turn(arrays: SheetArrays, sheet: ExactSheet, opened: int, carry: int) -> int:
    *_, (_, table) = _tables(arrays, sheet, opened, carry)
    _sum_up(arrays.lattice, table)
    return table[0]


def _tables(arrays: SheetArrays, sheet: ExactSheet, opened: int, carry: int) -> Iterator[tuple[list[int], list[int]]]:
    """Play a turn backwards: yield, with 0, 1, ... rerolls left, what keeping dice is worth, and the table with all hands.

    The table is one list, written again for every roll, and each roll is in a new unit.
    """
    lattice, (table, served) = arrays.lattice, _fill(arrays, sheet, opened, carry)
    kept: list[int] = []
    for left in range(arrays.rerolls + 1):
        if left:
            _expect(lattice, table)
            kept = table[: lattice.first_hand]
        if left == arrays.rerolls:
            _serve(arrays, table, served)
        if left:
            _take_best(lattice, table)
        yield kept, table


def _serve(arrays: SheetArrays, table: list[int], served: list[int]) -> None:
    """At the first roll, write what served hands are worth, in the unit of all rolls but it."""
    unit = arrays.lattice.ways ** (arrays.lattice.count * arrays.rerolls)
    for hand, worth in zip(arrays.served, served, strict=True):
        table[arrays.lattice.first_hand + hand] = worth * unit


def _fill(arrays: SheetArrays, sheet: ExactSheet, opened: int, carry: int) -> tuple[list[int], list[int]]:
    """The table of a turn with the worth of every hand when a box must be filled; and that of served hands."""
    unit = sheet.scale ** (arrays.turns(opened) - 1)
    done = {
        (box, effect): int(arrays.effect_gain[effect, carry]) * unit
        + sheet.numerator[arrays.after(opened, box), int(arrays.effect_target[effect, carry])]
        for box in arrays.boxes(opened)
        for effect in range(arrays.effect_start[box], arrays.effect_start[box + 1])
        if (arrays.after(opened, box), int(arrays.effect_target[effect, carry])) in sheet.numerator
    }
    best = [max(done[option] for option in arrays.options(opened, hand)) for hand in range(arrays.hand_effect.shape[1])]
    return [0] * arrays.lattice.first_hand + best[: arrays.lattice.n_hands], best[arrays.lattice.n_hands :]


def _expect(lattice: Lattice, table: list[int]) -> None:
    """Write the expected value of every keep, all in the new unit."""
    _sum_up(lattice, table)
    for keep, dice in enumerate(lattice.keeps):
        table[keep] *= lattice.ways ** len(dice)


def _sum_up(lattice: Lattice, table: list[int]) -> None:
    more, weights = _rows(lattice)[0], lattice.face_weight
    if len(lattice.share) == 1:
        for keep in range(len(more) - 1, -1, -1):
            table[keep] = sum([table[k] for k in more[keep]])
        return
    for keep in range(len(more) - 1, -1, -1):
        table[keep] = sum([weight * table[k] for k, weight in zip(more[keep], weights, strict=True)])


def _take_best(lattice: Lattice, table: list[int]) -> None:
    for keep, fewer in enumerate(_rows(lattice)[1]):
        for less in fewer:
            table[keep] = max(table[keep], table[less])


def _rows(lattice: Lattice) -> tuple[list[list[int]], list[list[int]]]:
    """The lattice as lists, which plain Python reads faster."""
    if lattice not in _CACHE:
        fewer = [part.tolist() for part in np.split(lattice.fewer, lattice.fewer_start[1:-1])]
        _CACHE[lattice] = (lattice.more.tolist(), fewer)
    return _CACHE[lattice]


_CACHE: dict[Lattice, tuple[list[list[int]], list[list[int]]]] = {}
