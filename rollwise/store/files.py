"""The files of a store: entries that are complete or not there, checked when they are read.

An entry is a directory: one `.npy` file per array, and `manifest.json` with the size, type, shape and SHA-256 of every array and
a digest of itself. It is written into a temporary directory beside its place, synced, and renamed. Whoever comes second keeps
the first one's valid entry. What a killed writer leaves is ignored, and swept later.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any
from uuid import uuid4

import numpy as np

from rollwise import __version__
from rollwise.errors import RollwiseError

__all__ = [
    "Arrays", "Entry", "StoreError", "check_contents", "discard", "entry_paths", "list_entries", "map_arrays", "read_manifest",
    "sweep", "write_entry",
]  # fmt: skip

FORMAT = "rollwise store 1"
MANIFEST = "manifest.json"
LEFT_OVER_SECONDS = 3600.0
"""A temporary directory older than this has no writer any more."""
ENTRY_NAME = re.compile(r"(sheet|points|words|groups)-[0-9a-f]{24}|graph-[0-9a-f]{8}-[0-9a-f]{16}")
TEMPORARY = ".part-"

Arrays = dict[str, Any]


class StoreError(RollwiseError):
    """A stored solution is damaged, foreign or outdated, or cannot be written; `path` is its entry."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"stored solution {str(path)!r} {reason}")
        self.path, self.reason = path, reason


@dataclass(frozen=True)
class Entry:
    """An entry of a store, as `entries` lists it. `fault` says why it cannot be used (its value is then NaN); None if it can."""

    path: Path
    name: str
    parameters: Mapping[str, str]
    objective: str
    value: float
    bytes: int
    created: str
    fault: str | None


def read_manifest(path: Path) -> dict[str, Any]:
    """Read the manifest of an entry. Raises `StoreError` if it is damaged, foreign or outdated."""
    try:
        manifest = json.loads((path / MANIFEST).read_bytes())
    except (OSError, ValueError) as error:
        raise StoreError(path, f"has no readable manifest ({type(error).__name__})") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise StoreError(path, f"has another format: expected {FORMAT!r}")
    if manifest.pop("checksum", None) != _manifest_digest(manifest):
        raise StoreError(path, "has a manifest that was changed")
    if manifest.get("rollwise") != __version__:
        raise StoreError(path, f"is outdated: written by rollwise {manifest.get('rollwise')}, this is {__version__}")
    if manifest.get("key") != path.name:
        raise StoreError(path, f"belongs to another game: its key is {manifest.get('key')!r}")
    return manifest


def _manifest_digest(manifest: dict[str, Any]) -> str:
    return sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def map_arrays(path: Path, manifest: dict[str, Any]) -> Arrays:
    """Memory-map every array, after checking its file's size, type and shape.

    Copy on write: the file never changes, and compiled code meets the same kind of array as after solving.
    """
    return {name: _map_array(path, f"{name}.npy", facts) for name, facts in manifest["arrays"].items()}


