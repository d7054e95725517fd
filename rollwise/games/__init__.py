"""The catalogue: games by name.

Adding a game is one file here and one line in `CATALOGUE`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rollwise.errors import GameError, RollwiseError, brief, one_of
from rollwise.model.faults import told
from rollwise.model.game import Game, Parameter, read_flag

__all__ = ["CATALOGUE", "Entry", "load"]


@dataclass(frozen=True)
class Entry:
    """A catalogue line: where the game is made, one sentence, and whether its parameters all have defaults."""

    module: str
    factory: str
    owner: str
    summary: str

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What `load` accepts for this game."""
        found: tuple[Parameter, ...] = getattr(import_module(f"rollwise.games.{self.module}"), self.owner).parameters
        return found

    @property
    def make(self) -> Callable[..., Game[Any, Any, Any]]:
        """The function that makes the game."""
        made: Callable[..., Game[Any, Any, Any]] = getattr(import_module(f"rollwise.games.{self.module}"), self.factory)
        return made


CATALOGUE = {
    "groups": Entry("groups", "groups", "Groups", "roll dice one by one into groups of given sizes, in the fewest rolls"),
    "kniffel": Entry("kniffel", "Kniffel", "Kniffel", "the German Yahtzee, without jokers"),
    "maxi-yatzy": Entry("maxi_yatzy", "MaxiYatzy", "MaxiYatzy", "six dice, twenty boxes, 100 points bonus at 84"),
    "pig": Entry("pig", "Pig", "Pig", "two players race to 100 points; a 1 loses the turn: the first player's chance to win"),
    "slots": Entry("slots", "Slots", "Slots", "place six dice in six slots to reach 45 points"),
    "words": Entry("words", "Words", "Words", "reroll dice until they spell a word, in the fewest rolls"),
    "yahtzee": Entry("yahtzee", "Yahtzee", "Yahtzee", "the American game: thirteen boxes, jokers, bonuses"),
    "yatzy": Entry("yatzy", "Yatzy", "Yatzy", "the Scandinavian game: fifteen boxes, 50 points bonus at 63"),
    "yazy": Entry("yazy", "Yazy", "Yazy", "five dice, two rerolls, eleven boxes: the highest expected score"),
}


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
    try:
        made = factory(**values)
    except RollwiseError:
        raise
    except (Exception, SystemExit) as error:
        raise GameError(f"{name} cannot be made from {given}: {told(error)}") from error
    if not isinstance(made, Game):
        raise GameError(f"{name} made {brief(made)}: expected a game")
    return made


def _value(game: str, parameter: Parameter, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return parameter.read(value)
    except RollwiseError:
        raise
    except Exception:
        kind = "an integer: " if parameter.read is int else "yes or no; " if parameter.read is read_flag else ""
        raise GameError(f"parameter {parameter.name}={value!r} of {game} does not fit: expected {kind}{parameter.help}") from None
