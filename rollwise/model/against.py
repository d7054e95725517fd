"""The best chance of beating an opponent whose total has a known distribution.

An opponent is a list of scores with integer weights. With W the sum of the weights, a total x is worth

    f(x) = (weight of the scores below x + ties * weight of the score x) / W
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import gcd, isfinite, lcm
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError
from rollwise.model.at_least import MOST_POINTS
from rollwise.model.objective import Number, Objective
from rollwise.model.ties import read_share, show_share

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["Against"]

FINEST = 2**52
"""Weights times the denominator of `ties` add up to about this at most, so that floats hold them without rounding."""
MOST_OPPONENTS = 10_000


@dataclass(frozen=True)
class Against(Objective):
    """Maximise the probability of a total above an opponent's; the same total counts `ties` (default: half a win).

    `distribution` is a mapping or pairs from score to weight; it is kept as sorted pairs with integer weights, without common
    divisors. Weights that are floats, or that would add up to more than about 2**52, are rounded to such a sum.

    >>> opponent = Against({10: 1, 20: 3})
    >>> opponent.distribution, str(opponent)
    (((10, 1), (20, 3)), 'against 2 scores from 10 to 20')
    >>> opponent.chance(20), Against({10: 1, 20: 3}, ties=1).chance(20)
    (Fraction(5, 8), Fraction(1, 1))

    Raises `GameError` for no scores, scores that are not whole, weights that are negative or not numbers, or `ties` outside 0..1.
    """

    name = "against"
    wins = True

    distribution: tuple[tuple[int, int], ...]
    ties: Fraction

    def __init__(self, distribution: Mapping[int, Any] | Iterable[tuple[int, Any]], ties: float | Fraction = 0.5) -> None:
        share = read_share(ties)
        object.__setattr__(self, "ties", share)
        object.__setattr__(self, "distribution", _whole(_weights(distribution), FINEST // share.denominator))

    def __str__(self) -> str:
        low, high = self.distribution[0][0], self.distribution[-1][0]
        scores = f"{len(self.distribution)} scores from {low} to {high}" if low < high else f"a score of {low}"
        return f"{self.name} {scores}{show_share(self.ties)}"

    @classmethod
    def read(cls, text: str) -> "Against":
        raise GameError(
            f"objective '{f'{cls.name} {text}'.strip()}': the opponent is not in the text: give it with --against FILE, or self"
        )

    @property
    def key(self) -> str:
        return repr(self)

    @classmethod
    def of(cls, spread: Any, ties: float | Fraction = 0.5) -> "Against":
        """Make the opponent whose total has this `Spread`, under whatever strategy it is.

        >>> import rollwise
        >>> from rollwise.games import load
        >>> expert = Against.of(rollwise.spread(rollwise.solve(load("yazy", boxes="ones"))))
        >>> str(expert), round(expert.mean, 4)
        ('against 6 scores from 0 to 5', 2.1065)
        """
        if getattr(spread, "what", None) != "points":
            raise GameError(f"the opponent is {spread!r}: expected a Spread of points")
        return cls(zip(spread.values.tolist(), spread.chance.tolist(), strict=True), ties)

    def best_of(self, count: int) -> "Against":
        """Give the best of `count` independent opponents of this kind. Ties are with the best of them, however many share it.

        >>> Against({1: 1, 2: 1}).best_of(2).distribution
        ((1, 1), (2, 3))
        """
        if not isinstance(count, int) or not 1 <= count <= MOST_OPPONENTS:
            raise GameError(f"the best of {count!r} opponents: expected a whole number from 1 to {MOST_OPPONENTS:,}")
        upto = [below**count for below in (0, *self._upto)]
        weights = [high - low for low, high in pairwise(upto)]
        return Against(zip(self._scores, weights, strict=True), self.ties)

    @cached_property
    def _scores(self) -> list[int]:
        return [score for score, _ in self.distribution]

    @cached_property
    def _upto(self) -> list[int]:
        return list(accumulate(weight for _, weight in self.distribution))

    @property
    def unit(self) -> int:
        """What `score` counts as a sure win."""
        return self._upto[-1] * self.ties.denominator

    def score(self, total: int) -> int:
        """Give f(total), in `unit`s: a whole number."""
        place = bisect_left(self._scores, total)
        below = self._upto[place - 1] if place else 0
        level = self.distribution[place][1] if place < len(self._scores) and self._scores[place] == total else 0
        return below * self.ties.denominator + level * self.ties.numerator

    def chance(self, total: int) -> Fraction:
        """Give the probability that a total wins, ties counted as said."""
        return self.worth(total)

    def aim(self, game: "Game[Any, Any, Any]") -> str:
        return f"Played {self}"

    def result(self, total: Number, game: "Game[Any, Any, Any]") -> str:
        return "chance that the total wins"

    def ending(self, total: Number, start: Number, game: "Game[Any, Any, Any]") -> str:
        return f"the total wins with {float(total):.4f} (chance at the start {float(start):.4f})"

    @property
    def mean(self) -> float:
        """The opponent's expected total."""
        return float(Fraction(sum(score * weight for score, weight in self.distribution), self._upto[-1]))


def _weights(distribution: Any) -> dict[int, Fraction]:
    """Read scores and weights, equal scores together."""
    try:
        pairs = dict(distribution).items() if isinstance(distribution, Mapping) else [(a, b) for a, b in distribution]
    except (TypeError, ValueError):
        raise GameError(f"the opponent is {distribution!r}: expected a mapping or pairs of score and weight") from None
    found: dict[int, Fraction] = {}
    for score, weight in pairs:
        if not isinstance(score, Integral) or abs(int(score)) > MOST_POINTS:
            raise GameError(f"the opponent's score {score!r}: expected a whole number of at most {MOST_POINTS:,} points")
        if not isinstance(weight, Real) or (isinstance(weight, float) and not isfinite(weight)) or weight < 0:
            raise GameError(f"the opponent's score {score} has the weight {weight!r}: expected a number of 0 or more")
        exact = Fraction(weight) if isinstance(weight, Rational) else Fraction(float(weight))
        found[int(score)] = found.get(int(score), Fraction(0)) + exact
    if not any(found.values()):
        raise GameError("the opponent has no scores: expected at least one with a weight above 0")
    return found


def _whole(weights: dict[int, Fraction], finest: int) -> tuple[tuple[int, int], ...]:
    """Give whole weights in the same proportions, rounded if they add up to more than `finest`; sorted by score."""
    scale = lcm(*(weight.denominator for weight in weights.values()))
    whole = {score: int(weight * scale) for score, weight in weights.items()}
    divisor, total = gcd(*whole.values()), sum(whole.values())
    if total // divisor > finest:
        whole = {score: (2 * weight * finest + total) // (2 * total) for score, weight in whole.items()}
        divisor = gcd(*whole.values())
    return tuple((score, weight // divisor) for score, weight in sorted(whole.items()) if weight)
