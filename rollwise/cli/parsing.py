"""The parser of the command line, and what it says about words that it does not know.

A word is taken for the nearest that would do: a command, an option of this or another command, a parameter of the game, a value.
"""

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import takewhile
from types import ModuleType
from typing import Any, NoReturn

from rollwise import __version__
from rollwise.cli import (
    advise,
    cache,
    card,
    check,
    choose,
    cluster,
    completion,
    contest,
    die,
    distribution,
    export,
    games,
    grade,
    help,  # noqa: A004  (a command is called so)
    new,
    plan,
    play,
    policy,
    puzzles,
    rate,
    report,
    risk,
    rules,
    serve,
    show,
    simulate,
    site,
    solve,
    sweep,
)
from rollwise.cli.shared import HelpFormatter, add_global
from rollwise.errors import hint, nearest
from rollwise.model.objectives import OBJECTIVES

__all__ = ["COMMANDS", "GROUPS", "Parser", "listed", "make_parser"]

GROUPS = {
    "solve and study": (solve, distribution, simulate, risk, sweep, choose, report, policy, export, plan),
    "at the table": (play, advise, show, rules, games),
    "learn": (grade, rate, puzzles, card),
    "make games": (new, check, die),
    "machine": (serve, site, cache, cluster, contest, completion, help),
}
"""The commands, one module each, as `rollwise --help` lists them."""
COMMANDS = tuple(command for group in GROUPS.values() for command in group)

WITH_ALL = (completion, help)
"""Commands that tell about all others."""
CHOICE = re.compile(r"^(?P<what>.*)invalid choice: '(?P<given>.*)' \(choose from (?P<known>.*)\)")
"""What argparse says about a command, or the value of an option, that there is not."""
FIRST = """The best move in a dice game, exactly, with a proof. To begin:

  rollwise solve yahtzee                                  how good is best play?
  rollwise advise yahtzee --state '33561 2 all upper 0'   which dice to keep?
      (dice 33561, 2 rerolls left, all open; see rollwise help positions)
  rollwise play pig --opponent optimal                    play the computer"""
MORE = "rollwise COMMAND --help: options of a command; rollwise help: all topics"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line that says what was meant, if possible."""

    _loose: Sequence[str] = ()
    """Words between the game and the first option: perhaps a position without its option."""

    def error(self, message: str) -> NoReturn:
        said = CHOICE.sub(_with_hint, " ".join(message.split()))
        if said.endswith("required: --state") and self._loose:
            said += f": write --state '{' '.join(self._loose)}'"
        said = said.replace("invalid int value:", "expected a whole number, got").replace(
            "invalid float value:", "expected a number, got"
        )
        self.exit(2, f"{self.prog}: {said} (see {self.prog} --help)\n")

    def _settled(self, words: list[str]) -> list[str]:
        """Give an option that may stand alone its value, where the next word is none of those that it takes."""
        alone = {name: a for a in self._actions if a.nargs == "?" and a.choices for name in a.option_strings}
        for place, word in enumerate(words[:-1]):
            after = words[place + 1]
            if word in alone and not after.startswith("-") and not get_close_matches(after, alone[word].choices or ()):
                words[place] = f"{word}={alone[word].const}"
        return words

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read arguments; one that may be left out may also come after options, which argparse itself does not see."""
        self._loose = list(takewhile(lambda word: not word.startswith("-"), args or ()))[1:]
        found, rest = super().parse_known_args(None if args is None else self._settled(list(args)), namespace)
        late = [a.dest for a in self._actions if not a.option_strings and a.nargs == "?" and getattr(found, a.dest, 0) is None]
        words = [word for word in rest if not word.startswith("-")]
        if late and words:
            setattr(found, late[0], words[0])
            rest.remove(words[0])
        return found, rest

    def refuse(self, unknown: Sequence[str], game: str = "") -> NoReturn:
        """Refuse arguments that nobody reads, and say what one of them may have been meant to be."""
        meant = next(_meanings(unknown, _options(self), game), "")
        self.error(f"unrecognized arguments: {' '.join(unknown)}{meant}")


