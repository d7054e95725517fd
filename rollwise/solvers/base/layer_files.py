"""The layers of a solve in a directory: arrays with checksums by block, and a journal of the blocks that are written.

A layer is `layer-NN.npy`. A line of `journal.jsonl` says of which layer it is, at which block it begins, and gives the checksums
of its blocks (`array_files`): those of a whole layer that was solved here, or of a chunk that was solved on a cluster. A layer
whose blocks are not all in the journal is not there. A solve that resumes compares what it uses with the checksums.
"""

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import disk_usage
from time import time
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np
import numpy.typing as npt

from rollwise import __version__
from rollwise.errors import GameError
from rollwise.solvers.base.array_files import (
    BLOCK,
    DIGEST,
    ArrayFile,
    CacheError,
    array_facts,
    file_size,
    npy_header,
    write_blocks,
)
from rollwise.solvers.base.journal import InUse, Journal, Line, read_journal
from rollwise.solvers.base.writing import CannotWrite, appearing, remove

if TYPE_CHECKING:
    from rollwise.solvers.base.layers import Recursion

__all__ = ["FORMAT", "JOURNAL", "LayerFiles", "find_fault", "layer_count", "layer_facts", "layer_files", "layer_name"]

FORMAT = "rollwise layers 2"
JOURNAL = "journal.jsonl"
LEFT_OVER_SECONDS = 600.0
"""A file that has not got its name after this time has no writer any more."""

Values = npt.NDArray[Any]


