"""The backend that works layers out on a cluster."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rollwise.cluster.connect import connected, nodes_with, read_address
from rollwise.errors import GameError
from rollwise.solvers.base.backends import Backend, ParallelMap
from rollwise.solvers.base.layer_files import LayerFiles

if TYPE_CHECKING:
    from rollwise.solvers.base.layers import Recursion
    from rollwise.solvers.base.options import SolveOptions

__all__ = ["Cluster"]


@dataclass(frozen=True)
class Cluster(Backend):
    """The nodes of a Ray cluster (`pip install 'rollwise[cluster]'`): its address, or `local:N` for N workers here.

    >>> Cluster("local:2").count
    2

    `device` says what a chunk is computed on: a core, or a card. Raises `GameError` for what is no address.
    """

    address: str
    device: str = "cpu"
    is_remote = True

    def __post_init__(self) -> None:
        read_address(self.address)

    @property
    def name(self) -> str:  # type: ignore[override]
        """What the nodes work with."""
        return self.device

    @property
    def here(self) -> bool:
        """Whether all workers are on this machine."""
        return isinstance(read_address(self.address), int)

    @property
    def count(self) -> int:
        """How many workers there are; of a cluster that is not ours to start, one, as that is known only when it is asked."""
        wanted = read_address(self.address)
        return wanted if isinstance(wanted, int) else 1

    @contextmanager
    def pool(self) -> Iterator[ParallelMap]:
        """Give a function that maps work over pieces here, one after another."""
        yield map

    def run_remotely(self, recursion: "Recursion", options: "SolveOptions") -> bool:
        """Work all layers out on the nodes, in the folder `options.checkpoint`."""
        from rollwise.cluster.driver import solve_on  # noqa: PLC0415  (loaded only where there is a cluster)

        if options.checkpoint is None and not self.here:
            raise GameError("a cluster needs a folder that all its nodes see: name one for the layers")
        with ExitStack() as held:
            folder = options.checkpoint or Path(held.enter_context(TemporaryDirectory(prefix="rollwise-")))
            opened = LayerFiles.opened(folder.absolute(), recursion, ours=options.fall_back, message=options.message)
            files = held.enter_context(opened)
            ray = held.enter_context(connected(self.address))
            if self.here and not nodes_with(ray, self.device):
                raise GameError("this machine has no GPU that Ray finds: use --device cpu, or join a cluster that has one")
            solve_on(ray, self.device, files, recursion, options)
        return True
