"""The strategy of a score sheet as columns: all decisions of many turns at once.

For a block of turn starts (open boxes, carry), the lanes of a `TurnTable`, every hand has the values of its fills and of its
keeps for each number of rerolls left. Chosen is the first action in the order of the game that is within a tie of the best; the
loss of the second best is the least among the others. These are the rows of the solution's `policy()`, to the bit.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby, islice
from typing import Any, NamedTuple, Protocol

import numpy as np

from rollwise.games.sheets.notation import SheetNotation
from rollwise.games.sheets.rules import Sheet
from rollwise.model.notation import notation_of
from rollwise.model.view import view_of
from rollwise.solvers.base.chunks import Chunk, Coded
from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays, layers
from rollwise.solvers.sheets.lattice import keep_rows
from rollwise.solvers.sheets.reading import read_carry
from rollwise.solvers.sheets.turn_table import TurnTable

__all__ = ["Start", "count_rows", "sheet_chunks", "start_of"]


class Solved(Protocol):
    """What a solution of a sheet gives: its turns."""

    @property
    def arrays(self) -> SheetArrays:
        """The arrays of the sheet."""

    @property
    def sheet(self) -> Sheet:
        """The sheet."""

    def most_rerolls(self, opened: Any) -> Any:
        """Say how many rerolls can be left in a turn with these open boxes, or with each of many."""

    def turns(self, opened: Ints, carry: Ints) -> TurnTable:
        """Compute turns with as many open boxes each."""


class Start(NamedTuple):
    """Which turn starts are wanted: their open boxes and upper total; None: any."""

    opened: int | None
    upper: int | None


def start_of(sheet: Sheet, where: Mapping[str, str]) -> Start:
    """Read which turn starts can have rows from what columns are to read."""
    boxes, upper = where.get("open boxes"), where.get("upper total")
    opened = None if boxes is None else SheetNotation(sheet).read_boxes(notation_of(sheet).read_column("open boxes", boxes))
    return Start(opened, int(upper) if upper is not None and upper.isdigit() else None)


def count_rows(solution: Solved, start: Start) -> int:
    """Count the decisions of all turns from the turn starts that are wanted."""
    arrays, masks = solution.arrays, _masks(solution.arrays, start)
    if not len(masks):
        return 0
    # Which carries can occur depends on the class of the open boxes alone.
    _, first, place = np.unique(arrays.carry_class[masks], return_index=True, return_inverse=True)
    carries = np.array([len(_carries(arrays, solution.sheet, mask, start)) for mask in masks[first].tolist()])
    return int((carries[place] * (solution.most_rerolls(masks) + 1)).sum()) * arrays.lattice.n_hands


def sheet_chunks(solution: Solved, words: tuple[str, str], rows: int, start: Start) -> Iterator[Chunk]:
    """Give the strategy in chunks of about `rows` rows, each of turns with as many rerolls.

    `words` name the value and the loss of the second best.
    """
    arrays, block = solution.arrays, _Blocks(solution, words)
    masks = _masks(arrays, start).tolist()
    starts = ((mask, carry) for mask in masks for carry in _carries(arrays, solution.sheet, mask, start))
    for most, own in groupby(starts, key=lambda one: solution.most_rerolls(one[0])):
        lanes = max(1, rows // (arrays.lattice.n_hands * (most + 1)))
        while part := list(islice(own, lanes)):
            yield block.chunk(*np.array(part).T)


def _masks(arrays: SheetArrays, start: Start) -> Ints:
    """The open boxes that are wanted, in the order of the strategy."""
    masks = np.sort(np.concatenate(layers(arrays)))
    return masks if start.opened is None else masks[masks == start.opened]


def _carries(arrays: SheetArrays, sheet: Sheet, mask: int, start: Start) -> list[int]:
    """The carries that are wanted with these open boxes, and in which a game goes on."""
    found = sorted(arrays.can_carry(mask) - {arrays.over})
    return found if start.upper is None else [carry for carry in found if read_carry(sheet, carry).upper == start.upper]


class _Blocks:
    """What all blocks of a solution share: texts, and the moves of every hand."""

    def __init__(self, solution: Solved, words: tuple[str, str]) -> None:
        self.solution, self.sheet, self.words = solution, solution.sheet, words
        net, n_boxes = solution.arrays.lattice, solution.arrays.n_boxes
        self.hand = np.array([net.number(hand) - net.first_hand for hand in self.sheet.hands])
        keeps = keep_rows(net).T
        self.all_moves = np.concatenate([np.broadcast_to(np.arange(n_boxes)[:, None], (n_boxes, net.n_hands)), keeps + n_boxes])
        self.moves = (*self.sheet.names, *(self.sheet.show_action(keep) for keep in net.keeps))
        columns = notation_of(self.sheet).columns
        self.dice = tuple(columns(self._turn(1, 0, hand))["dice"] for hand in self.sheet.hands)

    def _turn(self, opened: int, carry: int, hand: Any) -> Any:
        return self.sheet.start()._replace(open=opened, **read_carry(self.sheet, carry)._asdict(), dice=hand)

    def chunk(self, opened: Ints, carry: Ints) -> Chunk:
        """All decisions of the turns from these starts: by start, by rolls left (most first), by hand."""
        table = self.solution.turns(opened, carry)
        steps = [self._choose(table.actions(left)) for left in range(len(table.fill) - 1, -1, -1)]
        move, value, second = (np.stack(parts)[:, self.hand].transpose(2, 0, 1).ravel() for parts in zip(*steps, strict=True))
        lanes, lefts, hands = len(opened), len(steps), len(self.hand)
        per_lane = lefts * hands
        columns: Chunk = {
            "dice": Coded(self.dice, np.tile(np.arange(hands, dtype=np.int32), lanes * lefts)),
            "rerolls left": np.tile(np.repeat(np.arange(lefts - 1, -1, -1, dtype=np.int64), hands), lanes),
            **self._outer_columns(opened, carry, per_lane),
        }
        columns[view_of(self.sheet).action_word] = Coded(self.moves, move.astype(np.int32))
        return {**columns, self.words[0]: value, self.words[1]: second}

    def _outer_columns(self, opened: Ints, carry: Ints, per_lane: int) -> Chunk:
        masks, mask_code = np.unique(opened, return_inverse=True)
        read = notation_of(self.sheet).columns
        texts = tuple(read(self._turn(int(mask), 0, self.sheet.hands[0]))["open boxes"] for mask in masks)
        upper, primed = read_carry(self.sheet, carry)
        columns: Chunk = {"open boxes": Coded(texts, np.repeat(mask_code.astype(np.int32), per_lane))}
        if self.sheet.bonus:
            columns["upper total"] = np.repeat(upper, per_lane)
        if self.sheet.joker and self.sheet.joker.bonus:
            columns["primed"] = Coded(("no", "yes"), np.repeat(primed.astype(np.int32), per_lane))
        return columns

    def _choose(self, values: Floats) -> tuple[Ints, Floats, Floats]:
        """Give by hand and lane the first action among ties, its value, and the least loss of another (NaN: there is none)."""
        best = values.max(axis=0)
        loss = best - values
        chosen = (loss <= TIE * np.abs(best)).argmax(axis=0)[None]
        value = np.take_along_axis(values, chosen, axis=0)[0]
        np.put_along_axis(loss, chosen, np.inf, axis=0)
        second = loss.min(axis=0)
        alone = np.isfinite(values).sum(axis=0) == 1
        move = np.take_along_axis(self.all_moves[:, :, None], chosen, axis=0)[0]
        return move, value, np.where(alone, np.nan, second)
