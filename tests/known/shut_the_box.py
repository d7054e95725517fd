"""Shut the Box by recursions over frozensets of open tiles, in fractions."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from tests.known.sides import sides_of

Open = frozenset[int]


def value(
    tiles: int = 9, one_die: str = "never", aim: str = "shut", most_tiles: int | None = None, players: int = 1, weights: str = ""
) -> Fraction:
    throws = {dice: [sum(throw) for throw in product(sides_of(weights), repeat=dice)] for dice in (1, 2)}

    def rests(left: Open, total: int) -> list[Open]:
        sizes = range(1, min(len(left), most_tiles or len(left)) + 1)
        return [left - {*some} for size in sizes for some in combinations(sorted(left), size) if sum(some) == total]

    def play(pays: Callable[[int], Fraction]) -> Fraction:
        """The most that a turn is worth which pays for the sum that stays open."""

        @cache
        def best(left: Open) -> Fraction:
            if not left:
                return pays(0)
            one = {"never": False, "sum6": sum(left) <= 6, "789": max(left) <= 6}[one_die]
            return max(thrown(left, dice) for dice in ((1, 2) if one else (2,)))

        def thrown(left: Open, dice: int) -> Fraction:
            found = [max(map(best, rests(left, total)), default=pays(sum(left))) for total in throws[dice]]
            return sum(found, Fraction(0)) / len(found)

        return best(frozenset(range(1, tiles + 1)))

    if players == 2:

        @cache
        def answer(beat: int) -> Fraction:
            """What the first wins with a sum that the second plays to beat."""
            return 1 - play(lambda left: Fraction((left < beat) * 2 + (left == beat), 2))

        return play(answer)
    return play(lambda left: Fraction(left == 0)) if aim == "shut" else -play(lambda left: Fraction(-left))
