"""`rollwise help`: every topic is told, fits a terminal, and its commands are commands."""

import argparse
import json
import shlex
from collections.abc import Iterator
from importlib.resources import files

import pytest

from rollwise.cli.help import OTHER_WORDS, TOPICS, topic_text
from rollwise.cli.parsing import COMMANDS, GROUPS, make_parser
from tests.terminal import run

EXAMPLES = [
    line.removeprefix("  $ ") for topic in TOPICS for line in topic_text(topic).splitlines() if line.startswith("  $ rollwise")
]


def test_every_topic_has_its_text_and_every_text_its_topic() -> None:
    assert {path.name for path in (files("rollwise.cli") / "topics").iterdir()} == {f"{topic}.txt" for topic in TOPICS}
    assert {*OTHER_WORDS.values()} <= {*TOPICS}
    assert not {*OTHER_WORDS} & {*TOPICS}


def test_a_topic_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    for topic in TOPICS:
        code, out, err = run(capsys, "help", *topic.split("-"))
        assert (code, err) == (0, "")
        assert out == f"{topic_text(topic)}\n"
        assert max(map(len, out.splitlines())) < 80
        assert len(out.splitlines()) < 45


def test_what_a_topic_shows_is_a_command() -> None:
    for line in EXAMPLES:
        for command in line.split(" && "):
            _, *words = shlex.split(command)
            _, unknown = make_parser(words[0]).parse_known_args(words)
            assert not unknown


def test_an_id_that_is_shown_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "show", "yazy", "--state", "33561 2 all")
    assert f"--state {out.strip()}\n" in topic_text("positions")


def test_help_on_a_command_is_its_own_help(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("solve", "help"):
        assert run(capsys, "help", name)[1] == run(capsys, name, "--help")[1]


def test_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    commands = {command.__name__.rpartition(".")[2] for command in COMMANDS}
    code, out, _ = run(capsys, "help")
    assert code == 0
    assert all(name in out for name in (*TOPICS, *commands))
    listed = json.loads(run(capsys, "help", "--json")[1])
    assert (listed["topics"], {*listed["commands"]}) == (TOPICS, commands)


def options() -> Iterator[tuple[str, str, bool]]:
    """Give every option of every command: the command, its longest name, and whether its help lists it."""
    parser = make_parser()
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    for name, one in {"": parser, **commands.choices}.items():
        for action in one._actions:
            if action.option_strings and action.dest != "help":
                yield name, max(action.option_strings, key=len), action.help != argparse.SUPPRESS


def test_there_are_not_too_many_options() -> None:
    found = list(options())
    assert len({option for _, option, _ in found}) <= 60
    assert sum(listed for command, _, listed in found if command == "solve") <= 14


def test_help_fits_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert len(run(capsys, "solve", "--help")[1].splitlines()) <= 40
    monkeypatch.setenv("COLUMNS", "80")
    for words in ([], ["help"]):
        assert max(map(len, run(capsys, *words)[1].splitlines())) <= 80


def test_without_a_command_it_says_what_to_do_first(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys)
    assert (code, err) == (0, "")
    assert all(f"\n{group}:\n" in out for group in GROUPS)
    assert out == run(capsys, "--help")[1]
    for line in (line for line in out.splitlines() if line.startswith("  rollwise ")):
        _, *words = shlex.split(line.partition("   ")[0] if "   " in line.lstrip() else line)
        assert not make_parser(words[0]).parse_known_args(words)[1]
