"""The solver of races in which one presses one's luck."""

from rollwise.games.farkle.rules import FarkleRace
from rollwise.model.objectives import AtLeast
from rollwise.solvers.base.digest import digest
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import PackedSolution, Solution
from rollwise.solvers.base.solver import Solver

__all__ = ["LuckSolver"]


class LuckSolver(Solver):
    """Two players race to a target, by recursion over turn starts; a farkle makes two of them wait for each other."""

    name = "luck"
    what = "a race with turns of luck"
    engines = ("turn-starts",)
    owner = FarkleRace
    objectives = (AtLeast,)
    reads = (
        "start", "roll", "actions", "play", "gain", "payoff", "mover", "thrown", "bank", "keep", "goes_on", "start_turn", "final",
        "chance_rule", "choice_rules", "needs", "own", "over", "throws", "set_sizes", "lay_table",
    )  # fmt: skip

    def fits(self, game: FarkleRace, objective: AtLeast, options: SolveOptions) -> bool:
        return objective.target == 1

    def key(self, game: FarkleRace, objective: AtLeast) -> str:
        return f"luck-{digest(game.scores, game.number, game.goal, *game.loaded)}"

    def plan(self, game: FarkleRace, objective: AtLeast, options: SolveOptions) -> Plan:
        from rollwise.solvers.press_your_luck.solution import plan_race  # noqa: PLC0415  (loaded only where such a game is met)

        return plan_race(game, options.threads)

    def solve(self, game: FarkleRace, objective: AtLeast, options: SolveOptions) -> Solution:
        from rollwise.solvers.press_your_luck.solution import solve_race  # noqa: PLC0415

        return solve_race(game, objective, options)

    def unpack(self, game: FarkleRace, objective: AtLeast, packed: PackedSolution) -> Solution:
        from rollwise.solvers.press_your_luck.solution import LuckSolution  # noqa: PLC0415

        return LuckSolution(game, objective, *packed.head, starts=packed.arrays["value"])
