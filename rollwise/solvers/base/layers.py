"""Backward induction layer by layer: the one driver, with threads, progress, and layers that are kept and resumed.

A `Recursion` says what a layer is: its pieces, which may be computed at the same time once the layers before it are done, and
its values as an array. What comes out does not depend on the number of threads, or on how often it was stopped and resumed.
"""

import mmap
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import EngineError, GameError
from rollwise.solvers.base.backends import Backend
from rollwise.solvers.base.layer_files import LayerFiles
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.writing import CannotWrite

__all__ = ["UNRESERVED", "Recursion", "recursion_bytes", "roomy", "run_layers", "solve_in_layers"]

Values = npt.NDArray[Any]

UNRESERVED = 0x4000 if sys.platform == "linux" else 0
"""The flag of a mapping without memory behind it, MAP_NORESERVE, which not every Python's `mmap` names; 0 where there is none."""


class Recursion(ABC):
    """Values by layer: layer 0 is the end of the game, and each follows from the one before it.

    `work` counts by layer what progress counts, `shapes` and `dtype` describe the values of each layer, `what` names all of it.
    """

    what: str
    fingerprint: str
    dtype: str
    shapes: tuple[tuple[int, ...], ...]
    work: list[int]
    forgets: bool = False
    """Whether layers are arrays of their own, so that those that are not needed any more can be dropped."""

    @abstractmethod
    def begin(self) -> None:
        """Compute layer 0."""

    @abstractmethod
    def pieces(self, layer: int, threads: int) -> Iterable[Any]:
        """Make room for a layer whose predecessors are done, and cut it into pieces."""

    @abstractmethod
    def fill(self, layer: int, piece: Any) -> int:
        """Work a piece of a layer out; gives how much of its `work` that was."""

    @abstractmethod
    def values(self, layer: int) -> Values:
        """Give the values of a layer that is done."""

    @abstractmethod
    def restore(self, layer: int, values: Values) -> None:
        """Take the values of a layer over."""

    def keep(self, layer: int, values: Values) -> None:  # noqa: B027
        """Take note that the values of a layer are also in a file, from which `values` are mapped."""

    def forget(self, layer: int) -> None:  # noqa: B027
        """Drop a layer that is not needed any more, where `forgets`."""

    def without_files(self, options: SolveOptions) -> None:  # noqa: B027
        """Check that everything fits into memory if nothing can be written. Raises `GameError`."""

    def recipe(self) -> tuple[Callable[..., "Recursion"], tuple[Any, ...]]:
        """Give what makes one like this in another process: a function and its arguments, without any layer."""
        raise EngineError(f"{self.what} is not solved on a cluster: use threads")

    def row_start(self, layer: int) -> npt.NDArray[np.int64]:
        """Where the rows of a layer, each of which can be computed alone, begin in its values laid flat; and where they end."""
        raise EngineError(f"{self.what} is not cut into chunks: use threads")

    def rows(self, layer: int, first: int, end: int) -> Values:
        """Compute some rows of a layer from the one before it, and give their values laid flat."""
        raise EngineError(f"{self.what} is not cut into chunks: use threads")

    @property
    def worker_bytes(self) -> int:
        """Bytes that a worker needs who computes some rows, beside files that it maps: default, those of two layers."""
        sizes = [int(np.prod(shape, dtype=np.int64)) for shape in self.shapes]
        return np.dtype(self.dtype).itemsize * max(map(sum, pairwise([0, *sizes])))

    @property
    def title(self) -> str:
        """Say what is solved, and how large it is."""
        return self.what

    @property
    def n_layers(self) -> int:
        """The number of layers."""
        return len(self.shapes)


def roomy(size: int, dtype: npt.DTypeLike) -> Values:
    """Make an array of which only a part will be written: the rest takes no memory, however large it is."""
    if not UNRESERVED or not size:  # pragma: no cover  (other systems)
        return np.empty(size, dtype)
    room = mmap.mmap(-1, size * np.dtype(dtype).itemsize, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | UNRESERVED)
    return np.frombuffer(room, dtype, size)


def recursion_bytes(recursion: Recursion, last: int | None = None) -> int:
    """Count the bytes of all layers, or of the `last` ones."""
    sizes = [int(np.prod(shape, dtype=np.int64)) for shape in recursion.shapes]
    return np.dtype(recursion.dtype).itemsize * sum(sizes[-last:] if last else sizes)


def run_layers(
    recursion: Recursion, backend: Backend, done: int = 0, *, tick: Callable[[int], None] = lambda _: None
) -> Iterator[int]:
    """Compute the layers after `done`, one after another, and give the number of each when it is finished."""
    with backend.pool() as together:
        for layer in range(done + 1, recursion.n_layers):
            for part in together(partial(recursion.fill, layer), recursion.pieces(layer, backend.count)):
                tick(part)
            yield layer


def solve_in_layers(recursion: Recursion, options: SolveOptions) -> None:
    """Compute all layers, going on from those that `how.checkpoint` holds, and writing the others there.

    Raises `CannotWrite` where that is not possible, unless `how.fall_back`; `GameError` if the directory holds another solve.
    """
    if options.backend.run_remotely(recursion, options):
        return
    with ExitStack() as held:
        kept = _Kept(recursion, options, held)
        newest = kept.begin()
        total = sum(recursion.work)
        done = sum(recursion.work[: newest + 1])

        def tick(part: int) -> None:
            nonlocal done
            done += part
            options.tick("solving", done, total)

        if newest + 1 < recursion.n_layers:
            tick(0)
            for layer in run_layers(recursion, options.backend, newest, tick=tick):
                kept.put(layer)


class _Kept:
    """The layers that are done: in memory, and in files if there is a place for them."""

    def __init__(self, recursion: Recursion, options: SolveOptions, held: ExitStack) -> None:
        self.recursion, self.options, self.held = recursion, options, held
        self.files: LayerFiles | None = None
        self.only_last = options.keep == "last" and recursion.forgets

    def begin(self) -> int:
        """Take over what is there already, else begin with the end of the game; give the newest layer."""
        found = {}
        if self.options.checkpoint is not None:
            try:
                opened = LayerFiles.opened(
                    self.options.checkpoint, self.recursion, ours=self.options.fall_back, message=self.options.message
                )
                self.files = self.held.enter_context(opened)
                found = self.files.complete(every=not self.only_last)
                self.files.check_room(recursion_bytes(self.recursion, 2 if self.only_last else None))
            except CannotWrite as error:
                self._do_without(error)
        for layer in sorted(found):
            self.recursion.restore(layer, found[layer])
        if not found:
            self.recursion.begin()
            self.put(0)
        return max(found, default=0)

    def put(self, layer: int) -> None:
        """Write a layer that is done."""
        if self.files:
            try:
                self.recursion.keep(layer, self.files.write(layer, self.recursion.values(layer)))
            except CannotWrite as error:
                self._do_without(error)
        if self.only_last and layer >= 2:
            self.recursion.forget(layer - 2)
            if self.files:
                self.files.drop(layer - 2)

    def _do_without(self, error: CannotWrite) -> None:
        """Go on in memory, if requested and possible."""
        if not self.options.fall_back:
            raise error
        try:
            self.recursion.without_files(replace(self.options, checkpoint=None))
        except GameError as refused:
            raise GameError(f"{error}; and in memory, {refused}") from None
        self.options.message(f"{self.recursion.what} is not cached: {error}")
        self.files = None
