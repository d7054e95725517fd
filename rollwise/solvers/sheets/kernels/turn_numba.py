"""A turn of a score sheet in compiled code, for tables whose rows are vectors (`simd`).

The same operations in the same order as in `turn`, so that the bits are the same. Lanes are turn starts, or neighbouring points
of one turn start: `starts_numba` and `rows_numba` say what each effect is worth there, and the turn itself is this one.
"""

from typing import Any

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.sheets.kernels.simd import WIDTH, add, at, best_row, copy_row, larger, load, spread, store, times

__all__ = [
    "best_rows",
    "chance_of",
    "expect_rows",
    "fill_hands",
    "fill_options",
    "list_options",
    "may_fill",
    "serve_rows",
    "special_effects",
]


@compiled
def may_fill(opened, unit, field, in_order):
    """Say whether a box with this unit and field may be filled, jokers aside. It takes numbers: a record would be copied."""
    return opened & field != 0 and not (in_order and opened & (unit - 1))


@compiled
def special_effects(hands, special, opened):
    """Give the effect of filling each box with a special hand; -1 where the joker rule bars the box."""
    return hands.special_effect[special, hands.special_variant[opened, special]]


@compiled
def list_options(opened, hands, option_start, option):
    """List for each hand the effects of the boxes that may be filled with it, in order."""
    n_boxes, n_hands = hands.effect.shape
    n = 0
    for hand in range(n_hands):
        option_start[hand] = n
        special = hands.special[hand]
        for box in range(n_boxes):
            if opened & hands.field[box]:
                effect = hands.effect[box, hand] if special < 0 else special_effects(hands, special, opened)[box]
                if effect >= 0:
                    option[n] = effect
                    n += 1
                if hands.in_order:
                    break
    option_start[n_hands] = n


@compiled
def fill_options(option_start, option, gained, table, first_hand):
    """Write the best effect of every hand, where all lanes have the same open boxes."""
    for hand in range(len(option_start) - 1):
        best_row(table, first_hand + hand, gained, option, option_start[hand], option_start[hand + 1])


@compiled
def fill_hands(boxes, lane_open, effect, hands, gained, table, first_hand):
    """Write the best effect of every hand among these boxes; `effect` are the hands' effects, in the smallest type."""
    n_hands = effect.shape[1]
    for hand in range(n_hands):
        row: Any = load(gained, at(effect, at(boxes, 0) * n_hands + hand))
        for place in range(1, len(boxes)):
            row = larger(row, load(gained, at(effect, at(boxes, place) * n_hands + hand)))
        store(table, first_hand + hand, row)
    for special in range(len(hands.special_hand)):
        for i in range(WIDTH):
            effects = special_effects(hands, special, lane_open[i])
            best = -np.inf
            for box in boxes:
                if effects[box] >= 0:
                    best = max(best, gained[effects[box], i])
            table[first_hand + hands.special_hand[special], i] = best


@compiled
def serve_rows(steps, left, table):
    """At the first roll, write what served hands are worth, whose rows follow those of all hands, in the place of theirs."""
    if left == steps.rerolls:
        last = len(table) - len(steps.served)
        for place in range(len(steps.served)):
            copy_row(table, steps.first_hand + steps.served[place], table, last + place)


@compiled
def expect_rows(more, table, share):
    """Write the expected value of every partial keep; `share` are the chances of the faces, or the one of all, in its type."""
    faces = more.shape[1]
    if len(share) > 1:
        _expect_loaded(more, table, share)
        return
    one: Any = spread(load(table, 0), share[0])
    for keep in range(len(more) - 1, -1, -1):
        total = load(table, at(more, keep * faces))
        for face in range(1, faces):
            total = add(total, load(table, at(more, keep * faces + face)))
        store(table, keep, times(total, one))


@compiled
def _expect_loaded(more, table, share):
    """Write the expected value of every partial keep of loaded dice."""
    faces = more.shape[1]
    for keep in range(len(more) - 1, -1, -1):
        row: Any = load(table, at(more, keep * faces))
        total: Any = times(row, spread(row, share[0]))
        for face in range(1, faces):
            row = load(table, at(more, keep * faces + face))
            total = add(total, times(row, spread(row, share[face])))
        store(table, keep, total)


@compiled
def chance_of(share, face):
    """Give the chance of a face, from those of all, or the one that all have."""
    return share[face] if len(share) > 1 else share[0]


@compiled
def best_rows(steps, table):
    """Replace every keep's value by the best of its sub-keeps, in place, small keeps first."""
    place: int = at(steps.fewer_start, 1)
    for keep in range(1, len(steps.fewer_start) - 1):
        end = at(steps.fewer_start, keep + 1)
        best = load(table, keep)
        while place < end:
            best = larger(best, load(table, at(steps.fewer, place)))
            place += 1
        store(table, keep, best)
