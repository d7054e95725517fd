"""How far a solve on a cluster is, from the journal in its directory alone: while its driver runs, and after it died."""

from collections import Counter
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from time import time
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.solvers.base.array_files import BLOCK, DIGEST
from rollwise.solvers.base.journal import in_use, read_journal
from rollwise.solvers.base.layer_files import FORMAT, JOURNAL, layer_facts

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
    found = [path for path in [folder, *sorted(folder.iterdir())] if (path / JOURNAL).is_file()]
    if not found:
        raise GameError(f"nothing is solved by a cluster in {str(folder)!r}: give the --cache DIR that was given with --cluster")
    return found


def read_status(folder: Path) -> Status:
    """Read how far a solve is. Raises `GameError` where that cannot be read."""
    head, lines, _ = read_journal(folder / JOURNAL)
    if head is None or head.get("format") != FORMAT:
        raise GameError(f"{str(folder)!r} has no readable {JOURNAL}")
    running = in_use(folder / JOURNAL)
    sizes = [prod(shape) * np.dtype(head["dtype"]).itemsize for shape in head["shapes"]]
    chunks, done, faults = list[dict[str, Any]](), dict[tuple[int, int], int](), list[dict[str, Any]]()
    for line in lines:
        if "blocks" in line:
            chunks += [line] if "node" in line else []
            done[line["layer"], line["first"]] = min(sizes[line["layer"]], len(line["blocks"]) // DIGEST * BLOCK)
        elif len(line.get("dropped", ())) > 1:
            done.pop(tuple(line["dropped"]), None)
        elif "fault" in line or "disputed" in line:
            faults.append({"fault": "disputed", "why": " and ".join(line.get("disputed", [])), **line})
    finished = any("finished" in line for line in lines[-1:])
    total = sum(head["work"])

    def work_of(layer: int, size: int) -> float:
        return float(head["work"][layer] * size / sizes[layer]) if sizes[layer] else float(head["work"][layer])

    work = total if finished else min(total, round(sum(work_of(layer, size) for (layer, _), size in done.items())))
    now = time() if running else max((line["time"] for line in lines), default=0.0)
    recent = [line for line in chunks if line["time"] > now - RECENT_SECONDS]
    lately = sum(work_of(line["layer"], done.get((line["layer"], line["first"]), 0)) for line in recent)
    rate = lately / max(1e-3, now - min(line["time"] - line["seconds"] for line in recent)) if recent else 0.0
    driver = next((line["driver"] for line in reversed(lines) if "driver" in line), None)
    return Status(
        folder=str(folder), title=head["title"], state="running" if running else "finished" if finished else "stopped",
        driver=driver if running else None, layers=len(sizes), layers_done=len(sizes) if finished else len(layer_facts(folder)),
        chunks_done=len(done), bytes=sum(sizes), bytes_done=sum(sizes) if finished else min(sum(sizes), sum(done.values())),
        work=total, work_done=work, rate=rate, seconds_left=0.0 if finished else (total - work) / rate if rate else None,
        cpu_seconds=round(sum(line["cpu"] for line in chunks), 3),
        worker_memory=max((line["memory"] for line in chunks), default=0),
        nodes=dict(Counter(line["node"] for line in chunks)), checked=sum("checked" in line for line in lines),
        faults=dict(Counter(line["fault"] for line in faults)),
        last_faults=[f"{line['fault']}: {line['why']}" for line in faults[-MOST_FAULTS:]],
    )  # fmt: skip
