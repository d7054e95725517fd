"""`rollwise judge`: answer the original contests' files."""

import argparse
import sys
from typing import Any

from rollwise.cli.shared import add_command, progress_bar
from rollwise.errors import GameError, one_of

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "judge", _judge, "answer a contest file from standard input (words or groups)",
        "rollwise judge words < sample1.in\n  rollwise judge groups < sample.in",
    )  # fmt: skip
    parser.add_argument("problem", metavar="words|groups", help="ICPC World Finals 2023 K, or Kick Start 2020 F D")


def _judge(options: argparse.Namespace) -> None:
    from rollwise.playing.judge import JUDGES, judge

    one_of("problem", options.problem, JUDGES)
    try:
        text = sys.stdin.read()
    except UnicodeDecodeError as error:
        raise GameError(f"standard input is not text: {error}") from None
    with progress_bar() as progress:
        answers = list(judge(options.problem, text, progress))
    print("\n".join(answers))
