"""What runs on the nodes: work out a chunk, compare chunks, say what a node is.

A worker is a process that Ray keeps from task to task. It makes its `Recursion` once, maps the layer before the one it works on
once, and holds no more than that and a chunk. What goes wrong with files is an answer, not an exception: the driver knows what
to do about it.
"""

import errno
import os
import pickle
import platform
import socket
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from rollwise import __version__
from rollwise.cluster.chunks import Chunk, Damaged, Span, chunk_bytes, file_digest, map_chunks, rows_of, write_chunk
from rollwise.cluster.manifest import layer_folder
from rollwise.errors import EngineError
from rollwise.solvers.base.layers import Recursion

__all__ = ["Order", "compare", "describe_node", "solve_chunk", "versions", "worker_memory"]


LATE_SECONDS = 1.0
BASE_BYTES = 160 << 20
"""What a process takes with Python, NumPy, compiled code and Ray, measured; rounded up."""


def worker_memory(recursion_bytes: int, layer_bytes: int) -> int:
    """Bound the memory of a worker beside mapped files: what its recursion needs, and a chunk of the largest layer."""
    return BASE_BYTES + recursion_bytes + chunk_bytes(layer_bytes)


class Order(NamedTuple):
    """A chunk to work out: of which solve, where its files are, and the chunks of the layer before it.

    The recipe of the recursion, and the list of chunks, lie in Ray's store: each process fetches them once. A chunk that is only
    `compared` is not written.
    """

    solve: str
    recipe: list[Any]
    folder: str
    layer: int
    chunk: int
    span: Span
    before: list[Any]
    version: int
    compared: bool = False


class _Bench:
    """What a process keeps from chunk to chunk."""

    solve = ""
    remade: tuple[Any, tuple[Any, ...]] | None = None
    recursion: Recursion | None = None
    layer = (-1, -1)
    read = 0


BENCH = _Bench()


def solve_chunk(order: Order) -> dict[str, Any]:
    """Work out a chunk, write it, and say what that took; or say what kept it from that."""
    begun, cpu = perf_counter(), process_time()
    BENCH.read = 0
    try:
        recursion = _prepare(order)
    except Damaged as error:
        return {**_where(), "fault": "damaged", "chunks": error.places}
    ready = perf_counter()
    values = _work_out(recursion, order)
    solved = perf_counter()
    try:
        chunk = _put(order, values)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        return {**_where(), "fault": "full" if full else "cannot write", "why": error.strerror or str(error)}
    return {
        **chunk._asdict(), **_where(),
        "seconds": round(perf_counter() - begun, 4), "cpu": round(process_time() - cpu, 4), "prepare": round(ready - begun, 4),
        "write": round(perf_counter() - solved, 4), "read": BENCH.read, **_memory(),
    }  # fmt: skip


def _memory() -> dict[str, int]:
    """Say how much memory this process has, and how much of files it has mapped, which the system can take back."""
    import psutil  # noqa: PLC0415

    found = psutil.Process().memory_info()
    mapped = getattr(found, "shared", 0)
    return {"memory": found.rss - mapped, "mapped": mapped}


def _prepare(order: Order) -> Recursion:
    """Have the recursion with the layer before this one in it."""
    if order.solve != BENCH.solve or BENCH.remade is None:
        BENCH.solve, BENCH.remade, BENCH.recursion = order.solve, pickle.loads(_fetch(order.recipe)), None
    if BENCH.recursion is None or BENCH.layer != (order.layer, order.version):
        # Made anew for every layer: what a recursion holds of earlier ones is not needed any more.
        make, arguments = BENCH.remade
        recursion = BENCH.recursion if BENCH.recursion is not None and BENCH.recursion.forgets else make(*arguments)
        BENCH.recursion = None
        _load(recursion, order)
        BENCH.recursion, BENCH.layer = recursion, (order.layer, order.version)
    return BENCH.recursion


