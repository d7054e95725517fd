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
from dataclasses import fields, replace
from datetime import UTC, datetime
from functools import partial
from os import PathLike
from pathlib import Path
from time import perf_counter
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
    solving_in,
    sweep,
    write_entry,
)  # fmt: skip
from rollwise.cache.limit import cache_directory, mark_used, wrote
from rollwise.model.abilities import unlifted
from rollwise.model.faults import warn_of_misspelt
from rollwise.model.formatting import plain
from rollwise.model.game import Game, Progress
from rollwise.model.objective import Objective
from rollwise.solvers import solve as solver
from rollwise.solvers.base.abilities import LooksAhead, ability
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.options import MAX_STATES, Precision, SolveOptions
from rollwise.solvers.base.solution import Head, PackedSolution, Solution
from rollwise.solvers.base.solver import Solver
from rollwise.solvers.choose_solver import choose_solver, explore_rules
from rollwise.solvers.registry import form_of

__all__ = ["CacheError", "Entry", "clear", "entries", "load", "save", "solve", "verify"]


AnyGame = Game[Any, Any, Any]

HINT = "-"
"""How a key ends that only begins the name of an entry."""
CHECKPOINT_SECONDS = 5.0
"""What is estimated to take longer is kept layer by layer."""


def solve(
    game: AnyGame,
    objective: Objective | None = None,
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
) -> Solution:
    """Load the solution of a game from a cache (default: the user's cache), or solve it and keep the solution.

    Solutions that took less than `worth_seconds` are not kept (default: a quarter of a second, and two seconds for a general
    game). What is solved layer by layer, and takes long, is kept layer by layer: if it is stopped, a later call goes on with it.
    On a `cluster` that is always so: all its nodes must see the cache.
    `refused` is told in one line when an entry cannot be used, which is then removed, or cannot be written; the answer is right
    in any case. Not `whole`, or with `trust`, what is loaded is compared as in `load`: if a `CacheError` comes when the solution
    is asked, solve again with `whole`, and without `trust`.
    """
    warn_of_misspelt(game)
    directory = cache_directory() if directory is None else Path(directory)
    fault = ""
    aim = game.objective if objective is None else objective
    known = _Known(name, dict(parameters or {}))
    try:
        if not exact:
            place = _Place.find(game, aim, directory, precision)
            known = known._replace(key=place.key)
            found = _load(place, known.parameters, whole=whole, trust=trust)
            if found is not None:
                return _shelved(found, directory, known, refused)
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
    layers = _place_of_layers(game, aim, options, directory)
    if layers is None:
        if fault:
            refused(fault)
        solved = _solve_and_save(game, aim, options, directory, known, worth_seconds, whole=whole)
        return _shelved(solved, directory, known, refused)
    try:
        solution = _solve_in_layers(game, aim, options, layers, known)
    finally:
        wrote(layers, refused)
    if fault and not told:
        refused(fault)
    return _shelved(solution, directory, known, refused)


def _shelved(solution: Solution, directory: Path, known: "_Known", refused: Callable[[str], None] = lambda _: None) -> Solution:
    """Give a solution a place in the cache for what is computed from it; an exact one is not kept, nor anything of it."""
    if solution.exact or not known.key or known.key.endswith(HINT):
        return solution
    return ability(solution, LooksAhead).with_cache(DerivedDiskCache(directory, known.key, known.facts(solution.game), refused))


class _Known(NamedTuple):
    """What listings show of an entry besides what follows from its solution, and its key, if that was asked before solving."""

    name: str | None
    parameters: dict[str, str]
    key: str = ""

    def facts(self, game: AnyGame) -> dict[str, Any]:
        name = self.name or type(unlifted(game)).__name__.lower()
        return {"name": name, "parameters": self.parameters, "created": datetime.now(UTC).isoformat(timespec="seconds")}


def _solve_and_save(
    game: AnyGame,
    objective: Objective,
    options: SolveOptions,
    directory: Path,
    known: _Known,
    worth: float | None,
    *,
    whole: bool,
) -> Solution:
    """Solve in memory, and keep what took long."""
    if known.key.endswith(HINT):
        return _solve_explored(game, objective, options, directory, known, worth, whole=whole)
    return _keep(solver.solve_with_options(game, objective, options), options, directory, known, worth)


def _solve_explored(
    game: AnyGame,
    objective: Objective,
    options: SolveOptions,
    directory: Path,
    known: _Known,
    worth: float | None,
    *,
    whole: bool,
) -> Solution:
    """Explore a game whose graph says which it is; load its solution, or solve what was explored."""
    begun = perf_counter()
    objective = solver.checked_objective(game, objective)
    chosen = choose_solver(game, objective, options)
    explored = explore_rules(game, objective, max_states=options.max_states, progress=options.progress)
    path = directory / chosen.explored_key(known.key, explored)
    if is_there(path):
        try:
            return _load_entry(path, chosen, explored, objective, whole)
        except CacheError as error:
            discard(path)
            options.message(f"{error}: solving again")
    solution = chosen.solve(explored, objective, options)
    return _keep(replace(solution, seconds=perf_counter() - begun), options, directory, known, worth)


