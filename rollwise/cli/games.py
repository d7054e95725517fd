"""`rollwise games`: the catalogue, or the parameters of one game."""

import argparse
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import add_command, add_options, print_json, table
from rollwise.model.message import Message

if TYPE_CHECKING:
    from rollwise.games.catalogue import Entry

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    about = "list the games, or the parameters of one game"
    parser = add_command(commands, "games", _games, about, "rollwise games\n  rollwise games yahtzee\n  rollwise games --json")
    parser.add_argument("game", metavar="GAME", nargs="?", help="list the parameters of this game")
    add_options(parser, "--json")


def _games(options: argparse.Namespace) -> None:
    from rollwise.errors import one_of
    from rollwise.games import CATALOGUE

    chosen = None if options.game is None else one_of("game", options.game, CATALOGUE)
    if options.json:
        from rollwise.wire.to_json import describe_catalogue

        print_json({game["name"]: _by_name(game) for game in describe_catalogue() if chosen in (None, game["name"])})
    elif chosen is None:
        _list_all()
    else:
        _list_one(chosen, CATALOGUE[chosen])


def _list_all() -> None:
    """Print the games of each family, and where more is told about one."""
    from rollwise.games.catalogue import by_family

    rows = [
        (Message(f"family.{family}") if i == 0 else "", name, entry.players, entry.summary)
        for family, games in by_family().items()
        for i, (name, entry) in enumerate(games.items())
    ]
    table(["family", "game", "players", "what"], rows)
    print("rollwise games GAME lists its parameters; rollwise rules GAME tells how it is played")


def _list_one(name: str, entry: "Entry") -> None:
    print(f"{name}, players: {entry.players}. {entry.summary}")
    if entry.parameters:
        table(["parameter", "what", "default"], [(p.name, p.help, p.default or "must be given") for p in entry.parameters])


def _by_name(game: dict[str, Any]) -> dict[str, Any]:
    """Give what is said about a game, its parameters by name."""
    parameters = {about["name"]: {key: about[key] for key in about if key != "name"} for about in game["parameters"]}
    return {**{key: game[key] for key in game if key != "name"}, "parameters": parameters}
