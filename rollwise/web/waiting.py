"""Who waits for a solve: leaving is not cancelling, and what nobody waits for lets others go first.

A visitor is an opaque text that a page makes up; several tabs are several visitors. Those without one count together, by their
open streams. A client that posts or asks counts for some seconds, one that reads the stream of events as long as that is open.
"""

from collections import Counter
from time import monotonic

__all__ = ["ANYBODY", "PATIENCE", "Waiting"]

ANYBODY = ""
"""The visitor without a name."""
PATIENCE = 10.0
"""Seconds that a client counts after its last request; pages ask every second."""


class Waiting:
    """Those who wait for one solve. Only the event loop changes it; the worker reads it."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}
        self._streams: Counter[str] = Counter()

    def ask(self, visitor: str = ANYBODY) -> None:
        """Count a client that asks for it."""
        self._until[visitor] = monotonic() + PATIENCE

    def open(self, visitor: str = ANYBODY) -> None:
        """Count a client whose stream is open."""
        self._streams[visitor] += 1

    def close(self, visitor: str = ANYBODY) -> None:
        """Count a client whose stream broke off only for a while: it may be a reload."""
        if self._streams[visitor] > 0:
            self._streams[visitor] -= 1
            self.ask(visitor)

    def leave(self, visitor: str = ANYBODY) -> None:
        """Count a client no more; of those without a name, one."""
        if visitor == ANYBODY:
            self._streams[visitor] = max(0, self._streams[visitor] - 1)
        else:
            del self._streams[visitor]
        self._until.pop(visitor, None)

    @property
    def anybody(self) -> bool:
        """Whether a client waits."""
        now = monotonic()
        return any(list(self._streams.values())) or any(until > now for until in list(self._until.values()))
