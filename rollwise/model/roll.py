"""Rolls: outcomes of chance with positive integer weights.

A `Roll` is an immutable mapping from outcome to weight; the probability of an outcome is its weight over the total. No float
appears here, so the same roll feeds float and exact arithmetic. Rules of games may give any mapping with integer weights instead,
such as an `icepool.Die`.

Arithmetic is that of independent random variables, as in icepool: `a + b` is the sum of two rolls, `2 * a` doubles the outcome of
one, and `2 @ a` is the sum of two equal rolls.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from math import comb, prod, sqrt
from numbers import Real
from operator import add, floordiv, ge, gt, index, le, lt, mod, mul
from typing import Any, TypeVar

from rollwise.errors import GameError, brief
from rollwise.model.formatting import counted
from rollwise.model.summary import Shown, Summary, series

__all__ = ["LARGEST", "Roll", "certain", "dice", "die", "joint", "positive_weight", "repeated_sum"]

LARGEST = 2**62
"""Weights in lowest terms add up to less than this, so that sums of them fit into 64 bits."""

SHOWN = 12
"""Outcomes that a roll shows of itself."""

Outcome = TypeVar("Outcome", bound=Hashable)
Other = TypeVar("Other", bound=Hashable)


class Roll(Shown, Mapping[Outcome, int]):
    """Outcomes with positive integer weights.

    >>> coin = Roll({"heads": 1, "tails": 1})
    >>> coin.total, coin.probability("heads")
    (2, Fraction(1, 2))
    >>> three_dice = 3 @ die(6)
    >>> three_dice.mean, three_dice.variance, three_dice.probability(lambda total: total >= 16)
    (Fraction(21, 2), Fraction(35, 4), Fraction(5, 108))
    >>> die(4) + die(4) - 1
    Roll({1: 1, 2: 2, 3: 3, 4: 4, 5: 3, 6: 2, 7: 1})

    >>> (2 @ die(6) >= 10).probability(True), die(6) % 3
    (Fraction(1, 6), Roll({0: 2, 1: 2, 2: 2}))

    `+`, `-`, `*`, `//`, `%` and comparisons take numbers and other rolls, which are independent; `n @ roll` is the sum of n
    independent ones. Raises `GameError` for an empty roll, a weight that is not a positive integer, and arithmetic on outcomes
    that are not numbers.
    """

    __slots__ = ("_weights", "total")

    def __init__(self, weights: Mapping[Outcome, int]) -> None:
        checked = {outcome: positive_weight(outcome, weight) for outcome, weight in weights.items()}
        if not checked:
            raise GameError("a roll needs at least one outcome, but it has none")
        self._weights = checked
        self.total = sum(checked.values())

    def __getitem__(self, outcome: Outcome) -> int:
        return self._weights[outcome]

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __hash__(self) -> int:
        return hash(frozenset(self._weights.items()))

    def line(self) -> str:
        if len(self) <= SHOWN:
            return f"Roll({brief(self._weights, 300)})"
        return f"Roll({brief(dict(islice(self._first(), 3)), 300)[:-1]}, ... {len(self):,} outcomes, total {self.total})"

    def _first(self) -> Iterator[tuple[Outcome, int]]:
        return islice(self._weights.items(), SHOWN)

    def summary(self) -> Summary:
        rows = [(_shown(outcome), str(weight), f"{100 * weight / self.total:.2f} %") for outcome, weight in self._first()]
        more = f"and {counted(len(self) - SHOWN, 'more outcome')}" if len(self) > SHOWN else ""
        title = f"Roll with {counted(len(self), 'outcome')}"
        return Summary(title, header=["outcome", f"ways of {self.total:,}", "chance"], rows=rows, more=more)

    @property
    def mean(self) -> Fraction:
        """The expected outcome."""
        return Fraction(sum(outcome * weight for outcome, weight in self._numbers())) / self.total

    @property
    def variance(self) -> Fraction:
        """The variance of the outcome."""
        mean = self.mean
        return Fraction(sum((outcome - mean) ** 2 * weight for outcome, weight in self._numbers())) / self.total

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return sqrt(self.variance)

    def probability(self, outcome: Any) -> Fraction:
        """Return the probability of an outcome, or that a condition holds for the outcome.

        >>> die(6).probability(6), die(6).probability(lambda face: face >= 5)
        (Fraction(1, 6), Fraction(1, 3))
        """
        if callable(outcome) and outcome not in self:
            return Fraction(sum(weight for one, weight in self.items() if outcome(one)), self.total)
        return Fraction(self._weights.get(outcome, 0), self.total)

    def to_pandas(self) -> Any:
        """Return the probabilities as a `pandas.Series` by outcome. Raises `GameError` where pandas is not installed."""
        return series("probability", "outcome", list(self), [weight / self.total for weight in self.values()])

    def _numbers(self) -> Iterator[tuple[Any, int]]:
        """Give the outcomes, which must be numbers, with their weights."""
        for outcome, weight in self.items():
            if not isinstance(outcome, Real):
                raise GameError(f"the outcome {brief(outcome)} is not a number: map the outcomes to numbers first, roll.map(sum)")
            yield outcome, weight

    def _combined(self, other: Any, combine: Callable[[Any, Any], Any]) -> Any:
        """Combine this roll with a number or an independent roll, outcome by outcome."""
        if not isinstance(other, Roll | Real):
            return NotImplemented
        others = list(other._numbers()) if isinstance(other, Roll) else [(other, 1)]
        weights: Counter[Any] = Counter()
        for outcome, weight in self._numbers():
            for another, ways in others:
                weights[combine(outcome, another)] += weight * ways
        return Roll(dict(sorted(weights.items())))

    def __add__(self, other: Any) -> Any:
        return self._combined(other, add)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        return self._combined(other, mul)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + -other if isinstance(other, Roll | Real) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __floordiv__(self, other: Any) -> Any:
        return self._combined(other, floordiv)

    def __mod__(self, other: Any) -> Any:
        return self._combined(other, mod)

    def __lt__(self, other: Any) -> Any:
        return self._combined(other, lt)

    def __le__(self, other: Any) -> Any:
        return self._combined(other, le)

    def __gt__(self, other: Any) -> Any:
        return self._combined(other, gt)

    def __ge__(self, other: Any) -> Any:
        return self._combined(other, ge)

    def __rmatmul__(self, count: Any) -> Any:
        return repeated_sum(self, count, certain(0))

    def map(self, function: Callable[[Outcome], Other]) -> "Roll[Other]":
        """Apply a function to every outcome; the weights of equal results are added.

        >>> die(6).map(lambda face: "six" if face == 6 else "other")
        Roll({'other': 5, 'six': 1})
        """
        weights: Counter[Other] = Counter()
        for outcome, weight in self._weights.items():
            weights[function(outcome)] += weight
        return Roll(weights)


def repeated_sum(one: Any, count: Any, none: Any) -> Any:
    """Return the sum of `count` independent copies of a roll or a distribution, by repeated doubling; `none` is that of 0."""
    count = _whole("@", count, "how many to add up, such as 3 @ die(6)")
    if count < 0:
        raise GameError(f"{count} @ a roll: expected a count of 0 or more")
    found = none
    while count:
        found, one, count = found + one if count % 2 else found, one + one if count > 1 else one, count // 2
    return found


def _shown(outcome: object) -> str:
    """Write an outcome for people: texts as they are, hands without brackets."""
    if isinstance(outcome, tuple) and type(outcome) is tuple and outcome:
        return " ".join(map(_shown, outcome))
    return outcome if isinstance(outcome, str) else brief(outcome)


def positive_weight(outcome: object, weight: object) -> int:
    """Give a weight as an integer. Raises `GameError` if it is not a positive one."""
    try:
        value = index(weight)  # type: ignore[arg-type]
    except TypeError:
        raise GameError(f"the weight of {brief(outcome)} is {brief(weight)}: expected a positive integer") from None
    if value <= 0:
        raise GameError(
            f"the weight of {brief(outcome)} is {brief(value)}: expected a positive integer (leave out what cannot happen)"
        )
    return value


def certain(outcome: Outcome) -> Roll[Outcome]:
    """Make the roll that always has the same outcome.

    >>> certain("end")
    Roll({'end': 1})
    """
    return Roll({outcome: 1})


def die(faces: int | Iterable[Any] | Mapping[Any, int] = 6) -> Roll[Any]:
    """Make a die from a number of faces, a text or list of symbols (repeats count), or a mapping to weights (a loaded die).

    >>> die(4)
    Roll({1: 1, 2: 1, 3: 1, 4: 1})
    >>> die("AAB")
    Roll({'A': 2, 'B': 1})
    >>> die({1: 1, 6: 3}).probability(6)
    Fraction(3, 4)

    Raises `GameError` for a die without faces or a weight that is not a positive integer.
    """
    if isinstance(faces, Mapping):
        return Roll(faces)
    if not isinstance(faces, Iterable):
        faces = _whole("die", faces, "a number of faces, symbols or weights, such as die(6)")
        if faces < 1:
            raise GameError(f"a die has {faces} faces: it needs at least 1")
        return Roll(dict.fromkeys(range(1, faces + 1), 1))
    return Roll(Counter(faces))


def dice(count: int, of: int | Iterable[Any] | Mapping[Any, int] = 6) -> Roll[tuple[Any, ...]]:
    """Roll `count` equal dice: the outcomes are sorted hands, weighted by the number of ways to roll them.

    >>> dice(2, 3)
    Roll({(1, 1): 1, (1, 2): 2, (1, 3): 2, (2, 2): 1, (2, 3): 2, (3, 3): 1})
    >>> len(dice(5)), dice(5).total
    (252, 7776)

    Raises `GameError` for a negative count or faces that have no order.
    """
    count = _whole("dice", count, "how many, and of what, such as dice(4, 6)")
    if count < 0:
        raise GameError(f"{count} dice: a count is 0 or more")
    try:
        faces = tuple(sorted(die(of).items()))
    except TypeError:
        raise GameError(f"the faces {of!r} have no common order: use numbers only or text only") from None
    return _hands(count, faces)


def _whole(caller: str, number: object, wanted: str) -> int:
    try:
        return index(number)  # type: ignore[arg-type]
    except TypeError:
        raise GameError(f"{caller} was given {brief(number)}: expected {wanted}") from None


@lru_cache(maxsize=256)
def _hands(count: int, faces: tuple[tuple[Any, int], ...]) -> Roll[tuple[Any, ...]]:
    hands: dict[tuple[Any, ...], int] = {}

    def extend(hand: tuple[Any, ...], ways: int, left: int, face: int) -> None:
        symbol, weight = faces[face]
        if face == len(faces) - 1:
            hands[hand + (symbol,) * left] = ways * weight**left
            return
        for copies in range(left, -1, -1):
            extend(hand + (symbol,) * copies, ways * comb(left, copies) * weight**copies, left - copies, face + 1)

    extend((), 1, count, 0)
    return Roll(hands)


def joint(rolls: Iterable[Mapping[Any, int]]) -> Roll[tuple[Any, ...]]:
    """Roll several rolls together: the outcomes are tuples with one outcome of each, in order.

    >>> joint([die("AB"), certain("C")])
    Roll({('A', 'C'): 1, ('B', 'C'): 1})

    Raises `GameError` for an empty roll or a weight that is not a positive integer.
    """
    items = [tuple(roll.items()) for roll in rolls]
    return Roll({tuple(o for o, _ in faces): prod(w for _, w in faces) for faces in product(*items)})
