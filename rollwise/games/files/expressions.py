"""Expressions of game files: from the syntax tree to a node, part by part.

Only what is listed in `Scope` is read; anything else of Python's grammar is refused at its column.
"""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from rollwise.errors import GameError, brief
from rollwise.games.files.grammar import FUNCTIONS, RESERVED, Expression
from rollwise.games.files.nodes import DEEPEST_NODE, LARGEST_NUMBER, Array, Hands, Misfit, Node, TableColumns, constant, list_of
from rollwise.games.files.operations import NUMBERS, SETS, Operations, said
from rollwise.games.files.source import did_you_mean

__all__ = ["Scope", "reads"]

DEEPEST = 40
LONGEST_LIST = 1_000
SHOWN = {
    ast.Attribute: "an attribute", ast.Call: "a call", ast.Lambda: "a lambda", ast.Tuple: "a tuple", ast.Dict: "a dictionary",
    ast.Starred: "a star", ast.Slice: "a slice", ast.JoinedStr: "formatted text", ast.NamedExpr: ":=", ast.Constant: "text",
}  # fmt: skip


def reads(tree: ast.expr, name: str, *, but_in: str = "") -> bool:
    """Say whether an expression reads a name, other than in a call of a function on it alone.

    >>> reads(ast.parse("sum(dice) + 1", mode="eval").body, "dice", but_in="sum")
    False
    """
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords)
    passed = {id(call.args[0]) for call in calls if isinstance(call.func, ast.Name) and call.func.id == but_in}
    return any(isinstance(node, ast.Name) and node.id == name and id(node) not in passed for node in ast.walk(tree))


@dataclass
class Scope:
    """The names that expressions may read: columns, parameters, what a roll or a choice binds, and definitions."""

    names: Mapping[str, Node]
    definitions: Mapping[str, Expression] = field(default_factory=dict)
    tables: Mapping[str, Array] = field(default_factory=dict)
    texts: Mapping[str, int] = field(default_factory=dict)
    hands: Hands | None = None
    table: TableColumns = field(default_factory=TableColumns)
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.does = Operations(self.table, self.hands)
        self._read: dict[str, Node] = {}
        self.level = 0

    def number(self, expression: Expression) -> Node:
        """Read an expression that is a number, or a condition taken for 0 or 1."""
        return self.as_a_number(expression, self.read(expression))

    def condition(self, expression: Expression) -> Node:
        """Read an expression that is a condition."""
        return self._as(expression, self.read(expression), self.does.condition)

    def conditions(self, expression: Expression) -> list[Node]:
        """Read a condition as those that must hold together."""
        tree = expression.tree
        parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
        return [self.condition(Expression(expression.item, part)) for part in parts]

    def as_a_number(self, expression: Expression, node: Node) -> Node:
        """Take what was read as a number."""
        return self._as(expression, node, self.does.number)

    def as_a_set(self, expression: Expression, node: Node, members: tuple[int, ...]) -> Node:
        """Take what was read as a set of some of these members."""
        return self._as(expression, node, lambda node: self.does.as_set(node, members))

    def as_a_hand(self, expression: Expression, node: Node) -> Node:
        """Take what was read as a hand of dice."""
        return self._as(expression, node, self.does.as_hand)

    def _as(self, expression: Expression, node: Node, take: Callable[[Node], Node]) -> Node:
        try:
            return take(node)
        except Misfit as misfit:
            raise expression.fault(expression.tree, str(misfit)) from None

    def read(self, expression: Expression) -> Node:
        """Read an expression. Raises `GameError` at the part that is wrong."""
        return _Reader(self, expression).read(expression.tree, 0)

    def defined(self, name: str) -> Node:
        """Read a definition, once; none comes back to itself, as the language has seen to."""
        if name not in self._read:
            self._read[name] = self.read(self.definitions[name]).remembered(len(self._read))
        return self._read[name]

    def listed(self, name: str) -> Node:
        """Take a table for the list of its numbers, once."""
        entries = self.tables[name]
        if len(entries) > LONGEST_LIST:
            raise Misfit(f"expected a table of at most {LONGEST_LIST:,} numbers, or a place in it, got {len(entries):,} numbers")
        if name not in self._read:
            self._read[name] = list_of(tuple(constant("number", int(entry)) for entry in entries))
        return self._read[name]

    def is_free(self, name: str) -> bool:
        """Say whether a name means nothing yet."""
        return not any(name in known for known in (self.names, self.definitions, self.tables, self.elsewhere))

    def unknown(self, name: str) -> str:
        """Say that a name is not known here."""
        known = sorted({*self.names, *self.definitions, *self.tables})
        if name in self.elsewhere:
            return f"expected a name that is known here, got {name!r}: {self.elsewhere[name]}"
        if name in FUNCTIONS:
            return f"expected {name}(...), got {name!r} alone"
        hint = did_you_mean(name, known)
        return f"expected a name of this file, got {brief(name, 50)}{hint} (known: {', '.join(known)[:300] or 'none'})"


