"""Simulate a duel on a cluster nobody has, chunk by chunk: the figures in docs/cluster.md and docs/winning.md.

python -m bench.cluster_plan yahtzee --precision float32 --nodes 24 --memory 768 [--gpus 8] [--streamed]
python -m bench.cluster_plan --recorded         predict recorded solves (cluster_runs.json) by the rates of the first

Each node has some workers and one line to the files, which serves one chunk after another. Chunks are handed out in order to the
first free worker. A worker's first chunk of a layer verifies the whole layer before; nodes keep of it what memory is left, and
fetch the rest again for each chunk. One chunk in a thousand is solved twice. A node that fails loses its chunks, and is back half
an hour later. `--streamed` is a schedule that is not built: a worker lays out, fetches and verifies only the rows it needs.

a chunk takes    chunk_seconds + values / values_per_second + bytes to verify or to write / verified_per_second
a layer more     for each worker: layer_seconds, and the whole layer before verified
"""

import argparse
import json
import sys
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush
from itertools import pairwise
from math import inf
from pathlib import Path
from statistics import median, stdev
from typing import Any, cast

import numpy as np

from bench.entry import run
from rollwise.cluster.chunks import chunk_bytes, cut_blocks
from rollwise.cluster.worker import worker_memory
from rollwise.games import load
from rollwise.games.sheets.rules import Sheet
from rollwise.solvers.base.array_files import BLOCK
from rollwise.solvers.sheets.duel_arrays import ROW_BYTES, count_states
from rollwise.solvers.sheets.outers import find_outers
from rollwise.solvers.sheets.reading import make_sheet_arrays

RUNS = Path(__file__).parent / "cluster_runs.json"
ASK, SOLVED, FAIL = range(3)
"""Events: a worker is free, has its values; a node fails."""
CAUSES = ("compute", "checksums", "disk", "network", "driver", "barrier", "lost")
PAGE = 1 << 12
SMALL = 20_000
"""Chunks with fewer values say what a chunk takes however small it is."""
GPU_BYTES = 141 * 10**9
YAZY = 306_356_498
RATES = {
    ("cpu", "float32"): 2.3e6, ("cpu", "float64"): 1.3e6, ("gpu", "float32"): YAZY / 1.46, ("gpu", "float64"): YAZY / 2.95,
}  # fmt: skip
"""Turn starts of the yazy duel that a core, or an H200, computes in a second, those of the GPU with all values copied back."""


@dataclass(frozen=True, kw_only=True)
class Rates:
    """What one worker does; `share` is how much of a core it gets, `spread` the deviation of the logarithm of a chunk's time."""

    values_per_second: float
    verified_per_second: float = 1.7e9
    chunk_seconds: float = 0.004
    layer_seconds: float = 0.003
    task_seconds: float = 0.0008
    start_seconds: float = 3.0
    share: float = 1.0
    spread: float = 0.05
    slow_in: int = 1000
    slow: float = 8.0


@dataclass(frozen=True, kw_only=True)
class Work:
    """What is solved: values, rows and outers of the player who has just moved by layer, bytes of a number and of tables."""

    values: Sequence[int]
    rows: Sequence[int]
    moved: Sequence[int]
    itemsize: int = 8
    table_bytes: int = 0

    @property
    def bytes(self) -> list[int]:
        """Bytes by layer."""
        return [size * self.itemsize for size in self.values]


@dataclass(frozen=True, kw_only=True)
class Machines:
    """Nodes that are alike: workers and memory of each, bytes a second to its disk and its network."""

    nodes: int
    workers: int
    memory: int
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
    twice: int = 0
    failures: int = 0
    spent: dict[str, float] = field(default_factory=lambda: dict.fromkeys(CAUSES, 0.0))


