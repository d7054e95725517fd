"""Where the work runs: threads of this machine, a GPU, or a cluster (`rollwise.cluster`).

A backend is named by the caller and handed to the solver, which asks it for what it needs. Results never depend on it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from os import cpu_count, environ
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError, brief

if TYPE_CHECKING:
    from rollwise.solvers.base.layers import Recursion
    from rollwise.solvers.base.options import SolveOptions

__all__ = ["Backend", "Gpu", "Threads", "at_most"]

MOST = 1024
"""Threads that may be asked for."""
ALGEBRA = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""Environment variables that tell libraries for linear algebra how many threads to have, when they are loaded."""

ParallelMap = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]


class _Allowed:
    """How many threads this process may have where nobody says how many; None: one for each core."""

    number: int | None = None


@contextmanager
def at_most(number: int) -> Iterator[None]:
    """Let the process have so many threads wherever nobody says how many: for entry points, which own their process.

    Libraries for linear algebra are told, too, as far as they are loaded later than this.

    >>> with at_most(2):
    ...     Threads().count
    2

    Raises `GameError` for fewer than one, or far too many.
    """
    before, _Allowed.number = _Allowed.number, Threads(number).count
    told = {name: environ.get(name) for name in ALGEBRA}
    environ.update(dict.fromkeys(ALGEBRA, str(number)))
    try:
        yield
    finally:
        _Allowed.number = before
        for name, value in told.items():
            environ.pop(name) if value is None else environ.update({name: value})


class Backend(ABC):
    """Where the work runs: `name` says on what kind of processor, "cpu" or "gpu"."""

    name: str
    is_remote = False
    """Whether the work runs on other machines, too: then only what is solved in layers can, in a folder that all of them see."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many pieces are worked on at once."""

    @abstractmethod
    def pool(self) -> AbstractContextManager[ParallelMap]:
        """Give a function that maps work over pieces."""

    def single_threaded(self) -> "Backend":
        """Give the backend for code that gains nothing from threads, as it holds the interpreter's lock."""
        return self

    def run_remotely(self, recursion: "Recursion", options: "SolveOptions") -> bool:
        """Work all layers out elsewhere; False: they are to be computed here."""
        return False


@dataclass(frozen=True)
class Threads(Backend):
    """Threads of this machine; default: one for each core, or as many as `at_most` allows.

    >>> Threads(3).count
    3

    Raises `GameError` for fewer than one, or far too many.
    """

    number: int | None = None
    name = "cpu"

    def __post_init__(self) -> None:
        if self.number is not None and not 1 <= self.number <= MOST:
            raise GameError(f"{brief(self.number)} threads: expected a number from 1 to {MOST:,}")

    @property
    def count(self) -> int:
        """How many threads there are."""
        return self.number or _Allowed.number or cpu_count() or 1

    def single_threaded(self) -> "Threads":
        return Threads(1)

    @contextmanager
    def pool(self) -> Iterator[ParallelMap]:
        """Give a function that maps work over pieces, all threads together; what is left is dropped if anything fails."""
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  (nobody who only reads a solution needs it)

        workers = ThreadPoolExecutor(self.count)
        try:
            yield workers.map
        finally:
            workers.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Gpu(Backend):
    """An NVIDIA GPU, through CuPy (`pip install 'rollwise[gpu]'`)."""

    name = "gpu"

    @property
    def count(self) -> int:
        """One: the GPU works on a whole layer."""
        return 1

    @contextmanager
    def pool(self) -> Iterator[ParallelMap]:
        """Give a function that hands pieces to the GPU one after another."""
        yield map
