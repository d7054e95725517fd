"""Sweeps over the positions of two stages that lead to one another.

With V(s) the worth of a position to the side to move, and c what both win together,

    V(s) = sum over rolls of chance * max over moves of (V(s') if the mover rolls again, else c - V(s')).

Positions are sorted by how far both sides still have to go. Every move but a capture, and but a pass, leads nearer to the end; so
one sweep from the end backwards carries values along any line of play without captures. A pass leads to the same position
from the other side, so the two positions are computed together: two equations with two unknowns.

All positions of a layer, which are as far from the end, are independent, as a capture may lead to the same layer but reads the
value there from before the sweep (`old`). So the result is the same for any number of threads.
"""

import numpy as np

from rollwise.solvers.base.compiling import compiled_plainly, inlined
from rollwise.solvers.boards.moves import finish, number, play

__all__ = ["check", "count_layers", "list_layers", "sweep", "sweep_turns"]

HALF = 16
LOW = (1 << HALF) - 1


@inlined
def _value(t, v, old, low, togo, far, own, other, left, other_left):
    """Give what the rolls with a move are worth in all, and the chance of those without."""
    mean, passed = 0.0, 0.0
    for roll in range(len(t.chance)):
        best, rank = 0.0, 0
        for k in range(t.top.shape[1]):
            if t.top[roll, k] < rank or t.top[roll, k] == 0:
                break
            found, mine, theirs, mine_left, again = play(t, own, other, left, roll, k)
            if found == 0 or found < rank:
                continue
            if mine_left == 0:
                worth = finish(t, theirs, other_left)
            elif again:
                worth = v[number(t, mine, theirs, mine_left, other_left)]
            else:
                place = number(t, theirs, mine, other_left, mine_left)
                if mine_left == left and togo[mine] + togo[theirs] == far:
                    worth = t.total - old[place - low]
                else:
                    worth = t.total - v[place]
            if found > rank or worth > best:
                best, rank = worth, found
        if rank:
            mean += t.chance[roll] * best
        else:
            passed += t.chance[roll]
    return mean, passed


@compiled_plainly
def sweep(t, v, old, low, togo, positions, begin, end, left, other_left):
    """Compute positions of a layer, or of several in order, each with the one that a pass leads to; give the largest change.

    `positions[begin:end]` holds the two codes of each; `old[place - low]` is the value before the sweep.
    """
    change = 0.0
    for i in range(begin, end):
        own, other = np.int64(positions[i] >> HALF), np.int64(positions[i] & LOW)
        far = togo[own] + togo[other]
        mean, passed = _value(t, v, old, low, togo, far, own, other, left, other_left)
        back, back_passed = _value(t, v, old, low, togo, far, other, own, other_left, left)
        here, there = number(t, own, other, left, other_left), number(t, other, own, other_left, left)
        value = (mean + passed * (t.total - back - back_passed * t.total)) / (1.0 - passed * back_passed)
        after = back + back_passed * (t.total - value)
        change = max(change, abs(value - v[here]), abs(after - v[there]))
        v[here] = value
        v[there] = after
    return change


@inlined
def _turns(t, v, w, old, low, togo, far, near, own, other, left, other_left):
    """Give the mean of `w` after the rolls with a move, the largest among moves that are as good up to `near`."""
    mean, passed = 0.0, 0.0
    for roll in range(len(t.chance)):
        best, rank, most = 0.0, 0, 0.0
        for k in range(t.top.shape[1]):
            if t.top[roll, k] < rank or t.top[roll, k] == 0:
                break
            found, mine, theirs, mine_left, again = play(t, own, other, left, roll, k)
            if found == 0 or found < rank:
                continue
            place = -1
            if mine_left == 0:
                worth = finish(t, theirs, other_left)
            elif again:
                place = number(t, mine, theirs, mine_left, other_left)
                worth = v[place]
            else:
                place = number(t, theirs, mine, other_left, mine_left)
                worth = t.total - v[place]
            turns = 0.0
            if place >= 0 and mine_left == left:
                turns = old[place - low] if togo[mine] + togo[theirs] == far else w[place - low]
            if found > rank or worth > best + near:
                best, rank, most = worth, found, turns
            elif worth > best - near:
                best, most = max(best, worth), max(most, turns)
        if rank:
            mean += t.chance[roll] * most
        else:
            passed += t.chance[roll]
    return mean, passed


