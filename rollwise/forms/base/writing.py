"""Files that appear complete or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from rollwise.errors import GameError

__all__ = ["appearing", "write_whole"]


@contextmanager
def appearing(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file that gets its name when everything is written, and goes away if anything fails.

    Raises `GameError` where that is not possible.
    """
    try:
        with NamedTemporaryFile("wb", dir=path.parent, suffix=".part", delete=False) as part:
            try:
                yield part
                part.flush()
                os.fsync(part.fileno())
                Path(part.name).chmod(0o666 & ~_umask())
                Path(part.name).replace(path)
            except BaseException:
                Path(part.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise GameError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


def write_whole(path: Path, text: str) -> None:
    """Write a text file. Raises `GameError` where that is not possible."""
    with appearing(path) as part:
        part.write(text.encode())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
