"""What duels come to under given strategies, exactly: how often the first player wins, and how well players for points do."""

from collections import deque

import numpy as np

from rollwise.games.sheets.rules import Sheet
from rollwise.model.duel import Duel
from rollwise.model.policy import Policy
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.how import How
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.base.solution import Evaluation
from rollwise.solvers.sheets.arrays import Floats
from rollwise.solvers.sheets.duel_arrays import DuelArrays, DuelKernel, Layer, Values, duel_form, last_layer, solve_layers
from rollwise.solvers.sheets.duel_plan import check_memory, list_outers, plan_outers
from rollwise.solvers.sheets.duel_sides import Side, read_sides
from rollwise.solvers.sheets.reading import sheet_form

__all__ = ["evaluate_duel", "follow_bound", "follow_sides", "side_kernel"]


def evaluate_duel(sheet: Sheet, policy: Policy, objective: Duel, how: How) -> Evaluation | None:
    """Work out the first player's worth under a policy for both; None: it is not one that the arrays can follow."""
    sides = read_sides(policy, sheet_form(sheet))
    if sides is None:
        return None
    arrays, outers = list_outers(sheet)
    check_memory(sheet, arrays, plan_outers(arrays, outers, "float64", "last", False, how.threads))
    form = duel_form(arrays, outers)
    value = follow_sides(form, sides, float(objective.ties), how)
    bound = follow_bound(form)
    certificate = Certificate(exact=False, ends=True, residual=0.0, shortfall=0.0, error_bound=bound, checked="by recursion")
    return Evaluation(value, certificate)


def follow_bound(form: DuelArrays) -> float:
    """Bound the rounding error of a worth under given strategies, whose values lie in [0, 1].

    A half-turn is a mean with at most one rounding for each roll and face in a row (as in `duel_arrays.error_bound`), of chances
    that were worked out by as many, over at most as many moves as an outer has.
    """
    net, rolls = form.sheet.lattice, form.sheet.rerolls + 1
    moves = int(np.diff(form.move_start).max())
    return 1.01 * UNIT * (2 * form.sheet.n_boxes * (2 * rolls * net.count * (net.faces + 2) + moves + 1) + 1)


def follow_sides(form: DuelArrays, sides: tuple[Side, Side], tie: float, how: How) -> float:
    """Give the first player's worth when both play like this, and a tie counts as `tie` for him."""
    kernel = side_kernel(form, sides)
    done, total = 0, sum(form.layer(left).n_states for left in range(form.n_layers)) if how.progress else 0

    def tick(values: int) -> None:
        nonlocal done
        done += values
        how.tick("following", done, total)

    begin = 0, last_layer(form, tie, np.float64)
    ((_, values),) = deque(solve_layers(form, kernel, begin, threads=how.threads, tick=tick), maxlen=1)
    return 1 - float(values[0])


def side_kernel(form: DuelArrays, sides: tuple[Side, Side]) -> DuelKernel:
    """Make the kernel of a duel between two sides: with an even number of half-turns left it is the first player's turn."""
    kernels = [_kernel(form, side) for side in sides]

    def kernel(form: DuelArrays, layer: Layer, previous: Layer, before: Values, values: Values, begin: int, end: int) -> None:
        kernels[layer.left % 2](form, layer, previous, before, values, begin, end)

    return kernel


def _kernel(form: DuelArrays, side: Side) -> DuelKernel:
    """What follows a side; compiled code is loaded only where it is used."""
    from rollwise.solvers.sheets.kernels.duel_follow_numba import numba_follow, numba_mix  # noqa: PLC0415
    from rollwise.solvers.sheets.kernels.duel_numba import numba_duel  # noqa: PLC0415

    if side.layers is not None:
        return numba_follow({left: np.asarray(values) for left, values in side.layers.items()})
    return numba_duel if side.table is None else numba_mix(_move_chances(form, side.table))


def _move_chances(form: DuelArrays, table: Floats) -> Floats:
    """The chance of every move of the form when it is played for the highest expected score."""
    from rollwise.solvers.sheets.kernels.outcomes_numba import numba_chances  # noqa: PLC0415

    outers, first = form.outers, int(form.outers.start[1])
    chance = numba_chances(form.sheet, table, False, outers.opened[first:], outers.carry[first:])
    owner = np.repeat(np.arange(len(outers.opened)), np.diff(form.move_start))
    found: Floats = chance[owner - first, form.move_effect]
    return found
