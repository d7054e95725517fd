"""`rollwise completion`: a script that lets the shell complete commands, options, games, parameters and values.

The scripts ask `rollwise completion words -- WORD...` what the last word may become (`candidates`). Bash takes a word apart at
`=` and `:`, so it hands over the line, and what it takes for the word.

Everything that may stand where a line is being typed is read off the parser: an option offers its choices, or the alternatives of
its metavar (`cpu|gpu`), or files where that names one; a game, its catalogue and game files; `-p`, the parameters of the game on
the line, then their values. No file of Python is run for that.
"""

import argparse
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwise.cli.shared import add_command
from rollwise.errors import one_of

if TYPE_CHECKING:
    from rollwise.model.parameter import Parameter

__all__ = ["add", "candidates", "split_line"]

BASH = """\
_rollwise() {
    local word
    COMPREPLY=()
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(
        "$1" completion words --line="${COMP_LINE:0:COMP_POINT}" --typed="$2" 2>/dev/null
    )
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/] ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _rollwise rollwise
"""

ZSH = """\
#compdef rollwise
_rollwise() {
    local -a found
    found=("${(@f)$("${words[1]}" completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    found=(${found:#})
    compadd -S '' -- ${(M)found:#*[=/]}
    compadd -- ${found:#*[=/]}
}
(( $+functions[compdef] )) || { autoload -U compinit && compinit }
compdef _rollwise rollwise
"""

FISH = """\
function __rollwise_words
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    $words[1] completion words -- $words[2..-1] "$typed" 2>/dev/null
end
complete -c rollwise -f -a '(__rollwise_words)'
"""

SCRIPTS = {"bash": BASH, "fish": FISH, "zsh": ZSH}
WORDS = "words"
GAME_FILES = (".toml", ".py")
FILES = ("FILE", "DIR", "FOLDER")
SWEPT = ("at-least", "objective")
"""What a sweep takes besides parameters of the game."""
GROUPS = ("known", "all")
"""What stands for several games."""
MARK = "\0"


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "completion", _completion, "print a script that completes commands in your shell",
        "source <(rollwise completion bash)\n  source <(rollwise completion zsh)\n"
        "  rollwise completion fish > ~/.config/fish/completions/rollwise.fish\n"
        "  rollwise completion words -- solve yahtzee -p joker=",
    )  # fmt: skip
    parser.add_argument(
        "shell",
        metavar="bash|zsh|fish|words",
        help="the shell to write for; words: print the completions of the last WORD (used by the scripts)",
    )
    parser.add_argument("words", metavar="WORD", nargs="*", help="with 'words', after '--': the line so far, without 'rollwise'")
    parser.add_argument("--line", metavar="TEXT", help="with 'words': the line so far as it is typed, instead of WORDs")
    parser.add_argument("--typed", metavar="TEXT", help="with --line: the end of it that the shell will replace")


def _completion(options: argparse.Namespace) -> None:
    shell = one_of("shell", options.shell, (*SCRIPTS, WORDS))
    if shell == WORDS:
        print("".join(f"{word}\n" for word in _words(options)), end="")
    elif options.words or options.line is not None:
        options.parser.refuse([*options.words, *([] if options.line is None else ["--line"])])
    else:
        print(SCRIPTS[shell], end="")


def _words(options: argparse.Namespace) -> list[str]:
    from rollwise.cli.parsing import make_parser

    words = options.words if options.line is None else split_line(options.line)[1:]
    found = candidates(make_parser(words[0] if words else ""), words)
    if options.line is None:
        return found
    kept = _kept(words[-1] if words else "", options.typed or "")
    return [_quoted(word[len(kept) :], options.typed or "") for word in found]


def _kept(word: str, typed: str) -> str:
    """Give the beginning of a word that the shell does not replace: bash breaks words at '=' and ':'."""
    bare = typed.lstrip("'\"")
    return word.removesuffix(bare) if bare and word.endswith(bare) else word if not bare and word.endswith(("=", ":")) else ""


