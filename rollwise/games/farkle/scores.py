"""What dice score in Farkle and its kin: the rules as data, and the most that a set of dice is worth.

A set of dice scores if it can be split so that every die counts in some combination, and it is worth the best such split. Sources
of the rule sets, and the published figures that settle what they leave open, are in `games/farkle/rules.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

__all__ = ["FIFTY", "RULES", "Scores"]

More = Literal["none", "multiply", "double", "flat"]
Counts = tuple[int, ...]

FIFTY = 50
"""All points are multiples of this."""
IMPOSSIBLE = -1


@dataclass(frozen=True, kw_only=True)
class Scores:
    """Points of the combinations; 0: it does not count.

    >>> Scores().points((1, 1, 5)), Scores().points((2, 2, 2, 2)), Scores(more="double").points((2, 2, 2, 2))
    (250, 0, 400)

    `more` says what four, five and six alike are worth: nothing by themselves, two, three and four times the three ("multiply"),
    two, four and eight times ("double"), or 1000, 2000 and 3000 ("flat"). `nothing` is for six dice none of which scores; `least`
    is what a turn must have to be banked, `opening` what a player's first bank must have.
    """

    three_ones: int = 1000
    more: More = "none"
    straight: int = 0
    low_straight: int = 0
    high_straight: int = 0
    three_pairs: int = 0
    four_and_pair: int = 0
    two_triplets: int = 0
    nothing: int = 0
    least: int = 0
    opening: int = 0

    def points(self, dice: tuple[int, ...]) -> int:
        """Give what these dice are worth together, or 0 if they do not all count."""
        counts = tuple(dice.count(face) for face in range(1, 7))
        found = _most(self, counts)
        if found == IMPOSSIBLE and self.nothing and len(dice) == 6 and not self.scores_at_all(counts):
            return self.nothing
        return max(found, 0)

    def scores_at_all(self, counts: Counts) -> bool:
        """Say whether some dice count; without a 1 or a 5 that takes three alike, or a combination of all six."""
        return bool(counts[0] or counts[4] or max(counts) >= 3 or _most(self, counts) > 0)

    def combinations(self, counts: Counts) -> Iterator[tuple[Counts, int]]:
        """List combinations that are in these dice, with their points: those of many faces, and those with the lowest face."""
        dice = sum(counts)
        wholes = (
            (self.straight, counts == (1,) * 6),
            (self.three_pairs, dice == 6 and sorted(counts) == [0, 0, 0, 2, 2, 2]),
            (self.four_and_pair, dice == 6 and sorted(counts) == [0, 0, 0, 0, 2, 4]),
            (self.two_triplets, dice == 6 and sorted(counts) == [0, 0, 0, 0, 3, 3]),
        )
        yield from ((counts, points) for points, found in wholes if points and found)
        for points, run in ((self.low_straight, (1, 1, 1, 1, 1, 0)), (self.high_straight, (0, 1, 1, 1, 1, 1))):
            if points and all(have >= need for have, need in zip(counts, run, strict=True)):
                yield run, points
        face = next(place for place, number in enumerate(counts) if number) + 1
        for number in range(1, counts[face - 1] + 1):
            points = self.alike(face, number)
            if points:
                yield tuple(number * (place == face - 1) for place in range(6)), points

    def alike(self, face: int, number: int) -> int:
        """Give what so many dice of one face are worth as one combination."""
        if number == 1:
            return {1: 100, 5: 50}.get(face, 0)
        if number == 2 or (number > 3 and self.more == "none"):
            return 0
        three = self.three_ones if face == 1 else 100 * face
        if number == 3:
            return three
        return {"multiply": three * (number - 2), "double": three << number - 3, "flat": 1000 * (number - 3)}[self.more]


@lru_cache(maxsize=1 << 14)
def _most(scores: Scores, counts: Counts) -> int:
    """The best split of these dice; `IMPOSSIBLE` if some die is left over however they are split."""
    if not any(counts):
        return 0
    best = IMPOSSIBLE
    for used, points in scores.combinations(counts):
        rest = _most(scores, tuple(have - need for have, need in zip(counts, used, strict=True)))
        if rest != IMPOSSIBLE:
            best = max(best, points + rest)
    return best


RULES = {
    "basic": Scores(),
    "facebook": Scores(more="multiply", straight=1500, three_pairs=750),
    "patch": Scores(
        three_ones=300, more="flat", straight=1500, three_pairs=1500, four_and_pair=1500, two_triplets=2500, opening=500
    ),
    "kcd": Scores(more="double", straight=1500, low_straight=500, high_straight=750),
    "zilch": Scores(more="double", straight=1500, three_pairs=1500, four_and_pair=1500, nothing=500, least=300),
}
"""The rule sets by name."""