class _Reader:
    """One expression in its scope."""

    def __init__(self, scope: Scope, expression: Expression) -> None:
        self.scope, self.expression, self.does = scope, expression, scope.does
        self.bound: dict[str, Node] = {}

    def read(self, tree: ast.expr, depth: int) -> Node:
        """Read a part of the expression."""
        if depth > DEEPEST or self.scope.level >= DEEPEST_NODE:
            most = DEEPEST if depth > DEEPEST else f"{DEEPEST_NODE} (definitions included)"
            raise self._fault(tree, f"expected at most {most} levels in one another, got more")
        reader: Callable[[Any, int], Node] | None = getattr(self, f"_{type(tree).__name__.lower()}", None)
        if reader is None:
            got = SHOWN.get(type(tree), "something else")
            raise self._fault(tree, f"expected numbers, names and operators, got {got}: it is not part of the language")
        self.scope.level += 1
        try:
            self.scope.table.spend(0)
            return reader(tree, depth + 1)
        except Misfit as misfit:
            raise self._fault(tree, str(misfit)) from None
        finally:
            self.scope.level -= 1

    def _fault(self, tree: ast.expr, what: str) -> GameError:
        return self.expression.fault(tree, what)

    def _constant(self, tree: ast.Constant, depth: int) -> Node:
        if type(tree.value) is int:
            if abs(tree.value) > LARGEST_NUMBER:
                raise Misfit(f"expected numbers of at most 2**53, got {tree.value}")
            return constant("number", tree.value)
        if isinstance(tree.value, str) and tree.value in self.scope.texts:
            return constant("number", self.scope.texts[tree.value])
        known = ", ".join(map(repr, sorted(self.scope.texts)[:6]))
        tip = f"only the names of members may be text ({known})" if known else "there is no text in expressions"
        raise Misfit(f"expected a number or a name, got {brief(tree.value, 40)}: {tip}")

    def _name(self, tree: ast.Name, depth: int) -> Node:
        if tree.id in self.bound:
            return self.bound[tree.id]
        if tree.id in self.scope.names:
            return self.scope.names[tree.id]
        if tree.id in self.scope.tables:
            entries = self.scope.tables[tree.id]
            if entries.ndim > 1:
                raise Misfit(f"expected {tree.id}[...][...], got {tree.id!r} alone")
            return self.scope.listed(tree.id)
        if tree.id in self.scope.definitions:
            return self.scope.defined(tree.id)
        raise Misfit(self.scope.unknown(tree.id))

    def _binop(self, tree: ast.BinOp, depth: int) -> Node:
        """Read a chain of operators from its left end on, however long it is."""
        links: list[ast.BinOp] = []
        first: ast.expr = tree
        while isinstance(first, ast.BinOp):
            links.append(first)
            first = first.left
        node = self.read(first, depth)
        for link in reversed(links):
            if type(link.op) not in NUMBERS and type(link.op) not in SETS:
                raise self._fault(link, "expected one of + - * // % | &, got another operator")
            right = self.read(link.right, depth)
            try:
                node = self.does.binary(type(link.op), node, right)
            except Misfit as misfit:
                raise self._fault(link, str(misfit)) from None
        return node

    def _unaryop(self, tree: ast.UnaryOp, depth: int) -> Node:
        node = self.read(tree.operand, depth)
        if isinstance(tree.op, ast.Not):
            return self.does.opposite(node)
        return self.does.negative(node) if isinstance(tree.op, ast.USub) else self.does.number(node)

    def _boolop(self, tree: ast.BoolOp, depth: int) -> Node:
        nodes = [self._condition(part, depth) for part in tree.values]
        return self.does.joined(isinstance(tree.op, ast.And), nodes)

    def _condition(self, tree: ast.expr, depth: int) -> Node:
        node = self.read(tree, depth)
        try:
            return self.does.condition(node)
        except Misfit as misfit:
            raise self._fault(tree, str(misfit)) from None

    def _compare(self, tree: ast.Compare, depth: int) -> Node:
        nodes = [self.read(part, depth) for part in (tree.left, *tree.comparators)]
        found = []
        for sign, left, right, part in zip(tree.ops, nodes, nodes[1:], tree.comparators, strict=False):
            try:
                found.append(self.does.compared(type(sign), left, right))
            except Misfit as misfit:
                raise self._fault(part, str(misfit)) from None
        return self.does.joined(True, found)

    def _ifexp(self, tree: ast.IfExp, depth: int) -> Node:
        return self.does.either(self._condition(tree.test, depth), self.read(tree.body, depth), self.read(tree.orelse, depth))

    def _list(self, tree: ast.List | ast.Set, depth: int) -> Node:
        return list_of(tuple(self.read(part, depth) for part in tree.elts))

    _set = _list

    def _listcomp(self, tree: ast.ListComp | ast.GeneratorExp, depth: int) -> Node:
        """Read `[part for x in row]`: a list with the part for each entry."""
        loop, *more = tree.generators
        if more or loop.ifs or not isinstance(loop.target, ast.Name):
            raise Misfit("expected one 'for NAME in LIST' and nothing after it: write conditions before the 'for'")
        name, row = loop.target.id, self.read(loop.iter, depth)
        if row.kind != "list":
            raise self._fault(loop.iter, f"expected a row, a list or a table of numbers to go through, got {said(row)}")
        if name in self.bound or name in RESERVED or not self.scope.is_free(name):
            raise self._fault(loop.target, f"expected a new name, got {name!r}, which means something else here")
        found = []
        for item in row.items:
            self.bound[name] = item
            try:
                found.append(self.read(tree.elt, depth))
            finally:
                del self.bound[name]
        return list_of(tuple(found))

    _generatorexp = _listcomp

    def _dict(self, tree: ast.Dict, depth: int) -> Node:
        if tree.keys:
            raise Misfit("expected a set such as {1, 2}, got a dictionary")
        return list_of(())

    def _call(self, tree: ast.Call, depth: int) -> Node:
        if not isinstance(tree.func, ast.Name) or tree.func.id not in FUNCTIONS:
            got = repr(tree.func.id) if isinstance(tree.func, ast.Name) else "another call"
            raise self._fault(tree.func, f"expected one of the functions {', '.join(FUNCTIONS)}, got {brief(got, 50)[1:-1]}")
        if tree.keywords:
            raise self._fault(tree.keywords[0].value, f"expected values alone in {tree.func.id}(), got a named one")
        return self.does.called(tree.func.id, [self.read(part, depth) for part in tree.args])

    def _subscript(self, tree: ast.Subscript, depth: int) -> Node:
        places: list[ast.expr] = []
        base: ast.expr = tree
        while isinstance(base, ast.Subscript):
            places.append(base.slice)
            base = base.value
        nodes = [self.read(place, depth) for place in reversed(places)]
        entries = self._entries(base)
        if entries is not None:
            return self.does.looked_up(entries, nodes)
        return reduce(self.does.picked, nodes, self.read(base, depth))

    def _entries(self, tree: ast.expr) -> Array | None:
        """Give a table of numbers; None for what must be read."""
        if isinstance(tree, ast.Name):
            return self.scope.tables.get(tree.id)
        if isinstance(tree, ast.List) and tree.elts:
            node = self.read(tree, 0)
            if all(item.kind == "number" and item.fixed for item in node.items):
                return np.array([item.value for item in node.items])
        return None
