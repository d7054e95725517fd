"""Keep solved games on disk, and load them again in milliseconds.

A store is a directory with one sub-directory, an *entry*, per solved game: arrays, which are memory-mapped so that advice reads
only the pages it needs, and a manifest with parameters, objective, certificate, versions and checksums (`store_files`).

    key      a digest of the rules, known without solving: `sheet-...`, `points-...` (a sheet for every target, or against an
             opponent), `words-...`, `groups-...`. A general game is known by the digest of its explored graph,
             `graph-HINT-DIGEST`, so that loading saves only the solving; HINT needs no exploring.
    reading  checks the manifest against its own digest, versions, sizes, shapes, the checksum of every block and the value of
             the start; not `whole`, the blocks of the values when they are first read, so that advice on a large game stays
             quick. What fails is refused by a `StoreError`; `solve` then solves again.

Exact solutions are not kept: their fractions take far more room, and people ask for them once.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rollwise.forms.base.certificate import Certificate
from rollwise.forms.base.form import Form
from rollwise.forms.base.how import MAX_STATES, How
from rollwise.forms.base.solution import Head, Solution, Stored
from rollwise.games.sheet import Sheet
from rollwise.model.duel import Duel
from rollwise.model.game import Game, Progress
from rollwise.model.notation import plain
from rollwise.model.objective import Objective
from rollwise.solving import solver
from rollwise.solving.pick import explore_rules, pick
from rollwise.solving.registry import forms
from rollwise.store.duels import duel_entries, solve_stored_duel
from rollwise.store.files import (
    Entry,
    StoreError,
    check_folder,
    discard,
    entry_paths,
    list_entries,
    read_arrays,
    read_manifest,
    sweep,
    write_entry,
)  # fmt: skip

__all__ = ["Entry", "StoreError", "cache_directory", "clear", "entries", "load", "save", "solve", "verify"]


AnyGame = Game[Any, Any, Any]


def cache_directory() -> Path:
    """Give this user's store: `$XDG_CACHE_HOME/rollwise`, or `~/.cache/rollwise`."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        return (base if base.is_absolute() else Path.home() / ".cache") / "rollwise"
    except RuntimeError:
        raise StoreError(Path("~/.cache"), "has no place, as this user has no home: set XDG_CACHE_HOME or do without") from None


def solve(
    game: AnyGame,
    objective: Objective | None = None,
    *,
    exact: bool = False,
    max_states: int = MAX_STATES,
    progress: Progress | None = None,
    directory: Path | None = None,
    name: str | None = None,
    parameters: Mapping[str, str] | None = None,
    refused: Callable[[str], None] = lambda _: None,
    worth_seconds: float | None = None,
    whole: bool = True,
) -> Solution:
    """Load the solution of a game from a store (default: the user's cache), or solve it and keep the solution.

    Solutions that took less than `worth_seconds` are not kept (default: a quarter of a second, and two seconds for a general
    game). `refused` is told in one line when an entry cannot be used, which is then removed, or cannot be written; the answer is
    right in any case. Not `whole`, what is loaded is compared as in `load`: if a `StoreError` comes when the solution is asked,
    solve again with `whole`.
    """
    directory = cache_directory() if directory is None else directory
    if isinstance(objective, Duel) and isinstance(game, Sheet) and not exact and _form(game, objective).layered:
        return solve_stored_duel(
            game, directory, tie=objective.ties, name=name or "", parameters=parameters, progress=progress, message=refused,
            whole=whole,
        )  # fmt: skip
    try:
        found = load(game, objective, directory, exact=exact, max_states=max_states, progress=progress, whole=whole)
    except StoreError as error:
        refused(f"{error}: solving again")
        discard(error.path)
        found = None
    if found is not None:
        return found
    solution = solver.solve(game, objective, exact=exact, max_states=max_states, progress=progress)
    if worth_seconds is None:
        worth_seconds = solution.worth_seconds
    if not exact and solution.seconds >= worth_seconds:
        try:
            save(solution, directory, name=name, parameters=parameters)
        except StoreError as error:
            refused(str(error))
    return solution


# Keys


def _form(game: AnyGame, objective: Objective) -> Form:
    return pick(game, objective, How())


def _solution_key(solution: Solution) -> str:
    game, objective = solution.game.unlifted(), solution.objective
    form = next(form for form in forms() if form.name == solution.form_name)
    key = form.key(game, objective)
    return key + solution.fingerprint if form.explores else key


# Loading


