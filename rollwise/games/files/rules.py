"""From the text of a game file to rules in columns: every expression gets its scope, every roll and choice its table."""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any

import numpy as np

from rollwise.errors import GameError, brief
from rollwise.games.columns import Chance, Choice, Dice, Relation, Subset, throws
from rollwise.games.columns import Hands as HandTable
from rollwise.games.files.expressions import Scope, reads
from rollwise.games.files.grammar import Expression
from rollwise.games.files.language import ActionText, Case, Change, ChooseText, GameText, RollText
from rollwise.games.files.nodes import Array, Env, Kind, Members, Misfit, Node, constant, made, there
from rollwise.games.files.operations import Operations, inside, said
from rollwise.games.files.setting import ColumnRule, Faces, Setting
from rollwise.games.files.source import Item, did_you_mean
from rollwise.games.files.tables import MOST_DICE, MOST_THINGS, RowBudget, drawn, merged, product, subsets
from rollwise.model.objective import Expected, Objective
from rollwise.model.objectives import read_objective

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
        chance: Chance | None = None
        for roll in reversed(text.rolls):
            chance = replace(self._chance(roll), then=chance)
        self.chance = there(chance)
        self.choices = [self._choice(action) for action in text.actions] or self._going_on()
        self._check_names()
        self.pays = self._plain(text.pays)
        self.cost = self._plain(text.rolls[0].cost)
        self.objective = self._objective()

    def _objective(self) -> Objective:
        """Give what is played for, with the numbers that it has from parameters."""
        found = self.text.objective
        if found is None:
            return Expected()
        number = "" if found.number is None else str(self.setting.constant(found.number))
        try:
            return read_objective(found.text.replace("{}", number))
        except GameError as error:
            raise found.item.fault(str(error)) from None

    def _going_on(self) -> list[Choice]:
        """Give the only action of a game of chance: what is rolled again, until nothing is; None if that never ends."""
        scope = self.setting.scope()
        unless = [roll.unless for roll in self.text.rolls]
        tests = [scope.condition(one).reader(scope.table) for one in unless if one is not None]
        if len(tests) < len(unless):
            return []
        when = lambda s: ~reduce(np.logical_and, [np.asarray(test(Reads(s))) for test in tests])  # noqa: E731
        return [Choice("roll", lambda s: s.but(), when=when)]

    def _plain(self, expression: Expression | None) -> Callable[[Any], Array] | None:
        """Give a function of positions alone."""
        if expression is None:
            return None
        scope = self.setting.scope()
        reader = scope.number(expression).reader(scope.table)
        return lambda position: reader(Reads(position))

    # What is rolled

    def _chance(self, roll: RollText) -> Chance:
        plain = self.setting.scope()
        numbers = self._numbers(roll, plain)
        relation, names = self._thrown(roll, numbers)
        table = self.setting.table()
        scope = self.setting.scope(table, **names)
        body = _changes(self.setting, roll.cases, scope)
        unless = None if roll.unless is None else plain.condition(roll.unless).reader(plain.table)
        rows = self.setting.fits(roll.item, lambda: merged(relation, table.needed, self.setting.rows))
        return Chance(
            rows, lambda p, row: p.but(**body(Reads(p, row))),
            None if relation.key is None else _mixture(numbers, [number.reader(plain.table) for number in numbers]),
            None if unless is None else lambda p: unless(Reads(p)),
            f"{self.setting.source.where(roll.item.spot.key)}: [roll]", self.setting.source.place(roll.item.spot.key),
        )  # fmt: skip

    def _numbers(self, roll: RollText, scope: Scope) -> list[Node]:
        """Read how many dice are thrown, or things drawn, one number after the other."""
        written = [part for part in (roll.draw, roll.dice, *roll.named.values()) if part is not None]
        found = [scope.number(part) for part in written]
        most, what = (MOST_DICE, "dice") if roll.draw is None else (MOST_THINGS, "things")
        for node, expression in zip(found, written, strict=True):
            if node.low < 0 or node.high > most:
                raise expression.fault(expression.tree, f"expected 0 to {most} {what}, got {node.low} to {node.high} of them")
        return found

    def _thrown(self, roll: RollText, numbers: list[Node]) -> tuple[Relation, dict[str, Node]]:
        """Give what may come of a roll, and what it binds."""
        if roll.draw is not None:
            return self._drawn(roll, numbers)
        if roll.named:
            return self._thrown_by_name(roll, numbers)
        dice, faces = numbers[0], self.setting.faces(roll.faces)
        by_hand = faces.weights is not None or self.setting.reads_dice(roll)
        self._check_dice(there(roll.dice), dice, faces, by_hand)
        return self._throws(dice, faces, by_hand)

    def _drawn(self, roll: RollText, numbers: list[Node]) -> tuple[Relation, dict[str, Node]]:
        draw, *things = [(number.low, number.high) for number in numbers]
        relation, found = self.setting.fits(roll.item, lambda: drawn(things, draw, self.setting.rows))
        return relation, {name: _known("number", took, 0, 0) for name, took in zip(roll.named, found, strict=True)}

    def _thrown_by_name(self, roll: RollText, numbers: list[Node]) -> tuple[Relation, dict[str, Node]]:
        """Give the throws of dice by name: a name is the face of its die, or the hand of its dice; `dice` is all of them."""
        reads_all = any(reads(expression.tree, "dice") for expression in self.text.expressions(roll))
        parts = []
        for (name, expression), number in zip(roll.named.items(), numbers, strict=True):
            faces = self.setting.faces_of(roll, name)
            is_face = number.fixed and number.value == 1
            self._check_dice(expression, number, faces, not is_face or reads_all)
            table = self.setting.hand_table(max(1, number.high), faces)
            parts.append((name, number, faces, table, is_face))
        joined = [((number.low, number.high), table.throws()) for _, number, _, table, _ in parts]
        relation, picked = self.setting.fits(roll.item, lambda: product(joined, self.setting.rows))
        names, everything = dict[str, Node](), constant("hand", 0)
        for (name, number, faces, table, is_face), (_, throw), rows in zip(parts, joined, picked, strict=True):
            hand = throw.hand[rows]
            if is_face:
                names[name] = _known("number", np.array([0, *faces.numbers])[_only_face(table)[hand]], 0, 0)
            if not is_face or reads_all:
                found = _known("hand", self.setting.packed(table)[hand], number.low, number.high, members=faces.numbers)
                names.setdefault(name, found)
                everything = self.setting.fits(
                    roll.item, partial(Operations(self.setting.table(), self.setting.hands).binary, ast.Add, everything, found)
                )
        if reads_all:
            names["dice"] = everything
        return (
            relation if any(not number.fixed for number in numbers) else Relation(relation.columns, weight=relation.weight)
        ), names

    def _check_dice(self, expression: Expression, dice: Node, faces: Faces, by_hand: bool) -> None:
        hands = self.setting.hands
        if by_hand and hands is not None and dice.high >= hands.base:
            most = hands.base - 1
            raise expression.fault(
                expression.tree, f"expected at most {most} dice of {hands.faces} faces in a hand, got {dice.high}"
            )
        self.setting.fits(expression.item, lambda: self.setting.rows.throws(dice.high, faces.count, by_hand, faces.total))

    def _throws(self, dice: Node, faces: Faces, by_hand: bool) -> tuple[Relation, dict[str, Node]]:
        """Give the throws of dice that are all alike, and what they bind: `dice`, and `die` where there is always one."""
        one = dice.fixed and dice.value == 1
        if not by_hand or dice.high == 0:
            relation = throws(dice.value if dice.fixed else range(dice.low, dice.high + 1), faces.count)
            total = _known("number", relation.sum, 0, 0)
            nothing = constant("hand", 0)
            thrown = nothing if by_hand else Node("hand", dice.low, dice.high, total.run, total.known, total=total)
            return relation, {"dice": thrown, **({"die": total} if one else {})}
        table = self.setting.hand_table(dice.high, faces)
        relation = table.throws(dice.value if dice.fixed else None)
        relation = relation if dice.fixed else relation.only(relation.dice >= dice.low)
        thrown = _known("hand", self.setting.packed(table)[relation.hand], dice.low, dice.high, members=faces.numbers)
        face = np.array([0, *faces.numbers])[_only_face(table)[relation.hand]]
        return relation, {"dice": thrown, **({"die": _known("number", face, 0, 0)} if one else {})}

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


