"""A score sheet for the cache: a digest of its rules, and its arrays taken apart and put together again."""

from collections.abc import Mapping
from dataclasses import fields
from hashlib import sha256
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.games.sheets.rules import Sheet
from rollwise.solvers.base.solution import Arrays
from rollwise.solvers.sheets.arrays import SheetArrays
from rollwise.solvers.sheets.lattice import Lattice, lattice
from rollwise.solvers.sheets.reading import rare_rules

__all__ = ["arrays_digest", "pack_arrays", "sheet_rules", "unpack_arrays"]


def sheet_rules(sheet: Sheet) -> list[Any]:
    """List everything that the rules of a sheet depend on."""
    boxes = [(box.name, box.face, [int(sheet.scores[box.name][hand]) for hand in sheet.hands]) for box in sheet.boxes]
    bonus = sheet.bonus and (sheet.bonus.threshold, sheet.bonus.points, *sheet.bonus.before)
    joker = sheet.joker and (sheet.joker.box, sheet.joker.rule, sheet.joker.bonus, sorted(sheet.joker.pays.items()))
    more = [[box.times, box.first] for box in sheet.boxes] if any((box.times, box.first) != (1, 0) for box in sheet.boxes) else []
    win = [sheet.win.box, sheet.win.points] if sheet.win else []
    rare = [*(["saved rolls"] if sheet.saved_rolls else []), *([[more, win]] if more or win else [])]
    return [sheet.count, sheet.faces, sheet.rerolls, sheet.in_order, boxes, bonus, joker, *rare, *map(list, sheet.loaded)]


def pack_arrays(sheet_arrays: SheetArrays) -> tuple[Arrays, dict[str, Any]]:
    """Take the arrays of a sheet apart: arrays, and what else they hold."""
    parts = {field.name: getattr(sheet_arrays, field.name) for field in fields(SheetArrays) if field.name != "lattice"}
    arrays = {name: part for name, part in parts.items() if isinstance(part, np.ndarray)}
    return arrays, {
        "dice": _dice(sheet_arrays.lattice),
        "form": {name: parts[name] for name in parts.keys() - arrays.keys() - RARE.keys()} | _rare(sheet_arrays),
    }


def _dice(net: Lattice) -> dict[str, Any]:
    """What the dice are; weights only of loaded ones, so that stored solutions of all other sheets stay valid."""
    loaded = {"weights": list(net.weights)} if len(set(net.weights)) > 1 else {}
    return {"count": net.count, "faces": len(net.weights), **loaded}


RARE: dict[str, Any] = {"times": (), "served": (), "wins": False}
"""Fields that few sheets use: written only where they differ, so that stored solutions of all other sheets stay valid."""


def _rare(arrays: SheetArrays) -> dict[str, Any]:
    found = {name: getattr(arrays, name) for name, usual in RARE.items() if getattr(arrays, name) != usual}
    return {name: list(part) if isinstance(part, tuple) else part for name, part in found.items()}


def unpack_arrays(sheet: Sheet, arrays: Arrays, rest: Mapping[str, Any]) -> SheetArrays:
    """Put the arrays of a sheet together, taking them out. Raises `GameError` for those of another sheet."""
    shape: dict[str, Any] = {"rerolls": sheet.rerolls, "n_boxes": len(sheet.boxes), "in_order": sheet.in_order}
    rare = rare_rules(sheet)
    more = {name: list(part) if isinstance(part, tuple) else part for name, part in rare.items()}
    net = lattice(sheet.count, sheet.weights)
    if (rest["dice"], rest["form"]) != (_dice(net), shape | more):
        raise GameError("other dice, boxes or rerolls")
    own: Arrays = {field.name: arrays.pop(field.name) for field in fields(SheetArrays) if field.name in arrays}
    return SheetArrays(lattice=net, **shape, **rare, **own)


def arrays_digest(arrays: SheetArrays) -> str:
    """Digest the arrays of a sheet: the fingerprint of its solution."""
    digest = sha256(b"sheet")
    for name in sorted(field.name for field in fields(SheetArrays)):
        array = getattr(arrays, name)
        if isinstance(array, np.ndarray):
            digest.update(f"{name} {array.shape}".encode() + array.tobytes())
    dice = _dice(arrays.lattice).values()
    digest.update(str((*dice, arrays.rerolls, arrays.in_order, *_rare(arrays).items())).encode())
    return digest.hexdigest()[:16]
