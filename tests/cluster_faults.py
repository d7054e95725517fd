"""A small recursion for clusters that breaks as it is told to: by a file `trouble.json` that all its workers see.

Run as a program, it solves itself in a folder on a cluster, to be killed.
"""

import errno
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from rollwise.cluster import worker
from rollwise.cluster.backend import Cluster
from rollwise.extending import SolveOptions
from rollwise.solvers.base.layers import Recursion, solve_in_layers

LAYERS, ROWS, WIDTH = 6, 6000, 10


class Sums(Recursion):
    """Each value is made of two of the layer before it; `trouble` names the folder that says what goes wrong."""

    what = "sums"
    dtype = "float64"
    shapes = ((ROWS * WIDTH,),) * LAYERS

    def __init__(self, trouble: str = "", fingerprint: str = "sums") -> None:
        self.trouble, self.fingerprint = trouble, fingerprint
        self.work = [ROWS * WIDTH] * LAYERS
        self.found: dict[int, Any] = {}

    def begin(self) -> None:
        self.found[0] = np.sqrt(np.arange(ROWS * WIDTH, dtype=np.float64))

    def pieces(self, layer: int, threads: int) -> Iterable[Any]:
        self.found[layer] = np.empty(ROWS * WIDTH)
        return [(first, first + 1000) for first in range(0, ROWS, 1000)]

    def fill(self, layer: int, piece: Any) -> int:
        first, end = piece
        self.found[layer][first * WIDTH : end * WIDTH] = self.rows(layer, first, end)
        return int(end - first) * WIDTH

    def values(self, layer: int) -> Any:
        return self.found[layer]

    def restore(self, layer: int, values: Any) -> None:
        self.found[layer] = values

    def recipe(self) -> tuple[Callable[..., Recursion], tuple[Any, ...]]:
        return Sums, (self.trouble, self.fingerprint)

    def row_start(self, layer: int) -> Any:
        return np.arange(ROWS + 1) * WIDTH

    def rows(self, layer: int, first: int, end: int) -> Any:
        place = np.arange(first * WIDTH, end * WIDTH)
        before = self.found[layer - 1]
        values = np.sqrt(before[place] + before[(7 * place + layer) % len(before)] / 3)
        return self._disturbed(values, layer, first) if self.trouble else values

    def _disturbed(self, values: Any, layer: int, first: int) -> Any:
        folder = Path(self.trouble)
        plan = json.loads((folder / "trouble.json").read_text())
        time.sleep(plan.get("every", 0.0))
        where = plan.get("where")
        if layer != plan.get("layer", layer) or (where and worker.node_name() != where):
            return values
        match plan.get("what"):
            case "die":
                for attempt in range(plan.get("times", 1)):
                    try:
                        (folder / f"died-{attempt}").touch(exist_ok=False)
                    except FileExistsError:
                        continue
                    os.kill(os.getpid(), signal.SIGKILL)
            case "wrong":
                return values + np.spacing(values)
            case "full":
                with (folder / "tried").open("a") as tried:
                    tried.write("x")
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            case "raise":
                raise ZeroDivisionError("one by zero")
        return values


def square(number: int) -> int:
    """Square a number; one that is negative raises, and 0 kills whoever does it."""
    if number < 0:
        raise ValueError(f"{number} is negative")
    if not number:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


if __name__ == "__main__":
    from tests import cluster_faults  # noqa: PLW0406  (not `__main__`, so that workers find it by name)

    solve_in_layers(cluster_faults.Sums(sys.argv[3]), SolveOptions(backend=Cluster(sys.argv[1]), checkpoint=Path(sys.argv[2])))
