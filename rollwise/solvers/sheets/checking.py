"""Turns calculated in another way than the kernels do, for certificates: from whole hands and the ways to roll them.

The kernels go one die at a time. Here a keep is completed to every hand at once, so that nothing is shared with them but the
arrays of the sheet.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from rollwise.games.sheets.boxes import Hand
from rollwise.model.roll import dice
from rollwise.model.weights import roll_of
from rollwise.solvers.base.choosing import first_best
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.kernels.expected_exact import ExactSheet
from rollwise.solvers.sheets.lattice import Lattice, keep_rows

__all__ = ["chosen_by_hands", "exact_residual", "policy_by_hands", "sample_outer", "saved_by_hands", "turn_by_hands"]

SAMPLE = 8
ONE_IN = 32
"""Of so many values in fractions one is checked, at least the first: a check takes about as long as the value."""


def sample_outer(arrays: SheetArrays) -> tuple[Ints, Ints]:
    """Give outer states spread over the layers, always the same ones; the start is the first."""
    full = arrays.full
    spread = [] if arrays.in_order else [step * 2654435761 % full + 1 for step in range(1, SAMPLE)]
    if arrays.times:
        # A number below that of all boxes may hold more times of a box than there are.
        spread = [sum(min(mask & field, full & field) for field in arrays.field.tolist()) for mask in spread]
    opened = np.array([full, *spread], dtype=np.int64)
    carries = [arrays.carries(int(mask)) for mask in opened]
    return opened, np.array([own[step % len(own)] for step, own in enumerate(carries)])


def turn_by_hands(arrays: SheetArrays, fill: Floats) -> Floats:
    """Give the values of turns from what every hand is worth when a box must be filled."""
    weights, part = _completions(arrays.lattice)
    value = arrays.at(fill, 0)
    for left in range(1, arrays.rerolls + 1):
        expected = weights @ value
        filled = arrays.at(fill, left) if arrays.served else value
        value = np.maximum(filled, np.where(part[:, :, None], expected, -np.inf).max(axis=1))
    result: Floats = weights[0] @ value
    return result


def saved_by_hands(arrays: SheetArrays, fills: Iterable[Floats]) -> Iterator[Floats]:
    """Give the values of turns with 0, 1, ... rerolls, from what every hand is worth when a box is filled with so many left."""
    weights, part = _completions(arrays.lattice)
    value = np.full((arrays.lattice.n_hands, 1), -np.inf)
    for left, fill in enumerate(fills):
        kept = np.where(part[:, :, None], weights @ value, -np.inf).max(axis=1) if left else fill
        value = np.maximum(fill, kept)
        yield weights[0] @ value


def policy_by_hands(arrays: SheetArrays, guide: Floats, worth: Floats, opened: Ints, carry: Ints, *, random: bool) -> Floats:
    """Give what turns come to if the best by `guide`, or anything, is done with a hand, and outer states are worth `worth`."""
    keeps = keep_rows(arrays.lattice).T
    weights = _completions(arrays.lattice)[0]
    effect = arrays.effects(opened)
    fill, gained = (_fill(arrays, table, effect, opened, carry) for table in (guide, worth))
    values, along = arrays.at(fill, 0, 1), arrays.at(gained, 0, 1)
    for left in range(1, arrays.rerolls + 1):
        best, result = values.max(axis=0), _follow(values, along, random)
        none = np.full((1, len(opened)), -np.inf)
        values = np.concatenate([arrays.at(fill, left, 1), np.concatenate([weights @ best, none])[keeps]])
        along = np.concatenate([arrays.at(gained, left, 1), np.concatenate([weights @ result, none])[keeps]])
    found: Floats = weights[0] @ _follow(values, along, random)
    return found


def chosen_by_hands(
    arrays: SheetArrays, worth: Floats, opened: int, carry: int, names: Sequence[str], ask: Callable[[Hand, int], str | Hand]
) -> float:
    """Give what a turn comes to if with each hand that is done which `ask(hand, rolls left)` says."""
    net = arrays.lattice
    weights, value = _completions(net)[0], np.zeros(net.n_hands)
    for left in range(arrays.rerolls + 1):
        kept, value = weights @ value, np.zeros(net.n_hands)
        for place, hand in enumerate(net.keeps[net.first_hand :]):
            action = ask(hand, left)
            if not isinstance(action, str):
                value[place] = kept[net.number(action)]
                continue
            box = names.index(action)
            effect = dict(arrays.options(opened, arrays.column(place, left)))[box]
            value[place] = (
                arrays.effect_gain[effect, carry] + worth[arrays.after(opened, box), arrays.effect_target[effect, carry]]
            )
    return float(weights[0] @ value)


def _fill(arrays: SheetArrays, table: Floats, effect: Ints, opened: Ints, carry: Ints) -> Floats:
    """What filling a box with a hand comes to, by box, hand and outer state; minus infinity where it may not be filled."""
    after = arrays.after(opened, np.arange(arrays.n_boxes)[:, None, None])
    found: Floats = np.where(
        effect >= 0, arrays.effect_gain[effect, carry] + table[after, arrays.effect_target[effect, carry]], -np.inf
    )
    return found


def _follow(values: Floats, along: Floats, random: bool) -> Floats:
    """What goes along with the first action that ties with the best; or with all of them, on average."""
    if random:
        possible = along > -np.inf
        mean: Floats = np.where(possible, along, 0.0).sum(axis=0) / possible.sum(axis=0)
        return mean
    taken: Floats = np.take_along_axis(along, first_best(values)[None], axis=0)[0]
    return taken


def exact_residual(arrays: SheetArrays, table: ExactSheet) -> Fraction:
    """Give the most by which some exact values differ from their turns."""
    outer = dict.fromkeys(zip(*map(np.ndarray.tolist, sample_outer(arrays)), strict=True))
    some = list(outer)[: max(1, arrays.n_outer // ONE_IN)]
    return max(abs(_exact_turn(arrays, table, opened, carry) - table.value(opened, carry)) for opened, carry in some)


def _exact_turn(arrays: SheetArrays, table: ExactSheet, opened: int, carry: int) -> Fraction:
    """A turn in integers over a common denominator, which every roll multiplies by the ways to roll all dice."""
    net, unit = arrays.lattice, table.scale ** (arrays.turns(opened) - 1)
    worth = {
        effect: int(unit * (int(arrays.effect_gain[effect, carry]) + table.value(arrays.after(opened, box), target)))
        for box in arrays.boxes(opened)
        for effect in range(arrays.effect_start[box], arrays.effect_start[box + 1])
        for target in [int(arrays.effect_target[effect, carry])]
        if target in arrays.can_carry(arrays.after(opened, box))
    }
    fill = [max(worth[effect] for effect in effects if effect >= 0) for effects in arrays.effects(opened).T.tolist()]
    value = [fill[arrays.column(hand, 0)] for hand in range(net.n_hands)]
    rolled, keeps = _ways_in_full(net)
    for left in range(1, arrays.rerolls + 1):
        expected = [sum(n * value[hand] for hand, n in zip(hands, ways, strict=True)) for hands, ways in rolled]
        if arrays.served:
            value = [fill[arrays.column(hand, left)] * net.ways ** (net.count * (left - 1)) for hand in range(net.n_hands)]
        value = [max(own * net.ways**net.count, *(expected[k] for k in kept)) for own, kept in zip(value, keeps, strict=True)]
    hands, ways = rolled[0]
    return Fraction(sum(n * value[hand] for hand, n in zip(hands, ways, strict=True)), unit * table.scale)


@lru_cache(maxsize=8)
def _ways_in_full(net: Lattice) -> tuple[list[tuple[list[int], list[int]]], list[list[int]]]:
    """For each partial keep the hands it may become, and in how many of the ways to roll all dice; for each hand its keeps."""
    ways = _ways(net)
    factor = [net.ways ** len(keep) for keep in net.keeps[: net.first_hand]]
    rolled = [(np.flatnonzero(row).tolist(), [n * k for k in row[row > 0].tolist()]) for n, row in zip(factor, ways, strict=True)]
    return rolled, [row[row >= 0].tolist() for row in keep_rows(net)]


@lru_cache(maxsize=8)
def _completions(net: Lattice) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """For each partial keep the chance of each hand, and for each hand which keeps are part of it."""
    ways = _ways(net)
    return (ways / ways.sum(axis=1, keepdims=True)).astype(np.float64), (ways > 0).T


@lru_cache(maxsize=8)
def _ways(net: Lattice) -> Ints:
    """For each partial keep the ways to complete it to each hand."""
    die = roll_of(net.weights)
    ways = np.zeros((net.first_hand, net.n_hands), dtype=net.hand_weight.dtype)
    for k, keep in enumerate(net.keeps[: net.first_hand]):
        for rolled, weight in dice(net.count - len(keep), die).items():
            ways[k, net.number(tuple(sorted(keep + rolled))) - net.first_hand] = weight
    return ways
