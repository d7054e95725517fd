"""`rollwise report`: one page about a game."""

import argparse
from pathlib import Path
from typing import Any

from rollwise.cli.shared import add_command, add_game, progress_bar, quietly, solve_game
from rollwise.model.formatting import counted

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "report", _report, "write a page: value, proof, scores, which rules or boxes matter",
        "rollwise report slots -o slots.html\n  rollwise report yazy -p boxes=ones,straight -o yazy.md\n"
        "  rollwise report groups -p faces=6 -p sizes=3,2 -o groups.html\n"
        "  rollwise report yazy --objective duel -o duel.html",
    )  # fmt: skip
    add_game(parser)
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="the page: .html (one file), or .md (pictures beside it as FILE-1.svg, ...)",
    )


def _report(options: argparse.Namespace) -> None:
    from rollwise.games.catalogue import CATALOGUE
    from rollwise.reports.build import write_report
    from rollwise.reports.page import ENDINGS, check_place

    path = Path(options.output)
    check_place(path, ENDINGS, "a report")
    solution, parameters = solve_game(options)
    with quietly(), progress_bar() as progress:
        files = write_report(
            solution, path, name=options.game if options.game in CATALOGUE else "", parameters=parameters, progress=progress
        )
    beside = f", with {counted(len(files) - 1, 'picture')} beside it" if len(files) > 1 else ""
    print(f"report written to {path}{beside}")
