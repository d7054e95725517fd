"""What the rules of a game file stand on: the values of its parameters, its columns, and the names that expressions may read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rollwise.errors import brief
from rollwise.games.columns import Column, Dice, Mover, Number, Relation, Subset
from rollwise.games.columns import Hands as HandTable
from rollwise.games.columns.column import BigNumber, Die, Flag, Tiles, Track
from rollwise.games.files.expressions import Scope, reads
from rollwise.games.files.grammar import Expression, parse
from rollwise.games.files.language import ColumnText, GameText, Range
from rollwise.games.files.nodes import LARGEST_NUMBER, Array, Hands, Members, Misfit, Node, TableColumns, constant, there
from rollwise.games.files.source import Item
from rollwise.games.files.tables import MOST_DICE, MOST_FACES, RowBudget, packed_hands

__all__ = ["ColumnRule", "Setting"]

LARGEST_SPACE = 2**62
MOST_MEMBERS = 40
MOST_HAND_FACES = 31


@dataclass(frozen=True)
class ColumnRule:
    """A column: how it is kept, how expressions read it, and how what they give is kept."""

    item: Item
    column: Column
    start: int
    node: Node
    members: tuple[int, ...] = ()
    hands: HandTable | None = None


class Setting:
    """A game file with the values of its parameters."""

    def __init__(self, text: GameText, values: Mapping[str, int], rows: RowBudget) -> None:
        self.text, self.rows, self.source = text, rows, text.item.source
        self.parameters = {name: constant("number", value) for name, value in values.items()}
        elsewhere = self._elsewhere("parameter")
        self.constants = Scope(self.parameters, text.definitions, text.tables, table=self.table(), elsewhere=elsewhere)
        self._packed: dict[tuple[int, int], Array] = {}
        self._ordered: dict[tuple[int, int], tuple[Array, Array]] = {}
        self._keeps: dict[tuple[int, int], Relation] = {}
        self.hands = self._packing()
        self.columns = {name: self._column(name, column) for name, column in text.columns.items()}
        self._check_space()
        self.texts = self._texts()

    def constant(self, expression: Expression) -> int:
        """Compute a number that is known from the parameters alone."""
        node = self.constants.number(expression)
        if not node.fixed:
            raise expression.fault(expression.tree, "expected a number that is known from the parameters alone")
        return node.value

    def span(self, span: Range) -> tuple[int, int]:
        """Compute a range."""
        low, high = self.constant(span.low), self.constant(span.high)
        if high < low:
            raise span.item.fault(f"expected a range that is not empty, got {low}..{high}")
        return low, high

    def fits(self, item: Item, work: Callable[[], Any]) -> Any:
        """Do something; what does not fit is told at the item's place."""
        try:
            return work()
        except Misfit as misfit:
            raise item.fault(str(misfit)) from None

    def faces(self, faces: Expression | None) -> int:
        """Compute how many faces dice have."""
        found = 6 if faces is None else self.constant(faces)
        if faces is not None and not 1 <= found <= MOST_FACES:
            raise faces.fault(faces.tree, f"expected dice of 1 to {MOST_FACES:,} faces, got {found}")
        return found

    def _packing(self) -> Hands | None:
        """Choose how hands are packed: by the most faces that any of them has."""
        roll = self.text.roll
        self.by_hand = any(reads(expression.tree, "dice", but_in="sum") for expression in self.text.expressions())
        faces = [self.faces(column.faces) for column in self.text.columns.values() if column.dice is not None]
        faces += [self.faces(roll.faces)] if self.by_hand else []
        if max(faces, default=0) > MOST_HAND_FACES:
            raise roll.item.fault(f"expected dice of at most {MOST_HAND_FACES} faces where hands are looked at, got {max(faces)}")
        return Hands.of(max(faces)) if faces else None

    def _column(self, name: str, text: ColumnText) -> ColumnRule:
        if text.player:
            return ColumnRule(text.item, Mover(), 0, _read(name, 0, 1))
        if text.span is not None:
            return self._number(name, text, *self.span(text.span))
        if text.members is not None:
            return self._set(name, text, text.members)
        return self._dice(name, text)

    def _number(self, name: str, text: ColumnText, low: int, high: int) -> ColumnRule:
        if max(abs(low), abs(high)) > LARGEST_NUMBER:
            raise text.item.fault(f"expected numbers of at most 2**53, got {low}..{high}")
        start = low if text.start is None else self.constant(parse(text.start))
        if text.start is not None and not low <= start <= high:
            raise text.start.fault(f"expected a start within {low}..{high}, got {start}")
        return ColumnRule(text.item, _numbers(text, low, high), start, _read(name, low, high))

    def _set(self, name: str, text: ColumnText, members: Range | tuple[int | str, ...]) -> ColumnRule:
        if isinstance(members, Range):
            low, high = self.span(members)
            if high - low >= MOST_MEMBERS or max(abs(low), abs(high)) > LARGEST_NUMBER:
                raise members.item.fault(f"expected a set of at most {MOST_MEMBERS} members, got {low}..{high}")
            members = tuple(range(low, high + 1))
        numbers = tuple(member if isinstance(member, int) else place for place, member in enumerate(members))
        column = Tiles(members) if text.shown == "tiles" else Subset(members)
        named = Members.of(numbers, column.names)
        node = Node("set", 0, 0, lambda env: env[name], members=named)
        start = 0 if text.start is None else self.set_literal(text.start, column)
        return ColumnRule(text.item, column, start, node, named)

    def set_literal(self, item: Item, column: Subset) -> int:
        """Read a list of members."""
        if item.value in ("all", "none"):
            return column.all if item.value == "all" else 0
        if not isinstance(item.value, list):
            raise item.fault(f'expected "all", "none" or a list of members, got {brief(item.value, 40)}')
        found = 0
        for member in item.each():
            if type(member.value) not in (int, str) or member.value not in column.members:
                raise member.fault(f"expected members of the set, got {brief(member.value, 40)}")
            found |= 1 << column.members.index(member.value)
        return found

    def _dice(self, name: str, text: ColumnText) -> ColumnRule:
        dice = there(text.dice)
        most, faces = self.constant(dice), self.faces(text.faces)
        table = self._hand_table(dice, most, faces)
        packed = self.packed(table)
        start = 0 if text.start is None else self.hand_literal(text.start, table)
        node = Node("hand", 0, most, lambda env: packed[env[name]])
        return ColumnRule(text.item, Dice(table), start, node, hands=table)

    def _hand_table(self, expression: Expression, most: int, faces: int) -> HandTable:
        hands = there(self.hands)
        if not 1 <= most < min(hands.base, MOST_DICE + 1):
            top = min(hands.base - 1, MOST_DICE)
            raise expression.fault(expression.tree, f"expected a hand of 1 to {top} dice of {hands.faces} faces, got {most}")
        self.fits(expression.item, lambda: self.rows.throws(most, faces, True))
        return HandTable(most, faces)

    def hand_literal(self, item: Item, table: HandTable) -> int:
        """Read a list of dice, by the number of its hand."""
        dice = item.value if isinstance(item.value, list) else None
        if dice is None or not all(type(die) is int for die in dice) or tuple(sorted(dice)) not in table.number:
            raise item.fault(f"expected a list of at most {table.most} dice such as [1, 1], got {brief(item.value, 40)}")
        return table.number[tuple(sorted(dice))]

    def packed(self, table: HandTable) -> Array:
        """Give all hands as expressions see them, computed once."""
        found = self._packed.get((table.most, table.faces))
        if found is None:
            found = self._packed[table.most, table.faces] = packed_hands(table, there(self.hands))
        return found

    def ordered(self, table: HandTable) -> tuple[Array, Array]:
        """Give all hands as expressions see them, in order, and the number of each, computed once."""
        found = self._ordered.get((table.most, table.faces))
        if found is None:
            packed = self.packed(table)
            order = np.argsort(packed)
            found = self._ordered[table.most, table.faces] = packed[order], order
        return found

    def keeps(self, table: HandTable) -> Relation:
        """Give the ways to keep some of the dice of each hand, computed once. Raises `Misfit` if they are too many."""
        self.rows.keeps(table.most, table.faces)
        found = self._keeps.get((table.most, table.faces))
        if found is None:
            found = self._keeps[table.most, table.faces] = table.keeps()
        return found

    def _check_space(self) -> None:
        space = 1
        for column in self.columns.values():
            space *= column.column.size
            if space >= LARGEST_SPACE:
                raise column.item.fault("expected fewer than 2**62 combinations of the columns, got more: make ranges smaller")

    def _texts(self) -> dict[str, int]:
        """Say which number a member's name stands for; one that would stand for two is left out."""
        found: dict[str, set[int]] = {}
        for column in self.columns.values():
            if column.members and isinstance(column.column, Subset):
                for number, member in zip(column.members, column.column.members, strict=True):
                    if isinstance(member, str):
                        found.setdefault(member, set()).add(number)
        return {name: numbers.pop() for name, numbers in found.items() if len(numbers) == 1}

    def _elsewhere(self, but: str) -> dict[str, str]:
        """Say where names are known that not all expressions may read."""
        chosen = {a.choose.name: f"it is chosen by the action {a.name!r}" for a in self.text.actions if a.choose is not None}
        found = {**chosen, "dice": "it is known in [roll] to", "die": "it is known in [roll] to, with dice = 1"}
        if but == "parameter":
            found |= dict.fromkeys(self.text.columns, "columns are not known here, only parameters")
        return found

    def table(self) -> TableColumns:
        """Give a table to be filled, whose numbers count."""
        return TableColumns(self.rows.spend)

    def scope(self, table: TableColumns | None = None, **names: Node) -> Scope:
        """Give the scope of expressions over a table (by default none), with the names that its rows bind."""
        elsewhere = {name: tip for name, tip in self._elsewhere("").items() if name not in names}
        columns = {name: column.node for name, column in self.columns.items()}
        known = {**self.parameters, **columns, **names}
        return Scope(known, self.text.definitions, self.text.tables, self.texts, self.hands, table or self.table(), elsewhere)


def _read(name: str, low: int, high: int) -> Node:
    return Node("number", low, high, lambda env: env[name])


def _numbers(text: ColumnText, low: int, high: int) -> Number:
    """Make the column of a range, by how it is drawn."""
    if text.shown == "die" and low != 0:
        raise text.item["show"].fault(f"expected a range from 0 (not rolled yet) for a die, got {low}..{high}")
    if text.shown == "tiles" and (low, high) != (0, 1):
        raise text.item["show"].fault(f"expected a range of 0..1 for a tile, shut or open, got {low}..{high}")
    if text.shown == "tiles":
        return Flag()
    return {"die": Die, "track": Track, "counter": BigNumber}.get(text.shown, Number)(low, high)
