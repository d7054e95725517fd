"""`rollwise new`: write a first game file, with comments, to begin from."""

import argparse
import re
from pathlib import Path
from typing import Any

from rollwise.cli.shared import add_command, check_folder
from rollwise.errors import GameError

__all__ = ["add"]

NAME = re.compile("[A-Za-z][A-Za-z0-9_-]{0,39}")


def add(commands: Any) -> None:
    """Add the command."""
    example = "rollwise new mygame && rollwise solve mygame.toml"
    parser = add_command(commands, "new", _new, "write a commented game file to start from", example)
    parser.add_argument("name", metavar="NAME", help="the name of the game: letters, digits, '-' and '_'")
    parser.add_argument("--from", dest="example", metavar="EXAMPLE", help="the example to start from, such as zombie-dice or pig")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (default: NAME.toml)")


def _new(options: argparse.Namespace) -> None:
    if not NAME.fullmatch(options.name):
        expected = "expected a letter, then letters, digits, '-' and '_', 40 at most"
        raise GameError(f"{options.name!r} is no name for a game: {expected}")
    path = Path(f"{options.name}.toml" if options.output is None else options.output)
    if path.suffix != ".toml":
        raise GameError(f"cannot write {str(path)!r}: the name of a game file ends in .toml")
    check_folder(path)
    from rollwise.games.files import write_first

    text = write_first(options.name, options.example)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise GameError(f"{str(path)!r} exists already, and is left as it is: take another name, or -o FILE") from None
    print(f"wrote {path}; now: rollwise solve {path}")
