"""The solver of races."""

from rollwise.games.race import Race
from rollwise.model.objectives import AtLeast
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import PackedSolution, Solution
from rollwise.solvers.base.solver import Solver

__all__ = ["RaceSolver"]


class RaceSolver(Solver):
    """Races of two sides that do not disturb one another, by recursion over pairs of positions."""

    name = "race"
    what = "races"
    engines = ("pairs",)
    owner = Race
    objectives = (AtLeast,)
    reads = (
        "start", "roll", "actions", "play", "gain", "payoff", "mover", "chance_rule", "choice_rules", "thrown", "moved", "final",
    )  # fmt: skip

    def fits(self, game: Race, objective: AtLeast, options: SolveOptions) -> bool:
        """Say whether winning is what it is played for."""
        return objective == game.objective

    def min_positions(self, game: Race) -> int:
        return game.positions**2

    def key(self, game: Race, objective: AtLeast) -> str:
        from rollwise.solvers.races.solution import fingerprint  # noqa: PLC0415  (loaded only where such a game is met)

        return f"race-{fingerprint(game)}"

    def plan(self, game: Race, objective: AtLeast, options: SolveOptions) -> Plan:
        from rollwise.solvers.races.solution import race_bytes  # noqa: PLC0415

        return Plan(states=game.positions**2, memory_bytes=race_bytes(game))

    def solve(self, game: Race, objective: AtLeast, options: SolveOptions) -> Solution:
        from rollwise.solvers.races.solution import solve_race  # noqa: PLC0415

        return solve_race(game, objective, most_bytes=options.max_bytes, progress=options.progress)

    def unpack(self, game: Race, objective: AtLeast, packed: PackedSolution) -> Solution:
        from rollwise.solvers.races.solution import RaceSolution  # noqa: PLC0415

        return RaceSolution(game, objective, *packed.head, move=packed.arrays["move"])
