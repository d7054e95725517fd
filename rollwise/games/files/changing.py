"""What columns become, case by case, for many positions at once."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from rollwise.errors import GameError, brief
from rollwise.games.columns import Subset
from rollwise.games.files.expressions import Scope
from rollwise.games.files.language import Case
from rollwise.games.files.nodes import Array, Env, Kind, Node, constant
from rollwise.games.files.operations import said
from rollwise.games.files.setting import ColumnRule, Setting
from rollwise.games.files.source import Item

__all__ = ["Reader", "Reads", "changes", "known"]

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


def known(kind: Kind, values: Array, low: int, high: int, **more: Any) -> Node:
    """Give what a row binds, with the range that its values have."""
    if kind == "number" and values.size:
        low, high = int(values.min()), int(values.max())
    return replace(constant(kind, 0), known=np.asarray(values), low=low, high=high, **more)


def changes(setting: Setting, cases: Sequence[Case], scope: Scope) -> Callable[[Env], dict[str, Any]]:
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
        near = get_close_matches(name, setting.columns, n=1, cutoff=0.5)
        hint = f": did you mean {near[0]!r}?" if near else ""
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
