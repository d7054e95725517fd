"""Connect to a Ray cluster, or start one on this machine."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from rollwise.errors import EngineError, GameError

__all__ = ["connected", "last_line", "nodes_with", "read_address", "task"]

OBJECT_STORE_BYTES = 100 << 20
"""What Ray's own store may hold on a node that we start: tasks exchange checksums, so it needs little."""
REACH_SECONDS = 5.0
MOST_WORKERS = 1024
TRIES = 8
"""How often a task is tried whose process or node dies, or that cannot write."""


def read_address(text: str) -> int | str:
    """Read what `--cluster` names: a number of workers here (`local:2`), or the address of a Ray cluster.

    >>> read_address("local:2"), read_address("auto"), read_address("10.0.0.5:6379")
    (2, 'auto', '10.0.0.5:6379')

    Raises `GameError` for anything else.
    """
    kind, _, rest = text.partition(":")
    if kind == "local":
        if rest.isdecimal() and 1 <= int(rest) <= MOST_WORKERS:
            return int(rest)
    elif text == "auto" or _host_and_port(text):
        return text
    raise GameError(f"cluster {text!r}: expected local:N with 1 to {MOST_WORKERS} workers, HOST:PORT, ray://HOST:PORT or auto")


def _host_and_port(text: str) -> tuple[str, int] | None:
    host, _, port = text.removeprefix("ray://").rpartition(":")
    return (host, int(port)) if host and "/" not in host and port.isdecimal() and 0 < int(port) < 1 << 16 else None


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to a cluster, or start one here, and let go of it at the end; gives Ray. Raises `GameError`, `EngineError`."""
    wanted = read_address(address)
    # Ray prints a traceback on standard output for each attempt that failed; it reads this when it is imported.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    try:
        import ray  # noqa: PLC0415  (an optional extra)
    except ImportError:
        raise EngineError("a cluster needs Ray: pip install 'rollwise[cluster]'") from None
    if ray.is_initialized():
        yield ray
        return
    try:
        _start(ray, wanted)
        yield ray
    finally:
        ray.shutdown()


def _start(ray: Any, wanted: int | str) -> None:
    """Start Ray here, or join a cluster. Raises `GameError`."""
    # Whatever became of a task that nobody waits for any more is not news.
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")
    # Unless told otherwise, Ray retries for ever what it killed itself because memory ran low.
    os.environ.setdefault("RAY_task_oom_retries", str(TRIES - 1))
    given: dict[str, Any] = {"address": wanted, "logging_level": "error", "log_to_driver": False}
    if isinstance(wanted, int):
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        own = {"address": "local", "num_cpus": wanted, "include_dashboard": False, "object_store_memory": OBJECT_STORE_BYTES}
        given |= own
    else:
        _reach(wanted)
    try:
        ray.init(**given)
    except Exception as error:
        what = "start Ray here" if isinstance(wanted, int) else f"join the Ray cluster at {wanted!r}"
        why = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise GameError(f"cannot {what}: {why}") from None


def _reach(address: str) -> None:
    """Refuse an address at which nobody answers: Ray would try for minutes."""
    place = _host_and_port(address)
    if place is None:
        return
    try:
        socket.create_connection(place, timeout=REACH_SECONDS).close()
    except OSError as error:
        why = error.strerror or str(error)
        raise GameError(f"no Ray cluster answers at {address!r} ({why}): start one with 'ray start --head'") from None


def nodes_with(ray: Any, device: str) -> list[dict[str, Any]]:
    """List the nodes that have a core, or a GPU."""
    return [node for node in ray.nodes() if node["Alive"] and node["Resources"].get(device.upper(), 0) >= 1]


def last_line(error: Exception) -> str:
    """Say in a line why a task failed: of a traceback that Ray sends as a text, its last line."""
    cause = getattr(error, "cause", error)
    *before, last = str(cause).strip().splitlines() or [""]
    return last if before else f"{type(cause).__name__}: {last}"


@lru_cache(maxsize=16)
def task(ray: Any, function: Any, device: str = "cpu", tries: int = TRIES) -> Any:
    """Make a task of a function, for a core or a GPU: Ray tries it again, and keeps the process for the next one."""
    need = {"num_gpus": 1, "num_cpus": 0} if device == "gpu" else {"num_cpus": 1}
    return ray.remote(**need, max_retries=tries - 1, retry_exceptions=[OSError], max_calls=0, scheduling_strategy="SPREAD")(
        function
    )
