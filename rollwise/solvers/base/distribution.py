"""A distribution over whole numbers: of the final score, or of what is counted; and what following a strategy to it may take."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError
from rollwise.model.formatting import power
from rollwise.model.game import Progress
from rollwise.model.objective import Objective
from rollwise.model.roll import repeated_sum
from rollwise.model.summary import Shown, Summary, series
from rollwise.solvers.base.pictures import Mark, bars, for_notebooks

__all__ = [
    "MOST_STEPS",
    "QUANTILES",
    "TAIL",
    "Distribution",
    "Follow",
    "Spent",
    "Work",
    "count_rolls",
    "distribution_picture",
    "trim",
    "visible",
    "winning",
]  # fmt: skip

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""The quantiles that a summary lists beside mean and standard deviation."""
WIDE = 25
THIN = 1e-4
"""Beyond so many numbers, a tail less likely than this is not drawn."""
DENSE = 8
"""Numbers on a range of at most so many times their count are stored with the gaps between them."""
TAIL = 1e-12
MOST_STEPS = 1_000_000


class Spent(GameError):
    """Following a strategy took more work than it may."""


@dataclass
class Work:
    """Work that following a strategy may take, in outcomes of rolls. Raises `Spent` when there is none left."""

    left: int

    def take(self, outcomes: int) -> None:
        """Take some of it."""
        self.left -= outcomes
        if self.left < 0:
            raise Spent("following the strategy to the end takes too long to be done unasked: ask for the outlook")


