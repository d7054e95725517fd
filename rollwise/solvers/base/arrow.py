"""Columns handed to other libraries by Arrow's C interface, without any of them: polars, pandas, DuckDB and PyArrow take that.

The interface is three structs of C with callbacks: a schema, an array, a stream of arrays. A consumer may copy ("move") a struct
and calls its `release` when it is done, which writes 1 into the word that `private_data` points to; what the pointers of a struct
lead to is held here until then. Format: https://arrow.apache.org/docs/format/CDataInterface.html
"""

import gc
from collections.abc import Callable, Iterator, Sequence
from ctypes import CFUNCTYPE, Structure, addressof, c_char_p, c_int, c_int64, c_void_p, cast, py_object, pythonapi
from errno import EIO
from functools import cache
from sys import getrefcount
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = [
    "DOUBLE", "INTEGER", "TEXT", "Batch", "Field", "Filled", "double", "export_batch", "export_stream", "integer", "sweep",
    "text",
]  # fmt: skip

INTEGER, DOUBLE, TEXT = "l", "g", "u"
"""The kinds of columns, in Arrow's letters: int64, float64, utf8."""
NULLABLE = 2
OFTEN = 100
"""A stream lets go of what was released when so much more is held."""
UNUSED = 3
"""How often a capsule is referred to that only the list of capsules has, and who asks."""


class Field(NamedTuple):
    """The name and the kind of a column."""

    name: str
    kind: str


class Filled(NamedTuple):
    """A column as Arrow has it: how many entries, how many of them are missing, and the buffers, which one is present first."""

    length: int
    missing: int
    buffers: tuple[npt.NDArray[Any] | None, ...]


Batch = Sequence[Filled]
"""Some rows, column by column."""


def integer(numbers: npt.ArrayLike) -> Filled:
    """Make a column of integers.

    >>> integer([1, 2]).length
    2
    """
    data = np.ascontiguousarray(numbers, dtype=np.int64)
    return Filled(len(data), 0, (None, data))


def double(numbers: npt.ArrayLike) -> Filled:
    """Make a column of floats; what is not a number is missing.

    >>> double([0.5, float("nan")]).missing
    1
    """
    data = np.ascontiguousarray(numbers, dtype=np.float64)
    present = ~np.isnan(data)
    return Filled(len(data), int(len(data) - present.sum()), (_bits(present), data))


def text(texts: Sequence[str | None], codes: npt.NDArray[Any]) -> Filled:
    """Make a column of texts: of some different ones, or None for a missing one, the numbers of those in the column.

    >>> text(["a", "bc"], np.array([1, 0, 1])).buffers[2].tobytes()
    b'bcabc'
    """
    raw = [(entry or "").encode() for entry in texts]
    letters = b"".join(map(raw.__getitem__, codes.tolist()))
    sizes = np.array([len(entry) for entry in raw], dtype=np.int64)[codes]
    present = np.array([entry is not None for entry in texts], dtype=np.bool_)[codes]
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    return Filled(
        len(codes), int(len(codes) - present.sum()), (_bits(present), offsets, np.frombuffer(letters or b".", dtype=np.uint8))
    )


def _bits(present: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8] | None:
    return None if present.all() else np.packbits(present, bitorder="little")


class _Schema(Structure):
    _fields_ = (
        ("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64), ("n_children", c_int64),
        ("children", c_void_p), ("dictionary", c_void_p), ("release", c_void_p), ("private_data", c_void_p),
    )  # fmt: skip


class _Array(Structure):
    _fields_ = (
        ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64), ("n_children", c_int64),
        ("buffers", c_void_p), ("children", c_void_p), ("dictionary", c_void_p), ("release", c_void_p),
        ("private_data", c_void_p),
    )  # fmt: skip


class _Stream(Structure):
    _fields_ = (
        ("get_schema", c_void_p), ("get_next", c_void_p), ("get_last_error", c_void_p), ("release", c_void_p),
        ("private_data", c_void_p),
    )  # fmt: skip


class _Flow:
    """A stream under way."""

    def __init__(self, fields: Sequence[Field], batches: Iterator[Batch]) -> None:
        self.fields, self.batches, self.error = fields, batches, b""


_held: dict[int, tuple[Any, ...]] = {}
"""What the pointers of structs lead to, by the address of a word that is 1 once the struct was released."""
_capsuled: list[tuple[Any, Any]] = []
"""Capsules that were given out, with their structs."""
_swept = [0]
"""How many things were held after the last sweep."""


def _hold(*things: Any) -> int:
    word = c_int64(0)
    _held[addressof(word)] = (word, *things)
    return addressof(word)


def sweep() -> None:
    """Let go of what was released, and of what is in capsules that nobody has any more."""
    for place in [place for place, (capsule, _) in enumerate(_capsuled) if getrefcount(capsule) <= UNUSED][::-1]:
        struct = _capsuled.pop(place)[1]
        if struct.release:
            _held[struct.private_data][0].value = 1
    for number in [number for number, (word, *_) in list(_held.items()) if word.value]:
        del _held[number]
    _swept[0] = len(_held)


