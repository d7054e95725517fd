"""The command line: one parser, one file a command (`rollwise.cli.commands`).

Heavy modules are imported by the commands that need them, so that `rollwise --help` answers at once. Every error a user can
cause is one line on standard error and exit code 2.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from rollwise import __version__
from rollwise.cli.commands import COMMANDS
from rollwise.errors import RollwiseError

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
    except Exception as error:
        if not str(getattr(options, "game", "")).endswith(".py"):
            raise
        return _fail(f"the rules in {options.game} failed: {type(error).__name__}: {error}")
    return 0


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