def _quoted(word: str, typed: str) -> str:
    """Write a word for the shell: as in the quotes that are open, or in quotes of its own where it needs them."""
    return word if typed[:1] in ("'", '"') or word.endswith("=") else shlex.quote(word).replace("'@'", "@")


def split_line(line: str) -> list[str]:
    """Split a line that is being typed into words, quotes closed where they are open; the last word is the one being typed.

    >>> split_line("rollwise advise yazy --state '33561 2")
    ['rollwise', 'advise', 'yazy', '--state', '33561 2']
    >>> split_line("rollwise ")
    ['rollwise', '']
    """
    for end in (MARK, f"{MARK}'", f'{MARK}"', f"\\{MARK}"):
        with suppress(ValueError):
            return [word.replace(MARK, "") for word in shlex.split(line + end)]
    return [""]


def candidates(parser: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """List what the last of some words may become; the words are those after `rollwise`.

    >>> from rollwise.cli.parsing import make_parser
    >>> candidates(make_parser(), ["solve", "yahtzee", "-p", "joker=f"])
    ['joker=free', 'joker=forced']
    """
    *before, typed = words or [""]
    line = _read(parser, before)
    found = [*dict.fromkeys(_offered(line, typed))]
    return [word for word in found if word.startswith(typed) and word != typed] or [word for word in found if word == typed]


class _Line(NamedTuple):
    """A line so far: its command's parser, the words that are no options, and the option that waits for its value."""

    parser: argparse.ArgumentParser
    given: list[str]
    waiting: argparse.Action | None
    only_words: bool


def _read(parser: argparse.ArgumentParser, words: Sequence[str]) -> _Line:
    given: list[str] = []
    waiting: argparse.Action | None = None
    only_words = False
    for word in words:
        option = None if only_words else _option(parser, word.partition("=")[0])
        commands = _commands(parser)
        if word == "--" and not only_words:
            only_words, waiting = True, None
        elif waiting is not None and option is None:
            waiting = waiting if waiting.nargs == "+" else None
        elif option is not None:
            waiting = option if _takes(option) and "=" not in word else None
        elif commands and word in commands:
            parser = commands[word]
        elif not word.startswith("-") or only_words:
            given.append(word)
    return _Line(parser, given, waiting, only_words)


def _offered(line: _Line, typed: str) -> Iterator[str]:
    name, equals, _ = typed.partition("=")
    option = None if line.only_words else _option(line.parser, name)
    if line.waiting is not None and not (typed.startswith("-") and line.waiting.nargs in ("?", "+")):
        yield from _values(line.waiting, typed, line.given)
        if line.waiting.nargs != "?":
            return
    if equals and option is not None and name.startswith("--"):
        yield from (f"{name}={value}" for value in _values(option, typed[len(name) + 1 :], line.given))
    elif typed.startswith("-") and not line.only_words:
        yield from _options(line.parser)
    else:
        yield from _bare_words(line, typed)


def _bare_words(line: _Line, typed: str) -> Iterator[str]:
    """Offer what may stand here without an option, and options where that is nothing."""
    places = [action for action in line.parser._actions if not action.option_strings and action.nargs != argparse.PARSER]
    commands = _commands(line.parser)
    if commands and line.given:
        return
    rest = places[len(line.given) :] or [action for action in places[-1:] if action.nargs == "*"]
    found = [*(commands or ()), *(_values(rest[0], typed, line.given) if rest else ())]
    yield from found or ([] if typed or line.only_words else _options(line.parser))


def _commands(parser: argparse.ArgumentParser) -> dict[str, Any]:
    return next((dict(a.choices) for a in parser._actions if isinstance(a, argparse._SubParsersAction)), {})


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [name for action in parser._actions for name in action.option_strings if name.startswith("--") or name == "-p"]


def _option(parser: argparse.ArgumentParser, name: str) -> argparse.Action | None:
    return parser._option_string_actions.get(name)


def _takes(option: argparse.Action) -> bool:
    return option.nargs != 0


def _values(action: argparse.Action, typed: str, given: Sequence[str]) -> Iterable[str]:
    """Offer values of an option, or of a word without one."""
    if action.choices is not None:
        return map(str, action.choices)
    if action.dest in ("parameters", "over"):
        return _pairs(action.dest, typed, given)
    own: dict[str, Callable[[], Iterable[str]]] = {
        "game": lambda: _games(typed), "wanted": lambda: [*GROUPS, *_games(typed)], "objective": _objectives,
        "find": lambda: _found(given), "topic": lambda: _topics(given),
    }  # fmt: skip
    if action.dest in own:
        return own[action.dest]()
    names = action.metavar.split("|") if isinstance(action.metavar, str) else []
    # What is given as it stands is not in capitals; those stand for something.
    return [*(name for name in names if name.islower()), *(_files(typed) if any(n.startswith(FILES) for n in names) else ())]


def _games(typed: str) -> Iterator[str]:
    from rollwise.games import CATALOGUE

    yield from CATALOGUE
    yield from (name for name in _files(typed) if name.endswith(("/", *GAME_FILES)))


def _objectives() -> list[str]:
    from rollwise.model.installed import installed
    from rollwise.model.objectives import OBJECTIVES

    return sorted({*OBJECTIVES, *installed("rollwise.objectives")})


def _topics(given: Sequence[str]) -> list[str]:
    from rollwise.cli.help import TOPICS
    from rollwise.cli.parsing import COMMANDS

    return [] if given else [*TOPICS, *(command.__name__.rpartition(".")[2] for command in COMMANDS)]


def _found(given: Sequence[str]) -> list[str]:
    return [*(parameter.name for parameter in _parameters(given)), "at-least"]


def _pairs(what: str, typed: str, given: Sequence[str]) -> Iterator[str]:
    """Offer NAME= of parameters, then the values of one, the last of several with commas between them."""
    name, equals, value = typed.partition("=")
    known = {parameter.name: parameter for parameter in _parameters(given)}
    if not equals:
        yield from (f"{one}=" for one in (*known, *(SWEPT if what == "over" else ())))
    elif name in known:
        several = what == "over" or known[name].kind.as_dict()["type"] in ("names", "integers")
        before, comma, _ = value.rpartition(",") if several else ("", "", value)
        taken = before.split(",") if comma else []
        yield from (f"{name}={before}{comma}{one}" for one in _of(known[name], given[0], value) if one not in taken)


def _of(parameter: "Parameter", game: str, value: str) -> Iterable[str]:
    """Offer values of a parameter: those it lists, or the game with all its defaults knows, or files after '@'."""
    if parameter.kind.as_dict()["type"] in ("file", "weights"):
        return [f"@{file}" for file in _files(value.removeprefix("@"))]
    if parameter.offers:
        return parameter.offers
    with suppress(Exception):
        from rollwise.games import load
        from rollwise.model.view import view_of

        return view_of(load(game)).offered(parameter.name) or (
            [str(parameter.default)] if str(parameter.default).isdigit() else []
        )
    return ()


def _parameters(given: Sequence[str]) -> Sequence["Parameter"]:
    """Give the parameters of the game on the line; none of a Python file, which would have to be run."""
    from rollwise.games.users import find_parameters

    if given and not given[0].endswith(".py"):
        with suppress(Exception):
            return find_parameters(given[0])
    return ()


def _files(typed: str) -> list[str]:
    """List the files that a path may become, folders with a slash."""
    folder, slash, begins = typed.rpartition("/")
    place = Path(folder or slash or ".")
    with suppress(OSError, RuntimeError):
        found = sorted(entry.name + "/" * entry.is_dir() for entry in place.expanduser().iterdir())
        return [f"{folder}{slash}{name}" for name in found if begins.startswith(".") or not name.startswith(".")]
    return []
