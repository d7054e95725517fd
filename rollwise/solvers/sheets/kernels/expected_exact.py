"""The integer kernel of `turns`: exact values over a common denominator.

With k boxes open, every value is an integer over D**k, where D = faces ** (dice * rolls) is the number of equally likely ways
one turn can be rolled. A roll multiplies the scale by faces ** dice: the plain sum over all ways to complete a keep of s dice
counts faces ** (dice - s) ways, so keeps of different sizes are compared after multiplying it by faces ** s.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from rollwise.solvers.sheets.arrays import SheetArrays, layers
from rollwise.solvers.sheets.lattice import Lattice

__all__ = ["ExactSheet", "solve_exact", "turn_fractions", "turn_scale"]


class ExactSheet:
    """Exact values of outer states, as integers by (open boxes, carry)."""

    def __init__(self, form: SheetArrays) -> None:
        self.form = form
        self.numerator: dict[tuple[int, int], int] = {}
        self.scale = turn_scale(form)

    def value(self, opened: int, carry: int) -> Fraction:
        """Give a value as a fraction."""
        return Fraction(self.numerator[opened, carry], self.scale ** self.form.turns(opened))


def turn_scale(form: SheetArrays) -> int:
    """The number of equally likely ways to roll a turn."""
    rolled = form.lattice.count * (form.rerolls + 1)
    return int(form.lattice.faces**rolled)


def solve_exact(form: SheetArrays, tick: Callable[[int], None] = lambda _: None) -> ExactSheet:
    """Solve layer by layer in integers."""
    sheet = ExactSheet(form)
    for carry in (*form.carries(0), *form.copies(0)[0]):
        sheet.numerator[0, int(carry)] = 0
    done = 1
    for layer in layers(form):
        for opened in layer.tolist():
            for carry in form.carries(opened).tolist():
                sheet.numerator[opened, carry] = _turn(form, sheet, opened, carry)
            for to, source in zip(*(part.tolist() for part in form.copies(opened)), strict=True):
                sheet.numerator[opened, to] = sheet.numerator[opened, source]
            done += 1
            tick(done)
    return sheet


def turn_fractions(form: SheetArrays, sheet: ExactSheet, opened: int, carry: int) -> list[tuple[list[Fraction], list[Fraction]]]:
    """Give the values within a turn: for each number of rolls to come by dice kept, and by hand with so many rerolls."""
    lattice, (table, served) = form.lattice, _fill(form, sheet, opened, carry)
    first, unit = lattice.first_hand, sheet.scale ** (form.turns(opened) - 1)
    if not form.rerolls:
        _serve(form, table, served)
    steps: list[tuple[list[Fraction], list[Fraction]]] = [([], [Fraction(n, unit) for n in table[first:]])]
    for left in range(1, form.rerolls + 1):
        _expect(lattice, table)
        unit *= lattice.faces**lattice.count
        kept = [Fraction(n, unit) for n in table[:first]]
        if left == form.rerolls:
            _serve(form, table, served)
        _take_best(lattice, table)
        steps.append((kept, [Fraction(n, unit) for n in table[first:]]))
    return steps


def _turn(form: SheetArrays, sheet: ExactSheet, opened: int, carry: int) -> int:
    lattice, (table, served) = form.lattice, _fill(form, sheet, opened, carry)
    for _ in range(form.rerolls - 1):
        _expect(lattice, table)
        _take_best(lattice, table)
    if form.rerolls:
        _expect(lattice, table)
    _serve(form, table, served)
    if form.rerolls:
        _take_best(lattice, table)
    _sum_up(lattice, table)
    return table[0]


def _serve(form: SheetArrays, table: list[int], served: list[int]) -> None:
    """At the first roll, write what served hands are worth, in the unit of all rolls but it."""
    unit = form.lattice.faces ** (form.lattice.count * form.rerolls)
    for hand, worth in zip(form.served, served, strict=True):
        table[form.lattice.first_hand + hand] = worth * unit


def _fill(form: SheetArrays, sheet: ExactSheet, opened: int, carry: int) -> tuple[list[int], list[int]]:
    """The table of a turn with the worth of every hand when a box must be filled; and that of served hands."""
    unit = sheet.scale ** (form.turns(opened) - 1)
    done = {
        (box, effect): int(form.effect_gain[effect, carry]) * unit
        + sheet.numerator[form.after(opened, box), int(form.effect_target[effect, carry])]
        for box in form.boxes(opened)
        for effect in range(form.effect_start[box], form.effect_start[box + 1])
        if (form.after(opened, box), int(form.effect_target[effect, carry])) in sheet.numerator
    }
    best = [max(done[option] for option in form.options(opened, hand)) for hand in range(form.hand_effect.shape[1])]
    return [0] * form.lattice.first_hand + best[: form.lattice.n_hands], best[form.lattice.n_hands :]


def _expect(lattice: Lattice, table: list[int]) -> None:
    """Write the expected value of every keep, all in the new unit."""
    _sum_up(lattice, table)
    for keep, dice in enumerate(lattice.keeps):
        table[keep] *= lattice.faces ** len(dice)


def _sum_up(lattice: Lattice, table: list[int]) -> None:
    more = _rows(lattice)[0]
    for keep in range(len(more) - 1, -1, -1):
        table[keep] = sum([table[k] for k in more[keep]])


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
