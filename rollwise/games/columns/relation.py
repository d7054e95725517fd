"""Tables that rules are joined with: throws with their weights, candidate moves with their labels.

A relation has named integer columns. With a `key`, a position is joined with those rows whose key is its own; otherwise with
all rows. Rows with the same key stay in the order in which they were given.
"""

from collections.abc import Callable, Mapping, Sequence
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError, brief, one_of
from rollwise.model.roll import LARGEST
from rollwise.model.weights import weights_for

__all__ = ["MOST_ROWS", "Ints", "Relation", "integers", "throws"]

Ints = npt.NDArray[np.int64]
Label = Callable[[dict[str, int]], str]

MOST_ROWS = 1_000_000
"""Rows of a table that is made row by row in Python, and what bounds dice and sets."""
MOST_GIVEN = 16_000_000
"""Rows of a table given as arrays."""
MOST_DICE = 30
RESERVED = frozenset({
    "columns", "key", "rows", "weight", "labels", "first_key", "start", "plus", "only", "by", "label", "counts", "has_key",
    "distinct",
})  # fmt: skip


def integers(what: str, values: Any) -> Ints:
    """Give values as integers of 64 bits. Raises `GameError` for anything that would have to be rounded."""
    try:
        found = np.asarray(values)
    except (ValueError, OverflowError):
        raise GameError(f"{what} is {brief(values)}: expected integers") from None
    if found.size and found.dtype.kind not in "bi" and not (found.dtype.kind == "u" and found.max(initial=0) < LARGEST):
        raise GameError(f"{what} is not made of integers below 2**62 but of {found.dtype}: divide by // and use whole numbers")
    return found.astype(np.int64, copy=False)


class Relation:
    """A small table with named integer columns, as attributes.

    >>> coin = Relation({"face": [0, 1]}, weight=[1, 1])
    >>> coin.plus(points=3 * coin.face).points
    array([0, 3])
    """

    def __init__(
        self,
        columns: Mapping[str, Any],
        *,
        key: str | None = None,
        weight: Any = None,
        labels: Sequence[str] | Label | None = None,
    ) -> None:
        found = {name: integers(f"column {name!r} of a table", values).reshape(-1) for name, values in columns.items()}
        taken = next((name for name in found if name in RESERVED or name.startswith("_")), None)
        if taken:
            raise GameError(f"a table has a column {taken!r}: call it something else, a table has that already")
        lengths = {len(values) for values in found.values()}
        if len(lengths) != 1:
            raise GameError(f"the columns {', '.join(columns)} of a table have {sorted(lengths)} rows: expected the same number")
        self.columns, self.key, self.rows = found, key, lengths.pop()
        self.weight = np.broadcast_to(np.int64(1), self.rows) if weight is None else integers("the weight of a table", weight)
        self.labels, self._distinct = labels, dict[str, bool]()
        if self.rows > MOST_GIVEN or self.weight.shape != (self.rows,) or self.weight.min(initial=1) < 1:
            raise GameError(f"a table of {self.rows:,} rows: expected at most {MOST_GIVEN:,}, each with a positive weight")
        if labels is not None and not callable(labels) and len(labels) != self.rows:
            raise GameError(f"a table of {self.rows:,} rows has {len(labels):,} labels: expected one for each")
        self._group()

    def _group(self) -> None:
        """Sort by key, and note where each key's rows begin."""
        if self.key is None:
            self.first_key, self.start = 0, np.array([0, self.rows])
            return
        key = self.columns[one_of("column of the table", self.key, self.columns)]
        order = np.argsort(key, kind="stable")
        if not np.array_equal(order, np.arange(self.rows)):
            self.columns = {name: values[order] for name, values in self.columns.items()}
            self.weight = self.weight[order]
            if self.labels is not None and not callable(self.labels):
                self.labels = [self.labels[place] for place in order.tolist()]
            key = self.columns[self.key]
        low, high = (int(key[0]), int(key[-1])) if self.rows else (0, 0)
        if high - low >= 4 * MOST_ROWS:
            raise GameError(f"the key {self.key!r} of a table goes from {low} to {high}: expected keys that lie close together")
        self.first_key = low
        self.start = np.searchsorted(key, np.arange(low, high + 2))

    def __getattr__(self, name: str) -> Ints:
        if name.startswith("__") or "columns" not in vars(self):
            raise AttributeError(name)
        found: Ints = self.columns[one_of("column of the table", name, self.columns)]
        return found

    def __getstate__(self) -> dict[str, Any]:
        """Give what the table is, without what was remembered about it."""
        return {**vars(self), "_distinct": {}}

    def __len__(self) -> int:
        return self.rows

    def plus(self, **columns: Any) -> "Relation":
        """Add columns."""
        made = {name: np.broadcast_to(integers(f"column {name!r} of a table", part), self.rows) for name, part in columns.items()}
        return Relation({**self.columns, **made}, key=self.key, weight=self.weight, labels=self.labels)

    def only(self, rows: Any) -> "Relation":
        """Keep the rows that are marked."""
        kept = np.flatnonzero(np.broadcast_to(np.asarray(rows, dtype=np.bool_), self.rows))
        labels = self.labels
        if labels is not None and not callable(labels):
            labels = [labels[place] for place in kept.tolist()]
        columns = {name: values[kept] for name, values in self.columns.items()}
        return Relation(columns, key=self.key, weight=self.weight[kept], labels=labels)

    def by(self, key: str) -> "Relation":
        """Join by another column."""
        return Relation(self.columns, key=key, weight=self.weight, labels=self.labels)

    def label(self, row: int) -> str:
        """Name a row, for an action."""
        if callable(self.labels):
            return self.labels({name: int(values[row]) for name, values in self.columns.items()})
        if self.labels is not None:
            return self.labels[row]
        return ",".join(str(int(values[row])) for name, values in self.columns.items() if name != self.key)

    def distinct(self, name: str) -> bool:
        """Say whether a column differs from row to row, among those with the same key."""
        if name not in self._distinct:
            column, owner = self.columns[name], np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))
            order = np.lexsort((column, owner))
            same = (np.diff(column[order]) == 0) & (np.diff(owner[order]) == 0)
            self._distinct[name] = not same.any()
        return self._distinct[name]

    def has_key(self, keys: Ints) -> npt.NDArray[np.bool_]:
        """Mark the keys for which there may be rows."""
        return (keys >= self.first_key) & (keys < self.first_key + len(self.start) - 1)

    def counts(self, keys: Ints) -> tuple[Ints, Ints]:
        """Give, for each key, where its rows begin and how many there are."""
        inside = self.has_key(keys)
        place = np.where(inside, keys - self.first_key, 0)
        begin = self.start[place]
        return begin, np.where(inside, self.start[place + 1] - begin, 0)


