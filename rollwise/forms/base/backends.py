"""Where the work runs: threads of this machine, a graphics card, or a cluster (`rollwise.cluster`).

A backend is named by the caller and handed to the form, which asks it for what it needs. Results never depend on it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from os import cpu_count
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError

if TYPE_CHECKING:
    from rollwise.forms.base.how import How
    from rollwise.forms.base.layers import Recursion

__all__ = ["Backend", "Card", "Threads"]

Together = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]


class Backend(ABC):
    """Where the work runs: `name` says on what kind of processor, "cpu" or "gpu"."""

    name: str
    far = False
    """Whether the work runs on other machines, too: then only what is solved in layers can, in a folder that all of them see."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many pieces are worked on at once."""

    @abstractmethod
    def pool(self) -> AbstractContextManager[Together]:
        """Give a function that maps work over pieces."""

    def alone(self) -> "Backend":
        """Give the backend for code that gains nothing from threads, as it holds the interpreter's lock."""
        return self

    def takes(self, recursion: "Recursion", how: "How") -> bool:
        """Work all layers out elsewhere; False: they are to be worked out here."""
        return False


@dataclass(frozen=True)
class Threads(Backend):
    """Threads of this machine; default: one for each core.

    >>> Threads(3).count
    3

    Raises `GameError` for fewer than one.
    """

    number: int | None = None
    name = "cpu"

    def __post_init__(self) -> None:
        if self.number is not None and self.number < 1:
            raise GameError(f"{self.number} threads were asked for: expected at least 1")

    @property
    def count(self) -> int:
        """How many threads there are."""
        return self.number or cpu_count() or 1

    def alone(self) -> "Threads":
        return Threads(1)

    @contextmanager
    def pool(self) -> Iterator[Together]:
        """Give a function that maps work over pieces, all threads together; what is left is dropped if anything fails."""
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  (nobody who only reads a solution needs it)

        workers = ThreadPoolExecutor(self.count)
        try:
            yield workers.map
        finally:
            workers.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Card(Backend):
    """An NVIDIA card, through CuPy (`pip install 'rollwise[gpu]'`)."""

    name = "gpu"

    @property
    def count(self) -> int:
        """One: the card works on a whole layer."""
        return 1

    @contextmanager
    def pool(self) -> Iterator[Together]:
        """Give a function that hands pieces to the card one after another."""
        yield map
