"""Solved duels in a store: a directory of layers each, beside the entries of single games.

`about.json` says what it is, for listings, with a checksum of itself; the layers have manifests of their own (`duel_layers`). The
directory is held while a duel is solved, so that nobody clears it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from fractions import Fraction
from math import isfinite, nan
from pathlib import Path
from typing import Any

from rollwise.errors import GameError
from rollwise.forms.base.array_files import StoreError, read_facts, seal
from rollwise.forms.base.layer_files import PREFIX, find_fault
from rollwise.forms.base.locks import held
from rollwise.forms.base.writing import remove, write_whole
from rollwise.forms.sheets.duel import Device, DuelSolution, duel_fingerprint, solve_duel
from rollwise.forms.sheets.duel_plan import Precision
from rollwise.games.sheet import Sheet
from rollwise.model.duel import Duel
from rollwise.model.game import Progress
from rollwise.store.files import Entry, printable, size_of

__all__ = ["duel_entries", "solve_stored_duel"]

ABOUT = "about.json"
FORMAT = "rollwise duel 2"
NAME = re.compile(PREFIX + r"[0-9a-f]{16}")


def solve_stored_duel(
    sheet: Sheet,
    directory: Path,
    *,
    tie: Fraction | float = Fraction(1, 2),
    precision: Precision = "float64",
    device: Device = "cpu",
    threads: int | None = None,
    name: str = "",
    parameters: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    message: Callable[[str], None] = lambda _: None,
    whole: bool = True,
) -> DuelSolution:
    """Solve a duel in a store, go on with one that was stopped, or load one that is solved.

    Where the store cannot be written, or has no room, `message` is told and the duel is solved in memory. Not `whole`, one that
    is solved is compared where it is read, as `solve_duel` says. Raises `GameError` if it does not fit.
    """
    given: dict[str, Any] = {
        "precision": precision, "tie": tie, "threads": threads, "device": device, "progress": progress, "message": message,
    }  # fmt: skip
    place = directory / f"{PREFIX}{duel_fingerprint(sheet, tie, precision)}"
    facts = {
        "format": FORMAT, "duel": place.name, "name": name or type(sheet).__name__.lower(), "parameters": dict(parameters or {}),
        "objective": f"{Duel(tie)}, {precision}", "layers": 2 * len(sheet.boxes) + 1, "value": None,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }  # fmt: skip
    try:
        with suppress(OSError):
            if not place.is_dir():
                remove(place)
        with held(place):
            return _solve_in(place, facts, lambda: solve_duel(sheet, directory=place, whole=whole, fall_back=True, **given))
    except OSError as error:
        message(f"the duel is not kept: {str(place)!r} cannot be written ({error.strerror or error})")
    return solve_duel(sheet, **given)


def _solve_in(place: Path, facts: dict[str, Any], solve: Callable[[], DuelSolution]) -> DuelSolution:
    """Solve in a directory and say there what it holds; a duel of which no layer is there leaves nothing behind."""
    known = _about(place)
    told = facts if isinstance(known, str) else known
    try:
        if told is facts:
            _tell(place, facts)
        solution = solve()
        if told["value"] != float(solution.value()) and len(_layers(place)) == told["layers"]:
            _tell(place, {**told, "value": float(solution.value())})
    finally:
        if not _layers(place):
            with suppress(OSError):
                remove(place / ABOUT)
                place.rmdir()
    return solution


def _layers(place: Path) -> list[Path]:
    return list(place.glob("layer-*.json"))


def _tell(place: Path, facts: dict[str, Any]) -> None:
    """Write what a directory holds; without it the duel is listed as unknown, and answers all the same."""
    with suppress(OSError, GameError):
        if (place / ABOUT).is_dir():
            remove(place / ABOUT)
        write_whole(place / ABOUT, seal(facts))


def duel_entries(directory: Path, *, whole: bool) -> Iterator[Entry]:
    """List the duels of a store, finished or not; with `whole`, compare the checksums of all layers."""
    with suppress(OSError):
        for place in sorted(directory.iterdir()):
            if NAME.fullmatch(place.name):
                yield _entry(place, whole)


def _entry(place: Path, whole: bool) -> Entry:
    about, size = _about(place), size_of(place)
    if isinstance(about, str):
        return Entry(place, "?", {}, "duel", nan, size, "?", printable(about))
    parameters = {printable(key): printable(text) for key, text in about["parameters"].items()}
    name, objective, created = (printable(about[key]) for key in ("name", "objective", "created"))
    done = about["layers"] if about["value"] is not None else len(_layers(place))
    fault = find_fault(place, done, whole=whole)
    if about["value"] is None:
        objective = f"{objective}: {done} of {about['layers']} layers"
    value = nan if about["value"] is None else about["value"]
    return Entry(place, name, parameters, objective, value, size, created, fault)


def _about(place: Path) -> dict[str, Any] | str:
    """Read what a duel is; a fault if that is not there, or not what it should be."""
    kinds = {"name": str, "parameters": dict, "objective": str, "layers": int, "value": float | None, "created": str}
    try:
        facts = read_facts(place, ABOUT, ABOUT, FORMAT)
    except StoreError as error:
        return f"{error.reason}: solve it again"
    right = all(key in facts and isinstance(facts[key], kind) for key, kind in kinds.items()) and facts.get("duel") == place.name
    if not right or not 0 < facts["layers"] < 100 or not isfinite(facts["value"] or 0.0):
        return f"has no readable {ABOUT}: solve it again"
    return facts
