"""What is known about the games of the catalogue: `known/NAME.toml` has the rows of a game, `known/NAME.py` its recursion.

    [game]          for people: size, seconds, value, sources, note; and for tests: small = {parameters}, few_boxes = [names]
    [[value]]       parameters, objective, value, within (1e-9), engine, source
    [[exact]]       the same, solved in fractions: value = "p/q"
    [[count]]       parameters, states, pendings; or partial = true: too large to be counted here
    [[position]]    parameters, objective, state, best, value, within
    [[recursion]]   parameters, objective, within: what `value(**parameters)` of known/NAME.py gives (`_` for `-` in its name)
    [[file]]        file = "NAME.toml" of the examples, file_parameters, parameters, objective, sign: the same value
    [[simulated]]   parameters, objective, games, seed: the mean lies within four standard errors of the value
    [[refused]]     parameters, says: a part of the message

Whatever a row leaves out is the game's own: no parameters, its objective. Rows with `full = true` take seconds and
run with `--all` only; rows with `audit = true` take long, and run as audits.
"""

import json
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest

from rollwise import Game, Solution, solve
from rollwise.games import load
from rollwise.games.sheets.rules import Sheet
from rollwise.model.objectives import read_objective

__all__ = ["FOLDER", "KNOWN", "fewer_boxes", "game_of", "recursion_of", "rows", "small_game", "solved", "solved_small"]

Row = dict[str, Any]

FOLDER = Path(__file__).parent / "known"
KNOWN: dict[str, dict[str, Any]] = {file.stem: tomllib.loads(file.read_text()) for file in sorted(FOLDER.glob("*.toml"))}


def rows(kind: str) -> list[Any]:
    """Give the rows of a kind of all games, as parameters of a test: the game's name and the row."""
    found = [(name, row) for name, known in KNOWN.items() for row in known.get(kind, ())]
    return [
        pytest.param(
            name, row, id=_called(name, row), marks=[getattr(pytest.mark, mark) for mark in ("audit", "full") if row.get(mark)]
        )
        for name, row in found
    ]


def _called(name: str, row: Row) -> str:
    more = [row.get("file", ""), _listed(row.get("parameters", {})), row.get("objective", ""), row.get("state", "")]
    return "-".join([name, *filter(None, more)])[:100]


def _listed(parameters: dict[str, Any]) -> str:
    return ",".join(f"{key}={value}" for key, value in parameters.items())


def game_of(name: str, row: Row) -> Game[Any, Any, Any]:
    """Make the game of a row."""
    return load(name, **row.get("parameters", {}))


def solved(name: str, row: Row, *, exact: bool = False) -> Solution:
    """Solve the game of a row, once for all rows with the same game."""
    return _solved(name, json.dumps(row.get("parameters", {})), row.get("objective", ""), row.get("engine"), exact)


@cache
def _solved(name: str, parameters: str, objective: str, engine: str | None, exact: bool) -> Solution:
    game = load(name, **json.loads(parameters))
    return solve(game, read_objective(objective) if objective else None, exact=exact, engine=engine, max_states=20_000_000)


def recursion_of(name: str, parameters: dict[str, Any]) -> Any:
    """Ask the recursion of a game for its value."""
    return import_module(f"tests.known.{name.replace('-', '_')}").value(**parameters)


@cache
def small_game(name: str) -> Game[Any, Any, Any]:
    """Make a game at its small size."""
    about = KNOWN[name]["game"]
    return fewer_boxes(name, about.get("small", {}), about["few_boxes"]) if "few_boxes" in about else load(name, **about["small"])


def fewer_boxes(name: str, parameters: dict[str, Any], boxes: list[str]) -> Sheet:
    """Make a score sheet with only some of its boxes, and the bonus that these can earn."""
    sheet = cast("Sheet", load(name, **parameters))
    assert {*boxes} <= {*sheet.names}, f"{name} has the boxes {', '.join(sheet.names)}"
    sheet.boxes = tuple(box for box in sheet.boxes if box.name in boxes)
    sheet.names = tuple(box.name for box in sheet.boxes)
    sheet.scores = {name: sheet.scores[name] for name in sheet.names}
    return sheet


@cache
def solved_small(name: str, objective: str = "", *, exact: bool = False) -> Solution:
    """Solve a game at its small size."""
    return solve(small_game(name), read_objective(objective) if objective else None, exact=exact)
