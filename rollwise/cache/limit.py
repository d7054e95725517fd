"""How large a cache may grow: after every write, what is over the limit is removed.

The remains of stopped solves go first, then the least recently used entries; never the one that was just written, nor one that
another process is writing. Readers keep what they have opened. The limit is a number of bytes in the file `limit` of the
directory; without it, the user's cache has `DEFAULT_LIMIT`, and a directory that was named has none.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from os import PathLike
from pathlib import Path

import platformdirs

from rollwise.cache.files import MANIFEST, CacheError, discard, entry_paths, size_of
from rollwise.solvers.base.writing import CannotWrite, write_whole

__all__ = ["cache_directory", "limit_of", "mark_used", "set_limit", "trim", "wrote"]

DEFAULT_LIMIT = 5 * 10**9
LARGE = 500 * 10**6
"""A cache that grows beyond this is worth a word."""
LIMIT = "limit"


def cache_directory() -> Path:
    """Return the folder of the user's cache: on Linux `$XDG_CACHE_HOME/rollwise`, or `~/.cache/rollwise`."""
    folder = Path(platformdirs.user_cache_dir("rollwise", appauthor=False))
    try:
        return folder if folder.is_absolute() else Path.home() / ".cache" / "rollwise"
    except RuntimeError:
        raise CacheError(Path("~/.cache"), "has no place, as this user has no home: set XDG_CACHE_HOME or do without") from None


def limit_of(directory: str | PathLike[str]) -> int | None:
    """Return the size limit of a cache in bytes; None for no limit."""
    with suppress(OSError, ValueError):
        return int(Path(directory, LIMIT).read_text())
    with suppress(CacheError):
        return DEFAULT_LIMIT if Path(directory) == cache_directory() else None
    return None


def set_limit(directory: str | PathLike[str], size: int) -> None:
    """Set the size limit of a cache in bytes. Raises `CacheError` where it cannot be written."""
    try:
        Path(directory).mkdir(parents=True, exist_ok=True)
        write_whole(Path(directory, LIMIT), f"{size}\n")
    except (OSError, CannotWrite) as error:
        raise CacheError(Path(directory), f"cannot be limited: {error}") from None


def mark_used(path: Path) -> None:
    """Note that an entry was used just now, where there is a limit."""
    if limit_of(path.parent) is not None:
        with suppress(OSError):
            os.utime(path / MANIFEST)


def trim(directory: str | PathLike[str], spare: Path | None = None) -> list[Path]:
    """Remove entries until a cache is within its size limit, except the entry `spare`; return those that were removed."""
    limit, removed = limit_of(directory), list[Path]()
    if limit is None:
        return []
    sizes = {path: size_of(path) for path in entry_paths(Path(directory))}
    left = sum(sizes.values())
    for path in sorted(sizes, key=_last_used):
        if left <= limit:
            break
        if path != spare and discard(path):
            left -= sizes[path]
            removed.append(path)
    return removed


def _last_used(path: Path) -> tuple[bool, float]:
    """Order entries: those without a manifest, which nobody finished, first; then by the time of their last use."""
    finished = os.path.lexists(path / MANIFEST)
    try:
        return finished, (path / MANIFEST if finished else path).lstat().st_mtime
    except OSError:
        return finished, 0.0


def wrote(path: Path, tell: Callable[[str], None]) -> None:
    """Keep to the limit after an entry was written; `tell` in a line what was removed, or that the cache has become large."""
    directory = path.parent
    limit = limit_of(directory)
    if limit is None:
        return
    removed = trim(directory, spare=path)
    if removed:
        tell(
            f"the cache exceeded its limit of {limit / 1e9:g} GB: {len(removed)} entries were removed, stopped solves first, "
            "then the least recently used; 'rollwise cache limit SIZE' sets another limit"
        )
        return
    size = sum(map(size_of, entry_paths(directory)))
    if size - size_of(path) < LARGE <= size:
        grown = f"has grown to {size / 1e6:,.0f} MB (limit {limit / 1e9:g} GB)"
        tell(f"the cache in {str(directory)!r} {grown}: see 'rollwise cache list'")