def worker_bytes(work: Work, *, streamed: bool) -> int:
    """Bytes that a worker holds beside mapped files."""
    largest, tables = max(work.bytes), work.table_bytes
    if streamed:
        by_chunk = (-(-rows // max(1, -(-size // chunk_bytes(size)))) for rows, size in zip(work.rows, work.bytes, strict=True))
        tables = 2 * ROW_BYTES * max(by_chunk) + chunk_bytes(largest)
    return worker_memory(tables, largest)


class Simulation:
    """The clock, when each node's line is free, when nodes fail and are back; the same seed gives the same run."""

    def __init__(self, work: Work, machines: Machines, rates: Rates, *, streamed: bool = False, seed: int = 0) -> None:
        self.work, self.machines, self.rates, self.streamed = work, machines, rates, streamed
        self.random, self.outcome = np.random.default_rng(seed), Outcome()
        self.workers = machines.nodes * machines.workers
        self.spare = max(0, machines.memory - machines.workers * worker_bytes(work, streamed=streamed))
        self.line, self.back = [0.0] * machines.nodes, [0.0] * machines.nodes
        self.fails = [self.next_failure(0.0) for _ in range(machines.nodes)]

    def run(self) -> Outcome:
        """Solve one layer after another."""
        for layer in range(1, len(self.work.values)):
            LayerRun(self, layer).run()
        return self.outcome

    def next_failure(self, after: float) -> float:
        """Draw when a node fails next."""
        hours = self.machines.failure_hours
        return after + float(self.random.exponential(hours * 3600)) if hours else inf

    def draw(self, n: int) -> Any:
        """Draw how many times as long as expected chunks take: about 1, and some that are slow."""
        rates = self.rates
        drawn = self.random.lognormal(-(rates.spread**2) / 2, rates.spread, n)
        return np.where(self.random.random(n) * rates.slow_in < 1, drawn * rates.slow, drawn) if rates.slow_in else drawn

    def needed(self, layer: int, chunks: int) -> float:
        """Bytes of the layer before that all chunks of a layer read, in whole pages: for each outer, a column of it."""
        nbytes = self.work.bytes[layer - 1]
        together = nbytes / max(1, self.work.rows[layer - 1]) * max(1.0, self.work.moved[layer] / chunks)
        return nbytes * (1 + PAGE / together) if together else 0.0


class LayerRun:
    """One layer: events in the order of time, until every chunk is written and those that are solved twice are compared."""

    def __init__(self, paper: Simulation, layer: int) -> None:
        self.paper, self.rates, self.slots = paper, paper.rates, paper.machines.workers
        self.begun, self.before = paper.outcome.seconds, paper.work.bytes[layer - 1]
        blocks = -(-paper.work.bytes[layer] // BLOCK)
        sizes = np.diff(
            np.minimum(np.array(cut_blocks(0, blocks, paper.workers)) * BLOCK // paper.work.itemsize, paper.work.values[layer])
        )
        self.sizes, self.n = sizes.tolist(), len(sizes)
        seconds = sizes / self.rates.values_per_second + self.rates.chunk_seconds
        seconds = (seconds + sizes * paper.work.itemsize / self.rates.verified_per_second) / self.rates.share
        self.expected, self.took = seconds.tolist(), (seconds * paper.draw(self.n)).tolist()
        self.twice = set(np.nonzero(paper.random.random(self.n) * 1000 < 1)[0].tolist())
        here = max(0.0, 1 - paper.spare / self.before) if self.before else 0.0
        self.missed = max(0.0, 1 - paper.spare * paper.machines.nodes / self.before) if self.before else 0.0
        self.read_by_value = paper.needed(layer, self.n) * (1.0 if paper.streamed else here) / max(1, paper.work.values[layer])
        self.waiting, self.left, self.desk, self.end = deque(range(self.n)), self.n, self.begun, self.begun
        self.working: list[int | None] = [None] * paper.workers
        self.prepared = bytearray(paper.workers)
        self.fetched: list[float | None] = [None] * paper.machines.nodes
        self.epoch, self.idle = [0] * paper.machines.nodes, list[int]()
        self.first, self.spent = not paper.outcome.chunks, dict.fromkeys(CAUSES, 0.0)

    def run(self) -> None:
        """Run it, and put down what it took."""
        paper, slots = self.paper, self.slots
        self.events = [(max(self.begun, paper.back[worker // slots]), ASK, worker, 0, 0) for worker in range(paper.workers)]
        self.events += [(when, FAIL, node, 0, 0) for node, when in enumerate(paper.fails) if when < inf]
        heapify(self.events)
        now = self.begun
        while self.left:
            now, kind, who, chunk, epoch = heappop(self.events)
            # What a node was at when it failed does not happen.
            if kind == FAIL or epoch == self.epoch[who // slots]:
                (self._ask, self._solved, self._fail)[kind](now, who, chunk)
        now = max(now, self.end)
        self.spent["barrier"] = max(0.0, (now - self.begun) * paper.workers - sum(self.spent.values()))
        for cause, seconds in self.spent.items():
            paper.outcome.spent[cause] += seconds
        paper.outcome.seconds = now

    def _ask(self, now: float, worker: int, _: int) -> None:
        if self.waiting:
            self._start(now, worker, self.waiting.popleft())
        else:
            self.idle.append(worker)

    def _start(self, now: float, worker: int, chunk: int) -> None:
        node = worker // self.slots
        begun = self.desk = max(now, self.desk) + self.rates.task_seconds
        self.spent["driver"] += begun - now
        ready = begun if self.prepared[worker] else self._prepare(begun, worker, node)
        nbytes = self.sizes[chunk] * self.read_by_value
        if nbytes:
            ready = self._wait(ready, self._move(ready, node, nbytes, self.missed), self.missed)
            ready = self._hash(ready, nbytes if self.paper.streamed else 0)
        self.working[worker] = chunk
        self.spent["compute"] += self.took[chunk]
        heappush(self.events, (ready + self.took[chunk], SOLVED, worker, chunk, self.epoch[node]))

    def _prepare(self, now: float, worker: int, node: int) -> float:
        """Let a worker come to this layer with all of the layer before it, of which a node fetches one copy."""
        self.prepared[worker] = True
        fixed = (self.rates.layer_seconds + (self.rates.start_seconds if self.first else 0.0)) / self.rates.share
        self.spent["driver"] += fixed
        now += fixed
        if self.paper.streamed:
            return now
        there = self.fetched[node]
        if there is None:
            there = self.fetched[node] = self._move(now, node, self.before, self.missed)
        # A block is verified as soon as it is there.
        return self._wait(self._hash(now, self.before), there, self.missed)

    def _hash(self, now: float, nbytes: float) -> float:
        seconds = nbytes / (self.rates.verified_per_second * self.rates.share)
        self.spent["checksums"] += seconds
        return now + seconds

    def _wait(self, now: float, there: float, missed: float) -> float:
        """Wait for bytes, of which a part goes to or from disk: for whichever is slower."""
        machines = self.paper.machines
        others = (machines.nodes - 1) / machines.nodes
        self.spent["disk" if missed / machines.disk >= others / machines.network else "network"] += max(0.0, there - now)
        return max(now, there)

    def _move(self, now: float, node: int, nbytes: float, missed: float) -> float:
        """Move bytes over a node's line, when it is free. Files are spread over all nodes: each serves as much as it asks for."""
        machines, outcome = self.paper.machines, self.paper.outcome
        over, disk = nbytes * (machines.nodes - 1) / machines.nodes, nbytes * missed
        outcome.network_bytes += over
        outcome.disk_bytes += disk
        self.paper.line[node] = max(now, self.paper.line[node]) + max(over / machines.network, disk / machines.disk)
        return self.paper.line[node]

    def _solved(self, now: float, worker: int, chunk: int) -> None:
        """Write what a worker has, unless it is only compared; then the worker asks for more."""
        node = worker // self.slots
        self.working[worker] = None
        self.left -= 1
        if chunk < self.n:
            now = self._wait(now, self._move(now, node, self.sizes[chunk] * self.paper.work.itemsize, 1.0), 1.0)
            self.paper.outcome.chunks += 1
        if chunk in self.twice:
            for facts in (self.sizes, self.expected):
                facts.append(facts[chunk])
            self.took.append(self.expected[chunk])
            self.left += 1
            self.paper.outcome.twice += 1
            self._hand_out(now, len(self.sizes) - 1)
        self.end = max(self.end, now)
        heappush(self.events, (now, ASK, worker, 0, self.epoch[node]))

    def _hand_out(self, now: float, chunk: int) -> None:
        """Let a chunk be started before all others: at once, if a worker is idle."""
        if self.idle:
            self._start(now, self.idle.pop(), chunk)
        else:
            self.waiting.appendleft(chunk)

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
            held, self.working[worker], self.prepared[worker] = self.working[worker], None, False
            self.spent["lost"] += paper.back[node] - now
            heappush(self.events, (paper.back[node], ASK, worker, 0, self.epoch[node]))
            if held is not None:
                self._hand_out(now, held)


# Recorded solves


def measured(solve: Mapping[str, Any], lines: Iterable[Mapping[str, Any]]) -> Rates:
    """Read from the journal of a finished solve what its workers did."""
    chunks = [line for line in lines if line["what"] == "chunk" and line["layer"] > 0]
    number = np.dtype(solve["dtype"]).itemsize
    first = {line["pid"]: line for line in reversed(chunks)}
    rest = [line for line in chunks if line is not first[line["pid"]]]
    large = [line for line in rest if line["bytes"] >= SMALL * number]
    fixed = median(line["cpu"] for line in rest if line["bytes"] < SMALL * number)
    working = [max(1e-9, line["cpu"] - fixed - (line["bytes"] + line["read"]) / Rates.verified_per_second) for line in large]
    paces = [seconds / (line["bytes"] / number) for seconds, line in zip(working, large, strict=True)]
    gaps = [
        b["time"] - b["seconds"] - a["time"]
        for pid in first
        for a, b in pairwise(line for line in chunks if line["pid"] == pid)
        if a["layer"] == b["layer"]
    ]
    return Rates(
        values_per_second=sum(line["bytes"] for line in large) / number / sum(working), chunk_seconds=fixed, layer_seconds=0.0,
        task_seconds=max(0.0, median(gaps)), start_seconds=max(line["cpu"] for line in first.values()), slow_in=0,
        spread=stdev(map(float, np.log(paces))), share=min(1.0, sum(x["cpu"] for x in large) / sum(x["seconds"] for x in large)),
    )  # fmt: skip


def predicted(solve: Mapping[str, Any], rates: Rates, workers: int) -> float:
    """Seconds that a solve on one machine would take."""
    ones = [1] * len(solve["sizes"])
    here = Machines(nodes=1, workers=workers, memory=10**11, disk=1e12, failure_hours=0)
    return Simulation(Work(values=solve["sizes"], rows=ones, moved=ones), here, rates).run().seconds


def compare_recorded() -> list[float]:
    """Say how many times as long as they took recorded solves are predicted to take."""
    first, *others = json.loads(RUNS.read_text())
    rates, found = measured(first["run"], first["lines"]), []
    for other in others:
        times = [line["time"] for line in other["lines"] if line["what"] in ("layer", "finished")]
        share = measured(other["run"], other["lines"]).share
        found.append(predicted(other["run"], replace(rates, share=share), other["workers"]) / (times[-1] - times[0]))
        print(f"{other['boxes']} boxes, {other['workers']} workers: predicted {found[-1]:.2f} times what it took")
    return found


# The plan of a duel


def duel(game: str, precision: str) -> Work:
    """Count the layers of a duel."""
    outers = find_outers(make_sheet_arrays(cast("Sheet", load(game))))
    counts, moved = count_states(outers), np.diff(outers.start).tolist()
    rows = [rows for rows, _, _ in counts]
    return Work(
        values=[stored for _, stored, _ in counts], rows=rows, moved=[moved[left // 2] for left in range(len(rows))],
        itemsize=np.dtype(precision).itemsize, table_bytes=ROW_BYTES * max(map(sum, pairwise(rows))),
    )  # fmt: skip


def main(words: Sequence[str]) -> None:
    """Say what a duel takes on nodes that are alike."""
    parser = argparse.ArgumentParser(prog="python -m bench.cluster_plan")
    parser.add_argument("game", nargs="?", default="yahtzee")
    parser.add_argument("--recorded", action="store_true")
    parser.add_argument("--precision", choices=("float64", "float32"), default="float64")
    parser.add_argument("--nodes", type=int, default=24)
    parser.add_argument("--memory", type=float, default=256, help="GB of a node")
    parser.add_argument("--cores", type=int, default=64)
    parser.add_argument("--gpus", type=int, default=0)
    parser.add_argument("--streamed", action="store_true")
    options = parser.parse_args(words)
    if options.recorded:
        compare_recorded()
        return
    work, memory = duel(options.game, options.precision), round(options.memory * 1e9)
    each = worker_bytes(work, streamed=options.streamed)
    workers = min(options.gpus or options.cores, memory // each)
    print(f"layers: {sum(work.bytes) / 1e12:.3g} TB; a worker: {each / 1e9:,.3g} GB, {workers} on a node")
    if not workers or (options.gpus and not options.streamed and max(work.bytes) > GPU_BYTES):
        print("does not fit")
        return
    machines = Machines(nodes=options.nodes, workers=workers, memory=memory)
    rates = Rates(values_per_second=RATES["gpu" if options.gpus else "cpu", options.precision])
    runs = sorted(
        (Simulation(work, machines, rates, streamed=options.streamed, seed=seed).run() for seed in range(3)), key=_hours
    )
    low, middle, high = runs
    causes = sorted(middle.spent.items(), key=lambda item: -item[1])
    shares = ", ".join(f"{cause} {seconds / sum(middle.spent.values()):.0%}" for cause, seconds in causes)
    print(f"{_hours(middle):.3g} hours ({_hours(low):.3g} to {_hours(high):.3g}): {shares}")
    moved = f"{middle.network_bytes / 1e12:,.4g} TB over the network, {middle.disk_bytes / 1e12:,.4g} TB to and from disks"
    print(f"{middle.chunks:,} chunks, {middle.twice} solved twice; {middle.failures} failed nodes; {moved}")


def _hours(outcome: Outcome) -> float:
    return outcome.seconds / 3600


if __name__ == "__main__":
    sys.exit(run(main))
