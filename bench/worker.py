"""One call in a process of its own: `python -m bench.worker NAME` measures the row and prints one line of JSON.

Imports and warm-up come first and are not counted. A call of some milliseconds is repeated until a third of a second has gone
by, and its median run counts. The peak memory is that of the whole process, interpreter and imports included.
"""

import gc
import json
import resource
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from bench.outcome import NotOffered, Outcome
from bench.rows import ROWS, Row

ENOUGH_SECONDS = 0.3
MOST_RUNS = 21


def main(name: str) -> int:
    """Measure the row called `name`."""
    row = next(row for row in ROWS if row.name == name)
    try:
        answer = _measured(row)
    except NotOffered as reason:
        answer = {"reason": str(reason)}
    except ModuleNotFoundError as error:
        answer = {"reason": f"not installed: {error.name}"}
    except (Exception, SystemExit) as error:
        answer = {"reason": f"failed: {type(error).__name__}: {error}"}
    print(json.dumps(answer))
    return 0


def _measured(row: Row) -> dict[str, Any]:
    module, function = row.call.split(":")
    call = getattr(import_module(module), function)(**row.arguments)
    runs = [_run(call)]
    while not row.once and len(runs) < MOST_RUNS and sum(wall for _, wall, _ in runs) < ENOUGH_SECONDS:
        runs.append(_run(call))
    cpu, wall, outcome = sorted(runs, key=lambda run: run[0])[(len(runs) - 1) // 2]
    return {
        "value": outcome.value,
        "explore": outcome.explore_seconds,
        "solve": outcome.solve_seconds,
        "note": outcome.note() if callable(outcome.note) else outcome.note,
        "cpu": cpu,
        "wall": wall,
        "memory": _peak_memory(),
    }


def _run(call: Callable[[], Outcome]) -> tuple[float, float, Outcome]:
    gc.collect()
    cpu, wall = _cpu_seconds(), perf_counter()
    outcome = call()
    return _cpu_seconds() - cpu, perf_counter() - wall, outcome


def _cpu_seconds() -> float:
    """Count all threads, and processes that were started and have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def _peak_memory() -> float:
    """Give the peak in MiB; where the system tells, without what the starting process had."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
