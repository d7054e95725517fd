"""Chunks of a layer: where it is cut, how a chunk is written, and how the chunks of a layer are read as one array.

A layer is cut at multiples of a page, not between rows: a row that is cut is worked out twice, which costs a row for every
chunk, and in return the files of a layer can be mapped one behind the other, as if they were one. Nothing is copied, and what a
worker has read is the node's page cache, shared by all its workers.
"""

import ctypes
import mmap
import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.layers import UNRESERVED
from rollwise.solvers.base.writing import sync_folder

__all__ = ["Chunk", "Damaged", "Span", "chunk_bytes", "cut_layer", "file_digest", "map_chunks", "rows_of", "write_chunk"]

Values = npt.NDArray[Any]

PAGE = 1 << 12
LARGE_PAGE = 1 << 16
"""The largest page of machines in use: what is large is cut so that all of them can map it."""
LARGE = 1 << 24
LEAST_BYTES = 1 << 18
MOST_BYTES = 1 << 23
"""Bytes of a chunk: enough that starting a task does not count, and few enough that little is lost and workers end together."""
MOST_CHUNKS = 4096
"""Chunks of a layer at most, as a process can have some ten thousand mappings: beyond that, chunks are larger."""
BLOCK = 1 << 22
MAP_FIXED = 0x10


class Span(NamedTuple):
    """A part of the values of a layer laid flat."""

    begin: int
    end: int

    @property
    def size(self) -> int:
        """How many values it has."""
        return self.end - self.begin


class Chunk(NamedTuple):
    """A chunk on disk: its file, in the folder of its layer, its bytes and their SHA-256."""

    file: str
    bytes: int
    sha256: str


class Damaged(Exception):
    """Chunks are not what was written: their places in the list of a layer."""

    def __init__(self, places: list[int]) -> None:
        super().__init__(places)
        self.places = places


def cut_layer(size: int, itemsize: int, workers: int) -> list[int]:
    """Cut a layer of `size` values for so many workers: large chunks first, small ones at the end, so that all end together.

    >>> cut_layer(1000, 8, 2), cut_layer(0, 8, 2)
    ([0, 512, 1000], [0, 0])
    """
    total = size * itemsize
    page = LARGE_PAGE if total >= LARGE else PAGE
    most = chunk_bytes(total)
    cuts = [0]
    while cuts[-1] < total:
        rest = total - cuts[-1]
        wanted = min(most, max(min(LEAST_BYTES, total // (2 * workers)), rest // (2 * workers)))
        cuts.append(min(total, cuts[-1] + max(page, wanted // page * page)))
    return [cut // itemsize for cut in cuts] if total else [0, 0]


def chunk_bytes(layer_bytes: int) -> int:
    """Say how large the largest chunk of a layer is, about."""
    return max(MOST_BYTES, -(-layer_bytes // MOST_CHUNKS))


def rows_of(row_start: npt.NDArray[np.int64], span: Span) -> tuple[int, int]:
    """Give the first row that a span is a part of, and the one after the last."""
    first = int(np.searchsorted(row_start, span.begin, "right")) - 1
    return first, max(first, int(np.searchsorted(row_start, span.end, "left")))


def write_chunk(folder: Path, name: str, values: Values) -> Chunk:
    """Write a chunk so that it is there whole, and stays, or not at all. Raises `OSError`."""
    content = np.ascontiguousarray(values).view(np.uint8).data
    part = folder / f"{name}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with part.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.rename(folder / name)
        sync_folder(folder)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    return Chunk(name, len(content), sha256(content).hexdigest())


def file_digest(path: Path) -> tuple[int, str]:
    """Give the bytes of a file and their SHA-256; (0, "") if it cannot be read."""
    digest, size = sha256(), 0
    try:
        with path.open("rb", buffering=0) as file:
            while block := file.read(BLOCK):
                digest.update(block)
                size += len(block)
    except OSError:
        return 0, ""
    return size, digest.hexdigest()


def map_chunks(folder: Path, chunks: Sequence[Chunk], dtype: npt.DTypeLike, *, compare: bool) -> Values:
    """Map the chunks of a layer as one array, copy on write; with `compare`, after comparing them with their SHA-256.

    Where pages are larger than what the layer was cut for, they are read instead. Raises `Damaged`.
    """
    total = sum(chunk.bytes for chunk in chunks)
    if not total:
        return np.empty(0, dtype)
    ends = np.cumsum([chunk.bytes for chunk in chunks])[:-1]
    in_pages = UNRESERVED and not (ends % mmap.PAGESIZE).any()
    content = (_mapped if in_pages else _read)(folder, chunks, total)
    if compare:
        _compare(content, chunks)
    return content.view(dtype)


def _compare(content: npt.NDArray[np.uint8], chunks: Sequence[Chunk]) -> None:
    begin, wrong = 0, []
    for place, chunk in enumerate(chunks):
        if sha256(content[begin : begin + chunk.bytes].data).hexdigest() != chunk.sha256:
            wrong.append(place)
        begin += chunk.bytes
    if wrong:
        raise Damaged(wrong)


def _read(folder: Path, chunks: Sequence[Chunk], total: int) -> npt.NDArray[np.uint8]:
    content, begin, wrong = np.empty(total, dtype=np.uint8), 0, []
    for place, chunk in enumerate(chunks):
        try:
            content[begin : begin + chunk.bytes] = np.fromfile(folder / chunk.file, dtype=np.uint8)
        except (OSError, ValueError):
            wrong.append(place)
        begin += chunk.bytes
    if wrong:
        raise Damaged(wrong)
    return content


def _mapped(folder: Path, chunks: Sequence[Chunk], total: int) -> npt.NDArray[np.uint8]:
    """Reserve addresses for all of a layer, and put the files there, one behind the other; they go when the array does."""
    room = mmap.mmap(-1, total, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | UNRESERVED)
    content = np.frombuffer(room, dtype=np.uint8)
    begin, wrong = 0, []
    for place, chunk in enumerate(chunks):
        if not _put(folder / chunk.file, content.ctypes.data + begin, chunk.bytes):
            wrong.append(place)
        begin += chunk.bytes
    if wrong:
        raise Damaged(wrong)
    return content


def _put(path: Path, address: int, size: int) -> bool:
    """Map a file at an address inside a mapping of ours; False if it has not this size. Raises `OSError`."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        if os.fstat(handle).st_size != size:
            return False
        flags = mmap.MAP_PRIVATE | MAP_FIXED | UNRESERVED
        found = _libc_mmap()(address, size, mmap.PROT_READ | mmap.PROT_WRITE, flags, handle, 0)
        if found != address:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(path))
        return True
    finally:
        os.close(handle)


def _libc_mmap() -> Any:
    function = ctypes.CDLL(None, use_errno=True).mmap
    function.restype = ctypes.c_void_p
    function.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    return function
