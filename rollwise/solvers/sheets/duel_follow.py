"""What duels come to under given strategies, exactly: how often the first player wins, and how well players for points do.

A player plays by a solved duel, for points, or with the best answer to what the other does.
"""

from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from rollwise.errors import GameError
from rollwise.games.sheets.rules import Sheet
from rollwise.model.objectives import Duel
from rollwise.model.policy import BEST_ANSWER, Policy
from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.solution import Evaluation
from rollwise.solvers.sheets.arrays import Floats, SheetArrays
from rollwise.solvers.sheets.backward import Kernel, TurnRecursion, Values, solve_sheet
from rollwise.solvers.sheets.duel_arrays import DuelArrays, last_layer, make_duel_arrays, solve_layers
from rollwise.solvers.sheets.duel_plan import check_memory, list_outers, plan_outers
from rollwise.solvers.sheets.effect_values import PointsValues
from rollwise.solvers.sheets.packing import arrays_digest
from rollwise.solvers.sheets.reading import make_sheet_arrays
from rollwise.solvers.sheets.rows import Layer

__all__ = [
    "BEST",
    "Side",
    "evaluate_duel",
    "follow_bound",
    "follow_sides",
    "points_table",
    "read_sides",
    "side_kernel",
]


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
    return Side(layers=solution.all_layers()) if kind == "duel" else Side(table=np.asarray(solution.turn_values))


def points_table(arrays: SheetArrays) -> Floats:
    """Compute the turn-start values of a sheet that is played for points."""
    from rollwise.solvers.sheets.kernels.starts_numba import numba_starts  # noqa: PLC0415  (compiled code is loaded only where it is used)

    return solve_sheet(arrays, numba_starts, SolveOptions())


def evaluate_duel(sheet: Sheet, policy: Policy, objective: Duel, options: SolveOptions) -> Evaluation | None:
    """Compute the first player's worth under a policy for both; None: it is not one that the arrays can follow."""
    sides = read_sides(policy, make_sheet_arrays(sheet))
    if sides is None:
        return None
    arrays, outers = list_outers(sheet)
    check_memory(sheet, arrays, plan_outers(arrays, outers, SolveOptions(keep="last", backend=options.backend)))
    duel_arrays = make_duel_arrays(arrays, outers)
    value = follow_sides(duel_arrays, sides, float(objective.ties), options)
    bound = follow_bound(duel_arrays)
    certificate = Certificate(residual=0.0, error_bound=bound, checked="by recursion")
    return Evaluation(value, certificate)


def follow_bound(arrays: DuelArrays) -> float:
    """Bound the rounding error of a worth under given strategies, whose values lie in [0, 1].

    A half-turn is a mean with at most one rounding for each roll and face in a row (as in `duel_arrays.error_bound`), of chances
    that were computed by as many, over at most as many moves as an outer has.
    """
    moves = int(np.diff(arrays.move_start).max())
    return 1.01 * UNIT * (2 * arrays.sheet.n_boxes * (2 * arrays.sheet.roundings + moves + 1) + 1)


def follow_sides(arrays: DuelArrays, sides: tuple[Side, Side], tie: float, options: SolveOptions) -> float:
    """Give the first player's worth when both play like this, and a tie counts as `tie` for him."""
    kernel = side_kernel(arrays, sides)
    done, total = 0, sum(arrays.layer(left).n_states for left in range(arrays.n_layers)) if options.progress else 0

    def tick(values: int) -> None:
        nonlocal done
        done += values
        options.tick("following", done, total)

    begin, threads = last_layer(arrays, tie, np.float64), Threads(options.threads)
    ((_, values),) = deque(solve_layers(TurnRecursion(arrays, kernel), begin, threads, tick=tick), maxlen=1)
    return 1 - float(values[0])


def side_kernel(arrays: DuelArrays, sides: tuple[Side, Side]) -> Kernel:
    """Make the kernel of a duel between two sides: with an even number of half-turns left it is the first player's turn."""
    kernels = [_kernel(arrays, side) for side in sides]

    def kernel(arrays: DuelArrays, layer: Layer, previous: Layer, before: Values, values: Values, begin: int, end: int) -> None:
        kernels[layer.left % 2](arrays, layer, previous, before, values, begin, end)

    return kernel


def _kernel(arrays: DuelArrays, side: Side) -> Kernel:
    """What follows a side; compiled code is loaded only where it is used."""
    from rollwise.solvers.sheets.kernels.duel_follow_numba import numba_follow, numba_mix  # noqa: PLC0415
    from rollwise.solvers.sheets.kernels.rows_numba import numba_rows  # noqa: PLC0415

    if side.layers is not None:
        return numba_follow({left: np.asarray(values) for left, values in side.layers.items()})
    return numba_rows if side.table is None else numba_mix(_move_chances(arrays, side.table))


def _move_chances(arrays: DuelArrays, table: Floats) -> Floats:
    """The chance of every move of the sheet when it is played for the highest expected score."""
    from rollwise.solvers.sheets.kernels.outcomes_numba import numba_chances  # noqa: PLC0415

    outers, first = arrays.outers, int(arrays.outers.start[1])
    opened, carry = outers.opened[first:], outers.carry[first:]
    chance = numba_chances(arrays.sheet, opened, PointsValues(arrays.sheet, table).worth(opened, carry))
    owner = np.repeat(np.arange(len(outers.opened)), np.diff(arrays.move_start))
    found: Floats = chance[owner - first, arrays.move_effect]
    return found