def _mixture(numbers: Sequence[Node], readers: Sequence[Reader]) -> Callable[[Any], Array]:
    """Give the number of a mixture, by which the table of a roll is joined: the first number counts most."""
    if len(numbers) == 1:
        return lambda p: readers[0](Reads(p))

    def mixture(p: Any) -> Array:
        env, found = Reads(p), np.asarray(0)
        for number, reader in zip(numbers, readers, strict=True):
            found = found * (number.high - number.low + 1) + reader(env) - number.low
        return found

    return mixture


def _only_face(table: HandTable) -> Array:
    """Give the place of the face that hands of one die show, 0 for other hands."""
    return np.array([faces[0] if len(faces) == 1 else 0 for faces in table.faces_of])


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
    to: list[dict[str, Reader]] = [{} for _ in cases]
    for case, found in zip(cases, to, strict=True):
        for change in case.changes:
            found.update(_becomes(setting, change, scope, found))
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


def _becomes(setting: Setting, change: Change, scope: Scope, before: Mapping[str, Reader]) -> dict[str, Reader]:
    """Give what a column becomes, or the columns of a row; `before` is what this case makes of them so far."""
    name, places = change.name, setting.rows_of.get(change.name)
    if places is None:
        if name not in setting.columns or change.place is not None:
            known = [*setting.text.columns]
            hint = did_you_mean(name, known) if name not in known else f": {name!r} is no row"
            raise change.item.key_fault(f"expected a column, got {brief(name, 40)}{hint} (known: {', '.join(known)[:300]})")
        return {name: _value(setting, name, change, scope)}
    if change.place is None:
        return _whole_row(setting, change, scope, places)
    place = scope.number(change.place)
    try:
        inside(place, len(places))
    except Misfit as misfit:
        raise change.place.fault(change.place.tree, str(misfit)) from None
    value, at = _value(setting, places[place.low], change, scope), place.reader(scope.table)
    if place.fixed:
        return {places[place.value]: value}
    old = {one: before.get(one, setting.columns[one].node.run) for one in places}
    return {one: _at_place(number, at, value, old[one]) for number, one in enumerate(places) if place.low <= number <= place.high}


