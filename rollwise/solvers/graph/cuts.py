"""Where a condition should cut: the best thresholds of all features at once, from the gains of the rows of a table.

Features are kept as ranks, row by row. One pass adds up the gain by rank of every feature; sums from either end are then what
`feature <= t` and `feature >= t` gain, and the sum at one rank is what `feature = t` does. Conditions of several comparisons are
built by a beam: the best cuts, then the best cuts of the rows that are left.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.model.card import Amount, Comparison, true_or_not
from rollwise.solvers.graph.kernels.cuts import WORTH_A_WORD, follow_beam

__all__ = ["Cut", "Proposal", "Ranked"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

OPERATORS = ("<=", ">=", "=")
LEAST = 1e-15
"""A gain below this is rounding."""


class Cut(NamedTuple):
    """A comparison of a feature with a number, by its column and operator."""

    column: int
    operator: str
    number: int


class Proposal(NamedTuple):
    """A condition, all of whose cuts must hold, and what it is expected to gain."""

    gain: float
    cuts: tuple[Cut, ...]


@dataclass(frozen=True, eq=False)
class Ranked:
    """The features of a table as ranks: `numbers` lists the values of each, in order."""

    names: tuple[str, ...]
    flags: tuple[bool, ...]
    numbers: tuple[Ints, ...]
    ranks: npt.NDArray[np.int32]

    @classmethod
    def of(cls, columns: dict[str, Ints], flags: set[str]) -> "Ranked":
        """Rank columns; those that say the same as an earlier one, or nothing, are left out."""
        names: list[str] = []
        numbers: list[Ints] = []
        ranks: list[Ints] = []
        known: set[bytes] = set()
        for name, column in columns.items():
            values, rank = np.unique(column, return_inverse=True)
            key = min(rank.astype(np.int32).tobytes(), (len(values) - 1 - rank).astype(np.int32).tobytes())
            if len(values) > 1 and key not in known:
                known.add(key)
                names.append(name)
                numbers.append(values)
                ranks.append(rank)
        rows = len(next(iter(columns.values()), ()))
        table = np.stack(ranks, axis=1).astype(np.int32) if ranks else np.zeros((rows, 0), dtype=np.int32)
        return cls(tuple(names), tuple(name in flags for name in names), tuple(numbers), np.ascontiguousarray(table))

    def conditions(self, rows: Ints, gain: Floats, *, depth: int, width: int) -> list[Proposal]:
        """Give the best conditions of up to `depth` comparisons for a line that gains so much in each of some rows."""
        whole = float(gain.sum())
        found = [Proposal(whole, ())] if whole > LEAST else []
        if not self.names:
            return found
        worth, cuts = np.zeros((depth, width)), np.zeros((depth, width, depth, 3), dtype=np.int64)
        sizes = np.array([len(numbers) for numbers in self.numbers])
        follow_beam(self.ranks, sizes, rows, gain, LEAST, worth, cuts)
        for deep, place in zip(*np.nonzero(worth > max(LEAST, WORTH_A_WORD * whole)), strict=True):
            parts = cuts[deep, place, : deep + 1].tolist()
            found.append(Proposal(float(worth[deep, place]), tuple(self._cut(*part) for part in sorted(parts))))
        return sorted(found, key=lambda one: -one.gain)

    def holds(self, cut: Cut, rows: Ints) -> npt.NDArray[np.bool_]:
        """Say in which of some rows a cut holds."""
        rank, at = self.ranks[rows, cut.column], int(np.searchsorted(self.numbers[cut.column], cut.number))
        found: npt.NDArray[np.bool_] = rank <= at if cut.operator == "<=" else rank >= at if cut.operator == ">=" else rank == at
        return found

    def _cut(self, column: int, operator: int, rank: int) -> Cut:
        return Cut(column, OPERATORS[operator], int(self.numbers[column][rank]))

    def cut(self, column: int, number: int) -> Cut:
        """Give the cut at which a feature has a value."""
        first, last = int(self.numbers[column][0]), int(self.numbers[column][-1])
        return Cut(column, "<=" if number == first else ">=" if number == last else "=", number)

    def comparison(self, cut: Cut) -> Comparison:
        """Write a cut as a card does."""
        name = self.names[cut.column]
        if self.flags[cut.column]:
            return true_or_not(name, wanted=(cut.number == 1) if cut.operator != "<=" else False)
        return Comparison(Amount(((1, name, 1),)), cut.operator, Amount(((cut.number, "", 1),)))