def _capsule(name: bytes, struct: Any) -> Any:
    """Put a struct into a capsule. It is let go when the next one is made, or garbage is collected, if nobody took it."""
    made = _new_capsule(addressof(struct), name, None)
    _capsuled.append((made, struct))
    return made


_new_capsule = pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = py_object, (c_void_p, c_char_p, c_void_p)


@cache
def _releases() -> tuple[int, int, int]:
    """The addresses of what releases a schema, an array and a stream; who needs none does not wait for the compiler."""
    from rollwise.solvers.base.arrow_release import addresses  # noqa: PLC0415

    gc.callbacks.append(lambda phase, info: sweep() if phase == "start" and info["generation"] else None)
    return addresses  # type: ignore[no-any-return]


def _callback(result: Any, *arguments: Any) -> Callable[[Callable[..., Any]], int]:
    """Make a function one that C can call, and give its address. It is never freed."""

    def make(function: Callable[..., Any]) -> int:
        called = CFUNCTYPE(result, *arguments)(function)
        pythonapi.Py_IncRef(py_object(called))
        return cast(called, c_void_p).value or 0

    return make


def _pointers(structs: Sequence[Any]) -> Any:
    return (c_void_p * len(structs))(*(addressof(struct) for struct in structs))


def _fill_schema(out: _Schema, field: Field, children: Sequence[_Schema] = ()) -> _Schema:
    name, kind, pointers = field.name.encode(), field.kind.encode(), _pointers(children)
    out.format, out.name, out.metadata, out.flags = kind, name, None, 0 if children else NULLABLE
    out.n_children, out.children, out.dictionary = len(children), addressof(pointers) if children else None, None
    out.release, out.private_data = _releases()[0], _hold(name, kind, children, pointers)
    return out


def _table_schema(out: _Schema, fields: Sequence[Field]) -> _Schema:
    """Write the schema of a table: a struct of its columns."""
    return _fill_schema(out, Field("", "+s"), [_fill_schema(_Schema(), field) for field in fields])


def _fill_array(out: _Array, column: Filled, children: Sequence[_Array] = ()) -> _Array:
    pointers = _pointers(children)
    buffers = (c_void_p * len(column.buffers))(*(None if part is None else part.ctypes.data for part in column.buffers))
    out.length, out.null_count, out.offset, out.dictionary = column.length, column.missing, 0, None
    out.n_buffers, out.buffers = len(buffers), addressof(buffers)
    out.n_children, out.children = len(children), addressof(pointers) if children else None
    out.release, out.private_data = _releases()[1], _hold(column, buffers, children, pointers)
    return out


def _table_array(out: _Array, batch: Batch) -> _Array:
    """Write some rows of a table: a struct of its columns."""
    whole = Filled(batch[0].length, 0, (None,))
    return _fill_array(out, whole, [_fill_array(_Array(), column) for column in batch])


def _answer(stream: int, fill: Callable[[_Flow], Any]) -> int:
    """Do what a consumer asks for; what goes wrong is told by a number, with words in `get_last_error`."""
    flow: _Flow = _held[_Stream.from_address(stream).private_data][1]
    try:
        fill(flow)
    except BaseException as error:  # nothing can be raised through C
        flow.error = (str(error) or type(error).__name__).encode()
        return EIO
    return 0


@_callback(c_int, c_void_p, c_void_p)
def _get_schema(stream: int, out: int) -> int:
    return _answer(stream, lambda flow: _table_schema(_Schema.from_address(out), flow.fields))


@_callback(c_int, c_void_p, c_void_p)
def _get_next(stream: int, out: int) -> int:
    def fill(flow: _Flow) -> None:
        if len(_held) > 2 * _swept[0] + OFTEN:
            sweep()
        batch, array = next(flow.batches, None), _Array.from_address(out)
        array.release = None
        if batch is not None:
            _table_array(array, batch)

    return _answer(stream, fill)


@_callback(c_void_p, c_void_p)
def _get_last_error(stream: int) -> int | None:
    return cast(c_char_p(_held[_Stream.from_address(stream).private_data][1].error), c_void_p).value


def export_stream(fields: Sequence[Field], batches: Iterator[Batch]) -> Any:
    """Put a table that comes in batches into a capsule; a batch is made when it is asked for."""
    sweep()
    release, number = _releases()[2], _hold(_Flow(fields, batches))
    return _capsule(b"arrow_array_stream", _Stream(_get_schema, _get_next, _get_last_error, release, number))


def export_batch(fields: Sequence[Field], batch: Batch) -> tuple[Any, Any]:
    """Put some rows into capsules: their schema, and their columns."""
    sweep()
    schema, array = _table_schema(_Schema(), fields), _table_array(_Array(), batch)
    return _capsule(b"arrow_schema", schema), _capsule(b"arrow_array", array)
