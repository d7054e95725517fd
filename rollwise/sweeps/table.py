"""The rows of a sweep as a file: CSV or Parquet, with the same columns and the same values."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rollwise.errors import GameError
from rollwise.solvers.base.arrow import NO_PARQUET, import_pyarrow
from rollwise.solvers.base.writing import appearing

__all__ = ["check_table", "write_table"]

Row = Mapping[str, Any]
ENDINGS = (".csv", ".parquet")


def check_table(path: Path) -> None:
    """Refuse what cannot be written as a table, before anything is solved. Raises `GameError`."""
    if path.suffix.lower() not in ENDINGS:
        raise GameError(f"cannot write {str(path)!r}: name a file that ends in .csv or .parquet")
    if path.suffix.lower() == ".parquet":
        import_pyarrow(NO_PARQUET)


def write_table(path: Path, columns: Mapping[str, type], rows: Sequence[Row]) -> None:
    """Write a table, which appears complete or not at all. Raises `GameError` where that is not possible."""
    with appearing(path) as part:
        if path.suffix.lower() == ".csv":
            part.write(_csv(columns, rows).encode())
        else:
            _write_parquet(part, columns, rows)


def _csv(columns: Mapping[str, type], rows: Sequence[Row]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_shown(row[name], kind) for name, kind in columns.items()] for row in rows)
    return text.getvalue()


def _shown(cell: Any, kind: type) -> str:
    if cell is None:
        return ""
    return str(cell).lower() if kind is bool else repr(kind(cell)) if kind is float else str(cell)


def _write_parquet(part: Any, columns: Mapping[str, type], rows: Sequence[Row]) -> None:
    arrow = import_pyarrow(NO_PARQUET)
    from pyarrow import parquet  # noqa: PLC0415

    kinds = {int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_(), str: arrow.string()}
    arrays = [
        arrow.array([None if row[name] is None else kind(row[name]) for row in rows], kinds[kind])
        for name, kind in columns.items()
    ]
    parquet.write_table(arrow.table(arrays, names=list(columns)), part, compression="zstd")
