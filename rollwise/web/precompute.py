"""Computes in the background what makes outlooks quick: the distributions of all positions of a solved game, once.

It begins as soon as a game is solved, and is kept in the cache, so that it is there before most ask, and at once the next time. A
game whose outlook a client requests goes first.
"""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Lock
from weakref import WeakKeyDictionary

from rollwise.errors import RollwiseError
from rollwise.playing.distribution import quick_outlooks
from rollwise.solvers.base.abilities import LooksAhead, ability
from rollwise.solvers.base.solution import Solution
from rollwise.web.limits import Limits
from rollwise.web.memory import lower_priority, tidy
from rollwise.web.work import Stopped, stopper

__all__ = ["Preparer", "Preparing"]

WORTH_SECONDS = 1.0
"""What takes less is not worth a thread: its positions are followed as quickly."""
PRIORITY = 5
"""How far the thread stands back for those that answer, solve and follow."""

_log = logging.getLogger("rollwise.web")


@dataclass(eq=False)
class Preparing:
    """How far the outlooks of a solution are; `over` when they are there, or cannot be had."""

    what: str = "looking ahead"
    done: int = 0
    total: int | None = None
    over: bool = False

    def tell(self, what: str, done: int, total: int | None) -> None:
        """Note how far it is."""
        self.what, self.done, self.total = what, done, total


class Preparer:
    """One thread that prepares solutions, one after another."""

    def __init__(self, limits: Limits, stop: Event | None = None, prepared: Callable[[], None] = tidy) -> None:
        """Make one that works until `stop` is set; `prepared` is called when more is kept than before."""
        self.limits, self.stop, self.prepared = limits, stop or Event(), prepared
        self._known: WeakKeyDictionary[Solution, Preparing] = WeakKeyDictionary()
        self._queue: list[Solution] = []
        self._lock = Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="prepare", initializer=lower_priority, initargs=(PRIORITY,))

    @property
    def busy(self) -> bool:
        """Whether a solution is being prepared, or waits for that."""
        return any(not known.over for known in list(self._known.values()))

    def wish(self, solution: Solution, *, first: bool = False) -> Preparing:
        """Prepare a solution, unless it is, or cannot be within the limits; say how far it is."""
        with self._lock:
            known = self._known.get(solution)
            if known is None:
                known = self._known[solution] = Preparing(over=not self._is_worth(solution))
                if not known.over:
                    self._queue.append(solution)
                    self._thread.submit(self._next)
            if first and solution in self._queue:
                self._queue.remove(solution)
                self._queue.insert(0, solution)
        return known

    def _is_worth(self, solution: Solution) -> bool:
        """Say whether a solution should be prepared."""
        plan = None if self.stop.is_set() else ability(solution, LooksAhead).quick_plan()
        return bool(plan and (plan.seconds or 0) >= WORTH_SECONDS and (plan.memory_bytes or 0) <= self.limits.work_bytes)

    def _next(self) -> None:
        with self._lock:
            solution = self._queue.pop(0)
            known = self._known[solution]
        try:
            progress = stopper(self.stop, self.limits.seconds, known.tell)
            quick_outlooks(solution, [solution.game.start()], progress, build=True)
        except (Stopped, RollwiseError, MemoryError) as reason:
            _log.info("no quick outlook: %s", reason)
        known.over = True
        del solution
        self.prepared()

    def close(self) -> None:
        """Stop what runs."""
        self.stop.set()
        self._thread.shutdown(wait=True, cancel_futures=True)
