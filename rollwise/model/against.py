"""The best chance of beating an opponent whose total has a known distribution.

As text: "against 187" (a total), "against 180:2,200:5" (scores and weights), "against self" (one who plays for points), each
with ", best of 3" and ", ties win" or ", ties lose" after it, in any order.

An opponent is a list of scores with integer weights. With W the sum of the weights, a total x is worth

    f(x) = (weight of the scores below x + ties * weight of the score x) / W
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import gcd, isfinite, lcm
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError, brief
from rollwise.model.formatting import is_number
from rollwise.model.message import Message
from rollwise.model.objective import Number, Objective
from rollwise.model.parameter import Choice, Integer, Parameter, Text
from rollwise.model.view import OfferedAim, view_of

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = [
    "MOST_POINTS", "TIES", "Against", "AgainstSelf", "is_written", "name_share", "read_details", "read_share", "read_ties",
    "show_share",
]  # fmt: skip

MOST_POINTS = 10**15
"""Points that an objective may name."""
FINEST = 2**52
"""Weights times the denominator of `ties` add up to about this at most, so that floats hold them without rounding."""
MOST_OPPONENTS = 10_000
EXACT_BITS = 4096
"""Bits up to which the powers of weights are exact; larger ones would be rounded to 52 bits in any case."""
SHARE_BITS = 256
"""Bits of a power that is not exact: those of `FINEST`, and so many more that its rounding shows nowhere."""
COARSEST = 1000
"""The largest denominator of what a tie counts."""
SHARE = re.compile(r"-?[0-9]{0,9}(?:[/.][0-9]{1,9})?")
"""What a tie counts as it is written: not in powers of ten, of which `Fraction` would write out all digits."""
TIES = Parameter.known("ties", Choice("half", "win", "lose"), "half")
TOTAL = OfferedAim.known(
    "total",
    "against {total}, ties {ties}",
    (Parameter.known("total", Integer(-MOST_POINTS, MOST_POINTS)), TIES),
)
SCORES = OfferedAim.known(
    "scores",
    "against {scores}, ties {ties}",
    (Parameter.known("scores", Text()), TIES),
)
SELF = OfferedAim.known(
    "self",
    "against self, best of {players}, ties {ties}",
    (Parameter.known("players", Integer(1, MOST_OPPONENTS), "1", key="self-players"), TIES),
)
WHO = re.compile(r"self|a score of -?\d+|-?\d[-\d:., /]*", re.ASCII)
"""An opponent that is in the text."""
PAIR = re.compile(r"(-?\d{1,16})(?::(\d{1,16}(?:\.\d{1,16})?))?", re.ASCII)


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
    aims = (TOTAL, SCORES, SELF)

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

    @property
    def text(self) -> str:
        scores = ",".join(str(score) if weight == 1 else f"{score}:{weight}" for score, weight in self.distribution)
        return f"{self.name} {scores}{show_share(self.ties)}"

    @classmethod
    def read(cls, text: str) -> Objective:
        """Read an opponent as `text` writes it: a total, scores with weights, or "self".

        >>> Against.read("180:2,200, ties win").distribution, Against.read("187").text, Against.read("self, best of 3").text
        (((180, 2), (200, 1)), 'against 187', 'against self, best of 3')
        """
        who, count, ties = read_details(text)
        if not is_written(who):
            raise GameError(
                f"objective {brief(f'{cls.name} {text}'.strip())}: expected an opponent: a total such as 187, scores and weights "
                "such as 180:2,200:5, or self"
            )
        if who == "self":
            return AgainstSelf(count, ties)
        return cls(_read_scores(who.removeprefix("a score of ")), ties).best_of(count)

    @property
    def fields(self) -> Mapping[str, str]:
        scores, ties = self.text.removeprefix(f"{self.name} ").partition(", ties")[0], name_share(self.ties)
        if len(self.distribution) == 1:
            return {"aim": TOTAL.name, "total": str(self.distribution[0][0]), "ties": ties}
        return {"aim": SCORES.name, "scores": scores, "ties": ties}

    def restate(self, game: "Game[Any, Any, Any]") -> "Game[Any, Any, Any]":
        return _with_totals(game)

    def remark(self, value: Number) -> Message | str:
        if value == 0:
            return Message("aim.against.lost")
        return Message("aim.against.certain") if value == 1 else ""

    @property
    def key(self) -> str:
        return repr(self)

    @classmethod
    def of(cls, distribution: Any, ties: float | Fraction = 0.5) -> "Against":
        """Make the opponent whose total has this `Distribution`, under whatever strategy it is.

        >>> import rollwise
        >>> from rollwise.games import load
        >>> expert = Against.of(rollwise.distribution(rollwise.solve(load("yazy", boxes="ones"))))
        >>> str(expert), round(expert.mean, 4)
        ('against 6 scores from 0 to 5', 2.1065)
        """
        if getattr(distribution, "what", None) != "points":
            raise GameError(f"the opponent is {distribution!r}: expected a Distribution of points")
        return cls(zip(distribution.values.tolist(), distribution.chance.tolist(), strict=True), ties)

    def best_of(self, count: int) -> "Against":
        """Give the best of `count` independent opponents of this kind. Ties are with the best of them, however many share it.

        >>> Against({1: 1, 2: 1}).best_of(2).distribution
        ((1, 1), (2, 3))
        """
        if not isinstance(count, int) or not 1 <= count <= MOST_OPPONENTS:
            raise GameError(f"the best of {count!r} opponents: expected a whole number from 1 to {MOST_OPPONENTS:,}")
        whole = self._upto[-1]
        if whole.bit_length() * count <= EXACT_BITS:
            upto = [below**count for below in (0, *self._upto)]
        else:
            upto = [_power(below, whole, count) for below in (0, *self._upto)]
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
        """Give f(total) times `unit`: a whole number."""
        place = bisect_left(self._scores, total)
        below = self._upto[place - 1] if place else 0
        level = self.distribution[place][1] if place < len(self._scores) and self._scores[place] == total else 0
        return below * self.ties.denominator + level * self.ties.numerator

    def chance(self, total: int) -> Fraction:
        """Give the probability that a total wins, ties counted as said."""
        return self.worth(total)

    def aim(self, game: "Game[Any, Any, Any]") -> Message:
        return Message("aim.against.sentence", {"objective": str(self)})

    def result(self, total: Number, game: "Game[Any, Any, Any]") -> str:
        return "chance that the total wins"

    def ending(self, total: Number, start: Number, game: "Game[Any, Any, Any]") -> str:
        words = self.words(game)
        return f"the total wins with {words.worth(total)} (chance at the start {words.worth(start)})"

    @property
    def mean(self) -> float:
        """The opponent's expected total."""
        return float(Fraction(sum(score * weight for score, weight in self.distribution), self._upto[-1]))


