"""The strategy as a table: one row per decision, with columns that a person reads, as CSV or Parquet.

Rows come in chunks, columns of equal length, so that a strategy of any size is written without holding it in memory. Text
columns are `Coded`: their different texts, and numbers of these. A general game is asked decision by decision; for a score sheet
all decisions of many turns are worked out at once (`Solution.chunks`), the same rows in the same order.
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import IO, Any

import numpy as np

from rollwise.errors import GameError, one_of
from rollwise.forms.base.solution import Chunk, Coded, Column, Solution
from rollwise.forms.base.writing import appearing
from rollwise.model.game import Game, Progress
from rollwise.model.notation import fits_float, show_fraction
from rollwise.model.objective import Objective
from rollwise.playing.rolling import RollSource

__all__ = ["check_where", "count_decisions", "policy_chunks", "policy_rows", "value_word", "write_policy"]

ROWS = 50_000
"""Rows of a chunk, about."""
GROUP_ROWS = 200_000
"""Rows of a row group in Parquet, at least (but for the last)."""
SAMPLE = 1000
"""States that are looked at to tell which columns are whole numbers."""
SECOND = "loss of second best"


def value_word(solution: Solution) -> str:
    """Name what a value is.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> value_word(rollwise.solve(load("slots"))), value_word(rollwise.solve(load("groups", faces=6, sizes=[1, 2])))
    ('win probability', 'expected rolls')
    """
    return solution.objective.words(solution.game).value


def policy_rows(solution: Solution) -> Iterator[dict[str, str]]:
    """Give the strategy row by row as text: the state's columns, the action, its value, and the loss of the second best."""
    for chunk in policy_chunks(solution):
        for row in zip(*map(_texts, chunk.values()), strict=True):
            yield dict(zip(chunk, row, strict=True))


def policy_chunks(solution: Solution, *, where: Mapping[str, str] | None = None, limit: int | None = None) -> Iterator[Chunk]:
    """Give the strategy in chunks of columns: only rows whose columns read as `where` says, and at most `limit` of them.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> chunk = next(policy_chunks(rollwise.solve(load("slots")), where={"free slots": "x3", "total": "30"}))
    >>> list(chunk), len(chunk["total"])
    (['free slots', 'total', 'roll', 'slot', 'win probability', 'loss of second best'], 6)

    Raises `GameError` for a column that is not there.
    """
    try:
        where, left = _read(solution.game, where or {}), limit
    except GameError:  # a column never reads so: no row does
        return
    rows = ROWS if where or limit is None else min(ROWS, limit)
    words = value_word(solution), SECOND
    for chunk in solution.chunks(words, ROWS, where) or _row_chunks(solution, words, rows):
        kept = _filter(chunk, where)
        if left is not None:
            kept = {name: column[:left] for name, column in kept.items()}
            left -= _length(kept)
        if _length(kept):
            yield kept
        if left == 0:
            return


def check_where(game: Game[Any, Any, Any], where: Mapping[str, str], objective: Objective) -> None:
    """Refuse a choice of rows that names no column of this game, or no box. Raises `GameError` or `PositionError`."""
    if not where:
        return
    state = RollSource(game, Random(0)).draw(game.start())
    for name in where:
        one_of("column", name, (*game.columns(state), game.action_word, objective.words(game).value, SECOND))
    _read(game, where)


def _read(game: Game[Any, Any, Any], where: Mapping[str, str]) -> dict[str, str]:
    """What columns are to read, as the game writes them."""
    return {name: game.read_column(name, text) for name, text in where.items()}


def count_decisions(solution: Solution, where: Mapping[str, str] | None = None) -> int:
    """Give an upper bound of the number of rows, without making them."""
    try:
        return solution.count(_read(solution.game, where or {}))
    except GameError:  # a column never reads so
        return 0


def _row_chunks(solution: Solution, words: tuple[str, str], rows: int) -> Iterator[Chunk]:
    """Ask any game decision by decision."""
    game, decisions = solution.game, solution.policy()
    whole: set[str] | None = None
    while batch := list(islice(decisions, rows)):
        states = [game.columns(row.state) for row in batch]
        if whole is None:
            whole = _whole_columns([row.state for row in batch[:SAMPLE]], states)
        chunk: Chunk = {name: _coded([state[name] for state in states], name in whole) for name in states[0]}
        chunk[game.action_word] = _coded([game.show_action(row.action) for row in batch])
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
    keep = np.ones(_length(chunk), dtype=np.bool_)
    for name, text in where.items():
        keep &= _matches(chunk[one_of("column", name, chunk)], text)
    return {name: column[keep] for name, column in chunk.items()}


def _matches(column: Column, text: str) -> Any:
    if isinstance(column, Coded):
        return column.codes == (column.texts.index(text) if text in column.texts else -1)
    try:
        return column == float(text)
    except ValueError:
        return np.zeros(len(column), dtype=np.bool_)


def _length(chunk: Chunk) -> int:
    return len(next(iter(chunk.values())))


