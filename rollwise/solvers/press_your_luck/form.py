"""The form of races in which one presses one's luck."""

from rollwise.games.farkle.rules import FarkleRace
from rollwise.model.at_least import AtLeast
from rollwise.solvers.base.digest import digest
from rollwise.solvers.base.form import Form
from rollwise.solvers.base.how import How
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import Solution, Stored

__all__ = ["LuckForm"]


class LuckForm(Form):
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

    def fits(self, game: FarkleRace, objective: AtLeast, how: How) -> bool:
        return objective.target == 1

    def key(self, game: FarkleRace, objective: AtLeast) -> str:
        return f"luck-{digest(game.scores, game.number, game.goal)}"

    def plan(self, game: FarkleRace, objective: AtLeast, how: How) -> Plan:
        from rollwise.solvers.press_your_luck.solution import plan_race  # noqa: PLC0415  (loaded only where such a game is met)

        return plan_race(game, how.threads)

    def solve(self, game: FarkleRace, objective: AtLeast, how: How) -> Solution:
        from rollwise.solvers.press_your_luck.solution import solve_race  # noqa: PLC0415

        return solve_race(game, objective, how)

    def unpack(self, game: FarkleRace, objective: AtLeast, stored: Stored) -> Solution:
        from rollwise.solvers.press_your_luck.solution import LuckSolution  # noqa: PLC0415

        return LuckSolution(game, objective, *stored.head, starts=stored.arrays["value"])