def throws(count: int | Sequence[int], faces: int = 6, weights: Sequence[int] | None = None) -> Relation:
    """Make the table of the sums of dice, for one number of dice or for several; `weights` say how often each face comes.

    >>> throws(2).sum[:3], throws(2).weight[:3], len(throws((1, 2)))
    (array([2, 3, 4]), array([1, 2, 3]), 17)
    """
    numbers = list(count) if isinstance(count, Sequence) else [count]
    if not numbers:
        raise GameError("throws() was given no numbers of dice: expected one, or several, such as (1, 2)")
    rows = []
    for number in numbers:
        ways = _sums(number, faces, weights_for(faces, weights) if weights is not None else None)
        divisor = gcd(*ways)
        rows += [(number, number + place, weight // divisor) for place, weight in enumerate(ways) if weight]
    found = [list(part) for part in zip(*rows, strict=True)]
    key = "dice" if isinstance(count, Sequence) else None
    return Relation({"dice": found[0], "sum": found[1]}, key=key, weight=found[2])


def _sums(number: int, faces: int, weights: Sequence[int] | None) -> list[int]:
    """How many throws have each sum, from the least on: each die adds the ways of as many sums as it has faces."""
    if type(number) is not int or type(faces) is not int or not 0 <= number <= MOST_DICE or not 1 <= faces <= MOST_ROWS:
        raise GameError(f"{number!r} dice of {faces!r} faces: expected 0 to {MOST_DICE} dice with at least one face")
    if weights and sum(weights) ** number >= LARGEST:
        raise GameError(f"{number} dice with weights up to {max(weights):,} have 2**62 throws or more: give smaller weights")
    if faces**number >= LARGEST or number * faces > MOST_ROWS:
        raise GameError(f"{number} dice of {faces:,} faces have 2**62 throws or {MOST_ROWS:,} sums or more: throw fewer at once")
    ways = np.ones(1, dtype=np.int64)
    for _ in range(number):
        if weights:
            ways = np.convolve(ways, np.array(weights))
            continue
        upto = np.concatenate([[0], np.cumsum(np.concatenate([ways, np.zeros(faces - 1, dtype=np.int64)]))])
        ways = upto[1:] - upto[np.maximum(np.arange(len(upto) - 1) - faces + 1, 0)]
    found: list[int] = ways.tolist()
    return found
