"""What operators and functions do, to whole arrays: with the range of the result, computed from those of the parts."""

import ast
from collections.abc import Callable
from functools import lru_cache, partial, reduce
from typing import Any

import numpy as np

from rollwise.games.files.nodes import (
    LARGEST_NUMBER,
    Array,
    Hands,
    Kind,
    Misfit,
    Node,
    TableColumns,
    constant,
    list_of,
    made,
    there,
)

__all__ = ["Operations", "as_condition", "as_number", "inside", "said"]

Range = tuple[int, int]
WORDS: dict[Kind, str] = {
    "number": "a number", "condition": "a condition", "set": "a set", "hand": "a hand of dice", "list": "a list",
}  # fmt: skip
LONGEST_RANGE = 1_000
TABLE_MEMBERS = 16
"""Sets of at most so many members have what is asked of them in a table, by mask."""


def said(node: Node) -> str:
    """Name a node for messages."""
    if node.kind == "number":
        return f"the number {node.low}" if node.low == node.high else f"a number from {node.low} to {node.high}"
    return WORDS[node.kind]


def inside(place: Node, size: int) -> None:
    """Refuse a place that may be none of a table or row. Raises `Misfit`."""
    if place.low < 0 or place.high >= size:
        limit = "max(0, ...)" if place.low < 0 else f"min({size - 1}, ...)"
        tip = "" if place.low == place.high else f": write {limit} if it is none other where it counts"
        raise Misfit(f"expected a place from 0 to {size - 1}, got {said(place)}{tip}")


