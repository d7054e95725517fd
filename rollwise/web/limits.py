"""What a request may ask for: sizes that are refused before anything is allocated.

Over HTTP a game is a name of the catalogue, or the text of a game file, with parameters as text, and an objective is a text. A
parameter never names a file, and a game file can read none.
How much work and memory a game takes follows from its rules, so it is known, and refused, before it is solved: a game says how
large it is (`Sized.dimensions`), and the solver that will solve it how much memory that takes (`Solver.plan`). What neither can
say is bounded while it is explored.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from rollwise.errors import GameError, RollwiseError, brief, nearest, one_of
from rollwise.games import CATALOGUE, load
from rollwise.games.files import read_game
from rollwise.games.files.tables import RowBudget
from rollwise.model.abilities import dimensions, in_columns
from rollwise.model.game import Game, objective_of
from rollwise.model.message import Message, Text, known_text
from rollwise.model.objective import Objective
from rollwise.model.objectives import read_objective
from rollwise.model.parameter import Parameter
from rollwise.solvers.base.distribution import Distribution
from rollwise.solvers.base.memory import MemoryLimitError
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.choose_solver import choose_solver
from rollwise.solvers.graph.traverse import OverBudget
from rollwise.solvers.solve import check_attainable, plan

__all__ = [
    "ANY_TOTAL",
    "Limits",
    "TooLarge",
    "canonical",
    "check_size",
    "field_at_fault",
    "make_asked",
    "make_file_game",
    "make_game",
    "make_objective",
    "players_words",
]

ANY_TOTAL = Distribution("points", 0, np.ones(1))
"""The total of an opponent who is not known yet: how much it takes to play against him does not depend on it."""
FILE_NAME = "game file"
"""What messages call the file of a request."""
DIGITS = 7
"""Digits of a parameter that is a whole number."""


@dataclass(frozen=True)
class Limits:
    """The bounds of a server."""

    body_bytes: int = 4 << 20
    """Bytes of a request body."""
    states: int = 200_000
    """Positions of a game that is explored one by one."""
    column_states: int = 2_000_000
    """Positions of a game whose rules stand in columns, as those of a game file do: it is explored many at once."""
    rows: int = 200_000
    """Rows of the tables of a game file: throws, subsets, ways to keep dice."""
    numbers: int = 10_000_000
    """Numbers that the expressions of a game file are computed to, for all rows, before it is solved."""
    cells: int = 6_000_000
    """Ways to hold the dice of a `words` game: 7 to the power of 8 different dice."""
    solve_bytes: int = 1 << 30
    """Bytes that solving a game may take, as far as its form can say that."""
    layer_bytes: int = 2 << 30
    """Bytes that solving a game layer by layer may take: finished layers are in files, and leave memory when it is short."""
    work_bytes: int = 1 << 30
    """Bytes that a request may take beyond the solved games, about."""
    held: int = 8
    """Dice of a `words` game: each doubles the moves."""
    dice: int = 60
    """Dice of a `groups` game."""
    rerolls: int = 10
    """Rerolls of a turn."""
    words: int = 200_000
    """Words of a dictionary."""
    text: int = 20_000
    """Characters of a parameter other than the words."""
    shown: int = 64
    """Faces of a die, slots of a board."""
    seconds: float = 300.0
    """Time to solve a game that is not known to be long."""
    long_seconds: float = 10_800.0
    """Time to solve one that is known to be long: it is solved layer by layer, and lets others go first."""
    follow_seconds: float = 20.0
    """Time for an answer: a strategy followed to the end, a game graded, a contest file judged."""
    table_seconds: float = 60.0
    """Time to pack a solved game for a page to keep, for which nobody holds their breath."""
    queue: int = 16
    """Games that wait to be solved."""
    solutions: int = 24
    """Solved games held in memory."""
    memory: int = 3 << 30
    """Bytes of solved games held in memory, about; the last one always is."""
    idle_seconds: float = 300.0
    """Time without a request after which memory is given back."""
    store_bytes: int = 8 << 30
    """Bytes of the cache beyond which the server adds nothing."""

    @property
    def sizes(self) -> Mapping[str, int]:
        """The most of what games count in `dimensions`; what is not listed is not bounded."""
        return {
            "dice": self.dice, "dice to hold": self.held, "faces": self.shown, "faces on a die": self.shown,
            "rerolls": self.rerolls, "slots": self.shown, "ways to hold dice": self.cells,
            "rows in its tables": self.rows,
        }  # fmt: skip

    def states_of(self, game: Game[Any, Any, Any]) -> int:
        """The most positions that this game may have."""
        return self.states if in_columns(game) is None else max(self.states, self.column_states)


class TooLarge(GameError):
    """A game that is larger than this server takes on."""


def make_game(
    name: str, parameters: Mapping[str, str], limits: Limits, objective: Objective | None = None
) -> Game[Any, Any, Any]:
    """Make a game from a request. Raises `GameError` for what is not a game and `TooLarge` for what is too much of one."""
    if name not in CATALOGUE:
        meant = nearest(name, CATALOGUE, 0.5)
        near = "" if meant is None else Message("error.meant", {"name": repr(meant)})
        raise GameError(Message("error.game", {"name": brief(name), "near": near, "known": sorted(CATALOGUE)}))
    known = {parameter.name: parameter for parameter in CATALOGUE[name].parameters}
    for key, text in parameters.items():
        _check_text(known[one_of(f"parameter of {name}", key, known)], text, limits)
    game = load(name, **parameters)
    check_size(game, limits, objective)
    return game


def make_file_game(
    text: str, parameters: Mapping[str, str], limits: Limits, objective: Objective | None = None,
    is_late: Callable[[], bool] = lambda: False,
) -> Game[Any, Any, Any]:  # fmt: skip
    """Make a game from the text of a game file; nothing in it names a file or runs code.

    Raises as `make_game` does, and `GameError` once `is_late`.
    """
    for name, value in parameters.items():
        _refuse(Message("server.size.digits", {"name": name}), len(value), DIGITS)
    rows = RowBudget(limits.rows, limits.numbers, is_late)
    try:
        game = read_game(text, parameters, name=FILE_NAME, rows=rows)
    except GameError as error:
        if rows.exceeded:
            raise TooLarge(error.said).placed(error.line, error.column) from None
        raise
    check_size(game, limits, objective)
    return game


def make_asked(
    name: str | None, file: str | None, parameters: Mapping[str, str], limits: Limits, objective: Objective | None = None,
    is_late: Callable[[], bool] = lambda: False,
) -> Game[Any, Any, Any]:  # fmt: skip
    """Make the game that a request names, or whose file it carries. Raises as `make_game` does."""
    if name is None:
        return make_file_game(file or "", parameters, limits, objective, is_late)
    return make_game(name, parameters, limits, objective)


def field_at_fault(name: str, parameters: Mapping[str, str], objective: str | None, limits: Limits) -> str | None:
    """Name what is wrong in a request that is refused: the parameter, or "objective", without which it is not.

    A parameter that a game cannot do without is replaced by its example. None where no single one is to blame.
    """
    if name not in CATALOGUE:
        return None
    examples = {parameter.name: parameter.example for parameter in CATALOGUE[name].parameters if parameter.example}
    tries = [(field, {**parameters, field: examples.get(field)}, objective) for field in parameters]
    for field, given, aim in [*tries, ("objective", parameters, None)]:
        with suppress(RollwiseError):
            make_game(name, {key: text for key, text in given.items() if text is not None}, limits, make_objective(aim))
            return field
    return None


def make_objective(text: str | None) -> Objective | None:
    """Read the objective of a request; None is the game's own. Raises `GameError`."""
    return None if text is None else read_objective(text)


