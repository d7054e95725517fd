"""The card evaluator for a solution's game: its own, or that of the graph."""

from time import perf_counter
from typing import Any

from rollwise.model.abilities import unlifted
from rollwise.model.game import Progress
from rollwise.solvers.base.abilities import EvaluatesCards, ability
from rollwise.solvers.base.card_evaluator import CardEvaluator
from rollwise.solvers.base.options import MAX_STATES, SolveOptions
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.choose_solver import explore_rules

__all__ = ["evaluator_of"]


def evaluator_of(solution: Solution, *, max_states: int = MAX_STATES, progress: Progress | None = None) -> CardEvaluator:
    """Give an evaluator for cards of a solved game. Raises `GameError` where it is too large for that."""
    found = ability(solution, EvaluatesCards).card_evaluator(progress)
    return _on_graph(solution, max_states, progress) if found is None else found


def _on_graph(solution: Solution, max_states: int, progress: Progress | None) -> CardEvaluator:
    from rollwise.solvers.graph.solving import solve_explored  # noqa: PLC0415  (compiled code is loaded where it is needed)

    game: Any = unlifted(solution.game)
    explored = explore_rules(game, solution.objective, max_states=max_states, progress=progress)
    return solve_explored(explored, SolveOptions(max_states=max_states, progress=progress), perf_counter()).card_evaluator(
        progress
    )
