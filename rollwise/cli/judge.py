"""`rollwise judge`: answer the original contests' files."""

import argparse
from typing import Any

from rollwise.cli.shared import add_command, add_threads, progress_bar
from rollwise.cli.streams import read_input
from rollwise.errors import one_of

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "judge", _judge, "answer a contest file from standard input (words or groups)",
        "rollwise judge words < sample1.in\n  rollwise judge groups < sample.in",
    )  # fmt: skip
    parser.add_argument("problem", metavar="words|groups", help="ICPC World Finals 2023 K, or Kick Start 2020 F D")
    add_threads(parser)


def _judge(options: argparse.Namespace) -> None:
    from rollwise.playing.judge import JUDGES, judge

    one_of("problem", options.problem, JUDGES)
    text = read_input("a contest file")
    with progress_bar() as progress:
        answers = list(judge(options.problem, text, progress))
    print("\n".join(answers))
