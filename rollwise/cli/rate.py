"""`rollwise rate`: many recorded games: mistakes by kind of decision, their trend, and luck set apart."""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.drawing import say
from rollwise.cli.grade import add_solving, read_text, solve_record
from rollwise.cli.quiz import mine, show_cost
from rollwise.cli.shared import add_command, name_objective, print_json, progress_bar, quietly, table, warn
from rollwise.errors import GameError, RollwiseError, one_of
from rollwise.model.formatting import counted, digits, infinite
from rollwise.texts.render import render

if TYPE_CHECKING:
    from rollwise.playing.grade import Grade
    from rollwise.playing.rate import Rating
    from rollwise.playing.record import Record
    from rollwise.solvers.base.solution import Solution

__all__ = ["add"]

ORDERS = ("name", "time")
LARGEST = 10_000_000
"""Bytes of a file that may be a record."""


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "rate", _rate, "rate a player from many recorded games: mistakes, trend, luck",
        "rollwise play yahtzee --record games/01.txt\n  rollwise rate games\n  rollwise rate games --order time --json",
    )  # fmt: skip
    parser.add_argument("folder", metavar="FOLDER", help="a folder of recorded games ('rollwise play --record'), one per file")
    parser.add_argument(
        "--order",
        default="name",
        metavar="name|time",
        help="order the games by file name (default, in natural order: 2 before 10), or by the time they were last changed",
    )
    add_solving(parser)


def _rate(options: argparse.Namespace) -> None:
    from rollwise.playing.rate import rate

    one_of("order", options.order, ORDERS)
    graded, skipped = _graded(options, _files(Path(options.folder), options.order))
    if not graded:
        raise GameError(f"no record of a game in {options.folder!r}: write some with 'rollwise play GAME --record FILE'")
    with quietly():
        ratings = [
            (names, records[0], rate(games, [mine(record) or 0 for record in records])) for names, records, games in graded
        ]
    if options.json:
        from rollwise.wire.lessons import describe_rating

        found = [
            {"game": record.game, "parameters": dict(record.parameters), **describe_rating(rating, names)}
            for names, record, rating in ratings
        ]
        print_json({"folder": options.folder, "order": options.order, "skipped": skipped, "ratings": found})
        return
    for _, record, rating in ratings:
        _print(record, rating, options.order)


