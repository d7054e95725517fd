"""The files of a cache: entries that are complete or not there, checked when they are read.

An entry is a directory: one `.npy` file per array, and `manifest.json` with the size, type, shape and checksums of every array
and a digest of itself (`array_files`). It is written into a temporary directory beside its place, synced, and renamed. Whoever
comes second keeps the first one's valid entry. What a killed writer leaves is ignored, and swept later.

What is solved layer by layer, and takes long, is written in its place: `begun.json` says what it will be, and each layer has
its checksums in a journal (`layer_files`) until all are there and the manifest is written. Layers that are arrays of the entry
stay as they are.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from math import inf, nan
from pathlib import Path
from time import time
from typing import Any
from uuid import uuid4

from rollwise import __version__
from rollwise.errors import GameError
from rollwise.model.formatting import plain
from rollwise.solvers.base.array_files import MAPPED, ArrayFile, CacheError, Checked, read_facts, seal, write_array
from rollwise.solvers.base.journal import in_use
from rollwise.solvers.base.layer_files import JOURNAL, find_fault, layer_count, layer_facts, layer_files
from rollwise.solvers.base.locks import free, locked
from rollwise.solvers.base.solution import PackedSolution, Solution
from rollwise.solvers.base.writing import CannotWrite, appearing, remove, sync_folder, write_whole

__all__ = [
    "MANIFEST",
    "Arrays",
    "CacheError",
    "Entry",
    "check_folder",
    "discard",
    "entry_paths",
    "has_layers",
    "is_there",
    "list_entries",
    "read_arrays",
    "read_manifest",
    "reopen",
    "size_of",
    "solution_facts",
    "solving_in",
    "sweep",
    "write_entry",
]  # fmt: skip

FORMAT = "rollwise store 2"
MANIFEST = "manifest.json"
LEFT_OVER_SECONDS = 3600.0
"""A temporary directory older than this has no writer any more."""
BEGUN = "begun.json"
ENTRY_NAME = re.compile(r"([a-z]+-)+([0-9a-f]{16}|[0-9a-f]{24}|[0-9a-f]{8}-[0-9a-f]{16})(-float32)?")
TEMPORARY = ".part-"

Arrays = dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """An entry of a cache, as `entries` lists it. `fault` says why it cannot be used (its value is then NaN), or is None."""

    path: Path
    name: str
    parameters: Mapping[str, str]
    objective: str
    value: float
    bytes: int
    created: str
    fault: str | None


def solution_facts(solution: Solution, packed: PackedSolution) -> dict[str, Any]:
    """Give what a manifest says of a solution, or of what was computed from it, beside what only listings show."""
    head = packed.head
    return {
        "fingerprint": solution.fingerprint, "objective": packed.covers or str(solution.objective),
        "value": plain(float(solution.value())), "engine": head.engine, "seconds": head.seconds, "states": head.states,
        "pendings": head.pendings, "certificate": asdict(head.certificate), "rest": dict(packed.rest),
    }  # fmt: skip


def read_manifest(path: Path) -> dict[str, Any]:
    """Read the manifest of an entry. Raises `CacheError` if it is damaged, foreign or outdated."""
    manifest = read_facts(path, MANIFEST, "manifest", FORMAT)
    if manifest.get("rollwise") != __version__:
        raise CacheError(path, f"is outdated: written by rollwise {manifest.get('rollwise')}, this is {__version__}")
    if manifest["key"] != path.name:
        raise CacheError(path, f"belongs to another game: its key is {manifest['key']!r}")
    return manifest


def read_arrays(path: Path, manifest: dict[str, Any], *, lazy: str = "") -> Arrays:
    """Read every array, comparing its contents, or map it where all are large; those that match `lazy` are read where needed."""
    found = _files(path, manifest)
    lazily = {name for name in found if fnmatchcase(name, lazy)}
    mapped = sum(file.bytes for name, file in found.items() if name not in lazily) >= MAPPED
    return {name: Checked(file) if name in lazily else file.read(mapped=mapped) for name, file in found.items()}


def _files(path: Path, manifest: dict[str, Any]) -> dict[str, ArrayFile]:
    """Look for the files of every array; of its contents nothing is compared."""
    names = {name: f"{name}.npy" for name in manifest["arrays"] if re.fullmatch(r"[a-z_]+|layer-\d{2}", name)}
    if len(names) < len(manifest["arrays"]):
        raise CacheError(path, "is damaged: its manifest names arrays that are none")
    return {name: ArrayFile.find(path, file, manifest["arrays"][name]) for name, file in names.items()}


def write_entry(target: Path, facts: dict[str, Any], arrays: Arrays) -> None:
    """Write an entry, complete or not at all; a valid one that is there stays. `facts` go into the manifest.

    Raises `CacheError` where it cannot be written.
    """
    part = target.with_name(f"{TEMPORARY}{uuid4().hex}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep(target.parent)
        with locked(part):
            manifest = _write_files(part, {"format": FORMAT, "rollwise": __version__, "key": target.name, **facts}, arrays)
            _put(part, target, manifest)
    except OSError as error:
        raise CacheError(target, f"cannot be written: {error.strerror or error}") from None
    except CannotWrite as error:
        raise CacheError(target, f"cannot be written: {error}") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _write_files(part: Path, facts: dict[str, Any], arrays: Arrays) -> dict[str, Any]:
    """Write all files of an entry and make sure that they are on disk; return its manifest. Raises `CannotWrite`."""
    there = layer_facts(part)
    manifest = {**facts, "arrays": {name: there.get(name) or _write_array(part, name, arrays[name]) for name in arrays}}
    _write_facts(part / MANIFEST, manifest)
    return manifest


def _write_array(part: Path, name: str, values: Any) -> dict[str, Any]:
    with appearing(part / f"{name}.npy") as stream:
        return write_array(stream, values)


def _write_facts(file: Path, facts: dict[str, Any]) -> None:
    if file.is_dir():
        remove(file)
    write_whole(file, seal(facts))


# Entries that are solved layer by layer


@contextmanager
def solving_in(target: Path, facts: dict[str, Any]) -> Iterator[Callable[[dict[str, Any], Arrays], None]]:
    """Hold an entry while it is solved layer by layer; `facts` say what it will be.

    Gives what is called with the facts of the manifest and the arrays when it is solved; layers that are not among the arrays
    then go. If no layer is written, nothing stays. Raises `OSError` where there is no such place.
    """
    if os.path.lexists(target) and not (target.is_dir() and not target.is_symlink()):
        remove(target)
    sweep(target.parent)
    with locked(target):
        try:
            with suppress(CannotWrite):
                _write_facts(target / BEGUN, {"format": FORMAT, "rollwise": __version__, "key": target.name, **facts})
            yield lambda more, arrays: _finish(target, more, arrays)
        finally:
            if not (has_layers(target) or os.path.lexists(target / MANIFEST) or in_use(target / JOURNAL)):
                with suppress(OSError):
                    for file in (target / BEGUN, *layer_files(target)):
                        remove(file)
                    target.rmdir()


def _finish(target: Path, facts: dict[str, Any], arrays: Arrays) -> None:
    """Make an ordinary entry of one whose layers are all there; one of which some could not be written stays unfinished."""
    there, layers = layer_count(target)
    if there < layers or not there:
        return
    try:
        _write_files(target, {"format": FORMAT, "rollwise": __version__, "key": target.name, **facts}, arrays)
    except (OSError, CannotWrite) as error:
        raise CacheError(target, f"cannot be written: {error}") from None
    kept = {JOURNAL, *(f"{name}.npy" for name in arrays)} if arrays.keys() & layer_facts(target).keys() else set()
    for file in [target / BEGUN, *layer_files(target)]:
        if file.name not in kept:
            with suppress(OSError):
                remove(file)


def is_there(path: Path) -> bool:
    """Say whether an entry is there that is, or should be, finished."""
    return os.path.lexists(path) and not (has_layers(path) and not os.path.lexists(path / MANIFEST))


def has_layers(path: Path) -> bool:
    """Say whether an entry has layers to resume from."""
    return path.is_dir() and not path.is_symlink() and layer_count(path)[0] > 0


def reopen(path: Path) -> None:
    """Make an entry that cannot be used one to be solved again: from its layers, if it has any, else from nothing."""
    if not has_layers(path):
        discard(path)
        return
    with suppress(OSError):
        remove(path / MANIFEST)


def _put(part: Path, target: Path, manifest: dict[str, Any]) -> None:
    """Give a finished entry its name. One with the same contents that is there stays; any other makes way."""
    if os.path.lexists(target):
        try:
            there = read_manifest(target)
            for file in _files(target, there).values():
                file.compare()
            if there["arrays"] == manifest["arrays"]:
                return
        except CacheError:
            pass
        discard(target)
    try:
        part.rename(target)
    except OSError:
        if not target.exists():
            raise
        return
    sync_folder(target.parent)


def check_folder(directory: Path) -> None:
    """Refuse a cache that is there and cannot be looked into. Raises `GameError`."""
    try:
        next(directory.iterdir(), None)
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise GameError(f"{str(directory)!r} is no folder: give the folder in which solved games are cached") from None
    except (OSError, ValueError) as error:
        raise GameError(f"{str(directory)!r} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def list_entries(directory: Path, *, whole: bool) -> Iterator[Entry]:
    """List the entries of a cache; with `whole`, compare the checksums of all arrays."""
    for path in entry_paths(directory):
        begun = not os.path.lexists(path / MANIFEST) and os.path.lexists(path / BEGUN)
        yield _begun_entry(path, whole) if begun else _whole_entry(path, whole)


def _whole_entry(path: Path, whole: bool) -> Entry:
    manifest: dict[str, Any] = {}
    fault = None
    try:
        manifest = read_manifest(path)
        for file in _files(path, manifest).values():
            if whole:
                file.compare()
    except CacheError as error:
        fault = error.reason
    value = manifest.get("value", nan)
    # A value that is text says that the game cannot be ended.
    return _entry(path, manifest, inf if isinstance(value, str) else value, fault)


def _begun_entry(path: Path, whole: bool) -> Entry:
    """An entry that is being solved, or was stopped in the middle of that."""
    facts: dict[str, Any] = {}
    try:
        facts = read_facts(path, BEGUN, BEGUN, FORMAT)
        if facts["key"] != path.name:
            raise CacheError(path, f"has no readable {BEGUN}")
        done, layers = layer_count(path)
        facts["objective"] = f"{facts['objective']}: {done} of {layers or '?'} layers"
        fault = find_fault(path, whole=whole)
    except CacheError as error:
        fault, facts = f"{error.reason}: solve it again", {}
    return _entry(path, facts, nan, fault)


def _entry(path: Path, facts: dict[str, Any], value: float, fault: str | None) -> Entry:
    name, objective, created = (printable(facts.get(key, "?")) for key in ("name", "objective", "created"))
    parameters = {printable(key): printable(text) for key, text in facts.get("parameters", {}).items()}
    told = None if fault is None else printable(fault)
    return Entry(path, name, parameters, objective, value, size_of(path), created, told)


def printable(text: object) -> str:
    """Give text as it can be shown in a line, whatever a file contains."""
    return "".join(sign if sign.isprintable() else "?" for sign in str(text))


def size_of(path: Path) -> int:
    """Say how much an entry takes on disk."""
    try:
        return sum(file.lstat().st_size for file in path.iterdir()) if path.is_dir() else path.lstat().st_size
    except OSError:
        return 0


def entry_paths(directory: Path) -> list[Path]:
    """List what has the name of an entry."""
    return [path for path in _inside(directory) if ENTRY_NAME.fullmatch(path.name)]


def _inside(directory: Path) -> list[Path]:
    try:
        return sorted(directory.iterdir())
    except OSError:
        return []


def discard(path: Path) -> bool:
    """Remove an entry: out of the way in one step, then file by file; readers that have it mapped keep what they see.

    Gives False, and leaves it, if another process is at work in it.
    """
    aside = path.with_name(f"{TEMPORARY}{uuid4().hex}")
    with free(path) as nobody:
        if nobody:
            with suppress(OSError):
                path.rename(aside)
                remove(aside)
    return nobody


def sweep(directory: Path, age: float = LEFT_OVER_SECONDS) -> None:
    """Remove what writers left that were killed more than `age` seconds ago."""
    for path in _inside(directory):
        if path.name.startswith(TEMPORARY) and _age(path) >= age:
            with free(path) as nobody:
                if nobody:
                    remove(path)


def _age(path: Path) -> float:
    try:
        return time() - path.lstat().st_mtime
    except OSError:
        return 0.0
