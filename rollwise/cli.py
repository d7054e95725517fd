"""The command line: `rollwise games | solve | advise | policy | check | judge`.

Heavy modules are imported by the commands that need them, so that `rollwise --help` answers at once. Every error a user can
cause is one line on standard error and exit code 2.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from math import isinf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn

from rollwise import __version__
from rollwise.errors import GameError, RollwiseError, one_of
from rollwise.objective import AtLeast, Expected, Fewest, Objective

if TYPE_CHECKING:
    from rollwise.game import Game, Progress
    from rollwise.solution import Solution

__all__ = ["main"]

QUIET_SECONDS = 2.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0, or 2 with one line on standard error."""
    try:
        options = _parser().parse_args(arguments)
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
        "  rollwise advise slots --state 'all 0 6'\n"
        "  rollwise judge words < sample1.in\n"
        "  rollwise solve mygame.py",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"rollwise {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    games = _command(commands, "games", _games, "list the catalogue: name, one line, parameters", "rollwise games --json")
    games.add_argument("--json", action="store_true", help="print one JSON object")

    solve = _command(
        commands, "solve", _solve, "find the best strategy: value, certificate, size, time",
        "rollwise solve slots --at-least 51 --exact\n  rollwise solve groups -p faces=6 -p sizes=1,2\n"
        "  rollwise solve words -p dice=ABC,DEF -p words=@dictionary.txt --json",
    )  # fmt: skip
    _add_game(solve)
    solve.add_argument("--json", action="store_true", help="print one JSON object")

    advise = _command(
        commands, "advise", _advise, "rank the moves of a position: value and loss of each",
        "rollwise advise slots --state 'all 0 6'\n  rollwise advise yazy -p boxes=ones,straight --state '12346 1 all'",
    )  # fmt: skip
    _add_game(advise)
    advise.add_argument("--state", required=True, metavar="TEXT", help="the position, in the game's notation")
    advise.add_argument("--top", type=int, metavar="N", help="show only the N best moves")
    advise.add_argument("--json", action="store_true", help="print one JSON object")

    policy = _command(commands, "policy", _policy, "write the whole strategy as CSV", "rollwise policy slots -o slots.csv")
    _add_game(policy)
    policy.add_argument("-o", "--output", required=True, metavar="FILE.csv", help="the file to write")

    check = _command(
        commands, "check", _check, "check the rules of a game and name a faulty position", "rollwise check mygame.py"
    )
    _add_game(check, objective=False)

    judge = _command(
        commands, "judge", _judge, "answer a contest file from standard input (words or groups)",
        "rollwise judge words < sample1.in\n  rollwise judge groups < sample.in",
    )  # fmt: skip
    judge.add_argument("problem", metavar="words|groups", help="ICPC World Finals 2023 K, or Kick Start 2020 F D")
    return parser


def _command(commands: Any, name: str, run: Callable[[argparse.Namespace], None], summary: str, examples: str) -> Any:
    parser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=f"examples:\n  {examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=run)
    return parser


def _add_game(parser: Any, *, objective: bool = True) -> None:
    parser.add_argument("game", metavar="GAME", help="a name from 'rollwise games', or the path of a Python file with a game")
    parser.add_argument(
        "-p", dest="parameters", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the game"
    )
    parser.add_argument("--max-states", type=int, metavar="N", help="give up beyond this many positions")
    if objective:
        parser.add_argument("--objective", metavar="NAME", help="expected, fewest, or at-least (with --at-least N)")
        parser.add_argument("--at-least", type=int, metavar="N", help="maximise the probability of a total of at least N")
        parser.add_argument("--exact", action="store_true", help="calculate in fractions instead of floating point")


def _make(options: argparse.Namespace) -> tuple["Game[Any, Any, Any]", dict[str, str]]:
    from rollwise.files import find_game

    parameters: dict[str, str] = {}
    for pair in options.parameters:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise GameError(f"-p {pair!r}: expected NAME=VALUE")
        if name in parameters:
            raise GameError(f"-p {name} was given twice: give it once")
        parameters[name] = value
    return find_game(options.game, parameters), parameters


def _objective(options: argparse.Namespace) -> Objective | None:
    name = options.objective
    if name is not None:
        one_of("objective", name, ("at-least", "expected", "fewest"))
    if options.at_least is not None:
        if name not in (None, "at-least"):
            raise GameError(f"--at-least does not go with --objective {name}: give one of them")
        return AtLeast(options.at_least)
    if name == "at-least":
        raise GameError("--objective at-least needs a target: give --at-least N")
    return None if name is None else Expected() if name == "expected" else Fewest()


def _solution(options: argparse.Namespace) -> tuple["Solution", dict[str, str]]:
    from rollwise.graph import MAX_STATES
    from rollwise.solver import solve

    game, parameters = _make(options)
    budget = MAX_STATES if options.max_states is None else options.max_states
    with _progress() as progress:
        return solve(game, _objective(options), exact=options.exact, max_states=budget, progress=progress), parameters


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
    _table(["game", "what", "parameters"], lines)


