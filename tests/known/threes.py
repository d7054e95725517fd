"""Threes by a recursion over sorted throws: who sets k dice aside takes the k lowest."""

from fractions import Fraction
from functools import cache
from itertools import product


@cache
def value(dice: int = 5) -> Fraction:
    throws = [sorted(throw) for throw in product((0, 1, 2, 4, 5, 6), repeat=dice)]
    best = [min(sum(throw[:k]) + value(dice - k) for k in range(1, dice + 1)) for throw in throws] if dice else [Fraction(0)]
    return sum(best, Fraction(0)) / len(best)
