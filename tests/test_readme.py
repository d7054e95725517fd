"""The commands of the README and of docs/commands.md, run and compared with the output shown; the commands that there are."""

import re
import shlex
from pathlib import Path

import pytest

from rollwise.cli.main import main
from rollwise.cli.parsing import COMMANDS

ROOT = Path(__file__).parents[1]
README, PAGE = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/commands.md"))
SHOWN = re.findall(r"```console\n\$ (?:rollwise|./scripts/run) ([^\n]+)\n```\n```\n(.*?)```", README + PAGE, re.DOTALL)


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_shown_output(capsys: pytest.CaptureFixture[str], command: str, output: str) -> None:
    assert main([*shlex.split(command, comments=True), "--no-cache"]) == 0
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    for line in output.splitlines():
        assert line.split() in printed


def test_there_is_something_to_compare() -> None:
    assert len(SHOWN) >= 3


def test_the_readme_fits_a_screen() -> None:
    assert len(README.splitlines()) <= 75


def test_every_command_is_on_the_page() -> None:
    for command in [module.__name__.rpartition(".")[2] for module in COMMANDS]:
        assert f"`rollwise {command}" in PAGE
