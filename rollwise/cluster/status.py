"""How far a solve on a cluster is, from its folder alone: while its driver runs, and after it died."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from time import time
from typing import Any

from rollwise.cluster.manifest import read_journal, read_run
from rollwise.cluster.owner import owner_of
from rollwise.errors import GameError
from rollwise.solvers.base.array_files import StoreError

__all__ = ["Status", "find_runs", "read_status"]

RECENT_SECONDS = 600.0
"""The rate is that of the last ten minutes."""
MOST_FAULTS = 20


@dataclass(frozen=True, kw_only=True)
class Status:
    """Where a solve stands. Work is counted in `work` units, as progress does: values of a duel, turn starts of a sheet."""

    folder: str
    title: str
    state: str
    """ "running", "finished" or "stopped"."""
    driver: dict[str, Any] | None
    layers: int
    layers_done: int
    chunks: int
    chunks_done: int
    bytes: int
    bytes_done: int
    work: int
    work_done: int
    rate: float
    """Work done in a second, lately."""
    seconds_left: float | None
    cpu_seconds: float
    worker_memory: int
    """The most that a worker held, beside mapped files."""
    nodes: dict[str, int] = field(default_factory=dict)
    """Chunks by node."""
    checked: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    last_faults: list[str] = field(default_factory=list)


def find_runs(folder: Path) -> list[Path]:
    """List the solves in a folder: itself, or what lies in it. Raises `GameError` where there is none."""
    if not folder.is_dir():
        raise GameError(f"{str(folder)!r} is no folder: give the one in which a cluster solves, or the --cache DIR it is in")
    found = [path for path in [folder, *sorted(folder.iterdir())] if (path / "run.json").is_file()]
    if not found:
        raise GameError(f"nothing is solved by a cluster in {str(folder)!r}: give the --cache DIR that was given with --cluster")
    return found


def read_status(folder: Path) -> Status:
    """Read how far a solve is. Raises `GameError` where that cannot be read."""
    try:
        run = read_run(folder)
    except StoreError as error:
        raise GameError(f"{str(folder)!r} {error.reason}") from None
    seen = _Seen()
    for line in read_journal(folder):
        seen.see(line)
    cuts, sizes, number = run["cuts"], run["sizes"], 4 if run["dtype"] == "float32" else 8
    parts = [[_share(run["work"][layer], cut, chunk) for chunk in range(len(cut) - 1)] for layer, cut in enumerate(cuts)]
    for layer in seen.dropped:
        seen.done |= {(layer, chunk): seen.done.get((layer, chunk), {"bytes": 0}) for chunk in range(len(cuts[layer]) - 1)}
    owner = owner_of(folder)
    total, done = sum(run["work"]), sum(parts[layer][chunk] for layer, chunk in seen.done)
    state = "running" if owner else "finished" if seen.last == "finished" else "stopped"
    rate = _rate(seen, parts, time() if owner else seen.time)
    return Status(
        folder=str(folder), title=run["title"], state=state, driver=_driver(owner), layers=len(cuts),
        layers_done=sum(all((layer, chunk) in seen.done for chunk in range(len(cut) - 1)) for layer, cut in enumerate(cuts)),
        chunks=sum(len(cut) - 1 for cut in cuts), chunks_done=len(seen.done), bytes=number * sum(sizes),
        bytes_done=sum(chunk["bytes"] for chunk in seen.done.values()), work=total, work_done=done, rate=rate,
        seconds_left=0.0 if done == total else (total - done) / rate if rate else None,
        cpu_seconds=round(seen.cpu, 3), worker_memory=seen.memory, nodes=dict(seen.nodes), checked=seen.checked,
        faults=dict(seen.faults), last_faults=seen.last_faults[-MOST_FAULTS:],
    )  # fmt: skip


def _share(work: int, cuts: list[int], chunk: int) -> int:
    return work * cuts[chunk + 1] // cuts[-1] - work * cuts[chunk] // cuts[-1] if cuts[-1] else work


def _driver(owner: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if owner is None else {"host": owner.get("host"), "pid": owner.get("pid")}


class _Seen:
    """What the lines of a journal add up to."""

    def __init__(self) -> None:
        self.done: dict[tuple[int, int], dict[str, Any]] = {}
        self.times: list[tuple[float, tuple[int, int]]] = []
        self.dropped: set[int] = set()
        self.nodes: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.last_faults: list[str] = []
        self.checked, self.memory, self.cpu, self.last, self.time = 0, 0, 0.0, "", 0.0

    def see(self, line: dict[str, Any]) -> None:
        """Take a line in."""
        place = (line.get("layer", 0), line.get("chunk", 0))
        self.last, self.time = line["what"], line["time"]
        match line["what"]:
            case "chunk":
                self.done[place] = line
                self.times.append((line["time"], place))
                self.nodes[line["node"]] += 1
                self.cpu += line["cpu"]
                self.memory = max(self.memory, line["memory"])
            case "damaged":
                self.done.pop(place, None)
            case "dropped":
                self.dropped.add(place[0])
            case "settled":
                self.dropped.clear()
            case "checked":
                self.checked += 1
            case "fault" | "disputed" | "stopped":
                kind = line.get("kind", line["what"])
                self.faults[kind] += 1
                self.last_faults.append(_fault(kind, line))


def _fault(kind: str, line: dict[str, Any]) -> str:
    where = f" chunk {line['chunk']} of layer {line['layer']}" if "chunk" in line else ""
    node = f" on {line['node']}" if "node" in line else ""
    return f"{kind}:{where}{node} {line.get('why', '')}".strip()


def _rate(seen: _Seen, parts: list[list[int]], now: float) -> float:
    """Work done in a second, over the last ten minutes in which any was."""
    recent = [(when, place) for when, place in seen.times if when > now - RECENT_SECONDS]
    if not recent:
        return 0.0
    done = sum(parts[layer][chunk] for _, (layer, chunk) in recent)
    begun = min(when - seen.done.get(place, {}).get("seconds", 0.0) for when, place in recent)
    return float(done / max(now - begun, 1e-3))
