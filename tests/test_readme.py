"""The README's own commands, run and compared with the output it shows."""

import re
import shlex
from pathlib import Path

import pytest

from rollwise.cli.main import main

README = (Path(__file__).parent.parent / "README.md").read_text()
SHOWN = re.findall(r"```console\n\$ \./scripts/run (.*?)\n```\n```\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_shown_output(capsys: pytest.CaptureFixture[str], command: str, output: str) -> None:
    assert main([*shlex.split(command), "--no-cache"]) == 0
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    for line in output.splitlines():
        assert line.split() in printed


def test_there_is_something_to_compare() -> None:
    assert len(SHOWN) >= 2
