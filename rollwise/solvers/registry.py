"""What is known: solvers, in the order they are tried, and how more are added.

`register` takes a solver, an objective or a game. Installed packages add theirs by entry points: the groups `rollwise.solvers`,
`rollwise.objectives` and `rollwise.games` name solvers (objects or classes) and classes of objectives and games.
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
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.base.solver import Solver
from rollwise.solvers.boards.solver import HypergammonSolver, UrSolver
from rollwise.solvers.climbing.solver import ClimbSolver
from rollwise.solvers.graph.solver import GraphSolver
from rollwise.solvers.partitions.solver import PartitionSolver
from rollwise.solvers.press_your_luck.solver import LuckSolver
from rollwise.solvers.races.solver import RaceSolver
from rollwise.solvers.rerolls.solver import RerollSolver
from rollwise.solvers.sheets.solver import DuelSolver, ExpectedSolver, SavedSolver, TargetSolver

__all__ = ["form_of", "register", "registered", "solvers", "unregister"]

OWN: tuple[Solver, ...] = (
    SavedSolver(), ExpectedSolver(), TargetSolver(), DuelSolver(), RerollSolver(), PartitionSolver(), ClimbSolver(), RaceSolver(),
    LuckSolver(), UrSolver(), HypergammonSolver(), GraphSolver(),
)  # fmt: skip
_ADDED: list[Solver] = []


def solvers() -> tuple[Solver, ...]:
    """List the solvers in the order they are tried: added ones first, the last one first of all; the graph last.

    A solver takes the place of one with the same name that comes later.
    """
    found: dict[str, Solver] = {}
    for solver in (*reversed(_ADDED), *_installed(), *OWN):
        found.setdefault(solver.name, solver)
    return tuple(found.values())


def form_of(solution: Solution) -> Solver:
    """Give the solver that made a solution."""
    return next(solver for solver in solvers() if solver.name == solution.solver_name)


@cache
def _installed() -> tuple[Solver, ...]:
    """The solvers of installed packages."""
    return tuple(_made(load_installed(point, Solver)) for point in installed("rollwise.solvers").values())


def register(thing: Any, name: str = "") -> None:
    """Register a solver (an object or its class), a class of objectives, or a class of games; `name` is for a game.

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
    if issubclass(kind, Solver):
        solver = _made(thing)
        unregister(solver)
        _ADDED.append(solver)
    elif issubclass(kind, Objective) and kind is thing:
        add_objective(kind)
    elif issubclass(kind, Game) and kind is thing:
        add_game(kind, name)
    else:
        tip = f", {kind.__name__}" if issubclass(kind, Objective | Game) else ""
        raise GameError(f"cannot register {brief(thing)}: expected a solver, or a class of objectives or games{tip}")


def unregister(thing: Any) -> None:
    """Remove what `register` added; solvers, objectives and games of this library and of installed packages stay."""
    kind = thing if isinstance(thing, type) else type(thing)
    if issubclass(kind, Solver):
        _ADDED[:] = [solver for solver in _ADDED if solver.name != kind.name]
    elif issubclass(kind, Objective):
        drop_objective(kind)
    elif issubclass(kind, Game):
        drop_game(kind)


@contextmanager
def registered(*things: Any) -> Iterator[None]:
    """Register solvers, objectives or games for the duration of a `with` block."""
    try:
        for thing in things:
            register(thing)
        yield
    finally:
        for thing in things:
            unregister(thing)


def _made(thing: Any) -> Solver:
    """Give a solver, made of its class if need be, that says what every solver must say. Raises `GameError`."""
    kind: type[Solver] = thing if isinstance(thing, type) else type(thing)
    missing = sorted(getattr(kind, "__abstractmethods__", ()))
    missing += [field for field in ("name", "what", "engines") if not hasattr(kind, field)]
    if missing:
        raise GameError(f"the solver {kind.__name__} does not define {missing[0]}, which every solver needs")
    if not kind.name.isalpha() or not kind.name.islower():
        raise GameError(f"the solver {kind.__name__} has the name {kind.name!r}: expected a word in lower case")
    for solver in (*OWN, *_ADDED):
        taken = sorted({*solver.engines} & {*kind.engines}) if solver.name != kind.name else []
        if taken:
            raise GameError(f"the solver {kind.__name__} has the engine {taken[0]!r}, which {type(solver).__name__} has already")
    made: Solver = thing() if isinstance(thing, type) else thing
    return made
