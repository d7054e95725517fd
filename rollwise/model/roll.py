"""Rolls: what nature may do, as outcomes with positive integer weights.

A `Roll` is an immutable mapping from outcome to weight; the probability of an outcome is its weight over the total. No float
appears here, so the same roll feeds float and exact arithmetic. Every function of the library that takes a `Roll` takes any
mapping with integer weights, such as an `icepool.Die`.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from math import comb, prod
from operator import index
from typing import Any, TypeVar

from rollwise.errors import GameError, brief
from rollwise.model.formatting import counted
from rollwise.model.summary import Shown, Summary

__all__ = ["LARGEST", "Roll", "certain", "dice", "die", "joint", "positive_weight"]

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

    Raises `GameError` for an empty roll or a weight that is not a positive integer.
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

    def probability(self, outcome: Outcome) -> Fraction:
        """Give the chance of an outcome, 0 if it cannot happen."""
        return Fraction(self._weights.get(outcome, 0), self.total)

    def map(self, function: Callable[[Outcome], Other]) -> "Roll[Other]":
        """Rename the outcomes; those with the same new name are added up.

        >>> die(6).map(lambda face: "six" if face == 6 else "other")
        Roll({'other': 5, 'six': 1})
        """
        weights: Counter[Other] = Counter()
        for outcome, weight in self._weights.items():
            weights[function(outcome)] += weight
        return Roll(weights)


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
    """Make the roll that always gives `outcome`.

    >>> certain("end")
    Roll({'end': 1})
    """
    return Roll({outcome: 1})


def die(faces: int | Iterable[Any] | Mapping[Any, int] = 6) -> Roll[Any]:
    """Make one die: a number of faces, a string or list of symbols (repeats count), or a mapping to weights (a loaded die).

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
    """Roll `count` equal dice: sorted hands with the number of ways to roll each.

    >>> dice(2, 3)
    Roll({(1, 1): 1, (1, 2): 2, (1, 3): 2, (2, 2): 1, (2, 3): 2, (3, 3): 1})
    >>> len(dice(5)), dice(5).total
    (252, 7776)

    Raises `GameError` for a negative count or faces that have no order.
    """
    count = _whole("dice", count, "how many, and of what, such as dice(4, 6)")
    if count < 0:
        raise GameError(f"{count} dice were asked for: a count is 0 or more")
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
    """Roll different dice at once: tuples with one outcome of each, in order.

    >>> joint([die("AB"), certain("C")])
    Roll({('A', 'C'): 1, ('B', 'C'): 1})
    """
    items = [tuple(roll.items()) for roll in rolls]
    return Roll({tuple(o for o, _ in faces): prod(w for _, w in faces) for faces in product(*items)})
