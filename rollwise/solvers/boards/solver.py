"""The solvers of boards with captures."""

from typing import Any

from rollwise.games.hypergammon import Hypergammon
from rollwise.games.ur import RoyalUr
from rollwise.model.objective import Expected, Objective
from rollwise.model.objectives import AtLeast
from rollwise.solvers.base.digest import digest
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import PackedSolution, Solution
from rollwise.solvers.base.solver import Solver

__all__ = ["BoardSolver", "HypergammonSolver", "UrSolver"]

RULES = ("start", "roll", "actions", "play", "gain", "payoff", "mover", "is_over")


class BoardSolver(Solver):
    """Two players who capture one another, by sweeps over positions that are numbered by a formula."""

    layered = True
    large = "layer-*"
    worth_seconds = 2.0

    def kind(self) -> Any:
        """Give the class of the solutions; its module is loaded only where such a game is met."""
        from rollwise.solvers.boards import solution  # noqa: PLC0415

        return {"ur": solution.UrSolution, "hypergammon": solution.HypergammonSolution}[self.name]

    def key(self, game: Any, objective: Objective) -> str:
        return f"{self.name}-{digest(self.kind().key_of(game))}"

    def plan(self, game: Any, objective: Objective, options: SolveOptions) -> Plan:
        from rollwise.solvers.boards.solution import plan_board  # noqa: PLC0415

        return plan_board(self.name, self.kind().board_of(game), options.threads)

    def solve(self, game: Any, objective: Objective, options: SolveOptions) -> Solution:
        found: Solution = self.kind().solve(game, objective, options)
        return found

    def unpack(self, game: Any, objective: Objective, packed: PackedSolution) -> Solution:
        found: Solution = self.kind().unpack(game, objective, packed)
        return found


class UrSolver(BoardSolver):
    """The Royal Game of Ur."""

    name = "ur"
    what = "the Royal Game of Ur"
    engines = ("ur-sweeps",)
    owner = RoyalUr
    objectives = (AtLeast,)
    reads = (*RULES, "target", "captured", "leaves", "waiting", "_is_legal")

    def fits(self, game: RoyalUr, objective: AtLeast, options: SolveOptions) -> bool:
        """Say whether winning is what it is played for."""
        return objective == game.objective


class HypergammonSolver(BoardSolver):
    """Hypergammon."""

    name = "hypergammon"
    what = "Hypergammon"
    engines = ("hypergammon-sweeps",)
    owner = Hypergammon
    objectives = (Expected,)
    reads = RULES
