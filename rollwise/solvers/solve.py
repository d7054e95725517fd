"""Solve a game: pick a solver, run it."""

from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from rollwise.errors import GameError, one_of
from rollwise.games.users import GameLike, problem_of
from rollwise.model.faults import blaming, check_signatures, warn_of_misspelt
from rollwise.model.game import Game, Progress, objective_of, require_game
from rollwise.model.objective import Objective
from rollwise.solvers.base.backends import Backend, Gpu, Threads
from rollwise.solvers.base.options import MAX_STATES, Keep, Precision, SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.choose_solver import choose_solver, naming_overrides
from rollwise.solvers.graph.risk import choose_target

__all__ = ["Device", "backend_of", "check_attainable", "checked_objective", "plan", "solve", "solve_with_options", "with_target"]

Device = Literal["cpu", "gpu"]


def solve(
    game: GameLike,
    objective: Objective | str | None = None,
    *,
    exact: bool = False,
    engine: str | None = None,
    threads: int | None = None,
    max_states: int = MAX_STATES,
    precision: Precision = "float64",
    device: Device = "cpu",
    cluster: str | None = None,
    checkpoint: str | PathLike[str] | None = None,
    keep: Keep = "all",
    progress: Progress | None = None,
    position: Any = None,
) -> Solution:
    """Find the best strategy of a game for an objective (default: the game's own), its value, and a certificate.

    >>> solve("slots", "at-least 51", exact=True).value()
    Fraction(115, 3888)

    The game is an object, a name of the catalogue or the path of a game file; the objective is an object or its text. Families of
    games, such as score sheets, have solvers of their own; any other game, and one that overrides rules that its family's solver
    does not read, is solved as a graph of positions. `engine` forces an engine. With `exact=True` all values are fractions.

    `threads` (default: all cores) and `device` change the time, never the result; "gpu" is an NVIDIA GPU (`rollwise[gpu]`). A
    game that is solved layer by layer can run on a Ray `cluster` (`rollwise[cluster]`): give the address of the cluster and a
    `checkpoint` that all its nodes see, or "local:2" for two workers on this machine. It writes each finished layer into the
    directory `checkpoint`, and resumes from there; `keep="last"` keeps only the last layers, which are enough for the value and
    the first turn. Under `Fewest` the value is infinite where no strategy ends the game with certainty.

    With a `position`, or its text, it is enough to solve what can follow from there: a score sheet for a target or against an
    opponent is solved so, if many boxes are filled. The value of such a solution is that of the turn.

    Raises `GameError` when the rules are faulty or not deterministic, when the game needs more than `max_states` positions or
    more memory than there is, when the total is unbounded, or when the game may never end; `EngineError` for options that do not
    fit the game. Warns (`GameWarning`) of a method whose name is almost that of a rule.
    """
    game, objective = problem_of(game, objective, "solve")
    warn_of_misspelt(game)
    backend = backend_of(device, threads, cluster)
    folder = None if checkpoint is None else Path(checkpoint)
    options = SolveOptions(
        exact=exact, engine=engine, precision=precision, backend=backend, max_states=max_states, checkpoint=folder, keep=keep,
        progress=progress,
    )  # fmt: skip
    return solve_with_options(game, objective, options, position)


def backend_of(device: str, threads: int | None, cluster: str | None = None) -> Backend:
    """Give the backend that a device, a number of threads and a cluster stand for. Raises `GameError`."""
    one_of("device", device, ("cpu", "gpu"))
    if cluster is not None:
        # By name: the cluster builds on the solvers, and is loaded only where there is one.
        made: Backend = import_module("rollwise.cluster.backend").Cluster(cluster, device)
        return made
    return Gpu() if device == "gpu" else Threads(threads)


def checked_objective(game: Game[Any, Any, Any], objective: Objective | None) -> Objective:
    """Give what a game is solved for. Raises `GameError` for what cannot be solved, or not yet."""
    require_game(game, "solve")
    check_signatures(game)
    with blaming(game):
        objective = objective_of(game, objective)
    if not objective.is_resolved:
        raise GameError(f"{objective} depends on how the game is played for points: resolve(objective, game) first")
    return objective


def solve_with_options(
    game: Game[Any, Any, Any], objective: Objective | None, options: SolveOptions, position: Any = None
) -> Solution:
    """Solve a game, or at least what can follow from a position, with these options."""
    objective = with_target(game, checked_objective(game, objective), options)
    solver = choose_solver(game, objective, options)
    with naming_overrides(game, objective, options.max_states):
        start = None if position is None else solver.part(game, objective, position, options)
        return solver.solve(game, objective, options) if start is None else solver.solve_part(game, objective, start, options)


def check_attainable(game: Game[Any, Any, Any], objective: Objective) -> None:
    """Refuse an objective that no game attains, where that is known without solving.

    >>> from rollwise import AtLeast, games
    >>> check_attainable(games.load("yatzy"), AtLeast(375))
    Traceback (most recent call last):
    rollwise.errors.GameError: the highest possible total is 374: choose a lower target

    Raises `GameError`.
    """
    if objective.is_resolved:
        choose_solver(game, objective, SolveOptions()).check(game, objective)


def with_target(game: Game[Any, Any, Any], objective: Objective, options: SolveOptions) -> Objective:
    """Choose the target of an objective that needs one, by the graph of the game, unless its solver does that."""
    if not objective.needs_target or choose_solver(game, objective, options).chooses_targets:
        return objective
    objective.restate(game)
    with naming_overrides(game, objective, options.max_states):
        return choose_target(game, objective, options)


def plan(game: GameLike, objective: Objective | str | None = None, options: SolveOptions | None = None) -> Plan:
    """Estimate the size, time and memory of solving a game, without solving it.

    >>> plan("yazy", "duel").states
    306356498

    Raises `GameError` for a game that is too large.
    """
    game, objective = problem_of(game, objective, "plan")
    options = options or SolveOptions()
    return choose_solver(game, objective, options).plan(game, objective, options)
