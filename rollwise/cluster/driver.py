"""The driver of a solve on a cluster: cut layers into chunks, hand them to Ray, verify what comes back, resume.

    a worker or a node dies    Ray starts its chunks again elsewhere
    a chunk is damaged         a worker that maps it notices, and it is computed again; after eight times it stops
    no node can be used        it says so, and waits
    two nodes disagree         one chunk in a thousand, at least one, is computed twice: it stops, and names both
    the driver dies            the next one resumes from the journal, after comparing what it resumes from

The driver holds checksums, and no values; when all is done they are mapped.
"""

import os
import pickle
from collections import Counter
from contextlib import suppress
from hashlib import sha256
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from rollwise.cluster.chunks import cut_blocks, layer_blocks, span_of
from rollwise.cluster.connect import TRIES, last_line, nodes_with, task
from rollwise.cluster.worker import Damaged, Order, check_node, solve_chunk, versions, worker_memory
from rollwise.errors import EngineError, GameError, RollwiseError
from rollwise.solvers.base.array_files import DIGEST, array_facts
from rollwise.solvers.base.layer_files import LayerFiles
from rollwise.solvers.base.layers import Recursion, recursion_bytes
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.writing import CannotWrite, remove

__all__ = ["solve_on"]

ONE_IN = 1000
ANSWER_SECONDS = 60.0
WAIT_SECONDS = 5.0
"""How long nodes have to answer before the work begins, and how often it is looked whether there are any."""
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
        driver.check_nodes()
        driver.run(every=every)
    except BaseException as error:
        files.note(fault="stopped", why=str(error) or type(error).__name__)
        raise
    finally:
        with suppress(OSError):
            remove(files.directory / driver.token)
    files.note(finished=True)
    for layer in range(0 if every else max(0, recursion.n_layers - 2), recursion.n_layers):
        recursion.restore(layer, files.array(layer).mapped())


