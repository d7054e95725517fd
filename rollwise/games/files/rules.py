"""From the text of a game file to rules in columns: every expression gets its scope, every roll and choice its table."""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial, reduce
from typing import Any

import numpy as np

from rollwise.errors import GameError, brief
from rollwise.games.columns import Chance, Choice, Column, Dice, Mover, Number, Relation, Subset, throws
from rollwise.games.columns import Hands as HandTable
from rollwise.games.files.expressions import Scope, reads
from rollwise.games.files.grammar import Expression, parse
from rollwise.games.files.language import ActionText, Case, ChooseText, ColumnText, GameText, Range
from rollwise.games.files.nodes import LARGEST_NUMBER, Array, Env, Hands, Kind, Misfit, Node, Table, constant, made
from rollwise.games.files.operations import said
from rollwise.games.files.source import Item
from rollwise.games.files.tables import MOST_DICE, Rows, merged, packed_hands, subsets

__all__ = ["FileRules"]

LARGEST_SPACE = 2**62
MOST_MEMBERS = 40
MOST_HANDS = 100_000

Reader = Callable[[Env], Array]


class _Reads:
    """What expressions read: columns of positions, columns of rows, and definitions that were worked out."""

    __slots__ = ("position", "row", "worked")

    def __init__(self, position: Any, row: Any = None) -> None:
        self.position, self.row = position, row
        self.worked: dict[int, Array] = {}

    def __getitem__(self, name: str) -> Array:
        found: Array = self.position[name]
        return found

    def cell(self, name: str) -> Array:
        found: Array = self.row[name]
        return found


@dataclass(frozen=True)
class _Column:
    """A column: how it is kept, how expressions read it, and how what they give is kept."""

    item: Item
    column: Column
    start: int
    node: Node
    members: tuple[int, ...] = ()
    hands: HandTable | None = None


