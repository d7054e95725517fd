"""How the two players of a duel play: by a solved duel, for points, or with the best answer to what the other does."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from rollwise.errors import GameError
from rollwise.model.policy import BEST_ANSWER, Policy
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.sheets.arrays import Floats, SheetArrays
from rollwise.solvers.sheets.packing import arrays_digest
from rollwise.solvers.sheets.turns import Values, solve_sheet

__all__ = ["BEST", "Side", "all_layers", "points_table", "read_sides"]


class Side(NamedTuple):
    """What a player follows: the layers of a solved duel, or turn-start values of the sheet, for points; neither: best answer."""

    layers: Mapping[int, Values] | None = None
    table: Floats | None = None


BEST = Side()


def read_sides(policy: Policy, arrays: SheetArrays) -> tuple[Side, Side] | None:
    """Give the two sides of a policy on a sheet: of `PolicyPair`, its own; any other is played by both. None: not one of these.

    Raises `GameError` for the solution of another sheet, or one of which not all layers were kept.
    """
    players = getattr(policy, "players", (policy, policy))
    first, second = (_side(one, arrays) for one in players)
    return None if first is None or second is None else (first, second)


def _side(strategy: Any, arrays: SheetArrays) -> Side | None:
    if strategy == BEST_ANSWER:
        return BEST
    solution = getattr(strategy, "solution", None)
    kind = getattr(solution, "solver_name", "")
    if solution is None or kind not in ("duel", "sheet") or solution.exact:
        return None
    if solution.arrays is not arrays and arrays_digest(solution.arrays) != arrays_digest(arrays):
        raise GameError("this policy's solution is that of another sheet: solve the sheet itself")
    return Side(layers=all_layers(solution)) if kind == "duel" else Side(table=np.asarray(solution.turn_values))


def all_layers(solution: Any) -> Mapping[int, Values]:
    """Give the layers of a solved duel. Raises `GameError` where some were not kept."""
    if len(solution.layers) < solution.duel.n_layers:
        raise GameError("following a duel needs all its layers: solve with keep='all'")
    found: Mapping[int, Values] = solution.layers
    return found


def points_table(arrays: SheetArrays) -> Floats:
    """Compute the turn-start values of a sheet that is played for points."""
    from rollwise.solvers.sheets.kernels.starts_numba import numba_starts  # noqa: PLC0415  (compiled code is loaded only where it is used)

    return solve_sheet(arrays, numba_starts, SolveOptions())
