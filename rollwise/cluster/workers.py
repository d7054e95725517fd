"""Independent jobs on a cluster: the workers of a sweep.

A job is a plain object, as is its result. Jobs do not depend on one another, and results come in any order; one that cannot be
done is a failure with its reason.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from rollwise.cluster.fleet import Fleet, connected, read_address, task
from rollwise.errors import GameError

__all__ = ["RayWorkers"]

TRIES = 3
WAIT_SECONDS = 1.0


class RayWorkers:
    """The cores of a cluster, or N processes here (`local:N`), that do jobs; `failed` makes a failure of its reason.

    Raises `GameError` for what is no address, where nobody answers, and for nodes with other versions.
    """

    def __init__(self, address: str, failed: Callable[[str], Any]) -> None:
        read_address(address)
        self.address, self.failed = address, failed
        self._held = ExitStack()
        self._fleet: Fleet | None = None

    @property
    def fleet(self) -> Fleet:
        """The nodes, asked when they are first needed."""
        if self._fleet is None:
            found = Fleet(self._held.enter_context(connected(self.address)), None)
            found.refresh(at_once=True)
            if found.refused or not found.nodes:
                why = next(iter(found.refused.values()), f"the cluster at {self.address!r} has no cores")
                self.close()
                raise GameError(why)
            self._fleet = found
        return self._fleet

    @property
    def count(self) -> int:
        """How many jobs are done at once."""
        wanted = read_address(self.address)
        return wanted if isinstance(wanted, int) else self.fleet.slots

    def each(self, work: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Do all jobs; give the number of each with its result, or a failure, in the order they are finished."""
        fleet = self.fleet
        waiting = deque((number, 0) for number in range(len(jobs)))
        flying: dict[Any, tuple[int, int]] = {}
        try:
            while waiting or flying:
                fleet.refresh()
                while waiting and len(flying) < 2 * max(1, fleet.slots):
                    number, tried = waiting.popleft()
                    ref = task(fleet.ray, work).options(num_cpus=1, scheduling_strategy="SPREAD").remote(jobs[number])
                    flying[ref] = number, tried
                done, _ = fleet.ray.wait(list(flying), num_returns=1, timeout=WAIT_SECONDS)
                for ref in done:
                    number, tried = flying.pop(ref)
                    try:
                        yield number, fleet.ray.get(ref)
                    except fleet.ray.exceptions.RayTaskError as error:
                        yield number, self.failed(f"{type(error.cause).__name__}: {error.cause}")
                    except fleet.ray.exceptions.RayError as error:
                        if tried + 1 < TRIES:
                            waiting.append((number, tried + 1))
                        else:
                            yield number, self.failed(f"its process or node died {TRIES} times ({type(error).__name__})")
        finally:
            for ref in flying:
                fleet.ray.cancel(ref, force=True)

    def close(self) -> None:
        """Let the cluster go."""
        self._fleet = None
        self._held.close()
