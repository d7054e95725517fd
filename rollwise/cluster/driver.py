"""The driver of a solve on a cluster: hand chunks to nodes, write the manifest, and mend what breaks.

    a worker or a node dies    its chunks are given to others
    a disk is full             the node gets nothing more; the chunk goes elsewhere; if nobody is left, it stops and says so
    a chunk takes long         it is started again elsewhere, once nothing else is left to start; the first result counts
    a chunk is damaged         whoever maps it notices, and it is worked out again
    two nodes disagree         one chunk in a thousand, at least one, is worked out twice: it stops, and names both
    the driver dies            the next goes on from the manifest, after comparing what it goes on with

The driver holds the manifest, and no values; when all is done they are mapped.
"""

import pickle
from collections import deque
from dataclasses import dataclass, field
from hashlib import sha256
from math import prod
from pathlib import Path
from statistics import median
from time import monotonic, sleep
from typing import Any

import numpy as np

from rollwise.cluster.chunks import Damaged, map_chunks
from rollwise.cluster.fleet import Fleet, Node, on, task
from rollwise.cluster.manifest import Manifest, layer_folder
from rollwise.cluster.owner import Owner, owned
from rollwise.cluster.worker import Order, compare, solve_chunk, worker_memory
from rollwise.errors import EngineError, GameError, RollwiseError
from rollwise.solvers.base.how import How
from rollwise.solvers.base.layers import Recursion
from rollwise.solvers.base.writing import remove

__all__ = ["solve_on"]

WAIT_SECONDS = 0.5
TRIES = 8
"""How often a chunk may fail for reasons that are not known to be somebody else's."""
NODES_SECONDS = 60.0
"""How long to wait for a node when there is none."""
SLOW = 4.0
SLOW_SECONDS = 5.0
"""A chunk is slow that takes this many times as long as others, and at least so long."""
ONE_IN = 1000
COMPARE_BYTES = 1 << 28
"""Bytes that are compared by one task, when a solve is gone on with."""

Place = tuple[int, int]


def solve_on(ray: Any, device: str, folder: Path, recursion: Recursion, how: How) -> None:
    """Work out all layers on a cluster, in a folder that all its nodes see, and map them into `recursion`.

    Raises `GameError` for a folder that is in use or holds another solve, nodes that differ, and what cannot be mended.
    """
    with owned(folder) as owner:
        largest = max(prod(shape) for shape in recursion.shapes) * np.dtype(recursion.dtype).itemsize
        fleet = Fleet(ray, folder, device, worker_memory(recursion.worker_bytes, largest))
        told = fleet.refresh(at_once=True)
        if fleet.refused:
            raise GameError(next(iter(fleet.refused.values())))
        manifest, why = Manifest.open(folder, recursion, max(1, fleet.slots))
        try:
            if why:
                how.message(f"the layers in {str(folder)!r} cannot be used ({why}): they are worked out again")
            driver = _Driver(ray, fleet, manifest, owner, recursion, how)
            for line in told:
                manifest.note("node", text=line)
            driver.run()
        except BaseException as error:
            manifest.note("stopped", why=str(error) or type(error).__name__)
            raise
        finally:
            manifest.close()
        _map_into(recursion, manifest, folder, driver.every)


def _map_into(recursion: Recursion, manifest: Manifest, folder: Path, every: bool) -> None:
    layers = range(manifest.n_layers) if every else range(manifest.n_layers - 2, manifest.n_layers)
    for layer in layers:
        try:
            values = map_chunks(layer_folder(folder, layer), manifest.chunks(layer), recursion.dtype, compare=False)
        except Damaged:
            raise GameError(f"layer {layer} in {str(folder)!r} is gone: give the command again") from None
        recursion.restore(layer, values.reshape(recursion.shapes[layer]))


@dataclass
class _Job:
    """A chunk that is under way on a node."""

    place: Place
    node: Node
    version: int
    compared: bool = False
    begun: float = field(default_factory=monotonic)


