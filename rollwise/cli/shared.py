"""What the commands share: options that name a game and an objective, tables, numbers, progress.

Heavy modules are imported where they are used, so that `rollwise --help` answers at once.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from fractions import Fraction
from pathlib import Path
from textwrap import wrap
from threading import Timer
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError, one_of
from rollwise.model.abilities import unlifted
from rollwise.model.formatting import digits, infinite, show_fraction
from rollwise.model.message import Text
from rollwise.model.objective import Expected, Objective
from rollwise.model.objectives import AtLeast
from rollwise.texts import languages
from rollwise.texts.render import render

if TYPE_CHECKING:
    from rollwise.model.game import Game, Progress
    from rollwise.model.objective import Words
    from rollwise.solvers.base.solution import Solution

    Check = Callable[[Game[Any, Any, Any]], object]

__all__ = [
    "PLAYERS",
    "HelpFormatter",
    "add_command",
    "add_game",
    "add_global",
    "add_objective",
    "add_options",
    "add_place",
    "add_rules",
    "aim",
    "cache_folder",
    "check_folder",
    "cluster_of",
    "distrust",
    "game_name",
    "given_parameters",
    "make_game",
    "name_objective",
    "name_solved",
    "named_folder",
    "print_json",
    "progress_bar",
    "quietly",
    "read_given",
    "read_objective",
    "rely",
    "show_loss",
    "show_value",
    "solve_game",
    "solver_for",
    "table",
    "warn",
    "whose_value",
    "words_of",
]  # fmt: skip

QUIET_SECONDS = 2.0
WIDEST = 1_000_000
PLAYERS = ("first", "second")
SENTENCES, NARROW = 100, 40
"""How wide a table with sentences is, and a column of them at least, when standard output is not a terminal."""
PLACE: dict[str, dict[str, Any]] = {
    "--threads": {"type": int, "metavar": "N"},
    "--max-states": {"type": int, "metavar": "N"},
    "--cache": {"metavar": "DIR"},
    "--no-cache": {"action": "store_true"},
    "--device": {"metavar": "cpu|gpu"},
    "--precision": {"metavar": "float64|float32"},
    "--cluster": {"metavar": "ADDRESS"},
}
"""Options that change time and memory, and never the answer; `rollwise help threads` explains them."""


def add_command(commands: Any, name: str, run: Callable[[argparse.Namespace], None], summary: str, examples: str) -> Any:
    """Add a command with its help and examples."""
    parser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=f"examples:\n  {examples}\n\nwith every command: --language CODE, --traceback (see rollwise --help)",
        formatter_class=HelpFormatter,
    )
    parser._positionals.title = "arguments"
    add_global(parser, listed=False)
    parser.set_defaults(command=run, parser=parser)
    return parser


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help whose first line names what must be given, in the order in which people give it."""

    def _format_usage(self, usage: Any, actions: Any, groups: Any, prefix: Any) -> str:
        options = [action for action in actions if action.option_strings]
        found = super()._format_usage(usage, [action for action in actions if action not in options], groups, prefix).rstrip()
        needed = "".join(f" {action.option_strings[0]} {action.metavar}" for action in options if action.required)
        return f"{found}{needed}{' [options]' if options else ''}\n\n"


def add_global(parser: Any, *, listed: bool = True) -> None:
    """Add the options of all commands: they may stand before the command, or after it; the help of each need not list them."""
    parser.add_argument(
        "--language",
        type=_known_language,
        metavar="CODE",
        default=argparse.SUPPRESS,
        help="write rules, reasons, labels and errors in this language: en (default) or de" if listed else argparse.SUPPRESS,
    )
    parser.add_argument(
        "--traceback",
        action="store_true",
        default=argparse.SUPPRESS,
        help="print the traceback of an error (for authors of games)" if listed else argparse.SUPPRESS,
    )


def _known_language(code: str) -> str:
    try:
        return one_of("language", code, languages())
    except GameError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


OPTIONS: dict[str, dict[str, Any]] = {
    "--at-least": {"type": int, "metavar": "N", "help": "play for N points or more: short for --objective 'at least N'"},
    "--exact": {"action": "store_true", "help": "compute in exact fractions"},
    "--json": {"action": "store_true", "help": "print one JSON object"},
}
"""Options that several commands have."""


def add_options(parser: Any, *names: str) -> None:
    """Add options that several commands have, by name."""
    for name in names:
        parser.add_argument(name, **OPTIONS[name])


def add_game(parser: Any) -> None:
    """Add the options that name a game, its parameters and the objective, and say how it is solved."""
    add_rules(parser)
    add_objective(parser)
    add_options(parser, "--exact")
    add_place(parser, *PLACE)


