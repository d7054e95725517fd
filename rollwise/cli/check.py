"""`rollwise check`: find a faulty rule and name its position."""

import argparse
from typing import Any

from rollwise.cli.shared import add_command, add_place, add_rules, make_game, quietly
from rollwise.model.formatting import counted

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "check", _check, "check the rules of a game, and name a faulty position", "rollwise check mygame.py"
    )
    add_rules(parser)
    add_place(parser, "--threads", "--max-states")


def _check(options: argparse.Namespace) -> None:
    from rollwise.playing.check import check_game

    game, _ = make_game(options)
    with quietly():
        checked = check_game(game) if options.max_states is None else check_game(game, max_states=options.max_states)
    for warning in checked.warnings:
        print(f"warning: {warning}")
    fault = "other fault" if checked.warnings else "fault"
    part = "all" if checked.complete else "the first"
    print(f"no {fault} found in {part} {counted(checked.states, 'state')} and {counted(checked.pendings, 'pending roll')}")
