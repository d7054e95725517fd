"""What a request may ask for: sizes that are refused before anything is allocated.

Over HTTP a game is a name of the catalogue and parameters as text. A parameter never names a file. How much work and memory a
game takes follows from its rules, so it is known, and refused, before it is solved.
"""

from collections import Counter
from dataclasses import dataclass
from math import comb, prod
from typing import Any

from rollwise.errors import GameError
from rollwise.forms.partitions.solution import groups_bytes
from rollwise.forms.rerolls.solution import reroll_bytes
from rollwise.forms.sheets.reading import sheet_bytes
from rollwise.games import load
from rollwise.games.groups import Groups, GroupsRaw
from rollwise.games.sheet import Sheet
from rollwise.games.slots import Slots
from rollwise.games.words import Words
from rollwise.model.game import Game

__all__ = ["Limits", "TooLarge", "check_size", "make_game"]

OFFERED = (Sheet, Words, Groups, GroupsRaw, Slots)
"""The kinds of games that the page can show."""


@dataclass(frozen=True)
class Limits:
    """The bounds of a server."""

    body_bytes: int = 4 << 20
    """Bytes of a request body."""
    states: int = 200_000
    """Positions of a game that is explored one by one."""
    cells: int = 6_000_000
    """Numbers in the table of a `words` game: 7 to the power of 8 different dice."""
    sheet_bytes: int = 1 << 30
    """Bytes of a score sheet's table."""
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
    """Time to solve a game."""
    follow_seconds: float = 20.0
    """Time for an answer: a strategy followed to the end, a game graded, a contest file judged."""
    queue: int = 16
    """Games that wait to be solved."""
    solutions: int = 24
    """Solved games kept in memory."""
    memory: int = 3 << 30
    """Bytes of solved games kept in memory, about; the last one always is."""
    store_bytes: int = 8 << 30
    """Bytes of the store beyond which the server adds nothing."""


class TooLarge(GameError):
    """A game that is larger than this server takes on."""


def make_game(name: str, parameters: dict[str, str], limits: Limits) -> Game[Any, Any, Any]:
    """Make a game from a request. Raises `GameError` for what is not a game and `TooLarge` for what is too much of one."""
    if parameters.get("words", "").startswith("@"):
        raise GameError("the words begin with '@', which names a file: give the words themselves, with commas between them")
    _check_text(name, parameters, limits)
    game = load(name, **parameters)
    if not isinstance(game, OFFERED):
        raise GameError(f"{name} is not offered here: use the command line")
    check_size(game, limits)
    return game


def _check_text(name: str, parameters: dict[str, str], limits: Limits) -> None:
    """Refuse what would be slow only to read."""
    for key, text in parameters.items():
        most = limits.words if key == "words" else limits.held if key == "dice" else limits.shown * 4
        _refuse(f"items in {key}", text.count(",") + 1, most)
        if key != "words":
            _refuse(f"characters in {key}", len(text), limits.text)
        if key in ("faces", "target", "rerolls"):
            _refuse(f"digits in {key}", len(text), 7)
        if name == "groups" and key == "sizes":
            _refuse("characters in sizes", len(text), 4 * limits.dice)


def check_size(game: Game[Any, Any, Any], limits: Limits) -> None:
    """Refuse a game that would take too much time or memory."""
    if isinstance(game, Sheet):
        _refuse("rerolls", game.rerolls, limits.rerolls)
        _refuse("bytes of values", sheet_bytes(game), limits.sheet_bytes)
    elif isinstance(game, Words):
        _refuse("dice", len(game.dice), limits.held)
        _refuse("faces on a die", max(sum(weight for _, weight in faces) for faces in game.dice), limits.shown)
        _refuse("ways to hold dice", _ways_to_hold(game), limits.cells)
        _refuse("bytes to solve it", reroll_bytes(game), limits.work_bytes)
    elif isinstance(game, Groups | GroupsRaw):
        _refuse("dice", sum(game.goal), limits.dice)
        if isinstance(game, Groups):
            _refuse("bytes to solve it", groups_bytes(game), limits.work_bytes)
        if isinstance(game, GroupsRaw):
            _refuse("faces", game.faces, limits.shown)
    elif isinstance(game, Slots):
        _refuse("slots", len(game.slots), limits.shown)
        _refuse("faces", len(game.faces), limits.shown)


def _ways_to_hold(game: Words) -> int:
    """Count the cells of the table: for k equal dice of n faces the multisets of up to k symbols."""
    return prod(comb(len(faces) + k, k) for faces, k in Counter(game.dice).items())


def _refuse(what: str, count: int, most: int) -> None:
    if count > most:
        raise TooLarge(f"{count:,} {what}: this server takes at most {most:,}; use the command line for more")