class FileRules:
    """The rules of a game file with the values of its parameters."""

    def __init__(self, text: GameText, values: Mapping[str, int]) -> None:
        self.text, self.rows = text, Rows()
        self.source = text.item.source
        self.parameters = {name: constant("number", value) for name, value in values.items()}
        self.constants = Scope(self.parameters, text.definitions, text.tables, elsewhere=self._elsewhere("parameter"))
        self.hands = self._packing()
        self.columns = {name: self._column(name, column) for name, column in text.columns.items()}
        self._check_space()
        self.texts = self._texts()
        self.chance = self._chance()
        self.choices = [self._choice(action) for action in text.actions]
        self.pays = self._plain(text.pays)
        self.cost = self._plain(text.roll.cost)
        self.target = None if text.target is None else self._constant(text.target)

    # Constants, columns, scopes

    def _constant(self, expression: Expression) -> int:
        node = self.constants.number(expression)
        if not node.fixed:
            raise expression.fault(expression.tree, "expected a number that is known from the parameters alone")
        return node.value

    def _span(self, span: Range) -> tuple[int, int]:
        low, high = self._constant(span.low), self._constant(span.high)
        if high < low:
            raise span.item.fault(f"expected a range that is not empty, got {low}..{high}")
        return low, high

    def _fits(self, item: Item, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except Misfit as misfit:
            raise item.fault(str(misfit)) from None

    def _faces(self, faces: Expression | None) -> int:
        found = 6 if faces is None else self._constant(faces)
        if faces is not None and not 1 <= found <= 1_000:
            raise faces.fault(faces.tree, f"expected dice of 1 to 1,000 faces, got {found}")
        return found

    def _packing(self) -> Hands | None:
        """Choose how hands are packed: by the most faces that any of them has."""
        roll = self.text.roll
        self.by_hand = any(reads(expression.tree, "dice", but_in="sum") for expression in self.text.expressions())
        faces = [self._faces(column.faces) for column in self.text.columns.values() if column.dice is not None]
        faces += [self._faces(roll.faces)] if self.by_hand else []
        if max(faces, default=0) > 31:
            raise roll.item.fault(f"expected dice of at most 31 faces where hands are looked at, got {max(faces)}")
        return Hands.of(max(faces)) if faces else None

    def _column(self, name: str, text: ColumnText) -> _Column:
        if text.player:
            return _Column(text.item, Mover(), 0, _read(name, 0, 1))
        if text.span is not None:
            return self._number(name, text, *self._span(text.span))
        if text.members is not None:
            return self._set(name, text, text.members)
        return self._dice(name, text)

    def _number(self, name: str, text: ColumnText, low: int, high: int) -> _Column:
        if max(abs(low), abs(high)) > LARGEST_NUMBER:
            raise text.item.fault(f"expected numbers of at most 2**53, got {low}..{high}")
        start = low
        if text.start is not None:
            start = self._start(text.start, lambda scope, found: scope.number(found))
            if not low <= start <= high:
                raise text.start.fault(f"expected a start within {low}..{high}, got {start}")
        return _Column(text.item, Number(low, high), start, _read(name, low, high))

    def _start(self, item: Item, read: Callable[[Scope, Expression], Node]) -> int:
        expression = parse(item)
        node = read(self.constants, expression)
        if not node.fixed:
            raise item.fault("expected a start that is known from the parameters alone")
        return node.value

    def _set(self, name: str, text: ColumnText, members: Range | tuple[int | str, ...]) -> _Column:
        if isinstance(members, Range):
            low, high = self._span(members)
            if high - low >= MOST_MEMBERS or max(abs(low), abs(high)) > LARGEST_NUMBER:
                raise members.item.fault(f"expected a set of at most {MOST_MEMBERS} members, got {low}..{high}")
            members = tuple(range(low, high + 1))
        numbers = tuple(member if isinstance(member, int) else place for place, member in enumerate(members))
        column = Subset(members)
        node = Node("set", 0, 0, lambda env: env[name], members=numbers)
        return _Column(text.item, column, self._set_start(text, column), node, numbers)

    def _set_start(self, text: ColumnText, column: Subset) -> int:
        if text.start is None:
            return 0
        return self._set_literal(text.start, column)

    def _set_literal(self, item: Item, column: Subset) -> int:
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

    def _dice(self, name: str, text: ColumnText) -> _Column:
        assert text.dice is not None
        assert self.hands is not None
        most, faces = self._constant(text.dice), self._faces(text.faces)
        table = self._hand_table(text.dice, most, faces)
        packed = packed_hands(table, self.hands)
        start = 0
        if text.start is not None:
            start = self._hand_start(text.start, table)
        node = Node("hand", 0, most, lambda env: packed[env[name]])
        return _Column(text.item, Dice(table), start, node, hands=table)

    def _hand_table(self, expression: Expression, most: int, faces: int) -> HandTable:
        assert self.hands is not None
        if not 1 <= most < min(self.hands.base, MOST_DICE + 1):
            top = min(self.hands.base - 1, MOST_DICE)
            raise expression.fault(expression.tree, f"expected a hand of 1 to {top} dice of {self.hands.faces} faces, got {most}")
        self._fits(expression.item, lambda: self.rows.throws(most, faces, True))
        table = HandTable(most, faces)
        if len(table) > MOST_HANDS:
            raise expression.fault(expression.tree, f"expected at most {MOST_HANDS:,} hands, got {len(table):,}")
        return table

    def _hand_start(self, item: Item, table: HandTable) -> int:
        dice = item.value if isinstance(item.value, list) else None
        if dice is None or not all(type(die) is int for die in dice) or tuple(sorted(dice)) not in table.number:
            raise item.fault(f"expected a list of at most {table.most} dice such as [1, 1], got {brief(item.value, 40)}")
        return table.number[tuple(sorted(dice))]

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

    def _scope(self, table: Table, **names: Node) -> Scope:
        elsewhere = {name: tip for name, tip in self._elsewhere("").items() if name not in names}
        columns = {name: column.node for name, column in self.columns.items()}
        known = {**self.parameters, **columns, **names}
        return Scope(known, self.text.definitions, self.text.tables, self.texts, self.hands, table, elsewhere)

    def _plain(self, expression: Expression | None) -> Callable[[Any], Array] | None:
        """Give a function of positions alone."""
        if expression is None:
            return None
        scope = self._scope(Table())
        reader = scope.number(expression).reader(scope.table)
        return lambda position: reader(_Reads(position))

    # What is rolled

    def _chance(self) -> Chance:
        roll = self.text.roll
        plain = self._scope(Table())
        dice = plain.number(roll.dice)
        faces = self._faces(roll.faces)
        self._check_dice(dice, faces)
        relation, names = self._throws(dice, faces)
        table = Table(relation.rows)
        scope = self._scope(table, **names)
        body = self._changes(roll.cases, scope)
        on = dice.reader(plain.table)
        unless = None if roll.unless is None else plain.condition(roll.unless).reader(plain.table)
        return Chance(
            merged(relation, table.needed), lambda p, row: p.but(**body(_Reads(p, row))),
            None if dice.fixed else lambda p: on(_Reads(p)),
            None if unless is None else lambda p: unless(_Reads(p)),
            f"{self.source.where(roll.item.spot.key)}: [roll]",
        )  # fmt: skip

    def _check_dice(self, dice: Node, faces: int) -> None:
        roll = self.text.roll
        if dice.low < 0 or dice.high > MOST_DICE:
            raise roll.dice.fault(roll.dice.tree, f"expected 0 to {MOST_DICE} dice, got {dice.low} to {dice.high} of them")
        if self.by_hand and self.hands is not None and dice.high >= self.hands.base:
            most = self.hands.base - 1
            raise roll.dice.fault(roll.dice.tree, f"expected at most {most} dice of {faces} faces in a hand, got {dice.high}")
        self._fits(roll.dice.item, lambda: self.rows.throws(dice.high, faces, self.by_hand))

    def _throws(self, dice: Node, faces: int) -> tuple[Relation, dict[str, Node]]:
        """Give the throws, and what they bind: `dice`, and `die` where there is always one."""
        numbers = range(dice.low, dice.high + 1)
        if not self.by_hand or dice.high == 0:
            relation = throws(numbers, faces) if not dice.fixed else throws(dice.value, faces)
            total = _known("number", relation.sum, int(relation.sum.min()), int(relation.sum.max()))
            thrown = Node("hand", dice.low, dice.high, total.run, total.known, total=total)
        else:
            assert self.hands is not None
            table = HandTable(dice.high, faces)
            relation = table.throws(dice.value if dice.fixed else None)
            relation = relation if dice.fixed else relation.only(relation.dice >= dice.low)
            thrown = _known("hand", packed_hands(table, self.hands)[relation.hand], dice.low, dice.high)
            total = _known("number", table.sum[relation.hand], dice.low, dice.high * faces)
        return relation, {"dice": thrown, **({"die": total} if dice.fixed and dice.value == 1 else {})}

    # What may be chosen

    def _choice(self, action: ActionText) -> Choice:
        where = f"{self.source.where(action.item.spot.key)}: action {action.name!r}"
        if action.choose is None:
            scope = self._scope(Table())
            body, gain = self._changes(action.cases, scope), self._gain(action, scope)
            when = None if action.when is None else scope.condition(action.when).reader(scope.table)
            return Choice(
                action.name, lambda s: _after(s, _Reads(s), body, gain),
                when=None if when is None else lambda s: when(_Reads(s)), where=where,
            )  # fmt: skip
        chosen = self._chosen(action.choose)
        relation = self._sifted(action, chosen)
        table = Table(relation.rows)
        scope = self._scope(table, **chosen.bind(relation))
        conditions = [*([] if action.when is None else scope.conditions(action.when))]
        if chosen.legal is not None:
            conditions.insert(0, chosen.legal(relation, scope))
        tests = [node.reader(table) for node in conditions if node.known is None or node.fixed]
        body, gain = self._changes(action.cases, scope), self._gain(action, scope)
        return Choice(
            action.name, lambda s, row: _after(s, _Reads(s, row), body, gain), relation.plus(**table.needed), chosen.on,
            partial(_holds, tests) if tests else None, where,
        )  # fmt: skip

    def _sifted(self, action: ActionText, chosen: "_Chosen") -> Relation:
        """Leave out the rows that are never legal, whatever the position."""
        relation = chosen.relation
        scope = self._scope(Table(relation.rows), **chosen.bind(relation))
        conditions = [] if action.when is None else scope.conditions(action.when)
        known = [node.known for node in conditions if node.known is not None and node.known.ndim]
        return relation.only(np.logical_and.reduce(known)) if known else relation

    def _chosen(self, choose: ChooseText) -> "_Chosen":
        if choose.what == "number":
            return self._choose_number(choose)
        assert choose.of is not None
        if choose.what == "dice":
            return self._choose_dice(choose, choose.of)
        return self._choose_from_set(choose, choose.of)

    def _choose_number(self, choose: ChooseText) -> "_Chosen":
        assert choose.span is not None
        low, high = self._span(choose.span)
        self._fits(choose.item, lambda: self.rows.take(high - low + 1, "numbers to choose with"))
        relation = Relation({"number": np.arange(low, high + 1)}, labels=lambda row: str(row["number"]))
        return _Chosen(relation, lambda rows: {choose.name: _known("number", rows.number, low, high)})

    def _choose_from_set(self, choose: ChooseText, of: Expression) -> "_Chosen":
        scope = self._scope(Table())
        node = scope.read(of)
        if node.kind != "set":
            raise of.fault(of.tree, f"expected a set to choose from, got {said(node)}")
        members, names = node.members, self._member_names(node.members)
        if choose.what == "member":
            self._fits(choose.item, lambda: self.rows.take(len(members), "members with"))
            relation = Relation({"number": members, "bit": [1 << place for place in range(len(members))]}, labels=names)

            def bind(rows: Relation) -> dict[str, Node]:
                return {choose.name: _known("number", rows.number, min(members), max(members))}

            return _Chosen(relation, bind, legal=lambda rows, scope: _within(scope, of, rows.bit))
        return self._choose_subset(choose, of, members, names)

    def _member_names(self, members: tuple[int, ...]) -> tuple[str, ...]:
        for column in self.columns.values():
            if column.members == members and isinstance(column.column, Subset):
                return column.column.names
        return tuple(map(str, members))

    def _choose_subset(self, choose: ChooseText, of: Expression, members: tuple[int, ...], names: Sequence[str]) -> "_Chosen":
        low, high = self._sizes(choose, len(members))
        scope = self._scope(Table())
        total = None if choose.total is None else scope.number(choose.total)
        bounds = None if total is None else (total.low, total.high)
        relation = self._fits(choose.item, lambda: subsets(members, names, (low, high), bounds, self.rows))
        read = None if total is None else total.reader(scope.table)
        return _Chosen(
            relation, lambda rows: {choose.name: _known("set", rows.mask, 0, 0, members=members)},
            None if read is None else lambda s: read(_Reads(s)), lambda rows, scope: _within(scope, of, rows.mask),
        )  # fmt: skip

    def _sizes(self, choose: ChooseText, most: int) -> tuple[int, int]:
        if choose.size is None:
            return (1, most) if choose.what == "subset" else (0, most)
        low, high = self._span(choose.size)
        if low < 0 or low > most:
            raise choose.size.item.fault(f"expected sizes from 0 to {most}, got {low}..{high}")
        return low, min(high, most)

    def _choose_dice(self, choose: ChooseText, of: Expression) -> "_Chosen":
        name = of.tree.id if isinstance(of.tree, ast.Name) else ""
        if name not in self.columns or self.columns[name].hands is None:
            raise of.fault(of.tree, "expected a column with dice to choose from")
        table, hands = self.columns[name].hands, self.hands
        assert table is not None
        assert hands is not None
        low, high = self._sizes(choose, table.most)
        self._fits(choose.item, lambda: self.rows.keeps(table.most, table.faces))
        relation = table.keeps()
        relation = relation.only((table.dice[relation.kept] >= low) & (table.dice[relation.kept] <= high))
        packed = packed_hands(table, hands)

        def bind(rows: Relation) -> dict[str, Node]:
            return {
                choose.name: _known("hand", packed[rows.kept], low, high), name: _known("hand", packed[rows.hand], 0, table.most),
            }  # fmt: skip

        return _Chosen(relation, bind, lambda s: s[name])

    # What columns become

    def _gain(self, action: ActionText, scope: Scope) -> Reader | None:
        return None if action.gain is None else scope.number(action.gain).reader(scope.table)

    def _changes(self, cases: Sequence[Case], scope: Scope) -> Callable[[Env], dict[str, Any]]:
        """Give what columns become: the first case that fits; what it does not name stays as it is."""
        whens = [None if case.when is None else scope.condition(case.when).reader(scope.table) for case in cases]
        to = [{name: self._becomes(name, case, scope) for name in case.to} for case in cases]
        names = list(dict.fromkeys(name for case in to for name in case))
        stays = {name: self.columns[name].node.run for name in names}
        keepers = {name: self._keeper(name, scope) for name in names}

        def changed(env: Env) -> dict[str, Any]:
            found: dict[str, Any] = {}
            fits = [None if when is None else when(env) for when in whens]
            for name in names:
                value: Any = None
                for fit, case in zip(reversed(fits), reversed(to), strict=True):
                    this = case.get(name, stays[name])(env)
                    value = this if fit is None else np.where(fit, this, stays[name](env) if value is None else value)
                found[name] = keepers[name](value)
            return found

        return changed

    def _becomes(self, name: str, case: Case, scope: Scope) -> Reader:
        item = case.to[name]
        if name not in self.columns:
            near = get_close_matches(name, self.columns, n=1, cutoff=0.5)
            hint = f": did you mean {near[0]!r}?" if near else ""
            raise item.key_fault(f"expected a column, got {brief(name, 40)}{hint} (known: {', '.join(self.columns)[:300]})")
        column = self.columns[name]
        if name not in case.parsed or (column.members and item.value in ("all", "none")):
            return self._literal(column, item)
        expression = case.parsed[name]
        if column.members:
            return scope.a_set(expression, column.members).reader(scope.table)
        if column.hands is not None:
            return scope.hand(expression).reader(scope.table)
        node = scope.number(expression)
        if node.high < column.column.low or node.low > column.column.high:
            expected = f"{column.column.low}..{column.column.high}, the range of {name!r}"
            raise expression.fault(expression.tree, f"expected a number within {expected}, got {said(node)}")
        return node.reader(scope.table)

    def _literal(self, column: _Column, item: Item) -> Reader:
        """Read a list of members or of dice."""
        if isinstance(column.column, Subset):
            value = self._set_literal(item, column.column)
        elif column.hands is not None and self.hands is not None:
            value = self.hands.pack(column.hands.faces_of[self._hand_start(item, column.hands)])
        else:
            raise item.fault(f"expected a number or an expression, got {brief(item.value, 40)}")
        number = np.int64(value)
        return lambda _: number  # type: ignore[return-value]

    def _keeper(self, name: str, scope: Scope) -> Callable[[Any], Any]:
        """Give what turns a value into what the column holds."""
        column = self.columns[name]
        if column.hands is None or self.hands is None:
            return lambda value: value
        packed, most = packed_hands(column.hands, self.hands), column.hands.most
        order = np.argsort(packed)
        ordered = packed[order]

        def keep(value: Any) -> Any:
            place = np.minimum(np.searchsorted(ordered, value), len(ordered) - 1)
            if not np.all(ordered[place] == value):
                raise GameError(f"column {name!r} would hold more than its {most} dice, or other faces")
            return order[place]

        return keep


@dataclass(frozen=True)
class _Chosen:
    """What may be chosen: rows, what they bind, the key that positions are joined on, and what makes a row legal."""

    relation: Relation
    bind: Callable[[Relation], dict[str, Node]]
    on: Callable[[Any], Array] | None = None
    legal: Callable[[Relation, Scope], Node] | None = None


def _read(name: str, low: int, high: int) -> Node:
    return Node("number", low, high, lambda env: env[name])


def _known(kind: Kind, values: Array, low: int, high: int, **more: Any) -> Node:
    """Give what a row binds, with the range that its values have."""
    if kind == "number" and values.size:
        low, high = int(values.min()), int(values.max())
    return replace(constant(kind, 0), known=np.asarray(values), low=low, high=high, **more)


def _within(scope: Scope, of: Expression, mask: Array) -> Node:
    """Say whether all of these members are in the set that is chosen from."""
    return made(scope.table, "condition", (0, 1), lambda a, b: (b & ~a) == 0, scope.read(of), _known("set", mask, 0, 0))


def _holds(tests: Sequence[Reader], s: Any, row: Any) -> Array:
    env = _Reads(s, row)
    return reduce(np.logical_and, [test(env) for test in tests])


def _after(s: Any, env: _Reads, body: Callable[[Env], dict[str, Any]], gain: Reader | None) -> Any:
    after = s.but(**body(env))
    return after if gain is None else (after, gain(env))
