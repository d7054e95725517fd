"""Say which rule of a user's game a command waits for when one call of it takes long.

Another thread looks once a second at what the command's thread is doing, so that rules which answer at once cost nothing.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread, get_ident
from time import monotonic

from rollwise.cli.shared import warn
from rollwise.model.faults import frames_to, rule_call, rule_frame

__all__ = ["watched_rules"]

LOOK_SECONDS = 1.0
LONG_SECONDS = 5.0


@contextmanager
def watched_rules() -> Iterator[None]:
    """Say on standard error which rule this thread waits for, once a call, if that takes longer than a few seconds."""
    done = Event()
    watcher = Thread(target=_watch, args=(get_ident(), done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(thread: int, done: Event) -> None:
    known, since = None, 0.0
    while not done.wait(LOOK_SECONDS):
        # As long as a frame is held here, that of another call is another object.
        frame = rule_frame(frames_to(sys._current_frames().get(thread)))
        if frame is not known:
            known, since = frame, monotonic()
        elif frame is not None and monotonic() - since >= LONG_SECONDS:
            warn(f"still waiting for {rule_call(frame)}")
            since = float("inf")
