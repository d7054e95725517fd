"""Backward induction over score sheets: outer states by filled boxes, one shared lattice inside a turn.

What comes in is a `SheetArrays`, arrays only. An outer state is (open boxes, carry); `value[open, carry]` is its expected gain
to come, NaN where the carry cannot occur; a last row of minus infinity stands for boxes that are not open. A turn from an
outer state, with the carries as a vector axis:

    fill:    V[hand] = max over boxes of gain[effect, carry] + value[open - box, target[effect, carry]]
    reroll:  V[hand] = best sub-keep of the expected values of V         (as often as there are rerolls)
    roll:    value = mean of V over the hands

Three kernels share this contract: NumPy (here), Numba (`turns_numba`, the same bits) and integers (`turns_exact`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.forms.base.backends import Threads
from rollwise.forms.base.how import How
from rollwise.forms.base.layers import Recursion, solve_in_layers
from rollwise.forms.sheets.lattice import Lattice

__all__ = [
    "Kernel", "SheetArrays", "SheetRecursion", "best_steps", "fill_turn", "layers", "numpy_kernel", "play_turn", "read_ragged",
    "roll_turn", "solve_sheet", "take_best", "turn_values",
]  # fmt: skip

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SheetArrays:
    """The arrays of a score sheet.

    `hand_effect[box, hand]` numbers what filling a box does: it gains `effect_gain[effect, carry]` and leads to the carry
    `effect_target[effect, carry]`; `effect_start[box]` is where the effects of a box begin. For special hands (jokers) the effect
    depends on the open boxes: `special_effect[special, variant, box]`, -1 where the box may not be filled, with the variant
    `special_variant[open, special]`. `carry_class[open]` says which carries can occur: those listed in
    `carry_list[carry_start[class]:carry_start[class + 1]]` are computed, and `copy_to` are copied from `copy_from`.
    """

    lattice: Lattice
    rerolls: int
    n_boxes: int
    in_order: bool
    effect_start: Ints
    effect_gain: Ints
    effect_target: Ints
    hand_effect: Ints
    special_hand: Ints
    special_effect: Ints
    special_variant: Ints
    carry_class: Ints
    carry_start: Ints
    carry_list: Ints
    copy_start: Ints
    copy_to: Ints
    copy_from: Ints

    @property
    def n_carries(self) -> int:
        return int(self.effect_gain.shape[1])

    def carries(self, opened: int) -> Ints:
        """List the carries to compute with these open boxes."""
        place = self.carry_class[opened]
        return self.carry_list[self.carry_start[place] : self.carry_start[place + 1]]

    def copies(self, opened: int) -> tuple[Ints, Ints]:
        """List the other carries that can occur, and which ones have the same value."""
        part = slice(*self.copy_start[self.carry_class[opened] : self.carry_class[opened] + 2])
        return self.copy_to[part], self.copy_from[part]

    def can_carry(self, opened: int) -> frozenset[int]:
        """Give the carries that can occur with these open boxes, copies included."""
        place = int(self.carry_class[opened])
        if place not in self._carry_sets:
            self._carry_sets[place] = frozenset(self.carries(opened).tolist()) | frozenset(self.copies(opened)[0].tolist())
        return self._carry_sets[place]

    @cached_property
    def _carry_sets(self) -> dict[int, frozenset[int]]:
        return {}

    @cached_property
    def box_of_effect(self) -> Ints:
        """The box that each effect fills."""
        return np.repeat(np.arange(self.n_boxes), np.diff(self.effect_start))

    @property
    def n_outer(self) -> int:
        """The number of (open boxes, carry) that can occur."""
        per_class = np.diff(self.carry_start) + np.diff(self.copy_start)
        masks = _in_order_masks(self.n_boxes) if self.in_order else slice(None)
        return int(per_class[self.carry_class[masks]].sum())

    def boxes(self, opened: int) -> list[int]:
        """List the boxes that may be filled (jokers aside)."""
        found = [box for box in range(self.n_boxes) if opened >> box & 1]
        return found[:1] if self.in_order else found

    def options(self, opened: int, hand: int) -> list[tuple[int, int]]:
        """List (box, effect) for every box that may be filled with a hand."""
        boxes = self.boxes(opened)
        special = np.flatnonzero(self.special_hand == hand)
        if not special.size:
            return [(box, int(self.hand_effect[box, hand])) for box in boxes]
        row = self.special_effect[special[0], self.special_variant[opened, special[0]]]
        return [(box, int(row[box])) for box in boxes if row[box] >= 0]


Kernel = Callable[[SheetArrays, Floats, Ints], None]
"""Fills in `value[opened]` for an array of masks whose successors are done."""


class SheetRecursion(Recursion):
    """The layers of a sheet: `value` holds all of them, by open boxes; a layer is the rows with as many open boxes."""

    what = "the sheet"
    dtype = "float64"

    def __init__(self, form: SheetArrays, kernel: Kernel, fingerprint: str = "") -> None:
        self.form, self.kernel, self.fingerprint = form, kernel, fingerprint
        self.masks = [np.zeros(1, dtype=np.int64), *layers(form)]
        self.work = [len(masks) for masks in self.masks]
        self.shapes = tuple((size, form.n_carries) for size in self.work)
        self.value = np.full(((1 << form.n_boxes) + 1, form.n_carries), np.nan)
        self.value[-1] = -np.inf

    def begin(self) -> None:
        self.value[0, self.form.carries(0)] = 0.0
        self.value[0, self.form.copies(0)[0]] = 0.0

    def pieces(self, layer: int, threads: int) -> list[Ints]:
        return _deal(self.masks[layer], threads)

    def fill(self, layer: int, piece: Ints) -> int:
        self.kernel(self.form, self.value, piece)
        return len(piece)

    def values(self, layer: int) -> Floats:
        found: Floats = self.value[self.masks[layer]]
        return found

    def restore(self, layer: int, values: Floats) -> None:
        self.value[self.masks[layer]] = values

    @property
    def title(self) -> str:
        return f"a sheet of {self.form.n_boxes} boxes"


def solve_sheet(form: SheetArrays, kernel: Kernel, how: How | None = None, *, fingerprint: str = "") -> Floats:
    """Solve layer by layer, from the full sheet backwards; the result does not depend on the number of threads (default 1)."""
    recursion = SheetRecursion(form, kernel, fingerprint)
    solve_in_layers(recursion, how or How(backend=Threads(1)))
    return recursion.value


PIECE = 2048
"""Masks a call of the kernel solves at most, so that progress shows and an interrupt is heard."""


def layers(form: SheetArrays) -> list[Ints]:
    """Group the sets of open boxes by their number, one box first."""
    n = form.n_boxes
    if form.in_order:
        return list(_in_order_masks(n)[1:, None])
    masks = np.arange(1 << n, dtype=np.int64)
    filled = np.bitwise_count(masks).astype(np.int64)
    order = np.argsort(filled, kind="stable")
    cuts = np.searchsorted(filled[order], np.arange(1, n + 1))
    return np.split(order, cuts)[1:]


def _in_order_masks(n_boxes: int) -> Ints:
    return np.array([((1 << k) - 1) << (n_boxes - k) for k in range(n_boxes + 1)], dtype=np.int64)


def _deal(layer: Ints, threads: int) -> list[Ints]:
    """Deal masks out in small pieces, so that threads finish together."""
    pieces = max(4 * threads if threads > 1 else 1, -(-len(layer) // PIECE))
    return np.array_split(layer, min(len(layer), pieces))


def read_ragged(values: Any, start: Ints, low: Ints, row: int, place: Ints) -> Any:
    """Read a row of ragged rows, which begins with the place `low[row]`, at some places: 0 below it and 1 above."""
    begin, end = start[row : row + 2]
    at = place - low[row]
    found = (at >= 0).astype(values.dtype)
    inside = (at >= 0) & (at < end - begin)
    found[inside] = values[begin + at[inside]]
    return found


def numpy_kernel(form: SheetArrays, value: Floats, masks: Ints) -> None:
    """Solve masks of one layer, many (mask, carry) pairs at a time as the vector axis."""
    sizes = form.carry_start[form.carry_class[masks] + 1] - form.carry_start[form.carry_class[masks]]
    begin = 0
    while begin < len(masks):
        end = begin + max(1, int(np.searchsorted(np.cumsum(sizes[begin:]), LANES)))
        _numpy_block(form, value, masks[begin:end])
        begin = end


LANES = 512


def _numpy_block(form: SheetArrays, value: Floats, masks: Ints) -> None:
    carry = np.concatenate([form.carries(int(mask)) for mask in masks])
    opened = np.repeat(masks, [len(form.carries(int(mask))) for mask in masks])
    value[opened, carry] = turn_values(form, value, opened, carry)[0]
    for mask in masks.tolist():
        to, source = form.copies(mask)
        value[mask, to] = value[mask, source]


def turn_values(form: SheetArrays, value: Floats, opened: Ints, carry: Ints) -> Floats:
    """Give the expected value of every keep at the start of a turn; row 0, keeping nothing, is the value of the turn."""
    return roll_turn(form, fill_turn(form, value, opened, carry))


def roll_turn(form: SheetArrays, fill: Floats) -> Floats:
    """Give the expected value of every keep at the start of a turn, from what every hand is worth when a box must be filled."""
    table = np.empty((len(form.lattice.keeps), fill.shape[1]))
    table[form.lattice.first_hand :] = fill
    for _ in range(form.rerolls):
        play_turn(form.lattice, table)
        take_best(form.lattice, table)
    play_turn(form.lattice, table)
    return table


def fill_turn(form: SheetArrays, value: Floats, opened: Ints, carry: Ints) -> Floats:
    """Give the best value of every hand when a box must be filled."""
    best = np.full((form.lattice.n_hands, len(opened)), -np.inf)
    allowed = opened & -opened if form.in_order else opened
    for box in range(form.n_boxes):
        lanes = np.flatnonzero(allowed >> box & 1)
        if lanes.size:
            _fill_box(form, value, best, box, lanes, opened[lanes], carry[lanes])
    return best


def _fill_box(form: SheetArrays, value: Floats, best: Floats, box: int, lanes: Ints, opened: Ints, carry: Ints) -> None:
    effects = np.arange(form.effect_start[box], form.effect_start[box + 1])
    after = opened & ~(1 << box)
    gained = form.effect_gain[effects][:, carry] + value[after, form.effect_target[effects][:, carry]]
    plain = np.setdiff1d(np.arange(form.lattice.n_hands), form.special_hand)
    rows = gained[form.hand_effect[box, plain] - form.effect_start[box]]
    best[plain[:, None], lanes] = np.maximum(best[plain[:, None], lanes], rows)
    for special, hand in enumerate(form.special_hand):
        effect = form.special_effect[special, form.special_variant[opened, special], box]
        may = effect >= 0
        row = gained[effect[may] - form.effect_start[box], np.flatnonzero(may)]
        best[hand, lanes[may]] = np.maximum(best[hand, lanes[may]], row)


def play_turn(lattice: Lattice, table: Floats) -> None:
    """Write the expected value of every partial keep, from the hands down: one more die at a time."""
    inverse = 1.0 / lattice.faces
    for low, high in zip(lattice.size_start[-3::-1], lattice.size_start[-2:0:-1], strict=True):
        total = table[lattice.more[low:high, 0]]
        for face in range(1, lattice.faces):
            total += table[lattice.more[low:high, face]]
        total *= inverse
        table[low:high] = total


def take_best(lattice: Lattice, table: Floats) -> None:
    """Replace every keep's value by the best of its sub-keeps, in place, small keeps first."""
    for step in best_steps(lattice):
        for keep, less in step:
            table[keep] = np.maximum(table[keep], table[less])


@lru_cache(maxsize=8)
def best_steps(lattice: Lattice) -> list[list[tuple[Ints, Ints]]]:
    """List for each size the pairs (keep, keep without one die), split so that no keep occurs twice in an update."""
    steps = []
    length = np.diff(lattice.fewer_start)
    for low, high in zip(lattice.size_start[1:-1], lattice.size_start[2:], strict=True):
        keeps = np.arange(low, high)
        most = int(length[low:high].max())
        steps.append(
            [
                (keeps[length[keeps] > place], lattice.fewer[lattice.fewer_start[keeps[length[keeps] > place]] + place])
                for place in range(most)
            ]
        )
    return steps
