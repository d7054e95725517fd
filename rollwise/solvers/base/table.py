"""The strategy as a table: one row per decision, with columns that a person reads.

Rows come in chunks, columns of equal length, so that a strategy of any size is passed on without holding it in memory. Text
columns are `Coded`: their different texts, and numbers of these. A general game is asked decision by decision; for a score sheet
all decisions of many turns are computed at once (`ListsDecisions.chunks`), the same rows in the same order. Files
(`playing.strategy`) and tables of other libraries (`StrategyTable`) are made of the same chunks and have the same columns.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from rollwise.errors import GameError, one_of
from rollwise.model.abilities import unlifted
from rollwise.model.formatting import counted, fits_float, show_fraction
from rollwise.model.game import Game
from rollwise.model.notation import notation_of
from rollwise.model.summary import Shown, Summary, cut
from rollwise.model.view import view_of
from rollwise.solvers.base.abilities import ListsDecisions, ability
from rollwise.solvers.base.arrow import DOUBLE, INTEGER, TEXT, Field, arrow_schema, double, import_pyarrow, integer, text
from rollwise.solvers.base.chunks import Chunk, Coded, Column

if TYPE_CHECKING:
    from rollwise.solvers.base.solution import Solution

__all__ = [
    "SECOND", "NotWhole", "StrategyTable", "arrow_batch", "arrow_fields", "heading", "length", "policy_chunks", "read_where",
    "texts", "value_word",
]  # fmt: skip

ROWS = 50_000
"""Rows of a chunk, about."""
SAMPLE = 1000
"""States that are looked at to tell which columns are whole numbers."""
SHOWN = 6
"""Rows that a table shows of itself."""
SECOND = "loss of second best"


def heading(solution: "Solution") -> str:
    """Name the game, and what it is played for."""
    return f"{type(unlifted(solution.game)).__name__} ({cut(str(solution.objective))})"


def value_word(solution: "Solution") -> str:
    """Name what a value is.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> value_word(rollwise.solve(load("slots"))), value_word(rollwise.solve(load("groups", faces=6, sizes=[1, 2])))
    ('win probability', 'expected rolls')
    """
    return solution.objective.words(solution.game).value


def policy_chunks(solution: "Solution", *, where: Mapping[str, str] | None = None, limit: int | None = None) -> Iterator[Chunk]:
    """Give the strategy in chunks of columns: only rows whose columns read as `where` says, and at most `limit` of them.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> chunk = next(policy_chunks(rollwise.solve(load("slots")), where={"free slots": "x3", "total": "30"}))
    >>> list(chunk), len(chunk["total"])
    (['free slots', 'total', 'roll', 'slot', 'win probability', 'loss of second best'], 6)

    Raises `GameError` for a column that is not there.
    """
    if limit is not None and limit < 0:
        raise GameError(f"the first {limit} decisions: expected 0 or more")
    try:
        where, left = read_where(solution.game, where or {}), limit
    except GameError:  # a column never reads so: no row does
        return
    rows = ROWS if where or limit is None else min(ROWS, limit)
    words = value_word(solution), SECOND
    for chunk in ability(solution, ListsDecisions).chunks(words, ROWS, where) or _row_chunks(solution, words, rows):
        kept = _filter(chunk, where)
        if left is not None:
            kept = {name: column[:left] for name, column in kept.items()}
            left -= length(kept)
        if length(kept):
            yield kept
        if left == 0:
            return


def read_where(game: Game[Any, Any, Any], where: Mapping[str, str]) -> dict[str, str]:
    """What columns are to read, as the game writes them."""
    return {name: notation_of(game).read_column(name, text) for name, text in where.items()}


def _row_chunks(solution: "Solution", words: tuple[str, str], rows: int) -> Iterator[Chunk]:
    """Ask any game decision by decision."""
    game, decisions, columns = solution.game, solution.policy(), notation_of(solution.game).columns
    whole: set[str] | None = None
    while batch := list(islice(decisions, rows)):
        states = [columns(row.state) for row in batch]
        if whole is None:
            whole = _whole_columns([row.state for row in batch[:SAMPLE]], states)
        chunk: Chunk = {name: _coded([state[name] for state in states], name in whole) for name in states[0]}
        chunk[view_of(game).action_word] = _coded([game.show_action(row.action) for row in batch])
        kind = object if solution.exact else np.float64
        chunk[words[0]] = np.array([row.value for row in batch], dtype=kind)
        chunk[words[1]] = np.array([np.nan if row.second_loss is None else row.second_loss for row in batch], dtype=kind)
        yield chunk


def _whole_columns(states: list[Any], shown: list[Mapping[str, str]]) -> set[str]:
    """Find the columns that always show an integer of the state itself (and not, say, dice written without gaps)."""
    inside = [{str(number) for number in _integers(state)} for state in states]
    return {name for name in shown[0] if all(row[name] in numbers for row, numbers in zip(shown, inside, strict=False))}


def _integers(state: Any) -> Iterator[int]:
    if isinstance(state, tuple):
        for part in state:
            yield from _integers(part)
    elif isinstance(state, int) and not isinstance(state, bool):
        yield state


def _coded(texts: list[str], whole: bool = False) -> Coded:
    numbers: dict[str, int] = {}
    codes = np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.int32)
    return Coded(tuple(numbers), codes, whole)


def _filter(chunk: Chunk, where: Mapping[str, str]) -> Chunk:
    if not where:
        return chunk
    keep = np.ones(length(chunk), dtype=np.bool_)
    for name, wanted in where.items():
        keep &= _matches(chunk[one_of("column", name, chunk)], wanted)
    return {name: column[keep] for name, column in chunk.items()}


def _matches(column: Column, text: str) -> Any:
    if isinstance(column, Coded):
        return column.codes == (column.texts.index(text) if text in column.texts else -1)
    try:
        return column == float(text)
    except ValueError:
        return np.zeros(len(column), dtype=np.bool_)


def length(chunk: Chunk) -> int:
    """Count the rows of a chunk."""
    return len(next(iter(chunk.values())))


def texts(column: Column) -> list[str]:
    """Write a column as text: numbers so that they read back as the same bits, nothing for no second choice."""
    if isinstance(column, Coded):
        return np.array(column.texts, dtype=object)[column.codes].tolist()  # type: ignore[no-any-return]
    return [_text(entry) for entry in column.tolist()]


def _text(entry: Any) -> str:
    return "" if entry != entry else show_fraction(entry) if isinstance(entry, Fraction) else repr(entry)  # noqa: PLR0124  (NaN)


# Arrow


class NotWhole(GameError):
    """A text column looked like whole numbers, and then did not."""

    def __init__(self, name: str, entry: str) -> None:
        super().__init__(f"column {name!r} began with whole numbers, but holds {entry!r}: say text=[{name!r}]")
        self.name = name


def arrow_fields(chunk: Chunk, as_text: Sequence[str] = ()) -> list[Field]:
    """Name the columns of Arrow: text that is whole numbers becomes one of integers, unless it is one of `as_text`.

    Fractions become doubles (nothing if too large), with the fraction itself as text in a column beside.
    """
    found = []
    for name, column in chunk.items():
        found.append(Field(name, _kind(column, name in as_text)))
        found += [Field(f"{name}, exact", TEXT)] if _kind(column) == DOUBLE and _fractions(column) else []
    return found


def _kind(column: Column, as_text: bool = False) -> str:
    if isinstance(column, Coded):
        return INTEGER if column.whole and not as_text and all(map(_is_whole, column.texts)) else TEXT
    return INTEGER if column.dtype.kind in "iu" else DOUBLE


def _fractions(column: Column) -> bool:
    return not isinstance(column, Coded) and column.dtype == object


def _is_whole(entry: str) -> bool:
    digits = entry.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 19


def arrow_batch(chunk: Chunk, fields: Sequence[Field]) -> Any:
    """Make a record batch of PyArrow. Raises `NotWhole` where a column is not what its field says."""
    kinds = dict(fields)
    found = []
    for name, column in chunk.items():
        if isinstance(column, Coded):
            found.append(_whole(name, column) if kinds[name] == INTEGER else text(column.texts, column.codes))
        elif _fractions(column):
            found.append(double([float(entry) if fits_float(entry) else np.nan for entry in column]))
            found.append(text([show_fraction(e) if isinstance(e, Fraction) else None for e in column], np.arange(len(column))))
        else:
            found.append(integer(column) if kinds[name] == INTEGER else double(column))
    return import_pyarrow().RecordBatch.from_arrays(found, schema=arrow_schema(fields))


def _whole(name: str, column: Coded) -> Any:
    odd = next((entry for entry in column.texts if not _is_whole(entry)), None)
    if odd is not None:
        raise NotWhole(name, odd)
    return integer(np.array([int(entry) for entry in column.texts], dtype=np.int64)[column.codes])


@dataclass(frozen=True, eq=False, repr=False)
class StrategyTable(Shown):
    """The strategy of a solution as a table that polars, pandas, DuckDB, PyArrow and whatever else reads Arrow's C stream take.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> table = rollwise.solve(load("slots")).table(where={"free slots": "x3"})
    >>> table.columns
    ('free slots', 'total', 'roll', 'slot', 'win probability', 'loss of second best')
    >>> import pyarrow
    >>> pyarrow.table(table).column("roll").type
    DataType(int64)

    Nothing is computed before it is needed, and then in batches, each time again.
    """

    solution: "Solution"
    where: Mapping[str, str] = field(default_factory=dict)
    limit: int | None = None
    text: Sequence[str] = ()

    def line(self) -> str:
        return f"<StrategyTable of {self.solution!r}>"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""
        return tuple(column.name for column in self._begun()[0])

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        pyarrow, (fields, chunks) = import_pyarrow(), self._begun()
        batches = (arrow_batch(chunk, fields) for chunk in chunks)
        return pyarrow.RecordBatchReader.from_batches(arrow_schema(fields), batches).__arrow_c_stream__(requested_schema)

    def _begun(self) -> tuple[list[Field], Iterator[Chunk]]:
        """The columns, which the first rows tell, and all chunks."""
        chunks = policy_chunks(self.solution, where=self.where, limit=self.limit)
        first = next(chunks, None)
        if first is None:
            return arrow_fields(self._no_rows(), self.text), iter(())
        return arrow_fields(first, self.text), chain([first], chunks)

    def _no_rows(self) -> Chunk:
        """The columns of a table without rows: those of another part, or the few that every table has."""
        found = next(policy_chunks(self.solution, limit=1), None)
        if found is not None:
            return {name: column[:0] for name, column in found.items()}
        none = np.array([], dtype=object if self.solution.exact else np.float64)
        return {view_of(self.solution.game).action_word: _coded([]), value_word(self.solution): none, SECOND: none}

    def summary(self) -> Summary:
        chunk = next(policy_chunks(self.solution, where=self.where, limit=SHOWN + 1), {})
        rows = list(zip(*map(_brief, chunk.values()), strict=True))
        some = "the first rows" if len(rows) > SHOWN else counted(len(rows), "row")
        more = "all rows: polars.DataFrame(table), pandas.DataFrame.from_arrow(table), pyarrow.table(table)"
        return Summary(f"Strategy of {heading(self.solution)}", note=some, header=list(chunk), rows=rows[:SHOWN], more=more)


def _brief(column: Column) -> list[str]:
    if isinstance(column, Coded) or column.dtype.kind in "iu":
        return texts(column)
    return ["" if entry != entry else f"{float(entry):.6g}" if fits_float(entry) else "large" for entry in column.tolist()]  # noqa: PLR0124
