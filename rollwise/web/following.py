"""What takes longer than an answer may: done in threads, in lanes, and given up when nobody waits for it.

A lane does one thing at a time. Reading game files and listing rolls has one, what is looked up has one, what takes a moment has
one, what takes seconds has one, and what may take minutes has one, so that nothing waits behind something larger. The time of a
request counts from when it came: one whose work has not begun by then, or does not stop, is answered all the same.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from threading import Event
from typing import Any, Literal, NamedTuple

from fastapi import HTTPException, Request

from rollwise.errors import RollwiseError
from rollwise.games import load
from rollwise.model.game import Progress
from rollwise.model.message import Message
from rollwise.playing.distribution import distribution
from rollwise.solvers.solve import solve
from rollwise.web.limits import Limits
from rollwise.web.memory import lower_priority, stripped, tidy
from rollwise.web.work import PACE, Busy, Pace, Stopped, stopper, too_long

__all__ = ["Follower", "Lane", "Work"]

Lane = Literal["read", "quick", "short", "long", "slow"]
Work = Callable[[Any], Any]

WAITING: dict[Lane, int] = {"read": 32, "quick": 64, "short": 16, "long": 8, "slow": 4}
"""Requests that may wait in a lane."""
PRIORITY: dict[Lane, int] = {"read": 0, "quick": 0, "short": 1, "long": 3, "slow": 5}
"""How far the thread of a lane stands back for those that answer."""
BEAT = 0.05
"""Seconds between looks whether a client still waits."""
GRACE = 0.5
"""Seconds that work has to stop by itself, once its time is over."""


class Outcome(NamedTuple):
    """What came of work: its answer, or why there is none."""

    answer: Any = None
    fault: Any = None


class Follower:
    """Computes what takes a while; a request that goes away stops its own."""

    def __init__(self, limits: Limits, stop: Event | None = None) -> None:
        self.limits, self.stop = limits, stop or Event()
        self.waiting: dict[Lane, int] = dict.fromkeys(WAITING, 0)
        self._threads = {lane: _thread(lane) for lane in WAITING}
        self._threads["long"].submit(_compile)

    @property
    def busy(self) -> bool:
        """Whether anything runs or waits in a lane."""
        return any(self.waiting.values())

    async def run(self, request: Request, work: Work, lane: Lane = "long", *, seconds: float | None = None) -> Any:
        """Run `work(progress)` in a lane, for as long as an answer may take, or for some `seconds`.

        Raises `Busy` when too many wait there, and what the work raises.
        """
        answer, fault = await self._outcome(request, work, lane, self.limits.follow_seconds if seconds is None else seconds)
        try:
            if isinstance(fault, Stopped):
                raise HTTPException(422, Message("server.not-done", {"why": fault.args[0]}))
            if fault is not None:
                raise fault
            return answer
        finally:
            del fault  # else it would hold this frame, and this frame it

    async def _outcome(self, request: Request, work: Work, lane: Lane, seconds: float) -> Outcome:
        if self.waiting[lane] >= WAITING[lane]:
            raise Busy(Message("server.busy"))
        self.waiting[lane] += 1
        gone, loop = Event(), asyncio.get_running_loop()
        end = loop.time() + seconds + GRACE
        try:
            # Answers wait for what is read: it must not stand back for them.
            do = partial(_do, stopper(gone, seconds, pace=Pace() if lane == "read" else PACE), work)
            job = loop.run_in_executor(self._threads[lane], do)
            while not job.done():
                await asyncio.wait([job], timeout=BEAT)
                if not job.done() and await request.is_disconnected():
                    gone.set()
                if not job.done() and (self.stop.is_set() or loop.time() > end):
                    job.cancel()
                    return Outcome(fault=Stopped(Message("server.closing") if self.stop.is_set() else too_long(seconds)))
            return job.result()
        finally:
            gone.set()
            self.waiting[lane] -= 1

    def close(self) -> None:
        """Stop what runs and waits."""
        self.stop.set()
        for thread in self._threads.values():
            thread.shutdown(wait=False, cancel_futures=True)


def _thread(lane: Lane) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix=f"follow-{lane}", initializer=lower_priority, initargs=(PRIORITY[lane],))


def _do(progress: Progress, work: Work) -> Outcome:
    """Do work, unless its time is over already; when it is stopped or refused, nothing that it held stays behind."""
    try:
        progress("waiting", 0, None)
        return Outcome(work(progress))
    except Stopped as reason:
        fault = stripped(reason)
    except (RollwiseError, MemoryError) as reason:
        fault = stripped(reason)
    tidy()
    return Outcome(fault=fault)


def _compile() -> None:
    """Follow a small game, so that the code for large ones is compiled before a request waits for it."""
    import_module("rollwise.solvers.sheets.kernels.outcomes_numba")
    distribution(solve(load("yazy", boxes="ones")))
