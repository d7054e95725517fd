"""The command line: one parser, one file a command (`rollwise.commands`).

Heavy modules are imported by the commands that need them, so that `rollwise --help` answers at once. Every error a user can
cause is one line on standard error and exit code 2.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from rollwise import __version__
from rollwise.commands import COMMANDS
from rollwise.errors import RollwiseError
from rollwise.faults import blame, failed_rule

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0, or 2 with one line on standard error."""
    options = _parser().parse_args(arguments)
    try:
        command: Callable[[argparse.Namespace], None] = options.command
        command(options)
        sys.stdout.flush()
    except RollwiseError as error:
        return _fail(" ".join(str(error).split()))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _fail("stopped", 130)
    except MemoryError:
        return _fail("out of memory: make the game smaller or lower --max-states")
    except BaseException as error:
        message = _blame(error, str(getattr(options, "game", "")))
        if message is None:
            raise
        return _fail(message)
    return 0


def _blame(error: BaseException, game: str) -> str | None:
    """Say which rule of a user's game failed, or what came of its answers; None for a fault that is not the game's."""
    if failed_rule(error) is not None:
        return blame(error)
    if not isinstance(error, Exception) or not game.endswith(".py"):
        return None
    return f"{game} gave something that was not expected: {type(error).__name__}: {error}; 'rollwise check {game}' may name it"


def _fail(message: str, code: int = 2) -> int:
    print(f"rollwise: {message}", file=sys.stderr)
    return code


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _parser() -> _Parser:
    parser = _Parser(
        prog="rollwise",
        description="The best move in a dice game, exactly, with a proof.",
        epilog="examples:\n"
        "  rollwise solve slots --exact\n"
        "  rollwise solve yazy -p boxes=ones,straight\n"
        "  rollwise advise yazy --state '33561 2 all' --top 5\n"
        "  rollwise judge words < sample1.in\n"
        "  rollwise solve mygame.py",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"rollwise {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return parser
