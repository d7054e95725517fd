"""From the text of a game file to rules in columns: every expression gets its scope, every roll and choice its table."""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any

import numpy as np

from rollwise.errors import GameError, brief
from rollwise.games.columns import Chance, Choice, Relation, Subset, throws
from rollwise.games.columns import Hands as HandTable
from rollwise.games.files.expressions import Scope
from rollwise.games.files.grammar import Expression
from rollwise.games.files.language import ActionText, Case, ChooseText, GameText
from rollwise.games.files.nodes import Array, Env, Kind, Members, Node, constant, made, there
from rollwise.games.files.operations import said
from rollwise.games.files.setting import ColumnRule, Setting
from rollwise.games.files.source import Item, did_you_mean
from rollwise.games.files.tables import MOST_DICE, RowBudget, merged, subsets

__all__ = ["FileRules"]

Reader = Callable[[Env], Array]


class Reads:
    """What expressions read: columns of positions, columns of rows, and definitions that were computed."""

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
class Chosen:
    """What may be chosen: rows, what they bind, the key that positions are joined on, and what makes a row legal."""

    relation: Relation
    bind: Callable[[Relation], dict[str, Node]]
    on: Callable[[Any], Array] | None = None
    legal: Callable[[Relation, Scope], Node] | None = None


class FileRules:
    """The rules of a game file with the values of its parameters."""

    def __init__(self, text: GameText, values: Mapping[str, int], rows: RowBudget) -> None:
        self.setting = Setting(text, values, rows)
        self.text, self.columns = text, self.setting.columns
        self.chance = self._chance()
        self.choices = [self._choice(action) for action in text.actions]
        self._check_names()
        self.pays = self._plain(text.pays)
        self.cost = self._plain(text.roll.cost)
        self.target = None if text.target is None else self.setting.constant(text.target)

    def _plain(self, expression: Expression | None) -> Callable[[Any], Array] | None:
        """Give a function of positions alone."""
        if expression is None:
            return None
        scope = self.setting.scope()
        reader = scope.number(expression).reader(scope.table)
        return lambda position: reader(Reads(position))

    # What is rolled

    def _chance(self) -> Chance:
        roll = self.text.roll
        plain = self.setting.scope()
        dice = plain.number(roll.dice)
        faces = self.setting.faces(roll.faces)
        self._check_dice(dice, faces)
        relation, names = self._throws(dice, faces)
        table = self.setting.table()
        scope = self.setting.scope(table, **names)
        body = _changes(self.setting, roll.cases, scope)
        on = dice.reader(plain.table)
        unless = None if roll.unless is None else plain.condition(roll.unless).reader(plain.table)
        rows = self.setting.fits(roll.item, lambda: merged(relation, table.needed, self.setting.rows))
        return Chance(
            rows, lambda p, row: p.but(**body(Reads(p, row))),
            None if dice.fixed else lambda p: on(Reads(p)),
            None if unless is None else lambda p: unless(Reads(p)),
            f"{self.setting.source.where(roll.item.spot.key)}: [roll]", self.setting.source.place(roll.item.spot.key),
        )  # fmt: skip

    def _check_dice(self, dice: Node, faces: int) -> None:
        roll = self.text.roll
        if dice.low < 0 or dice.high > MOST_DICE:
            raise roll.dice.fault(roll.dice.tree, f"expected 0 to {MOST_DICE} dice, got {dice.low} to {dice.high} of them")
        if self.setting.by_hand and self.setting.hands is not None and dice.high >= self.setting.hands.base:
            most = self.setting.hands.base - 1
            raise roll.dice.fault(roll.dice.tree, f"expected at most {most} dice of {faces} faces in a hand, got {dice.high}")
        self.setting.fits(roll.dice.item, lambda: self.setting.rows.throws(dice.high, faces, self.setting.by_hand))

    def _throws(self, dice: Node, faces: int) -> tuple[Relation, dict[str, Node]]:
        """Give the throws, and what they bind: `dice`, and `die` where there is always one."""
        if not self.setting.by_hand or dice.high == 0:
            relation = throws(dice.value if dice.fixed else range(dice.low, dice.high + 1), faces)
            total = _known("number", relation.sum, 0, 0)
            nothing = constant("hand", 0)
            thrown = nothing if self.setting.by_hand else Node("hand", dice.low, dice.high, total.run, total.known, total=total)
        else:
            table = HandTable(dice.high, faces)
            relation = table.throws(dice.value if dice.fixed else None)
            relation = relation if dice.fixed else relation.only(relation.dice >= dice.low)
            thrown = _known("hand", self.setting.packed(table)[relation.hand], dice.low, dice.high)
            total = _known("number", table.sum[relation.hand], dice.low, dice.high * faces)
        return relation, {"dice": thrown, **({"die": total} if dice.fixed and dice.value == 1 else {})}

    # What may be chosen

    def _choice(self, action: ActionText) -> Choice:
        source, key = self.setting.source, action.item.spot.key
        where, place = f"{source.where(key)}: action {action.name!r}", source.place(key)
        if action.choose is None:
            scope = self.setting.scope()
            body, gain = _changes(self.setting, action.cases, scope), self._gain(action, scope)
            when = None if action.when is None else scope.condition(action.when).reader(scope.table)
            return Choice(
                action.name, lambda s: _after(s, Reads(s), body, gain),
                when=None if when is None else lambda s: when(Reads(s)), where=where, place=place,
            )  # fmt: skip
        found = _chosen(self.setting, action.choose)
        relation = self._sifted(action, found)
        table = self.setting.table()
        scope = self.setting.scope(table, **found.bind(relation))
        conditions = [] if action.when is None else scope.conditions(action.when)
        tests = [node.reader(table) for node in conditions if node.known is None or node.fixed]
        if found.legal is not None:
            tests.insert(0, found.legal(relation, scope).reader(table))
        body, gain = _changes(self.setting, action.cases, scope), self._gain(action, scope)
        return Choice(
            action.name, lambda s, row: _after(s, Reads(s, row), body, gain), relation.plus(**table.needed), found.on,
            partial(_holds, tests) if tests else None, where, place,
        )  # fmt: skip

    def _check_names(self) -> None:
        """Refuse an action that is called as what another one chooses: `roll 3` besides the third of `roll`."""
        plain = [action for action in self.text.actions if action.choose is None]
        for choice in self.choices:
            begin = f"{choice.name} "
            named = {action.name.removeprefix(begin): action for action in plain if action.name.startswith(begin)}
            if choice.table is None or not named:
                continue
            # The labels are gone over once, for all actions together: there may be a million of them.
            taken = next((named[label] for label in map(choice.table.label, range(choice.table.rows)) if label in named), None)
            if taken is not None:
                tip = f"got one that {choice.name!r} has already, for what it chooses"
                raise taken.item["name"].fault(f"expected actions with different names, {tip}")

    def _sifted(self, action: ActionText, found: Chosen) -> Relation:
        """Leave out the rows that are never legal, whatever the position."""
        relation = found.relation
        scope = self.setting.scope(None, **found.bind(relation))
        conditions = [] if action.when is None else scope.conditions(action.when)
        known = [node.known for node in conditions if node.known is not None and node.known.ndim]
        return relation.only(np.logical_and.reduce(known)) if known else relation

    def _gain(self, action: ActionText, scope: Scope) -> Reader | None:
        return None if action.gain is None else scope.number(action.gain).reader(scope.table)


