"""Files that appear complete or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import NamedTemporaryFile
from typing import IO

from rollwise.errors import GameError

__all__ = ["CannotWrite", "appearing", "remove", "sync_folder", "write_whole"]


class CannotWrite(GameError):
    """A file cannot be written where it should be."""


@contextmanager
def appearing(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file that gets its name when everything is written, and goes away if anything fails.

    Raises `CannotWrite` where that is not possible.
    """
    try:
        with NamedTemporaryFile("wb", dir=path.parent, suffix=".part", delete=False) as part:
            try:
                yield part
                part.flush()
                os.fsync(part.fileno())
                part.close()  # an open file cannot be given another name everywhere
                Path(part.name).chmod(0o666 & ~_umask())
                Path(part.name).replace(path)
                sync_folder(path.parent)
            except BaseException:
                part.close()
                Path(part.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise CannotWrite(f"cannot write {str(path)!r}: {error.strerror or error}") from None


def write_whole(path: Path, text: str) -> None:
    """Write a text file. Raises `CannotWrite` where that is not possible."""
    with appearing(path) as part:
        part.write(text.encode())


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on disk, where a folder can be opened."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove(path: Path) -> None:
    """Remove what has this name, a directory with all that is in it; of a link, the link."""
    if path.is_dir() and not path.is_symlink():
        rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
