"""`--threads`: every command that computes takes it, and has no more of them."""

import argparse
from concurrent.futures import ThreadPoolExecutor
from os import environ
from pathlib import Path
from typing import Any

import pytest

from rollwise import GameError
from rollwise.cli.parsing import make_parser
from rollwise.solvers.base.backends import ALGEBRA, MOST, Threads, at_most
from rollwise.sweeps.workers import Processes
from tests.terminal import run

COMPUTE = {
    "solve", "advise", "distribution", "sweep", "report", "policy", "export", "play", "serve", "grade", "rate", "puzzles",
    "simulate", "choose",
    "risk", "check", "contest", "card", "site", "plan",
}  # fmt: skip
SMALL = ("yazy", "-p", "boxes=sixes,straight", "--no-cache")
WITH_THREADS = [("solve", *SMALL, "--objective", "duel")]
"""The others are so small that they are solved in one."""


def test_every_command_that_computes_takes_it() -> None:
    commands = next(a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction))
    assert {name for name, parser in commands.choices.items() if "--threads" in parser._option_string_actions} == COMPUTE


def test_so_many_and_no_more() -> None:
    before = dict.fromkeys(ALGEBRA), Threads().count
    before[0].update({name: environ.get(name) for name in ALGEBRA})
    with at_most(3):
        assert (Threads().count, Threads(5).count, Processes().count) == (3, 5, 3)
        assert {environ[name] for name in ALGEBRA} == {"3"}
        with at_most(1):
            assert Threads().count == 1
        assert Threads().count == 3
    assert ({name: environ.get(name) for name in ALGEBRA}, Threads().count) == before


@pytest.mark.parametrize("number", [0, -1, MOST + 1, 10**30])
def test_too_few_or_too_many(number: int) -> None:
    with pytest.raises(GameError, match=r"threads: expected a number from 1 to 1,024"), at_most(number):
        pass


@pytest.mark.parametrize("command", [*WITH_THREADS, ("solve", *SMALL), ("distribution", *SMALL), ("simulate", *SMALL)])
def test_a_command_has_no_more_threads(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    made: list[Any] = []
    begin = ThreadPoolExecutor.__init__

    def counted(self: ThreadPoolExecutor, number: int | None = None, *rest: Any, **more: Any) -> None:
        made.append(number)
        begin(self, number, *rest, **more)

    monkeypatch.setattr(ThreadPoolExecutor, "__init__", counted)
    answers = [_plain(run(capsys, *command, "--json", "--threads", str(number))) for number in (1, 3)]
    assert answers[0] == answers[1]
    assert {*made} <= {1, 3}
    assert {*made} == {1, 3} or command not in WITH_THREADS


def _plain(answer: tuple[int, str, str]) -> str:
    code, out, err = answer
    assert (code, err) == (0, "")
    return ", ".join(part for part in out.split(", ") if not part.startswith('"seconds"'))


@pytest.mark.full
def test_a_sweep_has_as_many_workers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    small = ("sweep", "slots", "-p", "slots=a:1/2,b:2/1", "--over", "target=2,3")
    code, out, _ = run(capsys, *small, "--threads", "1", "-o", str(tmp_path / "rows.csv"))
    assert (code, "2 combinations" in out or bool(out)) == (0, True)
