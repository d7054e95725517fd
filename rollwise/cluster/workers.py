"""Independent jobs on a cluster: the workers of a sweep.

A job is a plain object, as is its result. Jobs do not depend on one another, and results come in any order; one that cannot be
done is a failure with its reason.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import cached_property
from typing import Any

from rollwise.cluster.connect import connected, last_line, read_address, task
from rollwise.cluster.worker import check_versions, versions
from rollwise.errors import GameError

__all__ = ["RayWorkers"]

TRIES = 3


class RayWorkers:
    """The cores of a cluster, or N processes here (`local:N`), that do jobs; `failed` makes a failure of its reason.

    Raises `GameError` for what is no address, where nobody answers, and for nodes with other versions.
    """

    def __init__(self, address: str, failed: Callable[[str], Any]) -> None:
        read_address(address)
        self.address, self.failed = address, failed
        self._held = ExitStack()

    @cached_property
    def ray(self) -> Any:
        """Ray, connected when it is first needed."""
        return self._held.enter_context(connected(self.address))

    @property
    def count(self) -> int:
        """How many jobs are done at once."""
        wanted = read_address(self.address)
        return wanted if isinstance(wanted, int) else int(self.ray.cluster_resources().get("CPU", 0))

    def each(self, work: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Do all jobs; give the number of each with its result, or a failure, in the order they are finished."""
        ray, ours = self.ray, versions()
        if not self.count:
            raise GameError(f"the cluster at {self.address!r} has no cores")
        doing = task(ray, _do, tries=TRIES)
        flying = {doing.remote(ours, work, job): number for number, job in enumerate(jobs)}
        try:
            while flying:
                (ref,), _ = ray.wait(list(flying), num_returns=1)
                number = flying.pop(ref)
                try:
                    yield number, ray.get(ref)
                except ray.exceptions.RayTaskError as error:
                    if isinstance(error.cause, GameError):
                        raise GameError(*error.cause.args) from None
                    yield number, self.failed(last_line(error))
                except ray.exceptions.RayError as error:
                    yield number, self.failed(f"its process or node died {TRIES} times ({type(error).__name__})")
        finally:
            for ref in flying:
                ray.cancel(ref, force=True)

    def close(self) -> None:
        """Let the cluster go."""
        self.__dict__.pop("ray", None)
        self._held.close()


def _do(ours: dict[str, str], work: Callable[[Any], Any], job: Any) -> Any:
    check_versions(ours)
    return work(job)
