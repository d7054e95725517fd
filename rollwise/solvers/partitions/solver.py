"""The solver of dice into groups."""

from rollwise.games.groups import GroupingGame
from rollwise.model.objectives import Fewest
from rollwise.solvers.base.digest import digest
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import PackedSolution, Solution
from rollwise.solvers.base.solver import Solver

__all__ = ["PartitionSolver"]


class PartitionSolver(Solver):
    """Dice into groups of given sizes, in the fewest rolls, by recursion over the partitions inside the goal."""

    name = "groups"
    what = "groups"
    engines = ("partitions",)
    owner = GroupingGame
    objectives = (Fewest,)
    reads = ("start", "roll", "actions", "play", "cost", "mover", "keep", "sizes_with")

    def min_positions(self, game: GroupingGame) -> int:
        from rollwise.solvers.partitions.recursion import count_partitions  # noqa: PLC0415  (loaded only where such a game is met)

        return count_partitions(game.goal)

    def key(self, game: GroupingGame, objective: Fewest) -> str:
        return f"groups-{digest(game.faces, game.goal)}"

    def plan(self, game: GroupingGame, objective: Fewest, options: SolveOptions) -> Plan:
        from rollwise.solvers.partitions.solution import groups_bytes  # noqa: PLC0415

        return Plan(memory_bytes=groups_bytes(game))

    def solve(self, game: GroupingGame, objective: Fewest, options: SolveOptions) -> Solution:
        from rollwise.solvers.partitions.solution import solve_groups  # noqa: PLC0415

        return solve_groups(game, progress=options.progress)

    def unpack(self, game: GroupingGame, objective: Fewest, packed: PackedSolution) -> Solution:
        from rollwise.solvers.partitions.recursion import Grown  # noqa: PLC0415
        from rollwise.solvers.partitions.solution import PartitionSolution  # noqa: PLC0415

        grown = Grown(packed.arrays["value"], packed.arrays["part_start"], packed.rest["residual"])
        return PartitionSolution(game, objective, *packed.head, grown=grown)
