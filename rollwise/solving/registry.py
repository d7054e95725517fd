"""What is known: forms, in the order they are tried, and how more are added.

`register` takes a form, an objective or a game. Installed packages add theirs by entry points: the groups `rollwise.forms`,
`rollwise.objectives` and `rollwise.games` name forms (objects or classes) and classes of objectives and games.
"""

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from rollwise.errors import GameError
from rollwise.forms.base.form import Form
from rollwise.forms.graph.form import GraphForm
from rollwise.forms.partitions.form import PartitionForm
from rollwise.forms.rerolls.form import RerollForm
from rollwise.forms.sheets.form import DuelForm, ExpectedForm, TargetForm
from rollwise.games.catalogue import add_game
from rollwise.model.game import Game
from rollwise.model.objective import Objective
from rollwise.model.objectives import add_objective

__all__ = ["add_installed", "forms", "register"]

GRAPH = GraphForm()
_FORMS: list[Form] = [ExpectedForm(), TargetForm(), DuelForm(), RerollForm(), PartitionForm(), GRAPH]


def forms() -> tuple[Form, ...]:
    """List the forms in the order they are tried: added ones first, the graph last."""
    add_installed()
    return tuple(_FORMS)


@cache
def add_installed() -> None:
    """Add what installed packages offer, once: by `forms`, and before a game or an objective is found by its name."""
    for group in ("rollwise.forms", "rollwise.objectives", "rollwise.games"):
        for point in entry_points(group=group):
            register(point.load())


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

    Raises `GameError` for anything else, or a name that is taken.
    """
    made = thing() if isinstance(thing, type) and issubclass(thing, Form) else thing
    if isinstance(made, Form):
        _FORMS[:] = [made, *(form for form in _FORMS if form.name != made.name)]
    elif isinstance(thing, type) and issubclass(thing, Objective):
        add_objective(thing)
    elif isinstance(thing, type) and issubclass(thing, Game):
        add_game(thing, name)
    else:
        raise GameError(f"cannot register {thing!r}: expected a form, or a class of objectives or games")