def _solve(options: argparse.Namespace) -> None:
    solution, parameters = _solution(options)
    if options.json:
        print(json.dumps(_as_json(options.game, parameters, solution)))
        return
    certificate = solution.certificate
    proof = (
        "exact: residual 0"
        if certificate.exact
        else f"error at most {certificate.error_bound:.1e}, residual {certificate.residual:.1e}"
    )
    _table(
        ["", options.game],
        [
            ("objective", str(solution.objective)),
            (_value_word(solution), _show_value(solution.value())),
            ("certificate", f"{proof}; the strategy surely ends" if not isinf(solution.value()) else "no strategy surely ends"),
            ("size", _size(solution)),
            ("engine", solution.engine),
            ("time", f"{solution.seconds:.2f} s"),
        ],
    )


def _size(solution: "Solution") -> str:
    if solution.engine.startswith("sheet"):
        return f"{solution.states:,} turn starts"
    return f"{solution.states:,} states, {solution.pendings:,} pending rolls"


def _value_word(solution: "Solution") -> str:
    from rollwise.tables import value_word

    return value_word(solution.objective)


def _as_json(game: str, parameters: dict[str, str], solution: "Solution") -> dict[str, Any]:
    value = solution.value()
    return {
        "game": game,
        "parameters": parameters,
        "objective": str(solution.objective),
        "value": "impossible" if isinf(value) else float(value),
        "exact": _fraction(value),
        "states": solution.states,
        "pendings": solution.pendings,
        "engine": solution.engine,
        "certificate": solution.certificate.as_dict(),
        "fingerprint": solution.fingerprint,
        "seconds": solution.seconds,
    }


def _fraction(value: float | Fraction) -> str | None:
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else None


def _show_value(value: float | Fraction) -> str:
    if isinf(value):
        return "impossible"
    return f"{value} = {float(value):.12g}" if isinstance(value, Fraction) else f"{value:.12g}"


def _advise(options: argparse.Namespace) -> None:
    if options.top is not None and options.top < 1:
        raise GameError(f"--top {options.top}: expected at least 1")
    solution, parameters = _solution(options)
    game = solution.game
    state = game.read_state(options.state)
    value = solution.value(state, kind="state")
    moves = solution.ranked(state)[: options.top]
    if options.json:
        head = {
            key: v
            for key, v in _as_json(options.game, parameters, solution).items()
            if key in ("game", "parameters", "objective")
        }
        rows = [
            {"action": game.show_action(m.action), "value": _plain(m.value), "exact": _fraction(m.value), "loss": _plain(m.loss)}
            for m in moves
        ]
        print(
            json.dumps(
                {**head, "state": game.show_state(state), "value": _plain(value), "exact": _fraction(value), "moves": rows}
            )
        )
        return
    if not moves:
        print(f"{game.show_state(state)}: the game is over, {_value_word(solution)} {_show_value(value)}")
        return
    _table(
        [game.action_word, _value_word(solution), "loss"],
        [(game.show_action(m.action), _show_value(m.value), _show_loss(m.loss)) for m in moves],
    )


def _plain(value: float | Fraction) -> float | str:
    return "impossible" if isinf(value) else float(value)


def _show_loss(loss: float | Fraction) -> str:
    return "-" if not loss else "impossible" if isinf(loss) else f"{float(loss):.6g}"


def _policy(options: argparse.Namespace) -> None:
    from rollwise.tables import write_policy

    path = Path(options.output)
    if not path.parent.is_dir():
        raise GameError(f"cannot write {str(path)!r}: there is no directory {str(path.parent)!r}")
    solution, _ = _solution(options)
    with _progress() as progress:
        rows = write_policy(solution, path, progress)
    print(f"{rows:,} decisions written to {path}")


def _check(options: argparse.Namespace) -> None:
    from rollwise.check import check_game

    game, _ = _make(options)
    checked = check_game(game) if options.max_states is None else check_game(game, max_states=options.max_states)
    part = "all" if checked.complete else "the first"
    print(f"no fault found in {part} {checked.states:,} states and {checked.pendings:,} pending rolls")


def _judge(options: argparse.Namespace) -> None:
    from rollwise.judge import JUDGES, judge

    one_of("problem", options.problem, JUDGES)
    try:
        text = sys.stdin.read()
    except UnicodeDecodeError as error:
        raise GameError(f"standard input is not text: {error}") from None
    with _progress() as progress:
        answers = list(judge(options.problem, text, progress))
    print("\n".join(answers))


def _table(header: list[str], rows: Sequence[tuple[str, ...]]) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    table = Table(*header, box=SIMPLE, show_header=any(header), pad_edge=False)
    for row in rows:
        table.add_row(*row)
    console.print(table, markup=False, highlight=False)


@contextmanager
def _progress() -> Iterator["Progress | None"]:
    """Show progress on standard error once something takes longer than two seconds; nothing when that is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description} {task.completed:,}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    tasks: dict[str, Any] = {}
    begun = monotonic()

    def report(what: str, done: int, total: int | None) -> None:
        if monotonic() - begun < QUIET_SECONDS:
            return
        if what not in tasks:
            bar.start()
            tasks[what] = bar.add_task(what, total=total)
        bar.update(tasks[what], completed=done, total=total)

    try:
        yield report
    finally:
        bar.stop()
