"""What an action chooses: a member, a subset, dice, a number; one row of a table for each."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rollwise.games.columns import Relation
from rollwise.games.files.changing import Reads, known
from rollwise.games.files.expressions import Scope
from rollwise.games.files.grammar import Expression
from rollwise.games.files.language import ChooseText
from rollwise.games.files.nodes import Array, Members, Node, made, there
from rollwise.games.files.operations import said
from rollwise.games.files.setting import Setting
from rollwise.games.files.tables import subsets

__all__ = ["Chosen", "chosen"]


@dataclass(frozen=True)
class Chosen:
    """What may be chosen: rows, what they bind, the key that positions are joined on, and what makes a row legal."""

    relation: Relation
    bind: Callable[[Relation], dict[str, Node]]
    on: Callable[[Any], Array] | None = None
    legal: Callable[[Relation, Scope], Node] | None = None


def chosen(setting: Setting, choose: ChooseText) -> Chosen:
    """Give the rows for what an action chooses."""
    if choose.what == "number":
        return _choose_number(setting, choose)
    choose_from = _choose_dice if choose.what == "dice" else _choose_from_set
    return choose_from(setting, choose, there(choose.of))


def _choose_number(setting: Setting, choose: ChooseText) -> Chosen:
    low, high = setting.span(there(choose.span))
    setting.fits(choose.item, lambda: setting.rows.take(high - low + 1, "these numbers"))
    relation = Relation({"number": np.arange(low, high + 1)}, labels=lambda row: str(row["number"]))
    return Chosen(relation, lambda rows: {choose.name: known("number", rows.number, low, high)})


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
            return {choose.name: known("number", rows.number, min(members), max(members))}

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
        relation, lambda rows: {choose.name: known("set", rows.mask, 0, 0, members=members)},
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
            choose.name: known("hand", packed[rows.kept], low, high), name: known("hand", packed[rows.hand], 0, table.most),
        }  # fmt: skip

    return Chosen(relation, bind, lambda s: s[name])


def _within(scope: Scope, of: Expression, mask: Array) -> Node:
    """Say whether all of these members are in the set that is chosen from."""
    return made(scope.table, "condition", (0, 1), lambda a, b: (b & ~a) == 0, scope.read(of), known("set", mask, 0, 0))