@lru_cache(maxsize=256)
def canonical(text: str | None) -> str | None:
    """Write an objective as it writes itself, so that the same one is solved once; what cannot be read stays as it is."""
    try:
        return None if text is None else read_objective(text).text
    except GameError:
        return text


def _check_text(parameter: Parameter, text: str, limits: Limits) -> None:
    """Refuse what names a file, and what would be slow only to read."""
    name, kind = parameter.name, parameter.kind.as_dict()["type"]
    if kind in ("file", "weights") and text.startswith("@"):
        raise GameError(Message("error.names-file", {"name": name}))
    most = limits.words if kind == "file" else limits.held if name == "dice" else 4 * limits.shown
    _refuse(Message("server.size.items", {"name": name}), text.count(",") + 1, most)
    if kind != "file":
        longest = {"integer": DIGITS, "integers": 4 * limits.dice}.get(kind, limits.text)
        unit = "digits" if kind == "integer" else "characters"
        _refuse(Message(f"server.size.{unit}", {"name": name}), len(text), longest)


def check_size(game: Game[Any, Any, Any], limits: Limits, objective: Objective | None = None) -> None:
    """Refuse a game that would take too much time or memory. Raises `TooLarge`, or `GameError` for an aim that it cannot have."""
    for what, count in dimensions(game).items():
        _refuse(known_text(f"server.size.{what.replace(' ', '-')}", what), count, limits.sizes.get(what, count))
    aim = objective_of(game, objective).resolved(lambda: ANY_TOTAL)
    aim.restate(game)
    if in_columns(game) is not None:
        return  # its positions are counted while it is explored; to count them here would be half of that work
    instead = Message(f"aim.{read_objective(aim.instead).fields['aim']}.label") if aim.instead else ""
    try:
        options = SolveOptions(max_states=limits.states_of(game))
        layered = choose_solver(game, aim, options).layered
        most = max(limits.layer_bytes if layered else 0, limits.solve_bytes)
        found = plan(game, aim, replace(options, max_bytes=most, checkpoint=Path("layers") if layered else None))
    except GameError as error:
        raise TooLarge(players_words(error, instead)) from None
    if (found.memory_bytes or 0) > most:
        raise TooLarge(_too_large(instead))
    check_attainable(game, aim)


def players_words(error: RollwiseError, instead: Text = "") -> Text:
    """Give what an error says; of what is too large for memory, what to do instead, and no sizes."""
    if isinstance(error, OverBudget):
        return Message("server.too-many-positions", {"most": error.most})
    return _too_large(instead) if isinstance(error, MemoryLimitError) else error.said


def _too_large(instead: Text = "") -> Message:
    return Message("server.too-large-for", {"aim": instead}) if instead else Message("server.too-large")


def _refuse(what: Text, count: int, most: int) -> None:
    if count > most:
        raise TooLarge(Message("server.limit", {"count": count, "what": what, "most": most}))
