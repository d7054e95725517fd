"""What is swept: the values of parameters, of the game or of what is played for, as texts say them.

name=a,b,c        values with commas between them
name=a;b,c;d      with semicolons, where values hold commas themselves
name=30..60..5    numbers from 30 to 60 in steps of 5 (default 1); may stand among others
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from rollwise.errors import GameError, brief, one_of
from rollwise.model.parameter import Integer, Parameter, Text

__all__ = ["AIMS", "MOST", "Axis", "Cell", "found_axis", "known_axes", "read_axis", "single"]

Cell = int | float | bool | str
"""What a column holds."""

MOST = 1_000_000
"""Combinations of one sweep, at most."""
LONGEST = 40
RANGE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?))?\s*", re.ASCII)

AIMS = {
    parameter.name: parameter
    for parameter in (
        Parameter("objective", Text(), "what to play for, as --objective has it", "the game's own"),
        Parameter("at-least", Integer(), "the points to reach", "none"),
    )
}
"""What may be swept of what is played for."""


@dataclass(frozen=True)
class Axis:
    """A parameter that is swept: its texts, as -p would have them, and what they mean, as a column holds it."""

    parameter: Parameter
    texts: tuple[str, ...]
    values: tuple[Cell, ...]
    of_aim: bool = False

    @property
    def name(self) -> str:
        """The name of the parameter."""
        return self.parameter.name

    @property
    def numeric(self) -> bool:
        """Whether all values are numbers, so that they have an order."""
        return all(isinstance(value, int | float) and not isinstance(value, bool) for value in self.values)

    def sorted(self) -> "Axis":
        """Give the same axis with its numbers rising."""
        order = sorted(range(len(self.values)), key=lambda place: self.values[place])
        return replace(self, texts=tuple(self.texts[i] for i in order), values=tuple(self.values[i] for i in order))

    def cell(self, text: str) -> Cell:
        """Give what a column holds for a text of this axis, or of its parameter."""
        return _cell("this game", self.parameter, text)

    def aim(self, text: str) -> str:
        """Give the text of the objective that a value of this axis is."""
        return text if self.name == "objective" else f"{self.name} {text}"


def known_axes(parameters: Sequence[Parameter]) -> dict[str, tuple[Parameter, bool]]:
    """Name what can be swept: the game's parameters, then what is played for, where no parameter has that name."""
    own = {parameter.name: (parameter, False) for parameter in parameters}
    return {**{name: (parameter, True) for name, parameter in AIMS.items()}, **own}


def read_axis(game: str, text: str, known: dict[str, tuple[Parameter, bool]]) -> Axis:
    """Read `name=a,b,c`. Raises `GameError` for an unknown name, no values, one that stands twice or cannot be read."""
    name, equals, listed = text.partition("=")
    name = name.strip()
    if not equals or not name:
        raise GameError(f"--over {brief(text)}: expected NAME=VALUE,VALUE,... or NAME=LOW..HIGH")
    parameter, of_aim = known[one_of(f"parameter of {game}", name, known)]
    texts = _unique(name, [_portable(parameter, one) for part in _parts(listed) for one in _expanded(name, part)])
    return Axis(parameter, tuple(texts), tuple(_cell(game, parameter, one) for one in texts), of_aim)


def single(game: str, parameter: Parameter, text: str) -> Axis:
    """Make the axis of one value, which is the same in all rows."""
    text = _portable(parameter, text)
    return Axis(parameter, (text,), (_cell(game, parameter, text),))


def _portable(parameter: Parameter, text: str) -> str:
    """Write a value that names a file as what the file says, where the parameter can hold that."""
    return str(parameter.kind.portable(text)) if text.startswith("@") else text


def found_axis(game: str, name: str, axes: Sequence[Axis], known: dict[str, tuple[Parameter, bool]]) -> Axis:
    """Give the axis that is searched: as it is swept, else all values of a parameter that has few, or none for a number."""
    swept = next((axis for axis in axes if axis.name == name), None)
    if swept is not None:
        return swept.sorted() if swept.numeric else swept
    parameter, of_aim = known[one_of(f"parameter of {game}", name, known)]
    about = parameter.kind.as_dict()
    texts = {"choice": tuple(about.get("names", ())), "flag": ("no", "yes")}.get(about["type"], ())
    if not texts and about["type"] != "integer":
        raise GameError(f"--find {name} has no order to search in: list its values, --over {name}=VALUE,VALUE,...")
    return Axis(parameter, texts, tuple(parameter.read(text) for text in texts), of_aim)


def _parts(listed: str) -> list[str]:
    """Split a list at its semicolons, if it has any, else at its commas; a last empty part is nothing."""
    parts = listed.split(";" if ";" in listed else ",")
    return parts[:-1] if len(parts) > 1 and not parts[-1] else parts


def _unique(name: str, texts: list[str]) -> list[str]:
    if not all(texts):
        raise GameError(f"--over {name} has an empty value: expected NAME=VALUE,VALUE,... or NAME=LOW..HIGH")
    twice = (
        next((text for place, text in enumerate(texts) if text in texts[:place]), None) if len(set(texts)) < len(texts) else None
    )
    if twice is not None:
        raise GameError(f"--over {name} names {brief(twice)} twice: name every value once")
    return texts


def _expanded(name: str, part: str) -> Iterator[str]:
    """The values of a part: all numbers of a range, or the part itself."""
    found = RANGE.fullmatch(part) if len(part) <= LONGEST * 3 else None
    if found is None:
        yield part.strip()
        return
    low, high, step = (Decimal(number) for number in (found[1], found[2], found[3] or "1"))
    if not step or high < low:
        raise GameError(f"--over {name}={part.strip()}: expected LOW..HIGH or LOW..HIGH..STEP, rising")
    count = int((high - low) / step) + 1
    if count > MOST:
        raise GameError(f"--over {name}={part.strip()} has {count:,} values: expected at most {MOST:,}")
    yield from (f"{low + step * i:f}" for i in range(count))


def _cell(game: str, parameter: Parameter, text: str) -> Cell:
    """What a column holds for a value: a number, yes or no, else the text as given. Raises `GameError` if it cannot be read."""
    try:
        value: Any = parameter.read(text)
    except GameError:
        raise
    except Exception:
        raise parameter.misread(game, text) from None
    return value if isinstance(value, bool | int | float) else text
