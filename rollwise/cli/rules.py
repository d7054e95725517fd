"""`rollwise rules`: how a game is played, with an example for each box."""

import argparse
from typing import Any

from rollwise.cli.drawing import say
from rollwise.cli.shared import add_command, add_options, add_rules, make_game, print_json, quietly, table

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    example = "rollwise rules yahtzee\n  rollwise rules yatzy -p four_as_two_pairs=yes\n  rollwise rules mygame.toml"
    parser = add_command(commands, "rules", _rules, "print the rules of a game, with an example for each box", example)
    add_rules(parser)
    add_options(parser, "--json")


def _rules(options: argparse.Namespace) -> None:
    from rollwise.wire.to_json import describe_rules

    game, parameters = make_game(options)
    with quietly():
        told = describe_rules(game)
    if options.json:
        print_json({"game": options.game, "parameters": parameters, **told})
        return
    say("\n\n".join(map(str, told["paragraphs"])))
    if told["boxes"]:
        table(["box", "pays", "for example"], [(box["name"], box["pays"], _shown(box["examples"])) for box in told["boxes"]])


def _shown(examples: list[dict[str, Any]]) -> str:
    return "\n".join(f"{' '.join(shown['dice'])} pays {shown['points']}" for shown in examples)