def add_place(parser: Any, *names: str) -> Any:
    """Add the help group of options that say where a command runs, with some of them, and give it."""
    options = [f"{name} {PLACE[name].get('metavar', '')}".strip() for name in names]
    unbroken = [part.replace(" ", "\xa0") for part in (*options, "'rollwise help threads'")]
    lines = wrap(f"{', '.join(unbroken[:-1])}: see {unbroken[-1]}", 76, break_on_hyphens=False)
    place = parser.add_argument_group("where it runs", "\n".join(lines).replace("\xa0", " "))
    for name in names:
        place.add_argument(name, help=argparse.SUPPRESS, **PLACE[name])
    return place


def add_rules(parser: Any) -> None:
    """Add the options that name a game and its parameters."""
    parser.add_argument("game", metavar="GAME", type=game_name, help="a name from 'rollwise games', or a .toml or .py file")
    parser.add_argument(
        "-p", dest="parameters", action="append", default=[], metavar="NAME=VALUE",
        help="change a rule ('rollwise games GAME' lists them)",
    )  # fmt: skip


def game_name(text: str) -> str:
    """Give the name of a game of the catalogue that is typed in any case; any other text as it is."""
    from rollwise.games import CATALOGUE

    return text.lower() if text not in CATALOGUE and text.lower() in CATALOGUE else text


def add_objective(parser: Any) -> None:
    """Add the options that say what to play for."""
    parser.add_argument(
        "--objective", metavar="TEXT",
        help="what to play for, such as 'at least 300', 'against scores.txt' or duel (see 'rollwise help objectives')",
    )  # fmt: skip
    add_options(parser, "--at-least")


def make_game(options: argparse.Namespace) -> tuple["Game[Any, Any, Any]", dict[str, str]]:
    """Make the game that the options name; return it with its parameters as given."""
    from rollwise.games import load

    parameters = given_parameters(options)
    with quietly():
        return load(options.game, **parameters), parameters


def given_parameters(options: argparse.Namespace) -> dict[str, str]:
    """Read what -p gives. Raises `GameError`."""
    parameters: dict[str, str] = {}
    for pair in options.parameters:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise GameError(f"-p {pair!r}: expected NAME=VALUE")
        if name in parameters:
            raise GameError(f"-p {name} was given twice: give it once")
        parameters[name] = value
    _check_no_option(options, parameters)
    return _without_files(options.game, parameters) if any("=@" in pair for pair in options.parameters) else parameters


def _without_files(game: str, parameters: dict[str, str]) -> dict[str, str]:
    """Give the same parameters, with what a file says in the place of its name where the parameter can hold that."""
    from rollwise.games.users import find_parameters

    known = {parameter.name: parameter.kind for parameter in find_parameters(game)}
    return {name: known[name].portable(text) if name in known else text for name, text in parameters.items()}


def _check_no_option(options: argparse.Namespace, parameters: dict[str, str]) -> None:
    """Refuse an option of the command that was given as a parameter, unless the game has one of that name."""
    from rollwise.games.users import find_parameters

    known = options.parser._option_string_actions if "parser" in options else {}
    for name, value in parameters.items():
        if f"--{name}" in known and all(name != parameter.name for parameter in find_parameters(options.game)):
            text = "" if known[f"--{name}"].nargs == 0 else f" {value}"
            raise GameError(f"-p {name}={value}: {name} is an option, no parameter of {options.game}; give --{name}{text}")


def read_objective(options: argparse.Namespace) -> Objective | None:
    """Read the objective from the options; None if they name none."""
    if options.at_least is not None:
        if options.objective is not None:
            raise GameError(f"--at-least does not go with --objective {options.objective}: give one of them")
        return AtLeast(options.at_least)
    if options.objective is None:
        return None
    from rollwise.playing.opponents import read_with_files

    return read_with_files(options.objective)


def aim(options: argparse.Namespace, game: "Game[Any, Any, Any]") -> Objective:
    """Give what a game is played for, as far as that is known before it is solved."""
    from rollwise.model.game import objective_of

    return objective_of(game, read_objective(options))


