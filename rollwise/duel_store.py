"""Solved duels in a store: a directory of layers each, beside the entries of single games.

`about.json` says what it is, for listings; the layers have manifests and checksums of their own (`duel_layers`).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from rollwise.duel import Device, DuelSolution, duel_fingerprint, solve_duel
from rollwise.duel_layers import digest_file
from rollwise.duel_plan import Precision
from rollwise.errors import GameError
from rollwise.game import Progress
from rollwise.sheets import Sheet
from rollwise.store_files import Entry, StoreError
from rollwise.writing import write_whole

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

    Raises `StoreError` where the store cannot be written, `GameError` if the duel does not fit.
    """
    place = directory / f"{PREFIX}{duel_fingerprint(sheet, tie, precision)}"
    solution = solve_duel(
        sheet, precision=precision, tie=tie, threads=threads, directory=place, device=device, progress=progress, message=message
    )
    if not (place / ABOUT).exists():
        facts = {
            "name": name or type(sheet).__name__.lower(), "parameters": dict(parameters or {}),
            "objective": f"{solution.objective}, {precision}", "value": float(solution.value()),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
        }  # fmt: skip
        try:
            write_whole(place / ABOUT, json.dumps(facts, indent=1))
        except GameError as error:
            raise StoreError(place, str(error)) from None
    return solution


def duel_entries(directory: Path, *, whole: bool) -> Iterator[Entry]:
    """List the duels of a store, finished or not; with `whole`, compare the checksums of all layers."""
    for place in sorted(directory.glob(f"{PREFIX}*")):
        if place.is_dir():
            yield _entry(place, whole)


def _entry(place: Path, whole: bool) -> Entry:
    size = sum(file.stat().st_size for file in place.iterdir() if file.is_file())
    try:
        facts = json.loads((place / ABOUT).read_bytes())
        about = facts["name"], facts["parameters"], facts["objective"], float(facts["value"]), size, facts["created"]
    except (OSError, ValueError, KeyError, TypeError):
        return Entry(place, "?", {}, "duel", float("nan"), size, "?", "is not finished: solve it again to go on")
    fault = _fault(place) if whole else None
    return Entry(place, *about, fault)


def _fault(place: Path) -> str | None:
    for manifest in sorted(place.glob("layer-*.json")):
        array = manifest.with_suffix(".npy")
        try:
            same = digest_file(array) == json.loads(manifest.read_bytes())["sha256"]
        except (OSError, ValueError, KeyError, TypeError):
            same = False
        if not same:
            return f"is damaged: {array.name} was changed"
    return None
