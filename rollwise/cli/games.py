"""`rollwise games`: the catalogue, or the parameters of one game."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import add_command, add_options, game_name, print_json, quietly, table
from rollwise.model.message import Message

if TYPE_CHECKING:
    from rollwise.games.catalogue import Entry
    from rollwise.model.parameter import Parameter

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    about = "list the games, or the parameters of one game"
    parser = add_command(
        commands, "games", _games, about, "rollwise games\n  rollwise games yahtzee\n  rollwise games mygame.toml"
    )
    parser.add_argument(
        "game", metavar="GAME", nargs="?", type=game_name, help="list the parameters of this game, a name or a .toml or .py file"
    )
    add_options(parser, "--json")


def _games(options: argparse.Namespace) -> None:
    from rollwise.errors import one_of
    from rollwise.games import CATALOGUE

    if options.game is not None and Path(options.game).suffix in (".toml", ".py"):
        _list_file(options)
        return
    chosen = None if options.game is None else one_of("game", options.game, CATALOGUE)
    if options.json:
        from rollwise.wire.to_json import describe_catalogue

        print_json({game["name"]: _by_name(game) for game in describe_catalogue() if chosen in (None, game["name"])})
    elif chosen is None:
        _list_all()
    else:
        _list_one(chosen, CATALOGUE[chosen])


def _list_all() -> None:
    """Print the games of each family, and which commands describe one."""
    from rollwise.games.catalogue import by_family

    rows = [
        (Message(f"family.{family}") if i == 0 else "", name, entry.players, entry.summary)
        for family, games in by_family().items()
        for i, (name, entry) in enumerate(games.items())
    ]
    table(["family", "game", "players", "what"], rows)
    print("rollwise games GAME lists its parameters; rollwise rules GAME explains how it is played")


def _list_one(name: str, entry: "Entry") -> None:
    print(f"{name}, players: {entry.players}. {entry.summary}")
    _list_parameters(entry.parameters)


def _list_file(options: argparse.Namespace) -> None:
    """Print the parameters of a game of one's own."""
    from rollwise.games.users import find_parameters

    with quietly():
        found = find_parameters(options.game)
    if options.json:
        print_json({options.game: _by_name({"parameters": [parameter.as_dict() for parameter in found]})})
        return
    print(options.game if found else f"{options.game} has no parameters")
    _list_parameters(found)


def _list_parameters(parameters: "Sequence[Parameter]") -> None:
    rows = [(p.name, p.help, _values(p), p.default or "must be given") for p in parameters]
    if rows:
        table(["parameter", "what", "values", "default"], rows)


def _values(parameter: "Parameter") -> str:
    """Describe the values of a parameter briefly: `0 to 9`, `yes or no`, `free, forced or none`."""
    found: str = parameter.kind.bounds
    return found.replace("an integer from ", "").replace("an integer of ", "").replace("an integer", "a whole number")


def _by_name(game: dict[str, Any]) -> dict[str, Any]:
    """Give what is said about a game, its parameters by name."""
    parameters = {about["name"]: {key: about[key] for key in about if key != "name"} for about in game["parameters"]}
    return {**{key: game[key] for key in game if key != "name"}, "parameters": parameters}
