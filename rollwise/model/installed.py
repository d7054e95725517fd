"""What installed packages add: the entry points `rollwise.games`, `rollwise.objectives` and `rollwise.solvers`.

A package names what it adds in its metadata, for example in pyproject.toml:

    [project.entry-points."rollwise.games"]
    craps = "my_games.craps:Craps"

Packages are looked through when a name is not known, or all are listed; what is found is imported when it is used.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from os import scandir
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError, brief

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["installed", "load_installed"]


@cache
def installed(group: str) -> Mapping[str, "EntryPoint"]:
    """Find what installed packages add to a group, by name."""
    if not any(_names(place, group) for place in sys.path):
        return {}
    # Takes longer than all that `import rollwise` does, and hardly anybody has such a package.
    from importlib.metadata import entry_points  # noqa: PLC0415

    return {point.name: point for point in entry_points(group=group)}


def _names(place: str, group: str) -> bool:
    """Say whether a package in a place of Python's path may add to a group; where it cannot be told, it may."""
    if Path(place).is_file():
        return True
    return any(about is None or group in about for about in _abouts(place or "."))


def _abouts(folder: str) -> Iterator[str | None]:
    """Read what the packages in a folder add to others; None for one that is packed into a file or a folder of its own."""
    with suppress(OSError), scandir(folder) as found:
        for entry in found:
            if entry.name.endswith((".dist-info", ".egg-info")):
                with suppress(OSError):
                    yield Path(entry.path, "entry_points.txt").read_text(encoding="utf-8", errors="replace")
            elif entry.name.endswith(".egg") or entry.name == "EGG-INFO":
                yield None


def load_installed(point: "EntryPoint", wanted: type) -> Any:
    """Import what a package adds: `wanted`, or a class of it. Raises `GameError`, naming the package, for anything else."""
    package = f"the package {point.dist.name}" if point.dist else "a package"
    what = f"{point.group} {point.name!r}, which {package} adds,"
    try:
        found = point.load()
    except (Exception, SystemExit) as error:
        why = f"{type(error).__name__}: {error}"
        raise GameError(f"{what} cannot be imported from {point.value}: {why}; update or uninstall it") from error
    if isinstance(found, wanted) or (isinstance(found, type) and issubclass(found, wanted)):
        return found
    raise GameError(f"{what} is {brief(found)}: expected a {wanted.__name__}; update or uninstall it")
