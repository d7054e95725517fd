"""Solve duels on a graphics card: the kernel in `duel.cu`, with the contract of `duel_arrays` a layer at a time.

A layer stays on the card until the next one is done, and a copy of it comes back. The text of the kernel also compiles as plain
C++, which is how it is tested without a card.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import EngineError, GameError
from rollwise.solvers.base import backends
from rollwise.solvers.base.layers import Recursion, run_layers
from rollwise.solvers.sheets.arrays import SheetArrays
from rollwise.solvers.sheets.duel_arrays import DuelArrays, DuelRecursion, Layer, Values, count_states, duel_form, numpy_duel

__all__ = [
    "Card",
    "CardRecursion",
    "card_memory",
    "constants",
    "kernel_arguments",
    "kernel_source",
    "layout",
    "solve_layers_cuda",
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


def constants(form: DuelArrays, dtype: npt.DTypeLike) -> dict[str, str]:
    """Give what the kernel is compiled with. Raises `EngineError` for dice with more faces than it takes."""
    sheet, net = form.sheet, form.sheet.lattice
    if net.faces > MOST_FACES or len(net.keeps) > 65535:
        raise EngineError(
            f"dice of {net.faces} faces: the kernel for graphics cards takes at most {MOST_FACES}; use device='cpu'"
        )
    size = np.dtype(dtype).itemsize
    numbers = {
        "LANES": LANES, "EACH": EACH[size], "GROUPS": block_threads(form) // LANES, "FACES": net.faces, "COUNT": net.count,
        "REROLLS": sheet.rerolls, "N_BOXES": sheet.n_boxes, "N_EFFECTS": len(sheet.effect_gain), "N_KEEPS": len(net.keeps),
        "FIRST_HAND": net.first_hand,
    }  # fmt: skip
    return {"REAL": "float" if size == 4 else "double", **{name: str(number) for name, number in numbers.items()}}


def block_threads(form: DuelArrays) -> int:
    """Say how many threads a block has: LANES for each keep of the size that has most, in whole warps.

    >>> from rollwise.solvers.sheets.reading import sheet_form
    >>> from rollwise.games import load
    >>> block_threads(duel_form(sheet_form(load("yazy", boxes="ones"))))
    512
    """
    widest = int(np.diff(form.sheet.lattice.size_start).max())
    return min(THREADS, -(-LANES * widest // WARP) * WARP)


def shared_bytes(form: DuelArrays, dtype: npt.DTypeLike) -> int:
    """Say how much shared memory a block takes: the table, what each effect gains, and where each move leads."""
    size, n_effects = np.dtype(dtype).itemsize, len(form.sheet.effect_gain)
    return size * LANES * EACH[size] * (len(form.sheet.lattice.keeps) + n_effects) + 16 * n_effects


def layout(layer: Layer) -> tuple[int, int, int, Any, Any]:
    """Where the rows of a layer lie, as the kernel takes it."""
    return layer.first_moved, layer.first_mover, layer.n_mover, layer.row_start, layer.row_low.astype(np.int32)


def kernel_arguments(form: DuelArrays, dtype: npt.DTypeLike) -> list[Any]:
    """Give the arguments of the kernel that are the same for all layers."""
    sheet = form.sheet
    net = sheet.lattice
    more = np.zeros((max(1, net.first_hand), 8), dtype=np.uint16)
    more[: net.first_hand, : net.faces] = net.more
    fewer = np.zeros((len(net.keeps), 8), dtype=np.uint16)
    for keep in range(len(net.keeps)):
        less = net.fewer[net.fewer_start[keep] : net.fewer_start[keep + 1]]
        fewer[keep, : len(less)], fewer[keep, 7] = less, len(less)
    int32 = np.int32
    return [
        form.move_start.astype(int32), form.move_effect.astype(np.uint16), form.move_target.astype(int32),
        form.move_gain.astype(int32), form.outers.opened.astype(int32), sheet.hand_effect.astype(np.uint16),
        sheet.special_index.astype(int32),
        _filled(sheet.special_effect.astype(int32)), _filled(sheet.special_variant.astype(int32)),
        int32(len(sheet.special_hand)), int32(sheet.in_order), net.size_start.astype(int32), more, fewer,
        np.asarray(1.0 / net.faces, dtype=dtype)[()],
    ]  # fmt: skip


def _filled(array: Ints32) -> Ints32:
    """The same array, or one number where there is none: a pointer to nothing is no argument."""
    return np.ascontiguousarray(array) if array.size else np.zeros(1, dtype=np.int32)


def _cupy() -> Any:
    try:
        import cupy  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415  (an optional extra)
    except ImportError:
        raise EngineError("device='gpu' needs CuPy: pip install 'rollwise[gpu]', and an NVIDIA card") from None
    try:
        found = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise EngineError(f"device='gpu' found no NVIDIA card ({error}): use device='cpu'") from None
    if not found:
        raise EngineError("device='gpu' found no NVIDIA card: use device='cpu'")
    return cupy


def card_memory() -> tuple[str, int]:
    """Give the name of the card and its free memory in bytes. Raises `EngineError` without one."""
    cupy = _cupy()
    name = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)["name"].decode()
    return name, int(cupy.cuda.runtime.memGetInfo()[0])


class Card:
    """The kernel of a duel, compiled and on the card with all that does not change from layer to layer."""

    def __init__(self, form: DuelArrays, dtype: npt.DTypeLike) -> None:
        self.cupy = cupy = _cupy()
        self.dtype = np.dtype(dtype)
        self._run = _compile(cupy, form, dtype)
        self._fixed = [cupy.asarray(each) if isinstance(each, np.ndarray) else each for each in kernel_arguments(form, dtype)]

    def place(self, layer: Layer) -> tuple[Any, ...]:
        """Take the layout of a layer to the card."""
        return tuple(np.int32(part) if isinstance(part, int) else self.cupy.asarray(part) for part in layout(layer))

    def start(self, layer: Layer, here: tuple[Any, ...], previous: tuple[Any, ...], before: Any) -> Any:
        """Begin to work out a layer, from the one before; gives its values on the card."""
        values = self.cupy.empty(layer.n_states, dtype=self.dtype)
        self._run((np.int32(layer.n_rows), *here, *previous, before, values, *self._fixed), min(layer.n_rows, BLOCKS))
        return values


class CardRecursion(DuelRecursion):
    """The layers of a duel, worked out on the card; two of them are there at a time."""

    def __init__(self, form: DuelArrays, dtype: npt.DTypeLike, tie: float = 0.5) -> None:
        super().__init__(form, numpy_duel, dtype, tie)
        self.card: Card | None = None
        self.on_card: Values | None = None

    def pieces(self, layer: int, threads: int) -> Iterable[Any]:
        super().pieces(layer, threads)
        if self.card is None:
            self.card = Card(self.form, self.dtype)
            _check_room(self.form, layer - 1, self.dtype)
            self.placed, self.there = self.card.place(self.previous), self.card.cupy.asarray(self.before)
        return [None]

    def fill(self, layer: int, piece: Any) -> int:
        card, here = self.card, self.here
        if card is None or here is None:
            raise EngineError("a layer was to be worked out before it was laid out")
        placed = card.place(here)
        self.there = card.start(here, placed, self.placed, self.there)
        self.current[:] = card.cupy.asnumpy(self.there)
        self.placed = placed
        return here.n_states

    def recipe(self) -> tuple[Callable[..., Recursion], tuple[Any, ...]]:
        return _remake, (self.form.sheet, self.dtype, self.tie, self.fingerprint)

    def rows(self, layer: int, first: int, end: int) -> Values:
        """Work out rows on the card: all of every outer that they are a part of."""
        here, card = self._lay(layer), self._with_layer(layer - 1)
        begin = first // here.n_mover
        part = here.part(begin, -(-end // here.n_mover))
        values: Values = card.cupy.asnumpy(card.start(part, card.place(part), self.placed, self.there))
        start = part.row_start[[first - begin * here.n_mover, end - begin * here.n_mover]]
        return values[start[0] : start[1]]

    def _with_layer(self, layer: int) -> Card:
        """Give the card with a layer on it; it stays there until another is asked for."""
        if self.card is None:
            self.card = Card(self.form, self.dtype)
            _check_room(self.form, layer, self.dtype)
        if self.on_card is not self.layers[layer]:
            self.placed, self.there = self.card.place(self._lay(layer)), self.card.cupy.asarray(self.layers[layer])
            self.on_card = self.layers[layer]
        return self.card


def _remake(form: SheetArrays, dtype: str, tie: float, fingerprint: str) -> CardRecursion:
    recursion = CardRecursion(duel_form(form), dtype, tie)
    recursion.fingerprint = fingerprint
    return recursion


def solve_layers_cuda(
    form: DuelArrays, begin: tuple[int, Values], *, tick: Callable[[int], None] = lambda _: None
) -> Iterator[tuple[int, Values]]:
    """Give the layers after `begin` as `solve_layers` does, worked out on the card."""
    recursion = CardRecursion(form, begin[1].dtype)
    recursion.restore(*begin)
    for layer in run_layers(recursion, backends.Card(), begin[0], tick=tick):
        yield layer, recursion.values(layer)
        recursion.forget(layer - 1)


def _check_room(form: DuelArrays, left: int, dtype: npt.DTypeLike) -> None:
    """Refuse what does not fit on the card: the values of two layers, and where their rows lie."""
    sizes = [rows * 12 + stored * np.dtype(dtype).itemsize for rows, stored, _ in count_states(form.outers)[left:]]
    needed = max((here + before for here, before in pairwise(sizes)), default=0)
    name, free = card_memory()
    if needed > free:
        raise GameError(
            f"two layers need {needed / 2**30:,.1f} GiB, the {name} has {free / 2**30:,.1f} GiB free: use device='cpu'"
        )


def _compile(cupy: Any, form: DuelArrays, dtype: npt.DTypeLike) -> Callable[[tuple[Any, ...], int], None]:
    options = ("-std=c++17", "--fmad=false", *(f"-D{name}={value}" for name, value in constants(form, dtype).items()))
    function = cupy.RawModule(code=kernel_source(), options=options).get_function("duel_rows")
    memory = shared_bytes(form, dtype)
    most = cupy.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"]
    if memory > most:
        raise EngineError(f"a block needs {memory:,} bytes of shared memory, the card has {most:,}: use device='cpu'")
    function.max_dynamic_shared_size_bytes = memory
    threads = block_threads(form)

    def run(arguments: tuple[Any, ...], blocks: int) -> None:
        function((blocks,), (threads,), arguments, shared_mem=memory)

    return run
