"""Answer the original contests' test files, in their own formats (`games.contests` reads them).

`words`: the expected number of rolls, or `impossible`. `groups`: `Case #x: y`, a line a case.
"""

from collections.abc import Callable, Iterator
from math import isinf
from typing import Any

from rollwise.errors import one_of
from rollwise.games.contests import CONTESTS
from rollwise.model.game import Game, Progress
from rollwise.solvers.base.solution import Number
from rollwise.solvers.solve import solve

__all__ = ["CONTEST_FORMATS", "answer_contest"]

Check = Callable[[Game[Any, Any, Any]], None]


def answer_contest(problem: str, text: str, progress: Progress | None = None, *, check: Check = lambda _: None) -> Iterator[str]:
    r"""Answer a contest file, line by line. `check` sees every game before it is solved, and may refuse it.

    >>> list(answer_contest("groups", "2\n3 6 2\n1\n2\n5 2 1\n5\n"))
    ['Case #1: 4.700000000000', 'Case #2: 9.000000000000']
    """
    show = CONTEST_FORMATS[one_of("problem", problem, CONTEST_FORMATS)]
    return _answers(CONTESTS[problem](text), show, progress, check)


def _answers(
    games: Iterator[tuple[Game[Any, Any, Any], int]], show: Callable[[int, Number], str], progress: Progress | None, check: Check
) -> Iterator[str]:
    for done, (game, cases) in enumerate(games):
        if progress and cases > 1:
            progress("cases", done, cases)
        check(game)
        yield show(done + 1, solve(game, progress=progress).value())


def _words(_: int, value: Number) -> str:
    return "impossible" if isinf(value) else f"{value:.12f}"


def _groups(case: int, value: Number) -> str:
    return f"Case #{case}: {value:.12f}"


CONTEST_FORMATS: dict[str, Callable[[int, Number], str]] = {"groups": _groups, "words": _words}
"""How answers are written, by the name of the problem."""
