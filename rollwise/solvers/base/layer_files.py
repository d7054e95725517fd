"""The layers of a solve in a directory: each appears complete or not at all, and is checked when it is used again.

A layer is `layer-NN.npy` and, written after it, `layer-NN.json`: which solve it belongs to, which layer of how many it is, and
the checksums of its values and of itself (`array_files`). A layer without its second file is not there. What a killed writer
leaves has another name, and goes.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import prod
from pathlib import Path
from shutil import disk_usage
from time import time
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise import __version__
from rollwise.errors import GameError
from rollwise.solvers.base.array_files import ArrayFile, StoreError, file_size, read_facts, seal, write_array
from rollwise.solvers.base.writing import CannotWrite, appearing, remove, write_whole

__all__ = ["LayerFiles", "array_facts", "find_fault", "layer_count", "layer_files", "layer_name"]

FORMAT = "rollwise layer 1"
LEFT_OVER_SECONDS = 600.0
"""A file that has not got its name after this time has no writer any more."""

Values = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class LayerFiles:
    """A directory of layers of one solve: `fingerprint` says of which, `shapes` are those of its layers' values."""

    directory: Path
    fingerprint: str
    dtype: str
    shapes: tuple[tuple[int, ...], ...]

    def prepare(self) -> None:
        """Make the directory, and remove what a killed writer left. Raises `CannotWrite` where that is not possible."""
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            for left_over in self.directory.glob("tmp*.part"):
                if time() - left_over.lstat().st_mtime > LEFT_OVER_SECONDS:
                    remove(left_over)
        except OSError as error:
            raise CannotWrite(f"cannot use the directory {str(self.directory)!r}: {error.strerror or error}") from None

    def check_room(self, what: str, needed: int) -> None:
        """Refuse `needed` bytes, less those of the layers that are there, where there is no room. Raises `CannotWrite`."""
        try:
            free = disk_usage(self.directory).free
        except OSError as error:
            raise CannotWrite(f"cannot use the directory {str(self.directory)!r}: {error.strerror or error}") from None
        if needed - sum(file_size(file) for file in self.directory.glob("layer-*.npy")) > free:
            raise CannotWrite(
                f"{what} needs {needed / 2**30:,.1f} GiB in {str(self.directory)!r}, where {free / 2**30:,.1f} GiB are free: "
                "make room or use another directory"
            )

    def write(self, layer: int, values: Values) -> Values:
        """Write a layer and give its values memory-mapped. Raises `CannotWrite` where that is not possible."""
        for name in (_manifest(layer), _array(layer)):
            if (self.directory / name).is_dir():
                remove(self.directory / name)
        with appearing(self.directory / _array(layer)) as part:
            array = write_array(part, values)
        write_whole(self.directory / _manifest(layer), seal({**self._facts(layer), "array": array}))
        try:
            found: Values = ArrayFile.find(self.directory, _array(layer), array).mapped()
        except StoreError as error:
            raise CannotWrite(f"cannot write {str(self.directory / _array(layer))!r}: it {error.reason}") from None
        return found

    def remove(self, layer: int) -> None:
        """Remove a layer."""
        for name in (_manifest(layer), _array(layer)):
            with suppress(OSError):
                remove(self.directory / name)

    def read(self, layer: int) -> Values:
        """Memory-map the values of a layer after comparing them. Raises `StoreError`."""
        facts = _read(self.directory, layer)
        if facts != {**self._facts(layer), "array": facts.get("array")}:
            raise StoreError(self.directory, f"is damaged: {_manifest(layer)} is that of another layer")
        file = ArrayFile.find(self.directory, _array(layer), facts["array"])
        if (file.shape, file.dtype) != (self.shapes[layer], np.dtype(self.dtype)):
            raise StoreError(self.directory, f"is damaged: {_array(layer)} holds {file.shape} values of {file.dtype}")
        found: Values = file.read(mapped=True)
        return found

    def complete(self, *, every: bool, ours: bool, message: Callable[[str], None]) -> dict[int, Values]:
        """Give the layers that can be used: those from 0 on without a gap, or (not `every`) the newest and what is before it.

        A damaged layer is removed, and `message` is told. Raises `GameError` if the directory holds another solve; if it is
        `ours`, nothing else can be there, and what looks like that is damage.
        """
        if not ours:
            self._refuse_another()
        found: dict[int, Values] = {}
        for layer in range(len(self.shapes)) if every else range(len(self.shapes) - 1, -1, -1):
            values = self._usable(layer, message) if self._there(layer) else None
            if values is not None:
                found[layer] = values
            if (every and values is None) or (not every and (len(found) == 2 or (found and layer not in found))):
                break
        return found

    def _there(self, layer: int) -> bool:
        return os.path.lexists(self.directory / _manifest(layer))

    def _usable(self, layer: int, message: Callable[[str], None]) -> Values | None:
        """Read a layer; a damaged one is removed."""
        try:
            return self.read(layer)
        except StoreError as error:
            message(f"layer {layer} in {str(self.directory)!r} cannot be used ({error.reason}): it is worked out again")
            self.remove(layer)
            return None

    def _refuse_another(self) -> None:
        """Refuse a directory in which another solve is; a layer that tells of none is damaged."""
        for layer in range(len(self.shapes)):
            with suppress(StoreError):
                if self._there(layer) and _read(self.directory, layer).get("solve") != self.fingerprint:
                    raise GameError(
                        f"{str(self.directory)!r} holds the layers of another game, objective or precision: use another directory"
                    )

    def _facts(self, layer: int) -> dict[str, Any]:
        return {
            "format": FORMAT, "rollwise": __version__, "solve": self.fingerprint, "layer": layer, "layers": len(self.shapes),
            "dtype": self.dtype, "values": prod(self.shapes[layer]),
        }  # fmt: skip


