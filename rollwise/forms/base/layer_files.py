"""The layers of a duel in a directory: each appears complete or not at all, and is checked when it is used again.

A layer is `layer-NN.npy` and, written after it, `layer-NN.json`: which duel it belongs to, and the checksums of its values and of
itself (`store_blocks`). A layer without its second file is not there. What a killed writer leaves has another name, and goes.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError
from rollwise.forms.base.array_files import ArrayFile, StoreError, file_size, read_facts, seal, write_array
from rollwise.forms.base.writing import CannotWrite, appearing, remove, write_whole

__all__ = ["PREFIX", "LayerFiles", "find_fault"]

FORMAT = "rollwise duel 2"
PREFIX = "duel-"
"""The name of a directory that belongs to one duel begins with this and ends with its fingerprint."""
LEFT_OVER_SECONDS = 600.0
"""A file that has not got its name after this time has no writer any more."""

Values = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class LayerFiles:
    """A directory of layers of one duel: `fingerprint` says of which, `sizes` are its layers' numbers of values."""

    directory: Path
    fingerprint: str
    precision: str
    sizes: tuple[int, ...]

    def prepare(self) -> None:
        """Make the directory, and remove what a killed writer left. Raises `CannotWrite` where that is not possible."""
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            for left_over in self.directory.glob("tmp*.part"):
                if time() - left_over.lstat().st_mtime > LEFT_OVER_SECONDS:
                    remove(left_over)
        except OSError as error:
            raise CannotWrite(f"cannot use the directory {str(self.directory)!r}: {error.strerror or error}") from None

    def write(self, left: int, values: Values) -> Values:
        """Write a layer and give its values memory-mapped. Raises `CannotWrite` where that is not possible."""
        for name in (_manifest(left), _array(left)):
            if (self.directory / name).is_dir():
                remove(self.directory / name)
        with appearing(self.directory / _array(left)) as part:
            array = write_array(part, values)
        write_whole(self.directory / _manifest(left), seal({**self._facts(left), "array": array}))
        try:
            found: Values = ArrayFile.find(self.directory, _array(left), array).mapped()
        except StoreError as error:
            raise CannotWrite(f"cannot write {str(self.directory / _array(left))!r}: it {error.reason}") from None
        return found

    def remove(self, left: int) -> None:
        """Remove a layer."""
        for name in (_manifest(left), _array(left)):
            with suppress(OSError):
                remove(self.directory / name)

    def read(self, left: int, *, whole: bool = True) -> Values:
        """Memory-map the values of a layer after comparing them; or, not `whole`, compare what is read. Raises `StoreError`."""
        facts = read_facts(self.directory, _manifest(left), _manifest(left), FORMAT)
        if facts != {**self._facts(left), "array": facts.get("array")}:
            raise StoreError(self.directory, f"is damaged: {_manifest(left)} is that of another layer")
        file = ArrayFile.find(self.directory, _array(left), facts["array"])
        if (file.shape, file.dtype) != ((self.sizes[left],), np.dtype(self.precision)):
            raise StoreError(self.directory, f"is damaged: {_array(left)} holds {file.shape} values of {file.dtype}")
        found: Values = file.read(whole=whole)
        return found

    def complete(self, *, every: bool, whole: bool = True, message: Callable[[str], None]) -> dict[int, Values]:
        """Give the layers that can be used: those from 0 on without a gap, or (not `every`) the newest and what is before it.

        Not `whole`, values are compared where they are read. A damaged layer is removed, and `message` is told. Raises
        `GameError` if the directory holds another duel.
        """
        self._refuse_another()
        found: dict[int, Values] = {}
        for left in range(len(self.sizes)) if every else range(len(self.sizes) - 1, -1, -1):
            values = self._usable(left, whole, message) if self._there(left) else None
            if values is not None:
                found[left] = values
            if (every and values is None) or (not every and (len(found) == 2 or (found and left not in found))):
                break
        return found

    def bytes_there(self) -> int:
        """Say how much the layers take that are there."""
        return sum(file_size(file) for file in self.directory.glob("layer-*.npy"))

    def _there(self, left: int) -> bool:
        return os.path.lexists(self.directory / _manifest(left))

    def _usable(self, left: int, whole: bool, message: Callable[[str], None]) -> Values | None:
        """Read a layer; a damaged one is removed."""
        try:
            return self.read(left, whole=whole)
        except StoreError as error:
            message(f"layer {left} in {str(self.directory)!r} cannot be used ({error.reason}): it is worked out again")
            self.remove(left)
            return None

    def _refuse_another(self) -> None:
        """Refuse a directory that somebody gave and that another duel is in; what is wrong in our own is damage."""
        if self.directory.name == f"{PREFIX}{self.fingerprint}":
            return
        for left in range(len(self.sizes)):
            with suppress(StoreError):
                if self._there(left) and _read(self.directory, left).get("duel") != self.fingerprint:
                    raise GameError(
                        f"{str(self.directory)!r} holds the layers of another duel, precision or worth of a tie: "
                        "use another directory"
                    )

    def _facts(self, left: int) -> dict[str, Any]:
        return {
            "format": FORMAT, "duel": self.fingerprint, "layer": left, "precision": self.precision, "values": self.sizes[left]
        }  # fmt: skip


def _read(directory: Path, left: int) -> dict[str, Any]:
    return read_facts(directory, _manifest(left), _manifest(left), FORMAT)


def find_fault(directory: Path, layers: int, *, whole: bool) -> str | None:
    """Say why the first layers of a duel's own directory cannot be used; None if they can. With `whole`, compare their values."""
    fingerprint = directory.name.removeprefix(PREFIX)
    try:
        for left in range(layers):
            facts = _read(directory, left)
            if (facts.get("duel"), facts.get("layer")) != (fingerprint, left):
                return f"is damaged: {_manifest(left)} is that of another layer"
            file = ArrayFile.find(directory, _array(left), facts.get("array"))
            if file.shape != (facts.get("values"),) or file.dtype.name != facts.get("precision"):
                return f"is damaged: {_array(left)} was changed"
            if whole:
                file.compare()
    except StoreError as error:
        return error.reason
    return None


def _array(left: int) -> str:
    return f"layer-{left:02}.npy"


def _manifest(left: int) -> str:
    return f"layer-{left:02}.json"
