"""Compile kernels, and keep the machine code on disk where that can be done.

Numba keeps it beside the source, or in the user's cache folder. Where neither can be written, a folder for this user among the
temporary files is used; where that cannot be written either, or the disk is full, the code is compiled again in every run. A
damaged file is compiled again. None of this is an error: the results are the same.

Compiled functions hold copies of those that they call, so what is kept is good for the source of a kernel's module and of all
modules that it imports, as they are. Every file says what it was compiled from and for which arguments: Numba numbers files, and
writes that one is there before it writes it. So a run that begins meanwhile, or after a kill, would find another's code under the
number, and jump into it.

While one process compiles a kernel, others that need it wait and load its code, rather than compile it as well.
"""

import os
import re
import stat
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba

from rollwise.solvers.base.locks import lock_alone

try:
    from numba.core.caching import FunctionCache, IndexDataCacheFile
except ImportError:  # private names of Numba's: without them nothing is kept
    FunctionCache = IndexDataCacheFile = object  # type: ignore[assignment,misc]

__all__ = ["compiled", "compiled_plainly", "inlined", "inner", "is_ready", "source_digest"]

SOLVERS = Path(__file__).parent.parent
LONGEST_WAIT = 120.0
"""Seconds to wait for another process that compiles the same kernel, before compiling it here."""
IMPORT = re.compile(rb"^ *from rollwise\.solvers\.([\w.]+) import", re.MULTILINE)

_numba_cache: Any = FunctionCache
_NumbaFiles: Any = IndexDataCacheFile


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function when it is first called; it releases the interpreter lock and divides as NumPy does."""
    return _compiled(function)


def compiled_plainly(function: Callable[..., Any]) -> Any:
    """Compile as `compiled` does a function that makes no arrays: nothing is counted, so tables of many arrays cost nothing."""
    return _compiled(function, _nrt=False)


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    compiler: Any = numba.njit
    dispatcher: Any = compiler(nogil=True, error_model="numpy", **options)(function)
    compile_for, saved = dispatcher.compile, _Kept(function)

    def compile_and_unlock(signature: Any) -> Any:
        """Compile; other processes do not wait for a kernel that failed to compile here."""
        try:
            return compile_for(signature)
        finally:
            saved.unlock()

    dispatcher._cache, dispatcher.compile = saved, compile_and_unlock
    return dispatcher


def inner(function: Callable[..., Any]) -> Any:
    """Compile a function that only compiled functions call: quicker, as Python needs no way in, and kept as a part of those."""
    options: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(nogil=True, error_model="numpy", **options)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function into those that call it, which are compiled plainly."""
    options: Any = {"forceinline": True, "_nrt": False}
    return numba.njit(nogil=True, error_model="numpy", **options)(function)


def is_ready(function: Any, *first: Any) -> bool:
    """Say whether a function was compiled for arguments that begin like these, in this process or in one that kept it on disk."""
    kinds = tuple(map(numba.typeof, first))
    found = [*function.signatures]
    for place in function._cache.places:
        with suppress(Exception):
            found += [key[0] for key in place._cache_file._load_index()]
    return any(signature[: len(kinds)] == kinds for signature in found)


