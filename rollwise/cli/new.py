"""`rollwise new`: write a first game file, with comments, to begin from."""

import argparse
import re
from pathlib import Path
from typing import Any

from rollwise.cli.shared import add_command, check_folder
from rollwise.errors import GameError

__all__ = ["add"]

NAME = re.compile("[A-Za-z][A-Za-z0-9_-]{0,39}")

FIRST = """\
format = 1                        # the language this file is written in: docs/game-files.md
name = "{name}"
about = "Roll a die as often as you like and add up what it shows; a 1 loses everything. Stop to bank."

[parameters]                      # whole numbers; on the command line, -p faces=8
faces = {{ default = 6, from = 2, to = 20, help = "faces of the die" }}
enough = {{ default = 40, from = 1, to = 1000, help = "points after which one stops" }}

[define]                          # expressions and tables of numbers, by name
after = "total + die"

[columns]                         # a position; each begins at its lowest, unless start says otherwise
total = "0..enough + faces"
over = "0..1"

[roll]                            # what happens first, and after every action
dice = 1
faces = "faces"
unless = "over == 1"              # nothing is rolled then
to = [                            # the first case that fits; columns that are not named stay as they are
    {{ when = "die == 1", total = 0, over = 1 }},
    {{ total = "after" }},
]

[[action]]                        # what may be done; earlier actions win ties
name = "stop"
when = "over == 0"
to = {{ over = 1 }}

[[action]]
name = "roll"
when = "over == 0 and total < enough"

[end]                             # where no action is left
pays = "total"
"""


def add(commands: Any) -> None:
    """Add the command."""
    example = "rollwise new mygame && rollwise solve mygame.toml"
    parser = add_command(commands, "new", _new, "write a game file with comments, to begin from", example)
    parser.add_argument("name", metavar="NAME", help="the name of the game: letters, digits, '-' and '_'")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (default: NAME.toml)")


def _new(options: argparse.Namespace) -> None:
    if not NAME.fullmatch(options.name):
        expected = "expected a letter, then letters, digits, '-' and '_', 40 at most"
        raise GameError(f"{options.name!r} is no name for a game: {expected}")
    path = Path(f"{options.name}.toml" if options.output is None else options.output)
    if path.suffix != ".toml":
        raise GameError(f"cannot write {str(path)!r}: the name of a game file ends in .toml")
    check_folder(path)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(FIRST.format(name=options.name))
    except FileExistsError:
        raise GameError(f"{str(path)!r} exists already, and is left as it is: take another name, or -o FILE") from None
    print(f"wrote {path}; now: rollwise solve {path}")
