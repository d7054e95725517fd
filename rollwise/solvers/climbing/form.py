"""The form of boards with columns to climb."""

from rollwise.games.cant_stop import CantStop
from rollwise.model.fewest import Fewest
from rollwise.solvers.base.digest import digest
from rollwise.solvers.base.form import Form
from rollwise.solvers.base.how import How
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import Solution, Stored

__all__ = ["ClimbForm"]


class ClimbForm(Form):
    """Climb columns in the fewest turns: one unknown for each turn start, by Newton's method on the turn that begins there."""

    name = "climbing"
    what = "a board of columns"
    engines = ("turns",)
    owner = CantStop
    objectives = (Fewest,)
    large = "value"
    reads = ("start", "roll", "actions", "play", "cost", "mover", "is_won", "moves", "moved")

    def key(self, game: CantStop, objective: Fewest) -> str:
        return f"climbing-{digest(game.sides, game.lengths, game.markers, game.columns_to_win)}"

    def plan(self, game: CantStop, objective: Fewest, how: How) -> Plan:
        from rollwise.solvers.climbing.plan import plan_board  # noqa: PLC0415  (loaded only where such a game is met)

        return plan_board(game, how.threads)

    def solve(self, game: CantStop, objective: Fewest, how: How) -> Solution:
        from rollwise.solvers.climbing.solution import solve_board  # noqa: PLC0415

        return solve_board(game, how)

    def unpack(self, game: CantStop, objective: Fewest, stored: Stored) -> Solution:
        from rollwise.solvers.climbing.solution import ClimbSolution  # noqa: PLC0415

        return ClimbSolution(game, objective, *stored.head, array=stored.arrays["value"])
