"""How a sheet may end, read at once: for every turn start the distribution of the points to come, kept as a few bins.

Within a bin every score has the same chance, so the cumulative chance is a chain of straight lines. It differs from the true one
by at most `error`, at every score; mean and standard deviation are stored beside it and are those of the true distribution.
What comes after a move is a mixture of such distributions, each moved by the points of the turn; its error is at most the
mixture of their errors, so every move has a known bound.

    bins       16 bits each: above the lowest ten the number of scores, from 1 to 63; in those the chance, in thousandths
    bin_start  where the bins of a turn start begin (`places`), and a last one
    lowest     the score that the first bin begins with
    error      the bound, in hundred-thousandths, rounded up
    deviation  the standard deviation; float32 where there are very many turn starts
    mean       the mean; not there where there are very many turn starts: it is the value of the turn start, but for ties

`outlook_build` makes them; reading needs no compiler.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rollwise.solvers.base.distribution import Distribution
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.places import places_of

__all__ = ["ERRORS", "PARTS", "SHIFT", "WIDEST", "Begin", "Outlook"]

PARTS = 1000
SHIFT = 10
WIDEST = 63
ERRORS = 100_000
"""An error is stored as a number of these parts of one."""
ROUNDED = 1e-9
"""More than adding up can err by."""

Begin = tuple[int, int, int, float]
"""A turn start that comes next: open boxes, carry, the points until then, and the chance of it."""


@dataclass(frozen=True, eq=False)
class Outlook:
    """The distributions of the points to come, by turn start; `value` are the turn starts' values by open boxes and carry."""

    sheet_arrays: SheetArrays
    value: Any
    bins: Any
    bin_start: Any
    lowest: Any
    error: Any
    deviation: Any
    mean: Any = None

    @property
    def arrays(self) -> dict[str, Any]:
        """What is kept."""
        kept = {"bins": self.bins, "bin_start": self.bin_start, "lowest": self.lowest, "error": self.error}
        kept["deviation"] = self.deviation
        return kept if self.mean is None else {**kept, "mean": self.mean}

    @property
    def worst(self) -> float:
        """The largest error of all."""
        return float(np.asarray(self.error).max()) / ERRORS

    def distributions(self, begins: list[list[Begin]]) -> list[Distribution]:
        """Mix the distributions of what comes next, once for every list."""
        parts = sorted({(opened, carry, points) for begin in begins for opened, carry, points, _ in begin})
        weight = np.zeros((len(begins), len(parts)))
        number = {part: i for i, part in enumerate(parts)}
        for row, begin in zip(weight, begins, strict=True):
            for opened, carry, points, chance in begin:
                row[number[opened, carry, points]] += chance
        return self._mix(weight, *(np.array(column) for column in zip(*parts, strict=True)))

    def _mix(self, weight: Floats, opened: Ints, carry: Ints, points: Ints) -> list[Distribution]:
        rows = places_of(self.sheet_arrays).rows(opened, carry)
        lowest, chance = self._chances(rows, points)
        after = points + (self.value[opened, carry] if self.mean is None else self.mean[rows])
        mean = weight @ after
        around = np.square(after - mean[:, None]) + np.square(self.deviation[rows].astype(np.float64))
        deviation = np.sqrt((weight * around).sum(axis=1))
        error = weight @ self.error[rows] / ERRORS
        found = zip(weight @ chance, mean.tolist(), deviation.tolist(), error.tolist(), strict=True)
        return [_distribution(lowest, row, about, spread, bound) for row, about, spread, bound in found]

    def _chances(self, rows: Ints, points: Ints) -> tuple[int, Floats]:
        """Give the lowest score, and by row the chance of every score from it on; rows are moved by some points."""
        begin, end = self.bin_start[rows].astype(np.int64), self.bin_start[rows + 1].astype(np.int64)
        count = end - begin
        first = np.cumsum(count) - count
        bins = self.bins[np.arange(count.sum()) + np.repeat(begin - first, count)].astype(np.int64)
        width = bins >> SHIFT
        low = self.lowest[rows].astype(np.int64) + points
        sizes = np.add.reduceat(width, first)
        lowest = int(low.min())
        table = np.zeros((len(rows), int((low + sizes).max()) - lowest))
        row = np.repeat(np.arange(len(rows)), sizes)
        column = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + np.repeat(low - lowest, sizes)
        table[row, column] = np.repeat((bins & (1 << SHIFT) - 1) / (PARTS * width), width)
        return lowest, table


def _distribution(lowest: int, chance: Floats, mean: float, deviation: float, error: float) -> Distribution:
    live = np.flatnonzero(chance)
    bound = error + ROUNDED if error else 0.0
    found = chance[live[0] : live[-1] + 1]
    return Distribution("points", lowest + int(live[0]), found, error=bound, moments=(mean, deviation))