def _keep(solution: Solution, options: SolveOptions, directory: Path, known: _Known, worth_seconds: float | None) -> Solution:
    """Write a solution that took long."""
    worth = form_of(solution).worth_seconds if worth_seconds is None else worth_seconds
    if not options.exact and solution.seconds >= worth:
        try:
            _save(solution, directory, known, options.message)
        except CacheError as error:
            options.message(str(error))
    return solution


def _place_of_layers(game: AnyGame, objective: Objective, options: SolveOptions, directory: Path) -> Path | None:
    """Give the entry in which a game is solved layer by layer; None: it is not, or is not worth it."""
    solver = choose_solver(game, objective, options)
    if options.exact or not solver.layered or solver.explores:
        return None
    place = directory / _named(solver.key(game, objective), options.precision)
    if options.backend.is_remote:
        return place
    seconds = solver.plan(game, objective, replace(options, checkpoint=place)).seconds
    return place if has_layers(place) or (seconds is not None and seconds >= CHECKPOINT_SECONDS) else None


def _solve_in_layers(game: AnyGame, objective: Objective, options: SolveOptions, place: Path, known: _Known) -> Solution:
    """Solve a game in its entry, or in memory where that cannot be written."""
    several = len(choose_solver(game, objective, options).precisions) > 1
    facts = {**known.facts(game), "objective": f"{objective}, {options.precision}" if several else str(objective)}
    try:
        with solving_in(place, facts) as finish:
            solution = solver.solve_with_options(game, objective, replace(options, checkpoint=place, fall_back=True))
            try:
                packed = solution.pack()
                finish(_facts(solution, packed, known), packed.arrays)
            except CacheError as error:
                options.message(str(error))
            return solution
    except OSError as error:
        options.message(f"the solution is not kept: {str(place)!r} cannot be written ({error.strerror or error})")
    return solver.solve_with_options(game, objective, options)


# Keys


class _Place(NamedTuple):
    """Where the solution of a game is looked for: `key` names its entry, or only begins the name, and then ends in a hyphen."""

    solver: Solver
    game: AnyGame
    objective: Objective
    directory: Path
    precision: str
    key: str

    @classmethod
    def find(cls, game: AnyGame, objective: Objective, directory: Path, precision: Precision) -> "_Place":
        solver = choose_solver(game, objective, SolveOptions(precision=precision))
        return cls(solver, game, objective, directory, precision, solver.key(game, objective))

    @property
    def path(self) -> Path | None:
        """The entry; None where only exploring tells."""
        return None if self.key.endswith(HINT) else self.directory / _named(self.key, self.precision)


def _named(key: str, precision: str) -> str:
    return key if precision == "float64" else f"{key}-{precision}"


def _solution_key(solution: Solution, key: str = "", precision: str = "float64") -> str:
    """Name the entry of a solution."""
    key = key or form_of(solution).key(unlifted(solution.game), solution.objective)
    if key.endswith(HINT):
        key += solution.fingerprint
    return _named(key, precision)


# Loading


def load(
    game: AnyGame,
    objective: Objective | None = None,
    directory: str | PathLike[str] | None = None,
    *,
    exact: bool = False,
    max_states: int = MAX_STATES,
    precision: Precision = "float64",
    progress: Progress | None = None,
    whole: bool = True,
    trust: bool = False,
) -> Solution | None:
    """Load the solution of a game from a cache (default: the user's cache); None if it is not there.

    Exact solutions are never there. Not `whole`, the values are compared with their checksums block by block where they are read,
    which is for a few positions. A game whose rules were written elsewhere is explored, and its graph says which solution is its
    own. With `trust` it is not, where the directory holds one solution of it, and the file of its class has the same text; its
    rules are then compared at the start and at every position that is asked for.

    Raises `CacheError` if there is one that cannot be used, or when it is asked: not `whole`, where it is damaged, and with
    `trust` where the rules do not say what it was solved for.
    """
    if exact:
        return None
    aim = game.objective if objective is None else objective
    place = _Place.find(game, aim, cache_directory() if directory is None else Path(directory), precision)
    found = _load(place, {}, whole=whole, trust=trust)
    if found is None and place.path is None and _begun_by(place):
        explored = explore_rules(game, aim, max_states=max_states, progress=progress)
        path = place.directory / place.solver.explored_key(place.key, explored)
        found = _load_entry(path, place.solver, explored, aim, whole) if is_there(path) else None
    return found and _shelved(found, place.directory, _Known(None, {}, place.key))


def _load(place: _Place, parameters: Mapping[str, str], *, whole: bool, trust: bool) -> Solution | None:
    """Load what is found without exploring."""
    if place.path is not None:
        path = place.path if is_there(place.path) else None
    else:
        path = _trusted(place, parameters) if trust else None
    return None if path is None else _load_entry(path, place.solver, place.game, place.objective, whole)


