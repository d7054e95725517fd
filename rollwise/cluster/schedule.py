"""A solve on a cluster on paper: the schedule of `driver`, chunk by chunk, with the rates of machines.

Each node has some workers and one line to the files, which serves a chunk after another. A layer's chunks are handed out in
order to whoever is free first. A worker's first chunk of a layer compares the whole layer before, as `worker` does; nodes keep of
it what memory is left, and fetch the rest again for each chunk. One chunk in a thousand is solved twice; one that takes four
times as long as it should is started again when nothing is left to start; a node that fails loses what it works on, and comes
back later. The next layer begins when all of that is done.

`streamed` is a schedule that is not built: a worker lays out, fetches and compares only the rows that its chunk needs.
"""

from collections import deque
from dataclasses import dataclass, field
from functools import cache
from heapq import heapify, heappop, heappush
from math import inf
from statistics import median

import numpy as np
import numpy.typing as npt

from rollwise.cluster.chunks import chunk_bytes, cut_layer
from rollwise.cluster.driver import ONE_IN, SLOW, SLOW_SECONDS
from rollwise.cluster.rates import CARD_BYTES, Rates
from rollwise.cluster.worker import worker_memory
from rollwise.model.game import Progress

__all__ = ["CAUSES", "Forecast", "LayerSize", "Machines", "Outcome", "Work", "forecast", "simulate"]

Floats = npt.NDArray[np.float64]
Event = tuple[float, int, int, int, int]
"""When, what, which worker (of a failure, which node), which chunk, and how often its node had failed when it was foreseen."""

PAGE = 1 << 12
ASK, SOLVED, LATE, FAIL = range(4)
"""Events: a worker has nothing to do, has its values, is late; a node fails."""
CAUSES = ("compute", "checksums", "disk", "network", "driver", "barrier", "lost")
FEW_CHUNKS = 100_000
SEEDS = 5
FEW_SEEDS = 3


@dataclass(frozen=True)
class LayerSize:
    """A layer: its values, its rows, and the outers of the player who has just moved, for each of which rows lie together."""

    values: int
    rows: int
    moved: int


@dataclass(frozen=True, kw_only=True)
class Work:
    """What is solved: its layers, bytes of a number, and what a worker takes to know where the rows of two layers lie."""

    layers: tuple[LayerSize, ...]
    itemsize: int
    table_bytes: int
    row_bytes: int = 16

    @property
    def bytes(self) -> tuple[int, ...]:
        """Bytes by layer."""
        return tuple(layer.values * self.itemsize for layer in self.layers)


@dataclass(frozen=True, kw_only=True)
class Machines:
    """Nodes that are alike: cores (or cards) and memory of each, bytes a second to its disk and its network.

    A node fails every `failure_hours` on average (0: never), and is back after `repair_hours`.
    """

    nodes: int
    cores: int
    memory: int
    cards: int = 0
    disk: float = 5e9
    network: float = 12.5e9
    failure_hours: float = 2000.0
    repair_hours: float = 0.5


@dataclass
class Outcome:
    """One run: seconds, what workers spent them on, bytes over the network and to and from disks."""

    seconds: float = 0.0
    chunks: int = 0
    network_bytes: float = 0.0
    disk_bytes: float = 0.0
    restarted: int = 0
    compared: int = 0
    failures: int = 0
    spent: dict[str, float] = field(default_factory=lambda: dict.fromkeys(CAUSES, 0.0))


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """What a solve takes: `hours` is the median over seeds; None if no worker fits, for the reason in `why`.

    `store_hours` come after them: one machine, the driver's, then writes all layers into the store, with their checksums.
    """

    hours: float | None
    hours_low: float | None
    hours_high: float | None
    store_hours: float
    seeds: int
    why: str
    workers_per_node: int
    worker_bytes: int
    chunks: int
    network_bytes: int
    disk_bytes: int
    kept_bytes: int
    peak_bytes: int
    least_peak_bytes: int
    spent: dict[str, float]
    bottleneck: str | None
    compared: int
    restarted: int
    failures: int


