"""`rollwise sweep`: a game under many rules, one row each; the parameter at which its value meets a number."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import (
    add_command,
    add_objective,
    add_options,
    add_place,
    add_rules,
    check_folder,
    given_parameters,
    named_folder,
    print_json,
    progress_bar,
    quietly,
    read_objective,
    table,
    warn,
)
from rollwise.errors import GameError
from rollwise.model.formatting import counted, figure
from rollwise.model.objective import CHANCE, Words

if TYPE_CHECKING:
    from rollwise.reports.sweep_picture import Drawn
    from rollwise.sweeps.find import Found
    from rollwise.sweeps.sweep import Row, Sweep, SweepRows
    from rollwise.sweeps.workers import Workers

__all__ = ["add"]

MOST_SHOWN = 60
"""Rows that are printed; of more, the first and the last."""
FEW = 20
"""Rows of a search that are printed: what was found is what counts."""
HIDDEN = ("objective", "exact", "mean", "q05", "q25", "q75", "q95", "engine", "certificate", "error_bound", "note", "error")
"""Columns of results that are in the file and in JSON only."""


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "sweep", _sweep, "solve a game under many rules; find the rule with a given value",
        "rollwise sweep slots --over target=30..60 -o slots.csv --plot slots.svg\n"
        "  rollwise sweep slots --find target --to 50%\n"
        "  rollwise sweep yatzy --over bonus=0..100..10 --over threshold=55..71..4 --only-values -o yatzy.parquet\n"
        "  rollwise sweep yazy -p boxes=ones,twos,straight --over rerolls=0..3 --over at-least=10..50..10 --json\n"
        "  rollwise sweep yatzy --find bonus --to 254.59",
    )  # fmt: skip
    add_rules(parser)
    parser.add_argument(
        "--over", action="append", default=[], metavar="NAME=VALUES",
        help="try these values of a parameter, of 'objective' or of 'at-least': A,B,C (A;B;C if values contain commas), "
        "LOW..HIGH or LOW..HIGH..STEP",
    )  # fmt: skip
    parser.add_argument("--find", metavar="NAME", help="find the value of this parameter at which the game is worth --to")
    parser.add_argument("--to", metavar="VALUE", help="the value that --find looks for: a number, or a percentage such as 50%%")
    add_objective(parser)
    add_options(parser, "--exact")
    parser.add_argument("--only-values", action="store_true", help="leave out quantiles and the chance of the bonus: much faster")
    parser.add_argument(
        "-o", "--output", metavar="FILE",
        help="write the table to FILE.csv or FILE.parquet; an interrupted sweep resumes from FILE.journal",
    )  # fmt: skip
    parser.add_argument("--plot", metavar="FILE.svg", help="plot the value over one parameter, or a map over two")
    parser.add_argument("--json", action="store_true", help="print one JSON object with all rows")
    place = add_place(parser, "--threads", "--max-states", "--cluster")
    place.add_argument("--cache", metavar="DIR", help="cache solved games in DIR (default: keep only the rows)")


def _sweep(options: argparse.Namespace) -> None:
    from rollwise.sweeps.table import write_table

    sweep, to = _read(options)
    output, plot = _places(options, sweep)
    with quietly(), _rows(options, sweep, output, to) as rows:
        found = _solve(rows, to)
        listed = rows.listed()
        if output is not None:
            write_table(output, sweep.columns, listed)
    failed = sum(row[sweep.named("value")] is None for row in listed)
    if failed == len(listed):
        reason = listed[0][sweep.named("error")]
        raise GameError(f"nothing could be solved, of {counted(len(listed), 'combination')}; the first: {reason}")
    if plot is not None:
        _draw(sweep, listed, plot, to)
    if options.json:
        print_json(_described(options, sweep, listed, failed, found))
        return
    if not found or len(listed) <= FEW:
        _show(sweep, listed)
    _say(options, sweep, listed, failed, found)


# What is asked for


def _read(options: argparse.Namespace) -> tuple["Sweep", float | None]:
    """Read what is swept, and the number that is looked for."""
    from rollwise.sweeps.find import read_number
    from rollwise.sweeps.sweep import make_sweep

    if (options.find is None) != (options.to is None):
        raise GameError("--find and --to belong together: give --find NAME --to VALUE")
    if not options.over and options.find is None:
        raise GameError("nothing is swept: give --over NAME=VALUES, or --find NAME --to VALUE")
    to = None if options.to is None else read_number(options.to)
    objective = read_objective(options)
    with quietly():
        sweep = make_sweep(
            options.game, options.over, given_parameters(options), last=options.find, aim=objective and objective.text,
            exact=options.exact,
            max_states=options.max_states, distributions=not options.only_values and options.find is None,
            cache=None if options.cache is None else named_folder("--cache", options.cache),
        )  # fmt: skip
    return sweep, to


def _places(options: argparse.Namespace, sweep: "Sweep") -> tuple[Path | None, Path | None]:
    """Check, before anything is solved, that what will be written can be."""
    from rollwise.reports.page import check_place
    from rollwise.reports.sweep_picture import check_drawn
    from rollwise.sweeps.table import check_table

    output, plot = (None if text is None else Path(text) for text in (options.output, options.plot))
    if output is not None:
        check_table(output)
        check_folder(output)
        if output.exists() and not _journal(output).exists():
            raise GameError(
                f"{str(output)!r} is there, but not the journal of its sweep: name another file with -o, or remove it"
            )
    if plot is not None:
        check_place(plot, (".svg",), "a picture")
        check_drawn(_drawn(sweep))
    return output, plot


def _journal(output: Path) -> Path:
    return output.with_name(f"{output.name}.journal")


def _drawn(sweep: "Sweep", rows: Sequence["Row"] = ()) -> list["Drawn"]:
    """What a picture shows of the axes; of one that is searched, what was solved, or two places as long as nothing is."""
    from rollwise.reports.sweep_picture import Drawn

    values = [axis.values or tuple(dict.fromkeys(row[axis.name] for row in rows)) or (0, 1) for axis in sweep.axes]
    return [Drawn(axis.name, one, axis.numeric) for axis, one in zip(sweep.axes, values, strict=True)]


@contextmanager
def _rows(options: argparse.Namespace, sweep: "Sweep", output: Path | None, to: float | None) -> Iterator["SweepRows"]:
    """Give the rows of a sweep with who solves them and where they are kept."""
    from rollwise.sweeps.journal import SweepJournal
    from rollwise.sweeps.sweep import SweepRows

    searched = None if to is None else {"name": options.find, "to": to}
    workers = _workers(options)
    try:
        with SweepJournal(None if output is None else _journal(output), {"find": searched, **sweep.command()}) as journal:
            if journal.dropped:
                lines = f"{counted(journal.dropped, 'damaged line')} of {str(journal.path)!r}"
                warn(f"{lines} dropped: what is missing is computed again")
            yield SweepRows(sweep, workers, journal, None if options.cluster is None else 1)
    finally:
        workers.close()


def _workers(options: argparse.Namespace) -> "Workers":
    from rollwise.sweeps.workers import Failure, Processes

    if options.cluster is None:
        return Processes()
    if options.threads is not None:
        raise GameError("--threads does not go with --cluster: each worker there has one thread; give one of them")
    from rollwise.cluster.workers import RayWorkers

    return RayWorkers(options.cluster, Failure)


def _solve(rows: "SweepRows", to: float | None) -> list["Found"]:
    from rollwise.sweeps.find import find

    with progress_bar() as progress:

        def told(done: int, total: int) -> None:
            if progress:
                progress("combinations", done, total)

        if to is not None:
            return find(rows, to, told)
        rows.solve(list(rows.sweep.combinations()), told)
    return []


# What came out


def _draw(sweep: "Sweep", rows: Sequence["Row"], path: Path, to: float | None) -> None:
    from rollwise.reports.sweep_picture import sweep_picture
    from rollwise.solvers.base.pictures import standalone
    from rollwise.solvers.base.writing import write_whole

    share = all(0 <= row[sweep.named("value")] <= 1 for row in rows if row[sweep.named("value")] is not None)
    drawn = _drawn(sweep, rows)
    picture = sweep_picture(Path(sweep.game).stem, drawn, rows, sweep.named("value"), share=share, to=to)
    write_whole(path, standalone(picture))


def _described(
    options: argparse.Namespace, sweep: "Sweep", rows: Sequence["Row"], failed: int, found: Sequence["Found"]
) -> dict[str, Any]:
    head = {"game": options.game, "parameters": {axis.name: axis.texts[0] for axis in sweep.fixed}}
    body = {
        "over": {axis.name: list(axis.values) for axis in sweep.axes},
        "rows": [_plain(row) for row in rows],
        "failed": failed,
    }
    return {**head, **body, **({"found": [_found_json(one) for one in found]} if options.find else {})}


def _plain(row: "Row") -> dict[str, Any]:
    return {name: "impossible" if isinstance(cell, float) and isinf(cell) else cell for name, cell in row.items()}


def _found_json(found: "Found") -> dict[str, Any]:
    return {
        "find": found.name, "to": found.to, "others": found.others, "how": found.how, "solved": found.solved,
        "pairs": [[_plain(low), _plain(high)] for low, high in found.pairs],
        "nearest": None if found.nearest is None else _plain(found.nearest),
    }  # fmt: skip


def _show(sweep: "Sweep", rows: Sequence["Row"]) -> None:
    hidden = {sweep.named(name) for name in HIDDEN if name != "error"}
    names = [name for name in sweep.columns if name not in hidden and any(row[name] is not None for row in rows)]
    half = MOST_SHOWN // 2
    shown = list(rows) if len(rows) <= MOST_SHOWN else [*rows[:half], *rows[-half:]]
    words = _words(sweep, rows)
    unit = words.unit if words.unit and not words.share else "points"
    special = {
        "value": (words.value, words.worth),
        "standard_deviation": (f"standard deviation ({unit})", figure),
        "q50": (f"median ({unit})", str),
        "bonus_chance": ("chance of the bonus", CHANCE.worth),
        "seconds": ("seconds", figure),
    }
    columns = {sweep.named(name): column for name, column in special.items()}
    titles, writers = zip(*(columns.get(name, (name, _cell)) for name in names), strict=True)
    lines = [
        tuple("-" if row[name] is None else write(row[name]) for name, write in zip(names, writers, strict=True)) for row in shown
    ]
    if len(shown) < len(rows):
        lines.insert(half, tuple("..." for _ in names))
    table(list(titles), lines)


def _words(sweep: "Sweep", rows: Sequence["Row"]) -> Words:
    """Give the words for the values of the rows; without a unit where they are played for different things."""
    from rollwise.games import load
    from rollwise.playing.opponents import read_with_files

    row = next(row for row in rows if row[sweep.named("value")] is not None)
    game = load(sweep.game, **{axis.name: str(row[axis.name]) for axis in (*sweep.fixed, *sweep.axes) if not axis.of_aim})
    swept = {axis.aim(str(row[axis.name])) for axis in sweep.axes if axis.of_aim for row in rows[:FEW]}
    aims = [read_with_files(text) for text in (swept or [sweep.aim]) if text is not None] or [game.objective]
    found = {aim.words(game) for aim in aims}
    return found.pop() if len(found) == 1 else Words("value", "loss", "", False)


def _cell(cell: Any) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return ("impossible" if isinf(cell) else f"{cell:.8g}") if isinstance(cell, float) else str(cell)


def _say(options: argparse.Namespace, sweep: "Sweep", rows: Sequence["Row"], failed: int, found: Sequence["Found"]) -> None:
    for one in found:
        for line in _found_lines(one, sweep.named("value"), _words(sweep, rows)):
            print(line)
    if failed:
        print(f"{failed:,} of {counted(len(rows), 'combination')} could not be solved: 'error' says why")
    for what, path in (("table", options.output), ("picture", options.plot)):
        if path is not None:
            print(f"{what} written to {path}")


def _found_lines(found: "Found", value: str, words: Words) -> Iterator[str]:
    """Say what was found: both neighbours with what they are worth, and the nearest."""
    head = "".join(f"{name}={_cell(cell)}, " for name, cell in found.others.items())
    to = words.exactly(found.to)

    def said(row: "Row") -> str:
        return f"{found.name}={_cell(row[found.name])}: {words.exactly(row[value])}"

    nearest = "" if found.nearest is None else f"nearest {found.name}={_cell(found.nearest[found.name])}"
    for low, high in found.pairs:
        met = low[found.name] == high[found.name]
        yield f"{head}{said(low)}: {to} is met" if met else f"{head}{said(low)}, {said(high)}: {to} lies between; {nearest}"
    if not found.pairs and found.nearest is None:
        yield f"{head}nothing could be solved"
    elif not found.pairs:
        where = "is none of them" if found.how == "list" else "is not met"
        yield f"{head}{said(found.nearest or {})}: {to} {where}; {nearest}"
    bound = max((row.get("error_bound") or 0.0 for pair in found.pairs for row in pair), default=0.0)
    proof = f", each value +/- {bound:.1e}" if found.pairs and bound else ", exact" if found.pairs else ""
    yield f"{head}by {_way(found)}{proof}; {counted(found.solved, 'combination')} solved"


def _way(found: "Found") -> str:
    if found.how == "bisection":
        return "bisection (the values solved only rise, or only fall)"
    return {"list": "solving all that there are", "scan": "solving all of them"}.get(
        found.how, f"solving all of them ({found.how})"
    )
