"""What was computed from a solution and took long is kept beside it, as an entry of its own: `WHAT-KEY`, its key after a word.

It is read like an entry, but never all of it: every block is compared when it is first read. What cannot be used is removed and
computed again, whatever the reason.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rollwise.cache.files import CacheError, discard, is_there, read_arrays, read_manifest, solution_facts, write_entry
from rollwise.cache.limit import mark_used, wrote
from rollwise.model.formatting import plain
from rollwise.solvers.base.solution import DerivedCache, PackedSolution, Solution

__all__ = ["DerivedDiskCache"]


@dataclass(frozen=True)
class DerivedDiskCache(DerivedCache):
    """A place in a cache for results derived from the entry `key`. `facts` say for listings what was solved; `refused` is told
    what fails.
    """

    directory: Path
    key: str
    facts: Mapping[str, Any]
    refused: Callable[[str], None] = lambda _: None

    def _path(self, name: str) -> Path:
        return self.directory / f"{name}-{self.key}"

    def get(self, solution: Solution, name: str) -> PackedSolution | None:
        path = self._path(name)
        if not is_there(path):
            return None
        try:
            manifest = read_manifest(path)
            if (manifest["fingerprint"], manifest["value"]) != (solution.fingerprint, plain(float(solution.value()))):
                raise CacheError(path, "belongs to another solution")
            found = PackedSolution.of(solution, read_arrays(path, manifest, lazy="*"), manifest["rest"])
            mark_used(path)
            return found
        except CacheError as error:
            self.drop(name, error.reason)
            return None

    def put(self, solution: Solution, name: str, packed: PackedSolution) -> None:
        facts = {**self.facts, **solution_facts(solution, packed), "objective": f"{solution.objective}: {name}"}
        try:
            write_entry(self._path(name), facts, packed.arrays)
            wrote(self._path(name), self.refused)
        except CacheError as error:
            self.refused(str(error))

    def drop(self, name: str, reason: str) -> None:
        path = self._path(name)
        self.refused(f"{CacheError(path, reason)}: computed again on demand")
        discard(path)
