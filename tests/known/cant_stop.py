"""Can't Stop from its rules alone: every turn start by Newton's method in fractions, which ends with the exact value."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

Steps = tuple[int, ...]


def value(sides: int = 3, shortest: int = 2, markers: int = 3, columns_to_win: int = 3) -> Fraction:
    """The fewest expected turns."""
    sums = range(2, 2 * sides + 1)
    top = {total: shortest + 2 * min(total - 2, 2 * sides - total) for total in sums}
    throws = list(product(range(1, sides + 1), repeat=4))

    def at_top(steps: Steps) -> int:
        return sum(step == top[total] for total, step in zip(sums, steps, strict=True))

    def climb(saved: Steps, now: Steps, total: int) -> Steps | None:
        """One step up, or None where that is not possible."""
        i = total - 2
        free = markers > sum(new > old for old, new in zip(saved, now, strict=True))
        if now[i] == top[total] or not (now[i] > saved[i] or free):
            return None
        return (*now[:i], now[i] + 1, *now[i + 1 :])

    def choices(saved: Steps, now: Steps, throw: Steps) -> Iterator[Steps]:
        a, b, c, d = throw
        for one, other in ((a + b, c + d), (a + c, b + d), (a + d, b + c)):
            for first, second in ((one, other), (other, one)):
                up = climb(saved, now, first)
                if up is not None:
                    yield climb(saved, up, second) or up

    @cache
    def turns(saved: Steps) -> Fraction:
        if at_top(saved) >= columns_to_win:
            return Fraction(0)
        worth = Fraction(10**6)  # from above: too low, and it would pay to roll until the turn is lost
        while True:
            left, lost = one_turn(saved, worth)
            if 1 + left == worth:
                return worth
            worth += (1 + left - worth) / (1 - lost)

    def one_turn(saved: Steps, worth: Fraction) -> tuple[Fraction, Fraction]:
        """What the first roll leaves if a lost turn leaves `worth`, and the chance to lose it."""

        @cache
        def roll(now: Steps) -> tuple[Fraction, Fraction]:
            found = [min((best(up) for up in set(choices(saved, now, throw))), default=(worth, Fraction(1))) for throw in throws]
            return sum((x for x, _ in found), Fraction(0)) / len(throws), sum((x for _, x in found), Fraction(0)) / len(throws)

        def best(now: Steps) -> tuple[Fraction, Fraction]:
            stop = turns(now), Fraction(0)
            return stop if at_top(now) >= columns_to_win else min(stop, roll(now))

        return roll(saved)

    return turns((0,) * len(sums))
