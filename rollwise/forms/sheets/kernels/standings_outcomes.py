"""What one turn leads to under the best strategy for a target or against an opponent: `outcomes`, by standing.

The guide is the rows of chances of `points`: an effect is worth the chance at the standing it leads to.
"""

import numpy as np

from rollwise.forms.base.compiling import compiled
from rollwise.forms.sheets.kernels.outcomes_numba import follow_worth, list_options
from rollwise.forms.sheets.outcomes import special_index
from rollwise.forms.sheets.standings import Rows
from rollwise.forms.sheets.turns import Floats, Ints, SheetArrays

__all__ = ["standing_chances"]


def standing_chances(
    form: SheetArrays, keeps: tuple[Ints, Ints], rows: Rows, chance: Floats, opened: Ints, carry: Ints, standing: Ints
) -> Floats:
    """Give, for every outer state with its standing and every effect, the chance that the turn ends with it."""
    out = np.zeros((len(opened), len(form.effect_gain)))
    net = form.lattice
    _run(
        (opened, carry, standing),
        (rows.row_of, rows.row_low, rows.row_start, chance),
        (form.effect_start, form.effect_gain, form.effect_target, form.hand_effect),
        (special_index(form), form.special_effect, form.special_variant),
        (net.more, net.first_hand, net.n_hands, net.hand_weight / net.hand_weight.sum()),
        keeps,
        form.rerolls,
        form.in_order,
        out,
    )
    return out


@compiled
def _run(states, rows, effects, specials, net, keeps, rerolls, in_order, out):
    opened, carry, standing = states
    n_boxes = len(effects[0]) - 1
    fill = np.empty((net[2], n_boxes), dtype=np.int64)
    n_fill = np.empty(net[2], dtype=np.int64)
    worth = np.empty(len(effects[1]))
    for state in range(len(opened)):
        list_options(opened[state], effects, specials, in_order, fill, n_fill)
        for box in range(n_boxes):
            if opened[state] >> box & 1:
                _worth(box, opened[state], carry[state], standing[state], rows, effects, worth)
            if in_order and opened[state] >> box & 1:
                break
        follow_worth(worth, fill, n_fill, net, keeps, rerolls, out[state])


@compiled
def _worth(box, opened, carry, standing, rows, effects, worth):
    """Write the chance that every effect of a box leads to."""
    row_of, row_low, row_start, chance = rows
    effect_start, effect_gain, effect_target, _ = effects
    for effect in range(effect_start[box], effect_start[box + 1]):
        row = row_of[opened ^ (1 << box), effect_target[effect, carry]]
        place = standing + effect_gain[effect, carry] - row_low[row]
        if place < 0:
            worth[effect] = 0.0
        elif place >= row_start[row + 1] - row_start[row]:
            worth[effect] = 1.0
        else:
            worth[effect] = chance[row_start[row] + place]
