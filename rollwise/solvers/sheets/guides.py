"""What ending a turn is worth, effect by effect: the one thing in which the ways to play a sheet differ.

A guide gives for some turns, the lanes, `worth[effect, lane]`, the gain included; minus infinity where the box of an effect may
not be filled. Everything else about a turn follows from these numbers.

    points         gain + value[open - box, target]
    saved rolls    gain + value[open - box, target, rerolls left], an axis more: one for each number of rerolls left
    a standing     chance[open - box, target] at the standing plus the gain
    a lead         the worth of a duel to who has moved, at his lead plus the gain
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays, read_ragged
from rollwise.solvers.sheets.duel_arrays import DuelArrays, Layer, Values
from rollwise.solvers.sheets.saved_arrays import SavedLayers
from rollwise.solvers.sheets.standings import StandingRows

__all__ = ["Guide", "LeadGuide", "PointsGuide", "SavedGuide", "StandingGuide"]


@dataclass(frozen=True, eq=False)
class Guide(ABC):
    """What ends of turns on a sheet are worth."""

    arrays: SheetArrays

    def worth(self, opened: Ints, carry: Ints, *more: Ints) -> Floats:
        """Give the worth of every effect by lane; `more` is what else a lane's turn start consists of."""
        arrays, box = self.arrays, self.arrays.box_of_effect
        effect, lane = np.nonzero(arrays.can_fill(opened, box[:, None]))
        after, own = arrays.after(opened[lane], box[effect]), carry[lane]
        gain, target = arrays.effect_gain[effect, own], arrays.effect_target[effect, own]
        worth = self.end(after, target, gain, *(one[lane] for one in more))
        found = np.full((*worth.shape[:-1], len(box), len(opened)), -np.inf)
        found[..., effect, lane] = worth
        return found

    @abstractmethod
    def end(self, opened: Ints, carry: Ints, gain: Ints, *more: Ints) -> Values:
        """Give the worth of turns that gained some points and lead to these open boxes and carries."""


@dataclass(frozen=True, eq=False)
class PointsGuide(Guide):
    """The points of the turn and those to come: `value` by open boxes and carry."""

    value: Any

    def end(self, opened: Ints, carry: Ints, gain: Ints, *more: Ints) -> Values:
        found: Floats = gain + self.value[opened, carry]
        return found


@dataclass(frozen=True, eq=False)
class SavedGuide(Guide):
    """The points of the turn and those to come, for each number of rerolls left: `values` are those of the layer that follows."""

    layout: SavedLayers
    layer: int
    values: Values

    def end(self, opened: Ints, carry: Ints, gain: Ints, *more: Ints) -> Values:
        after = self.values[self.layout.rows(self.layer, opened, carry)].astype(np.float64)
        found: Values = (gain[:, None] + after).T
        return found


@dataclass(frozen=True, eq=False)
class StandingGuide(Guide):
    """The chance at the standing that a turn leads to; turn starts have a standing."""

    rows: StandingRows
    chance: Floats

    def end(self, opened: Ints, carry: Ints, gain: Ints, *more: Ints) -> Values:
        (standing,) = more
        row = self.rows.row_of[opened, carry].astype(np.int64)
        found: Values = read_ragged(self.chance, self.rows.row_start, self.rows.row_low, row, standing + gain)
        return found


@dataclass(frozen=True, eq=False)
class LeadGuide(Guide):
    """The worth of a duel to who has moved, in the layer that follows; turn starts have the other's outer and the lead."""

    duel: DuelArrays
    layer: Layer
    values: Values

    def end(self, opened: Ints, carry: Ints, gain: Ints, *more: Ints) -> Values:
        other, lead = more
        row = self.layer.row(self.duel.outers.number[opened, carry], other)
        found: Values = read_ragged(self.values, self.layer.row_start, self.layer.row_low, row, lead + gain)
        return found
