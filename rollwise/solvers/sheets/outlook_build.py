"""Compute how a sheet may end from every turn start, from the full sheet backwards.

The chance of every effect of a turn (`outcomes`) mixes the distributions of the layer below, each moved by the effect's points:

    P[start](score) = sum over effects of chance * P[what comes next](score - gain)
    mean            = sum of chance * (gain + mean[next])
    variance        = sum of chance * (variance[next] + (gain + mean[next] - mean)^2)

Only two layers are there at a time, and those closely: in bins that follow the cumulative chance within `fine`, so that an error
grows by no more than that from turn to turn. What is stored is rounded once, from the closely followed one; its error, measured
at every score, and the one that grew add up to the bound that is stored with it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rollwise.model.game import Progress
from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays, layers
from rollwise.solvers.sheets.effect_values import PointsValues
from rollwise.solvers.sheets.follow import outer_blocks
from rollwise.solvers.sheets.lattice import sub_keeps
from rollwise.solvers.sheets.outlook import ERRORS, PARTS, SHIFT, WIDEST, Outlook
from rollwise.solvers.sheets.places import count_starts, places_of

if TYPE_CHECKING:
    from rollwise.solvers.sheets.kernels.outlook_numba import Below, Out

__all__ = ["ROOM", "Closeness", "build_outlook", "closeness", "plan_outlook", "score_span", "spared"]

ROOM = 1_000_000_000
"""Bytes that the outlook of a sheet may take."""
AMPLE = 100
"""Bytes a turn start with which nothing need be spared."""
SPARED = 12
"""Bytes a turn start besides its bins, where they are spared."""
CELLS = 1 << 22
"""Scores of turn starts that are computed in one go."""
FINE_BYTES = 6
KEPT_BYTES = 72
"""Of a turn start, about, where nothing is spared."""
SECONDS_A_KEEP = 2.6e-9
SECONDS_A_START = 2.2e-5
SMALL_LAYER = 0.01
"""Of all turn starts: in a layer with fewer nothing is spared."""
SHAPE = 0.8
"""Bins of a distribution times the root of the tolerance, about: lines along a bell curve err by the square of their length."""


@dataclass(frozen=True)
class Closeness:
    """How closely distributions are followed, `fine`, and kept: tolerances of the cumulative chance; and the bytes for all."""

    fine: float
    tolerance: float
    room: int
    spare: bool


def closeness(starts: int, room: int = ROOM) -> Closeness:
    """Say how closely so many distributions can be stored in some bytes."""
    spare = room // starts < AMPLE
    return Closeness(1e-4 if spare else 1e-5, 0.002, room, spare)


def spared(close: Closeness, starts: int, used: int) -> float:
    """Give the tolerance for a layer, when so many turn starts are to come, its own among them, and some bytes are used."""
    bins = max((close.room - used) / starts - SPARED, 8.0) / 2
    return max(close.tolerance, (SHAPE / bins) ** 2)


def plan_outlook(arrays: SheetArrays, room: int = ROOM) -> Plan:
    """Say about what working it out takes, one thread, and what stays."""
    starts = count_starts(arrays)
    close = closeness(starts, room)
    sizes = np.diff(places_of(arrays).layer_start).tolist()
    wide = 100 if close.spare else 200
    kept = room if close.spare else KEPT_BYTES * starts
    keeps = len(sub_keeps(arrays.lattice)[1]) * arrays.rerolls
    return Plan(
        states=starts,
        memory_bytes=FINE_BYTES * wide * max(a + b for a, b in pairwise(sizes)) + 2 * kept,
        disk_bytes=kept,
        seconds=starts * (SECONDS_A_START + SECONDS_A_KEEP * keeps),
    )


def build_outlook(
    arrays: SheetArrays,
    value: Floats,
    *,
    room: int = ROOM,
    threads: int | None = None,
    max_bytes: int | None = None,
    progress: Progress | None = None,
) -> Outlook:
    """Compute the distributions of all turn starts under the best strategy, whose values are given.

    Raises `GameError`, before anything is allocated, if the layers do not fit into memory, or into `max_bytes`.
    """
    plan = plan_outlook(arrays, room)
    check_fits(f"the outlook of {arrays.n_boxes} boxes", plan.memory_bytes or 0, max_bytes, cure="use fewer boxes")
    builder = _Builder(arrays, value, closeness(plan.states or 1, room), progress)
    with Threads(threads).pool() as together:
        for layer in layers(arrays):
            builder.advance(layer, together)
    return builder.finish()


class _Builder:
    """Goes from layer to layer, and collects what is stored of each."""

    def __init__(self, arrays: SheetArrays, value: Floats, close: Closeness, progress: Progress | None) -> None:
        from rollwise.solvers.sheets.kernels import outcomes_numba, outlook_numba, records  # noqa: PLC0415  (loaded only where it is used)

        self.arrays, self.value, self.close, self.progress = arrays, value, close, progress
        self.kernel, self.chances = outlook_numba, outcomes_numba.numba_chances
        self.effects = records.effects_of(arrays, np.int64, np.int64)
        self.places = places_of(arrays)
        self.span = score_span(arrays)
        self.kept: list[dict[str, Any]] = []
        self.below = self._ended()
        self.rounding = self._rounding()

    def _ended(self) -> "Below":
        """The full sheet: nothing is to come."""
        rows = int(self.places.layer_start[1])
        none = np.zeros(rows)
        bins = np.full(rows, 1 << SHIFT | PARTS, dtype=np.uint16)
        self.kept.append({"bins": bins, "count": np.ones(rows, dtype=np.int64), "lowest": none, "error": none})
        self.kept[-1] |= {"mean": none, "deviation": none}
        first, height = np.tile([0, 1], rows).astype(np.int16), np.tile([1, 0], rows).astype(np.float32)
        return self.kernel.Below(0, np.arange(rows + 1) * 2, first, height, none, none, none)

    def advance(self, layer: Ints, together: Callable[..., Iterable["Out"]]) -> None:
        """Compute a layer from the one below, in blocks that threads share."""
        begin, done = int(self.places.layer_start[len(self.kept)]), 0
        self.rounding = self._rounding()
        found: list[Out] = []
        for out in together(lambda block: self._block(*block), outer_blocks(self.arrays, layer, max(1, CELLS // self.span))):
            found.append(out)
            done += len(out.mean)
            if self.progress:
                self.progress("looking ahead", begin + done, int(self.places.layer_start[-1]))
        del self.below  # before what is found is joined, which takes as much again
        self.below = self._stacked(begin, found)
        self._keep(found)

    def _block(self, opened: Ints, carry: Ints) -> "Out":
        chance = self.chances(self.arrays, opened, PointsValues(self.arrays, self.value).worth(opened, carry))
        out = _room(self.kernel, len(opened), self.span)
        arrays = (self.effects, self.arrays.unit[self.arrays.box_of_effect], self.places, self.below, self.rounding, self.span)
        fine, kept = self.kernel.mix_rows(opened, carry, chance, *arrays, out)
        cut = {"fine_first": fine, "fine_height": fine, "bins": kept}
        return out._replace(**{name: getattr(out, name)[:size].copy() for name, size in cut.items()})

    def _rounding(self) -> Any:
        start, number = self.places.layer_start, len(self.kept)
        tolerance = self.close.tolerance
        if self.close.spare and start[number + 1] - start[number] >= SMALL_LAYER * start[-1]:
            used = sum(layer["bins"].nbytes + SPARED * len(layer["count"]) for layer in self.kept)
            tolerance = spared(self.close, int(start[-1] - start[number]), used)
        return self.kernel.Rounding(self.close.fine, tolerance, PARTS, WIDEST, SHIFT)

    def _stacked(self, begin: int, found: list["Out"]) -> "Below":
        start = np.append(0, np.cumsum(_joined(out.fine_count for out in found)))
        names = ("fine_first", "fine_height", "mean", "variance", "error")
        return self.kernel.Below(begin, start, *(_joined(getattr(out, name) for out in found) for name in names))

    def _keep(self, found: list["Out"]) -> None:
        kept = {"bins": _joined(out.bins for out in found), "count": _joined(out.kept_count for out in found)}
        kept |= {"lowest": _joined(out.lowest for out in found), "error": _joined(out.kept_error for out in found)}
        self.kept.append({**kept, "mean": self.below.mean, "deviation": np.sqrt(self.below.variance)})

    def finish(self) -> Outlook:
        """Put all layers together."""
        bins, count, lowest, error, mean, deviation = (
            _joined(layer.pop(name) for layer in self.kept) for name in ("bins", "count", "lowest", "error", "mean", "deviation")
        )
        start = np.append(0, np.cumsum(count))
        low = lowest.astype(np.int16 if np.abs(lowest).max() < 1 << 15 else np.int32)
        parts = np.minimum(np.ceil(error * ERRORS), (1 << 16) - 1).astype(np.uint16)
        kind = np.float32 if self.close.spare else np.float64
        offsets = start.astype(np.uint32 if start[-1] < 1 << 32 else np.int64)
        own = None if self.close.spare else mean
        return Outlook(self.arrays, self.value, bins, offsets, low, parts, deviation.astype(kind), own)


def _joined(parts: Iterable[Any]) -> Any:
    return np.concatenate(list(parts))


def score_span(arrays: SheetArrays) -> int:
    """Say how many scores there are at most from the lowest to the highest, 0 among them."""
    spans = [max(int(gain.max()), 0) - min(int(gain.min()), 0) for gain in arrays.box_gains]
    return int(np.dot(arrays.fills, spans)) + 2


def _room(kernel: Any, rows: int, span: int) -> "Out":
    """Make room for what is found for some rows."""
    most = rows * (span + 2)
    first, height = np.empty(most, dtype=np.int16), np.empty(most, dtype=np.float32)
    mean, variance, error, kept_error = (np.empty(rows) for _ in range(4))
    count, lowest, kept = (np.empty(rows, dtype=np.int64) for _ in range(3))
    bins = np.empty(most, dtype=np.uint16)
    found: Out = kernel.Out(mean, variance, error, count, first, height, lowest, kept, bins, kept_error)
    return found
