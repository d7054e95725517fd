"""The samples of the documents: a block with a command, and one with its output. `python -m tests.samples` updates them.

A sample may leave out lines; `...` stands for them where that is not obvious. A line after a prompt, `> x3`, is typed. A block
with a file name (```` ```text pace.card ````) is a file that the commands of its page read, as is a game file right before its
command.
"""

import io
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from difflib import SequenceMatcher
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import patch

from rollwise.cli.main import main

__all__ = ["Sample", "samples"]

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
SAMPLE = re.compile(r"(?<=```console\n\$ )(?:rollwise|./scripts/run) ([^\n]+)\n```\n```\n(.*?)(?=```)", re.DOTALL)
GAME = re.compile(r"^```toml\n(?P<text>[^`]*)^```\n```console\n\$ rollwise \S+ (?P<name>[\w-]+\.toml)\n", re.MULTILINE)
FILE = re.compile(r"^```text (\S+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


class Sample(NamedTuple):
    """A command of a page, and what the page shows of its output."""

    page: Path
    command: str
    shown: str

    def printed(self, folder: Path) -> list[str]:
        """Run the command in a folder with the files of the page and the examples; give the lines that it prints."""
        for name, text in FILE.findall(self.page.read_text("utf-8")):
            (folder / name).write_text(text, "utf-8")
        for game in GAME.finditer(self.page.read_text("utf-8")):
            (folder / game["name"]).write_text(game["text"], "utf-8")
        (folder / "examples").symlink_to(ROOT / "examples")
        typed = "".join(f"{line}\n" for line in re.findall(r"^> (.*)$", self.shown, re.MULTILINE))
        with (
            chdir(folder),
            patch.object(sys, "stdin", io.StringIO(typed)),
            redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")) as output,
            redirect_stderr(output),
        ):
            main(shlex.split(self.command, comments=True))
        output.seek(0)
        return [line.rstrip() for line in output.read().splitlines()]

    def lines(self) -> list[str]:
        """Give the lines of the sample, without the sign for what it leaves out."""
        return [line for line in self.shown.splitlines() if line != "..."]


def samples(page: Path) -> list[Sample]:
    """Give the samples of a page."""
    return [Sample(page, *found) for found in SAMPLE.findall(page.read_text("utf-8"))]


def renewed(sample: Sample, printed: list[str]) -> Iterator[str]:
    """Replace each line of a sample by the most similar printed line after the one before, with the rest of a folded row."""
    start, shown = 0, sample.shown.splitlines()
    for at, line in enumerate(shown):
        if is_folded(shown, at):
            continue
        alike = [SequenceMatcher(None, line, found).ratio() for found in printed[start:]]
        if line == "..." or not alike:
            yield line
            continue
        start += alike.index(max(alike))
        yield printed[start]
        start += 1
        while start < len(printed) and is_folded(printed, start):
            yield printed[start]
            start += 1


def is_folded(lines: list[str], at: int) -> bool:
    """Tell whether a line goes on with the row above it: its first cells are empty."""
    return at > 0 and bool(lines[at - 1]) and lines[at].startswith(" " * 8)


if __name__ == "__main__":
    for page in PAGES:
        for sample in samples(page):
            with TemporaryDirectory() as folder:
                text = "\n".join(renewed(sample, sample.printed(Path(folder)))) + "\n"
            page.write_text(page.read_text("utf-8").replace(f"\n{sample.shown}```", f"\n{text}```"), "utf-8")
