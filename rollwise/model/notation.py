"""How positions and actions are written: as text and back, in columns for tables, as a number for ids."""

from collections.abc import Iterator, Mapping
from inspect import unwrap
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from rollwise.errors import PositionError, brief
from rollwise.model.abilities import NOTATION_RULES, named_part
from rollwise.model.message import Message, Text
from rollwise.model.packing import pack_text, unpack_text
from rollwise.model.values import classes_in, has_notation, read_value, write_value

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["Notation", "not_a_position", "notation_of", "own_classes", "wrong_dice"]

MET = 100
"""Positions in which the classes of a game are looked for."""

_CLASSES: WeakKeyDictionary[type, dict[str, type]] = WeakKeyDictionary()


class Notation:
    """How a game is written down; a game names its own as the class attribute `notation`.

    The default writes Python literals and the game's own classes.
    """

    def __init__(self, game: Any) -> None:
        self.game = game

    def show_state(self, state: Any) -> str:
        """Write a state as text; `read_state` is its inverse."""
        return write_value(state) if type(self).read_state is Notation.read_state else repr(state)

    def read_state(self, text: str) -> Any:
        """Read a state. Raises `PositionError`."""
        return _read(self.game, "state", text)

    def show_action(self, action: Any) -> str:
        """Write an action as text; `read_action` is its inverse."""
        if isinstance(action, str) and not has_notation(type(action)):
            return action
        return write_value(action) if type(self).read_action is Notation.read_action else repr(action)

    def read_action(self, text: str) -> Any:
        """Read an action; the default reads any text that is not a value as itself. Raises `PositionError`."""
        try:
            return _read(self.game, "action", text)
        except PositionError:
            return text

    def show_pending(self, pending: Any) -> str:
        """Write a pending roll as text, for messages."""
        return repr(pending)

    def is_beginning(self, state: Any) -> bool:
        """Say whether a position occurs only before anything is gained, so that the points of a target follow from it."""
        return False

    def pack_state(self, state: Any) -> int:
        """Write a state as a whole number from 0 on, for its id; the default packs its text. Never to be changed afterwards."""
        return pack_text(self.game.show_state(state))

    def unpack_state(self, number: int) -> Any:
        """Read what `pack_state` wrote. Raises `PositionError` for a number that it does not give."""
        return self.game.read_state(unpack_text(number))

    def packed_by(self) -> str:
        """Name what the numbers of `pack_state` depend on besides the state, so that ids of another game are noticed."""
        return ""

    def columns(self, state: Any) -> Mapping[str, str]:
        """Split a state into named columns, for tables of the strategy."""
        return {"state": self.game.show_state(state)}

    def read_column(self, name: str, text: str) -> str:
        """Write the value of a column as `columns` writes it. Raises `GameError` for a value that never occurs."""
        return text


def not_a_position(text: str, expected: Text, example: Text) -> PositionError:
    """Say that a text is no position, and what one looks like."""
    return PositionError(Message("error.position", {"text": brief(text), "expected": expected, "example": example}))


def wrong_dice(dice: str, text: str, count: int, faces: int) -> PositionError:
    """Say that the dice in the text of a position are not those of the game."""
    return PositionError(Message("error.dice", {"dice": repr(dice), "text": repr(text), "count": count, "faces": faces}))


def notation_of(game: "Game[Any, Any, Any]") -> Notation:
    """Give the notation of a game: its own, or the default where the game changes what that was written for."""
    found: Notation = (named_part(game, "notation", NOTATION_RULES) or Notation)(game)
    return found


def own_classes(game: "Game[Any, Any, Any]") -> Iterator[type]:
    """Give the classes that a game is made of and that are not this library's, its own first."""
    for kind in type(game).__mro__:
        if hasattr(kind, "actions") and kind.__module__.split(".")[0] != "rollwise":
            yield kind


def _read(game: "Game[Any, Any, Any]", what: str, text: str) -> Any:
    try:
        return read_value(text, lambda name: _class(game, name))
    except ValueError as error:
        tip = "expected a Python literal such as (1, 2)" if str(error).startswith(("malformed", "it is no")) else error
        raise PositionError(f"{brief(text)} is not a {what}: {tip}") from None


def _class(game: "Game[Any, Any, Any]", name: str) -> type | None:
    """Find a class by its name among those that a game uses."""
    known = _CLASSES.get(type(game))
    if known is None:
        found = {kind.__name__: kind for kind in (*_in_reach(game), *_met(game))}
        known = _CLASSES[type(game)] = {name: kind for name, kind in found.items() if not hasattr(kind, "actions")}
    return known.get(name)


def _in_reach(game: "Game[Any, Any, Any]") -> Iterator[type]:
    """Give the classes with a notation that a game's own file and class name."""
    for kind in own_classes(game):
        rules = [unwrap(rule) for rule in vars(kind).values() if callable(rule) and not isinstance(rule, type)]
        spaces = {id(space): space for rule in rules if (space := getattr(rule, "__globals__", None)) is not None}
        for space in (*spaces.values(), vars(kind)):
            yield from (value for value in tuple(space.values()) if isinstance(value, type) and has_notation(value))


def _met(game: "Game[Any, Any, Any]") -> list[type]:
    """Give the classes of the first positions and actions, as far as the rules answer."""
    found: list[type] = []
    try:
        pendings = [game.start()]
        states = [state for state, _ in zip(game.roll(pendings[0]), range(MET), strict=False)]
        found += classes_in([*pendings, *states])
        for state in states:
            actions = list(game.actions(state))
            found += classes_in([*actions, *(game.play(state, action) for action in actions)])
    except Exception:
        return found
    return found
