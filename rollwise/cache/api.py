"""Keep solved games on disk, and load them again in milliseconds.

A store is a directory with one sub-directory, an *entry*, per solved game: arrays, which are memory-mapped so that advice reads
only the pages it needs, and a manifest with parameters, objective, certificate, versions and checksums (`files`).

    key      a digest of the rules, known without solving: `sheet-...`, `points-...` (a sheet for every target, or against an
             opponent), `duel-...`, `graph-...` for a general game of this library, and so on. Rules that were written
             elsewhere may read anything, so such a game is known by the digest of its explored graph, `graph-HINT-DIGEST`: it is
             explored before its solution is used, and only the solving is saved, unless the caller trusts the cache.
    layers   what is solved layer by layer, and takes long, is written layer by layer, so that it can be resumed; when it is
             finished, it is an entry like any other.
    reading  checks the manifest against its own digest, versions, sizes, shapes, the checksum of every block and the value of
             the start; not `whole`, the blocks of the values when they are first read, so that advice on a large game stays
             quick. What fails is refused by a `CacheError`; `solve` then solves again.

Exact solutions are not kept: their fractions take far more room, and people ask for them once.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any, NamedTuple

from rollwise.cache.derived import DerivedDiskCache
from rollwise.cache.files import (
    CacheError,
    Entry,
    check_folder,
    discard,
    entry_paths,
    has_layers,
    is_there,
    list_entries,
    read_arrays,
    read_manifest,
    reopen,
    solution_facts,
    solving_in,
    sweep,
    write_entry,
)  # fmt: skip
from rollwise.cache.limit import cache_directory, mark_used, wrote
from rollwise.games.users import GameLike, problem_of
from rollwise.model.abilities import unlifted
from rollwise.model.faults import warn_of_misspelt
from rollwise.model.game import Game, Progress
from rollwise.model.objective import Objective
from rollwise.solvers import solve as solver
from rollwise.solvers.base.abilities import LooksAhead, ability
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.options import MAX_STATES, Precision, SolveOptions
from rollwise.solvers.base.solution import Head, PackedSolution, Solution
from rollwise.solvers.base.solver import Solver
from rollwise.solvers.choose_solver import choose_solver, explore_rules
from rollwise.solvers.graph.arrays import Explored
from rollwise.solvers.registry import form_of

__all__ = ["CacheError", "Entry", "clear", "entries", "load", "save", "solve", "verify"]


AnyGame = Game[Any, Any, Any]

HINT = "-"
"""How a key ends that only begins the name of an entry."""
CHECKPOINT_SECONDS = 5.0
"""What is estimated to take longer is kept layer by layer."""


def solve(
    game: GameLike,
    objective: Objective | str | None = None,
    *,
    exact: bool = False,
    max_states: int = MAX_STATES,
    precision: Precision = "float64",
    device: solver.Device = "cpu",
    threads: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
    directory: str | PathLike[str] | None = None,
    name: str | None = None,
    parameters: Mapping[str, str] | None = None,
    refused: Callable[[str], None] = lambda _: None,
    worth_seconds: float | None = None,
    whole: bool = True,
    trust: bool = False,
    position: Any = None,
) -> Solution:
    """Load the solution of a game from a cache (default: the user's cache), or solve the game and cache its solution.

    >>> import tempfile
    >>> from rollwise import cache
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     solution = cache.solve("shut-the-box", directory=folder, worth_seconds=0)
    ...     len(cache.entries(folder))
    1

    Solutions that took less than `worth_seconds` are not cached (default: a quarter of a second, for a general game two seconds).
    A game that is solved layer by layer, and takes long, is cached layer by layer, and resumed where it stopped. On a `cluster`
    this is always so: all its nodes must see the cache. `refused` is called with one line when an entry cannot be used, which is
    then removed, or cannot be written; the result is right in any case. With `whole=False` or `trust=True`, less is checked when
    an entry is loaded, as in `load`: if the solution raises a `CacheError` later, solve again without these options.

    With a `position`, it is enough to solve what can follow from there, as in `rollwise.solve`; such a part is not cached.

    Raises `GameError` as `rollwise.solve` does.
    """
    game, objective = problem_of(game, objective, "cache")
    objective = solver.with_target(game, objective, SolveOptions(exact=exact, max_states=max_states, progress=progress))
    request = _Request.of(game, objective, directory, precision, _Known(name, dict(parameters or {})), whole, trust)
    warn_of_misspelt(request.game)
    fault = ""
    if not exact:
        try:
            found = request.load()
            if found is not None:
                return request.with_cache(found, refused)
        except CacheError as error:
            fault = f"{error}: solving again"
            reopen(error.path)
    told: list[str] = []

    def tell(line: str) -> None:
        told.append(line)
        refused(line)

    backend = solver.backend_of(device, threads, cluster)
    options = SolveOptions(
        exact=exact, precision=precision, backend=backend, max_states=max_states, progress=progress, message=tell
    )
    start = None if position is None or exact else request.solver.part(request.game, request.objective, position, options)
    if start is not None:
        return request.solver.solve_part(request.game, request.objective, start, options)
    layers = request.layers(options)
    solution = None if layers is None else _solve_in_layers(request, options, layers, refused)
    if fault and not told:
        refused(fault)
    if solution is None:
        solution = _solve_and_save(request, options, worth_seconds)
    return solution if exact else request.with_cache(solution, refused)


class _Known(NamedTuple):
    """What listings show of an entry besides what follows from its solution."""

    name: str | None = None
    parameters: Mapping[str, str] = MappingProxyType({})

    def facts(self, game: AnyGame) -> dict[str, Any]:
        name = self.name or type(unlifted(game)).__name__.lower()
        return {"name": name, "parameters": dict(self.parameters), "created": datetime.now(UTC).isoformat(timespec="seconds")}


@dataclass(frozen=True)
class _Request:
    """A game whose solution is looked for in a directory, and how far what is found there is compared."""

    game: AnyGame
    objective: Objective
    directory: Path
    precision: Precision
    known: _Known
    whole: bool
    trust: bool

    @classmethod
    def of(
        cls, game: GameLike, objective: Objective | str | None, directory: str | PathLike[str] | None, precision: Precision,
        *how: Any,
    ) -> "_Request":  # fmt: skip
        """Fill in the objective of the game and the user's cache where none is given."""
        folder = cache_directory() if directory is None else Path(directory)
        return cls(*problem_of(game, objective, "cache"), folder, precision, *how)

    @cached_property
    def solver(self) -> Solver:
        return choose_solver(self.game, self.objective, SolveOptions(precision=self.precision))

    @cached_property
    def key(self) -> str:
        """The name of the entry; where only exploring tells it, its beginning, which ends in a hyphen."""
        return self.solver.key(self.game, self.objective)

    @property
    def must_explore(self) -> bool:
        return self.key.endswith(HINT)

    def load(self) -> Solution | None:
        """Load what is found without exploring. Raises `CacheError`."""
        if self.must_explore:
            path = self._trusted() if self.trust else None
        else:
            path = self.directory / _named(self.key, self.precision)
        return None if path is None or not is_there(path) else self.load_entry(path, self.game)

    def load_explored(self, explored: Explored) -> Solution | None:
        """Load the solution of a game that only its graph tells from others. Raises `CacheError`."""
        path = self.directory / self.solver.explored_key(self.key, explored)
        return self.load_entry(path, explored) if is_there(path) else None

    def begun(self) -> list[Path]:
        """List the entries of games that only exploring tells from this one."""
        return [path for path in entry_paths(self.directory) if path.name.startswith(self.key)]

    def _trusted(self) -> Path | None:
        """Give the one solution of a game with the same parameters and text; None where there is none, or several."""
        found = []
        for path in self.begun():
            with suppress(CacheError):
                manifest = read_manifest(path)
                same = self.solver.is_same_source(self.game, manifest["rest"])
                found += [path] if same and manifest["parameters"] == self.known.parameters else []
        return found[0] if len(found) == 1 else None

    def load_entry(self, path: Path, game: Any) -> Solution:
        """Put an entry together; `game` may be explored already."""
        manifest = read_manifest(path)
        arrays = read_arrays(path, manifest, lazy="" if self.whole else self.solver.large)
        try:
            proof, numbers = (
                Certificate(**manifest["certificate"]),
                (manifest[name] for name in ("seconds", "states", "pendings")),
            )
            head = Head(proof, manifest["engine"], *numbers)
            packed = PackedSolution(head, arrays, manifest["rest"], refuse=partial(_refuse, path))
            solution = self.solver.unpack(game, self.objective, packed)
            right = self.solver.stored_value(solution, manifest["rest"]) == manifest["value"]
        except CacheError:
            raise
        except Exception as error:
            raise CacheError(path, f"does not fit the game ({type(error).__name__}: {error})") from None
        if not right:
            raise CacheError(path, "does not give the value it was stored with")
        mark_used(path)
        return solution

    def layers(self, options: SolveOptions) -> Path | None:
        """Give the entry in which a game is solved layer by layer; None: it is not, or is not worth it."""
        chosen = choose_solver(self.game, self.objective, options)
        if options.exact or not chosen.layered or chosen.explores:
            return None
        place = self.directory / _named(self.key, self.precision)
        if options.backend.is_remote:
            return place
        seconds = chosen.plan(self.game, self.objective, replace(options, checkpoint=place)).seconds
        return place if has_layers(place) or (seconds is not None and seconds >= CHECKPOINT_SECONDS) else None

    def with_cache(self, solution: Solution, refused: Callable[[str], None] = lambda _: None) -> Solution:
        """Give a solution a place in the cache for what is computed from it, where its key is known."""
        if self.must_explore:
            return solution
        derived = DerivedDiskCache(self.directory, self.key, self.known.facts(solution.game), refused)
        return ability(solution, LooksAhead).with_cache(derived)


def _refuse(path: Path, reason: str) -> CacheError:
    """Remove an entry that does not fit the rules, which nobody would notice when it is loaded next."""
    discard(path)
    return CacheError(path, f"{reason}, and was removed")


def _solve_and_save(request: _Request, options: SolveOptions, worth_seconds: float | None) -> Solution:
    """Solve in memory, and keep what took long. A game that only its graph tells from others is explored first."""
    game, objective = request.game, request.objective
    if options.exact:
        return solver.solve_with_options(game, objective, options)
    if request.must_explore:
        begun, objective = perf_counter(), solver.checked_objective(game, objective)
        explored = explore_rules(game, objective, max_states=options.max_states, progress=options.progress)
        try:
            found = request.load_explored(explored)
        except CacheError as error:
            discard(error.path)
            options.message(f"{error}: solving again")
            found = None
        if found is not None:
            return found
        solution = request.solver.solve(explored, objective, options)
        solution = replace(solution, seconds=perf_counter() - begun)
    else:
        solution = solver.solve_with_options(game, objective, options)
    if solution.seconds >= (form_of(solution).worth_seconds if worth_seconds is None else worth_seconds):
        try:
            _save(solution, request.directory, request.known, request.key, options.message)
        except CacheError as error:
            options.message(str(error))
    return solution


def _solve_in_layers(request: _Request, options: SolveOptions, place: Path, refused: Callable[[str], None]) -> Solution:
    """Solve a game in its entry, or in memory where that cannot be written."""
    several = len(request.solver.precisions) > 1
    covers = f"{request.objective}, {options.precision}" if several else str(request.objective)
    try:
        with solving_in(place, {**request.known.facts(request.game), "objective": covers}) as finish:
            in_place = replace(options, checkpoint=place, fall_back=True)
            solution = solver.solve_with_options(request.game, request.objective, in_place)
            try:
                packed = solution.pack()
                finish(request.known.facts(solution.game) | solution_facts(solution, packed), packed.arrays)
            except CacheError as error:
                options.message(str(error))
            return solution
    except OSError as error:
        options.message(f"the solution is not cached: {str(place)!r} cannot be written ({error.strerror or error})")
        return solver.solve_with_options(request.game, request.objective, options)
    finally:
        wrote(place, refused)


def _named(key: str, precision: str) -> str:
    return key if precision == "float64" else f"{key}-{precision}"


def load(
    game: GameLike,
    objective: Objective | str | None = None,
    directory: str | PathLike[str] | None = None,
    *,
    exact: bool = False,
    max_states: int = MAX_STATES,
    precision: Precision = "float64",
    progress: Progress | None = None,
    whole: bool = True,
    trust: bool = False,
) -> Solution | None:
    """Load the solution of a game from a cache (default: the user's cache); None if it is not cached.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(load("slots", directory=folder))
    None

    Exact solutions are never cached. With `whole=False`, only the values that are read are checked, which is faster for a
    few positions. A game of your own is explored, to find the solution of the same rules. With `trust=True` it is not, if
    the cache has one solution of it and the file of its class is unchanged; its rules are then compared at the start and at every
    position you query.

    Raises `CacheError` for an entry that cannot be used. With `whole=False` or `trust=True` the solution may raise it later, for
    damaged values or changed rules.
    """
    if exact:
        return None
    request = _Request.of(game, objective, directory, precision, _Known(), whole, trust)
    found = request.load()
    if found is None and request.must_explore and request.begun():
        found = request.load_explored(explore_rules(request.game, request.objective, max_states=max_states, progress=progress))
    return found and request.with_cache(found)


def save(
    solution: Solution,
    directory: str | PathLike[str] | None = None,
    *,
    name: str | None = None,
    parameters: Mapping[str, str] | None = None,
) -> Path:
    """Write a solution into a cache (default: the user's cache) and return the folder of its entry; a valid entry stays as it is.

    >>> import rollwise, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(rollwise.solve("slots"), folder).name.startswith("graph-")
    True

    `entries` lists it by `name` and `parameters`. Raises `CacheError` for an exact solution, or where it cannot be written.
    """
    directory = cache_directory() if directory is None else Path(directory)
    key = form_of(solution).key(unlifted(solution.game), solution.objective)
    if solution.exact:
        raise CacheError(directory / _solution_key(solution, key), "cannot be written: exact solutions are not stored")
    return _save(solution, directory, _Known(name, dict(parameters or {})), key)


def _save(solution: Solution, directory: Path, known: _Known, key: str, tell: Callable[[str], None] = lambda _: None) -> Path:
    packed = solution.pack()
    target = directory / _named(_solution_key(solution, key), packed.rest.get("precision", "float64"))
    write_entry(target, known.facts(solution.game) | solution_facts(solution, packed), packed.arrays)
    wrote(target, tell)
    return target


def _solution_key(solution: Solution, key: str = "") -> str:
    """Name the entry of a solution, whose key may be known."""
    key = key or form_of(solution).key(unlifted(solution.game), solution.objective)
    return key + solution.fingerprint if key.endswith(HINT) else key


# The store as a whole


def entries(directory: str | PathLike[str] | None = None) -> list[Entry]:
    """List the entries of a cache (default: the user's cache), largest first, with the checks that loading makes."""
    return _listed(Path(directory or cache_directory()), whole=False)


def verify(directory: str | PathLike[str] | None = None) -> list[Entry]:
    """List the entries of a cache as `entries` does, and check all of their data."""
    return _listed(Path(directory or cache_directory()), whole=True)


def _listed(directory: Path, *, whole: bool) -> list[Entry]:
    check_folder(directory)
    return sorted(list_entries(directory, whole=whole), key=lambda entry: (-entry.bytes, entry.path.name))


def clear(directory: str | PathLike[str] | None = None) -> list[Entry]:
    """Remove the entries of a cache (default: the user's cache), and return them.

    Entries that another process is writing stay, as do all other files. Raises `CacheError` for entries that cannot be removed.
    """
    directory = cache_directory() if directory is None else Path(directory)
    removed = [entry for entry in entries(directory) if discard(entry.path)]
    sweep(directory, 0.0)
    left = [entry.path for entry in removed if os.path.lexists(entry.path)]
    if left:
        raise CacheError(left[0], "cannot be removed: check who may write there")
    return removed