def _corners(function: Callable[[int, int], int], a: Node, b: Node) -> Range:
    found = [function(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(found), max(found)


def _plus(a: Node, b: Node) -> Range:
    return a.low + b.low, a.high + b.high


def _minus(a: Node, b: Node) -> Range:
    return a.low - b.high, a.high - b.low


def _times(a: Node, b: Node) -> Range:
    return _corners(lambda x, y: x * y, a, b)


def _over(a: Node, b: Node) -> Range:
    _divides(b)
    return _corners(lambda x, y: x // y, a, b)


def _left_over(a: Node, b: Node) -> Range:
    _divides(b)
    if b.low > 0:
        return 0, min(b.high - 1, a.high) if a.low >= 0 else b.high - 1
    return b.low + 1, 0


def _divides(b: Node) -> None:
    if b.low <= 0 <= b.high:
        raise Misfit(f"expected a divisor that is never 0, got {said(b)}: write max(1, ...) if it is not 0 where it counts")


NUMBERS: dict[type[ast.operator], tuple[Callable[[Node, Node], Range], Callable[..., Any], str]] = {
    ast.Add: (_plus, np.add, "+"),
    ast.Sub: (_minus, np.subtract, "-"),
    ast.Mult: (_times, np.multiply, "*"),
    ast.FloorDiv: (_over, np.floor_divide, "//"),
    ast.Mod: (_left_over, np.remainder, "%"),
}
SETS: dict[type[ast.operator], tuple[Callable[[Array, Array], Array], str]] = {
    ast.Sub: (lambda a, b: a & ~b, "-"),
    ast.BitOr: (lambda a, b: a | b, "|"),
    ast.BitAnd: (lambda a, b: a & b, "&"),
}
COMPARED: dict[type[ast.cmpop], tuple[Callable[..., Any], str]] = {
    ast.Eq: (np.equal, "=="),
    ast.NotEq: (np.not_equal, "!="),
    ast.Lt: (np.less, "<"),
    ast.LtE: (np.less_equal, "<="),
    ast.Gt: (np.greater, ">"),
    ast.GtE: (np.greater_equal, ">="),
}


def _subset(a: Array, b: Array) -> Array:
    found: Array = (a & ~b) == 0
    return found


SET_COMPARED: dict[type[ast.cmpop], Callable[[Array, Array], Array]] = {
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.LtE: _subset,
    ast.GtE: lambda a, b: _subset(b, a),
    ast.Lt: lambda a, b: _subset(a, b) & (a != b),
    ast.Gt: lambda a, b: _subset(b, a) & (a != b),
}


def _to_int(values: Array) -> Array:
    return np.asarray(values).astype(np.int64)


def as_number(table: TableColumns, node: Node) -> Node:
    """Take a condition for 1 where it holds and 0 elsewhere. Raises `Misfit` for what is no number."""
    if node.kind == "condition":
        return made(table, "number", (0, 1), _to_int, node)
    if node.kind != "number":
        raise Misfit(f"expected a number, got {said(node)}")
    return node


def as_condition(table: TableColumns, node: Node) -> Node:
    """Take a set or a hand for whether there is anything in it. Raises `Misfit` for a number."""
    if node.kind in ("set", "hand") and node.total is None:
        return made(table, "condition", (0, 1), lambda values: np.asarray(values) != 0, node)
    if node.kind != "condition":
        tip = ": compare it, as in x > 0" if node.kind == "number" else ""
        raise Misfit(f"expected a condition, got {said(node)}{tip}")
    return node


class Operations:
    """Operators and functions over the rows of one table."""

    def __init__(self, table: TableColumns, hands: Hands | None) -> None:
        self.table, self.hands = table, hands

    def number(self, node: Node) -> Node:
        """Take a node as a number."""
        return as_number(self.table, node)

    def condition(self, node: Node) -> Node:
        """Take a node as a condition."""
        return as_condition(self.table, node)

    def as_set(self, node: Node, members: tuple[int, ...], *, strict: bool = True) -> Node:
        """Take a list as the set of its numbers; if `strict`, those that may be no members are refused, else left out."""
        if node.kind == "set":
            if node.members != members:
                raise Misfit("expected two sets with the same members, got different ones")
            return node
        if node.kind != "list":
            raise Misfit(f"expected a set, got {said(node)}")
        bits = [self._bit(self.number(item), members, strict) for item in node.items]
        nothing = constant("set", 0, members=members)
        return reduce(
            lambda a, b: made(self.table, "set", (0, 0), np.bitwise_or, a, b, chained=True, members=members), bits, nothing
        )

    def _bit(self, number: Node, members: tuple[int, ...], strict: bool) -> Node:
        if strict and not set(range(number.low, min(number.high, number.low + 64) + 1)) <= set(members):
            raise Misfit(f"expected a member of the set, which has {_listed(members)}, got {said(number)}")
        return made(self.table, "set", (0, 0), partial(_bit_of, members), number, members=members)

    def as_hand(self, node: Node) -> Node:
        """Take a list as the hand of its numbers."""
        if node.kind == "hand" and node.total is None:
            return node
        if node.kind != "list" or self.hands is None:
            raise Misfit(f"expected a hand of dice, got {said(node)}")
        hands = self.hands
        dice = [self.number(item) for item in node.items]
        if any(not _possible(die) <= {*hands.numbers} for die in dice) or len(dice) >= hands.base:
            raise Misfit(f"expected at most {hands.base - 1} dice with faces {_listed(hands.numbers)}, got others")
        found = constant("hand", 0)
        for die in dice:
            bounds, faces = (found.high + 1, found.high + 1), _union(found.members, tuple(_possible(die)))
            found = made(self.table, "hand", bounds, lambda hand, face: hand + hands.unit(face), found, die, members=faces)
        return found

    def binary(self, sign: type[ast.operator], a: Node, b: Node) -> Node:
        """Apply an operator."""
        kinds = {a.kind, b.kind}
        if "set" in kinds and sign in SETS:
            return self._on_sets(sign, a, b)
        if "hand" in kinds and sign in (ast.Add, ast.Sub):
            return self._on_hands(sign, self.as_hand(a), self.as_hand(b))
        if sign not in NUMBERS:
            raise Misfit(f"expected two sets on both sides of {SETS[sign][1]}, got {said(a)} and {said(b)}")
        bounds, apply, shown = NUMBERS[sign]
        if not kinds <= {"number", "condition"}:
            raise Misfit(f"expected two numbers on both sides of {shown}, got {said(a)} and {said(b)}")
        a, b = self.number(a), self.number(b)
        return made(self.table, "number", bounds(a, b), apply, a, b, chained=True)

    def _on_sets(self, sign: type[ast.operator], a: Node, b: Node) -> Node:
        members = a.members if a.kind == "set" else b.members
        a, b = self.as_set(a, members), self.as_set(b, members, strict=sign is ast.BitOr)
        return made(self.table, "set", (0, 0), SETS[sign][0], a, b, chained=True, members=members)

    def _on_hands(self, sign: type[ast.operator], a: Node, b: Node) -> Node:
        hands = there(self.hands)
        if sign is ast.Sub:
            return made(self.table, "hand", (max(0, a.low - b.high), a.high), partial(_without, hands), a, b, members=a.members)
        if a.high + b.high >= hands.base:
            raise Misfit(f"expected at most {hands.base - 1} dice in a hand, got {a.high + b.high}")
        faces = _union(a.members, b.members)
        return made(self.table, "hand", (a.low + b.low, a.high + b.high), np.add, a, b, members=faces)

    def negative(self, node: Node) -> Node:
        """Change the sign of a number."""
        node = self.number(node)
        return made(self.table, "number", (-node.high, -node.low), np.negative, node)

    def opposite(self, node: Node) -> Node:
        """Say where a condition does not hold."""
        return made(self.table, "condition", (0, 1), np.logical_not, self.condition(node))

    def joined(self, every: bool, nodes: list[Node]) -> Node:
        """Say where all conditions hold, or any."""
        apply = np.logical_and if every else np.logical_or
        parts = [self.condition(node) for node in nodes]
        return reduce(lambda a, b: made(self.table, "condition", (0, 1), apply, a, b, chained=True), parts)

    def compared(self, sign: type[ast.cmpop], a: Node, b: Node) -> Node:
        """Compare two values."""
        if sign in (ast.In, ast.NotIn):
            found = self.contained(a, b)
            return found if sign is ast.In else self.opposite(found)
        if sign not in COMPARED:
            raise Misfit("expected a comparison such as == or <, got is: compare by ==")
        kinds, apply = {a.kind, b.kind}, COMPARED[sign][0]
        if "set" in kinds:
            members = a.members if a.kind == "set" else b.members
            a, b, apply = self.as_set(a, members), self.as_set(b, members), SET_COMPARED[sign]
        elif "hand" in kinds and sign in (ast.Eq, ast.NotEq):
            a, b = self.as_hand(a), self.as_hand(b)
        else:
            if not kinds <= {"number", "condition"}:
                raise Misfit(f"expected two numbers on both sides of {COMPARED[sign][1]}, got {said(a)} and {said(b)}")
            a, b = self.number(a), self.number(b)
        return made(self.table, "condition", (0, 1), apply, a, b)

    def contained(self, a: Node, b: Node) -> Node:
        """Say where a number is in a set, a hand or a list; one that never is, is not."""
        number = self.number(a)
        if b.kind == "set":
            return made(self.table, "condition", (0, 1), lambda n, mask: (_bit_of(b.members, n) & mask) != 0, number, b)
        if b.kind == "hand" and b.total is None:
            return made(self.table, "condition", (0, 1), lambda face, hand: self._showing(hand, face) > 0, number, b)
        if b.kind != "list" or not b.items:
            raise Misfit(f"expected a set, a hand or a list of numbers after in, got {said(b)}")
        values = _values(b)
        if values is not None:
            return made(self.table, "condition", (0, 1), lambda found: np.isin(found, values), number)
        return self.joined(False, [self.compared(ast.Eq, number, item) for item in b.items])

    def _showing(self, hand: Array, face: Array) -> Array:
        """Say how many dice show a face."""
        hands = there(self.hands)
        unit = hands.unit(face)
        return np.where(unit > 0, hand // np.maximum(unit, 1) % hands.base, 0)

    def either(self, condition: Node, a: Node, b: Node) -> Node:
        """Choose between two values."""
        condition = self.condition(condition)
        kinds = {a.kind, b.kind}
        more: dict[str, Any] = {}
        if "set" in kinds:
            members = a.members if a.kind == "set" else b.members
            a, b, more = self.as_set(a, members), self.as_set(b, members), {"members": members}
        elif "hand" in kinds:
            a, b = self.as_hand(a), self.as_hand(b)
            more = {"members": _union(a.members, b.members)}
        elif kinds != {"condition"}:
            a, b = self.number(a), self.number(b)
        return made(self.table, a.kind, (min(a.low, b.low), max(a.high, b.high)), np.where, condition, a, b, **more)

    def looked_up(self, entries: Array, places: list[Node]) -> Node:
        """Look up the entry of a table of numbers."""
        if entries.ndim != len(places):
            raise Misfit(f"expected {entries.ndim} places in a table of {entries.ndim} dimensions, got {len(places)}")
        numbers = [self.number(place) for place in places]
        for number, size in zip(numbers, entries.shape, strict=True):
            inside(number, size)
        bounds = int(entries.min()), int(entries.max())
        return made(self.table, "number", bounds, lambda *found: entries[found], *numbers)

    def picked(self, node: Node, place: Node) -> Node:
        """Give an entry of a row, or a die of a hand: the smallest is 0, the largest -1, and where there is none it is 0."""
        place = self.number(place)
        if node.kind == "hand":
            self._hand("[...]", node)
            if place.low < 0 <= place.high:
                raise Misfit(f"expected a place from 0 on (smallest first), or below 0 (largest first), got {said(place)}")
            bounds = min(0, *node.members), max(0, *node.members)
            return made(self.table, "number", bounds, partial(_die_at, self._faces(), place.low < 0), node, place)
        if node.kind != "list" or not node.items:
            raise Misfit(f"expected a table of numbers, a row of columns or a hand before [, got {said(node)}")
        inside(place, len(node.items))
        if place.fixed:
            return node.items[place.value]
        found = node.items[place.low]
        for number in range(place.low + 1, place.high + 1):
            found = self.either(self.compared(ast.Eq, place, constant("number", number)), node.items[number], found)
        return found

    def called(self, name: str, nodes: list[Node]) -> Node:
        """Call a function."""
        function: Callable[[list[Node]], Node] = getattr(self, f"_{name}")
        return function(nodes)

    def _abs(self, nodes: list[Node]) -> Node:
        number = self.number(_only("abs", nodes))
        least = 0 if number.low <= 0 <= number.high else min(abs(number.low), abs(number.high))
        return made(self.table, "number", (least, max(abs(number.low), abs(number.high))), np.abs, number)

    def _len(self, nodes: list[Node]) -> Node:
        node = _only("len", nodes)
        if node.kind == "list":
            return constant("number", len(node.items))
        if node.kind == "set":
            return self._of_set("len", node, (0, len(node.members)))
        self._hand("len", node)
        return made(self.table, "number", (node.low, node.high), lambda hand: sum(self._counts(hand)), node)

    def _sum(self, nodes: list[Node]) -> Node:
        node = _only("sum", nodes)
        if node.total is not None:
            return node.total
        if node.kind == "list":
            values, zero = _values(node), constant("number", 0)
            if values is not None and abs(sum(values.tolist())) <= LARGEST_NUMBER:
                return constant("number", sum(values.tolist()))
            return reduce(lambda a, b: self.binary(ast.Add, a, b), [self.number(item) for item in node.items], zero)
        if node.kind == "set":
            bounds = sum(m for m in node.members if m < 0), sum(m for m in node.members if m > 0)
            return self._of_set("sum", node, bounds)
        hands = self._hand("sum", node)
        points = [hands.points(face) for face in node.members] or [0]
        low, high = min(points), max(points)
        bounds = min(node.low * low, node.high * low), max(node.low * high, node.high * high)
        return made(self.table, "number", bounds, partial(_hand_sum, hands), node)

    def _max(self, nodes: list[Node]) -> Node:
        return self._extreme("max", nodes, np.maximum, max)

    def _min(self, nodes: list[Node]) -> Node:
        return self._extreme("min", nodes, np.minimum, min)

    def _extreme(self, name: str, nodes: list[Node], apply: Any, best: Callable[..., int]) -> Node:
        if len(nodes) == 1 and nodes[0].kind == "set":
            members = nodes[0].members
            bounds = min(0, *members), max(0, *members)
            return self._of_set(name, nodes[0], bounds)
        if len(nodes) == 1 and nodes[0].kind == "hand":
            self._hand(name, nodes[0])
            faces = nodes[0].members if nodes[0].low > 0 else (0, *nodes[0].members)
            bounds = min(faces), max(faces)
            return made(self.table, "number", bounds, partial(_hand_extreme, self._faces(), name == "max"), nodes[0])
        items = nodes[0].items if len(nodes) == 1 and nodes[0].kind == "list" else tuple(nodes)
        if not items or (len(nodes) == 1 and nodes[0].kind != "list"):
            raise Misfit(
                f"expected a set, a hand, a list or several numbers in {name}(), got {said(nodes[0]) if nodes else 'nothing'}"
            )
        values = _values(list_of(items))
        if values is not None:
            return constant("number", best(values.tolist()))
        numbers = [self.number(item) for item in items]
        return reduce(
            lambda a, b: made(self.table, "number", (best(a.low, b.low), best(a.high, b.high)), apply, a, b, chained=True),
            numbers,
        )

    def _any(self, nodes: list[Node]) -> Node:
        return self._conditions("any", nodes, every=False)

    def _all(self, nodes: list[Node]) -> Node:
        return self._conditions("all", nodes, every=True)

    def _conditions(self, name: str, nodes: list[Node], *, every: bool) -> Node:
        node = _only(name, nodes)
        if node.kind != "list" or not node.items:
            raise Misfit(f"expected a list of conditions in {name}(), got {said(node)}")
        return self.joined(every, list(node.items))

    def _count(self, nodes: list[Node]) -> Node:
        if len(nodes) not in (1, 2):
            raise Misfit(f"expected count(hand, face) or count([conditions]), got {len(nodes)} of them")
        return self._count_of(*nodes) if len(nodes) == 2 else self._count_true(nodes[0])

    def _count_of(self, node: Node, wanted: Node) -> Node:
        values = _values(node)
        if values is not None:
            different, times = np.unique(values, return_counts=True)
            return made(self.table, "number", (0, len(values)), partial(_times_in, different, times), self.number(wanted))
        if node.kind == "list":
            found = [self.number(self.compared(ast.Eq, item, wanted)) for item in node.items]
            return self._sum([list_of(tuple(found))])
        self._hand("count", node)
        return made(self.table, "number", (0, node.high), self._showing, node, self.number(wanted))

    def _count_true(self, node: Node) -> Node:
        if node.kind != "list" or not node.items:
            raise Misfit(f"expected count(hand, face) or count([conditions]), got {said(node)}")
        return self._sum([list_of(tuple(self.number(self.condition(item)) for item in node.items))])

    def _range(self, nodes: list[Node]) -> Node:
        number = self.number(_only("range", nodes))
        if not number.fixed or not 0 <= number.value <= LONGEST_RANGE:
            raise Misfit(f"expected a number from 0 to {LONGEST_RANGE} in range(), known from the parameters, got {said(number)}")
        return list_of(tuple(constant("number", place) for place in range(number.value)))

    def _highest(self, nodes: list[Node]) -> Node:
        return self._some_dice("highest", nodes)

    def _lowest(self, nodes: list[Node]) -> Node:
        return self._some_dice("lowest", nodes)

    def _some_dice(self, name: str, nodes: list[Node]) -> Node:
        """Give the hand of the highest or lowest dice of a hand."""
        if len(nodes) != 2:
            raise Misfit(f"expected {name}(hand, number of dice), got {len(nodes)} of them")
        node, number = self.as_hand(nodes[0]), self.number(nodes[1])
        self._hand(name, node)
        bounds = min(node.low, max(0, number.low)), min(node.high, max(0, number.high))
        take = partial(_best_dice, there(self.hands), name == "highest")
        return made(self.table, "hand", bounds, take, node, number, members=node.members)

    def _hand(self, name: str, node: Node) -> Hands:
        if node.kind != "hand" or node.total is not None or self.hands is None:
            raise Misfit(f"expected a set, a hand or a list in {name}(), got {said(node)}")
        return self.hands

    def _counts(self, hand: Array) -> list[Array]:
        return there(self.hands).counts(hand)

    def _faces(self) -> "Callable[[Array], list[tuple[int, Array]]]":
        """Give what lists the faces of hands, the smallest first, with how many dice show each."""
        hands = there(self.hands)
        return lambda hand: list(zip(hands.numbers, hands.counts(hand), strict=True))

    def _of_set(self, name: str, node: Node, bounds: Range) -> Node:
        """Ask something of the members, from tables by mask."""
        return made(self.table, "number", bounds, _set_tables(name, tuple(node.members)), node)


class _SetTables:
    """What is asked of a set, by mask: a table for every sixteen members, put together; nothing at all gives 0."""

    def __init__(self, name: str, members: tuple[int, ...]) -> None:
        self.join, self.nothing = SET_FUNCTIONS[name]
        parts = [members[begin : begin + TABLE_MEMBERS] for begin in range(0, len(members), TABLE_MEMBERS)]
        self.tables = [self._table([1] * len(part) if name == "len" else part) for part in parts]

    def _table(self, numbers: Any) -> Array:
        entries = np.full(1 << len(numbers), self.nothing)
        for place, number in enumerate(numbers):
            entries[1 << place : 2 << place] = self.join(entries[: 1 << place], number)
        return entries

    def __call__(self, mask: Array) -> Array:
        low = (1 << TABLE_MEMBERS) - 1
        found = [table[mask >> place * TABLE_MEMBERS & low] for place, table in enumerate(self.tables)]
        value = reduce(self.join, found)
        return np.where(value == self.nothing, 0, value) if self.nothing else value


@lru_cache(maxsize=32)
def _set_tables(name: str, members: tuple[int, ...]) -> _SetTables:
    """Make them once for every place that asks the same: those of 40 members take a megabyte."""
    return _SetTables(name, members)


SET_FUNCTIONS: dict[str, tuple[Callable[..., Any], int]] = {
    "len": (np.add, 0), "sum": (np.add, 0), "max": (np.maximum, -(2**60)), "min": (np.minimum, 2**60),
}  # fmt: skip


def _values(node: Node) -> Array | None:
    """Give the numbers of a list that is the same everywhere, so that one step does for all of them; None for another."""
    fixed = node.items and all(item.kind == "number" and item.fixed for item in node.items)
    return np.array([item.value for item in node.items]) if fixed else None


def _times_in(different: Array, times: Array, number: Array) -> Array:
    """Say how often a number is among others."""
    place = np.minimum(np.searchsorted(different, number), len(different) - 1)
    return np.where(different[place] == number, times[place], 0)


def _only(name: str, nodes: list[Node]) -> Node:
    if len(nodes) != 1:
        raise Misfit(f"expected one thing in {name}(), got {len(nodes)}")
    return nodes[0]


def _listed(members: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, members[:6]))
    return shown if len(members) <= 6 else f"{shown}, ..."


def _bit_of(members: tuple[int, ...], number: Array) -> Array:
    """The bit of a member; 0 for what is none."""
    if members == tuple(range(members[0], members[0] + len(members))):
        inside = (number >= members[0]) & (number <= members[-1])
        return np.where(inside, np.int64(1) << np.where(inside, number - members[0], 0), 0)
    return reduce(np.bitwise_or, (np.where(number == member, np.int64(1 << place), 0) for place, member in enumerate(members)))


def _without(hands: Hands, a: Array, b: Array) -> Array:
    """Take dice away, of each face as many as there are."""
    left = [np.maximum(x - y, 0) for x, y in zip(hands.counts(a), hands.counts(b), strict=True)]
    return reduce(np.add, [count * hands.base**place for place, count in enumerate(left)])


def _hand_sum(hands: Hands, hand: Array) -> Array:
    return reduce(np.add, [hands.points(face) * count for face, count in zip(hands.numbers, hands.counts(hand), strict=True)])


def _hand_extreme(faces_of: Callable[[Array], list[tuple[int, Array]]], largest: bool, hand: Array) -> Array:
    faces = faces_of(hand)
    found = np.zeros_like(hand)
    for face, count in faces if largest else reversed(faces):
        found = np.where(count > 0, face, found)
    return found


def _die_at(faces_of: Callable[[Array], list[tuple[int, Array]]], largest: bool, hand: Array, place: Array) -> Array:
    """The die at a place, 0 on from the smallest, or -1 down from the largest; 0 if there is none."""
    faces = faces_of(hand)
    found, left = np.zeros_like(hand + place), -1 - place if largest else place + 0
    for face, count in reversed(faces) if largest else faces:
        found = np.where((left >= 0) & (left < count), face, found)
        left = left - count
    return found


def _best_dice(hands: Hands, largest: bool, hand: Array, number: Array) -> Array:
    """So many of the highest or lowest dice."""
    counts = hands.counts(hand)
    found, left = np.zeros_like(hand + number), np.maximum(number, 0)
    for place in reversed(range(len(counts))) if largest else range(len(counts)):
        taken = np.minimum(counts[place], left)
        found, left = found + taken * hands.base**place, left - taken
    return found


def _possible(number: Node) -> set[int]:
    """The numbers that a number may be; of very many, some."""
    return (
        {int(value) for value in np.unique(number.known)}
        if number.known is not None
        else set(range(number.low, min(number.high, number.low + 99) + 1))
    )


def _union(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({*a, *b}))
