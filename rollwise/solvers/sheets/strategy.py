"""The strategy of a score sheet as columns: all decisions of many turns at once.

For a block of turn starts (open boxes, carry), the lanes of the arrays, every hand has the values of its fills, the same at any
number of rolls left, and of its keeps, E[k] after the turn is played backwards that far. Chosen is the first action in the
order of the game that is within a tie of the best; the loss of the second best is the least among the others. These are the
rows of `SheetSolution.policy()`, to the bit.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

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
from rollwise.solvers.sheets.turn import turn_tables

if TYPE_CHECKING:
    from rollwise.solvers.sheets.expected import SheetSolution

__all__ = ["Blocks", "Start", "choose", "count_rows", "fill_values", "sheet_chunks", "start_of", "wanted_starts"]


class Start(NamedTuple):
    """Which turn starts are wanted: their open boxes and upper total; None: any."""

    opened: int | None
    upper: int | None


def start_of(sheet: Sheet, where: Mapping[str, str]) -> Start:
    """Read which turn starts can have rows from what columns are to read."""
    boxes, upper = where.get("open boxes"), where.get("upper total")
    opened = None if boxes is None else SheetNotation(sheet).read_boxes(notation_of(sheet).read_column("open boxes", boxes))
    return Start(opened, int(upper) if upper is not None and upper.isdigit() else None)


def count_rows(solution: Any, start: Start) -> int:
    """Count the decisions of all turns from the turn starts that are wanted."""
    per_turn: int = solution.arrays.lattice.n_hands * (solution.arrays.rerolls + 1)
    if start == Start(None, None):
        # The full sheet has no decisions.
        over = len(_carries(solution.arrays, 0))
        return (int(solution.arrays.n_outer) - over) * per_turn
    return sum(1 for _ in wanted_starts(solution.arrays, solution.game, start)) * per_turn


def sheet_chunks(solution: "SheetSolution", words: tuple[str, str], rows: int, start: Start) -> Iterator[Chunk]:
    """Give the strategy in chunks of about `rows` rows; `words` name the value and the loss of the second best."""
    block = _SheetBlocks(solution, words)
    lanes = max(1, rows // (block.arrays.lattice.n_hands * (block.arrays.rerolls + 1)))
    opened: list[int] = []
    carry: list[int] = []
    for mask, own in wanted_starts(block.arrays, solution.game, start):
        opened.append(mask)
        carry.append(own)
        if len(opened) == lanes:
            yield block.chunk(np.array(opened), np.array(carry))
            opened, carry = [], []
    if opened:
        yield block.chunk(np.array(opened), np.array(carry))


def wanted_starts(arrays: SheetArrays, sheet: Sheet, start: Start) -> Iterator[tuple[int, int]]:
    """Give the turn starts that are wanted, in the order of the strategy."""
    some = arrays.in_order or arrays.times
    masks: Any = sorted(int(mask) for layer in layers(arrays) for mask in layer) if some else range(1, arrays.n_masks)
    for mask in masks if start.opened is None else [start.opened] if start.opened in masks else []:
        for carry in _carries(arrays, mask):
            if start.upper is None or read_carry(sheet, carry).upper == start.upper:
                yield mask, carry


def _carries(arrays: SheetArrays, mask: int) -> list[int]:
    return sorted({*arrays.carries(mask).tolist(), *arrays.copies(mask)[0].tolist()} - {arrays.over})


class Blocks(ABC):
    """What all blocks of a solution share: texts, and which keeps a hand has."""

    def __init__(self, arrays: SheetArrays, sheet: Sheet, words: tuple[str, str]) -> None:
        self.arrays, self.sheet, self.words = arrays, sheet, words
        net = self.arrays.lattice
        self.hand = np.array([net.number(hand) - net.first_hand for hand in self.sheet.hands])
        self.keeps = keep_rows(net.count, net.faces)
        self.moves = (*self.sheet.names, *(self.sheet.show_action(keep) for keep in net.keeps))
        columns = notation_of(self.sheet).columns
        self.dice = tuple(columns(self._turn(1, 0, hand))["dice"] for hand in self.sheet.hands)

    def _turn(self, opened: int, carry: int, hand: Any) -> Any:
        return self.sheet.start()._replace(open=opened, **read_carry(self.sheet, carry)._asdict(), dice=hand)

    def chunk(self, opened: Ints, carry: Ints) -> Chunk:
        """All decisions of the turns from these starts: by start, by rolls left (most first), by hand."""
        steps = list(self.steps(opened, carry))[::-1]
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

    @abstractmethod
    def steps(self, opened: Ints, carry: Ints) -> Iterator[tuple[Ints, Floats, Floats]]:
        """For each number of rolls left, none first: the move, its value and the loss of the second best by hand and lane."""

    @cached_property
    def boxes(self) -> Ints:
        """The moves of every hand when a box must be filled."""
        return np.broadcast_to(np.arange(self.arrays.n_boxes), (self.arrays.lattice.n_hands, self.arrays.n_boxes))

    @cached_property
    def all_moves(self) -> Ints:
        """The moves of every hand: boxes, and then keeps."""
        return np.concatenate([self.boxes, self.keeps + self.arrays.n_boxes], axis=1)


class _SheetBlocks(Blocks):
    """The blocks of a sheet on which the rolls of a turn are lost with it."""

    def __init__(self, solution: "SheetSolution", words: tuple[str, str]) -> None:
        super().__init__(solution.arrays, solution.game, words)
        self.table = np.asarray(solution.turn_values)

    def steps(self, opened: Ints, carry: Ints) -> Iterator[tuple[Ints, Floats, Floats]]:
        fills = fill_values(self.arrays, self.table, opened, carry)
        best = fills.max(axis=1)
        yield choose(self.arrays.at(fills, 0), self.boxes, self.arrays.at(best, 0))
        for left, table in enumerate(islice(turn_tables(self.arrays, best), self.arrays.rerolls), 1):
            values = np.concatenate([self.arrays.at(fills, left), table[self.keeps]], axis=1)
            yield choose(values, self.all_moves, values.max(axis=1))


def fill_values(arrays: SheetArrays, table: Any, opened: Ints, carry: Ints) -> Floats:
    """Give the value of filling each box with each hand, by hand, box and lane; minus infinity where it may not be filled."""
    values = np.full((arrays.hand_effect.shape[1], arrays.n_boxes, len(opened)), -np.inf)
    for box in range(arrays.n_boxes):
        lanes = np.flatnonzero(arrays.can_fill(opened, box))
        if not lanes.size:
            continue
        effect = np.repeat(arrays.hand_effect[box][:, None], len(lanes), axis=1)
        for special, hand in enumerate(arrays.special_hand):
            effect[hand] = arrays.special_effects(special, opened[lanes])[:, box]
        target = table[arrays.after(opened[lanes], box), arrays.effect_target[effect, carry[lanes]]]
        values[:, box, lanes] = np.where(effect >= 0, arrays.effect_gain[effect, carry[lanes]] + target, -np.inf)
    return values


def choose(values: Floats, moves: Ints, best: Floats) -> tuple[Ints, Floats, Floats]:
    """Give by hand and lane the first action among the ties, its value, and the least loss of another (NaN: there is none)."""
    loss = best[:, None] - values
    np.abs(loss, out=loss)
    chosen = (loss <= TIE * np.abs(best)[:, None]).argmax(axis=1)[:, None]
    value = np.take_along_axis(values, chosen, axis=1)[:, 0]
    np.put_along_axis(loss, chosen, np.inf, axis=1)
    second = loss.min(axis=1)
    alone = np.isfinite(values).sum(axis=1) == 1
    move = np.take_along_axis(moves[:, :, None], chosen, axis=1)[:, 0]
    return move, value, np.where(alone, np.nan, second)
