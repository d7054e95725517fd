"""Files that are believed only as far as they were compared: arrays with a checksum for every block, facts with one of their own.

    an array   a `.npy` file, cut into blocks of `BLOCK` bytes, header included. Its *facts* are type, shape, size and the SHA-256
               of every block, one behind the other. The header is for other programs; here the facts say what the file holds.
    facts      a JSON object with the digest of everything else in it, `checksum`.

Code that needs all of an array reads it, comparing every block; code that needs few values reads and compares the blocks they lie
in (`Checked`). A mapped file ends the process (SIGBUS) if another program cuts it short, so only what is large is mapped, after
comparing it. Whatever is wrong with a file is a `CacheError`.
"""

import json
import mmap
import os
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from io import BytesIO
from itertools import chain
from math import prod
from operator import or_
from pathlib import Path
from stat import S_ISREG
from threading import Lock
from typing import IO, Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from rollwise.errors import RollwiseError
from rollwise.solvers.base.backends import Threads

__all__ = [
    "BLOCK",
    "DIGEST",
    "MAPPED",
    "ArrayFile",
    "CacheError",
    "Checked",
    "array_facts",
    "file_size",
    "npy_header",
    "read_facts",
    "seal",
    "search",
    "write_array",
    "write_blocks",
]  # fmt: skip

