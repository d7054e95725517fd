"""The moves of boards in compiled scalar functions, for cores and, through `numba.cuda`, for GPUs.

A position is two codes of 16 bits, the side to move and the other one, with the number of checkers that each has left. `rolls`
and, for each, candidates k are tried in turn: `play` gives what comes of one, with a rank. Candidates of the highest rank are
the legal moves; rank 0 is no move, and if all have it the turn passes. Candidates that come to the same position do no harm.

Ur: bit s - 1 of a code is the square s of the side's own path. Candidate k moves the piece on square k; 0 enters one.
Hypergammon: a code is the points of up to three checkers, five bits each, the highest first; 25 is the bar.

The number of a position within its stage. Ur: squares that only one side uses are apart from shared ones. `base` is where the
positions with the same shared squares begin, which is a number in base 3; private squares count below it. `side_own` and
`side_other` hold, by code, the side's part of that number, the rank of its private squares among all sets of them, fewest first,
and how many of its checkers are on shared squares. Hypergammon: the ranks of the two sides among all of as many checkers.
"""

from typing import Any, NamedTuple

from rollwise.solvers.base.compiling import inlined

__all__ = ["BAR", "FIVE", "HOME", "HYPERGAMMON", "RANK_BITS", "SHARED_BITS", "UR", "Tables", "finish", "number", "play"]

UR, HYPERGAMMON = 0, 1
SHARED_BITS, RANK_BITS = 20, 6
BAR, HOME = 25, 6
FIVE = 31


class Tables(NamedTuple):
    """What the functions read of a board.

    `chance`, `first`, `second`: the rolls, with one or two dice. `top[roll, k]` is the highest rank that candidate k may have,
    falling in k. `start[left, other_left]` is where a stage begins among all values; `fan` counts what stands below a number.
    `again[square]`: a rosette. `meets[square]`: the opponent's number of a square, 0: none. `parts`: how many of four equal moves
    each checker makes. `total`: what both players win together.
    """

    kind: int
    pieces: int
    squares: int
    safe: int
    capture_again: int
    total: float
    chance: Any
    first: Any
    second: Any
    top: Any
    start: Any
    fan: Any
    side_own: Any
    side_other: Any
    base: Any
    on_board: Any
    meets: Any
    again: Any
    parts: Any


@inlined
def number(t, own, other, left, other_left):
    """Give the number of a position among all positions of all stages."""
    if t.kind == UR:
        one, two = t.side_own[own], t.side_other[other]
        shared = (one & ((1 << SHARED_BITS) - 1)) + (two & ((1 << SHARED_BITS) - 1))
        low = (1 << RANK_BITS) - 1
        free = other_left - (two >> (SHARED_BITS + RANK_BITS))
        place = t.base[left, other_left, shared] + ((one >> SHARED_BITS) & low) * t.fan[free] + ((two >> SHARED_BITS) & low)
        return t.start[left, other_left] + place
    return t.start[left, other_left] + t.side_own[own] * t.fan[other_left] + t.side_own[other]


@inlined
def finish(t, other, other_left):
    """Give what a player wins who has no checkers left, against what the other has."""
    if t.kind == UR:
        return t.total
    if other_left < t.pieces:
        return 1.0
    return 3.0 if (other >> 10) >= BAR - HOME else 2.0


@inlined
def play(t, own, other, left, roll, k):
    """Try a candidate: its rank, both sides after it, the mover's checkers left, and whether the mover rolls again."""
    if t.kind == UR:
        return _move_piece(t, own, other, left, t.first[roll], k)
    if t.first[roll] == t.second[roll]:
        return _play_double(t, own, other, left, t.first[roll], k)
    return _play_two(own, other, left, t.first[roll], t.second[roll], k)


