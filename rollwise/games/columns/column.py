"""The columns of a position: numbers, sets, hands of dice, and whose move it is.

Every column holds an integer between `low` and `low + size - 1`. A set is a bit mask of its members, a hand is its number among
all hands of so many dice (`Hands`). A column says how its values are written and read.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from rollwise.errors import GameError, PositionError, brief
from rollwise.games.columns.hands import Hands
from rollwise.games.columns.relation import MOST_ROWS, Relation
from rollwise.model.card import CardFeature
from rollwise.model.features import Feature, face_counts, one_number
from rollwise.model.formatting import is_number
from rollwise.model.message import Text
from rollwise.model.reading import read_names, says
from rollwise.model.view import Part, dice_part, mover_part, number_part, set_part, spoken, text_part, track_part

__all__ = ["BigNumber", "Column", "Dice", "Die", "Flag", "Mover", "Number", "Subset", "Tiles", "Track"]

MOST_MEMBERS = 40
PLAYERS = ("first", "second")


class Column(ABC):
    """A column: integers from `low` on, `size` of them."""

    low: int = 0
    size: int

    @property
    def high(self) -> int:
        """The largest value."""
        return self.low + self.size - 1

    @abstractmethod
    def show(self, value: int) -> str:
        """Write a value without blanks; `read` is its inverse."""

    @abstractmethod
    def read(self, text: str) -> int:
        """Read a value. Raises `PositionError`."""

    @property
    @abstractmethod
    def example(self) -> str:
        """Say what is expected, for messages."""

    def dice(self, value: int) -> Sequence[int | str]:
        """List the dice that lie on the table, if it holds any."""
        return ()

    def part(self, name: str, value: int, label: Text = "") -> Part:
        """Describe a value for a board."""
        return text_part(name, self.show(value), label=label)

    def feature(self, value: int) -> Feature:
        """Give a value as a row of numbers."""
        return one_number(value, self.low, self.high)

    def rolled(self, before: int, value: int) -> Sequence[int | str]:
        """List the dice by which a roll made a value of the one before, if it holds any."""
        return ()

    def card_features(self, name: str, read: Callable[[Any], Any], says: str) -> Sequence[CardFeature]:
        """Give what a player sees of it, for strategy cards; `read` takes its values from positions, one or many."""
        return ()


class Number(Column):
    """Integers from 0 to `high`, or from `low` to `high`.

    >>> Number(100).size, Number(-5, 5).show(-2)
    (101, '-2')
    """

    def __init__(self, low: int, high: int | None = None) -> None:
        self.low, top = (0, low) if high is None else (low, high)
        for end in (self.low, top):
            if type(end) is not int or abs(end) >= 1 << 62:
                raise GameError(f"a number from {brief(self.low)} to {brief(top)}: expected two integers below 2**62")
        if top < self.low:
            raise GameError(f"a number from {self.low} to {top}: expected a range that is not empty")
        self.size = top - self.low + 1

    def show(self, value: int) -> str:
        return str(value)

    def read(self, text: str) -> int:
        if not is_number(text, negative=True) or not self.low <= int(text) <= self.high:
            raise PositionError(f"{brief(text)}: expected {self.example}")
        return int(text)

    @property
    def example(self) -> str:
        return f"a number from {self.low} to {self.high}"

    def part(self, name: str, value: int, label: Text = "") -> Part:
        return number_part(name, value, self.low, self.high, label=label)

    def card_features(self, name: str, read: Callable[[Any], Any], says: str) -> Sequence[CardFeature]:
        return [CardFeature(name, read, self.low, self.high, says, many=True)]


class Die(Number):
    """What one die shows: 0, nothing yet, to its number of faces."""

    def part(self, name: str, value: int, label: Text = "") -> Part:
        return dice_part(name, self.dice(value), self.high, label=label)

    def dice(self, value: int) -> Sequence[int | str]:
        return (value,) if value else ()

    def rolled(self, before: int, value: int) -> Sequence[int | str]:
        return self.dice(value)


class BigNumber(Number):
    """A number that is drawn large."""

    def part(self, name: str, value: int, label: Text = "") -> Part:
        return number_part(name, value, self.low, self.high, label=label, kind="counter")


class Track(Number):
    """A number that is drawn as steps."""

    def part(self, name: str, value: int, label: Text = "") -> Part:
        return track_part(name, value, self.low, self.high, label=label)


class Flag(Number):
    """0 or 1, drawn as a tile that is shut or open."""

    def __init__(self) -> None:
        super().__init__(1)

    def part(self, name: str, value: int, label: Text = "") -> Part:
        return set_part(name, [str(label or spoken(name))], [value == 1], label=label, kind="tiles")


class Mover(Number):
    """The player to move: 0, the first, who maximises, or 1, the second."""

    def __init__(self) -> None:
        super().__init__(1)

    def show(self, value: int) -> str:
        return PLAYERS[value]

    def read(self, text: str) -> int:
        found = next((place for place, name in enumerate(PLAYERS) if says(text, name)), None)
        if found is None:
            raise PositionError(f"{brief(text)}: expected {self.example}")
        return found

    @property
    def example(self) -> str:
        return "first or second"

    def part(self, name: str, value: int, label: Text = "") -> Part:
        return mover_part(name, value, label=label or "to move")

    def card_features(self, name: str, read: Callable[[Any], Any], says: str) -> Sequence[CardFeature]:
        """Nothing: a card is for the player to move."""
        return ()


class Subset(Column):
    """A set of some of the given members, numbers or names, as a bit mask: the first member is bit 0.

    >>> tiles = Subset(range(1, 10))
    >>> tiles.all, tiles.show(0b11), tiles.read("1,9")
    (511, '1,2', 257)
    """

    def __init__(self, members: Iterable[int | str]) -> None:
        self.members = tuple(members)
        self.names = tuple(str(member) for member in self.members)
        for name in self.names:
            if not name or "," in name or name.split() != [name] or name in ("all", "none"):
                raise GameError(f"a set has the member {name!r}: expected a number, or a name without blanks and commas")
        if not 1 <= len(set(self.names)) == len(self.names) <= MOST_MEMBERS:
            raise GameError(f"a set of {len(self.names)} members: expected 1 to {MOST_MEMBERS} different ones")
        self.size = 1 << len(self.members)

    def __reduce__(self) -> tuple[type, tuple[tuple[int | str, ...]]]:
        """Copy it by its members, without what was made of them."""
        return type(self), (self.members,)

    @property
    def all(self) -> int:
        """The set of all members."""
        return self.size - 1

    def show(self, value: int) -> str:
        if value in (0, self.all):
            return "all" if value else "none"
        return ",".join(name for place, name in enumerate(self.names) if value >> place & 1)

    def read(self, text: str) -> int:
        return sum(1 << self.names.index(name) for name in read_names(text, dict.fromkeys(self.names, 1)))

    @property
    def example(self) -> str:
        return f"all, none, or members such as {','.join(self.names[:2])}"

    def part(self, name: str, value: int, label: Text = "") -> Part:
        return set_part(name, self.names, [bool(value >> place & 1) for place in range(len(self.names))], label=label)

    def feature(self, value: int) -> Feature:
        return Feature(tuple(value >> place & 1 for place in range(len(self.names))), 0, 1)

    def card_features(self, name: str, read: Callable[[Any], Any], says: str) -> Sequence[CardFeature]:
        """Whether each member is in it, and how many are."""
        flags = [
            CardFeature(f"{member} {name}", _bit(read, place), says=f"{member} is among {says}", many=True)
            for place, member in enumerate(self.names)
        ]
        most, said = len(self.names), f"how many are among {says}"
        count = CardFeature(
            f"number of {name}", lambda s: sum(read(s) >> place & 1 for place in range(most)), 0, most, said, many=True
        )
        return [*flags, count]

    @cached_property
    def _numbers(self) -> tuple[int, ...]:
        numbers = tuple(member for member in self.members if type(member) is int and member >= 0)
        if len(numbers) < len(self.members):
            raise GameError(f"a set of {', '.join(self.names[:3])}, ... has no sums: expected numbers of 0 or more")
        return numbers

    def each(self) -> Relation:
        """List the members: `index` and `bit`, and for numbers `member`."""
        places = range(len(self.members))
        numbers = {"member": list(self.members)} if all(type(member) is int for member in self.members) else {}
        return Relation({"index": list(places), "bit": [1 << place for place in places], **numbers}, labels=self.names)

    def subsets(self, most: int | None = None, *, members: int | None = None) -> Relation:
        """List the sets of one to `members` members whose sum is at most `most`, by `sum`: `mask`, `sum`, `count`.

        Raises `GameError` where there is none, or too many.
        """
        masks: list[tuple[int, int, int]] = [(0, 0, 0)]
        for place, number in enumerate(self._numbers):
            masks += [
                (mask | 1 << place, total + number, count + 1)
                for mask, total, count in masks
                if (most is None or total + number <= most) and (members is None or count < members)
            ]
            if len(masks) > MOST_ROWS:
                raise GameError(f"there are more than {MOST_ROWS:,} such sets: give a smaller sum or fewer members")
        found = sorted(masks[1:], key=lambda row: (row[1], row[2], row[0]))
        if not found:
            limits = [f"a sum of at most {most}"] * (most is not None) + [f"at most {members} members"] * (members is not None)
            raise GameError(f"no set of {brief(self.members)} has {' and '.join(limits)}: allow more")
        columns = dict(zip(("mask", "sum", "count"), map(list, zip(*found, strict=True)), strict=True))
        return Relation(columns, key="sum", labels=self._label)

    def _label(self, row: dict[str, int]) -> str:
        return "+".join(name for place, name in enumerate(self.names) if row["mask"] >> place & 1)


class Tiles(Subset):
    """A set that is drawn as tiles, which a tap tips over."""

    def part(self, name: str, value: int, label: Text = "") -> Part:
        return {**super().part(name, value, label), "kind": "tiles"}


class Dice(Column):
    """A hand of at most so many dice, by its number; 0 is no dice at all.

    >>> hand = Dice(5)
    >>> hand.show(hand.read("31133")), hand.show(0)
    ('11333', '-')
    """

    def __init__(self, hands: Hands | int, faces: int | Mapping[int | str, int] = 6) -> None:
        self.hands = hands if isinstance(hands, Hands) else Hands(hands, faces)
        self.size = len(self.hands)

    def show(self, value: int) -> str:
        return self.hands.show(value)

    def read(self, text: str) -> int:
        found = self.hands.read(text)
        if found is None:
            raise PositionError(f"{brief(text)}: expected {self.example}")
        return found

    @property
    def example(self) -> str:
        return f"up to {self.hands.most} dice such as {self.hands.show(self.size - 1)}, or -"

    def dice(self, value: int) -> Sequence[int | str]:
        return self.hands.shown(value)

    def part(self, name: str, value: int, label: Text = "") -> Part:
        return dice_part(name, self.dice(value), self.hands.faces, label=label)

    def feature(self, value: int) -> Feature:
        return face_counts(self.hands.faces_of[value], range(1, self.hands.faces + 1), self.hands.most)

    def rolled(self, before: int, value: int) -> Sequence[int | str]:
        return tuple((Counter(self.dice(value)) - Counter(self.dice(before))).elements())

    def card_features(self, name: str, read: Callable[[Any], Any], says: str) -> Sequence[CardFeature]:
        """How many dice there are, what they add up to, how many are alike, and how many show each face."""
        hands = self.hands

        def see(what: str, by_hand: Any, said: str) -> CardFeature:
            """Give a feature that is looked up by the number of the hand."""
            low, high = min(0, int(by_hand.min())), int(by_hand.max())
            return CardFeature(f"{what} {name}", lambda position: by_hand[read(position)], low, high, said, many=True)

        return [
            see("dice in", hands.dice, f"how many dice are in {says}"),
            see("sum of", hands.sum, f"what the dice of {says} add up to"),
            see("alike in", hands.count.max(axis=1), f"the most dice of {says} that show one face"),
            *(
                see(f"{side}s in", hands.count[:, face], f"dice of {says} that show a {side}")
                for face, side in enumerate(hands.sides, start=1)
            ),
        ]


def _bit(read: Callable[[Any], Any], place: int) -> Callable[[Any], Any]:
    return lambda position: read(position) >> place & 1
