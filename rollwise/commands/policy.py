"""`rollwise policy`: the whole strategy as a file."""

import argparse
from pathlib import Path
from typing import Any

from rollwise.commands.shared import add_command, add_game, progress_bar, solve_game
from rollwise.errors import GameError

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(commands, "policy", _policy, "write the whole strategy as CSV", "rollwise policy slots -o slots.csv")
    add_game(parser)
    parser.add_argument("-o", "--output", required=True, metavar="FILE.csv", help="the file to write")


def _policy(options: argparse.Namespace) -> None:
    from rollwise.tables import write_policy

    path = Path(options.output)
    if not path.parent.is_dir():
        raise GameError(f"cannot write {str(path)!r}: there is no directory {str(path.parent)!r}")
    solution, _ = solve_game(options)
    with progress_bar() as progress:
        rows = write_policy(solution, path, progress)
    print(f"{rows:,} decisions written to {path}")