def solve_game(
    options: argparse.Namespace, check: "Check | None" = None, *, whole: bool = True, trust: bool = True,
    position: str | None = None,
) -> tuple["Solution", dict[str, str]]:  # fmt: skip
    """Solve the game that the options name, or load the solution, with progress.

    `check` sees the game before it is solved, in the form that positions of the solution have, where that is known by then. Not
    `whole`, what is loaded is compared where it is read. With `trust`, a solution in a folder that --cache names is used without
    exploring the game. After `distrust`, it is as if both had been refused. With a `position`, what can follow
    from there is enough.
    """
    from rollwise.cli.plan import announce
    from rollwise.model.game import require_game
    from rollwise.model.lift import lifted_game
    from rollwise.solvers.solve import check_attainable

    game, parameters = make_game(options)
    require_game(game, "solve")
    objective = aim(options, game)
    how: dict[str, Any] = {"cluster": cluster_of(options), **place_of(options)}
    whole, trust = rely(options, whole=whole, trust=trust and cache_folder(options) is not None)
    lifted = lifted_game(game, objective)
    if check is not None and lifted is not None:
        check(lifted)
    check_attainable(game, objective)
    if position is None:
        announce(options, game, objective)
    how["position"] = position
    with quietly(), progress_bar() as progress:
        solve = solver_for(options, game, Path(options.game).name, parameters, progress, whole=whole, trust=trust, **how)
        return solve(objective, exact=options.exact), parameters


def place_of(options: argparse.Namespace) -> dict[str, str]:
    """Give the device and the precision that the options name."""
    given = {name: getattr(options, name, None) for name in ("device", "precision")}
    return {name: text for name, text in given.items() if text is not None}


def solver_for(
    options: argparse.Namespace, game: "Game[Any, Any, Any]", name: str, parameters: Mapping[str, str],
    progress: "Progress | None", *, whole: bool = True, trust: bool = False, **how: Any,
) -> "Callable[..., Solution]":  # fmt: skip
    """Make what solves a game for an objective, in fractions with `exact=True`, or loads its solution from the cache.

    Of an objective that depends on how an expert plays, that expert is solved first.
    """
    from rollwise import cache as cached
    from rollwise.playing.opponents import resolve
    from rollwise.solvers import solve as solver
    from rollwise.solvers.base.options import MAX_STATES

    how = {"progress": progress, "max_states": MAX_STATES if options.max_states is None else options.max_states, **how}
    kept: dict[str, Any] = {"directory": cache_folder(options), "name": name, "parameters": parameters, "refused": warn}
    kept |= {"worth_seconds": None if options.cache is None else 0.0}

    def solve(objective: Objective | None, *, exact: bool = False) -> "Solution":
        if objective is not None and not objective.is_resolved:
            objective = resolve(objective, game, expert=lambda: solve(Expected()), progress=progress)
        if options.no_cache:
            return solver.solve(game, objective, exact=exact, **how)
        return cached.solve(game, objective, exact=exact, whole=whole, trust=trust, **kept, **how)

    return solve


def rely(options: argparse.Namespace, *, whole: bool, trust: bool) -> tuple[bool, bool]:
    """Note whether a command relies on what was not compared; compare everything once that has failed."""
    again = getattr(options, "again", False)
    options.relied = not again and (trust or not whole)
    return whole or again, trust and not again


def distrust(options: argparse.Namespace, error: Exception) -> None:
    """Let a command compare everything, after a `CacheError`.

    Raises any other error.
    """
    from rollwise.solvers.base.array_files import CacheError

    if not isinstance(error, CacheError):
        raise error
    if not os.path.lexists(error.path):
        warn(f"{error}: solving again")
    options.again = True


def check_folder(path: Path) -> None:
    """Refuse a file that cannot be written: a folder, or one in a folder that is not there."""
    if path.is_dir():
        raise GameError(f"cannot write {str(path)!r}: it is a directory; name a file")
    if not path.parent.is_dir():
        raise GameError(f"cannot write {str(path)!r}: there is no directory {str(path.parent)!r}")


def cache_folder(options: argparse.Namespace) -> Path | None:
    """Give the folder that --cache names; None for the user's own. Raises `GameError` for what cannot be one."""
    return None if options.cache is None else named_folder("--cache", options.cache)


def cluster_of(options: argparse.Namespace) -> str | None:
    """Give the cluster that --cluster names, if any. Raises `GameError` where its nodes and this machine have no folder."""
    address: str | None = getattr(options, "cluster", None)
    if address is None:
        return None
    from rollwise.cluster.backend import Cluster

    if not Cluster(address).here and (options.cache is None or options.no_cache):
        raise GameError(f"--cluster {address} needs a folder that all its nodes see, for the layers: give --cache DIR")
    return address


def named_folder(option: str, text: str) -> Path:
    """Give the folder that an option names; it need not exist yet. Raises `GameError` for what cannot be one."""
    path = Path(text)
    there = next(place for place in (path, *path.absolute().parents) if place.exists())
    if not text or not there.is_dir():
        raise GameError(f"{option} {text!r} is not a folder: name one, which need not exist yet")
    return path


