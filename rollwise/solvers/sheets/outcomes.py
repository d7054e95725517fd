"""What turns of a score sheet lead to under a strategy: the chance of every effect.

A strategy is either uniformly random or follows what effects are worth (`effect_values`): by the solution's own values it is
the best one, by the gain alone greed for the turn. The turn is first solved backwards by these values, then followed forwards:
hands by their chances, kept dice completed one die at a time, until a box is filled.

Actions are listed as the game lists them, boxes in order and then keeps, and the first within a relative 1e-9
of the best is taken, so that decisions are those of every other engine. Two kernels share this contract: NumPy (here), for sheets
so small that a compiler would take longer, and Numba (`outcomes_numba`).
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.lattice import Lattice, keep_rows
from rollwise.solvers.sheets.turn_table import TurnTable

__all__ = ["Begins", "ChancesKernel", "PushKernel", "numpy_chances", "numpy_push", "turn_ends"]

ChancesKernel = Callable[[SheetArrays, Ints, Floats | None, float], Floats]
"""Called with (arrays, open boxes, worth by effect and lane, width of a tie): gives the chance by lane and effect.

Without a worth, None, it is random.
"""
PushKernel = Callable[[Floats, Floats, Ints, Ints, Floats, Floats], None]
"""Called with (mass, chance, target, shift, out, effect mass): passes score distributions on to what effects lead to."""

Begins = Mapping[int, tuple[int, Floats]]
"""Where following a turn begins: by the rerolls left after the roll that comes, what is kept, and the mass of it by lane."""

LANES = 64


def numpy_chances(arrays: SheetArrays, opened: Ints, worth: Floats | None, tie: float = TIE) -> Floats:
    """Give, for every turn and effect, the chance that the turn ends with it: many turns at a time."""
    out = np.zeros((len(arrays.effect_gain), len(opened)))
    for begin in range(0, len(opened), LANES):
        part = slice(begin, begin + LANES)
        if worth is None:
            _follow_random(arrays, opened[part], out[:, part])
        else:
            _follow_values(arrays, opened[part], worth[:, part], out[:, part], tie)
    return out.T


def _follow_values(arrays: SheetArrays, opened: Ints, worth: Floats, out: Floats, tie: float) -> None:
    """Take with every hand the first action that ties with the best, and add up the chance of each effect."""
    table = TurnTable(arrays, opened, worth, tie)
    for _, effect, mass in turn_ends(table, {arrays.rerolls: (0, np.ones(len(opened)))}):
        _add(out, effect, mass)


def turn_ends(table: TurnTable, begin: Begins) -> Iterator[tuple[int, Ints, Floats]]:
    """Follow the choices of turns forwards.

    Yields for each number of rerolls left, most first, the effects of the hands that fill a box, and their mass; else it is 0.
    """
    arrays, net = table.arrays, table.arrays.lattice
    most = max(begin)
    rolled = np.zeros((len(net.keeps), len(begin[most][1])))
    for left in range(most, -1, -1):
        if left in begin:
            keep, more = begin[left]
            rolled[keep] += more
        _complete(net, rolled)
        mass, chosen = rolled[net.first_hand :], table.choice(left)
        chosen = chosen if chosen.ndim == 2 else chosen[:, None]
        fills = chosen < arrays.n_boxes
        effects = table.effects_at(left)
        where = np.where(fills, chosen, 0)
        effect = np.take_along_axis(effects if effects.ndim == 3 else effects[:, :, None], where[None], axis=0)[0]
        yield left, np.where(fills, effect, 0), np.where(fills, mass, 0.0)
        rolled = np.zeros(rolled.shape)
        if left:
            kept = table.keeps[np.arange(len(chosen))[:, None], np.where(fills, 0, chosen - arrays.n_boxes)]
            _add(rolled, kept, np.where(fills, 0.0, mass))


def _follow_random(arrays: SheetArrays, opened: Ints, out: Floats) -> None:
    """Take every action with the same chance, and add up the chance of each effect."""
    net, effect = arrays.lattice, arrays.effects(opened)
    keeps = keep_rows(net)
    rolled = np.zeros((len(net.keeps), len(opened)))
    rolled[0] = 1.0
    for left in range(arrays.rerolls, -1, -1):
        _complete(net, rolled)
        n_keeps = (keeps >= 0).sum(axis=1) if left else np.zeros(net.n_hands, dtype=np.int64)
        effects = arrays.at(effect, left, 1)
        share = rolled[net.first_hand :] / ((effects >= 0).sum(axis=0) + n_keeps[:, None])
        for one in effects:
            _add(out, np.maximum(one, 0), np.where(one >= 0, share, 0.0))
        rolled = np.zeros(rolled.shape)
        if left:
            for kept in keeps.T[:, :, None]:
                _add(rolled, np.maximum(kept, 0), np.where(kept >= 0, share, 0.0))


def _add(table: Floats, row: Ints, number: Floats) -> None:
    """Add numbers to rows of a table, some of them several times; lanes are the last axis of all three."""
    rows, lanes = table.shape
    place = np.broadcast_to(row * lanes + np.arange(lanes), number.shape)
    table += np.bincount(place.ravel(), number.ravel(), rows * lanes).reshape(rows, lanes)


def _complete(net: Lattice, mass: Floats) -> None:
    """Roll the dice that are not kept, one at a time: pass the mass of every keep on to one more die."""
    for low, high in zip(net.size_start[:-2], net.size_start[1:-1], strict=True):
        for face in range(net.faces):
            mass[net.more[low:high, face]] += mass[low:high] * net.share[face % len(net.share)]


def numpy_push(mass: Floats, chance: Floats, target: Ints, shift: Ints, out: Floats, effect_mass: Floats) -> None:
    """Pass score distributions on: out[target[i, e]] += chance[i, e] * mass[i], moved by shift[i, e] points."""
    effect_mass += chance * mass.sum(axis=1)[:, None]
    live = mass != 0.0
    first, end = live.argmax(axis=1).tolist(), (mass.shape[1] - live[:, ::-1].argmax(axis=1)).tolist()
    for i, effect in zip(*map(np.ndarray.tolist, np.nonzero(chance * live.any(axis=1)[:, None])), strict=True):
        low, high, moved = first[i], end[i], int(shift[i, effect])
        out[target[i, effect], low + moved : high + moved] += chance[i, effect] * mass[i, low:high]
