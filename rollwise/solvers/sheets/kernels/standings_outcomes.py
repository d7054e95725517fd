"""What one turn leads to under the best strategy for a target or against an opponent: `outcomes`, by standing.

The guide is the rows of chances of `standings`: an effect is worth the chance at the standing it leads to.
"""

from typing import Any, NamedTuple

import numpy as np

from rollwise.solvers.base.compiling import compiled
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.kernels.outcomes_numba import follow_worth
from rollwise.solvers.sheets.kernels.records import effects_of, hands_of, rolls_of
from rollwise.solvers.sheets.kernels.turn_numba import list_options
from rollwise.solvers.sheets.standings import StandingRows

__all__ = ["standing_chances"]


class _Starts(NamedTuple):
    """Turn starts with their standings."""

    opened: Ints
    carry: Ints
    standing: Ints


class _Guide(NamedTuple):
    """The chances by standing of every outer state (`standings.Rows`)."""

    of: Any
    low: Ints
    start: Ints
    chance: Floats


def standing_chances(
    arrays: SheetArrays, rows: StandingRows, chance: Floats, opened: Ints, carry: Ints, standing: Ints
) -> Floats:
    """Give, for every outer state with its standing and every effect, the chance that the turn ends with it."""
    out = np.zeros((len(opened), len(arrays.effect_gain)))
    starts, guide = _Starts(opened, carry, standing), _Guide(rows.row_of, rows.row_low, rows.row_start, chance)
    _run(starts, guide, effects_of(arrays, np.int64, np.int64), hands_of(arrays), rolls_of(arrays), out)
    return out


@compiled
def _run(starts, guide, effects, hands, rolls, out):
    n_boxes = len(effects.start) - 1
    option_start = np.empty(hands.effect.shape[1] + 1, dtype=np.int64)
    option = np.empty(hands.effect.size, dtype=np.int64)
    worth = np.empty(len(effects.gain))
    for state in range(len(starts.opened)):
        opened = starts.opened[state]
        list_options(opened, hands, option_start, option)
        for box in range(n_boxes):
            if opened & hands.field[box]:
                _worth(box, opened - hands.unit[box], starts.carry[state], starts.standing[state], guide, effects, worth)
            if hands.in_order and opened & hands.field[box]:
                break
        follow_worth(worth, option_start, option, rolls, out[state])


@compiled
def _worth(box, after, carry, standing, guide, effects, worth):
    """Write the chance that every effect of a box leads to."""
    for effect in range(effects.start[box], effects.start[box + 1]):
        row = guide.of[after, effects.target[effect, carry]]
        place = standing + effects.gain[effect, carry] - guide.low[row]
        if place < 0:
            worth[effect] = 0.0
        elif place >= guide.start[row + 1] - guide.start[row]:
            worth[effect] = 1.0
        else:
            worth[effect] = guide.chance[guide.start[row] + place]
