"""The form of dice into groups."""

from rollwise.games.grouping import GroupingGame
from rollwise.model.fewest import Fewest
from rollwise.solvers.base.digest import digest
from rollwise.solvers.base.form import Form
from rollwise.solvers.base.how import How
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import Solution, Stored

__all__ = ["PartitionForm"]


class PartitionForm(Form):
    """Dice into groups of given sizes, in the fewest rolls, by recursion over the partitions inside the goal."""

    name = "groups"
    what = "groups"
    engines = ("partitions",)
    owner = GroupingGame
    objectives = (Fewest,)
    reads = ("start", "roll", "actions", "play", "cost", "mover", "keep", "sizes_with")

    def least(self, game: GroupingGame) -> int:
        from rollwise.solvers.partitions.recursion import count_partitions  # noqa: PLC0415  (loaded only where such a game is met)

        return count_partitions(game.goal)

    def key(self, game: GroupingGame, objective: Fewest) -> str:
        return f"groups-{digest(game.faces, game.goal)}"

    def plan(self, game: GroupingGame, objective: Fewest, how: How) -> Plan:
        from rollwise.solvers.partitions.solution import groups_bytes  # noqa: PLC0415

        return Plan(memory_bytes=groups_bytes(game))

    def solve(self, game: GroupingGame, objective: Fewest, how: How) -> Solution:
        from rollwise.solvers.partitions.solution import solve_groups  # noqa: PLC0415

        return solve_groups(game, progress=how.progress)

    def unpack(self, game: GroupingGame, objective: Fewest, stored: Stored) -> Solution:
        from rollwise.solvers.partitions.recursion import Grown  # noqa: PLC0415
        from rollwise.solvers.partitions.solution import PartitionSolution  # noqa: PLC0415

        grown = Grown(stored.arrays["value"], stored.arrays["part_start"], stored.rest["residual"])
        return PartitionSolution(game, objective, *stored.head, grown=grown)
