"""The command line: one parser, one file a command (`rollwise.cli.commands`).

Heavy modules are imported by the commands that need them, so that `rollwise --help` answers at once. Every error a user can
cause is one line on standard error and exit code 2.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from difflib import get_close_matches
from typing import Any, NoReturn

from rollwise import __version__
from rollwise.cli import completion
from rollwise.cli.commands import COMMANDS
from rollwise.cli.streams import BROKEN_PIPE, ReaderLeft, guarded_streams
from rollwise.errors import RollwiseError
from rollwise.model.faults import blame, failed_rule

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0, 2 with one line on standard error, or 141 when nobody reads its output."""
    options = argparse.Namespace()
    with guarded_streams(), _long_numbers():
        try:
            _read(arguments, options)
            command: Callable[[argparse.Namespace], None] = options.command
            with _threads(options):
                command(options)
            sys.stdout.flush()
        except ReaderLeft:
            return BROKEN_PIPE
        except KeyboardInterrupt:
            return _fail("stopped", 130)
        except BaseException as error:
            message = _said(error, str(getattr(options, "game", "")))
            if message is None:
                raise
            return _fail(message)
    return 0


def _said(error: BaseException, game: str) -> str | None:
    """Say in a line what went wrong, naming the rule of a user's game that failed; None for a fault of this program."""
    if isinstance(error, RollwiseError):
        return str(error)
    if isinstance(error, MemoryError):
        return "out of memory: make the game smaller or lower --max-states"
    if failed_rule(error) is not None:
        return blame(error)
    if isinstance(error, OSError):
        return f"{error.filename or 'the system'}: {error.strerror or error}"
    if not isinstance(error, Exception) or not game.endswith(".py"):
        return None
    return f"{game} gave something that was not expected: {type(error).__name__}: {error}; 'rollwise check {game}' may name it"


def _read(arguments: Sequence[str] | None, options: argparse.Namespace) -> None:
    try:
        words = sys.argv[1:] if arguments is None else arguments
        _, unknown = _parser(words[0] if words else "").parse_known_args(words, options)
        if unknown:
            options.parser.refuse(unknown)
    except SystemExit:
        # --help and --version end here, and what they said may still be waiting to be written.
        sys.stdout.flush()
        raise


@contextmanager
def _long_numbers() -> Iterator[None]:
    """Write fractions whole, however long they are."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(most)


def _threads(options: argparse.Namespace) -> AbstractContextManager[None]:
    """Let a command have as many threads as --threads says."""
    number = getattr(options, "threads", None)
    if number is None:
        return nullcontext()
    from rollwise.forms.base.backends import at_most

    return at_most(number)


def _fail(message: str, code: int = 2) -> int:
    print(f"rollwise: {' '.join(message.split())}", file=sys.stderr)
    return code


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        said = CHOICE.sub(_with_hint, " ".join(message.split()))
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
        found, rest = super().parse_known_args(None if args is None else self._settled(list(args)), namespace)
        late = [a.dest for a in self._actions if not a.option_strings and a.nargs == "?" and getattr(found, a.dest, 0) is None]
        words = [word for word in rest if not word.startswith("-")]
        if late and words:
            setattr(found, late[0], words[0])
            rest.remove(words[0])
        return found, rest

    def refuse(self, unknown: Sequence[str]) -> NoReturn:
        """Refuse arguments that nobody reads, and name the option that is most like one of them."""
        options = [option for action in self._actions for option in action.option_strings]
        hints = [hint for name in unknown if name.startswith("--") and (hint := _hint(name.partition("=")[0], options))]
        self.error(f"unrecognized arguments: {' '.join(unknown)}{''.join(hints[:1])}")


CHOICE = re.compile(r"invalid choice: '(?P<given>.*)' \(choose from (?P<known>.*)\)")
"""What argparse says about a command, or the value of an option, that there is not."""


def _with_hint(found: re.Match[str]) -> str:
    known = re.findall(r"[\w-]+", found["known"])
    return f"invalid choice: '{found['given']}'{_hint(found['given'], known)} (choose from {', '.join(known)})"


def _hint(given: str, known: Sequence[str]) -> str:
    near = get_close_matches(given.lower(), known, n=1)
    return f": did you mean '{near[0]}'?" if near else ""


def _parser(named: str) -> _Parser:
    """Make the parser: of one command if it is named first, else of all."""
    parser = _Parser(
        prog="rollwise",
        description="The best move in a dice game, exactly, with a proof.",
        epilog="examples:\n"
        "  rollwise solve slots --exact\n"
        "  rollwise solve yazy -p boxes=ones,straight\n"
        "  rollwise advise yazy --state '33561 2 all' --top 5\n"
        "  rollwise judge words < sample1.in\n"
        "  rollwise new mygame && rollwise solve mygame.toml",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"rollwise {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    one = [command for command in COMMANDS if named == command.__name__.rpartition(".")[2] and command is not completion]
    for command in one or COMMANDS:
        command.add(commands)
    return parser
