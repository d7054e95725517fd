"""A score sheet as small arrays for a page: the sheet's arrays, and what turn starts are worth, each of equal worth once."""

from typing import Any

import numpy as np

from rollwise.forms.base.tabulated import Tabulated
from rollwise.forms.sheets.arrays import Floats, SheetArrays, layers
from rollwise.games.sheet import Sheet
from rollwise.model.notation import counted

__all__ = ["tabulate_sheet"]

KEPT = (
    "effect_start", "effect_gain", "effect_target", "hand_effect", "special_hand", "special_effect", "special_variant",
    "carry_class", "carry_start", "carry_list", "copy_start", "copy_to", "copy_from",
)  # fmt: skip
"""The arrays of a sheet that a page needs."""


def tabulate_sheet(sheet: Sheet, form: SheetArrays, value: Floats) -> Tabulated:
    """Give a solved sheet as small arrays; `value` are the turn starts' values by open boxes and carry."""
    masks = np.sort(np.concatenate([np.zeros(1, dtype=np.int64), *layers(form)]))
    arrays: dict[str, Any] = {name: getattr(form, name).reshape(-1) for name in KEPT}
    arrays |= {"served": np.array(form.served, dtype=np.int64), "masks": masks}
    values = np.concatenate([value[mask, form.carries(mask)] for mask in masks.tolist()])
    return Tabulated("sheet", {"sheet": _describe(sheet)}, arrays, values, counted(len(values), "turn start"))


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
    }  # fmt: skip
