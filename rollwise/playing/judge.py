"""The original contests' formats: read a test file, answer it.

`words`: ICPC World Finals 2023 K. `d w`, d lines of symbols, w words; the answer is the expected number of rolls or `impossible`.
`groups`: Kick Start 2020 F D. T, then per case `N M K` and K lines A_i; the answers are `Case #x: y`.

A malformed file raises `GameError` with the number of the line.
"""

from collections.abc import Callable, Iterator
from math import isinf
from typing import Any

from rollwise.errors import GameError, one_of
from rollwise.games.groups import Groups
from rollwise.games.words import Words
from rollwise.model.game import Game, Progress
from rollwise.model.notation import is_number
from rollwise.solving.solver import solve

__all__ = ["JUDGES", "judge"]

Check = Callable[[Game[Any, Any, Any]], None]


def judge(problem: str, text: str, progress: Progress | None = None, *, check: Check = lambda _: None) -> Iterator[str]:
    r"""Answer a contest file, line by line. `check` sees every game before it is solved, and may refuse it.

    >>> list(judge("groups", "2\n3 6 2\n1\n2\n5 2 1\n5\n"))
    ['Case #1: 4.700000000000', 'Case #2: 9.000000000000']
    """
    return JUDGES[one_of("problem", problem, JUDGES)](text, progress, check)


def _words(text: str, progress: Progress | None, check: Check) -> Iterator[str]:
    lines = _Lines(text)
    (n_dice, n_words) = lines.integers("the number of dice and of words", 2, low=1)
    dice = [lines.word("a die: its symbols, without spaces", None) for _ in range(n_dice)]
    words = [lines.word(f"a word of {n_dice} symbols", n_dice) for _ in range(n_words)]
    lines.finish()
    game = Words(dice, words)
    check(game)
    value = solve(game, progress=progress).value()
    yield "impossible" if isinf(value) else f"{value:.12f}"


def _groups(text: str, progress: Progress | None, check: Check) -> Iterator[str]:
    lines = _Lines(text)
    (cases,) = lines.integers("the number of cases", 1, low=1)
    for case in range(1, cases + 1):
        n, faces, k = lines.integers("N M K", 3, low=1)
        sizes = [lines.integers("a group size", 1, low=1)[0] for _ in range(k)]
        if sum(sizes) != n:
            raise GameError(f"line {lines.number}: the group sizes add up to {sum(sizes)}, expected N = {n}")
        if k > faces:
            raise GameError(f"line {lines.number}: {k} groups need {k} different faces, but M = {faces}")
        if progress:
            progress("cases", case - 1, cases)
        game = Groups(faces, sizes)
        check(game)
        yield f"Case #{case}: {solve(game).value():.12f}"
    lines.finish()


class _Lines:
    """The lines of a contest file, with their numbers for messages; blank lines at the end do not count."""

    def __init__(self, text: str) -> None:
        self.lines = text.rstrip().split("\n") if text.strip() else []
        self.number = 0

    def next(self, what: str) -> list[str]:
        if self.number == len(self.lines):
            raise GameError(f"line {self.number + 1}: expected {what}, but the file ends")
        self.number += 1
        return self.lines[self.number - 1].split()

    def integers(self, what: str, count: int, *, low: int) -> list[int]:
        words = self.next(what)
        if len(words) != count or not all(is_number(word) and int(word) >= low for word in words):
            raise GameError(f"line {self.number}: expected {what} ({count} integer(s), at least {low}), got {' '.join(words)!r}")
        return [int(word) for word in words]

    def word(self, what: str, length: int | None) -> str:
        words = self.next(what)
        if len(words) != 1 or (length is not None and len(words[0]) != length) or "*" in words[0]:
            raise GameError(f"line {self.number}: expected {what}, got {' '.join(words)!r}")
        return words[0]

    def finish(self) -> None:
        if self.number < len(self.lines):
            raise GameError(f"line {self.number + 1}: expected the end of the file, got {self.lines[self.number]!r}")


JUDGES: dict[str, Callable[[str, Progress | None, Check], Iterator[Any]]] = {"groups": _groups, "words": _words}
