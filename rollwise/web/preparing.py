"""Works out in the background what makes outlooks quick: the distributions of all positions of a solved game, once."""

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from weakref import WeakSet

from rollwise.errors import RollwiseError
from rollwise.forms.base.solution import Solution
from rollwise.playing.spread import quick_outlooks
from rollwise.web.jobs import Stopped, stopper
from rollwise.web.limits import Limits

__all__ = ["Preparer"]

WORTH_SECONDS = 1.0
"""What takes less is not worth a thread: its positions are followed as quickly."""

_log = logging.getLogger("rollwise.web")


class Preparer:
    """One thread; a solution is prepared when its first outlook is asked for, which meanwhile is followed to the end."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.stop = limits, Event()
        self._asked: WeakSet[Solution] = WeakSet()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="prepare")

    def wish(self, solution: Solution) -> None:
        """Prepare a solution, unless it is, or cannot be within the limits."""
        if solution in self._asked or self.stop.is_set():
            return
        self._asked.add(solution)
        plan = solution.quick_plan()
        if plan and (plan.seconds or 0) >= WORTH_SECONDS and (plan.memory_bytes or 0) <= self.limits.work_bytes:
            self._thread.submit(self._prepare, solution)

    def _prepare(self, solution: Solution) -> None:
        try:
            quick_outlooks(solution, [solution.game.start()], stopper(self.stop, self.limits.seconds), build=True)
        except (Stopped, RollwiseError, MemoryError) as reason:
            _log.info("no quick outlook: %s", reason)

    def close(self) -> None:
        """Stop what runs."""
        self.stop.set()
        self._thread.shutdown(wait=True, cancel_futures=True)
