"""The form of races."""

from rollwise.games.race import Race
from rollwise.model.at_least import AtLeast
from rollwise.solvers.base.form import Form
from rollwise.solvers.base.how import How
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import Solution, Stored

__all__ = ["RaceForm"]


class RaceForm(Form):
    """Races of two sides that do not disturb one another, by recursion over pairs of positions."""

    name = "race"
    what = "races"
    engines = ("pairs",)
    owner = Race
    objectives = (AtLeast,)
    reads = (
        "start", "roll", "actions", "play", "gain", "payoff", "mover", "chance_rule", "choice_rules", "thrown", "moved", "final",
    )  # fmt: skip

    def fits(self, game: Race, objective: AtLeast, how: How) -> bool:
        """Say whether winning is what it is played for."""
        return objective == game.objective

    def least(self, game: Race) -> int:
        return game.positions**2

    def key(self, game: Race, objective: AtLeast) -> str:
        from rollwise.solvers.races.solution import fingerprint  # noqa: PLC0415  (loaded only where such a game is met)

        return f"race-{fingerprint(game)}"

    def plan(self, game: Race, objective: AtLeast, how: How) -> Plan:
        from rollwise.solvers.races.solution import race_bytes  # noqa: PLC0415

        return Plan(states=game.positions**2, memory_bytes=race_bytes(game))

    def solve(self, game: Race, objective: AtLeast, how: How) -> Solution:
        from rollwise.solvers.races.solution import solve_race  # noqa: PLC0415

        return solve_race(game, objective, most_bytes=how.max_bytes, progress=how.progress)

    def unpack(self, game: Race, objective: AtLeast, stored: Stored) -> Solution:
        from rollwise.solvers.races.solution import RaceSolution  # noqa: PLC0415

        move = stored.arrays["move"]
        if move.shape != (game.positions, game.positions):
            raise stored.refuse(f"the chances have the shape {move.shape}: expected {game.positions:,} positions of a side")
        return RaceSolution(game, objective, *stored.head, move=move)
