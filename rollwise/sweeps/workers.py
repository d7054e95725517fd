"""Who solves: processes of this machine, or whoever keeps to the same protocol (a cluster).

A job is a plain object, and its result too; both are pickled. Jobs do not depend on one another, and results come in any order.
A job that cannot be done (its process died twice) gives a `Failure`; one that raises is the work's own business.
"""

import json
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from subprocess import PIPE, Popen
from threading import Thread
from typing import IO, Any, Protocol

from rollwise.errors import GameError
from rollwise.solvers.base.backends import ALGEBRA, Threads

__all__ = ["Failure", "Here", "Processes", "Workers", "work_for_parent"]

Work = Callable[[Any], Any]
"""A function of a module, so that others find it by name."""

BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from rollwise.sweeps.workers import work_for_parent as w; w()"
ALONE = dict.fromkeys(ALGEBRA, "1")
"""Several processes share the cores: none of them shall use all for its linear algebra."""
TRIES = 2
MOST = 1024


@dataclass(frozen=True)
class Failure:
    """Why a job has no result, in a line."""

    reason: str


class Workers(Protocol):
    """Whoever does jobs, several at once."""

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
            raise GameError(f"{number} workers were asked for: expected a number from 1 to {MOST:,}")
        self.number = number
        self.idle: list[Popen[bytes]] = []

    @property
    def count(self) -> int:
        """How many processes there are."""
        return self.number or Threads().count

    def each(self, work: Work, jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Hand the jobs out, the next to whoever is free; a job whose process died is tried once more."""
        waiting: SimpleQueue[tuple[int, Any]] = SimpleQueue()
        for numbered in enumerate(jobs):
            waiting.put(numbered)
        done: SimpleQueue[tuple[int, Any]] = SimpleQueue()
        hands = [_Hand(work, waiting, done, self.idle) for _ in range(min(self.count, len(jobs)))]
        try:
            for hand in hands:
                hand.start()
            for _ in jobs:
                number, result = done.get()
                if isinstance(result, BaseException):
                    raise result
                yield number, result
        finally:
            for hand in hands:
                hand.stop()

    def close(self) -> None:
        """End the processes, and wait for them."""
        while self.idle:
            _end(self.idle.pop())


class _Hand(Thread):
    """Talks with one process, an idle one if there is any, until no jobs are left."""

    def __init__(
        self,
        work: Work,
        waiting: "SimpleQueue[tuple[int, Any]]",
        done: "SimpleQueue[tuple[int, Any]]",
        idle: list[Popen[bytes]],
    ) -> None:
        super().__init__(daemon=True)
        self.work, self.waiting, self.done, self.idle = f"{work.__module__}:{work.__qualname__}", waiting, done, idle
        self.process = idle.pop() if idle else None
        self.stopped = False

    def run(self) -> None:
        while not self.stopped:
            try:
                number, job = self.waiting.get_nowait()
            except Empty:
                break
            try:
                self.done.put((number, self._do(job)))
            except BaseException as error:  # a process that cannot even be started ends the sweep, in the caller's thread
                self.done.put((number, error))

    def _do(self, job: Any) -> Any:
        code = 0
        for _ in range(TRIES):
            process = self.process or self._begin()
            if self.stopped:
                break
            try:
                return _ask(process, (self.work, job))
            except (OSError, EOFError, pickle.UnpicklingError):
                code = _end(process)
                self.process = None
        return Failure("stopped" if self.stopped else _died(code))

    def _begin(self) -> Popen[bytes]:
        command = [sys.executable, "-c", BOOT, json.dumps(sys.path)]
        self.process = Popen(command, stdin=PIPE, stdout=PIPE, env={**os.environ, **ALONE})
        return self.process

    def stop(self) -> None:
        """Keep the process for other jobs; end it where it still does one."""
        self.stopped, process = True, self.process
        if self.is_alive() and process is not None:
            process.kill()
        if self.ident is not None:
            self.join()
        if self.process is not None:
            self.idle.append(self.process)


def _end(process: Popen[bytes]) -> int:
    """End a process, if it has not ended, and give its exit code."""
    process.kill()
    code = process.wait()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            stream.close() if stream is not None else None
    return code


def _ask(process: Popen[bytes], message: Any) -> Any:
    if process.stdin is None or process.stdout is None:
        raise EOFError
    _tell(process.stdin, message)
    return pickle.load(process.stdout)


def _died(code: int) -> str:
    if code == -9:  # SIGKILL, which Windows does not have
        return "its process was killed, twice, as happens when memory runs out: use fewer --workers, or make the game smaller"
    return f"its process ended, twice, with exit code {code}"


def _tell(stream: IO[bytes], message: Any) -> None:
    pickle.dump(message, stream)
    stream.flush()


def work_for_parent() -> None:
    """Do the jobs that come on standard input, and give the results on standard output; end with the parent, whatever is done."""
    from importlib import import_module  # noqa: PLC0415

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    # What rules print must not stand among the results.
    os.dup2(2, 1)
    jobs: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, jobs), daemon=True).start()
    while True:
        named, job = jobs.get()
        module, _, name = named.partition(":")
        _tell(answers, getattr(import_module(module), name)(job))


def _listen(stream: IO[bytes], jobs: "SimpleQueue[Any]") -> None:
    try:
        while True:
            jobs.put(pickle.load(stream))
    except Exception:
        os._exit(0)
