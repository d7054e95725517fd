"""What solving a duel takes, computed before anything is allocated."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rollwise.errors import GameError
from rollwise.games.sheets.rules import Sheet
from rollwise.model.formatting import counted
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.sheets.arrays import SheetArrays
from rollwise.solvers.sheets.duel_arrays import ROW_BYTES, count_states
from rollwise.solvers.sheets.means import KEEPS_PER_SECOND
from rollwise.solvers.sheets.outers import Outers, find_outers
from rollwise.solvers.sheets.reading import make_sheet_arrays, sheet_bytes

__all__ = ["DuelPlan", "check_memory", "list_outers", "plan_duel", "plan_outers"]

MOST_OUTERS = 4_000_000
"""Up to here the outers of a sheet are listed to count the states of its duel."""


@dataclass(frozen=True, kw_only=True)
class DuelPlan(Plan):
    """The size of a duel: `states` are the turn-start values that are stored, `full_range_states` how many every lead would need.

    `rows` counts pairs of sheets.
    """

    states: int
    memory_bytes: int
    seconds: float
    full_range_states: int
    rows: int
    largest_layer_bytes: int

    def size(self) -> str:
        size = f"{counted(self.states, 'turn start')} ({self.full_range_states:,} with every difference)"
        return f"{size}, {counted(self.rows, 'pair of sheets', 'pairs of sheets')}"


def plan_duel(sheet: Sheet, options: SolveOptions) -> DuelPlan:
    """Say what a duel takes, in memory or with its layers on disk; nothing of that size is allocated.

    Raises `GameError` for a sheet so large that its outer states cannot be listed.
    """
    if options.max_bytes is not None:
        _quick_check(sheet, options)
    arrays, outers = list_outers(sheet)
    return plan_outers(arrays, outers, options)


def _quick_check(sheet: Sheet, options: SolveOptions) -> None:
    """Refuse at once what does not fit, by the pairs of sheets alone: listing what a large one leads to takes long.

    The largest layer is in memory at least. Raises `GameError`.
    """
    check_fits(f"a sheet of {len(sheet.boxes)} boxes", sheet_bytes(sheet), cure=_advice(sheet))
    arrays = make_sheet_arrays(sheet)
    rows = _layer_rows(arrays)
    what = f"{_name(arrays)}, {sum(rows):,} pairs of sheets,"
    check_fits(what, max(rows) * ROW_BYTES, options.max_bytes, cure=_advice(sheet))


def list_outers(sheet: Sheet) -> tuple[SheetArrays, Outers]:
    """Write a sheet as arrays and list its outers. Raises `GameError` if there are too many."""
    check_fits(f"a sheet of {len(sheet.boxes)} boxes", sheet_bytes(sheet), cure=_advice(sheet))
    arrays = make_sheet_arrays(sheet)
    if arrays.n_outer > MOST_OUTERS:
        raise GameError(
            f"{_name(arrays)} has {sum(_layer_rows(arrays)):,} pairs of sheets, more than can be laid out: {_advice(sheet)}"
        )
    return arrays, find_outers(arrays)


def plan_outers(arrays: SheetArrays, outers: Outers, options: SolveOptions) -> DuelPlan:
    """Say what a duel takes, when the outers are listed already."""
    number, on_disk = np.dtype(options.precision).itemsize, options.checkpoint is not None
    counts = count_states(outers)
    states = sum(stored for _, stored, _ in counts)
    layers = [rows * ROW_BYTES + stored * number for rows, stored, _ in counts]
    two = max(here + before for here, before in zip(layers[1:], layers[:-1], strict=True))
    all_here = options.keep == "all" and not on_disk
    work = states * (arrays.rerolls + 1) * len(arrays.lattice.keeps)
    last_two = sum(stored for _, stored, _ in counts[-2:])
    return DuelPlan(
        states=states,
        full_range_states=sum(full for _, _, full in counts),
        rows=sum(rows for rows, _, _ in counts),
        largest_layer_bytes=number * max(stored for _, stored, _ in counts),
        memory_bytes=sum(layers) if all_here else two,
        disk_bytes=number * (states if options.keep == "all" else last_two) if on_disk else 0,
        seconds=work / (KEEPS_PER_SECOND[options.precision] * options.threads),
    )


def check_memory(sheet: Sheet, arrays: SheetArrays, plan: DuelPlan) -> None:
    """Refuse what does not fit into memory. Raises `GameError`."""
    check_fits(f"{_name(arrays)}, {plan.states:,} states,", plan.memory_bytes, cure=_advice(sheet))


def _advice(sheet: Sheet) -> str:
    """Say what makes a duel smaller, of what this sheet has."""
    if any(parameter.name == "boxes" for parameter in sheet.parameters):
        return "use fewer boxes"
    return "a sheet with fewer boxes and no bonus fits, such as yazy (a quick one: yazy -p boxes=sixes,straight,full-house)"


def _name(arrays: SheetArrays) -> str:
    return f"a duel of {arrays.n_boxes} boxes"


def _layer_rows(arrays: SheetArrays) -> list[int]:
    """The number of pairs of outers, by layer."""
    counts = np.bincount(np.bitwise_count(np.arange(1 << arrays.n_boxes)), weights=arrays.carry_count).astype(np.int64).tolist()
    return [int(a) * int(more) for a, b in pairwise([*counts, 0]) for more in (a, b)]
