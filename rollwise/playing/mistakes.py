"""How bad a mistake is: losses in classes, by thresholds that an objective states and a game turns into its own terms.

Chances are judged as they are: from 0.3, 1 and 3 percentage points on. A loss of points (or of rolls) is compared with the
standard deviation s of the result under best play, because that is what a single game drowns it in: from s/100, s/30 and s/10
on. Both are one scale: two players of about normal totals differ by a normal number of deviation s * sqrt(2), so being x points
worse costs x / (2 s sqrt(pi)) = 0.28 x/s of a win against an equal, and s/100, s/30 and s/10 are 0.28, 0.94 and 2.8 percentage
points.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from weakref import WeakKeyDictionary

from rollwise.errors import GameError
from rollwise.model.faults import blaming
from rollwise.model.formatting import digits, fits_float, infinite
from rollwise.model.objective import Number as Loss
from rollwise.playing.grade import Grade
from rollwise.playing.obvious import ROUNDING
from rollwise.playing.simulate import simulate
from rollwise.solvers.base.solution import Number, Solution, require_solution

__all__ = ["MistakeThresholds", "count_mistakes", "mistake_thresholds"]

GAMES, SEED = 1000, 1
"""Games that are simulated for the standard deviation of a result: it is known within 2 % or so, and the same every time."""
LONG = 200
"""Expected rolls beyond which nobody waits for a simulation: to wait for a rare event deviates by about its mean."""


@dataclass(frozen=True)
class MistakeThresholds:
    """From which loss on a move is called what, mildest first; `standard_deviation` is that of the result, None for chances."""

    thresholds: Mapping[str, float]
    standard_deviation: float | None
    unit: str
    share: bool

    def classify(self, loss: Loss) -> str | None:
        """Name the class of a loss; None for a loss below all of them.

        >>> scale = MistakeThresholds({"inaccuracy": 0.003, "mistake": 0.01, "blunder": 0.03}, None, "percentage points", True)
        >>> [scale.classify(loss) for loss in (0.002, 0.003, 0.5, float("inf"))]
        [None, 'inaccuracy', 'blunder', 'blunder']
        """
        found = [name for name, least in self.thresholds.items() if loss >= least]
        return found[-1] if found else None

    @property
    def smallest(self) -> float:
        """The smallest loss that has a name."""
        return min(self.thresholds.values())

    def words(self) -> str:
        """State the thresholds in a sentence without its full stop.

        >>> MistakeThresholds({"inaccuracy": 0.6, "mistake": 2.0, "blunder": 6.0}, 60.0, "points", False).words()
        'inaccuracy from 0.6, mistake from 2, blunder from 6 points (1/100, 1/30, 1/10 of the standard deviation of a game, 60)'
        """
        factor = 100 if self.share else 1
        stated = ", ".join(f"{name} from {digits(factor * least, 2)}" for name, least in self.thresholds.items())
        if self.standard_deviation is None:
            return f"{stated} {self.unit}"
        parts = ", ".join(f"1/{self.standard_deviation / least:.0f}" for least in self.thresholds.values())
        return f"{stated} {self.unit} ({parts} of the standard deviation of a game, {digits(self.standard_deviation, 2)})"


_THRESHOLDS: WeakKeyDictionary[Solution, MistakeThresholds] = WeakKeyDictionary()


def mistake_thresholds(solution: Solution) -> MistakeThresholds:
    """Give the classes of mistakes in a solved game.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> mistake_thresholds(rollwise.solve(load("slots"))).words()
    'inaccuracy from 0.3, mistake from 1, blunder from 3 percentage points'
    """
    require_solution(solution, "mistake_thresholds")
    found = _THRESHOLDS.get(solution)
    if found is None:
        found = _THRESHOLDS[solution] = _thresholds(solution)
    return found


def _thresholds(solution: Solution) -> MistakeThresholds:
    objective = solution.objective
    words = objective.words(solution.game)
    deviation = None if objective.wins else _deviation(solution)
    thresholds = {name: float(share) * (deviation or 1) for name, share in objective.severities.items()}
    return MistakeThresholds(thresholds, deviation, words.unit, words.share)


def _deviation(solution: Solution) -> float:
    """The standard deviation of a game's result under best play, in two digits; where nothing deviates, its size, or 1."""
    value = solution.value()
    if infinite(value) or not fits_float(value):
        return 1.0
    size = abs(float(value)) or 1.0
    if solution.objective.counts == "costs" and size > LONG:
        return float(f"{size:.2g}")
    try:
        with blaming(solution.game):
            played = simulate(solution, GAMES, seed=SEED)
    except GameError:
        return float(f"{size:.2g}")
    return float(f"{played.standard_error * sqrt(GAMES):.2g}") or float(f"{size:.2g}")


def count_mistakes(game: Grade, scale: MistakeThresholds, mover: int = 0) -> dict[str, int]:
    """Count a player's mistakes by class, all classes named.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> game = rollwise.start_game(rollwise.solve(load("slots")))
    >>> game = game.rolled(game.game.read_state("all 0 6")).moved("bin")
    >>> count_mistakes(game, mistake_thresholds(game.solution))
    {'inaccuracy': 0, 'mistake': 0, 'blunder': 1}
    """
    found = Counter(scale.classify(_clean(step.loss)) for step in game.steps if step.moved and step.mover == mover)
    return {name: found[name] for name in scale.thresholds}


def _clean(loss: Number) -> Number:
    """A loss that is only rounding is none."""
    return 0 if loss < ROUNDING else loss
