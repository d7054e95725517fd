"""What the rows of a score sheet store for a target, an opponent and the objectives of the risk dial, and what that is worth.

    objective          a row stores the mean of              value
    at least, against  f(x)                                  itself
    quantile           [x >= 0] + e x                        less e times the mean total
    worst              min(x, 0) + e x                       target + that / share, less e times the mean
    utility            (u(x) - low) / span + e x             low + span times that, less e times the mean

with x the standing (for a quantile and a worst share the total minus the target) and e the tilt that decides ties by the mean.
The mean that is subtracted is the highest one, so a value is too low by at most e times what the strategy's mean falls short.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.outers import find_outers
from rollwise.solvers.sheets.standings import QUANTILE, SHORTFALL, TARGET, TILT, Ending

__all__ = ["FAMILIES", "PointsObjective", "RowFamily", "RowMeaning", "family_of"]

PointsObjective = Any
"""An objective with a family here."""
CLOSE = 1e-12
"""Of targets whose worth differs by less, the lowest is chosen."""
SURE = 1e-9
"""A chance that falls short by less is as good as the share of games asked for."""


class RowMeaning(NamedTuple):
    """How values follow from rows: `base + (stored - tilt * mean total) / scale`; standings are totals minus `target`."""

    base: float = 0.0
    scale: float = 1.0
    tilt: float = 0.0
    target: int = 0

    def value(self, stored: Any, mean: Any) -> Any:
        """Give the value, where `mean` is the highest mean standing at the end."""
        return self.base + (stored - self.tilt * mean) / self.scale if self.tilt else stored


class RowFamily:
    """What the rows for objectives of one kind store; the methods are those of an opponent."""

    needs: ClassVar[bool] = False
    """Whether positions contain the points that are needed, and not the total so far."""
    reachable: ClassVar[bool] = True
    """Whether only totals that can be reached from the start have places."""

    def key(self, aim: PointsObjective) -> str:
        """Name what one solution answers: objectives with the same key."""
        return str(aim.key)

    def stored(self, aim: PointsObjective, rest: Mapping[str, Any]) -> PointsObjective:
        """Give the objective that a stored solution was written with, for one with the same key."""
        return aim

    def ending(self, aim: PointsObjective, arrays: SheetArrays) -> Ending:
        """Say what a final standing is paid."""
        score = [score for score, _ in aim.distribution]
        upto = list(accumulate((weight for _, weight in aim.distribution), initial=0))
        level = [float(aim.chance(total)) for total in score]
        return Ending(np.array(score), np.array(level), np.array([below / upto[-1] for below in upto]))

    def meaning(self, aim: PointsObjective, arrays: SheetArrays) -> RowMeaning:
        """Say how values follow from rows."""
        return RowMeaning()

    def standing(self, points: Any, meaning: RowMeaning) -> Any:
        """Give the standing that a position's points stand for."""
        return -points if self.needs else points - meaning.target

    def best_target(self, aim: PointsObjective, targets: Ints, stored: Floats) -> int:
        """Choose a target, from what is stored at the start for each: the highest first, last one that is reached in any case."""
        raise NotImplementedError


class _Targets(RowFamily):
    """The best chance of every target."""

    needs, reachable = True, False

    def key(self, aim: PointsObjective) -> str:
        return str(aim.name)

    def stored(self, aim: PointsObjective, rest: Mapping[str, Any]) -> PointsObjective:
        return type(aim)(rest["target"])

    def ending(self, aim: PointsObjective, arrays: SheetArrays) -> Ending:
        return TARGET


class _Quantiles(RowFamily):
    """The best chance of every target, and of equal ones the best mean."""

    reachable = False

    def key(self, aim: PointsObjective) -> str:
        return str(aim.name)

    def stored(self, aim: PointsObjective, rest: Mapping[str, Any]) -> PointsObjective:
        return type(aim)(Fraction(rest["share"]), rest["target"])

    def ending(self, aim: PointsObjective, arrays: SheetArrays) -> Ending:
        return QUANTILE

    def meaning(self, aim: PointsObjective, arrays: SheetArrays) -> RowMeaning:
        return RowMeaning(tilt=TILT, target=aim.target or 0)

    def best_target(self, aim: PointsObjective, targets: Ints, stored: Floats) -> int:
        sure = np.append(stored, 1.0) >= 1 - float(aim.share) - SURE
        return int(targets[sure.argmax()])


class _WorstShares(_Quantiles):
    """The least expected shortfall from every target."""

    def ending(self, aim: PointsObjective, arrays: SheetArrays) -> Ending:
        return SHORTFALL

    def meaning(self, aim: PointsObjective, arrays: SheetArrays) -> RowMeaning:
        return RowMeaning(float(aim.target or 0), float(aim.share), TILT, aim.target or 0)

    def best_target(self, aim: PointsObjective, targets: Ints, stored: Floats) -> int:
        value = targets + (np.append(stored, 0.0) + TILT * targets) / float(aim.share)
        return int(targets[np.flatnonzero(value >= value.max() - CLOSE)[-1]])


class _Utilities(RowFamily):
    """The worth of the total, between 0 and 1."""

    def ending(self, aim: PointsObjective, arrays: SheetArrays) -> Ending:
        totals, worth = _worths(aim, arrays)
        low, span = _range(worth)
        level = (worth - low) / span
        return Ending(totals, level, np.array([0.0, *level[:-1], 1.0]), tilt=TILT)

    def meaning(self, aim: PointsObjective, arrays: SheetArrays) -> RowMeaning:
        low, span = _range(_worths(aim, arrays)[1])
        return RowMeaning(low, 1 / span, TILT)


@lru_cache(maxsize=8)
def _worths(aim: PointsObjective, arrays: SheetArrays) -> tuple[Ints, Floats]:
    """List the totals that a sheet may end with, from the lowest to the highest, and what they are worth."""
    outers = find_outers(arrays)
    ends = slice(int(outers.start[0]), int(outers.start[1]))
    totals = np.arange(outers.got_least[ends].min(), outers.got_most[ends].max() + 1)
    return totals, np.array([float(aim.worth(total)) for total in totals.tolist()])


def _range(worth: Floats) -> tuple[float, float]:
    """Give the lowest worth, and how far the highest is from it."""
    return float(worth[0]), float(worth[-1] - worth[0]) or 1.0


FAMILIES: dict[str, RowFamily] = {
    "at-least": _Targets(), "against": RowFamily(), "quantile": _Quantiles(), "worst": _WorstShares(), "utility": _Utilities(),
}  # fmt: skip
"""By the name of the objective."""


def family_of(aim: PointsObjective) -> RowFamily:
    """Give the family of an objective."""
    return FAMILIES[aim.name]
