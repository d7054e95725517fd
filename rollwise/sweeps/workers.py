"""Workers of a sweep: processes of this machine, or any other class with the same protocol (a cluster).

A job is a plain object, and its result too; both are pickled. Jobs do not depend on one another, and results come in any order.
A job that cannot be done (it raises, or its process died twice) gives a `Failure`.
"""

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from threading import Thread, current_thread, main_thread
from types import ModuleType
from typing import Any, Protocol

from rollwise.errors import GameError
from rollwise.solvers.base.backends import ALGEBRA, Threads

__all__ = ["Failure", "Here", "Processes", "Workers"]

Work = Callable[[Any], Any]
"""A function of a module, so that others find it by name."""

TRIES = 2
MOST = 1024
DIED = "its process died, twice, as happens when memory runs out: use fewer --threads, or make the game smaller"


@dataclass(frozen=True)
class Failure:
    """Why a job has no result, in a line."""

    reason: str


class Workers(Protocol):
    """A pool of workers that does several jobs at once."""

    @property
    def count(self) -> int:
        """How many jobs are done at once."""

    def each(self, work: Work, jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Do all jobs; give the number of each with its result, or a `Failure`, in the order they are finished.

        Closing the iterator stops what is under way.
        """

    def close(self) -> None:
        """Let everything go that was held for jobs to come."""


@dataclass(frozen=True)
class Here:
    """The process that asks, one job after another."""

    count = 1

    def each(self, work: Work, jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Do the jobs in their order."""
        for number, job in enumerate(jobs):
            yield number, work(job)

    def close(self) -> None:
        """Do nothing: nothing is held."""


class Processes:
    """Processes of this machine that stay for all jobs, so that each imports and compiles once; default: one for each core.

    Raises `GameError` for fewer than one.
    """

    def __init__(self, number: int | None = None) -> None:
        if number is not None and not 1 <= number <= MOST:
            raise GameError(f"{number} workers: expected a number from 1 to {MOST:,}")
        self.number = number
        self.idle: list[_Process] = []

    @property
    def count(self) -> int:
        """How many processes there are."""
        return self.number or Threads().count

    def each(self, work: Work, jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Hand the jobs out, the next to a process that is free; a job whose process died is tried once more."""
        waiting = deque((number, 1) for number in range(len(jobs)))
        flying: dict[Future[Any], tuple[_Process, int, int]] = {}
        try:
            while waiting or flying:
                while waiting and len(flying) < self.count:
                    number, tried = waiting.popleft()
                    process = self.idle.pop() if self.idle else _Process()
                    try:
                        flying[process.submit(work, jobs[number])] = process, number, tried
                    except BrokenProcessPool:  # it died while it had nothing to do
                        process.end()
                        waiting.appendleft((number, tried))
                    except BaseException:  # Ctrl-C while it starts: it is not yet among those that end below
                        process.end()
                        raise
                for future in wait(flying, return_when=FIRST_COMPLETED).done:
                    process, number, tried = flying.pop(future)
                    if isinstance(error := future.exception(), BrokenProcessPool):
                        process.end()
                        if tried < TRIES:
                            waiting.append((number, tried + 1))
                        else:
                            yield number, Failure(DIED)
                        continue
                    self.idle.append(process)
                    yield number, future.result() if error is None else Failure(f"{type(error).__name__}: {error}")
        finally:
            for process, _, _ in flying.values():
                process.end()

    def close(self) -> None:
        """End the processes, and wait for them."""
        while self.idle:
            self.idle.pop().end()


class _Process:
    """A process in a pool of its own, so that it takes no other along if it dies. It ends when its pipe is closed."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.pool = ProcessPoolExecutor(1, context, _begin, (theirs,))

    def submit(self, work: Work, job: Any) -> Future[Any]:
        """Start a job, and the process if it is the first."""
        with _apart():
            return self.pool.submit(work, job)

    def end(self) -> None:
        """End the process, whatever it does, and wait for it."""
        self.pipe.close()
        self.pool.shutdown(cancel_futures=True)


@contextmanager
def _apart() -> Iterator[None]:
    """Let a process start that neither runs the caller's script again nor uses all cores for its linear algebra.

    It starts with Ctrl-C blocked where that is possible: only the caller answers it, also before `_begin`, and once the process
    has started: another thread may take the signal, so that this one is not spared by its mask.
    """
    stopped: list[Any] = []
    before = signal.signal(signal.SIGINT, lambda *given: stopped.append(given)) if current_thread() is main_thread() else None
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    main, environment = sys.modules["__main__"], {name: os.environ.get(name) for name in ALGEBRA}
    sys.modules["__main__"] = ModuleType("__main__")
    os.environ.update(dict.fromkeys(ALGEBRA, "1"))
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        for name, value in environment.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if before is not None:
            signal.signal(signal.SIGINT, before)
        if stopped:
            signal.raise_signal(signal.SIGINT)


def _begin(pipe: Any) -> None:
    """Prepare a process: it ends with its parent, not by Ctrl-C, and what rules print goes to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        os.dup2(2, 1)
    except OSError:  # standard error is closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    Thread(target=lambda: pipe.poll(None) and os._exit(0), daemon=True).start()
