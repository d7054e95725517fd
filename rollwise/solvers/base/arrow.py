"""Columns of PyArrow, through which other libraries take a table: polars, pandas and DuckDB read Arrow's C interface."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError

__all__ = ["DOUBLE", "INTEGER", "NO_PARQUET", "TEXT", "Field", "arrow_schema", "double", "import_pyarrow", "integer", "text"]

INTEGER, DOUBLE, TEXT = "int64", "float64", "string"
"""The kinds of columns, as PyArrow names them."""
NO_PARQUET = "Parquet files need PyArrow: pip install 'rollwise[parquet]', or name a file that ends in .csv"


class Field(NamedTuple):
    """The name and the kind of a column."""

    name: str
    kind: str


def import_pyarrow(what: str = "tables of other libraries need PyArrow: pip install 'rollwise[parquet]'") -> Any:
    """Import PyArrow. Raises `GameError` where it is missing, which says `what` needs it."""
    try:
        import pyarrow  # noqa: PLC0415  (an optional extra)
    except ImportError:
        raise GameError(what) from None
    return pyarrow


def arrow_schema(fields: Sequence[Field]) -> Any:
    """Give the schema of some columns."""
    pyarrow = import_pyarrow()
    return pyarrow.schema([(field.name, getattr(pyarrow, field.kind)()) for field in fields])


def integer(numbers: npt.ArrayLike) -> Any:
    """Make a column of integers."""
    return import_pyarrow().array(np.asarray(numbers, dtype=np.int64))


def double(numbers: npt.ArrayLike) -> Any:
    """Make a column of floats; what is not a number is missing.

    >>> double([0.5, float("nan")]).null_count
    1
    """
    return import_pyarrow().array(np.asarray(numbers, dtype=np.float64), from_pandas=True)


def text(texts: Sequence[str | None], codes: npt.NDArray[Any]) -> Any:
    """Make a column of texts: of some different ones, or None for a missing one, the numbers of those in the column.

    >>> text(["a", "bc"], np.array([1, 0, 1])).to_pylist()
    ['bc', 'a', 'bc']
    """
    pyarrow = import_pyarrow()
    return pyarrow.array(texts, pyarrow.string()).take(pyarrow.array(codes))
