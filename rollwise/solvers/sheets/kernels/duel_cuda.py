"""Solve duels on a GPU: the kernel in `duel.cu`, with the contract of `duel_arrays` a layer at a time.

A layer stays on the GPU until the next one is done, and a copy of it comes back. The text of the kernel also compiles as plain
C++, which is how it is tested without a GPU.
"""

from collections.abc import Callable, Iterable
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import EngineError, GameError
from rollwise.solvers.base.layers import Recursion
from rollwise.solvers.sheets.backward import TurnRecursion, Values
from rollwise.solvers.sheets.duel_arrays import DuelArrays, count_states
from rollwise.solvers.sheets.rows import Layer, numpy_rows

__all__ = [
    "GpuKernel",
    "GpuRecursion",
    "constants",
    "gpu_memory",
    "kernel_arguments",
    "kernel_source",
    "layout",
]

LANES = 4
"""Threads that share a keep."""
EACH = {4: 4, 8: 2}
"""Leads a thread works on, by bytes of a number: rows of 64 bytes, so that several blocks share a processor."""
THREADS = 512
"""Threads of a block at most; few dice have too few keeps for them."""
WARP = 32
MOST_FACES = 7
BLOCKS = 2048
"""Blocks that are started at most; each takes one row after another."""

Ints32 = npt.NDArray[np.int32]


def kernel_source() -> str:
    """Give the text of the kernel."""
    return (files("rollwise.solvers.sheets.kernels") / "duel.cu").read_text(encoding="utf-8")


def constants(arrays: DuelArrays, dtype: npt.DTypeLike) -> dict[str, str]:
    """Give what the kernel is compiled with. Raises `EngineError` for dice with more faces than it takes."""
    sheet, net = arrays.sheet, arrays.sheet.lattice
    if net.faces > MOST_FACES or len(net.keeps) > 65535:
        raise EngineError(f"dice of {net.faces} faces: the kernel for GPUs takes at most {MOST_FACES}; use device='cpu'")
    size = np.dtype(dtype).itemsize
    numbers = {
        "LANES": LANES, "EACH": EACH[size], "GROUPS": block_threads(arrays) // LANES, "FACES": net.faces, "COUNT": net.count,
        "REROLLS": sheet.rerolls, "N_BOXES": sheet.n_boxes, "N_EFFECTS": len(sheet.effect_gain), "N_KEEPS": len(net.keeps),
        "FIRST_HAND": net.first_hand, "LOADED": int(len(net.share) > 1),
    }  # fmt: skip
    return {"REAL": "float" if size == 4 else "double", **{name: str(number) for name, number in numbers.items()}}


