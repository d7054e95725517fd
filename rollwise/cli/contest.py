"""`rollwise contest`: answer the original contests' files."""

import argparse
from typing import Any

from rollwise.cli.shared import add_command, add_place, progress_bar
from rollwise.cli.streams import read_input
from rollwise.errors import one_of

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "contest", _contest, "solve the input of a programming contest",
        "rollwise contest words < sample1.in\n  rollwise contest groups < sample.in",
    )  # fmt: skip
    parser.add_argument(
        "problem",
        metavar="words|groups",
        help="words: ICPC World Finals 2023, problem K; groups: Google Kick Start 2020, Round F, problem D",
    )
    add_place(parser, "--threads")


def _contest(options: argparse.Namespace) -> None:
    from rollwise.playing.contests import CONTESTS, answer_contest

    one_of("problem", options.problem, CONTESTS)
    text = read_input("a contest file")
    with progress_bar() as progress:
        answers = list(answer_contest(options.problem, text, progress))
    print("\n".join(answers))
