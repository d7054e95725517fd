"""What the rules of a game file stand on: the values of its parameters, its columns, and the names that expressions may read."""

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from rollwise.errors import GameError, brief
from rollwise.games.columns import Column, Dice, Mover, Number, Relation, Subset
from rollwise.games.columns import Hands as HandTable
from rollwise.games.columns.column import BigNumber, Die, Flag, Tiles, Track
from rollwise.games.files.expressions import Scope, reads
from rollwise.games.files.grammar import Expression, parse
from rollwise.games.files.language import ColumnText, FacesText, GameText, Range, RollText
from rollwise.games.files.nodes import LARGEST_NUMBER, Array, Hands, Members, Misfit, Node, TableColumns, constant, list_of, there
from rollwise.games.files.source import Item, did_you_mean
from rollwise.games.files.tables import MOST_DICE, MOST_FACES, RowBudget, packed_hands
from rollwise.model.view import spoken

__all__ = ["ColumnRule", "Setting"]

LARGEST_SPACE = 2**62
MOST_MEMBERS = 40
MOST_HAND_FACES = 31
MOST_PLACES = 100
MOST_COLUMNS = 400
MOST_WEIGHT = 1_000_000


@dataclass(frozen=True)
class Faces:
    """The faces of a die: the numbers of those it can show, and as what they are written, with their weights; or 1 to `count`."""

    numbers: tuple[int, ...]
    weights: Mapping[int | str, int] | None = None

    @property
    def count(self) -> int:
        """How many different faces there are."""
        return len(self.numbers)

    @property
    def total(self) -> int:
        """The weight of all faces."""
        return self.count if self.weights is None else sum(self.weights.values())

    @property
    def given(self) -> int | Mapping[int | str, int]:
        """As tables of hands take them."""
        return self.count if self.weights is None else self.weights


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
        self._packed: dict[HandTable, Array] = {}
        self._ordered: dict[HandTable, tuple[Array, Array]] = {}
        self._keeps: dict[HandTable, Relation] = {}
        self._tables: dict[Any, HandTable] = {}
        self._numbers: dict[HandTable, tuple[int, ...]] = {}
        self.texts = self._member_texts()
        self.dice: dict[str, Faces] = {}
        for name, found in text.dice.items():
            self.dice[name] = self.faces(found)
        self.hands = self._packing()
        self.rows_of: dict[str, list[str]] = {}
        self.columns: dict[str, ColumnRule] = {}
        for name, column in text.columns.items():
            self._add_columns(name, column)
        self._check_space()

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

    def faces(self, text: FacesText | None) -> Faces:
        """Compute which faces a die has."""
        if text is None:
            return _numbered(6)
        if text.weights is not None:
            return self._sides(text, text.weights)
        number = there(text.number)
        if isinstance(number.tree, ast.Name) and number.tree.id in self.text.dice:
            if number.tree.id not in self.dice:
                raise number.fault(number.tree, f"expected a die that is described above, got {number.tree.id!r}")
            return self.dice[number.tree.id]
        found = self.constant(number)
        if not 1 <= found <= MOST_FACES:
            raise number.fault(number.tree, f"expected dice of 1 to {MOST_FACES:,} faces, got {found}")
        return _numbered(found)

    def _sides(self, text: FacesText, given: Mapping[int | str, Expression | int]) -> Faces:
        """Number the faces: numbers are themselves, names get numbers from 0 on that no face of the file has."""
        weights: dict[int | str, int] = {}
        for side, weight in given.items():
            weights[side] = weight if isinstance(weight, int) else self.constant(weight)
            if not 0 <= weights[side] <= MOST_WEIGHT:
                expected = f"expected a weight from 0 to {MOST_WEIGHT:,} for {side!r}, got {weights[side]}"
                raise (text.item if isinstance(weight, int) else weight.item).fault(expected)
        weights = {side: weight for side, weight in weights.items() if weight}
        if not weights:
            raise text.item.fault("expected a face with a weight above 0, got none")
        for side in weights:
            if isinstance(side, str) and side not in self.texts:
                raise text.item.fault(
                    f"expected a face with one number, got {side!r}, which has another place in each of two sets"
                )
        numbers = {side: side if isinstance(side, int) else self.texts[side] for side in weights}
        if len(set(numbers.values())) < len(numbers):
            raise text.item.fault(f"expected faces with different numbers, got {numbers}: give names that no set has")
        ordered = sorted(weights, key=lambda side: numbers[side])
        return Faces(tuple(numbers[side] for side in ordered), {side: weights[side] for side in ordered})

    def _most_plain_faces(self) -> int:
        """Give the most faces of dice that show 1, 2, 3, ..., so that no name gets one of these numbers."""
        default = any(column.dice is not None and column.faces is None for column in self.text.columns.values()) or any(
            roll.draw is None and roll.faces is None and (not roll.named or not {*roll.named} <= {*self.text.dice})
            for roll in self.text.rolls
        )
        counts = [self.faces(faces).count for faces in self._every_faces() if self._is_plain(faces)]
        return max(6 if default else 0, *counts, 0)

    def _is_plain(self, faces: FacesText) -> bool:
        """Say whether a die shows 1, 2, 3, ...; not whether it is another one."""
        tree = None if faces.number is None else faces.number.tree
        return tree is not None and not (isinstance(tree, ast.Name) and tree.id in self.text.dice)

    def _every_faces(self) -> Iterable[FacesText]:
        yield from self.text.dice.values()
        yield from (column.faces for column in self.text.columns.values() if column.faces is not None)
        yield from (roll.faces for roll in self.text.rolls if roll.faces is not None)

    def faces_of(self, roll: RollText, name: str) -> Faces:
        """Give the faces of dice that a roll names: those of the die of this name, or of the roll."""
        if name in self.dice:
            return self.dice[name]
        if self.dice and roll.faces is None:
            hint = did_you_mean(name, self.dice)
            raise roll.item["dice"][name].key_fault(f"expected a die of [dice], or 'faces' for all others, got {name!r}{hint}")
        return self.faces(roll.faces)

    def reads_dice(self, roll: RollText) -> bool:
        """Say whether the hand that a roll gives is looked at, and not only its sum."""
        return any(reads(expression.tree, "dice", but_in="sum") for expression in self.text.expressions(roll))

    def _packing(self) -> Hands | None:
        """Choose how hands are packed: by the faces that any of them has."""
        found = [self.faces(column.faces) for column in self.text.columns.values() if column.dice is not None]
        for roll in self.text.rolls:
            found += self._faces_in_hands(roll)
        numbers = {number for faces in found for number in faces.numbers}
        if len(numbers) > MOST_HAND_FACES:
            what = f"expected dice of at most {MOST_HAND_FACES} faces where hands are looked at, got {len(numbers)}"
            raise self.text.rolls[0].item.fault(what)
        named = frozenset(self.texts[side] for faces in found for side in faces.weights or () if isinstance(side, str))
        plain = {side for faces in found for side in (faces.weights or faces.numbers) if isinstance(side, int)}
        if named & plain:
            name = next(name for name, number in self.texts.items() if number in named & plain)
            what = f"expected faces with different numbers, got {name!r}, which is {self.texts[name]} as a member of a set"
            raise self.text.rolls[0].item.fault(f"{what}, and a die with the face {self.texts[name]}: call it something else")
        return Hands.of(sorted(numbers), named) if numbers else None

    def _faces_in_hands(self, roll: RollText) -> Iterable[Faces]:
        """Give the faces of the dice of a roll that expressions see as a hand."""
        if roll.draw is not None:
            return
        if not roll.named:
            faces = self.faces(roll.faces)
            if faces.weights is not None or self.reads_dice(roll):
                yield faces
            return
        for name, number in roll.named.items():
            node = self.constants_or_none(number)
            if node != 1 or any(reads(expression.tree, "dice") for expression in self.text.expressions(roll)):
                yield self.faces_of(roll, name)

    def constants_or_none(self, expression: Expression) -> int | None:
        """Compute a number that is known from the parameters alone; None for another."""
        known = {*self.parameters, *self.text.definitions, *self.text.tables}
        if any(isinstance(part, ast.Name) and part.id not in known for part in ast.walk(expression.tree)):
            return None
        try:
            return self.constant(expression)
        except GameError:
            return None

    def _add_columns(self, name: str, text: ColumnText) -> None:
        """Make a column, or those of a row: `cells_0`, `cells_1`, ..."""
        if text.count is None:
            self.columns[name] = self._column(name, text)
            return
        count = self.constant(text.count)
        if not 1 <= count <= MOST_PLACES:
            raise text.count.fault(text.count.tree, f"expected 1 to {MOST_PLACES} columns in a row, got {count}")
        self.rows_of[name] = [f"{name}_{place}" for place in range(count)]
        starts = text.start.each() if text.start is not None and text.span and isinstance(text.start.value, list) else None
        if text.start is not None and starts is not None and len(starts) != count:
            raise text.start.fault(f"expected {count} numbers, one for each place, got {len(starts)}")
        for place, one in enumerate(self.rows_of[name]):
            if one in self.text.columns:
                raise self.text.columns[one].item.key_fault(f"expected another name, got {one!r}, which is a place of {name!r}")
            self.columns[one] = self._column(one, text if starts is None else replace(text, start=starts[place]))
        if len(self.columns) > MOST_COLUMNS:
            raise text.item.fault(
                f"expected at most {MOST_COLUMNS} columns with the places of all rows, got more: make rows shorter"
            )

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
        hands = there(self.hands)
        if not 1 <= most < min(hands.base, MOST_DICE + 1):
            top = min(hands.base - 1, MOST_DICE)
            raise dice.fault(dice.tree, f"expected a hand of 1 to {top} dice of {hands.faces} faces, got {most}")
        self.fits(dice.item, lambda: self.rows.throws(most, faces.count, True, faces.total))
        table = self.hand_table(most, faces)
        packed = self.packed(table)
        start = 0 if text.start is None else self.hand_literal(text.start, table)
        node = Node("hand", 0, most, lambda env: packed[env[name]], members=faces.numbers)
        return ColumnRule(text.item, Dice(table), start, node, faces.numbers, hands=table)

    def hand_table(self, most: int, faces: Faces) -> HandTable:
        """Give the hands of at most so many dice, made once."""
        key = (most, faces.numbers, faces.weights and tuple(faces.weights.items()))
        if key not in self._tables:
            self._tables[key] = HandTable(most, faces.given)
            self._numbers[self._tables[key]] = faces.numbers
        return self._tables[key]

    def hand_literal(self, item: Item, table: HandTable) -> int:
        """Read a list of dice, by the number of its hand."""
        dice = item.value if isinstance(item.value, list) else None
        place = {side: face for face, side in enumerate(table.sides, start=1)}
        known = dice is not None and all(type(die) in (int, str) for die in dice)
        found = tuple(sorted(place.get(die, 0) for die in dice)) if dice is not None and known else (0,)
        if found not in table.number:
            example = list(table.shown(len(table) - 1))[:2]
            raise item.fault(f"expected a list of at most {table.most} dice such as {example}, got {brief(item.value, 40)}")
        return table.number[found]

    def packed(self, table: HandTable) -> Array:
        """Give all hands as expressions see them, computed once."""
        if table not in self._packed:
            self._packed[table] = packed_hands(table, self._numbers[table], there(self.hands))
        return self._packed[table]

    def ordered(self, table: HandTable) -> tuple[Array, Array]:
        """Give all hands as expressions see them, in order, and the number of each, computed once."""
        if table not in self._ordered:
            packed = self.packed(table)
            order = np.argsort(packed)
            self._ordered[table] = packed[order], order
        return self._ordered[table]

    def keeps(self, table: HandTable) -> Relation:
        """Give the ways to keep some of the dice of each hand, computed once. Raises `Misfit` if they are too many."""
        self.rows.keeps(table.most, table.faces)
        if table not in self._keeps:
            self._keeps[table] = table.keeps()
        return self._keeps[table]

    def _check_space(self) -> None:
        space = 1
        for column in self.columns.values():
            space *= column.column.size
            if space >= LARGEST_SPACE:
                raise column.item.fault("expected fewer than 2**62 combinations of the columns, got more: make ranges smaller")

    def _member_texts(self) -> dict[str, int]:
        """Give the number that a name stands for: of a set its place there, from 0; of a face another small number.

        A name that would stand for two is left out.
        """
        found: dict[str, set[int]] = {}
        for column in self.text.columns.values():
            for place, member in enumerate(column.members if isinstance(column.members, tuple) else ()):
                if isinstance(member, str):
                    found.setdefault(member, set()).add(place)
        sides = [side for faces in self._every_faces() for side in faces.weights or ()]
        taken = {side for side in sides if isinstance(side, int)} | {*range(1, self._most_plain_faces() + 1)}
        for side in dict.fromkeys(side for side in sides if isinstance(side, str)):
            if side not in found:
                found[side] = {next(number for number in count() if number not in taken)}
                taken |= found[side]
        return {name: numbers.pop() for name, numbers in found.items() if len(numbers) == 1}

    def labels(self) -> dict[str, str]:
        """Give what boards call the columns that are not called by their names."""
        found = {name: column.label for name, column in self.text.columns.items() if column.label}
        for name, places in self.rows_of.items():
            found |= {one: f"{found.get(name, spoken(name))} {place}" for place, one in enumerate(places)}
        return {name: label for name, label in found.items() if name in self.columns}

    def _elsewhere(self, but: str) -> dict[str, str]:
        """Say where names are known that not all expressions may read."""
        chosen = {a.choose.name: f"it is chosen by the action {a.name!r}" for a in self.text.actions if a.choose is not None}
        rolled = {name: "it is known in the 'to' of the [[roll]] that has it" for roll in self.text.rolls for name in roll.named}
        found = {**rolled, **chosen, "dice": "it is known in [roll] to", "die": "it is known in [roll] to, with dice = 1"}
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
        columns |= {name: list_of(tuple(columns[one] for one in places)) for name, places in self.rows_of.items()}
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


def _numbered(count: int) -> Faces:
    return Faces(tuple(range(1, count + 1)))
