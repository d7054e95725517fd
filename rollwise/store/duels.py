"""Solved duels in a store: a directory of layers each, beside the entries of single games.

`about.json` says what it is, for listings; the layers have manifests and checksums of their own (`duel_layers`).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from rollwise.errors import GameError
from rollwise.forms.base.layer_files import find_fault
from rollwise.forms.base.writing import write_whole
from rollwise.forms.sheets.duel import Device, DuelSolution, duel_fingerprint, solve_duel
from rollwise.forms.sheets.duel_plan import Precision
from rollwise.games.sheet import Sheet
from rollwise.model.game import Progress
from rollwise.model.objective import Duel
from rollwise.store.files import Entry

__all__ = ["duel_entries", "solve_stored_duel"]

ABOUT = "about.json"
PREFIX = "duel-"


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
) -> DuelSolution:
    """Solve a duel in a store, go on with one that was stopped, or load one that is solved.

    Where the store cannot be written, `message` is told and the duel is solved in memory. Raises `GameError` if it does not fit.
    """
    given: dict[str, Any] = {
        "precision": precision, "tie": tie, "threads": threads, "device": device, "progress": progress, "message": message,
    }  # fmt: skip
    place = directory / f"{PREFIX}{duel_fingerprint(sheet, tie, precision)}"
    facts = {
        "name": name or type(sheet).__name__.lower(), "parameters": dict(parameters or {}),
        "objective": f"{Duel(tie)}, {precision}", "layers": 2 * len(sheet.boxes) + 1, "value": None,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }  # fmt: skip
    try:
        place.mkdir(parents=True, exist_ok=True)
        known = _about(place)
        if known is None:
            write_whole(place / ABOUT, json.dumps(facts, indent=1))
    except (OSError, GameError) as error:
        message(f"{str(place)!r} cannot be written ({getattr(error, 'strerror', None) or error}): the duel is not kept")
        return solve_duel(sheet, **given)
    solution = solve_duel(sheet, directory=place, **given)
    if (known or facts)["value"] is None:
        write_whole(place / ABOUT, json.dumps({**(known or facts), "value": float(solution.value())}, indent=1))
    return solution


def duel_entries(directory: Path, *, whole: bool) -> Iterator[Entry]:
    """List the duels of a store, finished or not; with `whole`, compare the checksums of all layers."""
    for place in sorted(directory.glob(f"{PREFIX}*")):
        if place.is_dir():
            yield _entry(place, whole)


def _entry(place: Path, whole: bool) -> Entry:
    size = sum(map(_size, place.glob("*")))
    about = _about(place)
    if about is None:
        return Entry(place, "?", {}, "duel", float("nan"), size, "?", f"has no readable {ABOUT}: solve it again")
    name, parameters, objective, created = (about[key] for key in ("name", "parameters", "objective", "created"))
    if about["value"] is None:
        done = len(list(place.glob("layer-*.json")))
        return Entry(
            place, name, parameters, f"{objective}: {done} of {about['layers']} layers", float("nan"), size, created, None
        )
    return Entry(
        place, name, parameters, objective, about["value"], size, created, find_fault(place, about["layers"], whole=whole)
    )


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _about(place: Path) -> dict[str, Any] | None:
    """Read what a duel is; None if that is not there, or not what it should be."""
    kinds = {"name": str, "parameters": dict, "objective": str, "layers": int, "value": float | None, "created": str}
    try:
        facts = json.loads((place / ABOUT).read_bytes())
        right = all(isinstance(facts[key], kind) for key, kind in kinds.items())
        return facts if right and all(isinstance(text, str) for text in facts["parameters"].values()) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
