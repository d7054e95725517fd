"""What workers of a cluster were measured to do: constants for plans, or read from the journal of a solve.

a chunk takes    chunk_seconds + values / values_per_second + bytes to compare or to write / compared_per_second
a layer more     for each worker: layer_seconds, and the whole layer before compared with its SHA-256
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, stdev
from typing import Any

import numpy as np

from rollwise.errors import GameError

__all__ = ["CARD_BYTES", "Rates", "measured_rates", "rates_of", "span_of"]

CARD_BYTES = 141 * 10**9
"""Memory of the card whose rate was measured, an NVIDIA H200."""
YAZY = 306_356_498
VALUES_PER_SECOND = {
    ("cpu", "float32"): 2.3e6, ("cpu", "float64"): 1.3e6, ("gpu", "float32"): YAZY / 1.46, ("gpu", "float64"): YAZY / 2.95,
}  # fmt: skip
"""Turn starts of the yazy duel that a core, or an H200, works out in a second, those of the card with all values copied back."""
COMPARED_PER_SECOND = 1.7e9
"""Bytes of which a core works out the SHA-256 in a second, with the instructions that processors have for it since 2017."""
SMALL = 20_000
"""Chunks with fewer values say what a chunk takes however small it is."""


@dataclass(frozen=True, kw_only=True)
class Rates:
    """What one worker does. `share` is how much of a core it gets: less than 1 where others work there too.

    `spread` is the standard deviation of the logarithm of a chunk's time; of `slow_in` chunks one takes `slow` times as long.
    """

    values_per_second: float
    compared_per_second: float = COMPARED_PER_SECOND
    chunk_seconds: float = 0.004
    layer_seconds: float = 0.003
    task_seconds: float = 0.0008
    start_seconds: float = 3.0
    share: float = 1.0
    spread: float = 0.05
    slow_in: int = 1000
    slow: float = 8.0


def rates_of(device: str, precision: str) -> Rates:
    """Give the rates that were measured with yazy, for a core or a card."""
    return Rates(values_per_second=VALUES_PER_SECOND[device, precision])


def span_of(lines: Iterable[Mapping[str, Any]]) -> float:
    """Seconds from the first layer that was begun to the end, by a journal."""
    times = [line["time"] for line in lines if line["what"] in ("layer", "finished")]
    return float(times[-1] - times[0])


def measured_rates(run: Mapping[str, Any], lines: Iterable[Mapping[str, Any]]) -> Rates:
    """Read from the manifest of a finished solve what its workers did. Raises `GameError` if it is too small to tell."""
    chunks = [line for line in lines if line["what"] == "chunk" and line["layer"] > 0]
    number = np.dtype(run["dtype"]).itemsize
    first = {line["pid"]: line for line in reversed(chunks)}
    rest = [line for line in chunks if line is not first[line["pid"]]]
    small = [line for line in rest if line["bytes"] < SMALL * number]
    large = [line for line in rest if line["bytes"] >= SMALL * number]
    if len(small) < 3 or len(large) < 3:
        raise GameError(f"{run['title']} has too few chunks to measure by: take a larger one")
    fixed = median(line["cpu"] for line in small)
    paces = [_working(line, fixed) / (line["bytes"] / number) for line in large]
    seconds, cpu = (sum(line[name] for line in large) for name in ("seconds", "cpu"))
    values = sum(line["bytes"] for line in large) / number
    return Rates(
        values_per_second=values / sum(_working(line, fixed) for line in large), chunk_seconds=fixed,
        layer_seconds=0.0, task_seconds=_between(chunks), share=min(1.0, cpu / seconds),
        start_seconds=max(line["cpu"] for line in first.values()), spread=stdev(map(float, np.log(paces))), slow_in=0,
    )  # fmt: skip


def _working(line: Mapping[str, Any], fixed: float) -> float:
    """Processor seconds of a chunk that its values took, beside checksums and what any chunk takes."""
    return max(1e-9, float(line["cpu"] - fixed - (line["bytes"] + line["read"]) / COMPARED_PER_SECOND))


def _between(chunks: list[Mapping[str, Any]]) -> float:
    """Seconds from the end of a chunk to the beginning of the next in the same process and layer, as the driver takes them in."""
    gaps = []
    for pid in {line["pid"] for line in chunks}:
        own = [line for line in chunks if line["pid"] == pid]
        gaps += [b["time"] - b["seconds"] - a["time"] for a, b in pairwise(own) if a["layer"] == b["layer"]]
    return max(0.0, median(gaps)) if gaps else 0.0
