"""What recorded rolls say about a die: the chance of each face, how well it is known, and whether the die may be fair.

Before any roll all dice count as equally likely (a flat Dirichlet prior). After n rolls of a die with k faces, c of them showing
a face, the chance of this face has the distribution Beta(c + 1, n - c + k - 1), with the mean (c + 1) / (n + k).

The test of fairness compares the sum of (c - n/k)^2 / (n/k) with what a fair die gives. With few rolls the chance of a sum at
least as large is counted exactly, over all series of rolls; otherwise it is that of the chi-square distribution.
"""

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb

from rollwise.errors import GameError, brief
from rollwise.model.message import Message
from rollwise.model.weights import Faces, reduce_weights

__all__ = ["DieEstimate", "FaceEstimate", "read_rolls"]

FEWEST_FACES = 6
MOST_FACES = 100
MOST_ROLLS = 10**9
MOST_WEIGHT = 1_000
"""What the weights of a measured die add up to at most: more digits than rolls can tell, and several dice are thrown at once."""
EXPECTED = 5
EXACT_ROLLS = 40
DOUBTFUL, HARDLY = 0.05, 0.001
LEVEL = 0.95
COUNTED = re.compile(r"(\d{1,3})[:=](\d{1,10})")


def read_rolls(text: str) -> tuple[int, ...]:
    """Read rolls, `3 5 6 6 1`, or how often each face came, `1:10 2:12 6:20`: how often each face came, from 1 on.

    >>> read_rolls("3, 5, 6 6 1"), read_rolls("1:10 4:7")
    ((1, 0, 1, 0, 1, 2), (10, 0, 0, 7, 0, 0))

    A face without a count came never; a die has six faces, or as many as the highest one that is named. Raises `GameError`.
    """
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    pairs = [COUNTED.fullmatch(word) for word in words]
    counted = bool(words) and all(pairs)
    bad = next(
        (word for word, pair in zip(words, pairs, strict=True) if not counted and not re.fullmatch(r"\d{1,3}", word)), None
    )
    if not words or bad is not None:
        came = "nothing" if bad is None else brief(bad)
        raise GameError(f"the rolls of a die: expected faces such as 3 5 6 6 1, or counts such as 1:10 2:12 6:20, got {came}")
    counts: Counter[int] = Counter()
    for word, pair in zip(words, pairs, strict=True):
        counts[int(pair[1] if pair else word)] += int(pair[2]) if pair else 1
    outside = next((face for face in counts if not 1 <= face <= MOST_FACES), None)
    if outside is not None:
        raise GameError(f"a die shows {outside}: expected faces from 1 to {MOST_FACES}, with blanks between rolls")
    if not 1 <= counts.total() <= MOST_ROLLS:
        raise GameError(f"{counts.total():,} rolls of a die: expected 1 to {MOST_ROLLS:,}")
    return tuple(counts[face] for face in range(1, max(FEWEST_FACES, *counts) + 1))


@dataclass(frozen=True)
class FaceEstimate:
    """What is known of one face: how often it came, its mean chance, and the interval that holds it with a chance of 95 %."""

    face: int
    count: int
    chance: Fraction
    low: float
    high: float


@dataclass(frozen=True)
class DieEstimate:
    """A die by its recorded rolls: how often each face came, from 1 on.

    >>> found = DieEstimate((8, 9, 12, 9, 10, 24))
    >>> found.rolls, found.weights, round(found.p_value, 4)
    (72, (9, 10, 13, 10, 11, 25), 0.0097)
    """

    counts: tuple[int, ...]

    @property
    def rolls(self) -> int:
        """How many rolls were recorded."""
        return sum(self.counts)

    @property
    def faces(self) -> tuple[FaceEstimate, ...]:
        """What is known of each face."""
        from scipy.special import betaincinv  # noqa: PLC0415  (slow to load, and used here only)

        rolls, number, tail = self.rolls, len(self.counts), (1 - LEVEL) / 2
        return tuple(
            FaceEstimate(
                face, count, Fraction(count + 1, rolls + number),
                *(float(betaincinv(count + 1, rolls - count + number - 1, part)) for part in (tail, 1 - tail)),
            )
            for face, count in enumerate(self.counts, 1)
        )  # fmt: skip

    @property
    def weights(self) -> Faces:
        """The mean chances as weights of a die; of many rolls rounded to a sum of about 1,000."""
        weights = [count + 1 for count in self.counts]
        total = sum(weights)
        if total > MOST_WEIGHT:
            weights = [max(1, round(MOST_WEIGHT * weight / total)) for weight in weights]
        return reduce_weights(weights)

    @property
    def is_counted(self) -> bool:
        """Whether the test of fairness is exact."""
        return self.rolls < EXPECTED * len(self.counts) and self.rolls <= EXACT_ROLLS

    @cached_property
    def p_value(self) -> float:
        """How often a fair die gives counts that are at least as uneven."""
        squares = sum(count**2 for count in self.counts)
        if self.is_counted:
            return float(_counted_tail(self.rolls, len(self.counts), squares))
        from scipy.special import gammaincc  # noqa: PLC0415

        number = len(self.counts)
        return float(gammaincc((number - 1) / 2, (number * squares / self.rolls - self.rolls) / 2))

    @property
    def verdict(self) -> Message:
        """Whether the die may be fair, in a sentence."""
        kind = "fair" if self.p_value >= DOUBTFUL else "unclear" if self.p_value >= HARDLY else "loaded"
        return Message(f"die.{kind}", {"chance": self.p_value, "n": self.rolls})


def _counted_tail(rolls: int, faces: int, squares: int) -> Fraction:
    """Give the chance that the counts of a fair die have at least this sum of squares: face by face, over all counts."""
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for _ in range(faces):
        after: Counter[tuple[int, int]] = Counter()
        for (used, total), number in ways.items():
            for count in range(rolls - used + 1):
                after[used + count, total + count**2] += number * comb(rolls - used, count)
        ways = after
    return Fraction(sum(number for (used, total), number in ways.items() if used == rolls and total >= squares), faces**rolls)