@dataclass(eq=False)
class LayerFiles:
    """A directory of layers of one solve that is being solved: `blocks` are the checksums by layer and first block."""

    directory: Path
    recursion: "Recursion"
    journal: Journal
    message: Callable[[str], None]
    blocks: list[dict[int, str]] = field(default_factory=list)

    @classmethod
    @contextmanager
    def opened(
        cls, directory: Path, recursion: "Recursion", *, ours: bool = False, message: Callable[[str], None]
    ) -> Iterator["LayerFiles"]:
        """Open a directory and resume from what it holds; `message` is told what is damaged.

        Raises `CannotWrite` where nothing can be written, `InUse` where another process solves, and `GameError` if it holds
        another solve; if it is `ours`, nothing else can be there, and what looks like that is damage.
        """
        try:
            directory.mkdir(parents=True, exist_ok=True)
            if (directory / JOURNAL).is_dir():
                remove(directory / JOURNAL)
            journal = Journal(directory / JOURNAL)
            # Only now: a process that has the journal open may still need what it wrote.
            for left_over in directory.glob("tmp*.part"):
                if time() - left_over.lstat().st_mtime > LEFT_OVER_SECONDS:
                    remove(left_over)
        except InUse:
            lines = read_journal(directory / JOURNAL)[1]
            who = next((line["driver"] for line in reversed(lines) if "driver" in line), {"pid": "?", "host": "?"})
            raise InUse(
                f"{str(directory)!r} is being solved by process {who['pid']} on {who['host']}: wait for it, or stop it first"
            ) from None
        except OSError as error:
            raise CannotWrite(f"cannot use the directory {str(directory)!r}: {error.strerror or error}") from None
        try:
            found = cls(directory, recursion, journal, message)
            found._resume(ours=ours)
            yield found
        finally:
            journal.close()

    def _resume(self, *, ours: bool) -> None:
        journal, head = self.journal, self._head()
        lines, there = journal.lines, journal.head
        if not ours and there is not None and there.get("format") == FORMAT and there.get("solve") != head["solve"]:
            raise GameError(
                f"{str(self.directory)!r} holds the layers of another game, objective or precision: use another directory"
            )
        disputed = any("disputed" in line for line in lines)
        if journal.foreign or (there is not None and (there != head or disputed)):
            why = "two nodes disagreed" if disputed else "its journal is damaged, or of another version"
            self.message(f"the layers in {str(self.directory)!r} cannot be used ({why}): they are computed again")
            lines = []
        elif journal.dropped:
            self.message(f"{JOURNAL} in {str(self.directory)!r} is damaged: what it does not record is computed again")
        self.blocks = _blocks(lines, self.recursion.n_layers)
        if there is None or not lines or journal.dropped:
            journal.begin(head)
            for line in lines:
                journal.add(line)
        self.note(driver={"host": socket.gethostname(), "pid": os.getpid()})

    def _head(self) -> Line:
        recursion = self.recursion
        return {
            "format": FORMAT, "rollwise": __version__, "numpy": np.__version__, "solve": recursion.fingerprint,
            "title": recursion.title.rstrip(","), "dtype": recursion.dtype, "shapes": [list(shape) for shape in recursion.shapes],
            "work": [int(part) for part in recursion.work],
        }  # fmt: skip

    def note(self, **facts: Any) -> None:
        """Write a line into the journal."""
        self.journal.add({"time": round(time(), 3), **facts})

    def check_room(self, needed: int) -> None:
        """Refuse `needed` bytes, less those of the layers that are there, where there is no room. Raises `CannotWrite`."""
        try:
            free = disk_usage(self.directory).free
        except OSError as error:
            raise CannotWrite(f"cannot use the directory {str(self.directory)!r}: {error.strerror or error}") from None
        if needed - sum(file_size(file) for file in self.directory.glob("layer-*.npy")) > free:
            raise CannotWrite(
                f"{self.recursion.title} needs {needed / 2**30:,.1f} GiB in {str(self.directory)!r}, where {free / 2**30:,.1f} "
                "GiB are free: make room or use another directory"
            )

    def write(self, layer: int, values: Values) -> Values:
        """Write a layer and give its values memory-mapped. Raises `CannotWrite` where that is not possible."""
        path, values = self.path(layer), np.asarray(values, order="C")
        if path.is_dir():
            remove(path)
        with appearing(path) as part:
            blocks = write_blocks(part, values.reshape(-1), npy_header(values.dtype, values.shape))
        self.blocks[layer] = {}
        self.add(layer, 0, blocks)
        try:
            found: Values = self.array(layer).mapped()
        except CacheError as error:
            raise CannotWrite(f"cannot write {str(path)!r}: it {error.reason}") from None
        return found

    def add(self, layer: int, first: int, blocks: str, **facts: Any) -> None:
        """Take note of blocks that are written, the first of which has this number."""
        self.blocks[layer][first] = blocks
        self.note(layer=layer, first=first, blocks=blocks, **facts)

    def drop(self, layer: int, first: int | None = None) -> None:
        """Forget what begins at a block of a layer, or all of the layer, and remove its file."""
        if first is not None:
            del self.blocks[layer][first]
            self.note(dropped=[layer, first])
            return
        if self.blocks[layer]:
            self.blocks[layer] = {}
            self.note(dropped=[layer])
        with suppress(OSError):
            remove(self.path(layer))

    def path(self, layer: int) -> Path:
        """Give the file of a layer."""
        return self.directory / _array(layer)

    def array(self, layer: int) -> ArrayFile:
        """Give the file of a layer with its checksums, nothing of which is compared. Raises `CacheError`."""
        facts = self.facts(layer)
        if facts is None:
            raise CacheError(self.directory, f"is damaged: its {JOURNAL} does not know all of {_array(layer)}")
        return ArrayFile.find(self.directory, _array(layer), facts)

    def facts(self, layer: int) -> dict[str, Any] | None:
        """Give the facts of a layer as an array; None if it is not all there."""
        return _facts(self.recursion.dtype, self.recursion.shapes[layer], self.blocks[layer])

    def is_good(self, layer: int, first: int) -> bool:
        """Compare what begins at a block of a layer with its checksums."""
        blocks, shape = self.blocks[layer][first], self.recursion.shapes[layer]
        facts = array_facts(self.recursion.dtype, shape, "0" * DIGEST * first + blocks)
        file = ArrayFile(self.directory, _array(layer), np.dtype(facts["dtype"]), shape, facts["bytes"], facts["blocks"])
        try:
            file.compare(range(first, file.n_blocks))
        except CacheError:
            return False
        return True

    def complete(self, *, every: bool) -> dict[int, Values]:
        """Give the layers that can be used: those from 0 on without a gap, or (not `every`) the newest and what is before it.

        A damaged layer is removed, and `message` is told.
        """
        found: dict[int, Values] = {}
        n_layers = self.recursion.n_layers
        for layer in range(n_layers) if every else range(n_layers - 1, -1, -1):
            values = self._usable(layer) if self.facts(layer) else None
            if values is not None:
                found[layer] = values
            if (every and values is None) or (not every and (len(found) == 2 or (found and layer not in found))):
                break
        return found

    def _usable(self, layer: int) -> Values | None:
        """Memory-map a layer after comparing it; a damaged one is removed."""
        try:
            found: Values = self.array(layer).read(mapped=True)
        except CacheError as error:
            self.message(f"layer {layer} in {str(self.directory)!r} cannot be used ({error.reason}): it is computed again")
            self.drop(layer)
            return None
        return found