@dataclass(frozen=True)
class AgainstSelf(Objective):
    """Beat the best of some players who play the same game for points: an `Against` once it is `settled`.

    >>> str(AgainstSelf(3, Fraction(1)))
    'against self, best of 3, ties win'
    """

    name = Against.name
    wins = True

    count: int = 1
    ties: Fraction = Fraction(1, 2)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ties", read_share(self.ties))
        Against({0: 1}).best_of(self.count)

    def __str__(self) -> str:
        return f"{self.name} self{f', best of {self.count}' if self.count > 1 else ''}{show_share(self.ties)}"

    def restate(self, game: "Game[Any, Any, Any]") -> "Game[Any, Any, Any]":
        return _with_totals(game)

    def resolved(self, expert: Callable[[], Any]) -> Against:
        return Against.of(expert(), self.ties).best_of(self.count)

    @property
    def is_resolved(self) -> bool:
        return False

    @property
    def fields(self) -> Mapping[str, str]:
        return {"aim": SELF.name, "players": str(self.count), "ties": name_share(self.ties)}


def _with_totals(game: "Game[Any, Any, Any]") -> "Game[Any, Any, Any]":
    """Give a game whose totals can be compared. Raises `GameError` for another."""
    if game.objective.counts == "costs":
        raise GameError(f"this game counts {view_of(game).cost_word}, not points: there is no total to beat an opponent with")
    if game.objective.few:
        raise GameError("'against' is won by the higher total, and in this game fewer points are better: try 'at-most N'")
    return game


