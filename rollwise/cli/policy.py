"""`rollwise policy`: the whole strategy as a file, or a part of it."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import add_command, add_game, aim, check_folder, progress_bar, quietly, solve_game
from rollwise.errors import GameError
from rollwise.model.formatting import counted

if TYPE_CHECKING:
    from rollwise.solvers.base.solution import Solution

__all__ = ["add"]

MOST_ROWS = 50_000_000
"""Strategies with more decisions are written only with a limit."""


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "policy", _policy, "write the whole strategy to a CSV or Parquet file",
        "rollwise policy slots -o slots.csv\n  rollwise policy yazy -o yazy.parquet\n"
        "  rollwise policy yatzy -o last.parquet --where 'open boxes=chance,yatzy' --where 'upper total=63'",
    )  # fmt: skip
    add_game(parser)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write: FILE.csv or FILE.parquet")
    parser.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="COLUMN=TEXT",
        help="write only decisions in which this column contains this text",
    )
    parser.add_argument(
        "--limit", type=int, metavar="N", help=f"write the first N decisions; required if there are more than {MOST_ROWS:,}"
    )


def _policy(options: argparse.Namespace) -> None:
    from rollwise.playing.strategy import check_where, write_policy

    path = Path(options.output)
    if path.suffix.lower() not in (".csv", ".parquet"):
        raise GameError(f"cannot write {str(path)!r}: name a file that ends in .csv or .parquet")
    check_folder(path)
    if options.limit is not None and options.limit < 1:
        raise GameError(f"--limit {options.limit}: expected at least 1")
    where = _read_where(options.where)
    solution, _ = solve_game(options, lambda lifted: check_where(lifted, where, aim(options, lifted)))
    _check_size(options, solution, where)
    with quietly(), progress_bar() as progress:
        rows = write_policy(solution, path, where=where, limit=options.limit, progress=progress)
    print(f"{counted(rows, 'decision')} written to {path}")


def _read_where(pairs: list[str]) -> dict[str, str]:
    where: dict[str, str] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.strip():
            raise GameError(f"--where {pair!r}: expected COLUMN=TEXT")
        if name.strip() in where:
            raise GameError(f"--where {name.strip()!r} was given twice: give it once")
        where[name.strip()] = text.strip()
    return where


def _check_size(options: argparse.Namespace, solution: "Solution", where: dict[str, str]) -> None:
    from rollwise.playing.strategy import count_decisions

    count = count_decisions(solution, where)
    if count > MOST_ROWS and options.limit is None:
        raise GameError(
            f"the strategy has up to {count:,} decisions: write a part of it with --where 'open boxes=...' or --limit N, "
            f"or everything with --limit {count}"
        )
