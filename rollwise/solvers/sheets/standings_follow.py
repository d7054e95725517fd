"""Follow the strategy of a target or of the risk dial through a score sheet: what is best depends on the standing.

Mass lies by outer state and standing, in ragged rows as the values do, two layers in memory; a row is as wide as what can be
gained before it. For every standing with mass a turn is solved from the rows of the solution, and followed. Two kernels do that:
NumPy (here, the definition) and Numba (`kernels.standings_follow_numba`), whose sums are in another order.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise

import numpy as np

from rollwise.solvers.base.distribution import Follow
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.sheets.arrays import Floats, SheetArrays
from rollwise.solvers.sheets.follow import CLOSER, Begin
from rollwise.solvers.sheets.outcomes import numpy_chances
from rollwise.solvers.sheets.outers import find_outers
from rollwise.solvers.sheets.standings import StandingAxis, Windows

__all__ = ["StandingFollower", "numpy_push_standings"]

LARGE = 10_000
"""Beyond this many standings compiling is worth its time."""
PIECE = 1 << 13
"""Standings that are followed between two reports of progress."""
COMPILED = "rollwise.solvers.sheets.kernels.standings_follow_numba"


def make_windows(axis: StandingAxis, begin: tuple[int, int], standing: int) -> Windows:
    """Lay out what can be reached from a turn start, open boxes and carry, with this standing."""
    found, size = find_outers(axis.sheet, begin), len(axis.outers.opened)
    number = axis.outers.number[found.opened, found.carry]
    width, low = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    live = np.flatnonzero(found.got_most >= found.got_least)
    width[number[live]] = (found.got_most - found.got_least + 1)[live]
    low[number[live]] = found.got_least[live] + standing
    start = np.concatenate([[0], np.cumsum(width)])
    layers = np.repeat(axis.outers.start[:-1], np.diff(axis.outers.start))
    return Windows(start[:-1] - start[layers], low, width)


PushStandings = Callable[[StandingAxis, Windows, float, int, int, Floats, Floats, Floats], None]
"""Called with (axis, windows, width of a tie, first row, end, mass, mass of the next layer, mass by effect and carry)."""


def numpy_push_standings(
    axis: StandingAxis, windows: Windows, tie: float, first: int, end: int, mass: Floats, out: Floats, effect_mass: Floats
) -> None:
    """Play one turn from rows of standings: the definition."""
    arrays, outers, values = axis.sheet, axis.outers, axis.effect_values(axis.whole, np.asarray(axis.chance))
    for row in range(first, end):
        part = mass[windows.start[row] : windows.start[row] + windows.width[row]]
        place = np.flatnonzero(part)
        if not place.size:
            continue
        standing, opened = windows.low[row] + place, np.full(len(place), outers.opened[row])
        worth = values.worth(opened, np.full(len(place), outers.carry[row]), standing)
        chance = numpy_chances(arrays, opened, worth, tie)
        lane, effect = np.nonzero(chance)
        moved, carry = chance[lane, effect] * part[place[lane]], int(outers.carry[row])
        after = arrays.after(opened[lane], arrays.box_of_effect[effect])
        to = outers.number[after, arrays.effect_target[effect, carry]]
        gain = arrays.effect_gain[effect, carry]
        np.add.at(out, windows.start[to] + standing[lane] + gain - windows.low[to], moved)
        np.add.at(effect_mass, (effect, np.full(len(effect), carry)), moved)


@dataclass
class StandingFollower:
    """Follows from several beginnings within or after one turn, all with the same number of open boxes.

    `turn` is the turn start, open boxes and carry, and `standing` the one there; what `begin` lists was gained since.
    """

    axis: StandingAxis
    tie: float
    turn: tuple[int, int]
    standing: int

    def __post_init__(self) -> None:
        self.windows = make_windows(self.axis, self.turn, self.standing)
        self.effect_mass = np.zeros(self.arrays.effect_gain.shape)
        large = int(self.windows.width.sum()) > LARGE
        self.push: PushStandings = (
            import_module(COMPILED).numba_push_standings if large or COMPILED in sys.modules else numpy_push_standings
        )

    @property
    def arrays(self) -> SheetArrays:
        return self.axis.sheet

    def size(self, layer: int) -> int:
        """Count the standings of a layer."""
        return int(self.windows.width[self.axis.outers.with_open(layer)].sum())

    def layers(self, begin: list[Begin], follow: Follow) -> Iterator[tuple[int, Floats]]:
        """Give the mass of each layer, the first one first, the full sheet last. Raises `GameError` where they do not fit."""
        first = int(self.arrays.turns(begin[0][0]))
        sizes = [8 * self.size(layer) for layer in range(first + 1)]
        needs = max((a + b for a, b in pairwise(sizes)), default=sizes[0])
        check_fits(f"the distribution of {self.arrays.n_boxes} boxes", needs, follow.max_bytes, cure=CLOSER)
        mass = np.zeros(self.size(first))
        for opened, carry, gained, chance in begin:
            row = int(self.axis.outers.number[opened, carry])
            mass[self.windows.start[row] + gained + self.standing - self.windows.low[row]] += chance
        yield first, mass
        for layer in range(first, 0, -1):
            mass = self._advance(mass, layer, first, follow)
            yield layer - 1, mass

    def turn_starts(self, begin: list[Begin], follow: Follow, most: int) -> list[tuple[float, int, int]]:
        """List the turn starts that come up most often, at most `most` + 1 of them: how often, the row, the standing."""
        found: list[tuple[float, int, int]] = []
        for layer, mass in self.layers(begin, follow):
            own = self.axis.outers.with_open(layer)
            if layer:
                top = np.argsort(-mass, kind="stable")[: most + 1]
                row = own.start + np.searchsorted(self.windows.start[own], top, side="right") - 1
                low = self.windows.low[row] - self.windows.start[row]
                found += zip(mass[top].tolist(), row.tolist(), (low + top).tolist(), strict=True)
        return sorted((one for one in found if one[0] > 0), reverse=True)[: most + 1]

    def _advance(self, mass: Floats, layer: int, first: int, follow: Follow) -> Floats:
        """Play one turn from every standing of a layer that has mass."""
        if follow.work is not None:
            follow.work.take(int(np.count_nonzero(mass)) * self.arrays.lattice.n_hands)
        own = self.axis.outers.with_open(layer)
        out = np.zeros(self.size(layer - 1))
        cuts = np.searchsorted(self.windows.start[own], np.arange(0, len(mass), PIECE)).tolist()
        for begin, end in pairwise(sorted({0, *cuts, own.stop - own.start})):
            self.push(self.axis, self.windows, self.tie, own.start + begin, own.start + end, mass, out, self.effect_mass)
            if follow.progress:
                follow.progress("following", first - layer, first)
        return out

    def total(self, mass: Floats) -> tuple[int, Floats]:
        """Give what is gained at least, and the chance of it and of each point more, of the mass of the last layer."""
        own = self.axis.outers.with_open(0)
        rows = [row for row in range(own.start, own.stop) if self.windows.width[row]]
        low = min(int(self.windows.low[row]) for row in rows)
        found = np.zeros(max(int(self.windows.low[row] + self.windows.width[row]) for row in rows) - low)
        for row in rows:
            at, start, width = int(self.windows.low[row]) - low, int(self.windows.start[row]), int(self.windows.width[row])
            found[at : at + width] += mass[start : start + width]
        return low - self.standing, found
