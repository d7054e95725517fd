"""The solver of boards with columns to climb."""

from rollwise.games.cant_stop import CantStop
from rollwise.model.objectives import Fewest
from rollwise.solvers.base.digest import digest
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import PackedSolution, Solution
from rollwise.solvers.base.solver import Solver

__all__ = ["ClimbSolver"]


class ClimbSolver(Solver):
    """Climb columns in the fewest turns: one unknown for each turn start, by Newton's method on the turn that begins there."""

    name = "climbing"
    what = "a board of columns"
    engines = ("turns",)
    owner = CantStop
    objectives = (Fewest,)
    large = "value"
    reads = ("start", "roll", "actions", "play", "cost", "mover", "is_won", "moves", "moved")

    def key(self, game: CantStop, objective: Fewest) -> str:
        about = (game.sides, game.lengths, game.markers, game.columns_to_win)
        return f"climbing-{digest(*about, *game.loaded)}"

    def plan(self, game: CantStop, objective: Fewest, options: SolveOptions) -> Plan:
        from rollwise.solvers.climbing.plan import plan_board  # noqa: PLC0415  (loaded only where such a game is met)

        return plan_board(game, options.threads)

    def solve(self, game: CantStop, objective: Fewest, options: SolveOptions) -> Solution:
        from rollwise.solvers.climbing.solution import solve_board  # noqa: PLC0415

        return solve_board(game, options)

    def unpack(self, game: CantStop, objective: Fewest, packed: PackedSolution) -> Solution:
        from rollwise.solvers.climbing.solution import ClimbSolution  # noqa: PLC0415

        return ClimbSolution(game, objective, *packed.head, array=packed.arrays["value"])
