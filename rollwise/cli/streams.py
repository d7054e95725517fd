"""Standard streams that are closed, full or left by their reader: one line or silence, never a traceback.

standard output    a fault is told from that of any other file: `OutputError`, or `ReaderLeft` where nobody reads any more
standard error     what cannot be said there is not said
standard input     one line where it is closed or is not text
"""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from rollwise.errors import GameError, RollwiseError

__all__ = ["BROKEN_PIPE", "OutputError", "ReaderLeft", "guarded_streams", "need_input", "read_input"]

BROKEN_PIPE = 141
"""The exit code of a program whose output nobody reads any more, as shells give it: 128 and the number of SIGPIPE."""
BOM = "\ufeff"


class OutputError(RollwiseError):
    """Standard output cannot be written to."""


class ReaderLeft(Exception):
    """The reader of standard output has left."""


class _Output:
    """Standard output, whose faults have a name."""

    def __init__(self, stream: TextIO | io.TextIOBase) -> None:
        self.stream, self.used = stream, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        self.used = True
        with _named_faults():
            return self.stream.write(text)

    def flush(self) -> None:
        with _named_faults():
            self.stream.flush()


@contextmanager
def _named_faults() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise ReaderLeft from None
    except OSError as error:
        raise OutputError(f"cannot write to standard output: {error.strerror or error}") from None


class _Errors:
    """Standard error, which never fails."""

    def __init__(self, stream: TextIO | io.TextIOBase) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        with suppress(OSError):
            self.stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self.stream.flush()


class _Closed(io.TextIOBase):
    """A standard output that is closed."""

    def write(self, text: str) -> int:
        raise OSError("it is closed")


class _Nowhere(io.TextIOBase):
    """A standard error that is closed."""

    def write(self, text: str) -> int:
        return len(text)


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Run a command with streams whose faults are one line or silence, also when the interpreter ends."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _occupy()
    before = sys.stdout, sys.stderr
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names that the terminal's alphabet lacks are written as codes.
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.stdout = _Output(sys.stdout or _Closed())
    sys.stderr = _Errors(sys.stderr or _Nowhere())
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        _let_go(sys.stdout)
        _let_go(sys.stderr)


def _occupy() -> None:
    """Give the numbers of closed streams to the null device, so that no file of ours gets one of them."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _let_go(stream: TextIO | None) -> None:
    """Write what is left; if that is not possible, let the interpreter write it to nowhere when it ends."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        with suppress(OSError):
            os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def need_input(what: str) -> TextIO:
    """Give standard input, from which `what` is to be read. Raises `GameError` if it is closed."""
    if sys.stdin is None:
        raise GameError(f"standard input is closed: expected {what}")
    return sys.stdin


def read_input(what: str) -> str:
    """Read all of standard input. Raises `GameError` where that is not possible."""
    stream = need_input(what)
    try:
        return stream.read().removeprefix(BOM)
    except UnicodeDecodeError:
        raise GameError(f"standard input is not text in UTF-8: expected {what}") from None
    except OSError as error:
        raise GameError(f"cannot read standard input: {error.strerror or error}; expected {what}") from None
