"""Follow the strategy of a target or of the risk dial through a score sheet: what is best depends on the standing.

Mass lies by outer state and standing, in ragged rows as the values do, two layers in memory; a row is as wide as the strategy
can get. For every standing with mass a turn is solved from the rows of the solution, and followed. Two kernels do that:
NumPy (here, the definition) and Numba (`kernels.standings_follow_numba`), whose sums are in another order.

Rows lead to the same rows of the next layer, so the rows of a layer are dealt to `HEAPS`, whose mass is added up afterwards. That
is so however many threads there are: the result does not depend on them.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise

import numpy as np

from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.distribution import Follow
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.follow import CLOSER, Begin
from rollwise.solvers.sheets.outcomes import numpy_chances
from rollwise.solvers.sheets.outers import FAR, extreme_effects, list_moves
from rollwise.solvers.sheets.standings import StandingAxis, Windows

__all__ = ["StandingFollower", "numpy_push_standings"]

LARGE = 500
"""Beyond this many standings in a layer compiling is worth its time."""
PIECE = 1 << 14
"""Standings that are followed between two reports of progress, by heap."""
HEAPS = 2
COMPILED = "rollwise.solvers.sheets.kernels.standings_follow_numba"


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

    `standing` is the one at the start of that turn; what `begin` lists was gained since.
    """

    axis: StandingAxis
    tie: float
    standing: int
    push: PushStandings | None = None
    """Default: compiled code in layers where there is much to follow, or when it is loaded already."""

    def __post_init__(self) -> None:
        self.windows = Windows(*(np.zeros(len(self.axis.outers.opened), dtype=np.int64) for _ in Windows._fields))
        self.effect_mass = np.zeros(self.arrays.effect_gain.shape)

    @property
    def arrays(self) -> SheetArrays:
        return self.axis.sheet

    def layers(self, begin: list[Begin], follow: Follow) -> Iterator[tuple[int, Floats]]:
        """Give the mass of each layer, the first one first, the full sheet last. Raises `GameError` where they do not fit."""
        first = int(self.arrays.turns(begin[0][0]))
        opened, carry, gained, chance = (np.array(column) for column in zip(*begin, strict=True))
        row, standing = self.axis.outers.number[opened, carry], gained + self.standing
        mass = np.zeros(self._lay_out(first, [(row, standing, standing)]))
        np.add.at(mass, self.windows.start[row] + standing - self.windows.low[row], chance)
        yield first, mass
        for layer in range(first, 0, -1):
            mass = self._advance(mass, layer, first, follow)
            yield layer - 1, mass

    def _lay_out(self, layer: int, reached: Iterable[tuple[Ints, Ints, Ints]]) -> int:
        """Lay out a layer, from rows with the lowest and the highest standing that is reached there; give its size."""
        own, windows = self.axis.outers.with_open(layer), self.windows
        low, high = np.full(len(windows.low), FAR), np.full(len(windows.low), -FAR)
        for row, least, most in reached:
            np.minimum.at(low, row, least)
            np.maximum.at(high, row, most)
        windows.width[own] = np.maximum(high - low + 1, 0)[own]
        windows.low[own] = np.where(windows.width > 0, low, 0)[own]
        windows.start[own] = np.cumsum(windows.width[own]) - windows.width[own]
        return int(windows.width[own].sum())

    def _reached(self, mass: Floats, layer: int) -> Iterator[tuple[Ints, Ints, Ints]]:
        """Give the rows that one turn leads to, from standings with mass, and the lowest and highest standing there."""
        outers, own = self.axis.outers, self.axis.outers.with_open(layer)
        start, live, effects = self.windows.start[own], np.flatnonzero(mass), extreme_effects(self.arrays)
        first, end = np.searchsorted(live, start), np.searchsorted(live, start + self.windows.width[own])
        shift = self.windows.low[own] - start
        low, high = live.take(first, mode="clip") + shift, live.take(end - 1, mode="clip") + shift
        for begin, stop in outers.blocks(layer):
            place, _, row, gain = list_moves(self.arrays, outers, begin, stop, effects)
            place += begin - own.start
            some = first[place] < end[place]
            yield row[some], low[place[some]] + gain[some], high[place[some]] + gain[some]

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
        cuts = np.searchsorted(self.windows.start[own], np.arange(0, len(mass), PIECE)).tolist()
        pieces = list(pairwise(sorted({0, *cuts, own.stop - own.start})))
        size = self._lay_out(layer - 1, self._reached(mass, layer))
        needs = mass.nbytes + 8 * HEAPS * size
        check_fits(f"the distribution of {self.arrays.n_boxes} boxes", needs, follow.max_bytes, cure=CLOSER)
        heaps = [(np.zeros(size), np.zeros(self.effect_mass.shape)) for _ in pieces[:HEAPS]]
        large = COMPILED in sys.modules or np.count_nonzero(mass) > LARGE
        push = self.push or (import_module(COMPILED).numba_push_standings if large else numpy_push_standings)

        def advance(work: tuple[tuple[int, int], tuple[Floats, Floats]]) -> None:
            (begin, end), heap = work
            push(self.axis, self.windows, self.tie, own.start + begin, own.start + end, mass, *heap)

        with Threads().pool() if len(pieces) > 1 else nullcontext(map) as each:
            for done in range(0, len(pieces), HEAPS):
                deque(each(advance, zip(pieces[done:], heaps, strict=False)), maxlen=0)
                if follow.progress:
                    follow.progress("following", first - layer, first)
        for _, effects in heaps:
            self.effect_mass += effects
        (out, _), *others = heaps
        for other, _ in others:
            out += other
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
