"""Which solver solves a game, and the graph solver where a game overrides rules of its family."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rollwise.errors import EngineError, GameError, one_of
from rollwise.model.abilities import unlifted
from rollwise.model.game import Game, Progress
from rollwise.model.objective import Objective
from rollwise.model.policy import Policy
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.solver import OverriddenRules, Solver
from rollwise.solvers.graph.explore import Explored, OverBudget, explore
from rollwise.solvers.registry import solvers

__all__ = ["choose_solver", "engines", "explore_rules", "naming_overrides", "overridden_rules"]

AnyGame = Game[Any, Any, Any]


def engines() -> tuple[str, ...]:
    """List the engines of all solvers."""
    return tuple(engine for solver in reversed(solvers()) for engine in solver.engines)


def choose_solver(game: AnyGame, objective: Objective, options: SolveOptions) -> Solver:
    """Give the first solver that solves a game so. Raises `EngineError` where none does."""
    if options.engine is not None:
        one_of("engine", options.engine, engines())
    found = next((solver for solver in solvers() if solver.accepts(game, objective, options)), None)
    if found is None and options.engine is not None:
        raise next(solver for solver in solvers() if options.engine in solver.engines).unfit(game, objective, options)
    if found is None and not objective.general:
        raise EngineError(
            f"this game cannot be solved for {objective}: that takes a score sheet without rules of its own, or {objective.name}"
        )
    if found is None:
        mode = f"precision {options.precision} on {options.backend.name}"
        raise EngineError(f"no solver solves this game for {objective} with {mode}: use float64 on cpu")
    if options.backend.is_remote and (options.exact or not found.layered):
        raise EngineError(f"this game is not solved in layers for {objective}{' exactly' * options.exact}: leave the cluster out")
    if options.checkpoint is not None and not found.layered:
        raise EngineError(f"this game is not solved in layers for {objective}: leave the checkpoint out")
    return found


def overridden_rules(game: AnyGame, objective: Objective, policy: Policy | None = None) -> OverriddenRules | None:
    """Find what keeps a game from the solver of its family: None if it has no such solver, or is read by it.

    >>> from rollwise import Expected
    >>> from rollwise.games import load
    >>> game = load("yazy")
    >>> game.payoff = lambda state: 1
    >>> print(overridden_rules(game, Expected()))
    Yazy overrides payoff(), which the solver for a score sheet does not support
    """
    plain = unlifted(game)
    for solver in solvers():
        if solver.reads and solver.is_candidate(plain, objective):
            return solver.overridden(plain, solver.policy_reads(policy))
    return None


@contextmanager
def naming_overrides(game: AnyGame, objective: Objective, max_states: int, policy: Policy | None = None) -> Iterator[None]:
    """Name the rules that keep a game from its compact solver where it is then too large: before, or while, it is explored.

    Raises `GameError`.
    """
    why = overridden_rules(game, objective, policy)
    if why and why.min_positions > max_states:
        raise GameError(
            f"{why}, and it has at least {why.min_positions:,} positions, over the budget of {max_states:,}: make it smaller "
            "or raise max_states"
        )
    try:
        yield
    except OverBudget as error:
        if why is None:
            raise
        raise GameError(f"{why}, and {error}") from None


def explore_rules(
    game: AnyGame,
    objective: Objective,
    *,
    max_states: int,
    progress: Progress | None = None,
    policy: Policy | None = None,
) -> Explored:
    """Explore a game as `explore` does; where it is too large, name the rules that keep it from its compact solver."""
    with naming_overrides(game, objective, max_states, policy):
        return explore(game, objective, max_states=max_states, progress=progress)
