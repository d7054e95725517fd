"""Solve a board stage by stage, and prove it.

A stage is how many checkers each side has left; a turn leads to the same stage, to its mirror image, or nearer to the end. So the
two are solved together once all nearer ones are: by sweeps (`sweeps.py`) until nothing changes, which proves nothing yet.

Proof. Let T be one turn, which is monotone, v the values found and e a bound of their error in nearer stages. With w >= 0 in this
stage and 0 in nearer ones, and a slope r > 0, let L = v - e - r w and U = v + e + r w; what the opponent has is the total less
these, so that L turns into U and back. If T L >= L and T U <= U everywhere, then L <= T L <= T T L and so on, up to the true
value, as the game ends surely whatever is played; likewise U. So no value of the stage is off by more than e + r max w. Both
inequalities are checked at every position, with room for the rounding of the check itself.

Such a w is an expected number of turns: w = 1 + its mean over rolls, the largest among the moves that are equally good up to
`NEAR`, since only these can matter to U; any other move is worse by more than r w. It need not converge: once a sweep raises w
by no more than 1/2, one turn leaves a slack of r / 2 everywhere, so that r must be twice the residual and the roundings. (Without
the restriction to good moves w would be the longest game under any play, which is astronomic.)

That the game ends surely: `sweep_ends` finds for every position a roll all of whose moves lead to positions of which that is
known; so from everywhere, whatever is played, the end comes within finitely many rolls with a chance that has a lower bound.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import EngineError
from rollwise.solvers.base.backends import ParallelMap
from rollwise.solvers.base.layers import Recursion
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.boards.sweeps import check, count_layers, list_layers, sweep, sweep_ends, sweep_turns
from rollwise.solvers.boards.tables import Board, Stage

__all__ = ["BoardRecursion"]

Floats = npt.NDArray[np.float64]

CLOSE = 1e-14
"""A change of values up to which, in units of the most that can be won, sweeps go on."""
NEAR = 1e-9
"""Moves that differ by less may matter to the bounds."""
SLACK = 0.5
MOST_SWEEPS = 5_000
PIECE = 4_096
"""Positions that a thread computes at a time, and in how large layers threads pay at all."""
WIDER = 12
"""How often the bounds are widened twofold before the proof is given up."""
FARTHEST = 1 << 12


@dataclass(frozen=True, eq=False)
class _Stage:
    """A stage and its mirror image: the positions in the order of a sweep, and runs of them with whether threads share a run."""

    left: int
    other_left: int
    low: int
    high: int
    positions: npt.NDArray[np.uint32]
    runs: tuple[tuple[int, int, bool], ...]


class BoardRecursion(Recursion):
    """The values of a board, one layer for each stage and its mirror image; layer 0 stands for the end of the game."""

    dtype = "float64"

    def __init__(
        self, what: str, fingerprint: str, board: Board, together: ParallelMap, threads: int, report: Callable[[int], None]
    ) -> None:
        self.what, self.fingerprint, self.board = what, fingerprint, board
        self.together, self.threads, self.report = together, threads, report
        layers = board.layers
        self.shapes = ((1,), *((high - low + 1,) for low, high in layers.spans))
        self.work = [1, *(high - low for low, high in layers.spans)]
        self.value = np.full(layers.numbers, board.tables.total / 2)
        self.residual = 0.0

    def begin(self) -> None:
        """The end of the game needs no values."""

    def pieces(self, layer: int, threads: int) -> Iterable[Any]:
        return [None]

    def values(self, layer: int) -> Floats:
        if layer == 0:
            return np.zeros(1)
        low, high = self.board.layers.spans[layer - 1]
        found: Floats = self.value[low : high + 1]
        return found

    def restore(self, layer: int, values: Any) -> None:
        if layer:
            self.values(layer)[:] = values

    def bound(self, layer: int) -> float:
        """Give the bound of the error of a layer that is done."""
        return float(self.values(layer)[-1])

    def fill(self, layer: int, piece: Any) -> int:
        stage = self._list(self.board.layers.stages[layer - 1], layer)
        done = sum(self.work[:layer])
        self._require_end(stage)
        change = self._converge(stage, lambda share: self.report(done + int(share * self.work[layer])))
        self.residual = max(self.residual, change)
        self.value[stage.high] = self._prove(stage, change)
        return self.work[layer]

    def _list(self, stage: Stage, layer: int) -> _Stage:
        """List the positions of a stage by how far they are from the end."""
        board, (left, other) = self.board, stage
        sides = (board.togo, board.blocked, board.bits, board.sides[left], board.sides[other], left == other)
        count = np.zeros(FARTHEST, dtype=np.int64)
        count_layers(*sides, count)
        start = np.concatenate([[0], np.cumsum(count)])
        positions = np.empty(int(start[-1]), dtype=np.uint32)
        list_layers(*sides, start[:-1].copy(), positions)
        low, high = board.layers.spans[layer - 1]
        return _Stage(left, other, low, high, positions, tuple(_runs(start)))

    def _require_end(self, stage: _Stage) -> None:
        """Make sure that the stage is left surely. Raises `EngineError`."""
        ends = np.zeros(stage.high - stage.low, dtype=np.int8)
        found, new = 0, 1
        while new:
            new = sweep_ends(self.board.tables, ends, stage.low, stage.positions, stage.left, stage.other_left)
            found += new
        alike = np.count_nonzero((stage.positions >> 16) == (stage.positions & 0xFFFF)) if stage.left == stage.other_left else 0
        if found != 2 * len(stage.positions) - alike:
            raise EngineError(f"{self.what} may never end: its values cannot be proved")

    def _converge(self, stage: _Stage, share: Callable[[float], None]) -> float:
        """Sweep until values change no more, and give the last change."""
        board, close = self.board, CLOSE * self.board.most
        part = self.value[stage.low : stage.high]
        least, stalled = np.inf, 0
        for _ in range(MOST_SWEEPS):
            old = part.copy() if board.repeats else part
            args = (board.tables, self.value, old, stage.low, board.togo, stage.positions)
            change = float(max(self._run(sweep, stage, args)))
            least, stalled = (change, 0) if change < least else (least, stalled + 1)
            if change <= close or stalled > 20:
                return change
            share(0.9 * min(1.0, log(max(1.0, board.most / change)) / log(1 / CLOSE)))
        raise EngineError(f"{self.what} does not converge in {MOST_SWEEPS:,} sweeps")

    def _prove(self, stage: _Stage, change: float) -> float:
        """Give a bound of the error of a stage."""
        board, size = self.board, stage.high - stage.low
        turns, risen, most = np.zeros(size), np.inf, 0.0
        for _ in range(MOST_SWEEPS):
            old = turns.copy() if board.repeats else turns
            near = NEAR * board.most
            found = self._run(
                sweep_turns, stage, (board.tables, self.value, turns, old, stage.low, board.togo, near, stage.positions)
            )
            risen, most = max(one for one, _ in found), max(two for _, two in found)
            if risen <= SLACK:
                break
        # A turn rounds once for each roll, and a few times more: values and bounds are at most twice what can be won.
        rounding = 1.01 * (len(board.tables.chance) + 10) * UNIT * 2 * board.most
        slope = (change + 2 * rounding) / (1 - SLACK)
        for _ in range(WIDER):
            args = (board.tables, self.value, turns, stage.low, slope, stage.positions)
            if risen <= SLACK and max(self._run(check, stage, args)) + rounding <= 0:
                return 1.01 * slope * most + self._nearer(stage.left, stage.other_left)
            slope *= 2
        raise EngineError(f"the bounds of {self.what} could not be proved")

    def _nearer(self, left: int, other_left: int) -> float:
        """Give the largest bound of the stages that a stage and its mirror image lead to."""
        nearer = [(a, other_left) for a in range(1, left)] + [(left, b) for b in range(1, other_left)]
        return max((self.bound(1 + self.board.layers.layer(*stage)) for stage in nearer), default=0.0)

    def _run(self, kernel: Any, stage: _Stage, args: tuple[Any, ...]) -> list[Any]:
        """Run a kernel over all layers in order, the large ones cut into pieces for the threads."""
        found: list[Any] = []
        for begin, end, shared in stage.runs:
            piece = max(PIECE, -(-(end - begin) // self.threads)) if shared and self.threads > 1 else end - begin

            def run(at: int, end: int = end, piece: int = piece) -> Any:
                return kernel(*args, at, min(end, at + piece), stage.left, stage.other_left)

            begins = range(begin, end, piece)
            found += self.together(run, begins) if len(begins) > 1 else map(run, begins)
        return found


def _runs(start: Any) -> Iterable[tuple[int, int, bool]]:
    """Cut layers into runs: small ones one after another in one run, each large one in a run that threads share.

    >>> list(_runs([0, 10, 10, 30, 10000]))
    [(0, 30, False), (30, 10000, True)]
    """
    begin = 0
    cuts = [int(cut) for cut in start]
    for low, high in pairwise(cuts):
        if high - low > 2 * PIECE:
            if begin < low:
                yield begin, low, False
            yield low, high, True
            begin = high
    if begin < cuts[-1]:
        yield begin, cuts[-1], False
