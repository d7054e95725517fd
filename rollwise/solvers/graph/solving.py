"""Solve an explored game: run the engines, check their result, name the position where they refuse."""

from time import perf_counter
from typing import Any

import numpy as np

from rollwise.errors import EngineError, GameError
from rollwise.model.notation import notation_of
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.solution import Head
from rollwise.solvers.graph.certify import certify
from rollwise.solvers.graph.explore import Explored
from rollwise.solvers.graph.retry import Unbounded
from rollwise.solvers.graph.risk import choose_by_mean
from rollwise.solvers.graph.run import Refused, run
from rollwise.solvers.graph.solution import GraphSolution
from rollwise.solvers.graph.two_players import Endless

__all__ = ["solve_explored"]


def solve_explored(explored: Explored, options: SolveOptions, begun: float) -> GraphSolution:
    """Solve an explored game and check the result. Raises `GameError` or `EngineError`, naming the position."""
    graph = explored.graph
    nodes = graph.n_states + graph.n_pendings
    engine: Any = options.engine
    try:
        result = run(graph, engine=engine, exact=options.exact, tick=lambda done: options.tick("solving", done, nodes))
    except Refused as refusal:
        where = notation_of(explored.game).show_pending(explored.pendings[refusal.pending])
        raise EngineError(
            f"engine {refusal.engine!r} cannot solve this game: at pending {where}, {refusal.reason}; use engine={refusal.use!r}"
        ) from None
    except (Unbounded, Endless) as loop:
        raise GameError(f"{loop} at pending {notation_of(explored.game).show_pending(explored.pendings[loop.pending])}") from None
    if explored.objective.counts == "points" and result.values.pending[0] == float("-inf"):
        raise GameError(_endless(explored))
    if explored.objective.by_mean:
        result = choose_by_mean(explored, result, options)
    proof = certify(graph, result).scaled(explored.unit).widened(explored.objective.rounding)
    head = Head(proof, "+".join(result.engines), perf_counter() - begun, graph.n_states, graph.n_pendings)
    return GraphSolution(explored.game, explored.objective, *head, explored=explored, result=result)


def _endless(explored: Explored) -> str:
    if np.diff(explored.graph.action_start).all():
        tip = "where it is over no action may be legal (actions() gives (), or no when holds)"
        return f"the game never ends: no reachable state is without actions; {tip}"
    return "no strategy surely ends the game from the start: some roll can lead to a place from which the end is out of reach"