def _map_array(path: Path, name: str, facts: dict[str, Any]) -> Any:
    size = _file_size(path / name)
    if size != facts["bytes"]:
        raise StoreError(path, f"is damaged: {name} has {size:,} bytes, expected {facts['bytes']:,}")
    try:
        # An empty file region cannot be mapped.
        array = np.load(path / name, mmap_mode="c" if 0 not in facts["shape"] else None, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise StoreError(path, f"is damaged: {name} cannot be read ({type(error).__name__})") from None
    if [str(array.dtype), list(array.shape)] != [facts["dtype"], facts["shape"]]:
        raise StoreError(path, f"is damaged: {name} holds {array.dtype} {array.shape}")
    return np.asarray(array)


def _file_size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def check_contents(path: Path, manifest: dict[str, Any]) -> None:
    """Compare the checksum of every array. Raises `StoreError`."""
    for name, facts in manifest["arrays"].items():
        if _file_digest(path / f"{name}.npy") != facts["sha256"]:
            raise StoreError(path, f"is damaged: the contents of {name}.npy were changed")


def _file_digest(file: Path) -> str:
    digest = sha256()
    try:
        with file.open("rb", buffering=0) as stream:
            while part := stream.read(1 << 20):
                digest.update(part)
    except OSError as error:
        raise StoreError(file.parent, f"is damaged: {file.name} cannot be read ({type(error).__name__})") from None
    return digest.hexdigest()


def write_entry(target: Path, facts: dict[str, Any], arrays: Arrays) -> None:
    """Write an entry, complete or not at all; a valid one that is there stays. `facts` go into the manifest.

    Raises `StoreError` where it cannot be written.
    """
    part = target.with_name(f"{TEMPORARY}{uuid4().hex}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep(target.parent)
        part.mkdir()
        _write_files(part, {"format": FORMAT, "rollwise": __version__, "key": target.name, **facts}, arrays)
        _put(part, target)
    except OSError as error:
        raise StoreError(target, f"cannot be written: {error.strerror or error}") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _write_files(part: Path, facts: dict[str, Any], arrays: Arrays) -> None:
    """Write all files of an entry and make sure that they are on disk."""
    manifest = {**facts, "arrays": {name: _write_array(part / f"{name}.npy", values) for name, values in arrays.items()}}
    with (part / MANIFEST).open("x", encoding="utf-8") as file:
        json.dump({**manifest, "checksum": _manifest_digest(manifest)}, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    _sync(part)


def _write_array(file: Path, values: Any) -> dict[str, Any]:
    with file.open("xb") as stream:
        np.save(stream, values, allow_pickle=False)
        stream.flush()
        os.fsync(stream.fileno())
    return {
        "dtype": str(values.dtype), "shape": list(values.shape), "bytes": file.stat().st_size, "sha256": _file_digest(file)
    }  # fmt: skip


def _put(part: Path, target: Path) -> None:
    """Give a finished entry its name. A valid one that is there stays; a faulty one makes way."""
    if target.exists():
        try:
            map_arrays(target, read_manifest(target))
            return
        except StoreError:
            discard(target)
    try:
        part.rename(target)
    except OSError:
        if not target.exists():
            raise
        return
    _sync(target.parent)


def _sync(directory: Path) -> None:
    """Make sure that the names in a directory are on disk."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def list_entries(directory: Path, *, whole: bool) -> Iterator[Entry]:
    """List the entries of a store; with `whole`, compare the checksums of all arrays."""
    for path in entry_paths(directory):
        manifest: dict[str, Any] = {}
        fault = None
        try:
            manifest = read_manifest(path)
            map_arrays(path, manifest)
            if whole:
                check_contents(path, manifest)
        except StoreError as error:
            fault = error.reason
        value = manifest.get("value", "nan")
        yield Entry(
            path, manifest.get("name", "?"), manifest.get("parameters", {}), manifest.get("objective", "?"),
            float("inf" if value == "impossible" else value), _size(path), manifest.get("created", "?"), fault,
        )  # fmt: skip


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.iterdir() if file.is_file()) if path.is_dir() else path.stat().st_size


def entry_paths(directory: Path) -> list[Path]:
    """List what has the name of an entry."""
    return [path for path in _inside(directory) if ENTRY_NAME.fullmatch(path.name)]


def _inside(directory: Path) -> list[Path]:
    try:
        return sorted(directory.iterdir())
    except OSError:
        return []


def discard(path: Path) -> None:
    """Remove an entry: out of the way in one step, then file by file; readers that have it mapped keep what they see."""
    aside = path.with_name(f"{TEMPORARY}{uuid4().hex}")
    try:
        path.rename(aside)
    except OSError:
        return
    _remove(aside)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def sweep(directory: Path, age: float = LEFT_OVER_SECONDS) -> None:
    """Remove what writers left that were killed more than `age` seconds ago."""
    for path in _inside(directory):
        if path.name.startswith(TEMPORARY) and _age(path) >= age:
            _remove(path)


def _age(path: Path) -> float:
    try:
        return time() - path.lstat().st_mtime
    except OSError:
        return 0.0
