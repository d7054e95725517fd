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
        rows = {
            name: {"summary": e.summary, "parameters": {p.name: {"help": p.help, "default": p.default} for p in e.parameters}}
            for name, e in CATALOGUE.items()
        }
        print(json.dumps(rows))
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
