"""The form of dice into groups."""

from rollwise.forms.base.digest import digest
from rollwise.forms.base.form import Form
from rollwise.forms.base.how import How
from rollwise.forms.base.plan import Plan
from rollwise.forms.base.solution import Solution, Stored
from rollwise.forms.partitions.recursion import Grown, count_partitions
from rollwise.forms.partitions.solution import PartitionSolution, groups_bytes, solve_groups
from rollwise.games.grouping import GroupingGame
from rollwise.model.fewest import Fewest

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
        return count_partitions(game.goal)

    def key(self, game: GroupingGame, objective: Fewest) -> str:
        return f"groups-{digest(game.faces, game.goal)}"

    def plan(self, game: GroupingGame, objective: Fewest, how: How) -> Plan:
        return Plan(memory_bytes=groups_bytes(game))

    def solve(self, game: GroupingGame, objective: Fewest, how: How) -> Solution:
        return solve_groups(game, progress=how.progress)

    def unpack(self, game: GroupingGame, objective: Fewest, stored: Stored) -> Solution:
        grown = Grown(stored.arrays["value"], stored.arrays["part_start"], stored.rest["residual"])
        return PartitionSolution(game, objective, *stored.head, grown=grown)
