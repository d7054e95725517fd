"""Journals: what was done, a line each, so that work that was stopped is resumed where it stopped.

The first line, the head, says what the journal is about. Each line is a JSON object followed by a checksum of itself and of the
head. A line that does not fit, or was cut off, counts as not written: what it recorded is done again. A killed process loses
nothing, a machine that loses its power at most what was written in the last moment. One process at a time has a journal open.
"""

import json
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from rollwise.solvers.base.locks import lock_alone
from rollwise.solvers.base.writing import CannotWrite

__all__ = ["InUse", "Journal", "Line", "in_use", "read_journal"]

Line = dict[str, Any]
SYNC_SECONDS = 0.2
TRIES = 4
"""Attempts to lock a journal: a process that only asks whether it is in use holds the lock for a moment."""


class InUse(CannotWrite):
    """Another process has the journal open."""


class Journal:
    """An open journal: its `head` (None if it has none), its `lines`, and how many were `dropped` as they do not fit.

    Raises `InUse`, and `CannotWrite` where nothing can be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = path.open("a+b")
            try:
                self._lock()
                self._file.seek(0)
                content = self._file.read()
                self.head, self.lines, self.dropped = _parse(content)
                self.foreign = self.head is None and b"\n" in content
                if not self.foreign:
                    self._file.truncate(content.rfind(b"\n") + 1)
            except BaseException:
                self._file.close()
                raise
        except OSError as error:
            raise self._fault(error) from None
        self._synced = monotonic()

    def _lock(self) -> None:
        for again in range(TRIES):
            if lock_alone(self._file.fileno()):
                return
            sleep(0.05 * (again + 1 < TRIES))
        raise InUse(f"{str(self.path)!r} is in use by another process: wait for it, or stop it first")

    def begin(self, head: Line) -> None:
        """Begin again with a head. Raises `CannotWrite`."""
        try:
            self._file.truncate(0)
        except OSError as error:
            raise self._fault(error) from None
        self.head, self.lines, self.dropped = head, [], 0
        self._write(b"", head)

    def add(self, line: Line) -> None:
        """Write a line. Raises `CannotWrite`."""
        self._write(_text(self.head), line)

    def _write(self, head: bytes, line: Line) -> None:
        text = _text(line)
        try:
            self._file.write(b"%s %s\n" % (text, _checksum(head, text)))
            self._file.flush()
            if monotonic() - self._synced > SYNC_SECONDS:
                os.fsync(self._file.fileno())
                self._synced = monotonic()
        except OSError as error:
            raise self._fault(error) from None

    def close(self) -> None:
        """Make sure that all is on disk, and let others have it; what could not be written was reported before."""
        with suppress(OSError):
            os.fsync(self._file.fileno())
        with suppress(OSError):
            self._file.close()

    def _fault(self, error: OSError) -> CannotWrite:
        return CannotWrite(f"cannot write {str(self.path)!r}: {error.strerror or error}")


def read_journal(path: Path) -> tuple[Line | None, list[Line], int]:
    """Read a journal: its head, its lines, and how many do not fit, even while it is written; (None, [], 0) if there is none."""
    try:
        return _parse(path.read_bytes())
    except OSError:
        return None, [], 0


def in_use(path: Path) -> bool:
    """Say whether a process has a journal open."""
    try:
        with path.open("r+b") as file:
            return not lock_alone(file.fileno())
    except OSError:
        return False


def _parse(content: bytes) -> tuple[Line | None, list[Line], int]:
    lines = content.split(b"\n")[:-1]
    head = _read(b"", lines[0]) if lines else None
    if head is None:
        return None, [], 0
    found = [_read(_text(head), line) for line in lines[1:]]
    return head, [line for line in found if line is not None], found.count(None)


def _read(head: bytes, line: bytes) -> Line | None:
    text, _, checksum = line.rpartition(b" ")
    if checksum != _checksum(head, text):
        return None
    found = json.loads(text)
    return found if isinstance(found, dict) else None


def _text(line: Line | None) -> bytes:
    return json.dumps(line, sort_keys=True).encode()


def _checksum(head: bytes, text: bytes) -> bytes:
    return sha256(head + b"\n" + text).hexdigest()[:16].encode()
