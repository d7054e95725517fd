"""A distribution over whole numbers: of the final score, or of what is counted."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError
from rollwise.model.game import Progress

__all__ = ["MOST_STEPS", "TAIL", "Spread", "count_rolls", "trim"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

TAIL = 1e-12
MOST_STEPS = 1_000_000


@dataclass(frozen=True, eq=False, repr=False)
class Spread:
    """A distribution over whole numbers: `chance[i]` is that of `values[i]`, which is `lowest + i` unless `numbers` lists others.

    `what` names the numbers: "points", or what the game's `cost` counts (`Game.cost_word`: "rolls"). `rest` is the chance not
    followed to the end. On a score sheet `box_points` gives the chance of the points in every box, `bonus` that of the upper
    bonus, or of its first step, and `bonus_steps` that of every step, by its threshold. `numbers`, in rising order from `lowest`
    on, is there where totals lie far apart. `error` bounds how far any cumulative chance is from the true one (0: but for
    rounding); where it is not 0, `moments` are the true mean and standard deviation.

    >>> coin = Spread("points", 0, np.array([0.5, 0.0, 0.5]))
    >>> coin.mean, coin.deviation, coin.quantile(0.5), coin.at_least(1)
    (1.0, 1.0, 0, 0.5)
    >>> Spread("points", 0, np.array([0.5, 0.5]), numbers=np.array([0, 10**12])).at_least(1)
    0.5
    """

    what: str
    lowest: int
    chance: Floats
    rest: float = 0.0
    box_points: dict[str, dict[int, float]] = field(default_factory=dict)
    bonus: float | None = None
    numbers: Ints | None = None
    error: float = 0.0
    moments: tuple[float, float] | None = None
    bonus_steps: dict[int, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Spread of {self.what}: mean {self.mean:.6g}, from {self.quantile(0)} to {self.quantile(1)}>"

    @property
    def values(self) -> Ints:
        """The numbers that `chance` belongs to."""
        return np.arange(self.lowest, self.lowest + len(self.chance)) if self.numbers is None else self.numbers

    @property
    def highest(self) -> int:
        """The largest number."""
        return int(self.numbers[-1]) if self.numbers is not None else self.lowest + len(self.chance) - 1

    @property
    def mean(self) -> float:
        """The expected number."""
        return self.moments[0] if self.moments else float(self.values @ self.chance)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        if self.moments:
            return self.moments[1]
        return float(np.sqrt(max(0.0, float((self.values - self.mean) ** 2 @ self.chance))))

    def quantile(self, share: float) -> int:
        """Give the least number that is not exceeded with a chance of at least `share`."""
        if not 0 <= share <= 1:
            raise GameError(f"quantile {share}: expected a number from 0 to 1")
        place = int(np.searchsorted(np.cumsum(self.chance), share * (1 - 1e-12)))
        return int(self.values[min(place, len(self.chance) - 1)])

    def at_least(self, number: int) -> float:
        """Give the chance of at least `number`."""
        return float(self.chance[self._place(number) :].sum())

    def between(self, low: int, high: int) -> float:
        """Give the chance of at least `low` and less than `high`."""
        return float(self.chance[self._place(low) : self._place(high)].sum())

    def _place(self, number: int) -> int:
        """Where the numbers of at least `number` begin."""
        number = min(max(number, self.lowest), self.highest + 1)
        return number - self.lowest if self.numbers is None else int(np.searchsorted(self.numbers, number))

    def moved(self, points: int) -> "Spread":
        """Give the distribution of so much more."""
        numbers = None if self.numbers is None else self.numbers + points
        moments = self.moments and (self.moments[0] + points, self.moments[1])
        return replace(self, lowest=self.lowest + points, numbers=numbers, moments=moments)

    def plain(self) -> "Spread":
        """Give the distribution without what it says about boxes."""
        return replace(self, box_points={}, bonus=None, bonus_steps={})


def trim(found: Spread) -> Spread:
    """Cut chances of zero off both ends."""
    live = np.flatnonzero(found.chance)
    low, high = (int(live[0]), int(live[-1]) + 1) if live.size else (0, 1)
    boxes, steps = found.box_points, found.bonus_steps
    return Spread(found.what, found.lowest + low, found.chance[low:high], found.rest, boxes, found.bonus, bonus_steps=steps)


def count_rolls(step: Callable[[], float], what: str, progress: Progress | None) -> Spread:
    """Count rolls until (nearly) all mass has ended; `step` plays one roll and returns the mass that ends with it."""
    chance = [0.0]
    left = 1.0
    while left > TAIL:
        chance.append(step())
        left -= chance[-1]
        if len(chance) > MOST_STEPS:
            break
        if progress:
            progress("rolls followed", len(chance) - 1, None)
    return trim(Spread(what, 0, np.array(chance), max(0.0, left)))
