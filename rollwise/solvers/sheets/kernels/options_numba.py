"""What may be done with a hand, in compiled code: the boxes that may be filled, by the joker rule too, and the best of them."""

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.sheets.kernels.simd import WIDTH, copy_row, max_row

__all__ = ["fill_hands", "list_options", "special_effects"]


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
def fill_hands(boxes, lane_open, effect, hands, gained, table, first_hand):
    """Write the best effect of every hand among these boxes; `effect` are the hands' effects, in the smallest type."""
    for hand in range(effect.shape[1]):
        copy_row(table, first_hand + hand, gained, effect[boxes[0], hand])
        for place in range(1, len(boxes)):
            max_row(table, first_hand + hand, gained, effect[boxes[place], hand])
    for special in range(len(hands.special_hand)):
        for i in range(WIDTH):
            row = special_effects(hands, special, lane_open[i])
            best = -np.inf
            for box in boxes:
                if row[box] >= 0:
                    best = max(best, gained[row[box], i])
            table[first_hand + hands.special_hand[special], i] = best
