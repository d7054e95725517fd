"""What is known: forms, in the order they are tried, and how more are added.

`register` takes a form, an objective or a game. Installed packages add theirs by entry points: the groups `rollwise.solvers`,
`rollwise.objectives` and `rollwise.games` name forms (objects or classes) and classes of objectives and games.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from rollwise.errors import GameError, brief
from rollwise.games.catalogue import add_game, drop_game
from rollwise.model.game import Game
from rollwise.model.installed import installed, load_installed
from rollwise.model.objective import Objective
from rollwise.model.objectives import add_objective, drop_objective
from rollwise.solvers.base.form import Form
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.climbing.form import ClimbForm
from rollwise.solvers.graph.form import GraphForm
from rollwise.solvers.partitions.form import PartitionForm
from rollwise.solvers.press_your_luck.form import LuckForm
from rollwise.solvers.races.form import RaceForm
from rollwise.solvers.rerolls.form import RerollForm
from rollwise.solvers.sheets.form import DuelForm, ExpectedForm, SavedForm, TargetForm

__all__ = ["form_of", "forms", "register", "registered", "unregister"]

OWN: tuple[Form, ...] = (
    SavedForm(), ExpectedForm(), TargetForm(), DuelForm(), RerollForm(), PartitionForm(), ClimbForm(), RaceForm(),
    LuckForm(), GraphForm(),
)  # fmt: skip
_ADDED: list[Form] = []


def forms() -> tuple[Form, ...]:
    """List the forms in the order they are tried: added ones first, the last one first of all; the graph last.

    A form takes the place of one with the same name that comes later.
    """
    found: dict[str, Form] = {}
    for form in (*reversed(_ADDED), *_installed(), *OWN):
        found.setdefault(form.name, form)
    return tuple(found.values())


def form_of(solution: Solution) -> Form:
    """Give the form that made a solution."""
    return next(form for form in forms() if form.name == solution.form_name)


@cache
def _installed() -> tuple[Form, ...]:
    """The forms of installed packages."""
    return tuple(_made(load_installed(point, Form)) for point in installed("rollwise.solvers").values())


def register(thing: Any, name: str = "") -> None:
    """Add a form (an object or its class), a class of objectives or a class of games, which may be given a name.

    >>> import rollwise
    >>> class Coin(rollwise.Game):
    ...     '''Toss a coin: heads count one.'''
    ...     def start(self): return "toss"
    ...     def roll(self, pending): return {0: 1, 1: 1}
    ...     def actions(self, state): return ()
    ...     def play(self, state, action): return "toss"
    ...     def payoff(self, state): return state
    >>> rollwise.register(Coin)
    >>> rollwise.solve(rollwise.games.load("coin"), exact=True).value()
    Fraction(1, 2)
    >>> rollwise.extending.unregister(Coin)

    Raises `GameError` for anything else, or a name that is taken.
    """
    kind = thing if isinstance(thing, type) else type(thing)
    if issubclass(kind, Form):
        form = _made(thing)
        unregister(form)
        _ADDED.append(form)
    elif issubclass(kind, Objective) and kind is thing:
        add_objective(kind)
    elif issubclass(kind, Game) and kind is thing:
        add_game(kind, name)
    else:
        tip = f", {kind.__name__}" if issubclass(kind, Objective | Game) else ""
        raise GameError(f"cannot register {brief(thing)}: expected a form, or a class of objectives or games{tip}")


def unregister(thing: Any) -> None:
    """Forget what was registered; what this library and installed packages bring stays."""
    kind = thing if isinstance(thing, type) else type(thing)
    if issubclass(kind, Form):
        _ADDED[:] = [form for form in _ADDED if form.name != kind.name]
    elif issubclass(kind, Objective):
        drop_objective(kind)
    elif issubclass(kind, Game):
        drop_game(kind)


@contextmanager
def registered(*things: Any) -> Iterator[None]:
    """Register things for a while."""
    try:
        for thing in things:
            register(thing)
        yield
    finally:
        for thing in things:
            unregister(thing)


def _made(thing: Any) -> Form:
    """Give a form, made of its class if need be, that says what every form must say. Raises `GameError`."""
    kind: type[Form] = thing if isinstance(thing, type) else type(thing)
    missing = sorted(getattr(kind, "__abstractmethods__", ()))
    missing += [field for field in ("name", "what", "engines") if not hasattr(kind, field)]
    if missing:
        raise GameError(f"the form {kind.__name__} does not define {missing[0]}, which every form needs")
    if not kind.name.isalpha() or not kind.name.islower():
        raise GameError(f"the form {kind.__name__} has the name {kind.name!r}: expected a word in lower case")
    for form in (*OWN, *_ADDED):
        taken = sorted({*form.engines} & {*kind.engines}) if form.name != kind.name else []
        if taken:
            raise GameError(f"the form {kind.__name__} has the engine {taken[0]!r}, which {type(form).__name__} has already")
    made: Form = thing() if isinstance(thing, type) else thing
    return made
