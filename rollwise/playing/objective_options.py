"""What is played for, as the words of a command line say it: an objective, a target, or an opponent and its details."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rollwise.errors import GameError, one_of
from rollwise.model import objectives
from rollwise.model.against import Against
from rollwise.model.objective import Objective
from rollwise.model.objectives import AtLeast

if TYPE_CHECKING:
    from rollwise.model.game import Progress
    from rollwise.solvers.base.solution import Solution

__all__ = ["TIES", "ObjectiveOptions"]

TIES = {"half": 0.5, "win": 1.0, "lose": 0.0}


@dataclass(frozen=True)
class ObjectiveOptions:
    """What is played for; all fields are as --objective, --at-least, --against, --ties and --best-of have them.

    >>> ObjectiveOptions(at_least=200).read()
    AtLeast(target=200)
    >>> ObjectiveOptions().read() is None
    True
    """

    objective: str | None = None
    at_least: int | None = None
    against: str | None = None
    ties: str | None = None
    best_of: int | None = None

    def read(self) -> Objective | None:
        """Read the objective; None if none is named, or an opponent, who must be made first. Raises `GameError`."""
        text = self.objective
        if self.against is None and (self.ties is not None or self.best_of is not None):
            raise GameError("--ties and --best-of belong to an opponent: give --against FILE, or self")
        if self.against is not None and (text is not None or self.at_least is not None):
            raise GameError("--against does not go with --objective or --at-least: give one of them")
        if self.at_least is not None:
            if text not in (None, AtLeast.name):
                objectives.read_objective(text)
                raise GameError(f"--at-least does not go with --objective {text}: give one of them")
            return AtLeast(self.at_least)
        if text == AtLeast.name:
            raise GameError("--objective at-least needs a target: give --at-least N")
        return None if text is None else objectives.read_objective(text)

    def opponent(self, expert: Callable[[], "Solution"], progress: "Progress | None" = None) -> Against:
        """Make the opponent that is named; `expert` solves the game for the expected total. Raises `GameError`."""
        # Not above: commands without an opponent need not wait for what follows strategies.
        from rollwise.playing.distribution import distribution  # noqa: PLC0415
        from rollwise.playing.opponents import read_opponent  # noqa: PLC0415

        ties = TIES[one_of("count of a tie", self.ties or "half", TIES)]
        if not self.against:
            raise GameError("--against is empty: expected a file of scores, or self")
        if self.against == "self":
            found = Against.of(distribution(expert(), progress=progress), ties)
        else:
            found = read_opponent(Path(self.against), ties)
        return found if self.best_of is None else found.best_of(self.best_of)