@inlined
def _move_piece(t, own, other, left, steps, k):
    rest = own
    if k == 0:
        if t.on_board[own] >= left:
            return 0, own, other, left, 0
    else:
        if not (own >> (k - 1)) & 1:
            return 0, own, other, left, 0
        rest = own & ~(1 << (k - 1))
    to = k + steps
    if steps == 0 or to > t.squares + 1:
        return 0, own, other, left, 0
    if to == t.squares + 1:
        return 1, rest, other, left - 1, 0
    if (rest >> (to - 1)) & 1:
        return 0, own, other, left, 0
    again = t.again[to]
    met = t.meets[to]
    if met and (other >> (met - 1)) & 1:
        if t.safe and again:
            return 0, own, other, left, 0
        return 1, rest | (1 << (to - 1)), other & ~(1 << (met - 1)), left, again | t.capture_again
    return 1, rest | (1 << (to - 1)), other, left, again


@inlined
def _sort(a, b, c):
    """Give the code of three points."""
    if a < b:
        a, b = b, a
    if b < c:
        b, c = c, b
    if a < b:
        a, b = b, a
    return (a << 10) | (b << 5) | c


@inlined
def _step(own, other, place, die):
    """Move the checker at a place of the code (0: the highest) by a die: whether it can, and both sides after it."""
    a, b, c = own >> 10, (own >> 5) & FIVE, own & FIVE
    point = a if place == 0 else b if place == 1 else c
    if point == 0 or (a == BAR and point != BAR):
        return 0, own, other
    to = point - die
    if to <= 0:
        # Off: only with all checkers home, and with a larger die from the highest point only.
        if a > HOME or (to < 0 and point != a):
            return 0, own, other
        to = 0
    else:
        facing = BAR - to
        x, y, z = other >> 10, (other >> 5) & FIVE, other & FIVE
        met = int(x == facing) + int(y == facing) + int(z == facing)
        if met > 1:
            return 0, own, other
        if met:
            if x == facing:
                x = BAR
            elif y == facing:
                y = BAR
            else:
                z = BAR
            other = _sort(x, y, z)
    if place == 0:
        a = to
    elif place == 1:
        b = to
    else:
        c = to
    return 1, _sort(a, b, c), other


@inlined
def _left(own):
    return int(own >> 10 > 0) + int((own >> 5) & FIVE > 0) + int(own & FIVE > 0)


@inlined
def _play_two(own, other, left, high, low, k):
    """Play two dice, k from 0 to 17: which die first, and the places of the checkers that move."""
    first, second = (high, low) if k < 9 else (low, high)
    done, mine, theirs = _step(own, other, (k % 9) // 3, first)
    if not done:
        return 0, own, other, left, 0
    done, last, after = _step(mine, theirs, k % 3, second)
    if done:
        return 3, last, after, _left(last), 0
    return (2 if first == high else 1), mine, theirs, _left(mine), 0


@inlined
def _play_double(t, own, other, left, die, k):
    """Play a double: `parts[k]` says how often each checker moves, always the highest first of those that still do.

    That order is possible where any is: it enters from the bar first, and brings all home before any goes off.
    """
    a, b, c = own >> 10, (own >> 5) & FIVE, own & FIVE
    x, y, z = t.parts[k, 0], t.parts[k, 1], t.parts[k, 2]
    moves = x + y + z
    for _ in range(moves):
        # Checkers that stand together are alike: those that move more come first in `parts`.
        point = max(a if x else 0, b if y else 0, c if z else 0)
        if point == 0:
            return 0, own, other, left, 0
        code = _sort(a, b, c)
        place = 0 if code >> 10 == point else 1 if (code >> 5) & FIVE == point else 2
        done, code, other_after = _step(code, other, place, die)
        if not done:
            return 0, own, other, left, 0
        other = other_after
        to = max(point - die, 0)
        if x and a == point:
            a, x = to, x - 1
        elif y and b == point:
            b, y = to, y - 1
        else:
            c, z = to, z - 1
    mine = _sort(a, b, c)
    return moves, mine, other, _left(mine), 0
