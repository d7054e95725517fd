"""What is known of a solve on a cluster, in its folder: all that its driver holds, and all that another needs to go on.

    run.json        what is solved, by which versions, and where its layers are cut
    journal.jsonl   what happened since, a line each, only ever added to: chunks with their SHA-256, checks, faults, nodes
    log.txt         the same in words
    lock            who drives it (`owner`)
    layer-NN/       the chunks of a layer

A line of the journal begins with the checksum of the rest. One that was cut off, or does not match, counts as not there: the
chunk it told of is worked out again.
"""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import pairwise
from math import prod
from pathlib import Path
from shutil import disk_usage
from time import monotonic, time
from typing import Any
from zlib import crc32

import numpy as np

from rollwise import __version__
from rollwise.cluster.chunks import Chunk, Span, cut_layer
from rollwise.errors import GameError
from rollwise.solvers.base.array_files import StoreError, read_facts, seal
from rollwise.solvers.base.layers import Recursion
from rollwise.solvers.base.writing import CannotWrite, remove, write_whole

__all__ = ["Manifest", "layer_folder", "read_journal", "read_run"]

FORMAT = "rollwise cluster 1"
RUN, JOURNAL, LOG = "run.json", "journal.jsonl", "log.txt"
SYNC_SECONDS = 1.0


def layer_folder(folder: Path, layer: int) -> Path:
    """Give the folder of a layer's chunks."""
    return folder / f"layer-{layer:02}"


def read_run(folder: Path) -> dict[str, Any]:
    """Read what is solved in a folder. Raises `StoreError` where nothing is, or it is damaged."""
    return read_facts(folder, RUN, RUN, FORMAT)


def read_journal(folder: Path) -> Iterator[dict[str, Any]]:
    """Give the lines of a journal that are whole."""
    try:
        lines = (folder / JOURNAL).read_bytes().split(b"\n")
    except OSError:
        return
    for line in lines:
        checksum, _, text = line.partition(b" ")
        if checksum == b"%08x" % crc32(text):
            yield json.loads(text)


