"""How a game is solved: the options that change time, memory and precision, and never the meaning of the answer."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rollwise.errors import GameError
from rollwise.model.game import Progress
from rollwise.solvers.base.backends import Backend, Threads

__all__ = ["MAX_STATES", "Keep", "Precision", "SolveOptions"]

Precision = Literal["float64", "float32"]
Keep = Literal["all", "last"]

MAX_STATES = 5_000_000
ALL_CORES = Threads()


@dataclass(frozen=True, kw_only=True)
class SolveOptions:
    """Options of solving.

    `engine` names an engine; default: the solver chooses. A plan raises an error as soon as more than `max_bytes` are certain to
    be needed. `checkpoint` is a directory in which a layered solver writes every finished layer, and from which it resumes; with
    `fall_back`, a layer that cannot be written stays in memory. `keep="last"` drops all but the last layers, which are enough for
    the value and the first turn. `message` is called with a line about each repair, such as a damaged layer.

    Raises `GameError` for options that make no sense.
    """

    exact: bool = False
    engine: str | None = None
    precision: Precision = "float64"
    backend: Backend = ALL_CORES
    max_states: int = MAX_STATES
    max_bytes: int | None = None
    checkpoint: Path | None = None
    fall_back: bool = False
    keep: Keep = "all"
    progress: Progress | None = None
    message: Callable[[str], None] = lambda _: None

    def __post_init__(self) -> None:
        if self.checkpoint is not None:
            object.__setattr__(self, "checkpoint", Path(self.checkpoint))
        if self.max_states < 1:
            raise GameError(f"a budget of {self.max_states} positions was given: expected at least 1")
        if self.precision not in ("float64", "float32"):
            raise GameError(f"precision {self.precision!r}: expected float64 or float32")
        if self.keep not in ("all", "last"):
            raise GameError(f"keep {self.keep!r}: expected all or last")

    @property
    def threads(self) -> int:
        """How many threads there are."""
        return self.backend.count

    def tick(self, what: str, done: int, total: int | None) -> None:
        """Report progress, if anybody listens."""
        if self.progress:
            self.progress(what, done, total)