def _holds(tests: Sequence[Reader], s: Any, row: Any) -> Array:
    env = Reads(s, row)
    return reduce(np.logical_and, [test(env) for test in tests])


def _after(s: Any, env: Reads, body: Callable[[Env], dict[str, Any]], gain: Reader | None) -> Any:
    after = s.but(**body(env))
    return after if gain is None else (after, gain(env))


# What columns become, case by case, for many positions at once


def _known(kind: Kind, values: Array, low: int, high: int, **more: Any) -> Node:
    """Give what a row binds, with the range that its values have."""
    if kind == "number" and values.size:
        low, high = int(values.min()), int(values.max())
    return replace(constant(kind, 0), known=np.asarray(values), low=low, high=high, **more)


def _changes(setting: Setting, cases: Sequence[Case], scope: Scope) -> Callable[[Env], dict[str, Any]]:
    """Give what columns become: the first case that fits; what it does not name stays as it is."""
    whens = [None if case.when is None else scope.condition(case.when).reader(scope.table) for case in cases]
    to = [{name: _becomes(setting, name, case, scope) for name in case.to} for case in cases]
    names = list(dict.fromkeys(name for case in to for name in case))
    stays = {name: setting.columns[name].node.run for name in names}
    keepers = {name: _keeper(setting, name) for name in names}

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


def _becomes(setting: Setting, name: str, case: Case, scope: Scope) -> Reader:
    item = case.to[name]
    if name not in setting.columns:
        hint = did_you_mean(name, setting.columns)
        raise item.key_fault(f"expected a column, got {brief(name, 40)}{hint} (known: {', '.join(setting.columns)[:300]})")
    column = setting.columns[name]
    if name not in case.parsed or (column.members and item.value in ("all", "none")):
        return _literal(setting, column, item)
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


def _literal(setting: Setting, column: ColumnRule, item: Item) -> Reader:
    """Read a list of members or of dice."""
    if isinstance(column.column, Subset):
        value = setting.set_literal(item, column.column)
    elif column.hands is not None and setting.hands is not None:
        value = setting.hands.pack(column.hands.faces_of[setting.hand_literal(item, column.hands)])
    else:
        raise item.fault(f"expected a number or an expression, got {brief(item.value, 40)}")
    number = np.int64(value)
    return lambda _: number  # type: ignore[return-value]