class Follow(NamedTuple):
    """Limits for following a strategy: memory (None: most of this machine's) and work; `progress` is called meanwhile."""

    max_bytes: int | None = None
    progress: Progress | None = None
    work: Work | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Distribution(Shown):
    """A distribution over whole numbers: `chance[i]` is the probability of `values[i]`.

    Arithmetic is that of independent random variables, as of `Roll`: `+`, `-` take numbers and other distributions, `*` whole
    numbers, and `n @ distribution` is the sum of n independent ones.

    `what` names the numbers: "points", or what the game's `cost` counts (`View.cost_word`: "rolls"). `rest` is the chance not
    followed to the end. On a score sheet `box_points` gives the chance of the points in every box, `bonus` that of the upper
    bonus, or of its first step, and `bonus_steps` that of every step, by its threshold. `numbers`, in rising order from `lowest`
    on, is given where totals lie far apart; else `values[i]` is `lowest + i`. `error` bounds how far any cumulative chance is
    from the true one (0: but for rounding); where it is not 0, `moments` are the true mean and standard deviation.

    >>> coin = Distribution("points", 0, np.array([0.5, 0.0, 0.5]))
    >>> coin.mean, coin.standard_deviation, coin.quantile(0.5), coin.at_least(1)
    (1.0, 1.0, 0, 0.5)
    >>> (2 @ coin + 10).probability(lambda points: points > 10)
    0.75
    >>> Distribution("points", 0, np.array([0.5, 0.5]), numbers=np.array([0, 10**12])).at_least(1)
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

    def line(self) -> str:
        return f"<Distribution of {self.what}: mean {self.mean:.6g}, from {self.quantile(0)} to {self.quantile(1)}>"

    def summary(self) -> Summary:
        facts = [("mean", f"{self.mean:.6g}"), ("standard deviation", f"{self.standard_deviation:.4g}")]
        facts += [(f"{100 * share:.0f} %", str(self.quantile(share))) for share in QUANTILES]
        facts += [("chances within", power(self.error))] if self.error else []
        facts += [("not followed", power(self.rest))] if self.rest > THIN else []
        table = [name for name, _ in facts], [[figure for _, figure in facts]]
        picture = for_notebooks(distribution_picture(self, title=f"Distribution of {self.what}"))
        return Summary(
            f"Distribution of {self.what}, from {self.lowest} to {self.highest}", header=table[0], rows=table[1], picture=picture
        )

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
    def variance(self) -> float:
        """The variance of the number."""
        if self.moments:
            return self.moments[1] ** 2
        return max(0.0, float((self.values - self.mean) ** 2 @ self.chance))

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return self.moments[1] if self.moments else float(np.sqrt(self.variance))

    def quantile(self, share: float) -> int:
        """Return the least number that is not exceeded with a probability of at least `share`."""
        if not 0 <= share <= 1:
            raise GameError(f"quantile {share}: expected a number from 0 to 1")
        place = int(np.searchsorted(np.cumsum(self.chance), share * (1 - 1e-12)))
        return int(self.values[min(place, len(self.chance) - 1)])

    def worst_mean(self, share: float, *, few: bool = False) -> float:
        """Return the mean of the worst share of games: of the lowest numbers or, where `few` are good, of the highest.

        >>> Distribution("points", 0, np.array([0.05, 0.05, 0.9])).worst_mean(0.1)
        0.5
        """
        order = slice(None, None, -1 if few else 1)
        upto = np.minimum(np.cumsum(self.chance[order]), share)
        return float(self.values[order] @ np.diff(upto, prepend=0.0) / share)

    def at_least(self, number: int) -> float:
        """Return the probability of at least `number`."""
        return float(self.chance[self._place(number) :].sum())

    def between(self, low: int, high: int) -> float:
        """Return the probability of at least `low` and less than `high`."""
        return float(self.chance[self._place(low) : self._place(high)].sum())

    def _place(self, number: int) -> int:
        """Where the numbers of at least `number` begin."""
        number = min(max(number, self.lowest), self.highest + 1)
        return number - self.lowest if self.numbers is None else int(np.searchsorted(self.numbers, number))

    def probability(self, number: int | Callable[[int], bool]) -> float:
        """Return the probability of a number, or that a condition holds for the number."""
        if callable(number):
            return float(self.chance[[bool(number(value)) for value in self.values.tolist()]].sum())
        return self.between(number, number + 1)

    def map(self, function: Callable[[int], int]) -> "Distribution":
        """Apply a function to every number; the probabilities of equal results are added."""
        return self._of(np.array([function(value) for value in self.values.tolist()]), self.chance)

    def to_pandas(self) -> Any:
        """Return the probabilities as a `pandas.Series` by number. Raises `GameError` where pandas is not installed."""
        return series("probability", self.what, self.values.tolist(), self.chance.tolist())

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Integral):
            moments = self.moments and (self.moments[0] + int(other), self.moments[1])
            numbers = None if self.numbers is None else self.numbers + int(other)
            return replace(self, lowest=self.lowest + int(other), numbers=numbers, moments=moments)
        if not isinstance(other, Distribution):
            return NotImplemented
        rest, error = self.rest + other.rest - self.rest * other.rest, self.error + other.error
        moments = None
        if self.moments or other.moments:
            moments = self.mean + other.mean, float(np.hypot(self.standard_deviation, other.standard_deviation))
        if self.numbers is None and other.numbers is None:
            chance = np.convolve(self.chance, other.chance)
            return Distribution(self.what, self.lowest + other.lowest, chance, rest, error=error, moments=moments)
        sums, chances = np.add.outer(self.values, other.values), np.multiply.outer(self.chance, other.chance)
        return replace(self._of(sums.ravel(), chances.ravel()), rest=rest, error=error, moments=moments)

    __radd__ = __add__

    def __mul__(self, factor: Any) -> Any:
        if not isinstance(factor, Integral):
            return NotImplemented
        moments = self.moments and (self.moments[0] * int(factor), self.moments[1] * abs(int(factor)))
        return replace(self._of(self.values * int(factor), self.chance), rest=self.rest, error=self.error, moments=moments)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + -other if isinstance(other, Distribution | Integral) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __rmatmul__(self, count: Any) -> Any:
        return repeated_sum(self, count, Distribution(self.what, 0, np.ones(1)))

    def _of(self, numbers: Ints, chance: Floats) -> "Distribution":
        """Make the distribution of numbers in any order."""
        found, place = np.unique(numbers, return_inverse=True)
        low, high = int(found[0]), int(found[-1])
        chances = np.bincount(place, chance).astype(np.float64)
        if high - low > DENSE * len(found):
            return Distribution(self.what, low, chances, numbers=found)
        dense = np.zeros(high - low + 1)
        dense[found - low] = chances
        return Distribution(self.what, low, dense)

    def plain(self) -> "Distribution":
        """Give the distribution without what it says about boxes."""
        return replace(self, box_points={}, bonus=None, bonus_steps={})


def distribution_picture(found: Distribution, *, title: str, objective: Objective | None = None) -> str:
    """Draw a distribution with its quantiles; where it is won or lost, with the winning part in another colour instead."""
    numbers, shown = visible(found)
    labels = f"total {found.what}", "chance"
    if objective is not None and objective.wins:
        split, below = winning(found, objective) or (None, False)
        return bars(title, "The chance of each total.", numbers[0], shown, labels, numbers=numbers, split=split, below=below)
    marks = [Mark(found.quantile(q), f"{100 * q:.0f} %: {found.quantile(q)}") for q in QUANTILES]
    quantiles = ", ".join(mark.label for mark in marks)
    about = f"Mean {found.mean:.2f}, standard deviation {found.standard_deviation:.2f}; quantiles {quantiles}."
    return bars(title, about, numbers[0], shown, labels, numbers=numbers, marks=marks)


def winning(found: Distribution, objective: Objective) -> tuple[int, bool] | None:
    """Give the number from which on a total wins, or (True) up to which it does not exceed; None where there is no such number.

    >>> from rollwise import AtLeast, AtMost
    >>> coins = Distribution("heads", 0, np.array([0.25, 0.5, 0.25]))
    >>> winning(coins, AtLeast(2)), winning(coins, AtMost(0)), winning(coins, AtLeast(0))
    ((2, False), (1, True), None)
    """
    numbers = found.values.tolist()
    worth = [objective.worth(number) for number in numbers]
    changes = [place for place in range(1, len(worth)) if worth[place] != worth[place - 1]]
    if len(changes) != 1 or {worth[0], worth[-1]} != {0, 1}:
        return None
    return numbers[changes[0]], worth[0] == 1


def visible(found: Distribution) -> tuple[list[int], list[float]]:
    """Give the numbers and their chances, without long tails of nearly nothing."""
    chance = [float(share) for share in found.chance]
    ends = []
    for order in (chance, chance[::-1]):
        total, cut = 0.0, 0
        while len(chance) > WIDE and total + order[cut] < THIN:
            total, cut = total + order[cut], cut + 1
        ends.append(cut)
    seen = slice(ends[0], len(chance) - ends[1])
    return found.values[seen].tolist(), chance[seen]


def trim(found: Distribution) -> Distribution:
    """Cut chances of zero off both ends."""
    live = np.flatnonzero(found.chance)
    low, high = (int(live[0]), int(live[-1]) + 1) if live.size else (0, 1)
    boxes, steps = found.box_points, found.bonus_steps
    return Distribution(found.what, found.lowest + low, found.chance[low:high], found.rest, boxes, found.bonus, bonus_steps=steps)


def count_rolls(step: Callable[[], float], what: str, progress: Progress | None) -> Distribution:
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
    return trim(Distribution(what, 0, np.array(chance), max(0.0, left)))
