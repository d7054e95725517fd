"""Where the work runs: threads of this machine, or a graphics card.

A backend is named by the caller and handed to the form, which asks it for what it needs. Results never depend on it.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import cpu_count
from typing import Any, TypeVar

from rollwise.errors import GameError

__all__ = ["Backend", "Card", "Threads"]

Piece = TypeVar("Piece")
Done = TypeVar("Done")


@dataclass(frozen=True)
class Threads:
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

    @contextmanager
    def pool(self) -> Iterator[Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]]:
        """Give a function that maps work over pieces, all threads together; what is left is dropped if anything fails."""
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  (nobody who only reads a solution needs it)

        workers = ThreadPoolExecutor(self.count)
        try:
            yield workers.map
        finally:
            workers.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Card:
    """An NVIDIA card, through CuPy (`pip install 'rollwise[gpu]'`)."""

    name = "gpu"
    count = 1

    @contextmanager
    def pool(self) -> Iterator[Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]]:
        """Give a function that hands pieces to the card one after another."""
        yield map


Backend = Threads | Card
