"""Give memory back: to Python what only refers to itself, to the machine what the allocator keeps.

Work that was stopped leaves an exception, whose traceback holds every frame that the work was in, and these their arrays. So an
exception is stripped before anybody keeps it. Solutions live for long: they are put where the collector does not look (`freeze`),
and brought back only when some of them are dropped (`thaw`).
"""

import ctypes
import gc
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

__all__ = ["choose_collecting", "freeze", "lower_priority", "stripped", "thaw", "tidy"]

COLLECTING = (50_000, 10, 1000)
"""When the collector runs by itself: for young objects often, for all hardly ever, as every request waits for that."""
SWITCH_SECONDS = 0.0005
"""How long a thread that works may keep one waiting that answers."""


def choose_collecting() -> None:
    """Choose when garbage is collected and how often threads take turns, for a process that answers while it solves."""
    gc.set_threshold(*COLLECTING)
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()


def stripped(error: BaseException) -> Any:
    """Take from an exception everything that leads to frames and what they hold."""
    error.__traceback__ = error.__context__ = error.__cause__ = None
    return error


def tidy() -> None:
    """Collect what was made lately, and give free memory back to the machine."""
    gc.collect(1)
    _trim()()


def freeze() -> None:
    """Put what is there, solutions above all, where the collector does not look, after what was made lately is collected."""
    tidy()
    gc.freeze()


def thaw() -> None:
    """Let go of what was dropped among the solutions: these refer to themselves, so only the collector finds them."""
    gc.unfreeze()
    gc.collect()
    _trim()()


@cache
def _trim() -> Callable[[], Any]:
    """Find what gives free memory back: glibc keeps it, others do not."""
    with suppress(OSError, AttributeError, TypeError):
        trim = ctypes.CDLL(None).malloc_trim
        return lambda: trim(0)
    return lambda: None


def lower_priority(steps: int) -> None:
    """Let the calling thread, and those it starts, work only when those that answer do not; Linux only."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), steps)