class _Kept:
    """The machine code of a function on disk, as Numba asks for it; whatever goes wrong there, it is compiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.lock: int | None = None
        self.places = [place for place in [_open(function, None)] if place]
        if not self.places or _has_temporary():
            self._add_temporary()

    def _add_temporary(self) -> None:
        folder = _temporary()
        place = _open(self.function, folder) if folder else None
        self.places += [place] if place else []

    @property
    def cache_path(self) -> str | None:
        """The folder that is written to; None if there is none."""
        return str(self.places[0].cache_path) if self.places else None

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Give what was kept, or what another process is just compiling; None if it must be compiled here."""
        found = self._load(signature, context)
        if found is None and self._wait():
            found = self._load(signature, context)
            if found is not None:
                self.unlock()
        return found

    def _load(self, signature: Any, context: Any) -> Any:
        found = (_load(place, signature, context) for place in self.places)
        return next((result for result in found if result is not None), None)

    def _wait(self) -> bool:
        """Lock the kernel until it is saved; say whether another process had it locked, and may have saved it."""
        if self.lock is not None or not self.places:
            return False
        place = self.places[0]
        try:
            folder = Path(place.cache_path)
            folder.mkdir(parents=True, exist_ok=True)
            self.lock = os.open(folder / f"{place._impl.filename_base}.lock", os.O_CREAT | os.O_RDWR, 0o600)
        except OSError:
            return False
        waited, until = False, time.monotonic() + LONGEST_WAIT
        while not lock_alone(self.lock) and time.monotonic() < until:
            waited = True
            time.sleep(0.02)
        return waited

    def unlock(self) -> None:
        """Let other processes compile or read the kernel."""
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled at the first place where that can be done."""
        if not any(_save(place, signature, result) for place in self.places) and len(self.places) == 1:
            self._add_temporary()
            any(_save(place, signature, result) for place in self.places[1:])
        self.unlock()

    def enable(self) -> None:
        """Do nothing: what can be kept is kept."""

    def disable(self) -> None:
        """Forget all places."""
        self.places = []

    def flush(self) -> None:
        """Remove what was kept."""
        for place in self.places:
            with suppress(Exception):
                place.flush()


class _Files(_NumbaFiles):  # type: ignore[misc]
    """Numba's files of a function, each with what it was compiled from and for; what does not fit is not there."""

    def save(self, key: Any, data: Any) -> None:
        """Keep code together with its sources and its key."""
        super().save(key, (self._source_stamp, key, data))

    def load(self, key: Any) -> Any:
        """Give code of these sources and this key; None if there is none."""
        found = super().load(key)
        return found[2] if found is not None and found[:2] == (self._source_stamp, key) else None


def _load(place: Any, signature: Any, context: Any) -> Any:
    try:
        return place.load_overload(signature, context)
    except Exception:
        # An index that cannot be read would stop what is compiled now from being kept.
        with suppress(Exception):
            place.flush()
        return None


def _save(place: Any, signature: Any, result: Any) -> bool:
    try:
        place.save_overload(signature, result)
    except Exception:
        return False
    return True


def _open(function: Callable[..., Any], folder: str | None) -> Any:
    """Numba's own cache in a folder, or where it likes best; None if it finds no place that can be written."""
    config: Any = numba.config
    own = config.CACHE_DIR
    try:
        if folder is not None:
            config.CACHE_DIR = folder
        place = _numba_cache(function)
        place._cache_file = _Files(place.cache_path, place._impl.filename_base, _sources(Path(function.__code__.co_filename)))
    except Exception:
        return None
    finally:
        config.CACHE_DIR = own
    return place if folder is None or place.cache_path.startswith(folder) else None


def source_digest() -> str:
    """Digest the sources of all solvers: what has the same gives the same bits."""
    return _digest(sorted(SOLVERS.rglob("*.py")))


@cache
def _sources(path: Path) -> str:
    """Digest the source of a module with kernels and of the modules of all solvers that it imports, directly or not."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += [part for name in IMPORT.findall(here.read_bytes()) for part in _modules(name.decode())]
    return _digest(sorted(found))


def _modules(name: str) -> list[Path]:
    """The file of a module, or all those of a package."""
    place = SOLVERS.joinpath(*name.split("."))
    return [*place.rglob("*.py")] if place.is_dir() else [place.with_suffix(".py")]


def _digest(paths: list[Path]) -> str:
    digest = sha256()
    for path in paths:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _temporary_path() -> Path:
    """Where a folder for this user among the temporary files would be."""
    user = os.getuid() if hasattr(os, "getuid") else "compiled"
    return Path(tempfile.gettempdir()) / f"rollwise-{user}"


def _has_temporary() -> bool:
    try:
        return _temporary_path().exists()
    except OSError:
        return False


@lru_cache(maxsize=1)
def _temporary() -> str | None:
    """Make a folder for this user among the temporary files; None if it cannot be made, or might belong to another user."""
    try:
        folder = _temporary_path()
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    # What lies there is executed: nobody else may write into it.
    owned = not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
    return str(folder) if stat.S_ISDIR(found.st_mode) and owned else None