def layer_name(layer: int) -> str:
    """Name the array of a layer."""
    return f"layer-{layer:02}"


def _array(layer: int) -> str:
    return f"{layer_name(layer)}.npy"


def _blocks(lines: list[Line], n_layers: int) -> list[dict[int, str]]:
    """Give the checksums of blocks that are written, by layer and first block."""
    found: list[dict[int, str]] = [{} for _ in range(n_layers)]
    for line in lines:
        if "blocks" in line and 0 <= line["layer"] < n_layers:
            found[line["layer"]][line["first"]] = line["blocks"]
        elif "dropped" in line:
            layer, *first = line["dropped"]
            found[layer] = {at: blocks for at, blocks in found[layer].items() if first and at != first[0]}
    return found


def _facts(dtype: str, shape: tuple[int, ...], blocks: dict[int, str]) -> dict[str, Any] | None:
    """Put the parts of a layer together; None where they do not make a whole."""
    end = 0
    for first in sorted(blocks):
        if first != end:
            return None
        end += len(blocks[first]) // DIGEST
    facts = array_facts(dtype, shape, "".join(blocks[first] for first in sorted(blocks)))
    return facts if end == -(-facts["bytes"] // BLOCK) else None


def _is_ours(head: Line | None) -> TypeGuard[Line]:
    """Say whether a journal is one of layers, written by this version."""
    return (
        head is not None
        and (head.get("format"), head.get("rollwise")) == (FORMAT, __version__)
        and head.get("dtype") in ("float32", "float64")
        and isinstance(head.get("shapes"), list)
        and all(isinstance(shape, list) and all(type(side) is int for side in shape) for shape in head["shapes"])
    )


def layer_facts(directory: Path) -> dict[str, dict[str, Any]]:
    """Give the facts of the layers that are whole in a directory, by the names of their arrays."""
    head, lines, _ = read_journal(directory / JOURNAL)
    if not _is_ours(head):
        return {}
    blocks = _blocks(lines, len(head["shapes"]))
    every = (_facts(head["dtype"], tuple(shape), blocks[layer]) for layer, shape in enumerate(head["shapes"]))
    return {layer_name(layer): facts for layer, facts in enumerate(every) if facts is not None}


def layer_files(directory: Path) -> list[Path]:
    """List the files of layers in a directory."""
    return sorted([*directory.glob("layer-*.npy"), *directory.glob(JOURNAL)])


def layer_count(directory: Path) -> tuple[int, int]:
    """Say how many layers there are in a directory, and of how many; (0, 0) if its journal does not tell."""
    head = read_journal(directory / JOURNAL)[0]
    return (len(layer_facts(directory)), len(head["shapes"])) if _is_ours(head) else (0, 0)


def find_fault(directory: Path, *, whole: bool) -> str | None:
    """Say why the layers in a directory cannot be used; None if they can. With `whole`, compare their values."""
    head, _, dropped = read_journal(directory / JOURNAL)
    if head is None and not any(directory.glob("layer-*.npy")):
        return None  # it was stopped before anything was written
    if dropped or not _is_ours(head):
        return f"is damaged: its {JOURNAL} was changed, or is of another version"
    try:
        for name, facts in layer_facts(directory).items():
            file = ArrayFile.find(directory, f"{name}.npy", facts)
            if whole:
                file.compare()
    except CacheError as error:
        return error.reason
    return None
