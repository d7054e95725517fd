"""What ending a turn is worth, effect by effect: the one thing in which the ways to play a sheet differ.

For some turns, the lanes, this is `worth[effect, lane]`, the gain included; minus infinity where the box of an effect may not be
filled. Everything else about a turn follows from these numbers.

    points         gain + value[open - box, target]
    saved rolls    gain + value[open - box, target, rerolls left], an axis more: one for each number of rerolls left
    a standing     chance[open - box, target] at the standing plus the gain
    a lead         the worth of a duel to who has moved, by the other's sheet too, at his lead plus the gain
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.turn import Values

__all__ = ["EffectValues", "PointsValues", "SavedValues"]


@dataclass(frozen=True, eq=False)
class EffectValues(ABC):
    """What ending a turn on a sheet is worth, by effect."""

    arrays: SheetArrays

    tie: ClassVar[float] = TIE
    """Moves whose worth differs by less than this part of it are equally good."""

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
class PointsValues(EffectValues):
    """The points of the turn and those to come: `value` by open boxes and carry."""

    value: Any

    def end(self, opened: Ints, carry: Ints, gain: Ints, *more: Ints) -> Values:
        found: Floats = gain + self.value[opened, carry]
        return found


@dataclass(frozen=True, eq=False)
class SavedValues(EffectValues):
    """The points of the turn and those to come, for each number of rerolls left: `values` by turn start and rolls saved.

    `rows` says where turn starts, open boxes and carry, lie.
    """

    rows: Callable[[Ints, Ints], Ints]
    values: Values

    def end(self, opened: Ints, carry: Ints, gain: Ints, *more: Ints) -> Values:
        found: Values = (gain[:, None] + self.values[self.rows(opened, carry)].astype(np.float64)).T
        return found
