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
from typing import Any, NamedTuple

import numpy as np

from rollwise.model.objectives import AtLeast
from rollwise.model.risk import Quantile, Utility, Worst
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.outers import find_outers
from rollwise.solvers.sheets.standings import QUANTILE, SHORTFALL, TARGET, TILT, Ending

__all__ = ["PointsObjective", "RowMeaning", "best_target", "ending_of", "family_of", "objective_of_family"]

PointsObjective = Any
"""`AtLeast`, `Against`, `Quantile`, `Worst` or `Utility`."""


class RowMeaning(NamedTuple):
    """How values follow from rows: `base + (stored - tilt * mean total) / scale`; standings are totals minus `target`."""

    base: float
    scale: float
    tilt: float
    target: int

    @classmethod
    def of(cls, objective: PointsObjective, arrays: SheetArrays) -> "RowMeaning":
        """Give that of an objective."""
        if isinstance(objective, Utility):
            low, span = _range(_worths(objective, arrays)[1])
            return cls(low, 1 / span, TILT, 0)
        if isinstance(objective, Worst):
            return cls(float(objective.target or 0), float(objective.share), TILT, objective.target or 0)
        if isinstance(objective, Quantile):
            return cls(0.0, 1.0, TILT, objective.target or 0)
        return cls(0.0, 1.0, 0.0, 0)

    def value(self, stored: Any, mean: float) -> Any:
        """Give the value, where `mean` is the highest mean standing at the end."""
        return self.base + (stored - self.tilt * mean) / self.scale if self.tilt else stored


def ending_of(objective: PointsObjective, arrays: SheetArrays) -> Ending:
    """Say what a final standing is paid."""
    if isinstance(objective, AtLeast):
        return TARGET
    if isinstance(objective, Quantile | Worst):
        return QUANTILE if isinstance(objective, Quantile) else SHORTFALL
    if isinstance(objective, Utility):
        totals, worth = _worths(objective, arrays)
        low, span = _range(worth)
        level = (worth - low) / span
        return Ending(totals, level, np.array([0.0, *level[:-1], 1.0]), tilt=TILT)
    score = [score for score, _ in objective.distribution]
    upto = list(accumulate((weight for _, weight in objective.distribution), initial=0))
    level = [float(objective.chance(total)) for total in score]
    return Ending(np.array(score), np.array(level), np.array([below / upto[-1] for below in upto]))


@lru_cache(maxsize=8)
def _worths(objective: Utility, arrays: SheetArrays) -> tuple[Ints, Floats]:
    """List the totals that a sheet may end with, from the lowest to the highest, and what they are worth."""
    outers = find_outers(arrays)
    ends = slice(int(outers.start[0]), int(outers.start[1]))
    totals = np.arange(outers.got_least[ends].min(), outers.got_most[ends].max() + 1)
    return totals, np.array([float(objective.worth(total)) for total in totals.tolist()])


def _range(worth: Floats) -> tuple[float, float]:
    """Give the lowest worth, and how far the highest is from it."""
    return float(worth[0]), float(worth[-1] - worth[0]) or 1.0


def family_of(objective: PointsObjective) -> str:
    """Name what one solution answers: every target, every share of games, or one objective alone."""
    return objective.name if isinstance(objective, AtLeast | Quantile | Worst) else objective.key


def objective_of_family(objective: PointsObjective, rest: Mapping[str, Any]) -> PointsObjective:
    """Give the objective that a stored solution was written with, for one of the same family."""
    if isinstance(objective, AtLeast):
        return AtLeast(rest["target"])
    if isinstance(objective, Quantile | Worst):
        return type(objective)(Fraction(rest["share"]), rest["target"])
    return objective


def best_target(objective: Quantile | Worst, low: int, stored: Floats) -> int:
    """Choose a target from the row of the start: `stored` has the standings from `low` on, so the targets from `-low` down.

    The lowest total of all is a target, too: it is reached in any case.
    """
    targets = -(low + np.arange(len(stored) + 1))
    if isinstance(objective, Worst):
        value = targets + (np.append(stored, 0.0) + TILT * targets) / float(objective.share)
        return int(targets[np.flatnonzero(value >= value.max() - CLOSE)[-1]])
    sure = np.append(stored, 1.0) >= 1 - float(objective.share) - SURE
    return int(targets[sure.argmax()])


CLOSE = 1e-12
"""Of targets whose worth differs by less, the lowest is chosen."""
SURE = 1e-9
"""A chance that falls short by less is as good as the share of games asked for."""
