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
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.forms.base.solution import GraphSolution, Solution
from rollwise.forms.graph.certify import Certificate
from rollwise.forms.graph.explore import MAX_STATES
from rollwise.forms.graph.run import Result
from rollwise.forms.graph.values import Work
from rollwise.forms.partitions.recursion import Grown
from rollwise.forms.partitions.solution import GROUPS, PartitionSolution
from rollwise.forms.rerolls.solution import WORDS, RerollSolution
from rollwise.forms.rerolls.sweeps import RerollForm, make_axis
from rollwise.forms.sheets.expected import SheetSolution
from rollwise.forms.sheets.lattice import lattice
from rollwise.forms.sheets.reading import SHEETS
from rollwise.forms.sheets.solution import TurnSolution
from rollwise.forms.sheets.standings import Rows
from rollwise.forms.sheets.targets import PointsSolution, lift_sheet, totals_are_dense
from rollwise.forms.sheets.turns import SheetForm
from rollwise.games.sheet import Sheet
from rollwise.model.game import Game, Progress
from rollwise.model.lift import LiftedGame
from rollwise.model.notation import plain
from rollwise.model.objective import Against, AtLeast, Duel, Expected, Objective
from rollwise.solving import solver
from rollwise.solving.general import explore_rules
from rollwise.store.duels import duel_entries, solve_stored_duel
from rollwise.store.files import (
    Arrays,
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

WORTH_SECONDS = 0.25
WORTH_GRAPH_SECONDS = 2.0
"""Quicker solves are not worth a file. Loading a general game still explores it, so its solve must have taken longer."""

AnyGame = Game[Any, Any, Any]
VALUES = {"sheet": "table", "points": "chance", "words": "value"}
"""The array of a kind of entry that is large, and of which advice needs little."""
Head = tuple[Certificate, str, float, int, int]
"""Certificate, engine, seconds, states and pendings."""


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
    if isinstance(objective, Duel) and isinstance(game, Sheet) and not exact:
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
        worth_seconds = WORTH_GRAPH_SECONDS if isinstance(solution, GraphSolution) else WORTH_SECONDS
    if not exact and solution.seconds >= worth_seconds:
        try:
            save(solution, directory, name=name, parameters=parameters)
        except StoreError as error:
            refused(str(error))
    return solution


# Keys


def _compact_key(game: AnyGame, objective: Objective) -> str | None:
    """Name the entry of a game with a compact form; None for any other, and for one with rules that its data does not show."""
    rules: Any = game
    if SHEETS.reads(game, objective):
        if isinstance(objective, Expected):
            return f"sheet-{_digest(_sheet_rules(rules))}"
        aim = repr(objective) if isinstance(objective, Against) else "at-least"
        return f"points-{_digest(_sheet_rules(rules), aim)}" if totals_are_dense(rules) else None
    if WORDS.reads(game, objective):
        return f"words-{_digest(rules.dice, sorted(rules.goals))}"
    return f"groups-{_digest(rules.faces, rules.goal)}" if GROUPS.reads(game, objective) else None


def _graph_hint(game: AnyGame, objective: Objective) -> str:
    """Begin the name of a general game's entries: by its class and plain attributes, so that most misses need no exploring."""
    plain = {key: value for key, value in vars(game).items() if isinstance(value, int | str)}
    return f"graph-{_digest(type(game).__qualname__, str(objective), sorted(plain.items()))[:8]}-"


def _solution_key(solution: Solution) -> str:
    if isinstance(solution, GraphSolution):
        game = solution.game.game if isinstance(solution.game, LiftedGame) else solution.game
        return _graph_hint(game, solution.objective) + solution.fingerprint
    key = _compact_key(_rules(solution), solution.objective)
    if key is None:
        raise GameError("a duel is kept while it is solved: give solve_duel a directory, or solve it through the store")
    return key


def _sheet_rules(sheet: Sheet) -> list[Any]:
    boxes = [(box.name, box.face, [int(sheet.scores[box.name][hand]) for hand in sheet.hands]) for box in sheet.boxes]
    bonus = sheet.bonus and (sheet.bonus.threshold, sheet.bonus.points)
    joker = sheet.joker and (sheet.joker.box, sheet.joker.rule, sheet.joker.bonus, sorted(sheet.joker.pays.items()))
    return [sheet.count, sheet.faces, sheet.rerolls, sheet.in_order, boxes, bonus, joker]


def _digest(*parts: Any) -> str:
    return sha256(str(parts).encode()).hexdigest()[:24]


# Solutions as arrays and back


def _pack(solution: Solution) -> tuple[Arrays, dict[str, Any]]:
    """Take a solution apart: arrays, and what else is needed, in JSON types."""
    if isinstance(solution, SheetSolution):
        arrays, rest = _pack_form(solution.form)
        return {**arrays, "table": solution.table}, rest
    if isinstance(solution, PointsSolution):
        arrays, rest = _pack_form(solution.form)
        target = solution.objective.target if isinstance(solution.objective, AtLeast) else None
        return {**arrays, **vars(solution.rows), "chance": solution.chance}, {**rest, "target": target}
    if isinstance(solution, RerollSolution):
        return {"value": solution.array, "goal": solution.form.goal}, {"groups": solution.groups, "rounds": solution.rounds}
    if isinstance(solution, PartitionSolution):
        grown = solution.grown
        return {"value": grown.value, "part_start": grown.part_start}, {"residual": grown.residual}
    if isinstance(solution, GraphSolution):
        return dict(vars(solution.result.work)), {"engines": solution.result.engines}
    raise GameError(f"a {type(solution).__name__} is not kept in this store: expected a solved game that is no duel")


def _pack_form(form: SheetForm) -> tuple[Arrays, dict[str, Any]]:
    parts = {field.name: getattr(form, field.name) for field in fields(SheetForm) if field.name != "lattice"}
    arrays = {name: part for name, part in parts.items() if isinstance(part, np.ndarray)}
    dice = {"count": form.lattice.count, "faces": form.lattice.faces}
    return arrays, {"dice": dice, "form": {name: parts[name] for name in parts.keys() - arrays.keys()}}


def _unpack_form(sheet: Any, arrays: Arrays, rest: dict[str, Any]) -> SheetForm:
    """Put a form together from its arrays, which are taken out."""
    known: dict[str, dict[str, Any]] = {"dice": {"count": sheet.count, "faces": sheet.faces}}
    known["form"] = {"rerolls": sheet.rerolls, "n_boxes": len(sheet.boxes), "in_order": sheet.in_order}
    if {key: rest[key] for key in known} != known:
        raise GameError("other dice, boxes or rerolls")
    own = {field.name: arrays.pop(field.name) for field in fields(SheetForm) if field.name in arrays}
    return SheetForm(lattice=lattice(sheet.count, sheet.faces), **known["form"], **own)


def _unpack_points(game: Any, objective: Any, head: Head, arrays: Arrays, rest: dict[str, Any]) -> PointsSolution:
    """Put a solution together for the target it was stored with."""
    aim = AtLeast(rest["target"]) if isinstance(objective, AtLeast) else objective
    form, chance = _unpack_form(game, arrays, rest), arrays.pop("chance")
    return PointsSolution(lift_sheet(game, form, aim), aim, *head, form=form, rows=Rows(**arrays), chance=chance)


def _unpack_groups(game: Any, groups: list[Any]) -> list[Any]:
    """Give the equal dice of a words game as they were stored."""
    found = [(tuple((symbol, weight) for symbol, weight in faces), members) for faces, members in groups]
    if sorted((i, faces) for faces, members in found for i in members) != list(enumerate(game.dice)):
        raise GameError("other dice")
    return found


def _unpack(game: AnyGame, objective: Objective, manifest: dict[str, Any], arrays: Arrays, explored: Any) -> Solution:
    """Put a solution together again."""
    certificate = Certificate(**manifest["certificate"])
    head = (certificate, manifest["engine"], manifest["seconds"], manifest["states"], manifest["pendings"])
    rest = manifest["rest"]
    kind = manifest["key"].split("-")[0]
    if kind == "sheet":
        return SheetSolution(game, objective, *head, form=_unpack_form(game, arrays, rest), table=arrays["table"])
    if kind == "points":
        return _unpack_points(game, objective, head, arrays, rest)
    if kind == "words":
        groups = _unpack_groups(game, rest["groups"])
        axes = tuple(make_axis(tuple(weight for _, weight in faces), len(members)) for faces, members in groups)
        form_ = RerollForm(axes, arrays["goal"])
        return RerollSolution(game, objective, *head, form=form_, array=arrays["value"], groups=groups, rounds=rest["rounds"])
    if kind == "groups":
        return PartitionSolution(game, objective, *head, grown=Grown(arrays["value"], arrays["part_start"], rest["residual"]))
    result = Result(Work(**arrays), None, None, tuple(rest["engines"]))
    return GraphSolution(explored.game, objective, *head, explored=explored, result=result)


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
    key = _compact_key(game, objective)
    if key is not None:
        return _load_entry(directory / key, game, objective, None, whole) if os.path.lexists(directory / key) else None
    hint = _graph_hint(game, objective)
    paths = [path for path in entry_paths(directory) if path.name.startswith(hint)]
    if not paths:
        return None
    explored = explore_rules(game, objective, max_states=max_states, progress=progress)
    for path in paths:
        solution = _load_entry(path, game, objective, explored, whole)
        if path.name == hint + solution.fingerprint:
            return solution
    return None


def _load_entry(path: Path, game: AnyGame, objective: Objective, explored: Any, whole: bool) -> Solution:
    manifest = read_manifest(path)
    values = VALUES.get(path.name.split("-")[0])
    arrays = read_arrays(path, manifest, lazy=() if whole else (values,))
    try:
        solution = _unpack(game, objective, manifest, arrays, explored)
        ours = explored is None or path.name.endswith(solution.fingerprint)
        right = not ours or plain(float(solution.value())) == manifest["value"]
    except StoreError:
        raise
    except Exception as error:
        raise StoreError(path, f"does not fit the game ({type(error).__name__}: {error})") from None
    if not right:
        raise StoreError(path, "does not give the value it was stored with")
    if isinstance(solution, PointsSolution) and isinstance(objective, AtLeast):
        return solution.for_target(objective.target)
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
    arrays, rest = _pack(solution)
    certificate = {field.name: getattr(solution.certificate, field.name) for field in fields(Certificate)}
    facts = {
        "fingerprint": solution.fingerprint, "name": name or type(_rules(solution)).__name__.lower(),
        "parameters": dict(parameters or {}), "objective": _aim(solution), "value": plain(float(solution.value())),
        "engine": solution.engine, "seconds": solution.seconds, "states": solution.states, "pendings": solution.pendings,
        "certificate": certificate, "created": datetime.now(UTC).isoformat(timespec="seconds"), "rest": rest,
    }  # fmt: skip
    write_entry(target, facts, arrays)
    return target


def _rules(solution: Solution) -> Any:
    return solution.sheet if isinstance(solution, TurnSolution) else solution.game


def _aim(solution: Solution) -> str:
    """Say what a solution is for; chances of points are for every target at once."""
    every = isinstance(solution, PointsSolution) and isinstance(solution.objective, AtLeast)
    return f"{solution.objective}, and every other target" if every else str(solution.objective)


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