BLOCK = 1 << 16
"""Bytes that have a checksum together: advice reads some hundred values far apart, and each costs one block."""
MAPPED = 1 << 28
"""Bytes from which on arrays are mapped: in memory they might not fit, and those of several solutions are one on disk."""
RUN = 64
"""Blocks that one thread compares at a time."""
MOST_FACTS = 1 << 28
DIGEST = 64
NO_FOLLOW = os.O_RDONLY | reduce(or_, (getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_BINARY")))
"""How files are opened, as far as a system can: neither a link elsewhere nor a pipe that never answers is a file of ours."""


_LOADED_BLOCKS: WeakValueDictionary[str, Any] = WeakValueDictionary()
"""What was read from files and is still used, by the checksums of its blocks: several targets of a sheet are one table."""


class CacheError(RollwiseError):
    """A stored solution is damaged, foreign or outdated, or cannot be written; `path` is its entry."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"stored solution {str(path)!r} {reason}")
        self.path, self.reason = path, reason


# Facts


def seal(facts: dict[str, Any]) -> str:
    """Write facts as JSON with their checksum.

    >>> list(json.loads(seal({"layers": 3})))
    ['layers', 'checksum']
    """
    return json.dumps({**facts, "checksum": _digest(facts)}, indent=1)


def read_facts(entry: Path, name: str, what: str, form: str) -> dict[str, Any]:
    """Read the facts in a file of an entry, of the format `form`. Raises `CacheError` if they are damaged or outdated."""
    try:
        facts = json.loads(_content(entry, name, f"has no readable {what}"))
        right = isinstance(facts, dict) and facts.pop("checksum", None) == _digest(facts)
    except (ValueError, RecursionError, MemoryError) as error:
        raise CacheError(entry, f"has no readable {what} ({type(error).__name__})") from None
    if not isinstance(facts, dict) or facts.get("format") != form:
        raise CacheError(entry, f"has another format: expected {form!r}")
    if not right:
        raise CacheError(entry, f"is damaged: its {what} was changed")
    return facts


def _digest(facts: dict[str, Any]) -> str:
    return sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _content(entry: Path, name: str, fault: str) -> bytes:
    with _opened(entry, name, fault) as handle, os.fdopen(handle, "rb", closefd=False) as file:
        content = file.read(MOST_FACTS + 1)
    if len(content) > MOST_FACTS:
        raise CacheError(entry, f"has a {name} of more than {MOST_FACTS:,} bytes")
    return content


@contextmanager
def _opened(entry: Path, name: str, fault: str) -> Iterator[int]:
    """Open a file of an entry; `fault` says what it means if that, or reading it, is not possible."""
    handle = -1
    try:
        handle = os.open(entry / name, NO_FOLLOW)
        if not S_ISREG(os.fstat(handle).st_mode):
            raise CacheError(entry, f"{fault} (not a file)")
        yield handle
    except OSError as error:
        raise CacheError(entry, f"{fault} ({type(error).__name__})") from None
    finally:
        if handle >= 0:
            os.close(handle)


_SEEKING = Lock()


def _block(handle: int, number: int) -> bytes:
    """Read a block of an open file, whatever other threads read of it."""
    if hasattr(os, "pread"):
        return os.pread(handle, BLOCK, BLOCK * number)
    with _SEEKING:
        os.lseek(handle, BLOCK * number, os.SEEK_SET)
        return os.read(handle, BLOCK)


# Arrays


def write_array(stream: IO[bytes], values: Any) -> dict[str, Any]:
    """Write an array in the format `.npy` and return its facts."""
    values = np.asarray(values, order="C")
    blocks = write_blocks(stream, values.reshape(-1), npy_header(values.dtype, values.shape))
    return array_facts(values.dtype, values.shape, blocks)


def npy_header(dtype: npt.DTypeLike, shape: tuple[int, ...]) -> bytes:
    """Give what a `.npy` file begins with: a multiple of 64 bytes."""
    header = BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": np.dtype(dtype).str, "fortran_order": False, "shape": shape})
    return header.getvalue()


def array_facts(dtype: npt.DTypeLike, shape: tuple[int, ...], blocks: str) -> dict[str, Any]:
    """Give the facts of an array whose blocks have these checksums."""
    kind = np.dtype(dtype)
    size = len(npy_header(kind, shape)) + kind.itemsize * prod(shape)
    return {"dtype": kind.str, "shape": list(shape), "bytes": size, "blocks": blocks}


def write_blocks(stream: IO[bytes], values: Any, header: bytes = b"") -> str:
    """Write a header, if there is one, and flat values; give the checksums of the blocks, one behind the other."""
    content = values.view(np.uint8)
    cut = BLOCK - len(header)
    rest = (content[i : i + BLOCK].data for i in range(cut, len(content), BLOCK))
    blocks = []
    for part in chain([header + content[:cut].tobytes()], rest):
        stream.write(part)
        blocks.append(sha256(part).hexdigest())
    return "".join(blocks)


@dataclass(frozen=True)
class ArrayFile:
    """An array in a file of an entry, as its facts describe it; nothing of it is compared yet."""

    entry: Path
    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    bytes: int
    blocks: str

    @classmethod
    def find(cls, entry: Path, name: str, facts: dict[str, Any]) -> "ArrayFile":
        """Take facts and look whether there is such a file. Raises `CacheError`."""
        # An array of Python objects would read addresses from the file.
        if np.dtype(facts["dtype"]).kind not in "biuf":
            raise CacheError(entry, f"is damaged: {name} is an array of {facts['dtype']!r}, expected numbers")
        found = cls(entry, name, np.dtype(facts["dtype"]), tuple(facts["shape"]), facts["bytes"], facts["blocks"])
        size = file_size(entry / name)
        if size != found.bytes:
            raise CacheError(entry, f"is damaged: {name} has {size:,} bytes, expected {found.bytes:,}")
        return found

    @property
    def start(self) -> int:
        """Where the values begin."""
        return self.bytes - self.dtype.itemsize * prod(self.shape)

    @property
    def n_blocks(self) -> int:
        """The number of blocks."""
        return len(self.blocks) // DIGEST

    def compare(self, blocks: Sequence[int] | None = None, into: Any = None) -> None:
        """Compare blocks, default all, with their checksums, and put them `into` the bytes of a file. Raises `CacheError`."""
        wanted: Sequence[int] = range(self.n_blocks) if blocks is None else blocks
        runs = [wanted[i : i + RUN] for i in range(0, len(wanted), RUN)]
        with _opened(self.entry, self.name, f"is damaged: {self.name} cannot be read") as handle:
            if len(runs) == 1:
                same = self._same(handle, runs[0], into)
            else:
                from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  (a few blocks need no threads)

                with ThreadPoolExecutor(min(Threads().count, 8)) as pool:
                    same = all(pool.map(lambda run: self._same(handle, run, into), runs))
        if not same:
            raise CacheError(self.entry, f"is damaged: the contents of {self.name} were changed")

    def _same(self, handle: int, blocks: Sequence[int], into: Any) -> bool:
        for i in blocks:
            content = _block(handle, i)
            if sha256(content).hexdigest() != self.blocks[DIGEST * i : DIGEST * (i + 1)]:
                return False
            if into is not None:
                into[BLOCK * i : BLOCK * i + len(content)] = np.frombuffer(content, np.uint8)
        return True

    def room(self) -> Any:
        """Give memory for the bytes of the file, none of which is taken before something is put there."""
        if not hasattr(mmap, "MAP_PRIVATE"):  # Windows
            return np.empty(self.bytes, np.uint8)
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
        return np.frombuffer(mmap.mmap(-1, self.bytes, flags=flags), np.uint8)

    def shaped(self, content: Any) -> Any:
        """Give the values in the bytes of the file."""
        return content[self.start :].view(self.dtype).reshape(self.shape)

    def mapped(self) -> Any:
        """Memory-map the values.

        Copy on write: the file never changes, and compiled code meets the same kind of array as after solving.
        """
        if not prod(self.shape):
            return np.empty(self.shape, self.dtype)
        try:
            return np.asarray(np.memmap(self.entry / self.name, self.dtype, "c", self.start, self.shape))
        except (OSError, ValueError, OverflowError) as error:
            raise CacheError(self.entry, f"is damaged: {self.name} cannot be read ({type(error).__name__})") from None

    def read(self, *, mapped: bool = False) -> Any:
        """Give the array after comparing all of it, `mapped` or in memory, where files of the same contents are one."""
        if mapped:
            self.compare()
            return self.mapped()
        content = _LOADED_BLOCKS.get(self.blocks)
        if content is not None:
            self.compare()
        else:
            content = self.room()
            self.compare(into=content)
            _LOADED_BLOCKS[self.blocks] = content
        return self.shaped(content)


def file_size(file: Path) -> int:
    """Give the size of a file; 0 if there is none."""
    try:
        return file.lstat().st_size
    except OSError:
        return 0


class Checked:
    """An array of which every block is read, and compared with its checksum, before a value in it is given.

    It can be indexed like an array. Numbers, and arrays of numbers, one for each axis, touch their own blocks; whatever else is
    asked, and `np.asarray`, which compiled code needs, compares everything first. Raises `CacheError`.
    """

    def __init__(self, file: ArrayFile) -> None:
        self._file, self._content = file, file.room()
        self._values = file.shaped(self._content)
        self._seen = np.zeros(file.n_blocks, dtype=np.bool_)
        self.shape, self.dtype = file.shape, file.dtype
        self.ndim, self.size = len(file.shape), prod(file.shape)
        self.nbytes = self.size * self.dtype.itemsize

    @property
    def path(self) -> str:
        """The file that it is in."""
        return str(self._file.entry / self._file.name)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, place: Any) -> Any:
        """Give values, after comparing the blocks they are in."""
        self._touch(self._blocks(place))
        return self._values[place]

    def search(self, number: int) -> int:
        """Find in rising values where the first of at least `number` is."""
        return bisect_left(self, number)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Give the array itself, after comparing all of it."""
        if self.nbytes >= MAPPED and not self._seen.all():
            self._values, self._seen[:] = self._file.read(mapped=True), True
        self._touch(np.arange(len(self._seen)))
        return np.array(self._values, dtype, copy=copy)

    def _blocks(self, place: Any) -> Any:
        """Number the blocks that an index needs."""
        index = place if isinstance(place, tuple) else (place,)
        parts = [np.asarray(part) for part in index if not isinstance(part, slice) and part is not None]
        if len(parts) != self.ndim or len(index) != self.ndim or any(part.dtype.kind not in "iu" for part in parts):
            return np.arange(len(self._seen))
        turned = [np.where(part < 0, part + side, part) for part, side in zip(parts, self.shape, strict=True)]
        first = self._file.start + self.dtype.itemsize * _flat(turned, self.shape)
        needed = np.zeros(len(self._seen), dtype=np.bool_)
        needed[first // BLOCK] = needed[(first + self.dtype.itemsize - 1) // BLOCK] = True
        return np.flatnonzero(needed)

    def _touch(self, blocks: Any) -> None:
        new = blocks[~self._seen[blocks]]
        if new.size:
            self._file.compare(new.tolist(), self._content)
            self._seen[new] = True


def search(values: Any, number: int) -> int:
    """Find in rising values, an array or a `Checked` one, where the first of at least `number` is.

    >>> search(np.array([2, 4, 4, 7]), 4)
    1
    """
    found = values.search(number) if isinstance(values, Checked) else np.searchsorted(values, number)
    return int(found)


def _flat(index: list[Any], shape: tuple[int, ...]) -> Any:
    """Number places from the first axis on. Raises `IndexError` as an array does."""
    flat: Any = np.zeros((), dtype=np.int64)
    for part, side in zip(index, shape, strict=True):
        if ((part < 0) | (part >= side)).any():
            raise IndexError(f"index out of bounds for axis with size {side}")
        flat = flat * side + part
    return flat