def _texts(column: Column) -> list[str]:
    """Write a column as text: numbers so that they read back as the same bits, nothing for no second choice."""
    if isinstance(column, Coded):
        return np.array(column.texts, dtype=object)[column.codes].tolist()  # type: ignore[no-any-return]
    return [_text(entry) for entry in column.tolist()]


def _text(entry: Any) -> str:
    return "" if entry != entry else show_fraction(entry) if isinstance(entry, Fraction) else repr(entry)  # noqa: PLR0124  (NaN)


# Files


def write_policy(
    solution: Solution,
    path: Path,
    progress: Progress | None = None,
    *,
    where: Mapping[str, str] | None = None,
    limit: int | None = None,
) -> int:
    """Write the strategy as CSV or Parquet and return the number of rows; the file appears complete or not at all.

    `where` and `limit` choose a part, as in `policy_chunks`. Raises `GameError` for another ending than .csv or .parquet, a place
    that cannot be written, or if PyArrow is needed and not there.
    """
    write = {".csv": _write_csv, ".parquet": _write_parquet}.get(path.suffix.lower())
    if write is None:
        raise GameError(f"cannot write {str(path)!r}: name a file that ends in .csv or .parquet")
    total = min(count_decisions(solution, where), limit or 1 << 62)

    def chunks() -> Iterator[Chunk]:
        done = 0
        for chunk in policy_chunks(solution, where=where, limit=limit):
            yield chunk
            done += _length(chunk)
            if progress:
                progress("writing", done, max(total, done))

    with appearing(path) as part:
        rows = write(chunks, part)
        if not rows:
            raise GameError(f"nothing to write to {str(path)!r}: no decision fits {dict(where or {})}")
        return rows


def _write_csv(chunks: Callable[[], Iterator[Chunk]], part: IO[bytes]) -> int:
    rows = 0
    with open(part.fileno(), "w", newline="", encoding="utf-8", closefd=False) as text:
        writer = csv.writer(text)
        for chunk in chunks():
            if not rows:
                writer.writerow(chunk)
            writer.writerows(zip(*map(_texts, chunk.values()), strict=True))
            rows += _length(chunk)
    return rows


class _NotWhole(Exception):
    """A text column looked like whole numbers, and then did not."""

    def __init__(self, name: str) -> None:
        self.name = name


def _write_parquet(chunks: Callable[[], Iterator[Chunk]], part: IO[bytes]) -> int:
    """Write row groups; text that is whole numbers throughout becomes an integer column."""
    try:
        import pyarrow  # noqa: PLC0415, F401  (an optional extra)
    except ImportError:
        raise GameError("Parquet files need PyArrow: pip install 'rollwise[parquet]', or name a file that ends in .csv") from None
    text: set[str] = set()
    while True:
        try:
            return _write_groups(chunks(), part, text)
        except _NotWhole as fault:
            text.add(fault.name)
            part.seek(0)
            part.truncate()


def _write_groups(chunks: Iterator[Chunk], part: IO[bytes], text: set[str]) -> int:
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    first = next(chunks, None)
    if first is None:
        raise GameError("no decision is like that: nothing to write")
    whole = {name for name in first if name not in text and _whole(first[name])}
    schema = pa.table(_arrow(pa, first, whole)).schema
    rows, waiting = 0, []
    with parquet.ParquetWriter(part, schema, compression="zstd") as writer:
        for chunk in chain([first], chunks):
            waiting.append(pa.table(_arrow(pa, chunk, whole), schema=schema))
            rows += _length(chunk)
            if sum(table.num_rows for table in waiting) >= GROUP_ROWS:
                writer.write_table(pa.concat_tables(waiting), row_group_size=2 * GROUP_ROWS)
                waiting = []
        if waiting:
            writer.write_table(pa.concat_tables(waiting), row_group_size=2 * GROUP_ROWS)
    return rows


def _whole(column: Column) -> bool:
    return isinstance(column, Coded) and column.whole and all(_is_whole(text) for text in column.texts)


def _is_whole(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 19


def _arrow(pa: Any, chunk: Chunk, whole: set[str]) -> dict[str, Any]:
    """Give a chunk's columns as Arrow arrays.

    Fractions become doubles (nothing if too large), with the fraction itself as text in a column beside.
    """
    columns: dict[str, Any] = {}
    for name, column in chunk.items():
        if isinstance(column, Coded):
            if name in whole and not _whole(column):
                raise _NotWhole(name)
            texts: Any = [int(text) for text in column.texts] if name in whole else column.texts
            columns[name] = pa.array(texts, pa.int64() if name in whole else pa.string()).take(pa.array(column.codes))
        elif column.dtype == object:
            doubles = np.array([float(entry) if fits_float(entry) else np.nan for entry in column])
            columns[name] = pa.array(doubles, pa.float64(), from_pandas=True)
            exact = [show_fraction(entry) if isinstance(entry, Fraction) else None for entry in column]
            columns[f"{name}, exact"] = pa.array(exact, pa.string())
        else:
            columns[name] = pa.array(column, from_pandas=True)
    return columns
