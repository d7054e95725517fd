"""Farkle from scratch: throws die by die, scoring by counts, one turn in fractions, the race until nothing changes."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import prod

__all__ = ["value"]

Throw = tuple[int, ...]
Die = tuple[int, ...]
Left = tuple[Die, ...]
Kind = tuple[tuple[Left, int], ...]

ALIKE = {"none": None, "multiply": (2, 3, 4), "double": (2, 4, 8), "flat": None}
RULES = {
    "basic": ("none", 1000, {}), "facebook": ("multiply", 1000, {"straight": 1500, "pairs": 750}),
    "patch": ("flat", 300, {"straight": 1500, "pairs": 1500, "four and two": 1500, "triplets": 2500}),
    "kcd": ("double", 1000, {"straight": 1500, "12345": 500, "23456": 750}),
    "zilch": ("double", 1000, {"straight": 1500, "pairs": 1500, "four and two": 1500, "nothing": 500}),
}  # fmt: skip


def score(dice: Throw, rules: str) -> int | None:
    """Give the most that all of these dice count together; None if one does not count."""
    more, three_ones, extra = RULES[rules]
    counts = Counter(dice)
    shape = sorted(counts.values())
    found = [
        extra[name]
        for name, fits in {
            "straight": shape == [1] * 6, "pairs": shape == [2, 2, 2], "four and two": shape == [2, 4],
            "triplets": shape == [3, 3],
        }.items() if fits and name in extra
    ]  # fmt: skip
    for run in ("12345", "23456"):
        rest = counts - Counter(map(int, run))
        if run in extra and rest.total() == len(dice) - 5:
            left = score(tuple(rest.elements()), rules) if rest else 0
            found += [] if left is None else [extra[run] + left]
    plain = [_face(face, number, more, three_ones) for face, number in counts.items()]
    found += [] if None in plain else [sum(filter(None, plain))]
    return max(found, default=None)


def _face(face: int, number: int, more: str, three_ones: int) -> int | None:
    """What the dice of one face count."""
    single, three = {1: 100, 5: 50}.get(face), three_ones if face == 1 else 100 * face
    ways = [] if single is None else [number * single]
    if number >= 3 and (number == 3 or single is not None):
        ways.append(three + (number - 3) * (single or 0))
    if number == 6:
        ways.append(2 * three)
    if number > 3 and more != "none":
        ways.append(1000 * (number - 3) if more == "flat" else three * ALIKE[more][number - 4])  # type: ignore[index]
    if number > 4 and more != "none" and single is not None:
        ways += [_face(face, k, more, three_ones) + (number - k) * single for k in (4, 5) if k < number]  # type: ignore[operator]
    return max(ways, default=None)


@cache
def kinds(left: Left, dice: Left, rules: str) -> dict[Kind, Fraction]:
    """The chance of every set of options (dice left, points) among the throws of the dice that are left."""
    found: Counter[Kind] = Counter()
    for throw in product(range(1, 7), repeat=len(left)):
        weight = prod(die[face - 1] for die, face in zip(left, throw, strict=True))
        if weight:
            found[options(throw, left, dice, rules)] += weight
    return {kind: Fraction(number, prod(map(sum, left))) for kind, number in found.items()}


@cache
def options(throw: Throw, thrown: Left, dice: Left, rules: str) -> Kind:
    """What may be set aside: the dice left, sorted, and the points."""
    found: set[tuple[Left, int]] = set()
    for size in range(1, len(throw) + 1):
        for taken in combinations(range(len(throw)), size):
            points = score(tuple(sorted(throw[place] for place in taken)), rules)
            if points is not None:
                found.add((tuple(die for place, die in enumerate(thrown) if place not in taken) or dice, points))
    if not found and len(throw) == 6 and "nothing" in RULES[rules][2]:
        found = {(dice, RULES[rules][2]["nothing"])}
    return tuple(sorted(found))


def value(
    players: int = 1, dice: int = 6, rules: str = "basic", target: int = 0, most: int = 0, opening: int = 0,
    weights: str = "1,1,1,1,1,1",
) -> Fraction | float:  # fmt: skip
    """Give the expected points of a turn that must end with `most` points, or the first player's chance in the race."""
    least = 300 if rules == "zilch" else 0
    each = [tuple(map(int, die.split(","))) for die in weights.split("/")]
    hand = tuple(sorted(each if len(each) > 1 else each * dice))
    return race(hand, rules, target, least, max(least, opening)) if players == 2 else turn(hand, rules, most, max(least, opening))


def parts(dice: Left) -> list[Left]:
    """List what can be left of some dice."""
    return sorted({left for size in range(1, len(dice) + 1) for left in combinations(dice, size)})


def turn(dice: Left, rules: str, most: int, needed: int) -> Fraction:
    """Give the expected points of a turn, from the most points down."""
    worth: dict[tuple[int, Left], Fraction] = {}
    for points in range(most - 50, -50, -50):
        for count in parts(dice):
            total = Fraction(0)
            for kind, chance in kinds(count, dice, rules).items():
                best = max((gain for _, gain in kind), default=0)
                ways = [Fraction(points + best)] if kind and points + best >= needed else []
                ways += [worth[points + gain, left] for left, gain in kind if points + gain < most]
                total += chance * max(ways, default=Fraction(0))
            worth[points, count] = total
    return worth[0, dice]


def race(dice: Left, rules: str, target: int, least: int, opening: int) -> float:
    """Give the first player's chance: sweeps over all positions from the mover's side until nothing changes."""
    chance: dict[tuple[int, int, int, Left], float] = {}
    scores = range(0, target, 50)
    table = {count: [(kind, float(part)) for kind, part in kinds(count, dice, rules).items()] for count in parts(dice)}

    def begin(own: int, other: int) -> float:
        return chance.get((own, other, 0, dice), 0.5)

    def best(own: int, other: int, points: int, kind: Kind) -> float:
        if not kind:
            return 1 - begin(other, own)
        total = points + max(gain for _, gain in kind)
        ways = [chance.get((own, other, points + gain, left), 0.0) for left, gain in kind]
        if total >= (least if own else opening):
            ways.append(1.0 if own + total >= target else 1 - begin(other, own + total))
        return max(ways)

    change = 1.0
    while change > 1e-13:
        change = 0.0
        for own, other in sorted(product(scores, scores), key=lambda pair: -sum(pair)):
            for points in range(max(target - own, least if own else opening) - 50, -50, -50):
                for count, rolls in table.items():
                    now = sum(part * best(own, other, points, kind) for kind, part in rolls)
                    change = max(change, abs(now - chance.get((own, other, points, count), 0.5)))
                    chance[own, other, points, count] = now
    return begin(0, 0)
