"""Directories that are in use, so that nobody removes them: locks that end with the process that holds them.

The lock is on the directory itself, so it leaves no file behind. Several may hold a directory at once; who wants to remove it
must have it alone. Where there are no such locks (other systems, some network drives), nothing counts as in use.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # pragma: no cover
    fcntl = None  # type: ignore[assignment]

__all__ = ["free", "lock_alone", "locked"]


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Make a directory and hold it. Raises `OSError` where it cannot be made."""
    if fcntl is None:
        directory.mkdir(parents=True, exist_ok=True)
        yield
        return
    handle = _hold(directory)
    try:
        yield
    finally:
        os.close(handle)


def _hold(directory: Path) -> int:
    """Lock a directory that is still there when it is locked: another process may just be removing it."""
    while True:
        directory.mkdir(parents=True, exist_ok=True)
        handle = os.open(directory, os.O_RDONLY)
        _lock(handle, alone=False)
        try:
            if os.path.samestat(os.fstat(handle), directory.stat()):
                return handle
        except OSError:
            pass
        os.close(handle)


@contextmanager
def free(directory: Path) -> Iterator[bool]:
    """Say whether nobody holds a directory; nobody can while this lasts."""
    if fcntl is None:
        yield True
        return
    try:
        handle = os.open(directory, os.O_RDONLY | os.O_NONBLOCK | os.O_DIRECTORY)
    except OSError:
        yield True
        return
    try:
        yield _lock(handle, alone=True)
    finally:
        os.close(handle)


def lock_alone(handle: int) -> bool:
    """Lock an open file for this process alone, until it is closed; False if another process has it."""
    return _lock(handle, alone=True)


def _lock(handle: int, *, alone: bool) -> bool:
    """Lock a directory, waiting for the others unless it shall be ours alone; False if another process has it."""
    if fcntl is None:  # pragma: no cover
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB if alone else fcntl.LOCK_SH)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True
