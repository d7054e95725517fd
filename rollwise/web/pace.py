"""Long work stands back while short answers wait.

Threads take turns at Python's interpreter, and the one that solves would take as many as the one that answers. So what is solved,
prepared or followed sleeps after every stretch of work for as long as it worked and more, whenever answers are waiting then. With
nobody asking it never sleeps.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep

__all__ = ["PACE", "Pace", "Pacer"]

SHARE = 3.0
"""Seconds of sleep for a second of work."""
LONGEST = 0.2
"""Seconds of sleep at a time: what is stopped notices it then."""


class Pace:
    """Counts the answers that are being given."""

    def __init__(self) -> None:
        self.answering = 0

    @contextmanager
    def answer(self) -> Iterator[None]:
        """Count an answer while it is being given."""
        self.answering += 1
        try:
            yield
        finally:
            self.answering -= 1


class Pacer:
    """Who works for long: `pause` sleeps, after a stretch of work, while answers wait."""

    def __init__(self, pace: Pace) -> None:
        self.pace, self.since = pace, monotonic()

    def pause(self) -> None:
        """Sleep, if somebody waits, in proportion to the work since the last pause."""
        if self.pace.answering:
            sleep(min(LONGEST, SHARE * (monotonic() - self.since)))
        self.since = monotonic()


PACE = Pace()
"""That of this process, which has one loop."""