def _load(recursion: Recursion, order: Order) -> None:
    """Put the layer before this one into a recursion, compared with its checksums."""
    before = order.layer - 1
    if before < 0:
        recursion.begin()
        return
    for other in range(recursion.n_layers):
        recursion.forget(other)
    chunks = [Chunk(*chunk) for chunk in pickle.loads(_fetch(order.before))]
    values = _mapped(layer_folder(Path(order.folder), before), chunks, recursion.dtype)
    BENCH.read = values.nbytes
    recursion.restore(before, values.reshape(recursion.shapes[before]))


def _mapped(folder: Path, chunks: list[Chunk], dtype: str) -> Any:
    """Map a layer. A network drive may show a new file late: what is not there is looked for again."""
    try:
        return map_chunks(folder, chunks, dtype, compare=True)
    except Damaged:
        sleep(LATE_SECONDS)
        list(folder.iterdir() if folder.is_dir() else ())
        return map_chunks(folder, chunks, dtype, compare=True)


def _fetch(kept: list[Any]) -> bytes:
    import ray  # noqa: PLC0415  (only where there is a cluster)

    found: bytes = ray.get(kept[0])
    return found


def _work_out(recursion: Recursion, order: Order) -> Any:
    if order.layer == 0:
        return np.asarray(recursion.values(0)).reshape(-1)[order.span.begin : order.span.end]
    row_start = recursion.row_start(order.layer)
    first, end = rows_of(row_start, order.span)
    values = recursion.rows(order.layer, first, end)
    begin = int(row_start[first])
    if len(values) != row_start[end] - begin:
        raise EngineError(f"rows {first} to {end} of layer {order.layer} have {len(values)} values")
    return values[order.span.begin - begin : order.span.end - begin]


def _put(order: Order, values: Any) -> Chunk:
    """Write a chunk under a name that no other attempt has; of one that is only compared, give its checksum."""
    if order.compared:
        from hashlib import sha256  # noqa: PLC0415

        content = np.ascontiguousarray(values).view(np.uint8).data
        return Chunk("", len(content), sha256(content).hexdigest())
    return write_chunk(layer_folder(Path(order.folder), order.layer), f"{order.chunk:05}-{uuid4().hex[:8]}.bin", values)


def _where() -> dict[str, Any]:
    return {"node": node_name(), "pid": os.getpid()}


def node_name() -> str:
    """Name this node: its host, and the beginning of the id that Ray gave it."""
    import ray  # noqa: PLC0415

    return f"{socket.gethostname()}/{ray.get_runtime_context().get_node_id()[:8]}"


def compare(folder: str, chunks: Sequence[tuple[int, int, Chunk]]) -> list[tuple[int, int]]:
    """Compare chunks (layer, number, what was written); give those that are not what was written."""
    wrong = []
    for layer, number, chunk in chunks:
        expected = Chunk(*chunk)
        if file_digest(layer_folder(Path(folder), layer) / expected.file) != (expected.bytes, expected.sha256):
            wrong.append((layer, number))
    return wrong


def versions() -> dict[str, str]:
    """Say which programs work here: all nodes must have the same."""
    import numba  # noqa: PLC0415
    import ray  # noqa: PLC0415

    from rollwise.solvers.base.compiling import source_digest  # noqa: PLC0415

    return {
        "rollwise": __version__, "its sources": source_digest()[:12], "NumPy": np.__version__, "Numba": numba.__version__,
        "Python": platform.python_version(), "Ray": ray.__version__,
    }  # fmt: skip


def describe_node(folder: str | None, token: str) -> dict[str, Any]:
    """Say what a node is: its versions, and whether it reads what the driver wrote in a folder, and can write there."""
    found: dict[str, Any] = {**_where(), "versions": versions(), "fault": None}
    if folder is not None:
        try:
            place = Path(folder)
            if (place / f"token-{token}").read_text(encoding="utf-8") != token:
                found["fault"] = "reads something else there"
            (place / f"seen-{token}-{uuid4().hex[:8]}").write_text(token, encoding="utf-8")
        except OSError as error:
            found["fault"] = error.strerror or str(error)
    return found
