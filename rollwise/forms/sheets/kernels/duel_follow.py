"""What a duel comes to under given strategies, on the same layout as the duel itself (`duels`).

The rows hold the worth, to the player who has just moved, of the play that follows. At the turn of a player the layer is worked
out from the one before in one of three ways, all of them `DuelKernel`s:

- he maximises it: the kernels of `duels`;
- he follows the solved duel: `guide` are that duel's values; its choices are taken, the worth goes along;
- he ends his turn with fixed chances, whatever the lead: `move_chance` by move of the form.

Where actions are equally good in the guide, to the last bit, the one taken is the first of: boxes in order; then keeping more
dice before fewer, dropping low faces first.
"""

from collections.abc import Mapping

import numpy as np

from rollwise.forms.sheets.duel_arrays import DuelForm, DuelKernel, Layer, Values, gain_rows, read_row
from rollwise.forms.sheets.turns import Floats, Ints, best_steps, play_turn

__all__ = ["numpy_follow", "numpy_mix"]


def numpy_mix(move_chance: Floats) -> DuelKernel:
    """Make the kernel of a player who ends his turn from an outer with these chances of its moves."""

    def kernel(form: DuelForm, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
        for row in range(first, end):
            part = slice(int(layer.row_start[row]), int(layer.row_start[row + 1]))
            moved, mover = layer.pair(row)
            lead = -(layer.row_low[row] + np.arange(part.stop - part.start))
            total = np.zeros(len(lead))
            for move in range(form.move_start[mover], form.move_start[mover + 1]):
                target = previous.row(int(form.move_target[move]), moved)
                total += move_chance[move] * read_row(previous, before, target, lead + form.move_gain[move])
            values[part] = 1 - total

    return kernel


def numpy_follow(guide: Mapping[int, Values]) -> DuelKernel:
    """Make the kernel of a player who follows a solved duel with these layers."""

    def kernel(form: DuelForm, layer: Layer, previous: Layer, before: Values, values: Values, first: int, end: int) -> None:
        for row in range(first, end):
            part = slice(int(layer.row_start[row]), int(layer.row_start[row + 1]))
            if part.start < part.stop:
                lead = -(layer.row_low[row] + np.arange(part.stop - part.start))
                values[part] = 1 - _follow(form, previous, guide[previous.left], before, layer.pair(row), lead)

    return kernel


def _follow(form: DuelForm, previous: Layer, guide: Values, before: Values, pair: tuple[int, int], lead: Ints) -> Values:
    """The worth of a turn, for each lead of the mover."""
    moved, mover = pair
    net = form.sheet.lattice
    gained = [gain_rows(form, previous, values, mover, moved, lead) for values in (guide, before)]
    fill = [np.full((net.n_hands, len(lead)), start, dtype=before.dtype) for start in (-np.inf, 0)]
    for effect in form.hand_effects(int(form.outers.opened[mover]))[1]:
        _replace_better(fill, np.flatnonzero(effect >= 0), [rows[effect[effect >= 0]] for rows in gained])
    table = [np.concatenate([np.empty((net.first_hand, len(lead)), dtype=before.dtype), rows]) for rows in fill]
    for _ in range(form.sheet.rerolls):
        for rows, filled in zip(table, fill, strict=True):
            play_turn(net, rows)
            rows[net.first_hand :] = filled
        for step in best_steps(net):
            for keep, less in step:
                _replace_better(table, keep, [rows[less] for rows in table])
    play_turn(net, table[1])
    result: Values = table[1][0]
    return result


def _replace_better(table: list[Values], place: Ints, new: list[Values]) -> None:
    """Replace rows of both tables where the first one's would rise."""
    better = new[0] > table[0][place]
    for rows, found in zip(table, new, strict=True):
        rows[place] = np.where(better, found, rows[place])