class _Driver:
    """Works the layers out, one after another."""

    def __init__(self, ray: Any, device: str, files: LayerFiles, recursion: Recursion, options: SolveOptions) -> None:
        self.ray, self.device, self.files, self.recursion, self.options = ray, device, files, recursion, options
        largest = max(prod(shape) for shape in recursion.shapes) * np.dtype(recursion.dtype).itemsize
        # A node that has less than a worker should have gets one all the same.
        there = max((int(node["Resources"].get("memory", 0)) for node in nodes_with(ray, device)), default=0)
        self.memory = min(there, worker_memory(recursion.worker_bytes, largest))
        self.task = task(ray, solve_chunk, device).options(memory=self.memory or None)
        self.recipe, self.versions = ray.put(pickle.dumps(recursion.recipe())), versions()
        self.version, self.token = 0, f"tmp{uuid4().hex[:8]}.part"
        self.begun, self.why, self.waiting = Counter[int](), "", False
        self.largest = max(range(recursion.n_layers), key=lambda layer: prod(recursion.shapes[layer]))
        self.done = 0

    def check_nodes(self) -> None:
        """Have every node compare versions and look for a file in the directory, before any work. Raises `GameError`."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as On  # noqa: PLC0415

        self._write(self.files.directory / self.token, 0)
        ask, given = task(self.ray, check_node), (self.versions, str(self.files.directory), self.token)
        there = [On(node["NodeID"], soft=False) for node in nodes_with(self.ray, self.device)]
        asked = {ask.options(num_cpus=0, scheduling_strategy=on).remote(*given): on.node_id for on in there}
        for ref in self.ray.wait(list(asked), num_returns=len(asked), timeout=ANSWER_SECONDS)[0] if asked else ():
            try:
                self.ray.get(ref)
            except self.ray.exceptions.RayTaskError as error:
                if isinstance(error.cause, GameError):
                    raise GameError(*error.cause.args) from None
                why = f"cannot run rollwise ({last_line(error)}): install the same everywhere"
                raise GameError(f"node {asked[ref][:8]} {why}") from None
            except self.ray.exceptions.RayError:
                continue  # it is gone; others do its work

    def run(self, *, every: bool) -> None:
        """Compute what is missing, after comparing what is there."""
        newest = max((layer for layer, blocks in enumerate(self.files.blocks) if blocks), default=0)
        for layer in range(0 if every else max(0, newest - KEPT + 1), newest + 1):
            self.options.tick("comparing layers", layer, newest + 1)
            self._compare(layer)
        self.files.check_room(recursion_bytes(self.recursion, None if every else KEPT))
        self.done = sum(self._work(_Part(layer, *part)) for layer in range(newest + 1) for part in self._written(layer))
        self.options.tick("solving", self.done, sum(self.recursion.work))
        while (wanted := self._next(every=every)) is not None:
            self._solve(wanted)
            if wanted == self.recursion.n_layers - 1:
                self._compare(wanted)  # no worker maps the last layer
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
        self.begun[layer] += 1
        if self.begun[layer] > TRIES:
            raise GameError(
                f"layer {layer} was begun {TRIES} times in {str(self.files.directory)!r}, where files are not read as they were "
                f"written (last: {self.why}): check the disk or network drive, then give the command again, it resumes"
            )
        # Give the file its size, so that workers can write anywhere in it.
        self._write(self.files.path(layer), array_facts(self.recursion.dtype, self.recursion.shapes[layer], "")["bytes"])
        workers = max(1, sum(int(node["Resources"][self.device.upper()]) for node in nodes_with(self.ray, self.device)))
        parts = [_Part(layer, *cut) for run in self._missing(layer) for cut in pairwise(cut_blocks(*run, workers))]
        before = self.ray.put(pickle.dumps(self.files.facts(layer - 1) if layer else None))
        # A twin follows at once, so that Ray, which deals tasks out in turn, gives it to another node.
        twice = [(part, compared) for part in parts for compared in (False, True)[: 1 + self._is_checked(part)]]
        flying = {self._start(part, before, compared=compared): (part, compared) for part, compared in twice}
        found: dict[_Part, dict[str, Any]] = {}
        try:
            while flying:
                ref = self._wait(list(flying))
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

    def _wait(self, flying: list[Any]) -> Any:
        """Wait for a task; while no node can do any, say so."""
        while not (done := self.ray.wait(flying, num_returns=1, timeout=WAIT_SECONDS)[0]):
            able = [node["Resources"].get("memory", 0) >= self.memory for node in nodes_with(self.ray, self.device)]
            if not any(able) and not self.waiting:
                needed = f"a {self.device.upper()} and {self.memory / 2**30:.2f} GiB of memory"
                line = f"no node of the cluster has {needed}: waiting until one joins"
                self.files.note(fault="waiting", why=line)
                self.options.message(line)
            self.waiting = not any(able)
        return done[0]

    @staticmethod
    def _write(path: Path, size: int) -> None:
        """Make a file, or give it another size. Raises `CannotWrite`."""
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
        order = Order(self.token, self.versions, str(self.files.directory), *part, self.version, compared)
        return self.task.remote(order, self.recipe, before)

    def _result(self, ref: Any, part: _Part) -> dict[str, Any] | None:
        """Fetch what a task found; None if the layer before is damaged. Raises `RollwiseError`."""
        name = f"blocks {part.first} to {part.end} of layer {part.layer}"
        try:
            found: dict[str, Any] = self.ray.get(ref)
        except self.ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, Damaged):
                self.version, self.why = self.version + 1, f"layer {part.layer - 1}: {error.cause}"
                self._compare(part.layer - 1)
                return None
            if isinstance(error.cause, RollwiseError):
                raise type(error.cause)(*error.cause.args) from None
            if isinstance(error.cause, OSError):
                why = f"cannot be written in {str(self.files.directory)!r} ({error.cause.strerror or error.cause})"
                raise GameError(f"{name} {why}: make room, or mend the folder, and give the command again; it resumes") from None
            raise EngineError(f"{name} failed: {last_line(error)}") from None
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
                self.why = line
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
