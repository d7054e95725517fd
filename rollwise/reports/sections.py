"""Sections that a game adds to its page, in one table: by the class that states the rules, and the form that it is solved in."""

from collections.abc import Callable
from typing import Any, NamedTuple

from rollwise.games.slots import Slots
from rollwise.model.abilities import overridden, rules_of
from rollwise.model.game import Game, Progress
from rollwise.reports.slots import in_fractions, slots_sections
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.solution import Solution

__all__ = ["Added", "added_sections", "register_sections"]


class Added(NamedTuple):
    """What a game adds: its sections, and the solution that its page is written from, which may be another one of the game."""

    solver: str
    sections: Callable[[Any, Progress | None], list[Block]]
    prepare: Callable[[Any], Solution] = lambda solution: solution


_ADDED: dict[type[Game[Any, Any, Any]], Added] = {Slots: Added("graph", slots_sections, in_fractions)}


def register_sections(kind: type[Game[Any, Any, Any]], added: Added) -> None:
    """Let pages about a class of games say more."""
    _ADDED[kind] = added


def added_sections(solution: Solution) -> Added | None:
    """Find what the game of a solution adds: a game with other rules than the class that was registered adds nothing.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> [added_sections(rollwise.solve(game)) is not None for game in (load("slots"), load("pig", target=5))]
    [True, False]
    """
    game = solution.game
    classes: tuple[type[Any], ...] = type(game).__mro__
    for kind in classes:
        added = _ADDED.get(kind)
        if added is not None and added.solver == solution.solver_name and not overridden(game, kind, rules_of(kind)):
            return added
    return None
