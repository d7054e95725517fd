"""What a measured call hands back, and how it says that a tool cannot do something."""

from collections.abc import Callable
from dataclasses import dataclass


class NotOffered(Exception):
    """The tool cannot express this game; the text says why in one phrase."""


@dataclass(frozen=True)
class Outcome:
    """The answer of one call: a value to compare, the CPU time of exploring and of the solver alone, and a remark.

    A remark that takes time to make is a function, called after the clock has stopped.
    """

    value: float | None
    explore_seconds: float | None = None
    solve_seconds: float | None = None
    note: str | Callable[[], str] = ""
