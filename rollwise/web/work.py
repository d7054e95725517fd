"""Work that takes a while: it can be stopped, and it stands back while short answers wait.

Threads take turns at Python's interpreter, and the one that solves would take as many as the one that answers. So what is solved,
prepared or followed sleeps after every stretch of work for as long as it worked and more, whenever answers are waiting then. With
nobody asking it never sleeps.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from time import monotonic, sleep

from rollwise.errors import RollwiseError
from rollwise.model.game import Progress
from rollwise.model.message import Message, Text, known_text

__all__ = ["PACE", "Busy", "Pace", "Stopped", "is_late", "name_work", "stopper", "too_long"]

SHARE = 3.0
"""Seconds of sleep for a second of work."""
LONGEST = 0.2
"""Seconds of sleep at a time: what is stopped notices it then."""


class Busy(RollwiseError):
    """More is being asked for than the server takes on at a time."""


class Stopped(Exception):
    """Raised out of a progress call to end what is being computed."""


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


PACE = Pace()
"""That of this process, which has one loop."""


def stopper(
    stop: Event, seconds: float, report: Callable[[str, int, int | None], None] | None = None, pace: Pace = PACE,
    late: Message | None = None,
) -> Progress:  # fmt: skip
    """Make a progress callback that stands back while answers wait, and raises `Stopped` once `stop` is set or time is over.

    `late` is what it says then.
    """
    since = monotonic()
    end = since + seconds

    def progress(what: str, done: int, total: int | None) -> None:
        nonlocal since
        if pace.answering:
            sleep(min(LONGEST, SHARE * (monotonic() - since)))
        since = monotonic()
        if stop.is_set():
            raise Stopped("cancelled")
        if since > end:
            raise Stopped(late or too_long(seconds))
        if report:
            report(what, done, total)

    return progress


def is_late(progress: Progress) -> bool:
    """Say whether a progress callback would stop the work."""
    try:
        progress("reading", 0, None)
    except Stopped:
        return True
    return False


def too_long(seconds: float) -> Message:
    """Say that something takes too long."""
    return Message("server.too-long", {"seconds": f"{seconds:g}"})


def name_work(what: str) -> Text:
    """Name what is being done, in the words of the catalogues where they have it."""
    return known_text(f"server.doing.{what.replace(',', '').replace(' ', '-')}", what)
