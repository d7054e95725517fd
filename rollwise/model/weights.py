"""Weights of the faces of a die: a kind of parameter, and files of dice.

A die of M faces is M integers: how often each face comes, from 1 on, relative to the others; a face of weight 0 never comes.
Dice of one's own have names in a dice file:

    [dice]
    holy = [1, 1, 1, 1, 1, 3]
    lucky = { weights = [6, 1, 2, 3, 4, 6], source = "thrown 200 times", count = 2 }
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from operator import index
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from rollwise.errors import GameError, PositionError, brief, hint_file, one_of
from rollwise.model.abilities import Ability, single_player
from rollwise.model.message import Message
from rollwise.model.parameter import Kind, Parameter
from rollwise.model.roll import Roll

__all__ = [
    "MOST_FACES", "MOST_WEIGHT", "WEIGHTS", "OwnDie", "ThrowsDice", "Weights", "WeightsOfDice", "find_die", "loaded_weights",
    "more_than_ones", "read_dice", "reduce_weights", "roll_of", "show_weights", "weights_for", "weights_of_dice",
]  # fmt: skip

MOST_FACES = 1_000
"""Faces of a die with weights."""
MOST_FAIR = 1_000_000
"""Faces of a fair die."""
MOST_WEIGHT = 1_000_000
"""What the weights of a die may add up to in lowest terms, so that those of several dice thrown together remain exact."""
MOST_COUNT = 1_000
"""Dice of one kind that a file may list."""
MOST_BITS = 64
MOST_BYTES = 1_000_000
LONGEST = 80
"""Characters of weights that a message shows."""

Faces = tuple[int, ...]
"""The weight of each face, from 1 on."""


def reduce_weights(given: Iterable[Any]) -> Faces:
    """Check the weights of a die, and give them in lowest terms.

    >>> reduce_weights([2, 2, 2, 2, 2, 4])
    (1, 1, 1, 1, 1, 2)

    Raises `GameError` for weights that are negative, all zero, no integers, or too many.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise GameError(f"the weights of a die are {brief(given)}: expected integers, one for each face, such as 1,1,1,1,1,2")
    weights = []
    for face, weight in enumerate(given, 1):
        if face > MOST_FACES:
            raise GameError(f"a die with more than {MOST_FACES:,} weights: expected at most {MOST_FACES:,}, one for each face")
        weights.append(_weight(face, weight))
    divisor = gcd(*weights)
    if not divisor:
        raise GameError(f"the weights {_show(weights) or '(none)'} of a die: expected at least one above 0")
    if sum(weights) // divisor > MOST_WEIGHT:
        raise GameError(f"the weights {_show(weights)} of a die: expected a sum of at most {MOST_WEIGHT:,}; give smaller ones")
    return tuple(weight // divisor for weight in weights)


def _weight(face: int, weight: Any) -> int:
    try:
        value = -1 if isinstance(weight, bool) else index(weight)
    except TypeError:
        value = -1
    if value < 0:
        raise GameError(f"face {face} of a die has the weight {brief(weight)}: expected an integer of 0 or more")
    if value.bit_length() > MOST_BITS:
        raise GameError(f"face {face} of a die has a weight of 2**{MOST_BITS} or more: expected a sum of at most {MOST_WEIGHT:,}")
    return value


def _show(weights: Iterable[int]) -> str:
    text = ",".join(map(str, weights))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def weights_for(faces: int, given: Iterable[Any] | None) -> Faces:
    """Give the weights of a die with so many faces, those of a fair one by default, in lowest terms.

    >>> weights_for(6, None) == weights_for(6, [5, 5, 5, 5, 5, 5])
    True

    Raises `GameError` for weights that do not fit.
    """
    if faces > MOST_FAIR:
        raise GameError(f"a die of {faces:,} faces: expected at most {MOST_FAIR:,}")
    if given is None:
        return (1,) * faces
    weights = reduce_weights(given)
    if len(weights) != faces:
        raise GameError(
            f"weights {_show(weights)} of {len(weights)} faces: expected {faces} weights, one for each face of the die"
        )
    return weights


def more_than_ones(faces: int, given: Iterable[Any] | None) -> Faces:
    """Give the weights of a die in a game in which a 1 scores nothing, so that dice without any other face would never end it.

    Raises `GameError` for such weights, and those that do not fit.
    """
    weights = weights_for(faces, given)
    if not any(weights[1:]):
        raise GameError(f"weights {_show(weights)}: every die shows a 1, so that the game never ends: give another face a weight")
    return weights


def roll_of(weights: Iterable[int]) -> Roll[int]:
    """Give the roll of a die by the weights of its faces.

    >>> roll_of((1, 0, 2))
    Roll({1: 1, 3: 2})
    """
    return Roll({face: weight for face, weight in enumerate(weights, 1) if weight})


@dataclass(frozen=True)
class Weights(Kind):
    """The weights of the faces of a die, or '@', a dice file, and the name of a die in it.

    >>> Weights().read("2,2,2,2,2,4")
    (1, 1, 1, 1, 1, 2)
    """

    name = "weights"
    expected = "WEIGHT,WEIGHT,... or @FILE:DIE"

    def read(self, text: str) -> Faces:
        if text.startswith("@"):
            return find_die(text[1:]).weights
        return reduce_weights(int(part) for part in text.split(","))

    def portable(self, text: str) -> str:
        return ",".join(map(str, self.read(text))) if text.startswith("@") else text


@dataclass(frozen=True)
class WeightsOfDice(Weights):
    """The weights of a die that all dice are, or of each die; or '@', a dice file, and the names of dice in it.

    >>> WeightsOfDice().read("1,1,1,1,1,2/1,1,1,1,1,1")
    ((1, 1, 1, 1, 1, 2), (1, 1, 1, 1, 1, 1))
    """

    expected = "WEIGHT,WEIGHT,..., the same for each die with / between them, or @FILE:DIE,DIE,..."

    def read(self, text: str) -> Any:
        if not text.startswith("@"):
            dice = [super(WeightsOfDice, self).read(part) for part in text.split("/")]
            return tuple(dice) if len(dice) > 1 else dice[0]
        place, _, names = text[1:].rpartition(":")
        if "," not in names:
            return super().read(text)
        return tuple(find_die(f"{place}:{name}").weights for name in names.split(","))

    def portable(self, text: str) -> str:
        return show_weights(weights_of_dice(0, 0, self.read(text))) if text.startswith("@") else text


def weights_of_dice(count: int, faces: int, given: Iterable[Any] | None) -> tuple[Faces, ...]:
    """Give the weights of each of so many dice: of one die for all of them, or of each. Raises `GameError`.

    >>> weights_of_dice(2, 3, (2, 2, 4))
    ((1, 1, 2), (1, 1, 2))

    With `count=0` as many as are given, of any number of faces.
    """
    listed: list[Any] = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    each: list[Any] = listed if given is None or any(isinstance(one, Iterable) for one in listed) else [listed]
    if count and len(each) not in (1, count):
        raise GameError(f"weights of {len(each)} dice: expected those of one die for all {count}, or of each of the {count}")
    dice = tuple(weights_for(faces, one) if faces else reduce_weights(one) for one in each)
    return dice * count if len(dice) < count else dice


def show_weights(dice: Iterable[Faces]) -> str:
    """Write the weights of dice; of equal dice, those of one.

    >>> show_weights([(1, 2), (1, 2)]), show_weights([(1, 2), (1, 1)])
    ('1,2', '1,2/1,1')
    """
    texts = [",".join(map(str, die)) for die in dice]
    return "/".join(texts if len(set(texts)) > 1 else texts[:1])


WEIGHTS = Parameter.known("weights", Weights(), usual="fair")
"""The parameter of a game whose dice may be loaded."""


class ThrowsDice(Ability):
    """Throws equal dice: the one place that says with which weights."""

    weights: Faces
    """The weight of each face, from 1 on, in lowest terms: all 1 for fair dice."""

    @cached_property
    def die(self) -> Roll[int]:
        """What one die shows."""
        return roll_of(self.weights)

    def check_shown(self, faces: Iterable[int]) -> None:
        """Refuse dice that never come. Raises `PositionError`."""
        never = sorted({face for face in faces if not self.weights[face - 1]})
        if never:
            raise PositionError(Message("error.never-shown", {"face": never[0], "weights": ",".join(map(str, self.weights))}))

    @property
    def loaded(self) -> tuple[Faces, ...]:
        """The weights of loaded dice, none of fair ones: what is added to whatever identifies the game."""
        return (self.weights,) if len(set(self.weights)) > 1 else ()


def loaded_weights(game: Any) -> Faces | None:
    """Give the weights of the loaded dice of a game; None where its dice are fair or differ, or it does not say."""
    own = single_player(game)
    return own.loaded[0] if isinstance(own, ThrowsDice) and len(own.loaded) == 1 else None


@dataclass(frozen=True)
class OwnDie:
    """A die of a dice file: its name, its weights in lowest terms, how many of it there are, and where the weights come from."""

    name: str
    weights: Faces
    count: int = 1
    source: str = ""

    @property
    def roll(self) -> Roll[int]:
        """What it shows."""
        return roll_of(self.weights)


def find_die(text: str) -> OwnDie:
    """Find the die that FILE:NAME names; the name may be left out where the file has one die.

    Raises `GameError` for a file that cannot be read, or a name that is not in it.
    """
    path, colon, name = text.rpartition(":")
    if not colon or _is_file(text):
        path, name = text, ""
    known = read_dice(path)
    if name:
        return known[one_of(f"die in {path}", name, known)]
    if len(known) > 1:
        raise GameError(
            f"{path} has {len(known)} dice: give one, such as @{path}:{next(iter(known))} (there are {', '.join(known)})"
        )
    return next(iter(known.values()))


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def read_dice(path: str | PathLike[str]) -> dict[str, OwnDie]:
    """Read a dice file: its dice by name, in their order.

    Raises `GameError` for a file that cannot be read, or a die that is none.
    """
    place = fspath(path)
    try:
        with Path(place).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise GameError(f"{place!r} is no dice file: expected at most {MOST_BYTES:,} bytes")
        values = tomllib.loads(content.decode("utf-8-sig").replace("\r\n", "\n"))
    except OSError as error:
        raise GameError(f"cannot read the dice from {place!r}: {error.strerror or error}{hint_file(place)}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        if isinstance(error, GameError):
            raise
        said = " ".join(str(error).split())
        raise GameError(f"cannot read the dice from {place!r}: expected TOML in UTF-8, {said[:1].lower()}{said[1:]}") from None
    table = values.get("dice")
    if not isinstance(table, dict) or not table or len(values) > 1:
        found = ", ".join(f"[{name}]" if isinstance(value, dict) else name for name, value in values.items()) or "nothing"
        raise GameError(f"{place!r}: expected one table [dice] with lines such as lucky = [1, 1, 1, 1, 1, 2], got {brief(found)}")
    return {name: _read_die(place, name, value) for name, value in table.items()}


def _read_die(place: str, name: str, value: Any) -> OwnDie:
    """Read one die. Raises `GameError` with its place."""
    about: Mapping[str, Any] = value if isinstance(value, dict) else {"weights": value}
    try:
        if not name.strip() or not name.isprintable() or {*name} & {*"@:,/"}:
            raise GameError("expected a name without '@', ':', ',' and '/'")
        for key in about:
            one_of("key", key, ("count", "source", "weights"))
        if not isinstance(about.get("weights"), list):
            raise GameError(f"expected weights such as [1, 1, 1, 1, 1, 2], got {brief(about.get('weights'))}")
        count, source = about.get("count", 1), about.get("source", "")
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_COUNT:
            raise GameError(f"count {brief(count)}: expected an integer from 1 to {MOST_COUNT:,}")
        if not isinstance(source, str):
            raise GameError(f"source {brief(source)}: expected a text")
        return OwnDie(name, reduce_weights(about["weights"]), count, source)
    except GameError as error:
        raise GameError(f"{place!r}, die {name!r}: {error}") from None
