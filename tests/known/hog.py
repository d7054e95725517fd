"""Hog from the mover's side, pair of scores by pair of scores: two equations in two unknowns, and the better numbers of dice.

In fractions up to a target of 30, else in floats. Any number of dice may be rolled, also more than are of use.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from tests.known.sides import sides_of

EXACT = 30


def value(target: int = 100, most_dice: int = 30, faces: int = 6, weights: str = "") -> Any:
    number: Callable[[int, int], Any] = Fraction if target <= EXACT else lambda a, b: a / b
    sides = sides_of(weights, faces)
    clean, ways = [face for face in sides if face > 1], len(sides)
    sums = [{0: 1}]
    for _ in range(most_dice):
        more: dict[int, int] = {}
        for total, times in sums[-1].items():
            for face in clean:
                more[total + face] = more.get(total + face, 0) + times
        sums.append(more)
    scores = [{total: number(times, ways**n) for total, times in one.items()} for n, one in enumerate(sums)]
    none = [number(ways**n - len(clean) ** n, ways**n) for n in range(most_dice + 1)]
    known: dict[tuple[int, int], Any] = {}

    @cache
    def scoring(i: int, j: int) -> list[Any]:
        """By the number of dice, from one on: what is won after the turns that score."""
        return [
            sum(chance if i + total >= target else chance * (1 - known[j, i + total]) for total, chance in one.items())
            for one in scores[1:]
        ]

    def best(i: int, j: int, other: Any) -> int:
        rows = [won + none[n] * (1 - other) for n, won in enumerate(scoring(i, j), 1)]
        return 1 + rows.index(max(rows))

    pairs = [(i, j) for i in range(target) for j in range(i + 1)]
    for i, j in sorted(pairs, key=lambda pair: -sum(pair)):
        dice, before = (1, 1), None
        while dice != before:
            (n, m), before = dice, dice
            mine, theirs = scoring(i, j)[n - 1], scoring(j, i)[m - 1]
            known[i, j] = (mine + none[n] * (1 - theirs - none[m])) / (1 - none[n] * none[m])
            known[j, i] = theirs + none[m] * (1 - known[i, j])
            dice = best(i, j, known[j, i]), best(j, i, known[i, j])
    return known[0, 0]