def is_written(who: str) -> bool:
    """Say whether an opponent is in the text, so that no file need be read."""
    return WHO.fullmatch(who) is not None


def read_details(text: str) -> tuple[str, int, Fraction]:
    """Split a text into the opponent, of how many the best is to be beaten, and what a tie counts.

    >>> read_details("scores.txt, ties lose, best of 3")
    ('scores.txt', 3, Fraction(0, 1))

    Raises `GameError` for a detail that is given twice, or cannot be read.
    """
    given: dict[str, str] = {}
    who, last = text.strip(), ""
    while kind := next((word for word in ("ties ", "best of ") if (last := who.rpartition(",")[2].strip()).startswith(word)), ""):
        if kind in given:
            raise GameError(f"objective {brief(f'{Against.name} {text}')} says {kind.strip()!r} twice: say it once")
        given[kind], who = last.removeprefix(kind), who.rpartition(",")[0].strip()
    count, ties = given.get("best of ", "1"), given.get("ties ", "half")
    if not is_number(count):
        raise GameError(f"the best of {brief(count)} opponents: expected a whole number from 1 to {MOST_OPPONENTS:,}")
    return who, int(count), read_ties(f"ties {ties}")


def _power(part: int, whole: int, count: int) -> int:
    """Give (part / whole)**count in units of 2**-SHARE_BITS, by squares; every step rounds down, so that larger parts give more.

    >>> _power(3, 4, 2) == 9 << SHARE_BITS - 4
    True
    """
    square, found = (part << SHARE_BITS) // whole, 1 << SHARE_BITS
    while count:
        if count & 1:
            found = found * square >> SHARE_BITS
        square = square * square >> SHARE_BITS
        count >>= 1
    return found


def _read_scores(text: str) -> list[tuple[int, Fraction]]:
    """Read scores, each with its weight if that is not 1."""
    pairs = []
    for word in map(str.strip, text.split(",")):
        found = PAIR.fullmatch(word)
        if not found:
            raise GameError(f"the opponent's score {brief(word)}: expected a whole number, or one and its weight, such as 180:2")
        pairs.append((int(found[1]), Fraction(found[2] or 1)))
    return pairs


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


# What a tie counts: a share of a win


def show_share(ties: Fraction) -> str:
    """Write what a tie counts where that is not half a win."""
    given = {Fraction(1, 2): "", Fraction(1): ", ties win", Fraction(0): ", ties lose"}
    return given.get(ties, f", ties {ties}")


def name_share(ties: Fraction) -> str:
    """Name what a tie counts: half, win, lose, or the share."""
    return {Fraction(1, 2): "half", Fraction(1): "win", Fraction(0): "lose"}.get(ties, str(ties))


def read_share(ties: float | Fraction) -> Fraction:
    """Read what a tie counts; a float stands for the decimal number it is written as."""
    if not isinstance(ties, int | float | Fraction) or not 0 <= ties <= 1:
        raise GameError(f"ties count {ties!r}: expected a number from 0 (a loss) to 1 (a win)")
    share = Fraction(repr(ties)) if isinstance(ties, float) else Fraction(ties)
    if share.denominator > COARSEST:
        raise GameError(f"ties count {ties!r}: expected a fraction with a denominator of at most {COARSEST}")
    return share


def read_ties(text: str) -> Fraction:
    """Read what `show_share` writes, without the comma.

    >>> read_ties("ties win"), read_ties("ties 1/3")
    (Fraction(1, 1), Fraction(1, 3))
    """
    word = text.removeprefix(",").strip().removeprefix("ties").strip()
    try:
        written = SHARE.fullmatch({"win": "1", "lose": "0", "half": "1/2"}.get(word, word))
        return read_share(Fraction(written[0] if written else "none"))
    except (ValueError, ZeroDivisionError):
        raise GameError(
            f"{brief(text)} does not say what a tie counts: expected 'ties win', 'ties lose' or 'ties' and a share"
        ) from None
