"""Threes by a recursion over sorted throws: who sets k dice aside takes the k lowest."""

from fractions import Fraction
from functools import cache
from itertools import product

from tests.known.sides import sides_of


@cache
def value(dice: int = 5, weights: str = "") -> Fraction:
    points = [0 if face == 3 else face for face in sides_of(weights)]
    throws = [sorted(throw) for throw in product(points, repeat=dice)]
    best = (
        [min(sum(throw[:k]) + value(dice - k, weights) for k in range(1, dice + 1)) for throw in throws]
        if dice
        else [Fraction(0)]
    )
    return sum(best, Fraction(0)) / len(best)