class Manifest:
    """The manifest of a solve, as its driver has it: which chunks are done, by layer and number."""

    def __init__(self, folder: Path, recursion: Recursion, cuts: list[list[int]]) -> None:
        self.folder, self.cuts = folder, cuts
        self.work, self.title, self.itemsize = recursion.work, recursion.title.rstrip(","), np.dtype(recursion.dtype).itemsize
        self.done: list[dict[int, Chunk]] = [{} for _ in cuts]
        self.solved_by: dict[tuple[int, int], str] = {}
        self.checked: set[tuple[int, int]] = set()
        self.disputed: list[str] = []
        self._journal = (folder / JOURNAL).open("ab", buffering=0)
        self._log = (folder / LOG).open("a", encoding="utf-8", buffering=1)
        self._synced = monotonic()

    @classmethod
    def open(cls, folder: Path, recursion: Recursion, workers: int) -> tuple["Manifest", str]:
        """Open the manifest in a folder, and go on from what it says; and say, if so, why that could not be used.

        Raises `GameError` if it is that of another solve, `CannotWrite` where nothing can be written.
        """
        why = ""
        try:
            run = read_run(folder)
        except StoreError as error:
            run = {}
            why = error.reason if (folder / RUN).exists() else ""
        if run and run["solve"] != recursion.fingerprint:
            raise GameError(f"{str(folder)!r} holds the layers of another game, objective or precision: use another directory")
        ours = _facts(recursion)
        if run and {name: run.get(name) for name in ours} != ours:
            why = f"written by rollwise {run['rollwise']} with NumPy {run['numpy']}"
        try:
            if why or not run:
                run = _begin(folder, recursion, workers)
            found = cls(folder, recursion, run["cuts"])
        except OSError as error:
            raise CannotWrite(f"cannot write in {str(folder)!r}: {error.strerror or error}") from None
        found._replay()
        return found, why

    def _replay(self) -> None:
        for line in read_journal(self.folder):
            place = (line.get("layer", 0), line.get("chunk", 0))
            match line["what"]:
                case "chunk":
                    self._take(place, Chunk(line["file"], line["bytes"], line["sha256"]), line["node"])
                case "damaged":
                    self.done[place[0]].pop(place[1], None)
                case "dropped":
                    self.done[place[0]].clear()
                case "checked":
                    self.checked.add(place)
                case "disputed":
                    self.disputed = line["nodes"]
                case "settled":
                    self.disputed = []
        self._settle()

    def _settle(self) -> None:
        """Forget what two nodes solved that disagreed, and all that follows from it: which of them is faulty is not known."""
        theirs = [layer for (layer, _), node in self.solved_by.items() if node in self.disputed]
        for layer in range(min(theirs), self.n_layers) if theirs else ():
            self.drop(layer)
        if self.disputed:
            self.note("settled", nodes=self.disputed)
            self.disputed = []

    def _take(self, place: tuple[int, int], chunk: Chunk, node: str) -> None:
        self.done[place[0]][place[1]] = chunk
        self.solved_by[place] = node

    # What is there

    @property
    def n_layers(self) -> int:
        """The number of layers."""
        return len(self.cuts)

    def spans(self, layer: int) -> list[Span]:
        """Where the chunks of a layer lie in its values."""
        return [Span(*cut) for cut in pairwise(self.cuts[layer])]

    def missing(self, layer: int) -> list[int]:
        """Number the chunks of a layer that are not done."""
        return [chunk for chunk in range(len(self.cuts[layer]) - 1) if chunk not in self.done[layer]]

    def next_layer(self, *, every: bool) -> int | None:
        """Give the layer to work on: the first that is not done; not `every`, the one after the last that is. None: all are."""
        whole = [not self.missing(layer) for layer in range(self.n_layers)]
        if every:
            return next((layer for layer, done in enumerate(whole) if not done), None)
        newest = max((layer for layer, done in enumerate(whole) if done), default=-1)
        return newest + 1 if newest + 1 < self.n_layers else None

    def chunks(self, layer: int) -> list[Chunk]:
        """Give the chunks of a layer that is done, in order."""
        return [self.done[layer][chunk] for chunk in range(len(self.cuts[layer]) - 1)]

    def work_done(self) -> int:
        """Count what progress counts, of the chunks that are done."""
        return sum(self.work_of(layer, chunk) for layer, chunks in enumerate(self.done) for chunk in chunks)

    def work_of(self, layer: int, chunk: int) -> int:
        """Give the share of a chunk in the work of its layer; all chunks of a layer together have all of it."""
        cuts, work = self.cuts[layer], self.work[layer]
        size = cuts[-1] or 1
        return work * cuts[chunk + 1] // size - work * cuts[chunk] // size if cuts[-1] else work

    def check_room(self, *, every: bool) -> None:
        """Refuse what the folder has no room for, of the chunks that are missing. Raises `CannotWrite`."""
        missing = [sum(self.spans(layer)[chunk].size for chunk in self.missing(layer)) for layer in range(self.n_layers)]
        needed = self.itemsize * (sum(missing) if every else sum(sorted(missing)[-3:]))
        free = disk_usage(self.folder).free
        if needed > free:
            raise CannotWrite(
                f"{self.title} needs {needed / 2**30:,.1f} GiB in {str(self.folder)!r}, where {free / 2**30:,.1f} GiB are free: "
                "make room or use another directory"
            )

    # What happens

    def add(self, layer: int, chunk: int, result: dict[str, Any]) -> None:
        """Take note of a chunk that is done: its file, and what it took."""
        self._take((layer, chunk), Chunk(result["file"], result["bytes"], result["sha256"]), result["node"])
        self.note("chunk", layer=layer, chunk=chunk, **result)

    def drop(self, layer: int) -> None:
        """Forget a layer that is not needed any more."""
        if self.done[layer]:
            self.done[layer].clear()
            self.note("dropped", layer=layer)
        remove(layer_folder(self.folder, layer))

    def damaged(self, layer: int, chunk: int) -> None:
        """Take note that a chunk is not what was written, and must be worked out again."""
        found = self.done[layer].pop(chunk, None)
        if found is not None:
            with suppress(OSError):
                remove(layer_folder(self.folder, layer) / found.file)
            self.note("damaged", layer=layer, chunk=chunk)

    def note(self, what: str, **facts: Any) -> None:
        """Write a line into the journal, and what it means into the log."""
        line = {"what": what, "time": round(time(), 3), **facts}
        text = json.dumps(line, sort_keys=True).encode()
        self._journal.write(b"%08x %s\n" % (crc32(text), text))
        self._log.write(f"{datetime.now(UTC).isoformat(timespec='milliseconds')} {_in_words(line)}\n")
        if monotonic() - self._synced > SYNC_SECONDS:
            self.sync()

    def sync(self) -> None:
        """Make sure that what was noted is on disk."""
        os.fsync(self._journal.fileno())
        self._synced = monotonic()

    def close(self) -> None:
        """Close the files."""
        with suppress(OSError):
            self.sync()
        self._journal.close()
        self._log.close()


def _facts(recursion: Recursion) -> dict[str, Any]:
    return {
        "format": FORMAT, "rollwise": __version__, "numpy": np.__version__, "solve": recursion.fingerprint,
        "title": recursion.title.rstrip(","), "dtype": recursion.dtype, "sizes": [prod(shape) for shape in recursion.shapes],
        "work": [int(part) for part in recursion.work],
    }  # fmt: skip


def _begin(folder: Path, recursion: Recursion, workers: int) -> dict[str, Any]:
    """Begin a manifest anew: what was there goes."""
    for path in [folder / JOURNAL, *folder.glob("layer-*")]:
        remove(path)
    facts = _facts(recursion)
    number = np.dtype(recursion.dtype).itemsize
    run = {**facts, "begun": round(time(), 3), "cuts": [cut_layer(size, number, workers) for size in facts["sizes"]]}
    write_whole(folder / RUN, seal(run))
    return run


def _in_words(line: dict[str, Any]) -> str:
    """Say what a line of the journal tells: which chunk, which node."""
    words = line["what"]
    if "chunk" in line:
        words += f": chunk {line['chunk']} of layer {line['layer']}"
    elif "layer" in line:
        words += f": layer {line['layer']}"
    if "node" in line:
        words += f" on {line['node']}"
    known = {"what", "time", "layer", "chunk", "node", "sha256", "file"}
    more = ", ".join(f"{name} {fact}" for name, fact in line.items() if name not in known)
    return f"{words}; {more}" if more else words