class _Driver:
    """Works the layers out, one after another."""

    def __init__(self, ray: Any, fleet: Fleet, manifest: Manifest, owner: Owner, recursion: Recursion, how: How) -> None:
        self.ray, self.fleet, self.manifest, self.owner, self.recursion, self.how = ray, fleet, manifest, owner, recursion, how
        self.every = how.keep == "all" or not recursion.forgets
        recipe = pickle.dumps(recursion.recipe())
        self.solve, self.recipe = sha256(recipe).hexdigest(), ray.put(recipe)
        self.total = sum(recursion.work)
        self.flying: dict[Any, _Job] = {}
        self.tries: dict[Place, int] = {}
        self.avoid: dict[Place, frozenset[str]] = {}
        self.to_check: deque[Place] = deque()
        self.pace: deque[float] = deque(maxlen=64)
        self.version = 0
        self.mended: dict[Place, int] = {}
        self.before: Any = None
        self.always = self._always_checked()

    def run(self) -> None:
        """Work out what is missing, and compare what is there."""
        self._compare_all()
        self.manifest.check_room(every=self.every)
        self._tick()
        layer = None
        try:
            while (wanted := self.manifest.next_layer(every=self.every)) is not None:
                if wanted != layer:
                    self._drain_checks()
                    layer = wanted
                    self._enter(layer)
                self._step(layer)
            self._drain_checks()
        finally:
            for ref in self.flying:
                self.ray.cancel(ref, force=True)
        self.manifest.note("finished")

    # A layer

    def _enter(self, layer: int) -> None:
        """Begin with a layer: the list of the chunks before it is put where workers find it."""
        self.manifest.note("layer", layer=layer, chunks=len(self.manifest.cuts[layer]) - 1)
        self._list_before(layer)
        if not self.every:
            for old in range(layer - 2):
                self.manifest.drop(old)

    def _list_before(self, layer: int) -> None:
        self.version += 1
        chunks = [tuple(chunk) for chunk in self.manifest.chunks(layer - 1)] if layer else []
        self.before = self.ray.put(pickle.dumps(chunks))

    def _step(self, layer: int) -> None:
        """Start what can be started, and take in what is done."""
        self.owner.beat()
        for line in self.fleet.refresh():
            self._say("node", line)
        self._need_nodes(layer)
        under_way = {job.place for job in self.flying.values() if not job.compared}
        waiting = [place for chunk in self.manifest.missing(layer) if (place := (layer, chunk)) not in under_way]
        for place in waiting:
            if not self._start(place):
                break
        else:
            self._double_slow(layer)
        self._take_in()

    def _start(self, place: Place, *, compared: bool = False, elsewhere: frozenset[str] = frozenset()) -> bool:
        """Start a chunk on the node with the most room; False if there is none."""
        avoid = self.avoid.get(place, frozenset()) | elsewhere
        node = self.fleet.pick(avoid)
        if node is None:
            return False
        layer, chunk = place
        order = Order(
            self.solve, [self.recipe], str(self.manifest.folder), layer, chunk, self.manifest.spans(layer)[chunk],
            [self.before], self.version, compared,
        )  # fmt: skip
        need = {"num_gpus": 1, "num_cpus": 0} if self.fleet.device == "gpu" else {"num_cpus": 1}
        ref = task(self.ray, solve_chunk).options(**need, **on(node.id)).remote(order)
        self.flying[ref] = _Job(place, node, self.version, compared)
        node.flying += 1
        return True

    def _double_slow(self, layer: int) -> None:
        """Start chunks again elsewhere that take much longer than others of their size."""
        if not self.pace:
            return
        counts: dict[Place, list[_Job]] = {}
        for job in self.flying.values():
            if job.place[0] == layer and not job.compared:
                counts.setdefault(job.place, []).append(job)
        for place, jobs in counts.items():
            expected = median(self.pace) * self._size(place)
            late = monotonic() - jobs[0].begun > max(SLOW_SECONDS, SLOW * expected)
            if late and len(jobs) == 1 and self._start(place, elsewhere=frozenset({jobs[0].node.id})):
                self._fault(
                    "slow", place, jobs[0].node, f"under way for {monotonic() - jobs[0].begun:.0f} s: started again elsewhere"
                )

    def _size(self, place: Place) -> int:
        return max(1, self.manifest.spans(place[0])[place[1]].size)

    def _need_nodes(self, layer: int) -> None:
        """Wait while there is no node. Raises `GameError` if none comes."""
        begun = monotonic()
        while not self.fleet.usable():
            aside = [node for node in self.fleet.nodes.values() if node.aside]
            if aside:
                why = "; ".join(f"{node.name}: {node.aside}" for node in aside)
                raise GameError(
                    f"no node can write in {str(self.manifest.folder)!r} ({why}): make room and give the command again, "
                    f"it goes on from layer {layer}"
                )
            if monotonic() - begun > NODES_SECONDS:
                why = next(iter(self.fleet.refused.values()), f"no node was there for {NODES_SECONDS:.0f} s")
                raise GameError(f"the cluster has no node left ({why}): mend it and give the command again")
            self.owner.beat()
            sleep(WAIT_SECONDS)
            for line in self.fleet.refresh(at_once=True):
                self._say("node", line)

    # Results

    def _take_in(self) -> None:
        """Wait for results, for a moment, and take them in."""
        if not self.flying:
            sleep(WAIT_SECONDS / 10)
            return
        done, _ = self.ray.wait(list(self.flying), num_returns=1, timeout=WAIT_SECONDS)
        if done:
            done, _ = self.ray.wait(list(self.flying), num_returns=len(self.flying), timeout=0)
        for ref in done:
            job = self.flying.pop(ref)
            job.node.flying -= 1
            self._take(job, ref)

    def _take(self, job: _Job, ref: Any) -> None:
        try:
            result = self.ray.get(ref)
        except self.ray.exceptions.RayTaskError as error:
            self._failed(job, error)
        except self.ray.exceptions.RayError as error:
            self._lost(job, error)
        else:
            self._answered(job, result)

    def _failed(self, job: _Job, error: Any) -> None:
        """A task raised: what rules or engines refuse is refused here too; anything else is tried again a few times."""
        cause = error.cause
        if isinstance(cause, RollwiseError):
            raise type(cause)(*cause.args) from None
        self._again(job, f"{type(cause).__name__}: {cause}")

    def _lost(self, job: _Job, error: Any) -> None:
        """A worker or a node died."""
        for line in self.fleet.refresh(at_once=True):
            self._say("node", line)
        gone = job.node.id not in self.fleet.nodes or isinstance(error, self.ray.exceptions.NodeDiedError)
        self._again(job, "its node died" if gone else f"its worker died ({type(error).__name__})", counts=not gone)

    def _again(self, job: _Job, why: str, *, counts: bool = True) -> None:
        """Let a chunk be worked out again. Raises `EngineError` if it has failed too often."""
        self._fault("failed", job.place, job.node, why)
        sleep(WAIT_SECONDS / 5)
        self.tries[job.place] = self.tries.get(job.place, 0) + counts
        if job.compared:
            self.to_check.append(job.place)
        if self.tries[job.place] >= TRIES:
            layer, chunk = job.place
            raise EngineError(f"chunk {chunk} of layer {layer} failed {TRIES} times, last on {job.node.name}: {why}")

    def _answered(self, job: _Job, result: dict[str, Any]) -> None:
        fault = result.pop("fault", None)
        if fault == "damaged":
            self._mend(job, result["chunks"])
        elif fault is not None:
            job.node.aside = result["why"]
            self._fault(fault, job.place, job.node, result["why"])
            if job.compared:
                self.to_check.append(job.place)
        elif job.compared:
            self._compare(job, result)
        else:
            self._keep(job.place, result)

    def _keep(self, place: Place, result: dict[str, Any]) -> None:
        """Take a chunk that is done into the manifest; of one that was done twice, the second goes."""
        layer, chunk = place
        if chunk in self.manifest.done[layer]:
            remove(layer_folder(self.manifest.folder, layer) / result["file"])
            return
        self.manifest.add(layer, chunk, result)
        self.pace.append((result["seconds"] - result["prepare"]) / self._size(place))
        self._tick()
        if self._is_checked(place):
            self.to_check.append(place)
            self._start_checks()

    def _mend(self, job: _Job, chunks: list[int]) -> None:
        """Have damaged chunks of the layer before worked out again."""
        before = job.place[0] - 1
        for chunk in chunks:
            known = self.mended.get((before, chunk), -1) >= job.version  # it read the file that was damaged before this one
            if chunk in self.manifest.done[before] and not known:
                self.mended[before, chunk] = self.version
                self.manifest.damaged(before, chunk)
                self._say("damaged", f"chunk {chunk} of layer {before} is damaged: it is worked out again")
        if job.compared:
            self.to_check.append(job.place)

    # Checks

    def _always_checked(self) -> Place:
        """Give the chunk that is compared in every solve: one of the layer with the most."""
        layer = max(range(self.manifest.n_layers), key=lambda layer: len(self.manifest.cuts[layer]))
        return layer, self._number(layer, -1) % (len(self.manifest.cuts[layer]) - 1)

    def _number(self, layer: int, chunk: int) -> int:
        return int(sha256(f"{self.recursion.fingerprint} {layer} {chunk}".encode()).hexdigest()[:8], 16)

    def _is_checked(self, place: Place) -> bool:
        wanted = place == self.always or self._number(*place) % ONE_IN == 0
        return wanted and place not in self.manifest.checked

    def _start_checks(self) -> None:
        while self.to_check:
            place = self.to_check[0]
            solved = self.manifest.solved_by[place]
            there = frozenset(node.id for node in self.fleet.usable() if node.name == solved)
            elsewhere = there if len(self.fleet.usable()) > len(there) else frozenset()
            if not self._start(place, compared=True, elsewhere=elsewhere):
                return
            self.to_check.popleft()

    def _compare(self, job: _Job, result: dict[str, Any]) -> None:
        """Compare a chunk that was worked out twice. Raises `GameError` if it has other bits."""
        layer, chunk = job.place
        first, other = self.manifest.solved_by[job.place], result["node"]
        if chunk not in self.manifest.done[layer]:
            return
        if self.manifest.done[layer][chunk].sha256 == result["sha256"]:
            self.manifest.checked.add(job.place)
            self.manifest.note("checked", layer=layer, chunk=chunk, node=other, first=first)
            return
        self.manifest.note("disputed", layer=layer, chunk=chunk, nodes=[first, other])
        raise GameError(
            f"chunk {chunk} of layer {layer} has other bits on {other} than on {first}: one of them is faulty; take it out of "
            "the cluster and give the command again, what they solved is then worked out anew"
        )

    def _drain_checks(self) -> None:
        """Wait for the comparisons that are under way."""
        while self.to_check or any(job.compared for job in self.flying.values()):
            self.owner.beat()
            self.fleet.refresh()
            self._need_nodes(0)
            self._start_checks()
            self._take_in()

    def _compare_all(self) -> None:
        """Compare the chunks that are there already with their checksums, on the nodes."""
        newest = (self.manifest.next_layer(every=False) or self.manifest.n_layers) - 1
        layers = range(self.manifest.n_layers) if self.every else range(max(0, newest - 1), self.manifest.n_layers)
        there = [(layer, chunk, tuple(found)) for layer in layers for chunk, found in self.manifest.done[layer].items()]
        if not there:
            return
        self.manifest.note("going on", chunks=len(there))
        refs = [
            task(self.ray, compare).options(num_cpus=1).remote(str(self.manifest.folder), part) for part in _portions(there)
        ]  # fmt: skip
        for part in self.ray.get(refs):
            for layer, chunk in part:
                self.manifest.damaged(layer, chunk)
                self._say("damaged", f"chunk {chunk} of layer {layer} is damaged: it is worked out again")
        self.to_check.extend(
            (layer, chunk)
            for layer, chunks in enumerate(self.manifest.done)
            for chunk in chunks
            if self._is_checked((layer, chunk)) and layer >= newest
        )

    # Words

    def _tick(self) -> None:
        self.how.tick("solving", self.manifest.work_done(), self.total)

    def _fault(self, what: str, place: Place, node: Node, why: str) -> None:
        layer, chunk = place
        self.manifest.note("fault", kind=what, layer=layer, chunk=chunk, node=node.name, why=why)
        self.how.message(f"chunk {chunk} of layer {layer} on {node.name}: {why}")

    def _say(self, what: str, line: str) -> None:
        self.manifest.note("node", text=line) if what == "node" else self.manifest.note("fault", kind=what, why=line)
        self.how.message(line)


def _portions(there: list[Any]) -> list[list[Any]]:
    """Deal chunks out to tasks that compare about the same number of bytes."""
    portions: list[list[Any]] = [[]]
    size = 0
    for item in there:
        if size > COMPARE_BYTES:
            portions.append([])
            size = 0
        portions[-1].append(item)
        size += item[2][1]
    return portions
