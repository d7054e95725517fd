"""Where a condition should cut: the best thresholds of all features at once, from the gains of the rows of a table.

Features are kept as ranks, row by row. One pass adds up the gain by rank of every feature; sums from either end are then what
`feature <= t` and `feature >= t` gain, and the sum at one rank is what `feature = t` does. Conditions of several comparisons are
built by a beam: the best cuts, then the best cuts of the rows that are left.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.forms.base.compiling import compiled, inner
from rollwise.model.card import Amount, Comparison, true_or_not

__all__ = ["Cut", "Proposal", "Ranked"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

OPERATORS = ("<=", ">=", "=")
LEAST = 1e-15
"""A gain below this is rounding."""
WORTH_A_WORD = 1.02
"""One comparison more has to gain this many times as much."""


class Cut(NamedTuple):
    """A comparison of a feature with a number, by its column and operator."""

    column: int
    operator: str
    number: int


class Proposal(NamedTuple):
    """A condition, all of whose cuts must hold, and what it is expected to gain."""

    gain: float
    cuts: tuple[Cut, ...]


@compiled
def follow_beam(ranks, sizes, rows, gain, least, found_gain, found_cut):
    """Fill in the best conditions: `found_gain[depth, i]`, and `found_cut[depth, i, j]` as column, operator and rank.

    Each depth has one comparison more than the one before it, and goes on from the best of that.
    """
    depths, width = found_gain.shape
    columns = ranks.shape[1]
    sums = np.zeros((columns, sizes.max()))
    found_gain[:] = 0.0
    for depth in range(depths):
        for before in range(width if depth else 1):
            base = found_gain[depth - 1, before] if depth else 0.0
            if depth and base <= 0.0:
                break
            sums[:] = 0.0
            for place in range(len(rows)):
                row, own = rows[place], gain[place]
                inside = True
                for each in range(depth):
                    cut = found_cut[depth - 1, before, each]
                    rank = ranks[row, cut[0]]
                    inside &= rank <= cut[2] if cut[1] == 0 else rank >= cut[2] if cut[1] == 1 else rank == cut[2]
                if inside:
                    for column in range(columns):
                        sums[column, ranks[row, column]] += own
            for column in range(columns):
                last = sizes[column] - 1
                whole = sums[column, : last + 1].sum()
                upto = 0.0
                best, at = np.zeros(3), np.zeros(3, dtype=np.int64)
                for rank in range(last + 1):
                    own = sums[column, rank]
                    if rank and whole - upto > best[1]:
                        best[1], at[1] = whole - upto, rank
                    upto += own
                    if rank < last and upto > best[0]:
                        best[0], at[0] = upto, rank
                    if 0 < rank < last and own > best[2]:
                        best[2], at[2] = own, rank
                for operator in range(3):
                    if best[operator] > least and best[operator] > WORTH_A_WORD * base:
                        _insert(found_gain, found_cut, depth, before, best[operator], column, operator, at[operator])


@inner
def _insert(found_gain, found_cut, depth, before, worth, column, operator, rank):
    """Put a condition among the best of its depth; one that gains the same as another is not needed."""
    width = found_gain.shape[1]
    for place in range(width):
        if abs(found_gain[depth, place] - worth) <= 1e-13 * worth:
            return
        if found_gain[depth, place] < worth:
            break
    else:
        return
    for later in range(width - 1, place, -1):
        found_gain[depth, later] = found_gain[depth, later - 1]
        found_cut[depth, later] = found_cut[depth, later - 1]
    found_gain[depth, place] = worth
    if depth:
        found_cut[depth, place] = found_cut[depth - 1, before]
    found_cut[depth, place, depth, 0] = column
    found_cut[depth, place, depth, 1] = operator
    found_cut[depth, place, depth, 2] = rank


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
