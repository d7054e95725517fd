"""Solve a game: explore, pick engines, run, certify."""

from time import perf_counter
from typing import Any

from rollwise.engines.certify import certify
from rollwise.engines.retry import Unbounded
from rollwise.engines.run import Engine, Refused, run
from rollwise.errors import EngineError, GameError, one_of
from rollwise.game import Game, Progress
from rollwise.graph import MAX_STATES, Explored, explore
from rollwise.objective import Objective
from rollwise.solution import Solution

__all__ = ["ENGINES", "solve"]

ENGINES: tuple[Engine, ...] = ("induction", "retry", "shortest", "policy")


def solve(
    game: Game[Any, Any, Any],
    objective: Objective | None = None,
    *,
    exact: bool = False,
    engine: Engine | None = None,
    max_states: int = MAX_STATES,
    progress: Progress | None = None,
) -> Solution:
    """Find the best strategy of `game` for `objective` (default: the game's own), its value, and a certificate.

    >>> from rollwise import AtLeast
    >>> from rollwise.games import load
    >>> solve(load("slots"), AtLeast(51), exact=True).value()
    Fraction(115, 3888)

    The engine follows from the game's structure, component by component; `engine` forces one. With `exact=True` all values
    are fractions. Under `Fewest` the value is infinite where no strategy surely ends the game.

    Raises `GameError` when the rules are faulty, the budget `max_states` is exceeded, the total is unbounded, or the game cannot
    surely be brought to an end; `EngineError` when a forced engine does not apply.
    """
    begun = perf_counter()
    if engine is not None:
        one_of("engine", engine, ENGINES)
    explored = explore(game, objective, max_states=max_states, progress=progress)
    graph = explored.graph
    nodes = graph.n_states + graph.n_pendings
    try:
        result = run(
            graph,
            engine=engine,
            exact=exact,
            tick=lambda done: progress("solving", done, nodes) if progress else None,
        )
    except Refused as refusal:
        where = explored.game.show_pending(explored.pendings[refusal.pending])
        raise EngineError(
            f"engine {refusal.engine!r} cannot solve this game: at pending {where}, {refusal.reason}; use engine={refusal.use!r}"
        ) from None
    except Unbounded as loop:
        raise GameError(f"{loop} at pending {explored.game.show_pending(explored.pendings[loop.pending])}") from None
    if graph.maximise and result.work.pending[0] == float("-inf"):
        raise GameError(_endless(explored))
    return Solution(explored, result, certify(graph, result), perf_counter() - begun)


def _endless(explored: Explored) -> str:
    over = [s for s in range(explored.graph.n_states) if explored.graph.action_start[s] == explored.graph.action_start[s + 1]]
    if not over:
        return "the game never ends: no reachable state is without actions; let actions() return () where it is over"
    return "no strategy surely ends the game from the start: some roll can lead to a place from which the end is out of reach"
