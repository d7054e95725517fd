"""The driver of a solve on a cluster: cut layers into chunks, hand them to Ray, verify what comes back, resume.

    a worker or a node dies    Ray starts its chunks again elsewhere
    a chunk is damaged         a worker that maps it notices, and it is computed again
    two nodes disagree         one chunk in a thousand, at least one, is computed twice: it stops, and names both
    the driver dies            the next one resumes from the journal, after comparing what it resumes from

The driver holds checksums, and no values; when all is done they are mapped.
"""

import os
import pickle
from hashlib import sha256
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np

from rollwise.cluster.chunks import cut_blocks, layer_blocks, span_of
from rollwise.cluster.connect import TRIES, task
from rollwise.cluster.worker import Damaged, Order, solve_chunk, versions, worker_memory
from rollwise.errors import EngineError, GameError, RollwiseError
from rollwise.solvers.base.array_files import DIGEST, array_facts
from rollwise.solvers.base.layer_files import LayerFiles
from rollwise.solvers.base.layers import Recursion, recursion_bytes
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.writing import CannotWrite

__all__ = ["solve_on"]

ONE_IN = 1000
KEPT = 3
"""Layers that stay while only the last are wanted: the one that is solved, and two to mend damage from."""


class _Part(NamedTuple):
    """Blocks of a layer."""

    layer: int
    first: int
    end: int


def solve_on(ray: Any, device: str, files: LayerFiles, recursion: Recursion, options: SolveOptions) -> None:
    """Compute all layers on a cluster, in a directory that all its nodes see, and map them into `recursion`.

    Raises `GameError` for nodes that differ and what cannot be written, `EngineError` for a chunk that always fails.
    """
    every = options.keep == "all" or not recursion.forgets
    driver = _Driver(ray, device, files, recursion, options)
    try:
        driver.run(every=every)
    except BaseException as error:
        files.note(fault="stopped", why=str(error) or type(error).__name__)
        raise
    files.note(finished=True)
    for layer in range(0 if every else max(0, recursion.n_layers - 2), recursion.n_layers):
        recursion.restore(layer, files.array(layer).mapped())


