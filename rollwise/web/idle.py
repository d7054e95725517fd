"""Give memory back when nobody has asked for anything for a while: solved games, what was remembered of them, free pages.

A solved game is dropped if it is solved again, or read from the cache, in no time; a client that still shows it solves it again
unasked, as after a restart. What took long and is not cached stays.
"""

import asyncio
import sys
from collections.abc import Callable
from functools import lru_cache
from time import monotonic
from typing import Any

from rollwise.web.jobs import Jobs
from rollwise.web.memory import thaw

__all__ = ["Idle"]

LOOKS = 10
"""How often it is looked in the time after which memory is given back."""


class Idle:
    """Watches whether a server has something to do; `is_busy` says whether anything runs besides its jobs."""

    def __init__(self, jobs: Jobs, is_busy: Callable[[], bool], clock: Callable[[], float] = monotonic) -> None:
        self.jobs, self.is_busy, self.clock = jobs, is_busy, clock
        self.seconds = jobs.limits.idle_seconds
        self.uses, self.last, self.rested = jobs.uses, clock(), True

    def look(self) -> bool:
        """Say whether no solved game was used for a while, and nothing runs, so that memory should be given back, once."""
        now, uses = self.clock(), self.jobs.uses
        if uses != self.uses or self.jobs.solving() or self.jobs.waiting() or self.is_busy():
            self.uses, self.last, self.rested = uses, now, False
        return not self.rested and now - self.last >= self.seconds

    def rest(self) -> None:
        """Give memory back."""
        self.rested = True
        self.jobs.release()
        forget_calls()
        thaw()

    async def watch(self) -> None:
        """Give memory back whenever it is due, until cancelled."""
        while True:
            await asyncio.sleep(self.seconds / LOOKS)
            if self.look():
                await asyncio.to_thread(self.rest)


def forget_calls() -> None:
    """Clear what functions of games and solvers remember of their calls; those that remember everything hold little."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(("rollwise.games", "rollwise.solvers"))]
    for found in {id(value): value for module in modules for value in list(vars(module).values())}.values():
        if isinstance(found, _Remembering) and found.cache_parameters()["maxsize"] is not None:
            found.cache_clear()


_Remembering: Any = type(lru_cache(lambda: None))
