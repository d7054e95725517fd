"""The strategy as a file, one row per decision: CSV or Parquet, of the chunks in `forms.base.table`."""

import csv
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from os import PathLike
from pathlib import Path
from random import Random
from typing import IO, Any

from rollwise.errors import GameError, one_of
from rollwise.model.game import Game, Progress
from rollwise.model.notation import notation_of
from rollwise.model.objective import Objective
from rollwise.model.view import view_of
from rollwise.playing.roll_source import RollSource
from rollwise.solvers.base.abilities import ListsDecisions, ability
from rollwise.solvers.base.arrow import NO_PARQUET, arrow_schema, import_pyarrow
from rollwise.solvers.base.chunks import Chunk
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.base.table import (
    SECOND,
    NotWhole,
    arrow_batch,
    arrow_fields,
    length,
    policy_chunks,
    read_where,
    texts,
    value_word,
)
from rollwise.solvers.base.writing import appearing

__all__ = ["SECOND", "check_where", "count_decisions", "policy_chunks", "policy_rows", "value_word", "write_policy"]

GROUP_ROWS = 200_000
"""Rows of a row group in Parquet, at least (but for the last)."""


def policy_rows(solution: Solution) -> Iterator[dict[str, str]]:
    """Give the strategy row by row as text: the state's columns, the action, its value, and the loss of the second best."""
    for chunk in policy_chunks(solution):
        for row in zip(*map(texts, chunk.values()), strict=True):
            yield dict(zip(chunk, row, strict=True))


def check_where(game: Game[Any, Any, Any], where: Mapping[str, str], objective: Objective) -> None:
    """Refuse a choice of rows that names no column of this game, or no box. Raises `GameError` or `PositionError`."""
    if not where:
        return
    state = RollSource(game, Random(0)).draw(game.start())
    for name in where:
        one_of(
            "column", name, (*notation_of(game).columns(state), view_of(game).action_word, objective.words(game).value, SECOND)
        )
    read_where(game, where)


def count_decisions(solution: Solution, where: Mapping[str, str] | None = None) -> int:
    """Give an upper bound of the number of rows, without making them."""
    try:
        return ability(solution, ListsDecisions).count(read_where(solution.game, where or {}))
    except GameError:  # a column never reads so
        return 0


# Files


def write_policy(
    solution: Solution,
    path: str | PathLike[str],
    *,
    where: Mapping[str, str] | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the strategy as a CSV or Parquet file with one row for each decision, and return the number of rows.

    >>> import rollwise, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_policy(rollwise.solve("slots"), Path(folder) / "slots.csv", where={"free slots": "x3"})
    198

    `where` (column to text) and `limit` select rows. The file appears complete or not at all. Raises `GameError` for another
    ending than .csv or .parquet, a file that cannot be written, or a missing PyArrow (`rollwise[parquet]`).
    """
    path = Path(path)
    write = {".csv": _write_csv, ".parquet": _write_parquet}.get(path.suffix.lower())
    if write is None:
        raise GameError(f"cannot write {str(path)!r}: name a file that ends in .csv or .parquet")
    total = min(count_decisions(solution, where), limit or 1 << 62)

    def chunks() -> Iterator[Chunk]:
        done = 0
        for chunk in policy_chunks(solution, where=where, limit=limit):
            yield chunk
            done += length(chunk)
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
            writer.writerows(zip(*map(texts, chunk.values()), strict=True))
            rows += length(chunk)
    return rows


def _write_parquet(chunks: Callable[[], Iterator[Chunk]], part: IO[bytes]) -> int:
    """Write row groups; text that is whole numbers throughout becomes an integer column."""
    import_pyarrow(NO_PARQUET)
    as_text: list[str] = []
    while True:
        try:
            return _write_groups(chunks(), part, as_text)
        except NotWhole as fault:
            as_text.append(fault.name)
            part.seek(0)
            part.truncate()


def _write_groups(chunks: Iterator[Chunk], part: IO[bytes], as_text: list[str]) -> int:
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    first = next(chunks, None)
    if first is None:
        raise GameError("no decision is like that: nothing to write")
    fields = arrow_fields(first, as_text)
    rows, waiting = 0, []
    with parquet.ParquetWriter(part, arrow_schema(fields), compression="zstd") as writer:
        for chunk in chain([first], chunks):
            waiting.append(arrow_batch(chunk, fields))
            if sum(batch.num_rows for batch in waiting) >= GROUP_ROWS:
                rows += _write_group(pa, writer, waiting)
                waiting = []
        rows += _write_group(pa, writer, waiting) if waiting else 0
    return rows


def _write_group(pa: Any, writer: Any, batches: list[Any]) -> int:
    table = pa.Table.from_batches(batches)
    writer.write_table(table, row_group_size=2 * GROUP_ROWS)
    return int(table.num_rows)
