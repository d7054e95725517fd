"""Positions as rules see them: columns as attributes, changed by `but`, chosen between by `where`.

An object stands for many positions at once. It keeps their packed codes, unpacks a column when a rule first reads it, and packs
again by the difference: code + (new - old) * stride, for changed columns only. Both sides of a `where` are computed for
all positions, so ranges are checked only of what is finally packed.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError, brief, one_of
from rollwise.games.columns.column import Column
from rollwise.games.columns.relation import Ints, Relation, integers

__all__ = ["Layout", "OutOfRange", "Positions", "RelationRows", "has", "where"]


class OutOfRange(GameError):
    """A column leaves its range; `row` says which of the positions."""

    def __init__(self, row: int, text: str) -> None:
        super().__init__(text)
        self.row = row


class Layout:
    """How positions are packed: code = sum of (value - low) * stride, the last column counting by one."""

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self.columns = dict(columns)
        self.names = tuple(self.columns)
        self.stride: dict[str, int] = {}
        space = 1
        for name in reversed(self.names):
            self.stride[name] = space
            space *= self.columns[name].size
        if space > 1 << 62:
            raise GameError(f"the columns {', '.join(self.names)} have {space:.1e} combinations: expected at most 2**62")
        self.space = space

    def column(self, code: Ints, name: str) -> Ints:
        """Unpack one column."""
        column, stride = self.columns[name], self.stride[name]
        found = code // stride if stride > 1 else code
        if stride * column.size < self.space:
            found = found % column.size
        return found + column.low if column.low else found

    def values(self, code: int) -> tuple[int, ...]:
        """Unpack one position."""
        return tuple(code // self.stride[name] % column.size + column.low for name, column in self.columns.items())

    def code(self, values: Any) -> int | None:
        """Pack one position; None if it is none."""
        if not isinstance(values, tuple) or len(values) != len(self.names):
            return None
        total = 0
        for (name, column), value in zip(self.columns.items(), values, strict=True):
            try:
                inside = column.low <= value <= column.high and int(value) == value
            except (TypeError, ValueError):
                return None
            if not inside:
                return None
            total += (int(value) - column.low) * self.stride[name]
        return total


class Positions:
    """Positions, by column; `but` gives them with some columns changed."""

    __slots__ = ("_changed", "_code", "_known", "_layout")

    def __init__(self, layout: Layout, code: Ints, known: dict[str, Any], changed: frozenset[str]) -> None:
        self._layout, self._code, self._known, self._changed = layout, code, known, changed

    @classmethod
    def _of(cls, layout: Layout, code: Ints) -> "Positions":
        """Give positions by their codes."""
        return cls(layout, code, {}, frozenset())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self._known.get(name)
        if found is None:
            one_of("column", name, self._layout.names)
            found = self._known[name] = _fixed(self._layout.column(self._code, name))
        return found

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in Positions.__slots__:
            raise GameError(f"a rule sets {name!r} of a position: positions do not change, give p.but({name}=...) instead")
        object.__setattr__(self, name, value)

    def __bool__(self) -> bool:
        raise GameError("a rule asks whether a position is true: compare one of its columns, with where(condition, this, that)")

    def but(self, **columns: Any) -> "Positions":
        """Give the same positions with other values in some columns."""
        for name in columns:
            one_of("column", name, self._layout.names)
        return Positions(self._layout, self._code, {**self._known, **columns}, self._changed | columns.keys())

    def _chosen(self, condition: Any, other: "Positions") -> "Positions":
        """Give these positions where the condition holds, and the other ones elsewhere."""
        if other._code is not self._code:
            raise GameError("where() was given positions that come from different ones: begin both with the same p or s")
        changed = self._changed | other._changed
        mixed = {name: np.where(condition, getattr(self, name), getattr(other, name)) for name in changed}
        original = {name: value for name, value in self._known.items() if name not in changed}
        return Positions(self._layout, self._code, {**original, **mixed}, changed)

    def _packed(self, original: "Positions") -> Ints:
        """Pack the positions. `original` has the columns before any change. Raises `OutOfRange`."""
        total: Any = self._code
        for name in self._changed:
            new = integers(f"column {name!r}", self._known[name])
            column = self._layout.columns[name]
            if new.size and (new.min() < column.low or new.max() > column.high):
                _refuse(name, column, new, self._code)
            total = total + (new - getattr(original, name)) * self._layout.stride[name]
        return np.asarray(total)

    def __repr__(self) -> str:
        return f"<{self._code.size:,} positions of {', '.join(self._layout.names)}>"


def _fixed(values: Ints) -> Ints:
    """Give values that no rule can change in place: the position that they are compared with would change too."""
    found = values.view()
    found.flags.writeable = False
    return found


def _refuse(name: str, column: Column, values: Ints, code: Ints) -> None:
    shape = np.broadcast_shapes(values.shape, code.shape)
    wrong = (values < column.low) | (values > column.high)
    place = int(np.argmax(np.broadcast_to(wrong, shape)))
    value = int(np.broadcast_to(values, shape).flat[place])
    row = place // (shape[1] if len(shape) > 1 else 1)
    raise OutOfRange(row, f"column {name!r} becomes {value}: its range is {column.low} to {column.high}")


class RelationRows:
    """Rows of a table, by column; all of them, or those that are picked."""

    __slots__ = ("_picked", "_read", "_table")

    def __init__(self, table: Relation, picked: Ints | None = None) -> None:
        self._table, self._picked, self._read = table, picked, dict[str, Ints]()

    def __getattr__(self, name: str) -> Ints:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self._read.get(name)
        if found is None:
            column: Ints = getattr(self._table, name)
            found = self._read[name] = _fixed(column if self._picked is None else column[self._picked])
        return found

    def _tell_apart(self, after: Positions) -> bool:
        """Say whether some column is just one of the table's that differs from row to row: then no two outcomes are equal."""
        changed = [after._known[name] for name in after._changed]
        return any(self._table.distinct(name) for name, column in self._read.items() if any(one is column for one in changed))

    def __getitem__(self, name: str) -> Ints:
        return getattr(self, name)  # type: ignore[no-any-return]


def where(condition: Any, this: Any, that: Any) -> Any:
    """Return `this` where the condition holds and `that` elsewhere; both may be numbers, columns or whole positions.

    >>> where(np.array([True, False]), 1, np.array([5, 6]))
    array([1, 6])
    """
    if isinstance(this, Positions) and isinstance(that, Positions):
        return this._chosen(condition, that)
    if isinstance(this, Positions) or isinstance(that, Positions):
        other = that if isinstance(this, Positions) else this
        raise GameError(f"where() was given a position and {brief(other)}: expected two positions, or two numbers")
    return np.where(condition, this, that)


def has(members: Any, index: Any) -> npt.NDArray[np.bool_]:
    """Return whether a set has the member with this index.

    >>> has(np.array([0b101]), np.array([0, 1, 2]))
    array([ True, False,  True])
    """
    found: npt.NDArray[np.bool_] = np.asarray(members) >> index & 1 == 1
    return found