def warn(line: str) -> None:
    """Say something on standard error."""
    print(f"rollwise: {line}", file=sys.stderr)


def read_given(game: "Game[Any, Any, Any]", text: str) -> Any:
    """Read a position that was given in notation, or by its id; say so where it could be both."""
    from rollwise.model.ids import is_id, read_id, read_position

    state = read_position(game, text)
    if is_id(game, text) and read_id(game, text) != state:
        warn(f"{text!r} was read as a position; for the one that has this id write id:{text}")
    return state


def name_objective(objective: Objective, game: "Game[Any, Any, Any]") -> str:
    """Name what is played for; a race of two is won or lost, whatever number its rules write for that."""
    plain = unlifted(game)
    if plain.players == 2 and objective.wins and objective == plain.objective:
        return "win"
    return str(objective).replace("at-least", "at least").replace("at-most", "at most")


def words_of(solution: "Solution") -> "Words":
    """Give the words for the values and the losses of a solution."""
    return solution.objective.words(solution.game)


def whose_value(solution: "Solution", player: int = 0) -> str:
    """Name what a value is, and in a game for two which player's it is."""
    name = words_of(solution).value
    return f"{PLAYERS[player]} player's {name}" if solution.two_players else name


def show_value(value: float | Fraction) -> str:
    """Write a value for people."""
    if infinite(value):
        return "impossible"
    return f"{show_fraction(value)} = {digits(value, 12)}" if isinstance(value, Fraction) else f"{value:.12g}"


def show_loss(words: "Words", loss: float | Fraction) -> str:
    """Write a loss with its unit; below 1e-9 it is rounding."""
    return "-" if not loss or (isinstance(loss, float) and loss < 1e-9) else words.amount(loss)


def name_solved(options: argparse.Namespace, parameters: dict[str, str], solution: "Solution") -> dict[str, Any]:
    """Say in JSON types which game was solved, and for what."""
    return {"game": options.game, "parameters": parameters, "objective": str(solution.objective)}


def print_json(content: Any) -> None:
    """Print an answer as one JSON object, its messages as text."""
    print(json.dumps(content, default=render))


def table(header: list[str], cells: Sequence[tuple[Text, ...]]) -> None:
    """Print a table; as wide as needed when standard output is not a terminal, and folded, never cut, when it is.

    A column of sentences, "why", is folded in any case.
    """
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    rows = [tuple(map(str, row)) for row in cells]
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDEST)
    if len(header) > 2 and _narrowest(header, rows) > console.width:
        lines: list[tuple[str, ...]] = [line for row in rows for line in (*zip(header, row, strict=True), ("", ""))]
        header, rows = ["", ""], lines[:-1]
    grid = Table(box=SIMPLE, show_header=any(header), pad_edge=False)
    widths = [3 + max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for name, width in zip(header, widths, strict=True):
        most = max(SENTENCES - sum(widths) + width, NARROW) if name == "why" and not console.is_terminal else None
        grid.add_column(name, overflow="fold", max_width=most)
    for row in rows:
        grid.add_row(*row)
    console.print(grid, markup=False, highlight=False)


def quietly() -> AbstractContextManager[Any]:
    """Send what rules print to standard error: standard output is for the answer."""
    return redirect_stdout(sys.stderr)


def _narrowest(header: list[str], rows: Sequence[tuple[str, ...]]) -> int:
    """How wide a table is whose longest words are whole. In less than that, its rows stand one below the other."""
    columns = zip(header, *rows, strict=True)
    return sum(3 + max((len(word) for cell in column for word in cell.split()), default=0) for column in columns)


@contextmanager
def progress_bar() -> Iterator["Progress | None"]:
    """Show progress on standard error once something takes longer than two seconds; nothing when that is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: "Task") -> Text:
            return Text((f"{task.speed:,.0f}/s" if task.speed >= 100 else f"{task.speed:.3g}/s") if task.speed else "")

    said = TextColumn("{task.description} {task.completed:,}")
    columns = (said, BarColumn(), Rate(), TimeElapsedColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    tasks = {"preparing": bar.add_task("preparing", total=None)}
    timer = Timer(QUIET_SECONDS, bar.start)
    timer.daemon = True

    def report(what: str, done: int, total: int | None) -> None:
        if what not in tasks:
            for task in tasks.values():
                bar.update(task, visible=False)
            tasks[what] = bar.add_task(what, total=total)
        bar.update(tasks[what], completed=done, total=total)

    timer.start()
    try:
        yield report
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
