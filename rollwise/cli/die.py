"""`rollwise die`: what recorded rolls say about a die."""

import argparse
from pathlib import Path
from typing import Any

from rollwise.cli.shared import add_command, add_options, check_folder, print_json, table
from rollwise.cli.streams import read_input
from rollwise.errors import GameError

__all__ = ["add"]

MOST_BYTES = 10_000_000


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "die", _die, "estimate a die from recorded rolls: is it fair?",
        "rollwise die '3 5 6 6 1 2 6 4 6 6'\n  rollwise die '1:8 2:9 3:12 4:9 5:10 6:24' -o mine.toml\n"
        "  rollwise solve yazy -p weights=@mine.toml",
    )  # fmt: skip
    parser.add_argument(
        "rolls", metavar="ROLLS", help="rolls such as '3 5 6 6 1', counts such as '1:8 2:9 6:24', @FILE with either, or -"
    )
    parser.add_argument("-o", "--output", metavar="FILE.toml", help="write the die to a file, for -p weights=@FILE.toml")
    add_options(parser, "--json")


def _die(options: argparse.Namespace) -> None:
    from rollwise.playing.fairness import DieEstimate, read_rolls

    path = None if options.output is None else Path(options.output)
    if path is not None:
        check_folder(path)
    found = DieEstimate(read_rolls(_read(options.rolls)))
    if path is not None:
        _write(found, path)
    if options.json:
        faces = [
            {"face": one.face, "count": one.count, "chance": float(one.chance), "low": one.low, "high": one.high}
            for one in found.faces
        ]
        print_json(
            {"rolls": found.rolls, "faces": faces, "weights": found.weights, "p_value": found.p_value, "says": found.verdict}
        )
        return
    rows = [
        (str(one.face), f"{one.count:,}", f"{100 * float(one.chance):.1f} %", f"{100 * one.low:.1f} % to {100 * one.high:.1f} %")
        for one in found.faces
    ]
    table(["face", "came", "chance", "95 % interval"], rows)
    print(found.verdict)
    if path is not None:
        print(f"die written to {path}: use it with -p weights=@{path}")


def _read(text: str) -> str:
    if text == "-":
        return read_input("the rolls of a die")
    if not text.startswith("@"):
        return text
    path = Path(text[1:])
    try:
        if path.stat().st_size > MOST_BYTES:
            raise GameError(f"{path} has more than {MOST_BYTES:,} bytes: give counts, such as 1:10 2:12 6:20")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise GameError(f"{path} is not text in UTF-8: expected the rolls of a die") from None


def _write(found: Any, path: Path) -> None:
    from rollwise.model.weights import show_weights
    from rollwise.solvers.base.writing import write_whole

    weights = show_weights([found.weights]).replace(",", ", ")
    write_whole(path, f'[dice]\nmeasured = {{ weights = [{weights}], source = "{found.rolls} recorded rolls" }}\n')
