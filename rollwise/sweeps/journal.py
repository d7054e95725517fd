"""The journal of a sweep: what was solved, a line each, so that a sweep that was stopped goes on where it stopped.

The first line says what is swept; another sweep is refused. Lines are written as results come, and are on disk a moment later
(a killed process loses nothing, a machine that loses its power at most what came in that moment). Each ends with a checksum of
itself and of the first line; one that does not fit is dropped, and computed again. Nobody else writes while a sweep is going on.
"""

import json
import os
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import IO, Any

from rollwise.errors import GameError
from rollwise.solvers.base.locks import lock_alone
from rollwise.solvers.base.writing import CannotWrite

__all__ = ["Journal"]

Result = dict[str, Any]
FORMAT = "rollwise sweep 2"
FLUSH_SECONDS = 0.2


class Journal:
    """Results by combination, in memory only unless there is a path."""

    def __init__(self, path: Path | None, command: dict[str, Any]) -> None:
        self.path, self.command = path, command
        self.results: dict[tuple[str, ...], Result] = {}
        self.file: IO[bytes] | None = None
        self.flushed = monotonic()
        self.dropped = 0

    def __enter__(self) -> "Journal":
        if self.path is not None:
            try:
                self.file = self._open(self.path)
            except OSError as error:
                raise self._fault(error) from None
        return self

    def __exit__(self, *_: object) -> None:
        if self.file is not None:
            self._sync(self.file)
            self.file.close()

    def _open(self, path: Path) -> IO[bytes]:
        file = path.open("a+b")
        try:
            if not lock_alone(file.fileno()):
                raise GameError(f"another sweep is writing {str(path)!r}: wait for it, or name another file")
            file.seek(0)
            whole = self._read(path, file.read())
            file.truncate(whole)
            if not whole:
                self._write(file, self._head)
        except BaseException:
            file.close()
            raise
        return file

    def _read(self, path: Path, content: bytes) -> int:
        """Take the results of whole lines over, and drop those that do not fit; give how many bytes they are."""
        whole = content.rfind(b"\n") + 1
        lines = content[:whole].split(b"\n")[:-1]
        try:
            self._compare(path, json.loads(lines[0])) if lines else None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            if isinstance(error, GameError):
                raise
            raise GameError(f"{str(path)!r} is not the journal of a sweep: remove it, or name another file") from None
        for line in lines[1:]:
            written = line[: -len(self._checksum(b""))]
            if line[len(written) :] == self._checksum(written):
                one = json.loads(written)
                self.results[tuple(one["at"])] = one["result"]
            else:
                self.dropped += 1
        return whole

    @property
    def _head(self) -> bytes:
        return json.dumps({"format": FORMAT, **self.command}).encode()

    def _checksum(self, written: bytes) -> bytes:
        """What follows a result on its line."""
        return b" " + sha256(self._head + b"\n" + written).hexdigest()[:16].encode()

    def _compare(self, path: Path, head: dict[str, Any]) -> None:
        """Refuse the journal of another sweep, and say what differs."""
        if head.get("format") != FORMAT:
            raise KeyError("format")
        ours = json.loads(json.dumps(self.command))
        other = next((name for name in ours if head.get(name) != ours[name]), None)
        if other is not None:
            word = WORDS.get(other, other)
            raise GameError(f"{str(path)!r} is of another sweep ({word} differs): name another file with -o, or remove it")

    def add(self, at: tuple[str, ...], result: Result) -> None:
        """Write a result down. Raises `CannotWrite` where that is not possible."""
        self.results[at] = result
        if self.file is not None:
            try:
                written = json.dumps({"at": at, "result": result}).encode()
                self._write(self.file, written + self._checksum(written))
            except OSError as error:
                raise self._fault(error) from None

    def _write(self, file: IO[bytes], line: bytes) -> None:
        file.write(line + b"\n")
        file.flush()
        if monotonic() - self.flushed > FLUSH_SECONDS:
            self._sync(file)

    def _sync(self, file: IO[bytes]) -> None:
        os.fsync(file.fileno())
        self.flushed = monotonic()

    def _fault(self, error: OSError) -> CannotWrite:
        return CannotWrite(f"cannot write {str(self.path)!r}: {error.strerror or error}")


WORDS = {
    "version": "the version of rollwise", "game": "the game", "rules": "the text of the game's file", "parameters": "-p",
    "over": "--over", "aim": "what is played for", "exact": "--exact", "max_states": "--max-states", "spreads": "--only-values",
    "find": "--find",
}  # fmt: skip
"""How what a sweep is made of is called on the command line."""
