"""What was computed for solved games and may be requested again: puzzles, cards, opponents, distributions."""

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from rollwise.solvers.base.solution import Solution

__all__ = ["KEPT", "AnswerCache"]

KEPT = 8
"""Answers that are kept for a game: of puzzles a day's, which everybody asks for, and some more."""


class AnswerCache:
    """Answers by solution and question, kept as long as the solution is; the oldest make room."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Solution, dict[Any, Any]] = WeakKeyDictionary()

    def known(self, solution: Solution, question: Any) -> Any:
        """Give an answer that was given before; None if there is none."""
        return self._known.get(solution, {}).get(question)

    def find(self, solution: Solution, question: Any, answer: Callable[[], Any]) -> Any:
        """Give what was answered before, or `answer()`, which is kept."""
        found = self.known(solution, question)
        if found is None:
            found = answer()
            kept = self._known.setdefault(solution, {})
            kept[question] = found
            while len(kept) > KEPT:
                del kept[next(iter(kept))]
        return found