def make_parser(named: str = "") -> Parser:
    """Make the parser: of one command if it is named first, else of all."""
    parser = Parser(prog="rollwise", usage="%(prog)s COMMAND ...", epilog=MORE, formatter_class=HelpFormatter)
    parser.add_argument("--version", action="version", version=f"rollwise {__version__}")
    add_global(parser)
    commands = parser.add_subparsers(metavar="COMMAND", prog=parser.prog, help=argparse.SUPPRESS)
    one = [command for command in COMMANDS if named == _name(command) and command not in WITH_ALL]
    for command in one or COMMANDS:
        command.add(commands)
    if not one:
        parser.description = f"{FIRST}\n\n{listed({action.dest: action.help for action in commands._choices_actions})}"
    parser.set_defaults(command=lambda _: print(parser.format_help(), end=""))
    return parser


def _name(command: ModuleType) -> str:
    return command.__name__.rpartition(".")[2]


def listed(summaries: Mapping[str, str | None]) -> str:
    """List the commands in their groups."""
    rows = {group: [f"  {_name(one):<14}{summaries[_name(one)]}" for one in commands] for group, commands in GROUPS.items()}
    return "\n\n".join("\n".join([f"{group}:", *lines]) for group, lines in rows.items())


def _with_hint(found: re.Match[str]) -> str:
    given, known = found["given"], re.findall(r"[\w-]+", found["known"])
    meant = hint(given, known)
    if "COMMAND" in found["what"]:
        meant = _as_game(given) or meant or hint(given, ("--help", "--version"))
    return f"{found['what']}invalid choice: '{given}'{meant} (choose from {', '.join(known)})"


def _as_game(word: str) -> str:
    """Take a word in the place of a command for a game."""
    from rollwise.games import CATALOGUE

    known = word in CATALOGUE or word.endswith((".toml", ".py"))
    return f": did you mean 'rollwise solve {word}'?" if known else ""


def _meanings(unknown: Sequence[str], options: Sequence[str], game: str) -> Iterator[str]:
    """Say what words may have been meant to be, the likeliest first."""
    parameters = _parameters(game)
    for word, after in zip(unknown, [*unknown[1:], ""], strict=True):
        name, _, value = word.partition("=")
        if name.startswith("-"):
            value = value or ("" if after.startswith("-") else after)
            yield from _meant_by_option(name, value or "...", options, parameters)
        elif "=" in word and (near := nearest(name, parameters)):
            yield f": did you mean '-p {near}={value}'?"


def _meant_by_option(name: str, value: str, options: Sequence[str], parameters: Sequence[str]) -> Iterator[str]:
    bare = name.lstrip("-").replace("_", "-")
    known = {option: option for option in options}
    known |= {f"--{parameter.replace('_', '-')}": f"-p {parameter}={value}" for parameter in parameters}
    if bare in OBJECTIVES:
        yield f": did you mean \"--objective '{' '.join([bare, *([] if value == '...' else [value])])}'\"?"
    others = [command for command, theirs in _all_options().items() if f"--{bare}" in theirs and f"--{bare}" not in known]
    if others:
        yield f": --{bare} belongs to {', '.join(others[:3])}{', ...' if len(others) > 3 else ''}"
    elif bare in map(_name, COMMANDS):
        yield f": did you mean 'rollwise {bare}'?"
    elif len(bare) > 1 and (near := nearest(f"--{bare}", known)):
        yield f": did you mean '{known[near]}'?"


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [option for action in parser._actions for option in action.option_strings if option.startswith("--")]


def _all_options() -> dict[str, list[str]]:
    """Give the options of every command."""
    commands = next(action for action in make_parser()._actions if isinstance(action, argparse._SubParsersAction))
    return {name: _options(parser) for name, parser in commands.choices.items()}


def _parameters(game: str) -> list[str]:
    """List the parameters of the game that was named, if there is one."""
    from rollwise.games.users import find_parameters

    with suppress(Exception):
        return [parameter.name for parameter in find_parameters(game)] if game else []
    return []
