"""`rollwise help`: what every command takes for granted, topic by topic; or how a command is used."""

import argparse
from importlib.resources import files
from typing import Any

from rollwise.cli.shared import add_command, add_options, print_json
from rollwise.errors import GameError, nearest

__all__ = ["TOPICS", "add", "topic_text"]

TOPICS = {
    "objectives": "what to play for: --objective, --at-least",
    "positions": "how to write positions, moves and ids",
    "parameters": "-p NAME=VALUE: house rules, sizes, numbers of players",
    "cards": "strategy cards: how to write, find and evaluate one",
    "game-files": "a game of your own in a text file",
    "python-games": "a game of your own in Python; how to find its faults",
    "output": "tables, --json, languages, files and pictures",
    "cache": "solved games on disk",
    "threads": "where the work runs: --threads, --device, --cluster",
    "exit-codes": "how a script knows what happened",
    "environment-variables": "those that rollwise and its libraries read",
    "completion": "complete commands, games and values with TAB",
}
OTHER_WORDS = {
    "aim": "objectives", "aims": "objectives", "objective": "objectives", "against": "objectives", "duel": "objectives",
    "position": "positions", "state": "positions", "moves": "positions",
    "notation": "positions", "ids": "positions", "parameter": "parameters", "game-file": "game-files", "toml": "game-files",
    "python": "python-games", "traceback": "python-games", "errors": "exit-codes", "exit-code": "exit-codes", "json": "output",
    "formats": "output", "store": "cache", "gpu": "threads", "environment": "environment-variables",
    "variables": "environment-variables", "strategy-cards": "cards",
}  # fmt: skip
"""What a topic may be called besides."""


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "help",
        lambda options: _help(options, commands),
        "explain a topic or a command",
        "rollwise help\n  rollwise help objectives\n  rollwise help game files\n  rollwise help solve",
    )
    parser.add_argument("topic", metavar="TOPIC", nargs="*", help="a topic or a command; without one, all are listed")
    add_options(parser, "--json")


def _help(options: argparse.Namespace, commands: Any) -> None:
    summaries = {action.dest: action.help for action in commands._choices_actions}
    if not options.topic:
        _list(options, summaries)
        return
    name = _named("-".join(options.topic).lower(), list(summaries))
    text = topic_text(name) if name in TOPICS else commands.choices[name].format_help().rstrip()
    if options.json:
        about = {"topic": name, "summary": TOPICS[name]} if name in TOPICS else {"command": name, "summary": summaries[name]}
        print_json({**about, "text": text})
    else:
        print(text)


def _list(options: argparse.Namespace, summaries: dict[str, str]) -> None:
    from rollwise.cli.parsing import listed

    if options.json:
        print_json({"topics": TOPICS, "commands": summaries})
        return
    print("topics:")
    print("".join(f"  {name:<23}{about}\n" for name, about in TOPICS.items()))
    print(listed(summaries))
    print("\nrollwise help TOPIC explains a topic, rollwise help COMMAND a command")


def topic_text(name: str) -> str:
    """Give the text of a topic."""
    return (files("rollwise.cli") / "topics" / f"{name}.txt").read_text(encoding="utf-8").rstrip()


def _named(name: str, commands: list[str]) -> str:
    """Find a topic or a command by what it was called. Raises `GameError`."""
    from rollwise.games import CATALOGUE

    name = OTHER_WORDS.get(name, name)
    if name in TOPICS or name in commands:
        return name
    if name in CATALOGUE:
        raise GameError(
            f"{name} is a game: 'rollwise games {name}' lists its parameters, 'rollwise rules {name}' tells its rules"
        )
    near = nearest(name, [*TOPICS, *OTHER_WORDS, *commands])
    meant = f": did you mean {OTHER_WORDS.get(near, near)!r}?" if near else ""
    raise GameError(f"there is no topic or command {name!r}{meant} (topics: {', '.join(TOPICS)}; 'rollwise help' lists all)")
