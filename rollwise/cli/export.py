"""`rollwise export`: a game as a model that Storm, PRISM and Modest read."""

import argparse
from pathlib import Path
from typing import Any

from rollwise.cli.shared import add_command, add_game, check_folder, progress_bar, quietly, solve_game
from rollwise.model.formatting import counted

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "export", _export, "write a game as a model for Storm, PRISM or Modest",
        "rollwise export slots -o slots.umb --exact\n  rollwise export slots -o slots.drn --at-least 51\n"
        "  rollwise export pig -p target=50 -o pig.umb --no-positions\n"
        "  rollwise export words -p dice=ABC,DEF -p words=AD,BE -o words.umb",
    )  # fmt: skip
    add_game(parser)
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="the file to write: FILE.umb (binary), or FILE.drn (text, one player)",
    )
    parser.add_argument("--no-positions", action="store_true", help="leave out the text of positions: smaller and faster")
    parser.add_argument("--no-compression", action="store_true", help="do not compress a .umb file with gzip")


def _export(options: argparse.Namespace) -> None:
    from rollwise.adapters.models.write import check_ending, check_players, write_model
    from rollwise.solvers.base.options import MAX_STATES

    path = Path(options.output)
    check_ending(path)
    check_folder(path)
    solution, parameters = solve_game(options, lambda lifted: check_players(path, lifted))
    with quietly(), progress_bar() as progress:
        written = write_model(
            solution, path, name=Path(options.game).stem, parameters=parameters,
            texts=not options.no_positions, compress=not options.no_compression,
            max_states=MAX_STATES if options.max_states is None else options.max_states, progress=progress,
        )  # fmt: skip
    states, choices = counted(written.states, "state"), counted(written.choices, "choice")
    print(f"{states}, {choices}, {counted(written.branches, 'branch', 'branches')} written to {path}")
    print(written.question.sentence)