class _Driver:
    """Works the layers out, one after another."""

    def __init__(self, ray: Any, device: str, files: LayerFiles, recursion: Recursion, options: SolveOptions) -> None:
        self.ray, self.files, self.recursion, self.options = ray, files, recursion, options
        largest = max(prod(shape) for shape in recursion.shapes) * np.dtype(recursion.dtype).itemsize
        # A node that has less than a worker should have gets one all the same.
        there = max((int(node["Resources"].get("memory", 0)) for node in ray.nodes() if node["Alive"]), default=0)
        memory = min(there, worker_memory(recursion.worker_bytes, largest))
        self.task, self.resource = task(ray, solve_chunk, device).options(memory=memory or None), device.upper()
        recipe = pickle.dumps(recursion.recipe())
        self.solve, self.recipe, self.versions = sha256(recipe).hexdigest(), ray.put(recipe), versions()
        self.version = 0
        self.largest = max(range(recursion.n_layers), key=lambda layer: prod(recursion.shapes[layer]))
        self.done = 0

    def run(self, *, every: bool) -> None:
        """Compute what is missing, after comparing what is there."""
        newest = max((layer for layer, blocks in enumerate(self.files.blocks) if blocks), default=0)
        for layer in range(0 if every else max(0, newest - KEPT + 1), newest + 1):
            self._compare(layer)
        self.files.check_room(recursion_bytes(self.recursion, None if every else KEPT))
        self.done = sum(self._work(_Part(layer, *part)) for layer in range(newest + 1) for part in self._written(layer))
        self.options.tick("solving", self.done, sum(self.recursion.work))
        while (wanted := self._next(every=every)) is not None:
            self._solve(wanted)
            for old in range(0 if every else max(0, wanted - KEPT + 1)):
                self.files.drop(old)

    def _next(self, *, every: bool) -> int | None:
        """Give the first layer that is not done; not `every`, the one after the newest that is."""
        layers = range(self.recursion.n_layers)
        done = [not self._missing(layer) for layer in layers]
        begin = 0 if every else max((layer for layer in layers if done[layer]), default=0)
        return next((layer for layer in layers[begin:] if not done[layer]), None)

    def _written(self, layer: int) -> list[tuple[int, int]]:
        blocks = self.files.blocks[layer]
        return [(first, first + len(blocks[first]) // DIGEST) for first in sorted(blocks)]

    def _missing(self, layer: int) -> list[tuple[int, int]]:
        """List the runs of blocks of a layer that are not written."""
        written = [(0, 0), *self._written(layer), (layer_blocks(self.recursion, layer),) * 2]
        return [(end, begin) for (_, end), (begin, _) in pairwise(written) if end < begin]

    def _solve(self, layer: int) -> None:
        """Have the missing chunks of a layer computed, and some of them twice; return early if the layer before is damaged."""
        self._make_room(layer)
        workers = max(1, int(self.ray.cluster_resources().get(self.resource, 0)))
        parts = [_Part(layer, *cut) for run in self._missing(layer) for cut in pairwise(cut_blocks(*run, workers))]
        before = self.ray.put(pickle.dumps(self.files.facts(layer - 1) if layer else None))
        # A twin follows at once, so that Ray, which deals tasks out in turn, gives it to another node.
        twice = [(part, compared) for part in parts for compared in (False, True)[: 1 + self._is_checked(part)]]
        flying = {self._start(part, before, compared=compared): (part, compared) for part, compared in twice}
        found: dict[_Part, dict[str, Any]] = {}
        try:
            while flying:
                (ref,), _ = self.ray.wait(list(flying), num_returns=1)
                part, compared = flying.pop(ref)
                result = self._result(ref, part)
                if result is None:
                    return
                self._check_twin(part, found.setdefault(part, result), result)
                if not compared:
                    self._take(part, result)
        finally:
            for ref in flying:
                self.ray.cancel(ref, force=True)

    def _make_room(self, layer: int) -> None:
        """Give the file of a layer its size, so that workers can write anywhere in it. Raises `CannotWrite`."""
        path, size = self.files.path(layer), array_facts(self.recursion.dtype, self.recursion.shapes[layer], "")["bytes"]
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                os.ftruncate(handle, size)
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise CannotWrite(f"cannot write {str(path)!r}: {error.strerror or error}") from None

    def _start(self, part: _Part, before: Any, *, compared: bool) -> Any:
        order = Order(self.solve, self.versions, str(self.files.directory), *part, self.version, compared)
        return self.task.remote(order, self.recipe, before)

    def _result(self, ref: Any, part: _Part) -> dict[str, Any] | None:
        """Fetch what a task found; None if the layer before is damaged. Raises `RollwiseError`."""
        name = f"blocks {part.first} to {part.end} of layer {part.layer}"
        try:
            found: dict[str, Any] = self.ray.get(ref)
        except self.ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, Damaged):
                self.version += 1
                self._compare(part.layer - 1)
                return None
            if isinstance(error.cause, RollwiseError):
                raise type(error.cause)(*error.cause.args) from None
            if isinstance(error.cause, OSError):
                why = (
                    f"cannot be written in {str(self.files.directory)!r} ({error.cause}): all nodes must see it, with room in it"
                )
                raise GameError(f"{name} {why}; then give the command again, it resumes") from None
            raise EngineError(f"{name} failed: {type(error.cause).__name__}: {error.cause}") from None
        except self.ray.exceptions.RayError as error:
            raise EngineError(f"{name} failed {TRIES} times: its process or node died ({type(error).__name__})") from None
        return found

    def _take(self, part: _Part, result: dict[str, Any]) -> None:
        self.files.add(part.layer, part.first, **result)
        self.done += self._work(part)
        self.options.tick("solving", self.done, sum(self.recursion.work))

    def _work(self, part: _Part) -> int:
        """Give the share of blocks in the work of their layer; all of a layer have all of it."""
        work, size = self.recursion.work[part.layer], prod(self.recursion.shapes[part.layer]) or 1
        span = span_of(self.recursion, *part)
        return work * span.end // size - work * span.begin // size

    # Verification

    def _compare(self, layer: int) -> None:
        """Compare what is written of a layer with its checksums, and forget what is damaged."""
        for first, end in self._written(layer):
            if not self.files.is_good(layer, first):
                self.files.drop(layer, first)
                self.done -= self._work(_Part(layer, first, end))
                line = f"blocks {first} to {end} of layer {layer} are damaged: they are computed again"
                self.files.note(fault="damaged", why=line)
                self.options.message(line)

    def _is_checked(self, part: _Part) -> bool:
        """Say whether a chunk is computed twice: the first of the largest layer, and one in a thousand."""
        number = sha256(f"{self.recursion.fingerprint} {part.layer} {part.first}".encode()).hexdigest()[:8]
        return part[:2] == (self.largest, 0) or int(number, 16) % ONE_IN == 0

    def _check_twin(self, part: _Part, first: dict[str, Any], other: dict[str, Any]) -> None:
        """Compare a chunk that was computed twice. Raises `GameError` if it has other bits."""
        if first is other:
            return
        if first["blocks"] != other["blocks"]:
            nodes = [first["node"], other["node"]]
            self.files.note(disputed=nodes)
            raise GameError(
                f"blocks {part.first} to {part.end} of layer {part.layer} have other bits on {nodes[0]} than on {nodes[1]}: "
                "one of them is faulty; take it out of the cluster and give the command again, all is then recomputed"
            )
        self.files.note(checked=[part.layer, part.first], nodes=[first["node"], other["node"]])
