"""The command line: one parser, one file a command (`rollwise.cli.parsing`).

Heavy modules are imported by the commands that need them, so that `rollwise --help` answers at once. Every error a user can
cause is one line on standard error and exit code 2.
"""

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from traceback import TracebackException, walk_tb
from typing import Any

from rollwise.cli.parsing import make_parser
from rollwise.cli.streams import BROKEN_PIPE, ReaderLeft, guarded_streams
from rollwise.errors import GameWarning, RollwiseError
from rollwise.model.faults import blame, failed_rule, rule_call, rule_frame
from rollwise.texts.render import speaking

__all__ = ["main"]

FEW = 1000
"""Positions in which a rule is looked for that gave what nobody expected."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0, 2 with one line on standard error, or 141 when nobody reads its output."""
    options = argparse.Namespace()
    with guarded_streams(), _long_numbers(), _plain_warnings():
        try:
            _read(arguments, options)
            command: Callable[[argparse.Namespace], None] = options.command
            with _threads(options), _watched(options), _language(options):
                _run(command, options)
            sys.stdout.flush()
        except ReaderLeft:
            return BROKEN_PIPE
        except KeyboardInterrupt as error:
            frame = rule_frame(frame for frame, _ in walk_tb(error.__traceback__))
            return _fail("stopped" if frame is None else f"stopped in {rule_call(frame)}", 130)
        except BaseException as error:
            with _language(options):
                message = _said(error, options)
            if message is None:
                raise
            if getattr(options, "traceback", False):
                _print_traceback(error)
            return _fail(message)
    return 0


def _run(command: Callable[[argparse.Namespace], None], options: argparse.Namespace) -> None:
    """Run a command; once more if a cached solution that was not compared as a whole cannot be used, and nothing was printed."""
    try:
        command(options)
    except RollwiseError as error:
        if not getattr(options, "relied", False) or getattr(sys.stdout, "used", True):
            raise
        from rollwise.cli.shared import distrust

        distrust(options, error)
        command(options)


def _said(error: BaseException, options: argparse.Namespace) -> str | None:
    """Say in a line what went wrong, naming the rule of a user's game that failed; None for a fault of this program."""
    game = str(getattr(options, "game", ""))
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
    return _fault_of(options) or f"{game} gave something that was not expected: {type(error).__name__}: {error}"


def _fault_of(options: argparse.Namespace) -> str:
    """Look for the rule of a user's game that gave what nobody expected; "" if none is found soon."""
    from rollwise.cli.shared import make_game, quietly
    from rollwise.playing.check import check_game

    try:
        with quietly():
            check_game(make_game(options)[0], max_states=FEW)
    except RollwiseError as fault:
        return str(fault)
    except (Exception, KeyboardInterrupt):
        return ""
    return ""


def _read(arguments: Sequence[str] | None, options: argparse.Namespace) -> None:
    try:
        words = sys.argv[1:] if arguments is None else arguments
        _, unknown = make_parser(words[0] if words else "").parse_known_args(words, options)
        if unknown:
            options.parser.refuse(unknown, str(getattr(options, "game", "")))
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


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Say in one line what looks wrong in a game, without the line of code that found it."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", GameWarning)
        shown = warnings.showwarning

        def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, GameWarning):
                print(f"rollwise: warning: {message}", file=sys.stderr)
            else:
                shown(message, category, *place, **more)

        warnings.showwarning = show
        yield


def _watched(options: argparse.Namespace) -> AbstractContextManager[None]:
    """Name the rule of a user's game that a command waits for."""
    if not str(getattr(options, "game", "")).endswith(".py"):
        return nullcontext()
    from rollwise.cli.waiting import watched_rules

    return watched_rules()


def _language(options: argparse.Namespace) -> AbstractContextManager[None]:
    """Let a command speak the language of --language."""
    return speaking(options.language) if "language" in options else nullcontext()


def _threads(options: argparse.Namespace) -> AbstractContextManager[None]:
    """Let a command have as many threads as --threads says."""
    number = getattr(options, "threads", None)
    if number is None:
        return nullcontext()
    from rollwise.solvers.base.backends import at_most

    return at_most(number)


def _print_traceback(error: BaseException) -> None:
    """Print what led to an error on standard error: first what went wrong first, also where the line hides it."""
    parts = ["".join(TracebackException.from_exception(one, compact=True).format(chain=False)) for one in _chain(error)]
    print("\nfrom that came:\n\n".join(reversed(parts)), end="", file=sys.stderr)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Give an error, what it came from, what that came from, and so on."""
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        yield one
        seen.add(id(one))
        one = one.__cause__ or one.__context__


def _fail(message: str, code: int = 2) -> int:
    print(f"rollwise: {' '.join(message.split())}", file=sys.stderr)
    return code
