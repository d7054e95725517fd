"""The original contests' test files, in their own formats: read as games, and answered.

`words`: ICPC World Finals 2023 K. `d w`, d lines of symbols, w words. The answer: the expected number of rolls, or `impossible`.
`groups`: Kick Start 2020 F D. T, then per case `N M K` and K lines A_i; the answer is `Case #x: y`, a line a case.

A malformed file raises `GameError` with the number of the line.
"""

from collections.abc import Callable, Iterator
from math import isinf
from typing import Any

from rollwise.errors import GameError, one_of
from rollwise.games.groups import Groups
from rollwise.games.words import Words
from rollwise.model.formatting import counted, is_number
from rollwise.model.game import Game, Progress
from rollwise.solvers.base.solution import Number
from rollwise.solvers.solve import solve

__all__ = ["CONTESTS", "answer_contest", "read_groups", "read_words"]

AnyGame = Game[Any, Any, Any]


def answer_contest(
    problem: str, text: str, progress: Progress | None = None, *, check: Callable[[AnyGame], None] = lambda _: None
) -> Iterator[str]:
    r"""Answer a contest file, line by line. `check` sees every game before it is solved, and may refuse it.

    >>> list(answer_contest("groups", "2\n3 6 2\n1\n2\n5 2 1\n5\n"))
    ['Case #1: 4.700000000000', 'Case #2: 9.000000000000']
    """
    read, show = CONTESTS[one_of("problem", problem, CONTESTS)]
    return _answers(read(text), show, progress, check)


def _answers(
    games: Iterator[tuple[AnyGame, int]],
    show: Callable[[int, Number], str],
    progress: Progress | None,
    check: Callable[[AnyGame], None],
) -> Iterator[str]:
    for done, (game, cases) in enumerate(games):
        if progress and cases > 1:
            progress("cases", done, cases)
        check(game)
        yield show(done + 1, solve(game, progress=progress).value())


def read_words(text: str) -> Iterator[tuple[Words, int]]:
    r"""Read the one game of a file of words, and how many games there are.

    >>> [(sorted(game.goals), count) for game, count in read_words("2 1\nAB\nCD\nDA\n")]
    [(['AD'], 1)]
    """
    lines = _Lines(text)
    (n_dice, n_words) = lines.integers("the number of dice and of words", 2, low=1)
    dice = [lines.word("a die: its symbols, without spaces", None) for _ in range(n_dice)]
    words = [lines.word(f"a word of {counted(n_dice, 'symbol')}", n_dice) for _ in range(n_words)]
    lines.finish()
    yield Words(dice, words), 1


def read_groups(text: str) -> Iterator[tuple[Groups, int]]:
    r"""Read the games of a file of groups one by one, and how many there are.

    >>> [(game.goal, count) for game, count in read_groups("2\n3 6 2\n1\n2\n5 2 1\n5\n")]
    [((2, 1), 2), ((5,), 2)]
    """
    lines = _Lines(text)
    (cases,) = lines.integers("the number of cases", 1, low=1)
    for _ in range(cases):
        n, faces, k = lines.integers("N M K", 3, low=1)
        sizes = [lines.integers("a group size", 1, low=1)[0] for _ in range(k)]
        if sum(sizes) != n:
            raise GameError(f"line {lines.number}: the group sizes add up to {sum(sizes)}, expected N = {n}")
        if k > faces:
            raise GameError(f"line {lines.number}: {k} groups need {k} different faces, but M = {faces}")
        yield Groups(faces, sizes), cases
    lines.finish()


class _Lines:
    """The lines of a contest file, with their numbers for messages; blank lines at the end do not count."""

    def __init__(self, text: str) -> None:
        text = text.removeprefix("\ufeff")
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
            raise GameError(
                f"line {self.number}: expected {what} ({counted(count, 'integer')}, at least {low}), got {' '.join(words)!r}"
            )
        return [int(word) for word in words]

    def word(self, what: str, length: int | None) -> str:
        words = self.next(what)
        if len(words) != 1 or (length is not None and len(words[0]) != length) or "*" in words[0]:
            raise GameError(f"line {self.number}: expected {what}, got {' '.join(words)!r}")
        return words[0]

    def finish(self) -> None:
        if self.number < len(self.lines):
            raise GameError(f"line {self.number + 1}: expected the end of the file, got {self.lines[self.number]!r}")


CONTESTS: dict[str, tuple[Callable[[str], Iterator[tuple[AnyGame, int]]], Callable[[int, Number], str]]] = {
    "groups": (read_groups, lambda case, value: f"Case #{case}: {value:.12f}"),
    "words": (read_words, lambda _, value: "impossible" if isinf(value) else f"{value:.12f}"),
}
"""By the name of the problem: what gives the games of a file, with their number, and how an answer is written."""
