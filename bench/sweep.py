"""Sweeps on one and on two workers: `python -m bench.sweep` prints the part of the results about them.

Each line is the fastest of some whole runs of the command, the start of Python, imports and all files included; runs with one and
with two workers take turns, so that what else goes on touches both alike. Compiled code is there before. `--runs N`, default 2;
`--only TEXT`: the sweeps with this in their names; `--small`: one of two rows, to see that all of it runs.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from bench.entry import run as run_entry
from bench.machine import describe

SWEEPS = {
    "200 variants of yatzy, values only": [
        "yatzy",
        "--over",
        "bonus=5..100..5",
        "--over",
        "threshold=54..72..2",
        "--only-values",
    ],
    "8 variants of yatzy, with distributions": ["yatzy", "--over", "bonus=30..65..5"],
    "200 targets of slots": ["slots", "--over", "target=1..50", "--over", "at-least=30..45..5"],
}
SMALL = {"2 targets of slots": ["slots", "--over", "target=44,45", "--only-values"]}
HEAD = "| sweep | workers | wall s | faster than one | CPU s | driver MiB | largest worker MiB | rows as with one |"


@dataclass(frozen=True)
class Run:
    """What a run took, and what it wrote but for times."""

    wall: float
    cpu: float
    driver: float
    worker: float
    rows: list[dict[str, str]]


DRIVER = """
import json, resource, sys
from rollwise.cli.main import main
code = main(json.loads(sys.argv[1]))
own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = sum((own.ru_utime, own.ru_stime, others.ru_utime, others.ru_stime))
print(json.dumps([code, own.ru_maxrss / 1024, others.ru_maxrss / 1024, cpu]))
"""


def main(words: Sequence[str]) -> None:
    """Measure all sweeps."""
    parser = argparse.ArgumentParser(prog="python -m bench.sweep")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args(words)
    runs = options.runs
    machine = describe()
    where = f"{machine['date']}, {machine['processor']}, load at the start {machine['load at the start']}"
    print(f"## Sweeps\n\nMade by `python -m bench.sweep`: {where}; the fastest of {runs} runs.\n")
    print(f"{HEAD}\n|---|---:|---:|---:|---:|---:|---:|---|", flush=True)
    for name, sweep in ((name, sweep) for name, sweep in (SMALL if options.small else SWEEPS).items() if options.only in name):
        done: dict[int, list[Run]] = {1: [], 2: []}
        for _ in range(runs):
            for workers, found in done.items():
                found.append(run(sweep, workers))
        one = min(done[1], key=lambda found: found.wall)
        for workers, found in done.items():
            best = min(found, key=lambda found: found.wall)
            same = "same bits" if best.rows == one.rows else "OTHER BITS"
            times = f"{best.wall:.1f} | {one.wall / best.wall:.2f} | {best.cpu:.1f} | {best.driver:.0f} | {best.worker:.0f}"
            print(f"| {name} | {workers} | {times} | {len(best.rows)} rows, {same} |", flush=True)


def run(words: list[str], workers: int) -> Run:
    """Sweep once, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "table.csv"
        line = json.dumps(["sweep", *words, "--threads", str(workers), "-o", str(output)])
        begun = perf_counter()
        done = subprocess.run([sys.executable, "-c", DRIVER, line], capture_output=True, text=True, check=True)
        wall = perf_counter() - begun
        code, driver, worker, cpu = json.loads(done.stdout.splitlines()[-1])
        assert code == 0, done.stderr
        with output.open(newline="") as file:
            rows = [{name: cell for name, cell in row.items() if name != "seconds"} for row in csv.DictReader(file)]
    return Run(wall, cpu, driver, worker, rows)


if __name__ == "__main__":
    sys.exit(run_entry(main))
