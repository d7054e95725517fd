"""The rules of a column game: what is rolled, and what may be chosen.

`@chance` and `@choice` mark methods of a `ColumnGame`; each makes one of the plain records below. What is given for `table`,
`on`, `when` and `unless` may be a function; one that takes an argument more than the others is given the game first.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter as Argument
from inspect import signature
from typing import Any

import numpy as np

from rollwise.errors import GameError, brief
from rollwise.games.columns.merging import lowest_terms
from rollwise.games.columns.relation import Ints, Relation
from rollwise.model.roll import LARGEST

__all__ = ["Body", "Chance", "Choice", "Mark", "Place", "bound", "chance", "choice", "marks_of"]

Body = Callable[..., Any]
Place = tuple[int, int] | None


@dataclass(frozen=True)
class Chance:
    """What is rolled: a position is joined with the rows of `table`, those whose key is `on`; nothing is rolled where `unless`.

    `body(p, row)` gives the positions after it, and `then` is what is rolled next, before anything is chosen. `where` says where
    the rule is written, for messages; `place`, in a game file, its line and column.
    """

    table: Relation
    body: Body
    on: Body | None = None
    unless: Body | None = None
    where: str = "the roll"
    place: Place = None
    then: "Chance | None" = None

    @cached_property
    def weights(self) -> Ints:
        """The weights of the table in lowest terms, key by key. Raises `GameError` if there are none, or they are too large."""
        table = self.table
        if not table.rows:
            raise GameError("the roll has a table without rows: expected at least one throw")
        begin = table.start[:-1][np.diff(table.start) > 0]
        weight = lowest_terms(table.weight, begin)
        if np.add.reduceat(weight.astype(np.float64), begin).max() >= LARGEST:
            raise GameError("the weights add up to 2**62 or more: split the roll into several smaller ones")
        return weight


@dataclass(frozen=True)
class Choice:
    """What may be chosen: one action, or one for every row of `table`, where `when(s)` or `when(s, row)` holds.

    `body(s)` or `body(s, row)` gives the next roll, or that and what the action gains.
    """

    name: str
    body: Body
    table: Relation | None = None
    on: Body | None = None
    when: Body | None = None
    where: str = ""
    place: Place = None

    def action(self, row: int) -> str:
        """Name the action that takes a row of the table."""
        return self.name if self.table is None else f"{self.name} {self.table.label(row)}"


@dataclass(frozen=True)
class Mark:
    """What a decorator notes on a method."""

    name: str | None
    table: Any
    on: Any
    condition: Any


def chance(table: Any, *, on: Any = None, unless: Any = None) -> Callable[[Body], Body]:
    """Mark the method `rolled(self, p, row)` that returns the positions after a throw from `table`."""
    return _marking(Mark(None, table, on, unless))


def choice(name: str, table: Any = None, *, on: Any = None, when: Any = None) -> Callable[[Body], Body]:
    """Mark a method `chosen(self, s)` or `chosen(self, s, row)` that returns the positions after an action.

    It returns the position to roll from, or a pair of that and the gain. Actions are listed in the order of the methods.
    """
    if type(name) is not str or not name.strip():
        raise GameError(f"a choice is called {brief(name)}: expected a name, such as @choice('hold')")
    return _marking(Mark(name, table, on, when))


def _marking(mark: Mark) -> Callable[[Body], Body]:
    def note(body: Body) -> Body:
        body._rule_mark = mark  # type: ignore[attr-defined]
        return body

    return note


def marks_of(kind: type) -> dict[str, Mark]:
    """Give the marked methods of a class by name, those of its parents first; a method without a mark hides a marked one."""
    found: dict[str, Mark] = {}
    for one in reversed(kind.__mro__):
        for name, method in vars(one).items():
            mark = getattr(method, "_rule_mark", None)
            if mark is not None:
                found[name] = mark
            elif name in found and callable(method):
                del found[name]
    return found


def bound(function: Any, game: Any, arguments: int) -> Body:
    """Give a function of so many arguments; one that takes one more is given the game first."""
    if not callable(function):
        raise GameError(f"a rule of {type(game).__name__} has {brief(function)}: expected a function")
    try:
        kinds = (Argument.POSITIONAL_ONLY, Argument.POSITIONAL_OR_KEYWORD)
        taken = sum(one.kind in kinds and one.default is Argument.empty for one in signature(function).parameters.values())
    except (TypeError, ValueError):
        return function  # type: ignore[no-any-return]
    if taken == arguments + 1:
        return lambda *given: function(game, *given)
    if taken != arguments:
        raise GameError(f"a rule of {type(game).__name__} has a function of {taken} arguments: expected {arguments}")
    return function  # type: ignore[no-any-return]
