"""`rollwise games`: the catalogue."""

import argparse
import json
from typing import Any

from rollwise.cli.shared import add_command, table

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(commands, "games", _games, "list the catalogue: name, one line, parameters", "rollwise games --json")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _games(options: argparse.Namespace) -> None:
    from rollwise.games import CATALOGUE

    if options.json:
        from rollwise.wire.to_json import describe_catalogue

        print(json.dumps({game["name"]: _by_name(game) for game in describe_catalogue()}))
        return
    lines = [
        (
            name,
            entry.summary,
            "\n".join(f"{p.name}: {p.help}" + (f" (default {p.default})" if p.default else "") for p in entry.parameters),
        )
        for name, entry in CATALOGUE.items()
    ]
    table(["game", "what", "parameters"], lines)


def _by_name(game: dict[str, Any]) -> dict[str, Any]:
    """Give what is said about a game, its parameters by name."""
    parameters = {about["name"]: {key: about[key] for key in about if key != "name"} for about in game["parameters"]}
    return {**{key: game[key] for key in game if key != "name"}, "parameters": parameters}
