"""The commands of the README and of the documents, run and compared with the output shown; the commands that there are."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from rollwise.cli.main import main
from rollwise.cli.parsing import COMMANDS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "docs/commands.md", *sorted((ROOT / "docs").glob("*.md"))]
README, PAGE = (path.read_text(encoding="utf-8") for path in PAGES[:2])
SAMPLE = re.compile(r"```(?:console)?\n\$ (?:rollwise|./scripts/run) ([^\n]+)\n(?:```\n```\n)?(?!\$)([^`]+)```")
NOT_RUN = {"grade", "play", "puzzles", "rate", "serve", "site"}
"""What needs a record or a player, does not end, or shows sizes that depend on the machine's libraries."""


def samples() -> list[Any]:
    """Give commands with their output; those of pages other than the first two take longer."""
    found = {command: (path, output) for path in reversed(PAGES) for command, output in SAMPLE.findall(path.read_text("utf-8"))}
    run = {command: one for command, one in found.items() if command.split()[0] not in NOT_RUN and "\n$ " not in one[1]}
    return [
        pytest.param(command, output, id=command, marks=() if path in PAGES[:2] else pytest.mark.full)
        for command, (path, output) in run.items()
        if "pace.card" not in command
    ]


@pytest.mark.parametrize(("command", "output"), samples())
def test_shown_output(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str, output: str
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command, comments=True)) == 0
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    for line in output.splitlines():
        assert line.split() in printed or line == "..."


def test_there_is_something_to_compare() -> None:
    assert len(samples()) >= 8


def test_the_readme_fits_a_screen() -> None:
    assert len(README.splitlines()) <= 75


def test_every_command_is_on_the_page() -> None:
    for command in [module.__name__.rpartition(".")[2] for module in COMMANDS]:
        assert f"`rollwise {command}" in PAGE
