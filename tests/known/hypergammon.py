"""Hypergammon from the mover's side: a side is the number of checkers on each of 26 points (0: off, 25: bar)."""

from functools import cache
from itertools import combinations_with_replacement, permutations

__all__ = ["value"]

Side = tuple[int, ...]
PAIRS = [(a, b) for a in range(1, 7) for b in range(1, 7)]


@cache
def ends(own: Side, other: Side, dice: tuple[int, ...]) -> frozenset[tuple[int, Side, Side]]:
    """Give both sides after playing the dice in this order as far as they can be played, with the number that were."""
    found: set[tuple[int, Side, Side]] = set()
    highest = max(point for point in range(26) if own[point])
    for point in range(1, 26) if dice else ():
        if not own[point] or (highest == 25 and point != 25):
            continue
        to = point - dice[0]
        if to <= 0 and (highest > 6 or (to < 0 and point != highest)):
            continue
        to = max(to, 0)
        opposed = other[25 - to] if to else 0
        if opposed > 1:
            continue
        mine, theirs = list(own), list(other)
        mine[point] -= 1
        mine[to] += 1
        if opposed:
            theirs[25 - to] -= 1
            theirs[25] += 1
        done = tuple(mine)
        rest = ends(done, tuple(theirs), dice[1:]) if any(done[1:]) else {(0, done, tuple(theirs))}
        found |= {(count + 1, a, b) for count, a, b in rest}
    return frozenset(found) or frozenset({(0, own, other)})


def results(own: Side, other: Side, a: int, b: int) -> set[tuple[Side, Side]]:
    """Give what may be made of a roll."""
    if a == b:
        found = ends(own, other, (a,) * 4)
        most = max(count for count, *_ in found)
        return {(mine, theirs) for count, mine, theirs in found if count == most}
    ways = {order: ends(own, other, order) for order in permutations((a, b))}
    most = max(count for found in ways.values() for count, *_ in found)
    if most == 1:
        ways = {order: found for order, found in ways.items() if max(count for count, *_ in found) == 1}
        ways = {max(ways): ways[max(ways)]}
    return {(mine, theirs) for found in ways.values() for count, mine, theirs in found if count == most}


def won(other: Side) -> float:
    """Give what a win is worth against what is left."""
    return 1.0 if other[0] else 3.0 if any(other[19:]) else 2.0


def value(checkers: int) -> float:
    """Give what the player who opens expects to win."""
    sides = []
    for points in combinations_with_replacement(range(26), checkers):
        counts = [0] * 26
        for point in points:
            counts[point] += 1
        sides.append(tuple(counts))
    alive = [side for side in sides if any(side[1:])]
    free = [(a, b) for a in alive for b in alive if not any(a[p] and b[25 - p] for p in range(1, 25))]
    worth = dict.fromkeys(free, 0.0)

    def play(own: Side, other: Side, a: int, b: int) -> float:
        after = results(own, other, a, b)
        return max(-worth[theirs, mine] if any(mine[1:]) else won(theirs) for mine, theirs in after)

    change = 1.0
    while change > 1e-13:
        change = 0.0
        for own, other in free:
            found = sum(play(own, other, a, b) for a, b in PAIRS) / len(PAIRS)
            change = max(change, abs(found - worth[own, other]))
            worth[own, other] = found
    start = tuple(int(24 - checkers < point < 25) for point in range(26))
    return sum(play(start, start, a, b) for a, b in PAIRS if a != b) / 30
