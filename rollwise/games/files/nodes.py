"""What an expression is made of: values with a kind, a range, and a way to compute them for whole arrays.

A node is a number, a condition, a set (a bit mask of its members), a hand of dice (how often each face lies there, packed into
one integer) or a list. Its range is known before anything is computed, and stays within 2**53.

A node that reads nothing but the row of a table (a throw, a choice) is computed once for the whole table, when it is made,
and one that reads nothing at all is a constant; only the rest runs for each position. Everything is computed everywhere, both
sides of a conditional too: so what could fail (a divisor that may be 0, a place beyond the end of a table) is refused by its
range, and nothing is left that could fail when it runs.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = [
    "DEEPEST_NODE",
    "LARGEST_NUMBER",
    "Array",
    "Env",
    "Hands",
    "Kind",
    "Members",
    "Misfit",
    "Node",
    "TableColumns",
    "constant",
    "list_of",
    "made",
    "there",
]

LARGEST_NUMBER = 2**53
DEEPEST_NODE = 100

Array = npt.NDArray[Any]
Kind = Literal["number", "condition", "set", "hand", "list"]
Apply = Callable[..., Any]
Found = TypeVar("Found")


def there(value: Found | None) -> Found:
    """Give what is there, as the language has seen to before this is asked."""
    if value is None:
        raise TypeError("something that a game file must have was left out")
    return value


class Misfit(Exception):
    """Something does not fit, told without its place."""


class Env(Protocol):
    """Where a node reads columns of positions and of rows; it keeps what was computed for a definition."""

    worked: dict[int, Array]

    def __getitem__(self, name: str) -> Array:
        """Read a column of the positions."""

    def cell(self, name: str) -> Array:
        """Read a column of the rows they are joined with."""


class Members(tuple[int, ...]):
    """What the bits of a set stand for: numbers, and how they are written. Sets of other names have other members."""

    names: tuple[str, ...]

    @classmethod
    def of(cls, numbers: Iterable[int], names: Iterable[str]) -> "Members":
        """Make them of numbers and names."""
        found = cls(numbers)
        found.names = tuple(names)
        return found

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and self.names == getattr(other, "names", self.names)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return super().__hash__()


@dataclass(frozen=True)
class Hands:
    """How hands of dice are packed: a digit for each face, smallest first, in a base that no count reaches.

    Faces are numbers; those that stand for names (`named`) count nothing in a sum.
    """

    numbers: tuple[int, ...]
    named: frozenset[int]
    base: int

    @classmethod
    def of(cls, numbers: Iterable[int], named: frozenset[int] = frozenset()) -> "Hands":
        """Choose the base for dice with these faces."""
        faces = tuple(numbers)
        return cls(faces, named, min(64, int(2 ** (62 / len(faces)))))

    @property
    def faces(self) -> int:
        """How many faces there are."""
        return len(self.numbers)

    def points(self, face: int) -> int:
        """What a face counts in a sum."""
        return 0 if face in self.named else face

    def pack(self, dice: Any) -> int:
        """Pack some dice."""
        return sum(self.base ** self.numbers.index(face) for face in dice)

    def counts(self, hand: Array) -> list[Array]:
        """Unpack how many dice show each face, the smallest first."""
        return [hand // self.base**place % self.base for place in range(len(self.numbers))]

    def unit(self, face: Array) -> Array:
        """Give a hand of one die for each number; no dice for what is no face."""
        units = np.array([*(self.base**place for place in range(len(self.numbers))), 0], dtype=np.int64)
        place = np.searchsorted(self.numbers, face)
        known = np.isin(face, self.numbers)
        return units[np.where(known, place, -1)]


@dataclass
class TableColumns:
    """The columns that expressions over the rows of a table need, and what counts the numbers that are computed for them."""

    spend: Callable[[int], None] = lambda _: None
    needed: dict[str, Array] = field(default_factory=dict)
    _names: dict[int, str] = field(default_factory=dict)

    def need(self, values: Array) -> str:
        """Name a column with these values."""
        name = self._names.setdefault(id(values), f"x{len(self.needed)}")
        self.needed[name] = values
        return name


@dataclass(frozen=True, eq=False)
class Node:
    """A value of an expression.

    `low` and `high` are the range of a number, and of the number of dice of a hand, whose faces are among `members`. `known` is
    its value where that is known: for a constant without dimensions, else one for each row of the table.
    """

    kind: Kind
    low: int
    high: int
    run: Callable[[Env], Array]
    known: Array | None = None
    depth: int = 1
    members: tuple[int, ...] = ()
    items: "tuple[Node, ...]" = ()
    total: "Node | None" = None
    chain: "tuple[Callable[[Env], Array], tuple[tuple[Apply, Callable[[Env], Array]], ...]] | None" = None

    @property
    def fixed(self) -> bool:
        """Whether it is the same everywhere."""
        return self.known is not None and self.known.ndim == 0

    @property
    def value(self) -> int:
        """The value of a constant."""
        return int(there(self.known))

    def reader(self, table: TableColumns) -> Callable[[Env], Array]:
        """Give what reads it for positions that are joined with the table."""
        if self.known is None:
            return self.run
        if self.known.ndim == 0:
            number = self.known[()]
            return lambda _: number
        name = table.need(self.known)
        return lambda env: env.cell(name)

    def remembered(self, key: int) -> "Node":
        """Compute it once, however often it is used: a definition."""
        if self.known is not None or self.kind == "list":
            return self
        run = self.run

        def once(env: Env) -> Array:
            if key not in env.worked:
                env.worked[key] = run(env)
            return env.worked[key]

        return replace(self, run=once, chain=None)


def _never(_: Env) -> Array:
    raise AssertionError("a node that is known is not run")


def constant(kind: Kind, value: int, **more: Any) -> Node:
    """Make a constant.

    >>> constant("number", 7).high
    7
    """
    known = np.asarray(bool(value) if kind == "condition" else value)
    low, high = (int(value), int(value)) if kind != "hand" else (0, 0)
    return replace(Node(kind, low, high, _never, known), **more)


def list_of(items: tuple[Node, ...]) -> Node:
    """Make a list."""
    return Node("list", 0, 0, _never, depth=1 + max((item.depth for item in items), default=0), items=items)


def made(
    table: TableColumns, kind: Kind, bounds: tuple[int, int], apply: Apply, *parts: Node, chained: bool = False, **more: Any
) -> Node:
    """Make a node of others: at once if they are known, else by what they read. Raises `Misfit` for what is too large."""
    low, high = bounds
    if max(abs(low), abs(high)) > LARGEST_NUMBER and kind == "number":
        raise Misfit(f"expected numbers of at most 2**53, got a range of {_short(low)} to {_short(high)}")
    depth = 1 + max(part.depth for part in parts)
    sizes = [1 if part.known is None else part.known.size for part in parts]
    table.spend(max(sizes))
    if all(part.known is not None for part in parts):
        known = np.asarray(apply(*(part.known for part in parts)))
        if kind == "number" and known.size:
            low, high = int(known.min()), int(known.max())
        return replace(Node(kind, low, high, _never, known), **more)
    readers = [part.reader(table) for part in parts]
    if chained:
        first, links = parts[0].chain or (readers[0], ())
        links = (*links, (apply, readers[1]))
        depth = max(parts[0].depth if parts[0].chain else depth, parts[1].depth + 1)
        node = Node(kind, low, high, lambda env: _follow(env, first, links), depth=depth, chain=(first, links))
    else:
        node = Node(kind, low, high, _run(apply, readers), depth=depth)
    if node.depth > DEEPEST_NODE:
        raise Misfit(f"expected at most {DEEPEST_NODE} levels in one another, definitions included, got more")
    return replace(node, **more)


def _short(number: int) -> str:
    return str(number) if abs(number) < 10**18 else f"{'-' * (number < 0)}2**{abs(number).bit_length() - 1} and more"


def _run(apply: Apply, readers: list[Callable[[Env], Array]]) -> Callable[[Env], Array]:
    if len(readers) == 1:
        one = readers[0]
        return lambda env: apply(one(env))
    if len(readers) == 2:
        left, right = readers
        return lambda env: apply(left(env), right(env))
    return lambda env: apply(*[reader(env) for reader in readers])


def _follow(env: Env, first: Callable[[Env], Array], links: tuple[tuple[Apply, Callable[[Env], Array]], ...]) -> Array:
    value = first(env)
    for apply, reader in links:
        value = apply(value, reader(env))
    return value