def worker_bytes(work: Work, *, streamed: bool) -> int:
    """Bytes that a worker holds beside mapped files."""
    largest = max(work.bytes)
    if not streamed:
        return worker_memory(work.table_bytes, largest)
    tables = (
        2
        * work.row_bytes
        * max(-(-layer.rows // max(1, _chunks(size))) for layer, size in zip(work.layers, work.bytes, strict=True))
    )
    return worker_memory(tables + chunk_bytes(largest), largest)


def _chunks(layer_bytes: int) -> int:
    return -(-layer_bytes // chunk_bytes(layer_bytes))


def forecast(
    work: Work, machines: Machines, rates: Rates, *, streamed: bool = False, progress: Progress | None = None
) -> Forecast:
    """Simulate a solve with several seeds, and say what it takes."""
    each = worker_bytes(work, streamed=streamed)
    slots = min(machines.cards or machines.cores, machines.memory // each)
    largest = max(work.bytes)
    why = ""
    if not slots:
        why = f"a worker takes {each / 1e9:,.0f} GB, more than a node has"
    elif machines.cards and not streamed and largest > CARD_BYTES:
        why = f"a layer of {largest / 1e12:,.1f} TB does not fit on a card"
    runs = [] if why else _runs(work, machines, rates, slots, streamed, progress)
    hours = sorted(run.seconds / 3600 for run in runs)
    middle = min(runs, key=lambda run: abs(run.seconds / 3600 - median(hours)), default=Outcome())
    total = sum(middle.spent.values()) or 1.0
    spent = {cause: seconds / total for cause, seconds in middle.spent.items()} if runs else {}
    return Forecast(
        store_hours=_store_hours(work, machines, rates),
        hours=median(hours) if runs else None, hours_low=min(hours, default=None), hours_high=max(hours, default=None),
        seeds=len(runs), why=why, workers_per_node=slots, worker_bytes=each, chunks=middle.chunks,
        network_bytes=round(middle.network_bytes), disk_bytes=round(middle.disk_bytes), kept_bytes=sum(work.bytes),
        peak_bytes=2 * sum(work.bytes), least_peak_bytes=sum(sorted(work.bytes)[-3:]), spent=spent,
        bottleneck=max(spent, key=lambda cause: spent[cause]) if runs else None,
        compared=middle.compared, restarted=middle.restarted, failures=middle.failures,
    )  # fmt: skip


def _store_hours(work: Work, machines: Machines, rates: Rates) -> float:
    """Hours to copy all layers on one machine, as fast as checksums, the network, and a disk that reads and writes allow."""
    return sum(work.bytes) / min(rates.compared_per_second, machines.network, machines.disk / 2) / 3600


def _runs(work: Work, machines: Machines, rates: Rates, slots: int, streamed: bool, progress: Progress | None) -> list[Outcome]:
    def run(seed: int) -> Outcome:
        return simulate(work, machines, rates, slots=slots, streamed=streamed, seed=seed, progress=progress)

    first = run(0)
    return [first, *map(run, range(1, SEEDS if first.chunks < FEW_CHUNKS else FEW_SEEDS))]


def simulate(
    work: Work, machines: Machines, rates: Rates, *, slots: int, streamed: bool = False, seed: int = 0,
    progress: Progress | None = None,
) -> Outcome:  # fmt: skip
    """Run the schedule once, with `slots` workers on each node; the same seed gives the same run."""
    paper = _Paper(work, machines, rates, slots, streamed, seed)
    for layer in range(1, len(work.layers)):
        _LayerRun(paper, layer).run()
        if progress is not None:
            progress(f"layers of simulated solve {seed + 1}", layer, len(work.layers) - 1)
    return paper.outcome


@cache
def _sizes(values: int, itemsize: int, workers: int) -> tuple[int, ...]:
    """Values by chunk of a layer, as the driver cuts it."""
    return tuple(np.diff(cut_layer(values, itemsize, workers)).tolist())


class _Paper:
    """What lasts from layer to layer: the clock, when each node's line is free, when nodes fail and are back."""

    def __init__(self, work: Work, machines: Machines, rates: Rates, slots: int, streamed: bool, seed: int) -> None:
        self.work, self.machines, self.rates, self.slots, self.streamed = work, machines, rates, slots, streamed
        self.random = np.random.default_rng(seed)
        self.outcome = Outcome()
        self.workers = machines.nodes * slots
        self.spare = max(0, machines.memory - slots * worker_bytes(work, streamed=streamed))
        self.line = [0.0] * machines.nodes
        self.back = [0.0] * machines.nodes
        self.fails = [self.next_failure(0.0) for _ in range(machines.nodes)]

    def next_failure(self, after: float) -> float:
        """Draw when a node fails next."""
        hours = self.machines.failure_hours
        return after + float(self.random.exponential(hours * 3600)) if hours else inf

    def draw(self, n: int) -> Floats:
        """Draw how many times as long as expected chunks take: about 1, and some that are slow."""
        rates = self.rates
        drawn = self.random.lognormal(-(rates.spread**2) / 2, rates.spread, n)
        return np.where(self.random.random(n) * rates.slow_in < 1, drawn * rates.slow, drawn) if rates.slow_in else drawn

    def needed(self, layer: int, chunks: int) -> float:
        """Bytes of the layer before that all chunks of a layer together read, in whole pages.

        The rows that one outer of the player who has just moved needs are a column of the layer before; those of the next outer
        lie beside them.
        """
        before, nbytes = self.work.layers[layer - 1], self.work.bytes[layer - 1]
        run = nbytes / max(1, before.rows) * max(1.0, self.work.layers[layer].moved / chunks)
        return nbytes * (1 + PAGE / run) if run else 0.0


class _LayerRun:
    """One layer: events in the order of time, until every chunk is written and those that are checked are compared."""

    def __init__(self, paper: _Paper, layer: int) -> None:
        self.paper, self.rates, self.slots = paper, paper.rates, paper.slots
        self.begun = paper.outcome.seconds
        self.before = paper.work.bytes[layer - 1]
        self.sizes = [*_sizes(paper.work.layers[layer].values, paper.work.itemsize, paper.workers)]
        self.n = len(self.sizes)
        expected = np.array(self.sizes) / self.rates.values_per_second + self.rates.chunk_seconds
        expected += np.array(self.sizes) * paper.work.itemsize / self.rates.compared_per_second
        self.expected = (expected / self.rates.share).tolist()
        self.took = (expected / self.rates.share * paper.draw(self.n)).tolist()
        self.to_check = set(np.nonzero(paper.random.random(self.n) * ONE_IN < 1)[0].tolist())
        self._read_what(layer)
        self.waiting = deque(range(self.n))
        self.done = bytearray(self.n)
        self.left, self.desk, self.end = self.n, self.begun, self.begun
        self.working: list[tuple[float, int] | None] = [None] * paper.workers
        self.prepared = bytearray(paper.workers)
        self.fetched: list[float | None] = [None] * paper.machines.nodes
        self.epoch = [0] * paper.machines.nodes
        self.idle: list[int] = []
        self.first = not paper.outcome.chunks
        self.spent = dict.fromkeys(CAUSES, 0.0)

    def _read_what(self, layer: int) -> None:
        """Work out what chunks read: of the layer before, nodes keep what memory is left, all of them together more."""
        paper, nodes = self.paper, self.paper.machines.nodes
        here = max(0.0, 1 - paper.spare / self.before) if self.before else 0.0
        self.missed = max(0.0, 1 - paper.spare * nodes / self.before) if self.before else 0.0
        values = max(1, paper.work.layers[layer].values)
        self.read_by_value = paper.needed(layer, self.n) * (1.0 if paper.streamed else here) / values

    def run(self) -> None:
        """Run it, and put down what it took."""
        paper, slots = self.paper, self.slots
        self.events: list[Event] = [
            (max(self.begun, paper.back[worker // slots]), ASK, worker, 0, 0) for worker in range(paper.workers)
        ]
        self.events += [(when, FAIL, node, 0, 0) for node, when in enumerate(paper.fails) if when < inf]
        heapify(self.events)
        deeds = (self._ask, self._solved, self._late, self._fail)
        now = self.begun
        while self.left:
            now, kind, who, chunk, epoch = heappop(self.events)
            # What a node was at when it failed does not happen.
            if kind == FAIL or epoch == self.epoch[who // slots]:
                deeds[kind](now, who, chunk)
        now = max(now, self.end)
        self.spent["barrier"] = max(0.0, (now - self.begun) * paper.workers - sum(self.spent.values()))
        for cause, seconds in self.spent.items():
            paper.outcome.spent[cause] += seconds
        paper.outcome.seconds = now

    def _ask(self, now: float, worker: int, _: int) -> None:
        """Give a worker the next chunk; one that is compared may be done already."""
        if self.waiting:
            self._start(now, worker, self.waiting.popleft())
        else:
            self.idle.append(worker)

    def _start(self, now: float, worker: int, chunk: int) -> None:
        node, rates = worker // self.slots, self.rates
        begun = self.desk = max(now, self.desk) + rates.task_seconds
        self.spent["driver"] += begun - now
        ready = begun if self.prepared[worker] else self._prepare(begun, worker, node)
        nbytes = self.sizes[chunk] * self.read_by_value
        if nbytes:
            ready = self._wait(ready, self._move(ready, node, nbytes, self.missed), self.missed)
            ready = self._hash(ready, nbytes if self.paper.streamed else 0)
        self.working[worker] = (now, chunk)
        self.spent["compute"] += self.took[chunk]
        epoch = self.epoch[node]
        heappush(self.events, (ready + self.took[chunk], SOLVED, worker, chunk, epoch))
        patience = max(SLOW_SECONDS, SLOW * self.expected[chunk])
        if self.took[chunk] > patience:
            heappush(self.events, (ready + patience, LATE, worker, chunk, epoch))

    def _prepare(self, now: float, worker: int, node: int) -> float:
        """Let a worker come to this layer: as the driver has it, with all of the layer before; a node fetches one copy."""
        self.prepared[worker] = True
        fixed = (self.rates.layer_seconds + (self.rates.start_seconds if self.first else 0.0)) / self.rates.share
        self.spent["driver"] += fixed
        now += fixed
        if self.paper.streamed:
            return now
        there = self.fetched[node]
        if there is None:
            there = self.fetched[node] = self._move(now, node, self.before, self.missed)
        # A block is compared as soon as it is there.
        return self._wait(self._hash(now, self.before), there, self.missed)

    def _hash(self, now: float, nbytes: float) -> float:
        seconds = nbytes / (self.rates.compared_per_second * self.rates.share)
        self.spent["checksums"] += seconds
        return now + seconds

    def _wait(self, now: float, there: float, missed: float) -> float:
        """Wait for bytes, of which a part goes to or from disk: for whichever is slower."""
        machines = self.paper.machines
        others = (machines.nodes - 1) / machines.nodes
        cause = "disk" if missed / machines.disk >= others / machines.network else "network"
        self.spent[cause] += max(0.0, there - now)
        return max(now, there)

    def _move(self, now: float, node: int, nbytes: float, missed: float) -> float:
        """Move bytes over a node's line, when it is free. Files are spread over all nodes: each serves as much as it asks for."""
        machines, outcome = self.paper.machines, self.paper.outcome
        over, disk = nbytes * (machines.nodes - 1) / machines.nodes, nbytes * missed
        outcome.network_bytes += over
        outcome.disk_bytes += disk
        there = max(now, self.paper.line[node]) + max(over / machines.network, disk / machines.disk)
        self.paper.line[node] = there
        return there

    def _solved(self, now: float, worker: int, chunk: int) -> None:
        """Write what a worker has, unless another was first, or it is only compared; then the worker asks for more."""
        node = worker // self.slots
        self.working[worker] = None
        if not self.done[chunk]:
            self.done[chunk] = True
            self.left -= 1
            if chunk < self.n:
                now = self._wait(now, self._move(now, node, self.sizes[chunk] * self.paper.work.itemsize, 1.0), 1.0)
                self.paper.outcome.chunks += 1
            if chunk in self.to_check:
                self._check(now, chunk)
        self.end = max(self.end, now)
        heappush(self.events, (now, ASK, worker, 0, self.epoch[node]))

    def _check(self, now: float, chunk: int) -> None:
        """Have a chunk solved a second time: as one more, that is not written."""
        for facts in (self.sizes, self.expected, self.took):
            facts.append(facts[chunk])
        self.took[-1] = self.expected[chunk]
        self.done.append(False)
        self.left += 1
        self.paper.outcome.compared += 1
        self._hand_out(now, len(self.sizes) - 1)

    def _hand_out(self, now: float, chunk: int) -> None:
        """Let a chunk be started before all others: at once, if somebody is idle."""
        if self.idle:
            self._start(now, self.idle.pop(), chunk)
        else:
            self.waiting.appendleft(chunk)

    def _late(self, now: float, worker: int, chunk: int) -> None:
        """Start a chunk that takes long again on another node, once nothing else is left to start."""
        node = worker // self.slots
        elsewhere = next((other for other in self.idle if other // self.slots != node), None)
        if self.done[chunk]:
            return
        if self.waiting or elsewhere is None:
            heappush(self.events, (now + SLOW_SECONDS, LATE, worker, chunk, self.epoch[node]))
            return
        self.took[chunk] = self.expected[chunk]
        self.idle.remove(elsewhere)
        self.paper.outcome.restarted += 1
        self._start(now, elsewhere, chunk)

    def _fail(self, now: float, node: int, _: int) -> None:
        """Lose what a node works on; its workers come back later, and know nothing."""
        paper, own = self.paper, range(node * self.slots, (node + 1) * self.slots)
        paper.outcome.failures += 1
        self.epoch[node] += 1
        self.fetched[node] = None
        self.idle = [worker for worker in self.idle if worker not in own]
        paper.back[node] = paper.line[node] = now + paper.machines.repair_hours * 3600
        paper.fails[node] = paper.next_failure(paper.back[node])
        heappush(self.events, (paper.fails[node], FAIL, node, 0, 0))
        for worker in own:
            self._lose(now, worker)

    def _lose(self, now: float, worker: int) -> None:
        held, self.working[worker], self.prepared[worker] = self.working[worker], None, False
        back = self.paper.back[worker // self.slots]
        self.spent["lost"] += back - now
        heappush(self.events, (back, ASK, worker, 0, self.epoch[worker // self.slots]))
        if held is not None and not self.done[held[1]]:
            self._hand_out(now, held[1])
