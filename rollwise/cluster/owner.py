"""Who drives a folder: one process at a time, on whichever machine.

The lock is a file, `lock`, that says who holds it. Where the file system has locks (`flock`) the system lets go of it when its
holder dies. Some network drives have none that reach other machines: there, whoever holds it touches the file every few seconds,
and counts as dead when that was long ago by the file server's clock. Even if two drivers met, the values would be right, as
chunks have names of their own; a driver that finds another's name in its lock stops.
"""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

from rollwise.errors import GameError
from rollwise.solvers.base.writing import CannotWrite

try:
    import fcntl
except ImportError:  # pragma: no cover
    fcntl = None  # type: ignore[assignment]

__all__ = ["Owner", "owned", "owner_of"]

LOCK = "lock"
BEAT_SECONDS = 5.0
TRIES = 4
DEAD_SECONDS = 60.0
"""A driver on another machine that has not been heard of for this time is dead."""


class Owner:
    """The holder of a folder."""

    def __init__(self, folder: Path, handle: int) -> None:
        self.path, self.handle, self.token = folder / LOCK, handle, uuid4().hex
        self._beaten = monotonic()
        self._write({"token": self.token, "host": socket.gethostname(), "pid": os.getpid(), "started": _started(os.getpid())})

    def beat(self) -> None:
        """Say that the holder lives. Raises `GameError` if another has taken over."""
        if monotonic() - self._beaten < BEAT_SECONDS:
            return
        self._beaten = monotonic()
        if _content(self.path).get("token") != self.token:
            raise GameError(f"another driver has taken {str(self.path.parent)!r} over: this one stops")
        with suppress(OSError):
            os.utime(self.path)

    def release(self) -> None:
        """Let go."""
        if _content(self.path).get("token") == self.token:
            self._write({})
        os.close(self.handle)

    def _write(self, facts: dict[str, Any]) -> None:
        content = json.dumps(facts).encode()
        os.ftruncate(self.handle, 0)
        os.lseek(self.handle, 0, os.SEEK_SET)
        os.write(self.handle, content)
        os.fsync(self.handle)


@contextmanager
def owned(folder: Path) -> Iterator[Owner]:
    """Hold a folder alone. Raises `GameError` that says who holds it, `CannotWrite` where nothing can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise CannotWrite(f"cannot use the directory {str(folder)!r}: {error.strerror or error}") from None
    try:
        other = None if _locked(handle, tries=TRIES) else {"pid": "?", "host": "?", **_content(folder / LOCK)}
        other = other or _living(folder)
        if other:
            raise GameError(
                f"{str(folder)!r} is being solved by process {other['pid']} on {other['host']}: wait for it, or stop it first"
            )
        owner = Owner(folder, handle)
    except BaseException:
        os.close(handle)
        raise
    try:
        yield owner
    finally:
        owner.release()


def owner_of(folder: Path) -> dict[str, Any] | None:
    """Say who drives a folder; None if nobody does."""
    try:
        handle = os.open(folder / LOCK, os.O_RDONLY)
    except OSError:
        return None
    try:
        facts = _content(folder / LOCK)
        return facts if facts and (not _locked(handle) or _living(folder)) else None
    finally:
        os.close(handle)


def _locked(handle: int, tries: int = 1) -> bool:
    """Lock a file; False if somebody has it. Where there are no locks, that is not known, and so True.

    Who only looks has it for a moment: more than one try tells him from a holder.
    """
    if fcntl is None:  # pragma: no cover
        return True
    for again in range(tries):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sleep(0.05 * (again + 1 < tries))
        except OSError:
            return True
        else:
            return True
    return False


def _living(folder: Path) -> dict[str, Any] | None:
    """Say who is named in a lock and may still live; None if there is nobody, or he is dead."""
    facts = _content(folder / LOCK)
    if not facts:
        return None
    if facts.get("host") == socket.gethostname():
        started = _started(facts.get("pid", 0))
        alive = started is not None and started == facts.get("started")
    else:
        alive = _age(folder) < DEAD_SECONDS
    return facts if alive else None


def _age(folder: Path) -> float:
    """How long ago a lock was touched, by the clock of the machine that has the folder."""
    try:
        with NamedTemporaryFile(dir=folder, prefix="clock-") as now:
            return os.fstat(now.fileno()).st_mtime - (folder / LOCK).stat().st_mtime
    except OSError:
        return 0.0


def _content(path: Path) -> dict[str, Any]:
    try:
        facts = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _started(pid: int) -> float | None:
    """When a process of this machine was started; None if there is none."""
    import psutil  # noqa: PLC0415  (it takes a while to import)

    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else round(process.create_time(), 1)
    except (psutil.Error, ValueError, TypeError):
        return None