def load(
    game: AnyGame,
    objective: Objective | None = None,
    directory: Path | None = None,
    *,
    exact: bool = False,
    max_states: int = MAX_STATES,
    progress: Progress | None = None,
    whole: bool = True,
) -> Solution | None:
    """Load the solution of a game from a store (default: the user's cache); None if it is not there.

    Exact solutions are never there. Not `whole`, the values are compared with their checksums block by block where they are read,
    which is for a few positions. Raises `StoreError` if there is one that cannot be used; not `whole`, also when it is asked.
    """
    directory = cache_directory() if directory is None else directory
    objective = game.objective if objective is None else objective
    if exact:
        return None
    form = _form(game, objective)
    hint = form.key(game, objective)
    if not form.explores:
        return _load_entry(directory / hint, form, game, objective, whole) if os.path.lexists(directory / hint) else None
    paths = [path for path in entry_paths(directory) if path.name.startswith(hint)]
    if not paths:
        return None
    explored = explore_rules(game, objective, max_states=max_states, progress=progress)
    for path in paths:
        solution = _load_entry(path, form, explored, objective, whole)
        if path.name == hint + solution.fingerprint:
            return solution
    return None


def _load_entry(path: Path, form: Form, game: Any, objective: Objective, whole: bool) -> Solution:
    """Put an entry together; `game` is the explored game for a form that explores."""
    manifest = read_manifest(path)
    arrays = read_arrays(path, manifest, lazy=() if whole else (form.large,))
    head = Head(
        Certificate(**manifest["certificate"]), manifest["engine"], manifest["seconds"], manifest["states"], manifest["pendings"]
    )
    try:
        solution = form.unpack(game, objective, Stored(head, arrays, manifest["rest"]))
        ours = not form.explores or path.name.endswith(solution.fingerprint)
        right = not ours or form.stored_value(solution, manifest["rest"]) == manifest["value"]
    except StoreError:
        raise
    except Exception as error:
        raise StoreError(path, f"does not fit the game ({type(error).__name__}: {error})") from None
    if not right:
        raise StoreError(path, "does not give the value it was stored with")
    return solution


# Saving


def save(
    solution: Solution,
    directory: Path | None = None,
    *,
    name: str | None = None,
    parameters: Mapping[str, str] | None = None,
) -> Path:
    """Write a solution into a store (default: the user's cache) and return its entry; a valid one that is there stays.

    `name` and `parameters` are what `entries` shows. Raises `StoreError` for an exact solution, or where it cannot be written.
    """
    directory = cache_directory() if directory is None else directory
    target = directory / _solution_key(solution)
    if solution.exact:
        raise StoreError(target, "cannot be written: exact solutions are not stored")
    packed = solution.pack()
    arrays, rest = packed.arrays, dict(packed.rest)
    certificate = {field.name: getattr(solution.certificate, field.name) for field in fields(Certificate)}
    facts = {
        "fingerprint": solution.fingerprint, "name": name or type(solution.game.unlifted()).__name__.lower(),
        "parameters": dict(parameters or {}), "objective": solution.covers, "value": plain(float(solution.value())),
        "engine": solution.engine, "seconds": solution.seconds, "states": solution.states, "pendings": solution.pendings,
        "certificate": certificate, "created": datetime.now(UTC).isoformat(timespec="seconds"), "rest": rest,
    }  # fmt: skip
    write_entry(target, facts, arrays)
    return target


# The store as a whole


def entries(directory: Path | None = None) -> list[Entry]:
    """List the entries of a store (default: the user's cache), largest first, after the checks that loading always makes."""
    return _listed(directory or cache_directory(), whole=False)


def verify(directory: Path | None = None) -> list[Entry]:
    """List the entries of a store as `entries` does, after reading all of every array and comparing its checksum."""
    return _listed(directory or cache_directory(), whole=True)


def _listed(directory: Path, *, whole: bool) -> list[Entry]:
    check_folder(directory)
    found = [*list_entries(directory, whole=whole), *duel_entries(directory, whole=whole)]
    return sorted(found, key=lambda entry: (-entry.bytes, entry.path.name))


def clear(directory: Path | None = None) -> list[Entry]:
    """Remove the entries of a store (default: the user's cache) and what killed processes left; return what was removed.

    What somebody is solving right now stays, and nothing else in the directory is touched.
    """
    directory = cache_directory() if directory is None else directory
    removed = [entry for entry in entries(directory) if discard(entry.path)]
    sweep(directory, 0.0)
    left = [entry.path for entry in removed if os.path.lexists(entry.path)]
    if left:
        raise StoreError(left[0], "cannot be removed: check who may write there")
    return removed
