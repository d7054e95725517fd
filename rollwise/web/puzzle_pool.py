"""Puzzles for the page: found once for a solved game and a seed, and kept as long as the game is."""

from typing import Any
from weakref import WeakKeyDictionary

from rollwise.errors import GameError
from rollwise.model.game import Progress
from rollwise.playing.puzzles import puzzles
from rollwise.solvers.base.solution import Solution
from rollwise.wire.lessons import describe_puzzles

__all__ = ["PuzzleBook", "puzzle_pool"]

Json = dict[str, Any]

POOL = 60
"""Puzzles of a table, from which the page chooses without a server: as many as it asks a server for (`puzzles/daily.js`)."""
KEPT = 8
"""Sets of puzzles that are kept for a game: a day's, which everybody asks for, and some more."""


class PuzzleBook:
    """The puzzles that were asked for, by solution, seed and number; the oldest make room."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Solution, dict[tuple[int, int], Json]] = WeakKeyDictionary()

    def known(self, solution: Solution, seed: int, n: int) -> Json | None:
        """Give puzzles that were found before."""
        return self._known.get(solution, {}).get((seed, n))

    def find(self, solution: Solution, seed: int, n: int, progress: Progress) -> Json:
        """Find puzzles, with their answers. Raises `GameError` for a game that cannot surely be ended."""
        found = self.known(solution, seed, n)
        if found is None:
            found = _find(solution, seed, n, progress)
            kept = self._known.setdefault(solution, {})
            kept[seed, n] = found
            while len(kept) > KEPT:
                del kept[next(iter(kept))]
        return found


def puzzle_pool(solution: Solution, progress: Progress | None = None) -> Json | None:
    """Find the puzzles that go with a table; None where there are none."""
    try:
        found = _find(solution, 0, POOL, progress)
    except GameError:
        return None
    return found if found["puzzles"] else None


def _find(solution: Solution, seed: int, n: int, progress: Progress | None) -> Json:
    return {"seed": seed, **describe_puzzles(solution, puzzles(solution, n, seed, progress=progress))}
