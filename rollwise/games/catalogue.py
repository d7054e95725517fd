"""The catalogue: games by name.

Adding a game is one file here and one line in `CATALOGUE`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rollwise.errors import GameError, RollwiseError, brief, one_of
from rollwise.model.faults import told
from rollwise.model.game import Game
from rollwise.model.parameter import Parameter

__all__ = ["CATALOGUE", "Entry", "add_game", "load", "make"]


@dataclass(frozen=True)
class Entry:
    """A catalogue line: the module and name of what makes the game and of its class, and one sentence."""

    module: str
    factory: str
    owner: str
    summary: str

    @property
    def game(self) -> type[Game[Any, Any, Any]]:
        """The class of the game."""
        found: type[Game[Any, Any, Any]] = self._find(self.owner)
        return found

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What `load` accepts for this game."""
        return self.game.parameters

    @property
    def make(self) -> Callable[..., Game[Any, Any, Any]]:
        """The function that makes the game."""
        made: Callable[..., Game[Any, Any, Any]] = self._find(self.factory)
        return made

    def _find(self, name: str) -> Any:
        return getattr(import_module(self.module), name)


@dataclass(frozen=True)
class _Added(Entry):
    """A game that was added: its class is at hand."""

    kind: type[Game[Any, Any, Any]]

    def _find(self, name: str) -> Any:
        return self.kind


def _own(module: str, factory: str, summary: str, owner: str = "") -> Entry:
    return Entry(f"rollwise.games.{module}", factory, owner or factory, summary)


CATALOGUE = {
    "groups": _own("groups", "groups", "roll dice one by one into groups of given sizes, in the fewest rolls", "Groups"),
    "kniffel": _own("kniffel", "Kniffel", "the German Yahtzee, without jokers"),
    "maxi-yatzy": _own("maxi_yatzy", "MaxiYatzy", "six dice, twenty boxes, 100 points bonus at 84"),
    "pig": _own("pig", "Pig", "two players race to 100 points; a 1 loses the turn: the first player's chance to win"),
    "slots": _own("slots", "Slots", "place six dice in six slots to reach 45 points"),
    "words": _own("words", "Words", "reroll dice until they spell a word, in the fewest rolls"),
    "yahtzee": _own("yahtzee", "Yahtzee", "the American game: thirteen boxes, jokers, bonuses"),
    "yatzy": _own("yatzy", "Yatzy", "the Scandinavian game: fifteen boxes, 50 points bonus at 63"),
    "yazy": _own("yazy", "Yazy", "five dice, two rerolls, eleven boxes: the highest expected score"),
}


def add_game(kind: type[Game[Any, Any, Any]], name: str = "", summary: str = "") -> None:
    """Add a game to the catalogue under a name (default: its class in lower case); the summary is its docstring's first line.

    Raises `GameError` if the name is taken.
    """
    name = name or kind.__name__.lower()
    summary = summary or (kind.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    entry = _Added(kind.__module__, kind.__qualname__, kind.__qualname__, summary, kind)
    if CATALOGUE.get(name, entry) != entry:
        raise GameError(f"there is a game {name!r} already: add yours under another name")
    CATALOGUE[name] = entry


def load(name: str, **parameters: Any) -> Game[Any, Any, Any]:
    """Make a game of the catalogue. A parameter given as text is read as on the command line.

    >>> load("yazy", boxes="ones,straight").names
    ('ones', 'straight')

    Raises `GameError` for an unknown name or parameter, or a value that does not fit.
    """
    entry = CATALOGUE[one_of("game", name, CATALOGUE)]
    return make(name, entry.make, entry.parameters, parameters)


def make(
    name: str, factory: Callable[..., Game[Any, Any, Any]], known: tuple[Parameter, ...], given: dict[str, Any]
) -> Game[Any, Any, Any]:
    """Make a game from its parameters, some of them as text."""
    if not isinstance(known, tuple | list) or not all(isinstance(parameter, Parameter) for parameter in known):
        raise GameError(f"{name} lists the parameters {brief(known)}: expected Parameter objects, in a tuple")
    by_name = {parameter.name: parameter for parameter in known}
    values = {key: _value(name, by_name[one_of(f"parameter of {name}", key, by_name)], value) for key, value in given.items()}
    missing = [p.name for p in known if not p.default and p.name not in values]
    if missing:
        raise GameError(
            f"{name} needs the parameter {missing[0]!r}: {by_name[missing[0]].help} (on the command line: -p {missing[0]}=...)"
        )
    wrong = next((by_name[key].misfit(name, given[key]) for key, value in values.items() if not _fits(by_name[key], value)), None)
    try:
        made = factory(**values)
    except RollwiseError:
        raise
    except (Exception, SystemExit) as error:
        raise wrong or GameError(f"{name} cannot be made from {given}: {told(error)}") from error
    if wrong:
        raise wrong
    return made


def _fits(parameter: Parameter, value: Any) -> bool:
    try:
        return value is None or bool(parameter.kind.fits(value))
    except TypeError:
        return False


def _value(game: str, parameter: Parameter, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return parameter.read(value)
    except RollwiseError:
        raise
    except Exception:
        raise parameter.misfit(game, value) from None
