"""One turn, and all turns of a layer, compiled.

For a turn start x with the value v, and positions y of that turn in an order in which every move leads back:

    kept[y]  = value of the turn start y
    again[y] = lost * v + sum over rolls of chance * min over moves of best[y after it]
    best[y]  = min(kept[y], again[y])

and v = 1 + again[x]. As a function of v the right side is concave and piecewise linear, with the chance to lose the turn as its
slope; Newton's method ends after a few steps, from above from its second on.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.compiling import compiled, inner
from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.climbing.arrays import Menus

__all__ = ["BoardTable", "follow_turn", "solve_starts", "walk_turn"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

CLOSE = 1e-14
"""A turn start is done when its equation holds up to this, relatively."""
MOST_STEPS = 100
ALL_LOST = 1.0 - 1e-9


class BoardTable(NamedTuple):
    """What kernels read of a board."""

    length: Ints
    stride: Ints
    groups: Ints
    markers: int
    to_win: int
    most_moves: int
    menus: Menus


# Inner functions take single arrays, and none is called in the hottest loop: handing arrays over costs more than they do.


@inner
def _read_start(length: Ints, stride: Ints, start: int, left: Ints) -> tuple[int, int]:
    """Write the steps left in each column; give the mask of the finished ones, and how many they are."""
    finished = n_finished = 0
    for c in range(len(length)):
        left[c] = length[c] - start // stride[c] % (length[c] + 1)
        if left[c] == 0:
            finished |= 1 << c
            n_finished += 1
    return finished, n_finished


@inner
def _read_group(row: Ints, left: Ints, group: Ints) -> tuple[int, int]:
    """Write the columns of a set of markers; give how many they are, and their mask, -1 if one of them is closed."""
    n = mask = 0
    while n < len(row) and row[n] >= 0:
        group[n] = row[n]
        if left[group[n]] == 0:
            return n, -1
        mask |= 1 << group[n]
        n += 1
    return n, mask


@inner
def _closed(group: Ints, n: int, up: Ints, left: Ints) -> int:
    """Give the mask of the markers at the top."""
    mask = 0
    for i in range(n):
        if up[i] == left[group[i]]:
            mask |= 1 << group[i]
    return mask


@inner
def _target(a: int, b: int, code: int, stride: Ints, group: Ints, n: int, up: Ints, left: Ints) -> int:
    """Give the code that a move leads to: two equal sums are two steps, if they are left."""
    to: int = code + stride[a]
    if b != a:
        return to + stride[b] if b >= 0 else to
    above = left[a]
    for i in range(n):
        if group[i] == a:
            above -= up[i]
    return to + stride[a] if above > 1 else to


@compiled
def walk_turn(table: BoardTable, value: Floats, start: int, worth: float, best: Floats, again: Floats, lost: Floats) -> None:
    """Compute a turn whose start is worth `worth`.

    Writes at the code of each position of the turn the best that can be had, what rolling on is worth, and the chance that then
    the turn is lost, now or later.
    """
    length, stride, menus = table.length, table.stride, table.menus
    columns, everything = len(length), (1 << len(length)) - 1
    left, group, up = np.empty(columns, np.int64), np.empty(columns, np.int64), np.empty(columns, np.int64)
    found, risk = np.empty(table.most_moves), np.empty(table.most_moves)
    to_win = table.to_win
    finished, n_finished = _read_start(length, stride, start, left)
    for g in range(len(table.groups)):
        n, mask = _read_group(table.groups[g], left, group)
        if mask < 0:
            continue
        within = mask if n == table.markers else everything
        code = start
        for i in range(n):
            up[i] = left[group[i]]
            code += up[i] * stride[group[i]]
        more = True
        while more:
            closed, n_closed = finished, n_finished
            for i in range(n):
                if up[i] == left[group[i]]:
                    closed |= 1 << group[i]
                    n_closed += 1
            if n_closed >= to_win:
                best[code], again[code], lost[code] = 0.0, 0.0, 0.0
            else:
                menu = menus.number[mask, within & ~closed]
                first = menus.move_start[menu]
                for m in range(first, menus.move_start[menu + 1]):
                    a, b = menus.first[m], menus.second[m]
                    to = code + stride[a]
                    if b == a:
                        above = left[a]
                        for i in range(n):
                            if group[i] == a:
                                above -= up[i]
                        if above > 1:
                            to += stride[a]
                    elif b >= 0:
                        to += stride[b]
                    found[m - first], risk[m - first] = best[to], lost[to]
                rolled, slope = menus.lost[menu] * worth, menus.lost[menu]
                for r in range(menus.roll_start[menu], menus.roll_start[menu + 1]):
                    k = menus.offer[menus.offer_start[r]]
                    for o in range(menus.offer_start[r] + 1, menus.offer_start[r + 1]):
                        if found[menus.offer[o]] < found[k]:
                            k = menus.offer[o]
                    rolled += menus.chance[r] * found[k]
                    slope += menus.chance[r] * risk[k]
                again[code] = rolled
                keep = n > 0 and value[code] <= rolled
                best[code] = value[code] if keep else rolled
                lost[code] = 0.0 if keep else slope
            # On to the next position of these markers: all ups from the highest to (1, ..., 1).
            i = n - 1
            while i >= 0 and up[i] == 1:
                up[i] = left[group[i]]
                code += (up[i] - 1) * stride[group[i]]
                i -= 1
            more = i >= 0
            if more:
                up[i] -= 1
                code -= stride[group[i]]


@inner
def _guess(table: BoardTable, value: Floats, start: int) -> float:
    """Guess a value from later ones, as if the two columns with most steps left did as much together as each alone."""
    a = b = most = second = 0
    for c in range(len(table.length)):
        left = table.length[c] - start // table.stride[c] % (table.length[c] + 1)
        if left > most:
            a, b, most, second = c, a, left, most
        elif left > second:
            b, second = c, left
    one, other = start + table.stride[a], start + table.stride[b]
    alone = 1.0 + float(value[one])
    together = float(value[one] + value[other] - value[other + table.stride[a]])
    return max(1.0, together) if second > 1 else alone


@compiled
def solve_starts(table: BoardTable, value: Floats, codes: Ints) -> float:
    """Write the values of some turn starts, all later ones known; give the largest relative residual that is left."""
    best, again, lost = np.empty(len(value)), np.empty(len(value)), np.empty(len(value))
    residual = 0.0
    for start in codes:
        worth, off = _guess(table, value, start), 0.0
        for _ in range(MOST_STEPS):
            walk_turn(table, value, start, worth, best, again, lost)
            off = 1.0 + again[start] - worth
            if abs(off) <= CLOSE * worth:
                break
            # Of a guess far too low it seems best to roll until the turn is lost, and there is no step to take from there.
            worth = 2 * worth + 1 if lost[start] > ALL_LOST else worth + off / (1.0 - lost[start])
        residual = max(residual, abs(off) / worth)
        value[start] = worth
    return residual


@compiled
def follow_turn(
    table: BoardTable, value: Floats, start: int, begin: int, again: Floats, mass: Floats, kept: Floats, codes: Ints
) -> tuple[int, float]:
    """Follow a turn from a roll at `begin`: writes the chance to stop at each code, and the codes where that is possible.

    Of moves within a relative 1e-9 of the best the first one is made, and of stopping and rolling on the former. `mass` and
    `kept` come as zeros, and `mass` leaves so. Gives the number of codes, and the chance that the turn is lost.
    """
    length, stride, menus = table.length, table.stride, table.menus
    columns, everything = len(length), (1 << len(length)) - 1
    left, group, up = np.empty(columns, np.int64), np.empty(columns, np.int64), np.empty(columns, np.int64)
    to = np.empty(table.most_moves, np.int64)
    finished, _ = _read_start(length, stride, start, left)
    n_codes, bust = 0, 0.0
    mass[begin] = 1.0
    for g in range(len(table.groups) - 1, -1, -1):
        n, mask = _read_group(table.groups[g], left, group)
        if mask < 0:
            continue
        within = mask if n == table.markers else everything
        code = start
        for i in range(n):
            up[i] = 1
            code += stride[group[i]]
        more = True
        while more:
            here = mass[code]
            menu = menus.number[mask, within & ~(finished | _closed(group, n, up, left))]
            if here > 0:
                mass[code] = 0.0
                bust += here * menus.lost[menu]
                first = menus.move_start[menu]
                for m in range(first, menus.move_start[menu + 1]):
                    to[m - first] = _target(menus.first[m], menus.second[m], code, stride, group, n, up, left)
                for r in range(menus.roll_start[menu], menus.roll_start[menu + 1]):
                    best = np.inf
                    for o in range(menus.offer_start[r], menus.offer_start[r + 1]):
                        k = to[menus.offer[o]]
                        best = min(best, value[k], again[k])
                    for o in range(menus.offer_start[r], menus.offer_start[r + 1]):
                        k = to[menus.offer[o]]
                        if value[k] - best <= TIE * best:
                            if kept[k] == 0:
                                codes[n_codes] = k
                                n_codes += 1
                            kept[k] += here * menus.chance[r]
                            break
                        if again[k] - best <= TIE * best:
                            mass[k] += here * menus.chance[r]
                            break
            i = n - 1
            while i >= 0 and up[i] == left[group[i]]:
                code -= (up[i] - 1) * stride[group[i]]
                up[i] = 1
                i -= 1
            more = i >= 0
            if more:
                up[i] += 1
                code += stride[group[i]]
    return n_codes, bust