def block_threads(arrays: DuelArrays) -> int:
    """Say how many threads a block has: LANES for each keep of the size that has most, in whole warps.

    >>> from rollwise.games import load
    >>> from rollwise.solvers.sheets.duel_arrays import make_duel_arrays
    >>> from rollwise.solvers.sheets.reading import make_sheet_arrays
    >>> block_threads(make_duel_arrays(make_sheet_arrays(load("yazy", boxes="ones"))))
    512
    """
    widest = int(np.diff(arrays.sheet.lattice.size_start).max())
    return min(THREADS, -(-LANES * widest // WARP) * WARP)


def shared_bytes(arrays: DuelArrays, dtype: npt.DTypeLike) -> int:
    """Say how much shared memory a block takes: the table, what each effect gains, and where each move leads."""
    size, n_effects = np.dtype(dtype).itemsize, len(arrays.sheet.effect_gain)
    return size * LANES * EACH[size] * (len(arrays.sheet.lattice.keeps) + n_effects) + 16 * n_effects


def layout(layer: Layer) -> tuple[int, int, int, Any, Any]:
    """Where the rows of a layer lie, as the kernel takes it."""
    return layer.first_moved, layer.first_mover, layer.n_mover, layer.row_start, layer.row_low.astype(np.int32)


def kernel_arguments(arrays: DuelArrays, dtype: npt.DTypeLike) -> list[Any]:
    """Give the arguments of the kernel that are the same for all layers."""
    sheet = arrays.sheet
    net = sheet.lattice
    more = np.zeros((max(1, net.first_hand), 8), dtype=np.uint16)
    more[: net.first_hand, : net.faces] = net.more
    fewer = np.zeros((len(net.keeps), 8), dtype=np.uint16)
    for keep in range(len(net.keeps)):
        less = net.fewer[net.fewer_start[keep] : net.fewer_start[keep + 1]]
        fewer[keep, : len(less)], fewer[keep, 7] = less, len(less)
    int32 = np.int32
    return [
        arrays.move_start.astype(int32), arrays.move_effect.astype(np.uint16), arrays.move_target.astype(int32),
        arrays.move_gain.astype(int32), arrays.outers.opened.astype(int32), sheet.hand_effect.astype(np.uint16),
        sheet.special_index.astype(int32),
        _filled(sheet.special_effect.astype(int32)), _filled(sheet.special_variant.astype(int32)),
        int32(len(sheet.special_hand)), int32(sheet.in_order), net.size_start.astype(int32), more, fewer,
        net.share.astype(dtype),
    ]  # fmt: skip


def _filled(array: Ints32) -> Ints32:
    """The same array, or one number where there is none: a pointer to nothing is no argument."""
    return np.ascontiguousarray(array) if array.size else np.zeros(1, dtype=np.int32)


def _cupy() -> Any:
    try:
        import cupy  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415  (an optional extra)
    except ImportError:
        raise EngineError("device='gpu' needs CuPy: pip install 'rollwise[gpu]', and an NVIDIA GPU") from None
    try:
        found = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise EngineError(f"device='gpu' found no NVIDIA GPU ({error}): use device='cpu'") from None
    if not found:
        raise EngineError("device='gpu' found no NVIDIA GPU: use device='cpu'")
    return cupy


def gpu_memory() -> tuple[str, int]:
    """Give the name of the GPU and its free memory in bytes. Raises `EngineError` without one."""
    cupy = _cupy()
    name = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)["name"].decode()
    return name, int(cupy.cuda.runtime.memGetInfo()[0])


class GpuKernel:
    """The kernel of a duel, compiled and on the GPU with all that does not change from layer to layer."""

    def __init__(self, arrays: DuelArrays, dtype: npt.DTypeLike) -> None:
        self.cupy = cupy = _cupy()
        self.dtype = np.dtype(dtype)
        self._run = _compile(cupy, arrays, dtype)
        self._fixed = [cupy.asarray(each) if isinstance(each, np.ndarray) else each for each in kernel_arguments(arrays, dtype)]

    def place(self, layer: Layer) -> tuple[Any, ...]:
        """Take the layout of a layer to the GPU."""
        return tuple(np.int32(part) if isinstance(part, int) else self.cupy.asarray(part) for part in layout(layer))

    def start(self, layer: Layer, here: tuple[Any, ...], previous: tuple[Any, ...], before: Any) -> Any:
        """Begin to compute a layer, from the one before; gives its values on the GPU."""
        values = self.cupy.empty(layer.n_states, dtype=self.dtype)
        self._run((np.int32(layer.n_rows), *here, *previous, before, values, *self._fixed), min(layer.n_rows, BLOCKS))
        return values


class GpuRecursion(TurnRecursion):
    """The layers of a duel, computed on the GPU; two of them are there at a time."""

    axis: DuelArrays

    def __init__(self, axis: DuelArrays, dtype: npt.DTypeLike, fingerprint: str = "") -> None:
        super().__init__(axis, numpy_rows, dtype, fingerprint)
        self.gpu: GpuKernel | None = None
        self.on_gpu: Values | None = None
        self.placed: tuple[Any, ...] = ()
        self.there: Any = None

    def pieces(self, layer: int, threads: int) -> Iterable[Any]:
        super().pieces(layer, threads)
        self._with_layer(layer - 1)
        return [None]

    def fill(self, layer: int, piece: Any) -> int:
        kernel, here = self._with_layer(layer - 1), self.lay(layer)
        placed = kernel.place(here)
        self.there = kernel.start(here, placed, self.placed, self.there)
        self.layers[layer][:] = kernel.cupy.asnumpy(self.there)
        self.placed, self.on_gpu = placed, self.layers[layer]
        return int(here.n_states)

    def keep(self, layer: int, values: Values) -> None:
        self.on_gpu = values if self.on_gpu is self.layers[layer] else self.on_gpu
        super().keep(layer, values)

    def recipe(self) -> tuple[Callable[..., Recursion], tuple[Any, ...]]:
        return GpuRecursion, (self.axis, self.dtype, self.fingerprint)

    def rows(self, layer: int, first: int, end: int) -> Values:
        """Compute rows on the GPU: all of every outer that they are a part of."""
        here, kernel = self.lay(layer), self._with_layer(layer - 1)
        begin = first // here.n_mover
        part = here.part(begin, -(-end // here.n_mover))
        values: Values = kernel.cupy.asnumpy(kernel.start(part, kernel.place(part), self.placed, self.there))
        start = part.row_start[[first - begin * here.n_mover, end - begin * here.n_mover]]
        return values[start[0] : start[1]]

    def _with_layer(self, layer: int) -> GpuKernel:
        """Give the GPU with a layer on it; it stays there until another is asked for."""
        if self.gpu is None:
            self.gpu = GpuKernel(self.axis, self.dtype)
            _check_room(self.axis, layer, self.dtype)
        if self.on_gpu is not self.layers[layer]:
            self.placed, self.there = self.gpu.place(self.lay(layer)), self.gpu.cupy.asarray(self.layers[layer])
            self.on_gpu = self.layers[layer]
        return self.gpu


def _check_room(arrays: DuelArrays, left: int, dtype: npt.DTypeLike) -> None:
    """Refuse what does not fit on the GPU: the values of two layers, and where their rows lie."""
    sizes = [rows * 12 + stored * np.dtype(dtype).itemsize for rows, stored, _ in count_states(arrays.outers)[left:]]
    needed = max((here + before for here, before in pairwise(sizes)), default=0)
    name, free = gpu_memory()
    if needed > free:
        raise GameError(
            f"two layers need {needed / 2**30:,.1f} GiB, the {name} has {free / 2**30:,.1f} GiB free: use device='cpu'"
        )


def _compile(cupy: Any, arrays: DuelArrays, dtype: npt.DTypeLike) -> Callable[[tuple[Any, ...], int], None]:
    options = ("-std=c++17", "--fmad=false", *(f"-D{name}={value}" for name, value in constants(arrays, dtype).items()))
    function = cupy.RawModule(code=kernel_source(), options=options).get_function("duel_rows")
    memory = shared_bytes(arrays, dtype)
    most = cupy.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"]
    if memory > most:
        raise EngineError(f"a block needs {memory:,} bytes of shared memory, the GPU has {most:,}: use device='cpu'")
    function.max_dynamic_shared_size_bytes = memory
    threads = block_threads(arrays)

    def run(arguments: tuple[Any, ...], blocks: int) -> None:
        function((blocks,), (threads,), arguments, shared_mem=memory)

    return run
