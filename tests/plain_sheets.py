"""Score sheets told anew, for comparison: scores by hand, upper totals as they are, every bonus paid when the game is over.

Nothing is shared with the library: a keep is worth the mean over whole hands, weighed by how many rolls make them, and an upper
total is not cut off at a threshold. Few boxes are played in fractions, hand by hand; whole sheets in floating point, all upper
totals of a set of boxes at once. Where rolls are saved, a turn may begin with more of them, and what a box is worth depends on
how many are left.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np
import numpy.typing as npt

__all__ = ["FACES", "PlainSheet"]

Hand = tuple[int, ...]
Score = Callable[[Hand], int]
FACES = {name: face for face, name in enumerate(("ones", "twos", "threes", "fours", "fives", "sixes"), 1)}
FEW = 3
"""Boxes up to which fractions are quick."""


@dataclass(frozen=True)
class PlainSheet:
    """A sheet: lower boxes by name, dice, rerolls, and what an upper total earns at the end. Upper boxes are those of `FACES`."""

    lower: Mapping[str, Score]
    dice: int = 5
    rerolls: int = 2
    bonus: Callable[[int], int] = lambda upper: 0
    saves: bool = False
    sides: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    """What the sides of a die show; all are equally likely."""

    def value(self, boxes: str = "") -> Fraction | float:
        """The best expected total with some of the boxes, named with commas between them, or with all."""
        names = boxes.split(",") if boxes else [*FACES, *self.lower]
        return self.in_fractions(frozenset(names), 0) if len(names) <= FEW else self.in_floats(tuple(names))

    def scores(self, box: str, hand: Hand) -> int:
        return FACES[box] * hand.count(FACES[box]) if box in FACES else self.lower[box](hand)

    # In fractions

    def in_fractions(self, opened: frozenset[str], upper: int, saved: int = 0) -> Fraction:
        """The best expected points to come at the start of a turn."""
        if (opened, upper, saved) not in self.known:
            self.known[opened, upper, saved] = self.turn(opened, upper, saved) if opened else Fraction(self.bonus(upper))
        return self.known[opened, upper, saved]

    @cached_property
    def known(self) -> dict[tuple[frozenset[str], int, int], Fraction]:
        return {}

    def turn(self, opened: frozenset[str], upper: int, saved: int) -> Fraction:
        worth = self.stop(opened, upper, 0)
        for left in range(1, self.rerolls + saved + 1):
            kept = {keep: self.mean(keep, worth) for keep in self.keeps}
            stop = self.stop(opened, upper, left) if self.saves else worth
            worth = {hand: max(stop[hand], *(kept[keep] for keep in self.kept_of[hand])) for hand in self.hands}
        return self.mean((), worth)

    def stop(self, opened: frozenset[str], upper: int, left: int) -> dict[Hand, Fraction]:
        """What hands are worth if a box is filled, with so many rolls left."""
        saved = left if self.saves else 0
        return {hand: max(self.fill(opened, upper, box, self.scores(box, hand), saved) for box in opened) for hand in self.hands}

    def fill(self, opened: frozenset[str], upper: int, box: str, points: int, saved: int) -> Fraction:
        return points + self.in_fractions(opened - {box}, upper + points if box in FACES else upper, saved)

    def mean(self, keep: Hand, worth: Mapping[Hand, Fraction]) -> Fraction:
        rolls = self.rolls[keep]
        return sum((ways * worth[hand] for hand, ways in rolls.items()), Fraction(0)) / sum(rolls.values())

    @cached_property
    def hands(self) -> list[Hand]:
        return list(combinations_with_replacement(sorted({*self.sides}), self.dice))

    @cached_property
    def keeps(self) -> list[Hand]:
        """What may be kept, whole hands among it: rolling no die is to stop."""
        return [keep for n in range(self.dice + 1) for keep in combinations_with_replacement(sorted({*self.sides}), n)]

    @cached_property
    def kept_of(self) -> dict[Hand, list[Hand]]:
        """By hand what may be kept of it."""
        return {hand: sorted({picked(hand, way) for way in product((0, 1), repeat=self.dice)}) for hand in self.hands}

    @cached_property
    def rolls(self) -> dict[Hand, dict[Hand, int]]:
        """By keep, in how many ways the other dice make a hand of it."""
        found: dict[Hand, dict[Hand, int]] = {}
        for keep in self.keeps:
            more = combinations_with_replacement(sorted({*self.sides}), self.dice - len(keep))
            found[keep] = {tuple(sorted(keep + rolled)): self.ways(rolled) for rolled in more}
        return found

    def ways(self, rolled: Hand) -> int:
        """In how many ways the sides of dice show a hand."""
        return _orders(rolled) * prod(self.sides.count(face) for face in rolled)

    # In floating point

    def in_floats(self, names: tuple[str, ...]) -> float:
        """The best expected total, set by set of open boxes, fewest first; by upper total, those that do not occur left empty."""
        paid = [np.array([self.scores(box, hand) for hand in self.hands]) for box in names]
        most = sum(FACES[box] * self.dice for box in names if box in FACES)
        rolls = self.rerolls * len(names) if self.saves else 0
        worth = np.full((1 << len(names), rolls + 1, most + 1), np.nan)
        worth[0] = [self.bonus(upper) for upper in range(most + 1)]
        for opened in sorted(range(1, 1 << len(names)), key=int.bit_count):
            boxes = [i for i in range(len(names)) if opened >> i & 1]
            totals = self.totals([box for i, box in enumerate(names) if box in FACES and i not in boxes])
            filled = len(names) - len(boxes)
            best = np.full((len(self.hands), len(totals)), -np.inf)
            for left in range(self.rerolls * (filled + 1 if self.saves else 1) + 1):
                best = np.max((self.chances @ best)[self.choices], axis=1) if left else best
                for i in boxes:
                    after = totals + paid[i][:, None] * (names[i] in FACES)
                    best = np.maximum(best, paid[i][:, None] + worth[opened & ~(1 << i), left if self.saves else 0][after])
                if left >= self.rerolls:
                    worth[opened, left - self.rerolls, totals] = self.chances[0] @ best
        return float(worth[-1, 0, 0])

    def totals(self, filled: list[str]) -> npt.NDArray[np.int64]:
        """The upper totals that some boxes may hold."""
        found = {0}
        for box in filled:
            found = {total + FACES[box] * n for total in found for n in range(self.dice + 1)}
        return np.array(sorted(found))

    @cached_property
    def chances(self) -> npt.NDArray[np.float64]:
        place = {hand: i for i, hand in enumerate(self.hands)}
        found = np.zeros((len(self.keeps), len(self.hands)))
        for row, keep in enumerate(self.keeps):
            for hand, ways in self.rolls[keep].items():
                found[row, place[hand]] = ways / len(self.sides) ** (self.dice - len(keep))
        return found

    @cached_property
    def choices(self) -> npt.NDArray[np.int64]:
        """By hand the keeps to choose from, the last one repeated where there are few."""
        place = {keep: i for i, keep in enumerate(self.keeps)}
        rows = [[place[keep] for keep in self.kept_of[hand]] for hand in self.hands]
        return np.array([row + row[-1:] * (2**self.dice - len(row)) for row in rows])


def _orders(rolled: Hand) -> int:
    """In how many orders dice can fall."""
    return factorial(len(rolled)) // prod(factorial(n) for n in Counter(rolled).values())


def picked(hand: Hand, way: tuple[int, ...]) -> Hand:
    return tuple(face for face, taken in zip(hand, way, strict=True) if taken)