def layer_name(layer: int) -> str:
    """Name the array of a layer."""
    return f"layer-{layer:02}"


def _array(layer: int) -> str:
    return f"{layer_name(layer)}.npy"


def _manifest(layer: int) -> str:
    return f"{layer_name(layer)}.json"


def _read(directory: Path, layer: int) -> dict[str, Any]:
    return read_facts(directory, _manifest(layer), _manifest(layer), FORMAT)


def layer_files(directory: Path) -> list[Path]:
    """List the files of layers in a directory."""
    return sorted([*directory.glob("layer-*.npy"), *directory.glob("layer-*.json")])


def layer_count(directory: Path) -> tuple[int, int]:
    """Say how many layers there are in a directory, and of how many; (0, 0) if none that tells is there."""
    there = len(list(directory.glob("layer-*.json")))
    for layer in range(there):
        with suppress(StoreError):
            facts = _read(directory, layer)
            if type(facts.get("layers")) is int and 0 < facts["layers"] < 100:
                return there, facts["layers"]
    return there, 0


def array_facts(directory: Path, name: str, values: Any) -> dict[str, Any] | None:
    """Give the facts of an array that is a layer in a directory already, and has the shape of `values`; None if it is not."""
    if not name.startswith("layer-"):
        return None
    try:
        array: dict[str, Any] = read_facts(directory, f"{name}.json", f"{name}.json", FORMAT)["array"]
        found = ArrayFile.find(directory, f"{name}.npy", array)
    except (StoreError, KeyError):
        return None
    return array if (found.shape, found.dtype) == (values.shape, values.dtype) else None


def find_fault(directory: Path, *, whole: bool) -> str | None:
    """Say why the layers in a directory cannot be used; None if they can. With `whole`, compare their values."""
    solve = None
    try:
        for layer in range(layer_count(directory)[0]):
            facts = _read(directory, layer)
            solve = solve or facts.get("solve")
            if (facts.get("layer"), facts.get("rollwise"), facts.get("solve")) != (layer, __version__, solve):
                return f"is damaged: {_manifest(layer)} is that of another layer"
            file = ArrayFile.find(directory, _array(layer), facts.get("array"))
            if prod(file.shape) != facts.get("values") or file.dtype.name != facts.get("dtype"):
                return f"is damaged: {_array(layer)} was changed"
            if whole:
                file.compare()
    except StoreError as error:
        return error.reason
    return None
