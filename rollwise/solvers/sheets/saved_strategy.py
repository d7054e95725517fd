"""The strategy of a sheet with saved rolls as columns: as `strategy`, with as many rows of a turn as rolls can be left."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from rollwise.solvers.base.chunks import Chunk
from rollwise.solvers.sheets.arrays import Floats, Ints
from rollwise.solvers.sheets.strategy import Blocks, Start, choose, fill_values, wanted_starts
from rollwise.solvers.sheets.turn import play_turn, take_best
from rollwise.solvers.sheets.turns import After

if TYPE_CHECKING:
    from rollwise.solvers.sheets.saved import SavedSolution

__all__ = ["count_saved_rows", "saved_chunks"]


def count_saved_rows(solution: "SavedSolution", start: Start) -> int:
    """Count the decisions of all turns from the turn starts that are wanted."""
    hands, sheet = solution.arrays.lattice.n_hands, solution.sheet
    return sum(hands * (sheet.most_rerolls(mask) + 1) for mask, _ in wanted_starts(solution.arrays, sheet, start))


def saved_chunks(solution: "SavedSolution", words: tuple[str, str], rows: int, start: Start) -> Iterator[Chunk]:
    """Give the strategy in chunks of about `rows` rows, of one set of open boxes each."""
    block = _SavedBlocks(solution, words)
    for mask, own in groupby(wanted_starts(solution.arrays, solution.sheet, start), key=itemgetter(0)):
        carries = np.array([carry for _, carry in own])
        per_turn = solution.arrays.lattice.n_hands * (solution.sheet.most_rerolls(mask) + 1)
        for part in np.array_split(carries, -(-len(carries) * per_turn // rows)):
            if len(part):
                yield block.chunk(np.full(len(part), mask), part)


class _SavedBlocks(Blocks):
    """The blocks of a sheet with saved rolls; all open boxes in one are the same."""

    def __init__(self, solution: "SavedSolution", words: tuple[str, str]) -> None:
        super().__init__(solution.arrays, solution.sheet, words)
        self.solution = solution

    def steps(self, opened: Ints, carry: Ints) -> Iterator[tuple[Ints, Floats, Floats]]:
        net, layer, layout = self.arrays.lattice, int(opened[0]).bit_count() - 1, self.solution.layout
        before = self.solution.values(layer)
        table = np.full((len(net.keeps) + 1, len(opened)), -np.inf)
        for left in range(layout.most_saved(layer) + 1):
            fills = fill_values(self.arrays, After(layout.layer(layer), before, left), opened, carry)
            best = fills.max(axis=1)
            if not left:
                yield choose(fills, self.boxes, best)
            else:
                values = np.concatenate([fills, table[self.keeps]], axis=1)
                yield choose(values, self.all_moves, values.max(axis=1))
            table[net.first_hand : -1] = best
            if left:
                take_best(net, table)
            play_turn(net, table)
