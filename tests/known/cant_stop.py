"""Can't Stop from its rules alone: every turn start by Newton's method in fractions, which ends with the exact value."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

from tests.known.sides import sides_of

Steps = tuple[int, ...]
Left = tuple[Fraction, Fraction]
"""Turns still to come, and the chance that this one is lost."""


def value(sides: int = 3, shortest: int = 2, markers: int = 3, columns_to_win: int = 3, weights: str = "") -> Fraction:
    """The fewest expected turns."""
    board = Board(sides, shortest, markers, columns_to_win, weights)
    return board.turns((0,) * len(board.top))


class Board:
    def __init__(self, sides: int, shortest: int, markers: int, columns_to_win: int, weights: str) -> None:
        self.top = {total: shortest + 2 * min(total - 2, 2 * sides - total) for total in range(2, 2 * sides + 1)}
        self.throws = list(product(sides_of(weights, sides), repeat=4))
        self.markers, self.columns_to_win = markers, columns_to_win
        self.turns = cache(self._turns)

    def over(self, steps: Steps) -> bool:
        return sum(map(int.__eq__, steps, self.top.values())) >= self.columns_to_win

    def climb(self, saved: Steps, now: Steps, total: int) -> Steps | None:
        """One step up, or None where that is not possible."""
        i = total - 2
        used = sum(map(int.__lt__, saved, now))
        if now[i] == self.top[total] or (now[i] == saved[i] and used == self.markers):
            return None
        return (*now[:i], now[i] + 1, *now[i + 1 :])

    def choices(self, saved: Steps, now: Steps, throw: Steps) -> Iterator[Steps]:
        """Climb with one pair, then, if possible, with the other, in both orders."""
        a, b, c, d = throw
        for one, other in ((a + b, c + d), (a + c, b + d), (a + d, b + c)):
            for first, second in ((one, other), (other, one)):
                up = self.climb(saved, now, first)
                if up is not None:
                    yield self.climb(saved, up, second) or up

    def _turns(self, saved: Steps) -> Fraction:
        if self.over(saved):
            return Fraction(0)
        worth = Fraction(10**6)  # from above: with less than the truth it might pay to roll until the turn is lost
        while True:
            left, lost = self.one_turn(saved, worth)
            if 1 + left == worth:
                return worth
            worth += (1 + left - worth) / (1 - lost)

    def one_turn(self, saved: Steps, worth: Fraction) -> Left:
        """What the first roll leaves if a lost turn leaves `worth`."""

        @cache
        def roll(now: Steps) -> Left:
            found = [min(map(best, set(self.choices(saved, now, throw))), default=(worth, Fraction(1))) for throw in self.throws]
            turns, lost = (sum(parts, Fraction(0)) / len(found) for parts in zip(*found, strict=True))
            return turns, lost

        def best(now: Steps) -> Left:
            stop = self.turns(now), Fraction(0)
            return stop if self.over(now) else min(stop, roll(now))

        return roll(saved)