def _keeper(setting: Setting, name: str) -> Callable[[Any], Any]:
    """Give what turns a value into what the column holds."""
    column = setting.columns[name]
    if column.hands is None or setting.hands is None:
        return lambda value: value
    (ordered, order), most = setting.ordered(column.hands), column.hands.most

    def keep(value: Any) -> Any:
        place = np.minimum(np.searchsorted(ordered, value), len(ordered) - 1)
        if not np.all(ordered[place] == value):
            raise GameError(f"column {name!r} would hold more than its {most} dice, or other faces")
        return order[place]

    return keep


# What an action chooses: a member, a subset, dice, a number; one row of a table for each


def _chosen(setting: Setting, choose: ChooseText) -> Chosen:
    """Give the rows for what an action chooses."""
    if choose.what == "number":
        return _choose_number(setting, choose)
    choose_from = _choose_dice if choose.what == "dice" else _choose_from_set
    return choose_from(setting, choose, there(choose.of))


def _choose_number(setting: Setting, choose: ChooseText) -> Chosen:
    low, high = setting.span(there(choose.span))
    setting.fits(choose.item, lambda: setting.rows.take(high - low + 1, "these numbers"))
    relation = Relation({"number": np.arange(low, high + 1)}, labels=lambda row: str(row["number"]))
    return Chosen(relation, lambda rows: {choose.name: _known("number", rows.number, low, high)})


def _choose_from_set(setting: Setting, choose: ChooseText, of: Expression) -> Chosen:
    scope = setting.scope()
    node = scope.read(of)
    if node.kind != "set":
        raise of.fault(of.tree, f"expected a set to choose from, got {said(node)}")
    members = node.members
    names = members.names if isinstance(members, Members) else tuple(map(str, members))
    if choose.what == "member":
        setting.fits(choose.item, lambda: setting.rows.take(len(members), "its members"))
        relation = Relation({"number": members, "bit": [1 << place for place in range(len(members))]}, labels=names)

        def bind(rows: Relation) -> dict[str, Node]:
            return {choose.name: _known("number", rows.number, min(members), max(members))}

        return Chosen(relation, bind, legal=lambda rows, scope: _within(scope, of, rows.bit))
    return _choose_subset(setting, choose, of, members, names)


def _choose_subset(
    setting: Setting, choose: ChooseText, of: Expression, members: tuple[int, ...], names: Sequence[str]
) -> Chosen:
    low, high = _sizes(setting, choose, len(members))
    scope = setting.scope()
    total = None if choose.total is None else scope.number(choose.total)
    bounds = None if total is None else (total.low, total.high)
    relation = setting.fits(choose.item, lambda: subsets(members, names, (low, high), bounds, setting.rows))
    read = None if total is None else total.reader(scope.table)
    return Chosen(
        relation, lambda rows: {choose.name: _known("set", rows.mask, 0, 0, members=members)},
        None if read is None else lambda s: read(Reads(s)), lambda rows, scope: _within(scope, of, rows.mask),
    )  # fmt: skip


def _sizes(setting: Setting, choose: ChooseText, most: int) -> tuple[int, int]:
    if choose.size is None:
        return (1, most) if choose.what == "subset" else (0, most)
    low, high = setting.span(choose.size)
    if low < 0 or low > most:
        raise choose.size.item.fault(f"expected sizes from 0 to {most}, got {low}..{high}")
    return low, min(high, most)


def _choose_dice(setting: Setting, choose: ChooseText, of: Expression) -> Chosen:
    name = of.tree.id if isinstance(of.tree, ast.Name) else ""
    if name not in setting.columns or setting.columns[name].hands is None:
        raise of.fault(of.tree, "expected a column with dice to choose from")
    table = there(setting.columns[name].hands)
    low, high = _sizes(setting, choose, table.most)
    relation = setting.fits(choose.item, lambda: setting.keeps(table))
    relation = relation.only((table.dice[relation.kept] >= low) & (table.dice[relation.kept] <= high))
    packed = setting.packed(table)

    def bind(rows: Relation) -> dict[str, Node]:
        return {
            choose.name: _known("hand", packed[rows.kept], low, high), name: _known("hand", packed[rows.hand], 0, table.most),
        }  # fmt: skip

    return Chosen(relation, bind, lambda s: s[name])


def _within(scope: Scope, of: Expression, mask: Array) -> Node:
    """Say whether all of these members are in the set that is chosen from."""
    return made(scope.table, "condition", (0, 1), lambda a, b: (b & ~a) == 0, scope.read(of), _known("set", mask, 0, 0))
