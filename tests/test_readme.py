"""The samples of the documents are what the commands print; the README is short; docs/commands.md has every command."""

from pathlib import Path
from typing import Any

import pytest

from rollwise.cli.parsing import COMMANDS
from tests.samples import PAGES, Sample, samples

ROOT = Path(__file__).parents[1]
README, PAGE = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/commands.md"))
SHOWN = [sample for page in PAGES for sample in samples(page)]
LONG = ("sweep yatzy", "sweep yazy")
"""How commands begin that take seconds: they run with `--all`."""


def case(sample: Sample) -> Any:
    """Make a parameter of the test of a sample."""
    marks = [pytest.mark.full] if sample.command.startswith(LONG) else []
    return pytest.param(sample, marks=marks, id=f"{sample.page.stem}: {sample.command}")


@pytest.mark.parametrize("sample", [case(sample) for sample in SHOWN])
def test_shown_output(sample: Sample, tmp_path: Path) -> None:
    printed = [line.split() for line in sample.printed(tmp_path)]
    assert [line for line in sample.lines() if line.split() not in printed] == [], "run python -m tests.samples"


def test_there_is_something_to_compare() -> None:
    assert len(SHOWN) >= 10


def test_the_readme_fits_a_screen() -> None:
    assert len(README.splitlines()) <= 75


def test_every_command_is_on_the_page() -> None:
    for command in [module.__name__.rpartition(".")[2] for module in COMMANDS]:
        assert f"`rollwise {command}" in PAGE
