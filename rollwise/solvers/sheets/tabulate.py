"""A score sheet as small arrays for a page: the sheet's arrays, and what turn starts are worth, each of equal worth once."""

from typing import Any

import numpy as np

from rollwise.games.sheets.rules import Sheet
from rollwise.model.formatting import counted
from rollwise.solvers.base.tabulated import Tabulated
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays, layers_with_end
from rollwise.solvers.sheets.outlook import SHIFT, Outlook
from rollwise.solvers.sheets.places import places_of

__all__ = ["tabulate_sheet"]

KEPT = (
    "effect_start", "effect_gain", "effect_target", "hand_effect", "special_hand", "special_effect", "special_variant",
    "carry_class", "carry_start", "carry_list", "copy_start", "copy_to", "copy_from",
)  # fmt: skip
"""The arrays of a sheet that a page needs."""


QUICK = 3_000
"""Turn starts that a page follows to the end in a moment."""
FEW = 30_000
"""Turn starts whose distributions are kept: those of whole layers, the first turns of a game first."""
DEVIATIONS = 100
"""A deviation is stored as a number of these parts of one."""


def tabulate_sheet(sheet: Sheet, sheet_arrays: SheetArrays, value: Floats, outlook: Outlook | None = None) -> Tabulated:
    """Give a solved sheet as small arrays; `value` are the turn starts' values by open boxes and carry.

    An `outlook` is stored for the turn starts from which a page could not follow a game to its end in a moment.
    """
    masks = np.sort(np.concatenate(layers_with_end(sheet_arrays)))
    arrays: dict[str, Any] = {name: getattr(sheet_arrays, name).reshape(-1) for name in KEPT}
    arrays |= {"served": np.array(sheet_arrays.served, dtype=np.int64), "masks": masks}
    values = np.concatenate([value[mask, sheet_arrays.carries(mask)] for mask in masks.tolist()])
    turns, more = _first_turns(sheet_arrays, outlook, masks) if outlook and len(values) > QUICK else (0, {})
    about = {"outlook": {"turns": turns}} if more else {}
    return Tabulated("sheet", {"sheet": _describe(sheet)}, arrays, values, counted(len(values), "turn start"), more, about)


def _first_turns(arrays: SheetArrays, outlook: Outlook, masks: Ints) -> tuple[int, dict[str, Any]]:
    """Give the distributions of as many layers as are few enough, after how many turns are to come in the last of them."""
    lanes = arrays.carry_count[masks]
    turns = arrays.turns(masks)
    by_turns = np.bincount(turns, weights=lanes)
    least = int(np.argmax(np.cumsum(by_turns[::-1])[::-1] <= FEW))
    kept = masks[turns >= least]
    places, carries = places_of(arrays), [arrays.carries(mask) for mask in kept.tolist()]
    rows = places.rows(np.repeat(kept, [len(one) for one in carries]), np.concatenate(carries))
    begin, end = outlook.bin_start[rows].astype(np.int64), outlook.bin_start[rows + 1].astype(np.int64)
    first = np.cumsum(end - begin) - (end - begin)
    bins = outlook.bins[np.arange((end - begin).sum()) + np.repeat(begin - first, end - begin)].astype(np.int64)
    return least, {
        "outlook_count": end - begin, "outlook_width": bins >> SHIFT, "outlook_chance": bins & (1 << SHIFT) - 1,
        "outlook_lowest": outlook.lowest[rows], "outlook_error": outlook.error[rows],
        "outlook_deviation": np.round(outlook.deviation[rows].astype(np.float64) * DEVIATIONS),
    }  # fmt: skip


def _describe(sheet: Sheet) -> dict[str, Any]:
    """What of the rules is not in the arrays."""
    joker = sheet.joker
    return {
        "names": list(sheet.names), "faces_of": [box.face for box in sheet.boxes], "times": [box.times for box in sheet.boxes],
        "count": sheet.count, "faces": sheet.faces, "rerolls": sheet.rerolls, "first_roll": sheet.first_roll_counts,
        "steps": [list(step) for step in sheet.bonus.steps] if sheet.bonus else [],
        "joker": {"box": joker.box, "bonus": joker.bonus} if joker else None,
        "primes": bool(joker and joker.bonus and joker.box in sheet.names),
        "in_order": sheet.in_order, "wins": sheet.win is not None,
        **({"weights": list(sheet.weights)} if sheet.loaded else {}),
    }  # fmt: skip
