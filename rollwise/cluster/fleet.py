"""The nodes of a cluster, through Ray: connect, compare versions, know what each has room for.

A node is used once it was asked what it is: it must have the versions that the driver has, and see the folder.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

from rollwise.cluster.worker import describe_node, versions
from rollwise.errors import EngineError, GameError

__all__ = ["Fleet", "Node", "connected", "read_address"]

OBJECT_STORE_BYTES = 100 << 20
"""What Ray's own store may hold on a node that we start: tasks exchange paths, so it needs little."""
REFRESH_SECONDS = 2.0
SEEN_SECONDS = 20.0
"""How long a file that a node wrote may take to be seen here."""
REACH_SECONDS = 5.0
ANSWER_SECONDS = 60.0
MOST_WORKERS = 1024


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


def import_ray() -> Any:
    """Import Ray. Raises `EngineError` where it is missing."""
    try:
        import ray  # noqa: PLC0415  (an optional extra)
    except ImportError:
        raise EngineError("a cluster needs Ray: pip install 'rollwise[cluster]'") from None
    return ray


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to a cluster, or start one here, and let go of it at the end; gives Ray. Raises `GameError`, `EngineError`."""
    wanted = read_address(address)
    ray = import_ray()
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
    # Whatever became of a chunk that nobody waits for any more is not news.
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")
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
        raise GameError(f"cannot {what}: {_first_line(error)}") from None


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


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


@dataclass
class Node:
    """A node: its id for Ray, its name, and how many chunks it works on at once, of which some are under way."""

    id: str
    name: str
    slots: int
    flying: int = 0
    aside: str = ""
    """Why it gets nothing more to do."""

    @property
    def free(self) -> int:
        return 0 if self.aside else self.slots - self.flying


@dataclass
class Fleet:
    """The nodes that can be used. `device` says what a chunk needs of them, `memory` how many bytes."""

    ray: Any
    folder: Path | None
    device: str = "cpu"
    memory: int = 0
    nodes: dict[str, Node] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    _looked: float = -REFRESH_SECONDS

    def refresh(self, *, at_once: bool = False) -> list[str]:
        """Look which nodes there are, and ask new ones what they are; give what happened in lines."""
        if not at_once and monotonic() - self._looked < REFRESH_SECONDS:
            return []
        self._looked = monotonic()
        there = {found["NodeID"]: found for found in self.ray.nodes() if found["Alive"]}
        gone = [self.nodes.pop(node) for node in list(self.nodes) if node not in there]
        known = {*self.nodes, *self.refused}
        new = {node: slots for node, found in there.items() if node not in known and (slots := self._slots(found))}
        return [*(f"node {node.name} is gone" for node in gone), *self._ask(new)]

    def _slots(self, found: dict[str, Any]) -> int:
        """How many chunks a node works on at once: one for each core or card, as far as they fit into its memory."""
        resources = found["Resources"]
        slots = int(resources.get("GPU" if self.device == "gpu" else "CPU", 0))
        return min(slots, int(resources.get("memory", 0) // self.memory) or 1) if self.memory and slots else slots

    def _ask(self, new: dict[str, int]) -> list[str]:
        if not new:
            return []
        token = uuid4().hex[:12]
        if self.folder is not None:
            (self.folder / f"token-{token}").write_text(token, encoding="utf-8")
        asked = {node: self._describe(node, token) for node in new}
        lines = [self._take(node, new[node], ref) for node, ref in asked.items()]
        self._see(token, [node for node in new if node in self.nodes])
        return lines

    def _describe(self, node: str, token: str) -> Any:
        folder = None if self.folder is None else str(self.folder)
        return task(self.ray, describe_node).options(num_cpus=0, **on(node)).remote(folder, token)

    def _take(self, node: str, slots: int, ref: Any) -> str:
        """Take a node in that answered, if it is as it should be; say what became of it."""
        try:
            found = self.ray.get(ref, timeout=ANSWER_SECONDS)
        except self.ray.exceptions.RayError as error:
            return f"node {node[:8]} does not answer ({type(error).__name__})"
        fault = _other_versions(found["versions"])
        if found["fault"] is not None:
            fault = f"does not see {str(self.folder)!r} as the driver does ({found['fault']})"
        if fault:
            self.refused[node] = f"node {found['node']} {fault}"
            return self.refused[node]
        self.nodes[node] = Node(node, found["node"], slots)
        return f"node {found['node']} joins with {slots} at once"

    def _see(self, token: str, nodes: list[str]) -> None:
        """Wait until what the nodes wrote is seen here. Raises `GameError` if it is not."""
        if self.folder is None:
            return
        begun = monotonic()
        while len(seen := list(self.folder.glob(f"seen-{token}-*"))) < len(nodes):
            if monotonic() - begun > SEEN_SECONDS:
                raise GameError(
                    f"what nodes write in {str(self.folder)!r} is not seen here after {SEEN_SECONDS:.0f} s: it must be one "
                    "folder that all nodes share"
                )
            sleep(0.1)
        for path in [self.folder / f"token-{token}", *seen]:
            with suppress(OSError):
                path.unlink()

    @property
    def slots(self) -> int:
        """How many chunks are worked on at once."""
        return sum(node.slots for node in self.nodes.values() if not node.aside)

    def pick(self, avoid: frozenset[str] = frozenset()) -> Node | None:
        """Give the node with the most room, but for some; None if there is none."""
        free = [node for node in self.nodes.values() if node.free > 0 and node.id not in avoid]
        return max(free, key=lambda node: (node.free / node.slots, node.id), default=None)

    def usable(self) -> list[Node]:
        """List the nodes that are not set aside."""
        return [node for node in self.nodes.values() if not node.aside]


def _other_versions(theirs: dict[str, str]) -> str:
    """Say which versions differ from those here; "" if none do."""
    other = [f"{what} {theirs.get(what)} (here {ours})" for what, ours in versions().items() if theirs.get(what) != ours]
    return f"has {', '.join(other)}: install the same everywhere" if other else ""


@lru_cache(maxsize=16)
def task(ray: Any, function: Any) -> Any:
    """Make a task of a function: we ourselves decide what is tried again, and processes stay."""
    return ray.remote(max_retries=0, max_calls=0)(function)


def on(node: str) -> dict[str, Any]:
    """Say that a task must run on a node."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415

    return {"scheduling_strategy": NodeAffinitySchedulingStrategy(node_id=node, soft=False)}
