"""Puzzles for the page: found once for a game, a seed and a number, and a pool of them in tables."""

from typing import Any

from rollwise.errors import GameError
from rollwise.model.game import Progress
from rollwise.playing.puzzles import puzzles
from rollwise.solvers.base.solution import Solution
from rollwise.wire.lessons import describe_puzzles

__all__ = ["find_puzzles", "puzzle_pool"]

Json = dict[str, Any]

POOL = 60
"""Puzzles of a table, from which the page chooses without a server: as many as it asks a server for (`puzzles/daily.js`)."""


def find_puzzles(solution: Solution, seed: int, n: int, progress: Progress | None) -> Json:
    """Find puzzles, with their answers. Raises `GameError` for a game that cannot surely be ended."""
    return {"seed": seed, **describe_puzzles(solution, puzzles(solution, n, seed=seed, progress=progress))}


def puzzle_pool(solution: Solution, progress: Progress | None = None) -> Json | None:
    """Find the puzzles that go with a table; None where there are none."""
    try:
        found = find_puzzles(solution, 0, POOL, progress)
    except GameError:
        return None
    return found if found["puzzles"] else None
