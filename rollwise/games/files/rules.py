"""From the text of a game file to rules in columns: every expression gets its scope, every roll and choice its table."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np

from rollwise.games.columns import Chance, Choice, Relation, throws
from rollwise.games.columns import Hands as HandTable
from rollwise.games.files.changing import Reader, Reads, changes, known
from rollwise.games.files.choosing import Chosen, chosen
from rollwise.games.files.expressions import Scope
from rollwise.games.files.grammar import Expression
from rollwise.games.files.language import ActionText, GameText
from rollwise.games.files.nodes import Array, Env, Node, constant
from rollwise.games.files.setting import Setting
from rollwise.games.files.tables import MOST_DICE, RowBudget, merged

__all__ = ["FileRules"]


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
        body = changes(self.setting, roll.cases, scope)
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
            total = known("number", relation.sum, 0, 0)
            nothing = constant("hand", 0)
            thrown = nothing if self.setting.by_hand else Node("hand", dice.low, dice.high, total.run, total.known, total=total)
        else:
            table = HandTable(dice.high, faces)
            relation = table.throws(dice.value if dice.fixed else None)
            relation = relation if dice.fixed else relation.only(relation.dice >= dice.low)
            thrown = known("hand", self.setting.packed(table)[relation.hand], dice.low, dice.high)
            total = known("number", table.sum[relation.hand], dice.low, dice.high * faces)
        return relation, {"dice": thrown, **({"die": total} if dice.fixed and dice.value == 1 else {})}

    # What may be chosen

    def _choice(self, action: ActionText) -> Choice:
        source, key = self.setting.source, action.item.spot.key
        where, place = f"{source.where(key)}: action {action.name!r}", source.place(key)
        if action.choose is None:
            scope = self.setting.scope()
            body, gain = changes(self.setting, action.cases, scope), self._gain(action, scope)
            when = None if action.when is None else scope.condition(action.when).reader(scope.table)
            return Choice(
                action.name, lambda s: _after(s, Reads(s), body, gain),
                when=None if when is None else lambda s: when(Reads(s)), where=where, place=place,
            )  # fmt: skip
        found = chosen(self.setting, action.choose)
        relation = self._sifted(action, found)
        table = self.setting.table()
        scope = self.setting.scope(table, **found.bind(relation))
        conditions = [] if action.when is None else scope.conditions(action.when)
        tests = [node.reader(table) for node in conditions if node.known is None or node.fixed]
        if found.legal is not None:
            tests.insert(0, found.legal(relation, scope).reader(table))
        body, gain = changes(self.setting, action.cases, scope), self._gain(action, scope)
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