def _files(folder: Path, order: str) -> list[Path]:
    """List the files of a folder in the order of the games; hidden ones are left out."""
    if not folder.is_dir():
        what = "it is a file; 'rollwise grade' takes one" if folder.exists() else "there is none"
        raise GameError(f"{str(folder)!r} is not a folder of records: {what}")
    try:
        found = [path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")]
    except OSError as error:
        raise GameError(f"cannot read the folder {str(folder)!r}: {error.strerror or error}") from None
    if order == "time":
        return sorted(found, key=lambda path: (path.stat().st_mtime_ns, _natural(path.name)))
    return sorted(found, key=lambda path: _natural(path.name))


def _natural(name: str) -> list[tuple[int, int, str]]:
    """What names are ordered by: numbers in them as numbers."""
    parts = re.split("([0-9]+)", name)
    return [(1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts if part]


Graded = list[tuple[list[str], "list[Record]", "list[Grade]"]]


def _graded(options: argparse.Namespace, files: Sequence[Path]) -> tuple[Graded, list[dict[str, str]]]:
    """Grade every record, by what was played; what cannot be graded is named and left out."""
    from rollwise.playing.grade import grade

    found: dict[str, tuple[list[str], list[Record], list[Grade]]] = {}
    solved: dict[str, Solution] = {}
    skipped: list[dict[str, str]] = []
    with progress_bar() as progress:
        for done, path in enumerate(files):
            if progress:
                progress("records", done, len(files))
            try:
                record = _record(path)
                key = f"{record.game} {sorted(record.parameters.items())} {record.objective}"
                if key not in solved:
                    solved[key] = solve_record(record, options)
                with quietly():
                    game = grade(solved[key], record)
                if not any(step.moved for step in game.steps):
                    raise GameError("nothing was played in it")
            except RollwiseError as error:
                skipped.append({"file": path.name, "why": " ".join(str(error).split())})
                warn(f"{path} is left out: {skipped[-1]['why']}")
                continue
            names, records, games = found.setdefault(f"{record.game} {solved[key].fingerprint}", ([], [], []))
            if games and games[0].solution is not solved[key]:
                game = grade(games[0].solution, record)
            names.append(path.name)
            records.append(record)
            games.append(game)
    return list(found.values()), skipped


def _record(path: Path) -> "Record":
    from rollwise.playing.record import read_record

    if path.stat().st_size > LARGEST:
        raise GameError(f"it has more than {LARGEST:,} bytes: no record of a game")
    return read_record(read_text(str(path)))


def _print(record: "Record", rating: "Rating", order: str) -> None:
    games, scale = len(rating.games), rating.scale
    parameters = "".join(f" {name}={value}" for name, value in record.parameters.items())
    unfinished = f", {rating.unfinished} of them unfinished" if rating.unfinished else ""
    objective = name_objective(rating.solution.objective, rating.solution.game)
    say(f"\n{record.game}{parameters}, {objective}: {counted(games, 'game')} by {order}{unfinished}", "bold")
    header = ["decision", "decisions a game", "lost a game", *(_many(name) for name in scale.thresholds)]
    rows = [
        (
            render(kind.name),
            f"{kind.decisions / games:.1f}",
            show_cost(scale, kind.loss / games),
            *map(str, rating.counts[kind.name].values()),
        )
        for kind in rating.skill.kinds
    ]
    table(header, rows)
    table(["", ""], _lines(rating))
    say(scale.words())


def _many(name: str) -> str:
    return "inaccuracies" if name == "inaccuracy" else f"{name}s"


def _lines(rating: "Rating") -> list[tuple[str, str]]:
    """The figures below the table: mistakes, their trend, and luck."""
    scale, games, skill = rating.scale, len(rating.games), rating.skill
    leaks = [render(kind.name) for kind in skill.kinds if kind.leak]
    mistakes, luck = sum(rating.mistakes) / games, sum(rating.luck) / games
    return [
        ("mistakes a game", f"{show_cost(scale, mistakes)}{_within(rating, rating.mistakes_standard_error)}"),
        ("rating", _rated(rating)),
        ("trend", _trend(rating)),
        ("leaks", ", ".join(leaks) or "none that is clear: a kind of decision that costs something again and again"),
        ("luck a game", f"{_signed(rating, luck)} {scale.unit}{_within(rating, rating.luck_standard_error)}; luck is not skill"),
    ]


def _within(rating: "Rating", error: float) -> str:
    return "" if infinite(error) else f" (standard error {digits((100 if rating.scale.share else 1) * error, 2)})"


def _signed(rating: "Rating", number: float) -> str:
    return digits((100 if rating.scale.share else 1) * number, 3, "+")


def _rated(rating: "Rating") -> str:
    """Say what was lost per decision that was not obvious."""
    skill = rating.skill
    if infinite(skill.rating):
        return "none: every decision was obvious" if not skill.decisions else "none: a move made the goal impossible"
    made = counted(skill.decisions, "decision")
    return f"{show_cost(rating.scale, skill.rating)} a decision, of {made} not obvious{_within(rating, skill.standard_error)}"


def _trend(rating: "Rating") -> str:
    """Say how the rating changes from game to game, and no more than the games show."""
    trend = rating.skill.trend
    if trend is None:
        return f"too few finished games to say: it takes 3, there are {len(rating.games) - rating.unfinished}"
    way = ("better" if trend.slope < 0 else "worse") if trend.clear else "no clear change"
    low, high = (_signed(rating, end) for end in (trend.low, trend.high))
    return f"{way}: {_signed(rating, trend.slope)} {rating.scale.unit} a decision from game to game (95 %: {low} to {high})"