def _at_place(number: int, at: Reader, value: Reader, old: Reader) -> Reader:
    return lambda env: np.where(at(env) == number, value(env), old(env))


def _whole_row(setting: Setting, change: Change, scope: Scope, places: list[str]) -> dict[str, Reader]:
    """Give what the columns of a row become: another row or list, place by place, or all the same."""
    if change.value is not None and isinstance(change.value.item.value, str):
        found = scope.read(change.value)
        if found.kind == "list" and setting.columns[places[0]].column.__class__ is not Dice:
            if len(found.items) != len(places):
                what = f"expected {len(places)} values, one for each place, got {len(found.items)}"
                raise change.value.fault(change.value.tree, what)
            return {one: _fitting(setting, one, change.value, scope, item) for one, item in zip(places, found.items, strict=True)}
    value = _value(setting, places[0], change, scope)
    return dict.fromkeys(places, value)


def _value(setting: Setting, name: str, change: Change, scope: Scope) -> Reader:
    column, item = setting.columns[name], change.item
    if change.value is None or (isinstance(column.column, Subset) and item.value in ("all", "none")):
        return _literal(setting, column, item)
    return _fitting(setting, name, change.value, scope, scope.read(change.value))


def _fitting(setting: Setting, name: str, expression: Expression, scope: Scope, found: Node) -> Reader:
    """Read a value as a column keeps it. Raises `GameError` for one that never fits."""
    column = setting.columns[name]
    if isinstance(column.column, Subset):
        return scope.as_a_set(expression, found, column.members).reader(scope.table)
    if column.hands is not None:
        return scope.as_a_hand(expression, found).reader(scope.table)
    node = scope.as_a_number(expression, found)
    if node.high < column.column.low or node.low > column.column.high:
        expected = f"{column.column.low}..{column.column.high}, the range of {name!r}"
        raise expression.fault(expression.tree, f"expected a number within {expected}, got {said(node)}")
    return node.reader(scope.table)


def _literal(setting: Setting, column: ColumnRule, item: Item) -> Reader:
    """Read a list of members or of dice."""
    if isinstance(column.column, Subset):
        value = setting.set_literal(item, column.column)
    elif column.hands is not None and setting.hands is not None:
        value = setting.packed(column.hands)[setting.hand_literal(item, column.hands)]
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
    packed, faces = setting.packed(table), setting.columns[name].members

    def bind(rows: Relation) -> dict[str, Node]:
        return {
            choose.name: _known("hand", packed[rows.kept], low, high, members=faces),
            name: _known("hand", packed[rows.hand], 0, table.most, members=faces),
        }

    return Chosen(relation, bind, lambda s: s[name])


def _within(scope: Scope, of: Expression, mask: Array) -> Node:
    """Say whether all of these members are in the set that is chosen from."""
    return made(scope.table, "condition", (0, 1), lambda a, b: (b & ~a) == 0, scope.read(of), _known("set", mask, 0, 0))