def _begun_by(place: _Place) -> list[Path]:
    """List the entries of games that only exploring tells from this one."""
    return [path for path in entry_paths(place.directory) if path.name.startswith(place.key)]


def _trusted(place: _Place, parameters: Mapping[str, str]) -> Path | None:
    """Give the one solution of a game with the same parameters and text; None where there is none, or several."""
    found = []
    for path in _begun_by(place):
        with suppress(CacheError):
            manifest = read_manifest(path)
            if manifest["parameters"] == parameters and place.solver.is_same_source(place.game, manifest["rest"]):
                found.append(path)
    return found[0] if len(found) == 1 else None


def _load_entry(path: Path, solver: Solver, game: Any, objective: Objective, whole: bool) -> Solution:
    """Put an entry together; `game` may be explored already."""
    manifest = read_manifest(path)
    arrays = read_arrays(path, manifest, lazy="" if whole else solver.large)
    try:
        facts: dict[str, Any] = manifest["certificate"]
        known: dict[str, Any] = {key: float(fact) if type(fact) is int else fact for key, fact in facts.items()}
        head = Head(
            Certificate(**known), manifest["engine"], float(manifest["seconds"]), manifest["states"], manifest["pendings"]
        )
        solution = solver.unpack(game, objective, PackedSolution(head, arrays, manifest["rest"], refuse=partial(_refuse, path)))
        right = solver.stored_value(solution, manifest["rest"]) == manifest["value"]
    except CacheError:
        raise
    except Exception as error:
        raise CacheError(path, f"does not fit the game ({type(error).__name__}: {error})") from None
    if not right:
        raise CacheError(path, "does not give the value it was stored with")
    mark_used(path)
    return solution


def _refuse(path: Path, reason: str) -> CacheError:
    """Remove an entry that does not fit the rules, which nobody would notice when it is loaded next."""
    discard(path)
    return CacheError(path, f"{reason}, and was removed")


# Saving


def save(
    solution: Solution,
    directory: str | PathLike[str] | None = None,
    *,
    name: str | None = None,
    parameters: Mapping[str, str] | None = None,
) -> Path:
    """Write a solution into a cache (default: the user's cache) and return its entry; a valid one that is there stays.

    `name` and `parameters` are what `entries` shows. Raises `CacheError` for an exact solution, or where it cannot be written.
    """
    directory = cache_directory() if directory is None else Path(directory)
    if solution.exact:
        raise CacheError(directory / _solution_key(solution), "cannot be written: exact solutions are not stored")
    return _save(solution, directory, _Known(name, dict(parameters or {})))


def _save(solution: Solution, directory: Path, known: _Known, tell: Callable[[str], None] = lambda _: None) -> Path:
    packed = solution.pack()
    target = directory / _solution_key(solution, known.key, packed.rest.get("precision", "float64"))
    write_entry(target, _facts(solution, packed, known), packed.arrays)
    wrote(target, tell)
    return target


def _facts(solution: Solution, packed: PackedSolution, known: _Known) -> dict[str, Any]:
    """The facts of an entry's manifest."""
    certificate = {field.name: getattr(solution.certificate, field.name) for field in fields(Certificate)}
    return {
        "fingerprint": solution.fingerprint, **known.facts(solution.game), "objective": packed.covers or str(solution.objective),
        "value": plain(float(solution.value())), "engine": solution.engine, "seconds": solution.seconds,
        "states": solution.states, "pendings": solution.pendings, "certificate": certificate, "rest": dict(packed.rest),
    }  # fmt: skip


# The store as a whole


def entries(directory: str | PathLike[str] | None = None) -> list[Entry]:
    """List the entries of a cache (default: the user's cache), largest first, after the checks that loading always makes."""
    return _listed(Path(directory or cache_directory()), whole=False)


def verify(directory: str | PathLike[str] | None = None) -> list[Entry]:
    """List the entries of a cache as `entries` does, after reading all of every array and comparing its checksum."""
    return _listed(Path(directory or cache_directory()), whole=True)


def _listed(directory: Path, *, whole: bool) -> list[Entry]:
    check_folder(directory)
    return sorted(list_entries(directory, whole=whole), key=lambda entry: (-entry.bytes, entry.path.name))


def clear(directory: str | PathLike[str] | None = None) -> list[Entry]:
    """Remove the entries of a cache (default: the user's cache) and what killed processes left; return what was removed.

    What somebody is solving right now stays, and nothing else in the directory is touched.
    """
    directory = cache_directory() if directory is None else Path(directory)
    removed = [entry for entry in entries(directory) if discard(entry.path)]
    sweep(directory, 0.0)
    left = [entry.path for entry in removed if os.path.lexists(entry.path)]
    if left:
        raise CacheError(left[0], "cannot be removed: check who may write there")
    return removed