@compiled_plainly
def sweep_turns(t, v, w, old, low, togo, near, positions, begin, end, left, other_left):
    """Compute `w`, one more than its mean over rolls, as `sweep` does; give the largest change and the largest value."""
    change, most = 0.0, 0.0
    for i in range(begin, end):
        own, other = np.int64(positions[i] >> HALF), np.int64(positions[i] & LOW)
        far = togo[own] + togo[other]
        mean, passed = _turns(t, v, w, old, low, togo, far, near, own, other, left, other_left)
        back, back_passed = _turns(t, v, w, old, low, togo, far, near, other, own, other_left, left)
        here = number(t, own, other, left, other_left) - low
        there = number(t, other, own, other_left, left) - low
        value = (1.0 + mean + passed * (1.0 + back)) / (1.0 - passed * back_passed)
        after = 1.0 + back + back_passed * value
        change = max(change, abs(value - w[here]), abs(after - w[there]))
        most = max(most, value, after)
        w[here] = value
        w[there] = after
    return change, most


@inlined
def _bounds(t, v, w, low, slope, own, other, left, other_left):
    """Apply one turn to v - slope * w and to v + slope * w."""
    under, over = 0.0, 0.0
    for roll in range(len(t.chance)):
        least, most, rank = 0.0, 0.0, 0
        for k in range(t.top.shape[1]):
            if t.top[roll, k] < rank or t.top[roll, k] == 0:
                break
            found, mine, theirs, mine_left, again = play(t, own, other, left, roll, k)
            if found == 0 or found < rank:
                continue
            place = -1
            if mine_left == 0:
                worth = finish(t, theirs, other_left)
            elif again:
                place = number(t, mine, theirs, mine_left, other_left)
                worth = v[place]
            else:
                place = number(t, theirs, mine, other_left, mine_left)
                worth = t.total - v[place]
            wide = slope * w[place - low] if place >= 0 and mine_left == left else 0.0
            if found > rank:
                least, most, rank = worth - wide, worth + wide, found
            else:
                least, most = max(least, worth - wide), max(most, worth + wide)
        if rank == 0:
            place = number(t, other, own, other_left, left)
            wide = slope * w[place - low]
            least, most = t.total - v[place] - wide, t.total - v[place] + wide
        under += t.chance[roll] * least
        over += t.chance[roll] * most
    return under, over


@compiled_plainly
def check(t, v, w, low, slope, positions, begin, end, left, other_left):
    """Give by how much one turn leaves the bounds at worst: 0 or less where it leads to tighter ones everywhere."""
    worst = -np.inf
    for i in range(begin, end):
        own, other = np.int64(positions[i] >> HALF), np.int64(positions[i] & LOW)
        for _side in range(2):
            under, over = _bounds(t, v, w, low, slope, own, other, left, other_left)
            place = number(t, own, other, left, other_left)
            wide = slope * w[place - low]
            worst = max(worst, v[place] - wide - under, over - v[place] - wide)
            own, other, left, other_left = other, own, other_left, left
    return worst


@compiled_plainly
def count_layers(togo, blocked, bits, sides, others, same, count):
    """Count positions by how far both sides have to go. `bits[own] & blocked[other]` is where sides share a square."""
    for own in sides:
        for other in others:
            if (not same or own >= other) and not bits[own] & blocked[other]:
                count[togo[own] + togo[other]] += 1


@compiled_plainly
def list_layers(togo, blocked, bits, sides, others, same, place, positions):
    """List positions by layer; `place` is where the next of each layer goes. Of two that a pass joins one is listed."""
    for own in sides:
        for other in others:
            if (not same or own >= other) and not bits[own] & blocked[other]:
                layer = togo[own] + togo[other]
                positions[place[layer]] = (own << HALF) | other
                place[layer] += 1


@compiled_plainly
def sweep_ends(t, ends, low, positions, left, other_left):
    """Mark positions of a stage and its mirror image from which some rolls end it, whatever is played; give how many are new.

    `ends[place - low]` is 1 where that is known: a roll all of whose moves lead there, or to a stage nearer to the end, will do.
    """
    new = 0
    for i in range(len(positions)):
        own, other = np.int64(positions[i] >> HALF), np.int64(positions[i] & LOW)
        for _ in range(2):
            for _ in range(2):
                here = number(t, own, other, left, other_left) - low
                if not ends[here] and _ends(t, ends, low, own, other, left, other_left):
                    ends[here] = 1
                    new += 1
                own, other, left, other_left = other, own, other_left, left
    return new


@inlined
def _ends(t, ends, low, own, other, left, other_left):
    for roll in range(len(t.chance)):
        rank, sure = 0, True
        for k in range(t.top.shape[1]):
            if t.top[roll, k] < rank or t.top[roll, k] == 0:
                break
            found, mine, theirs, mine_left, again = play(t, own, other, left, roll, k)
            if found == 0 or found < rank:
                continue
            if found > rank:
                rank, sure = found, True
            if mine_left == left:
                if again:
                    place = number(t, mine, theirs, mine_left, other_left)
                else:
                    place = number(t, theirs, mine, other_left, mine_left)
                sure = sure and ends[place - low] == 1
        if rank == 0:
            sure = ends[number(t, other, own, other_left, left) - low] == 1
        if sure:
            return True
    return False
