"""A duel of yazy through `local:2` beside two threads: wall clock, processor seconds of all processes, and the bits.

python -m bench.cluster [BOXES] [float64|float32]     all boxes by default; run it on a machine that does nothing else
"""

import argparse
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import psutil

from bench.entry import run
from rollwise import Duel
from rollwise.cluster.backend import Cluster
from rollwise.cluster.connect import connected
from rollwise.extending import SolveOptions, Threads
from rollwise.games import load
from rollwise.solvers.base.journal import read_journal
from rollwise.solvers.solve import solve_with_options


def processor_seconds() -> float:
    """Add up what this process and all below it have used."""
    here = psutil.Process()
    times = [process.cpu_times() for process in (here, *here.children(recursive=True))]
    return sum(time.user + time.system for time in times)


def solve(name: str, backend: Any, folder: str, options: argparse.Namespace) -> None:
    """Solve, and say what it took."""
    begun, used = perf_counter(), processor_seconds()
    solve_options = SolveOptions(backend=backend, precision=options.precision, checkpoint=Path(folder), message=print)
    solution: Any = solve_with_options(load("yazy", boxes=options.boxes), Duel(), solve_options)
    digest = sha256(b"".join(np.asarray(solution.layers[layer]).tobytes() for layer in sorted(solution.layers)))
    seconds, used = perf_counter() - begun, processor_seconds() - used
    print(f"{name}: {seconds:.1f} s, {used:.1f} s of processor time, bits {digest.hexdigest()[:16]}")


def main(words: Sequence[str]) -> None:
    """Solve both ways."""
    parser = argparse.ArgumentParser(prog="python -m bench.cluster")
    parser.add_argument("boxes", nargs="?", default=",".join(load("yazy").names))
    parser.add_argument("precision", nargs="?", choices=("float64", "float32"), default="float64")
    options = parser.parse_args(words)
    with TemporaryDirectory() as folder:
        solve("two threads", Threads(2), folder, options)
    begun = perf_counter()
    with TemporaryDirectory() as folder, connected("local:2"):
        print(f"Ray is there after {perf_counter() - begun:.1f} s")
        solve("local:2", Cluster("local:2"), folder, options)
        chunks = [line for line in read_journal(Path(folder, "journal.jsonl"))[1] if "node" in line]
        parts = ", ".join(f"{name} {sum(line[name] for line in chunks):.1f} s" for name in ("seconds", "cpu", "prepare"))
        print(f"{len(chunks)} chunks: {parts}; a worker held {max(line['memory'] for line in chunks) / 2**20:.0f} MiB")


if __name__ == "__main__":
    sys.exit(run(main))
