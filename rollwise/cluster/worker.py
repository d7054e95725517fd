"""What runs on the nodes: compute a chunk, write it into the file of its layer, and give its checksums.

A worker is a process that Ray keeps from task to task. It makes its `Recursion` once, verifies and maps the layer before the one
it works on once, and holds no more than that and a chunk.
"""

import os
import pickle
import platform
import socket
from io import BytesIO
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any, NamedTuple

import numpy as np

from rollwise import __version__
from rollwise.cluster.chunks import Span, chunk_bytes, rows_of, span_of
from rollwise.errors import EngineError, GameError
from rollwise.solvers.base.array_files import BLOCK, ArrayFile, CacheError, npy_header, write_blocks
from rollwise.solvers.base.layer_files import layer_name
from rollwise.solvers.base.layers import Recursion

__all__ = ["Damaged", "Order", "check_node", "check_versions", "node_name", "solve_chunk", "versions", "worker_memory"]

LATE_SECONDS = 1.0
"""A network drive may show what was written late: what does not fit is read again after this time."""
BASE_BYTES = 160 << 20
"""What a process takes with Python, NumPy, compiled code and Ray, measured; rounded up."""


class Damaged(Exception):
    """The layer before is not what was written."""


def worker_memory(recursion_bytes: int, layer_bytes: int) -> int:
    """Bound the memory of a worker beside mapped files: what its recursion needs, and a chunk of the largest layer."""
    return BASE_BYTES + recursion_bytes + chunk_bytes(layer_bytes)


class Order(NamedTuple):
    """A chunk to compute: for which driver, in which directory, which blocks of which layer.

    `token` is the name of a file that the driver wrote in the directory. `version` changes with the files of the layer before. A
    chunk that is only `compared` is not written.
    """

    token: str
    versions: dict[str, str]
    directory: str
    layer: int
    first: int
    end: int
    version: int
    compared: bool = False


class _Held:
    """What a process holds from chunk to chunk of one driver."""

    token = ""
    recursion: Recursion | None = None
    layer = (-1, -1)


def solve_chunk(order: Order, recipe: bytes, before: bytes) -> dict[str, Any]:
    """Compute a chunk from its recipe and the facts of the layer before, write it, and give its checksums and what it took.

    Raises `Damaged`, `GameError` for a node with other versions or another directory, and `OSError` where it cannot be written.
    """
    begun, cpu = perf_counter(), process_time()
    recursion = _prepare(order, recipe, before)
    ready = perf_counter()
    span = span_of(recursion, order.layer, order.first, order.end)
    blocks = _write(recursion, order, np.ascontiguousarray(_work_out(recursion, order.layer, span)))
    import psutil  # noqa: PLC0415  (it takes a while to import)

    memory = psutil.Process().memory_info()
    return {
        "blocks": blocks, "node": node_name(), "pid": os.getpid(), "seconds": round(perf_counter() - begun, 4),
        "cpu": round(process_time() - cpu, 4), "prepare": round(ready - begun, 4), "memory": memory.rss - memory.shared,
    }  # fmt: skip


def _prepare(order: Order, recipe: bytes, before: bytes) -> Recursion:
    """Have the recursion with the layer before this one in it."""
    if order.token != _Held.token:
        check_node(order.versions, order.directory, order.token)
        _Held.token, _Held.recursion = order.token, None
    if _Held.recursion is None or _Held.layer != (order.layer, order.version):
        # Made again for every layer: what a recursion holds of earlier ones is not needed any more.
        make, arguments = pickle.loads(recipe)
        recursion = _Held.recursion if _Held.recursion is not None and _Held.recursion.forgets else make(*arguments)
        _Held.recursion = None
        _load(recursion, order, before)
        _Held.recursion, _Held.layer = recursion, (order.layer, order.version)
    return _Held.recursion


def _load(recursion: Recursion, order: Order, before: bytes) -> None:
    """Put the layer before this one into a recursion, compared with its checksums."""
    if order.layer == 0:
        recursion.begin()
        return
    for other in range(recursion.n_layers):
        recursion.forget(other)
    directory, name, facts = Path(order.directory), f"{layer_name(order.layer - 1)}.npy", pickle.loads(before)
    try:
        values = ArrayFile.find(directory, name, facts).read(mapped=True)
    except CacheError:
        sleep(LATE_SECONDS)
        try:
            values = ArrayFile.find(directory, name, facts).read(mapped=True)
        except CacheError as error:
            raise Damaged(f"on node {node_name()} it {error.reason}") from None
    recursion.restore(order.layer - 1, values)


def _work_out(recursion: Recursion, layer: int, span: Span) -> Any:
    if layer == 0:
        return np.asarray(recursion.values(0)).reshape(-1)[span.begin : span.end]
    row_start = recursion.row_start(layer)
    first, end = rows_of(row_start, span)
    values = recursion.rows(layer, first, end)
    begin = int(row_start[first])
    if len(values) != row_start[end] - begin:
        raise EngineError(f"rows {first} to {end} of layer {layer} have {len(values)} values")
    return values[span.begin - begin : span.end - begin]


def _write(recursion: Recursion, order: Order, values: Any) -> str:
    """Write a chunk into its place; of one that is only compared, give the checksums."""
    header = b"" if order.first else npy_header(recursion.dtype, recursion.shapes[order.layer])
    if order.compared:
        return write_blocks(BytesIO(), values, header)
    with Path(order.directory, f"{layer_name(order.layer)}.npy").open("r+b") as file:
        file.seek(order.first * BLOCK)
        blocks = write_blocks(file, values, header)
        file.flush()
        os.fsync(file.fileno())
    return blocks


def node_name() -> str:
    """Name this node: its host, and the beginning of the id that Ray gave it."""
    import ray  # noqa: PLC0415  (only where there is a cluster)

    return f"{socket.gethostname()}/{ray.get_runtime_context().get_node_id()[:8]}"


def versions() -> dict[str, str]:
    """Say which programs work here: all nodes must have the same."""
    import numba  # noqa: PLC0415
    import ray  # noqa: PLC0415

    from rollwise.solvers.base.compiling import source_digest  # noqa: PLC0415

    return {
        "rollwise": __version__, "its sources": source_digest()[:12], "NumPy": np.__version__, "Numba": numba.__version__,
        "Python": platform.python_version(), "Ray": ray.__version__,
    }  # fmt: skip


def check_node(theirs: dict[str, str], directory: str, token: str) -> None:
    """Compare the versions of the driver with those here, and look for the file that it wrote. Raises `GameError`."""
    check_versions(theirs)
    why = ""
    for wait in (LATE_SECONDS, 0.0):
        try:
            Path(directory, token).open("r+b").close()
        except OSError as error:
            why = error.strerror or str(error)
            sleep(wait)
        else:
            return
    raise GameError(
        f"node {node_name()} does not share {directory!r} with the driver ({why}): "
        "use a folder that every node sees under this path and can write to"
    )


def check_versions(theirs: dict[str, str]) -> None:
    """Compare the versions of the driver with those here. Raises `GameError`."""
    other = [f"{what} {ours} (the driver {theirs.get(what)})" for what, ours in versions().items() if theirs.get(what) != ours]
    if other:
        raise GameError(f"node {node_name()} has {', '.join(other)}: install the same everywhere")
