"""The layers of a duel in a directory: each appears complete or not at all, and is checked when it is used again.

A layer is `layer-NN.npy` and, written after it, `layer-NN.json`: which duel it belongs to, its size, and the SHA-256 of its
values. A layer without its second file is not there. What a killed writer leaves has another name and is removed.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.forms.base.writing import appearing, write_whole
from rollwise.forms.sheets.duel_arrays import Values

__all__ = ["LayerFiles", "find_fault"]

FORMAT = "rollwise duel 1"
LEFT_OVER_SECONDS = 600.0
"""A file that has not got its name after this time has no writer any more."""


class _Damaged(Exception):
    """A layer cannot be used."""


@dataclass(frozen=True, eq=False)
class LayerFiles:
    """A directory of layers of one duel: `fingerprint` says of which, `sizes` are its layers' numbers of values."""

    directory: Path
    fingerprint: str
    precision: str
    sizes: tuple[int, ...]

    def prepare(self) -> None:
        """Make the directory, and remove what a killed writer left. Raises `GameError` where that is not possible."""
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            for left_over in self.directory.glob("tmp*.part"):
                if time() - left_over.stat().st_mtime > LEFT_OVER_SECONDS:
                    left_over.unlink(missing_ok=True)
        except OSError as error:
            raise GameError(f"cannot use the directory {str(self.directory)!r}: {error.strerror or error}") from None

    def write(self, left: int, values: Values) -> None:
        """Write a layer. Raises `GameError` where that is not possible."""
        with appearing(self._array(left)) as part:
            np.save(part, values, allow_pickle=False)
        facts = {"format": FORMAT, "duel": self.fingerprint, **self._facts(left), "sha256": _digest(values)}
        write_whole(self._manifest(left), json.dumps(facts, indent=1))

    def remove(self, left: int) -> None:
        """Remove a layer."""
        self._manifest(left).unlink(missing_ok=True)
        self._array(left).unlink(missing_ok=True)

    def read(self, left: int) -> Values:
        """Memory-map the values of a layer: copy on write, so that compiled code meets an ordinary array."""
        return np.asarray(np.load(self._array(left), mmap_mode="c" if self.sizes[left] else None, allow_pickle=False))

    def finished(self) -> bool:
        """Say whether the last layer is there."""
        return self._manifest(len(self.sizes) - 1).exists()

    def complete(self, *, every: bool, trust: bool = False, message: Callable[[str], None]) -> list[int]:
        """List the layers that can be used: those from 0 on without a gap, or (not `every`) the newest and what is before it.

        With `trust` only manifests and sizes are looked at, not the values. A damaged layer is removed, and `message` is told.
        Raises `GameError` if the directory holds another duel.
        """
        there = [left for left in range(len(self.sizes)) if self._manifest(left).exists()]
        if not every:
            newest = next((left for left in reversed(there) if self._usable(left, trust, message)), None)
            return [] if newest is None else [left for left in (newest - 1, newest) if left in there]
        found: list[int] = []
        for left in range(len(self.sizes)):
            if left not in there or not self._usable(left, trust, message):
                break
            found.append(left)
        return found

    def bytes_there(self, layers: list[int]) -> int:
        """Say how much some layers take."""
        return sum(self._array(left).stat().st_size for left in layers)

    def _usable(self, left: int, trust: bool, message: Callable[[str], None]) -> bool:
        try:
            self._check(left, trust)
        except _Damaged as fault:
            message(f"layer {left} in {str(self.directory)!r} is damaged ({fault}): it is worked out again")
            self.remove(left)
            return False
        return True

    def _check(self, left: int, trust: bool) -> None:
        try:
            facts = json.loads(self._manifest(left).read_bytes())
            duel = facts["duel"]
            same = all(facts.get(key) == value for key, value in self._facts(left).items())
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise _Damaged(f"its manifest cannot be read: {type(error).__name__}") from None
        if facts.get("format") != FORMAT or duel != self.fingerprint:
            raise GameError(
                f"{str(self.directory)!r} holds the layers of another duel, precision or worth of a tie: use another directory"
            )
        if not same:
            raise _Damaged("its manifest was changed")
        try:
            values = self.read(left)
        except (OSError, ValueError, EOFError) as error:
            raise _Damaged(f"its values cannot be read: {type(error).__name__}") from None
        if (values.shape, str(values.dtype)) != ((self.sizes[left],), self.precision):
            raise _Damaged(f"{values.shape} values of {values.dtype}")
        if not trust and _digest(values) != facts.get("sha256"):
            raise _Damaged("its values were changed")

    def _facts(self, left: int) -> dict[str, Any]:
        return {"layer": left, "precision": self.precision, "values": self.sizes[left]}

    def _array(self, left: int) -> Path:
        return self.directory / f"{_name(left)}.npy"

    def _manifest(self, left: int) -> Path:
        return self.directory / f"{_name(left)}.json"


def find_fault(directory: Path, layers: int, *, whole: bool) -> str | None:
    """Say why the layers of a finished duel cannot be used; None if they can. With `whole`, their checksums are compared."""
    for left in range(layers):
        array = directory / f"{_name(left)}.npy"
        try:
            facts = json.loads(array.with_suffix(".json").read_bytes())
            there = array.exists() and array.stat().st_size >= facts["values"] * np.dtype(facts["precision"]).itemsize
            same = there and (not whole or _digest(np.load(array, mmap_mode="r", allow_pickle=False)) == facts["sha256"])
        except (OSError, ValueError, KeyError, TypeError):
            return f"is damaged: {array.name} is missing or was changed"
        if not same:
            return f"is damaged: {array.name} was changed"
    return None


def _name(left: int) -> str:
    return f"layer-{left:02}"


def _digest(values: Values) -> str:
    return sha256(values.data).hexdigest()
