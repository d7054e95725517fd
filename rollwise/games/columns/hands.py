"""Hands of dice by number: all multisets of at most so many dice, and the tables that dice games are made of."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb, factorial, gcd, prod
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.games.columns.relation import MOST_ROWS, Ints, Relation, integers
from rollwise.model.roll import LARGEST
from rollwise.model.weights import weights_for

__all__ = ["Hands"]

Hand = tuple[int, ...]
MOST_HANDS = 200_000


class Hands:
    """All sorted hands of at most `most` dice, numbered: 0 is no dice, then the hands of one die, of two, and so on.

    >>> hands = Hands(2)
    >>> len(hands), hands.faces_of[1], hands.number[(1, 6)], hands.dice[hands.number[(1, 6)]]
    (28, (1,), 12, np.int64(2))

    `weights` say how often each face comes, where that is not the same for all. Other dice are given by their sides, numbers or
    names, with a weight for each. Then a face is the place of a side, from 1.

    >>> pigs = Hands(2, {"side": 65, "trotter": 9, "jowler": 1})
    >>> pigs.show(pigs.number[(1, 3)]), pigs.throws(2).weight.tolist()
    ('side,jowler', [4225, 1170, 130, 81, 18, 1])
    """

    def __init__(self, most: int, faces: int | Mapping[int | str, int] = 6, weights: Sequence[int] | None = None) -> None:
        sides = tuple(faces) if isinstance(faces, Mapping) else None
        number = faces if sides is None else len(sides)
        if type(most) is not int or type(number) is not int or most < 1 or number < 1:
            raise GameError(f"hands of {most!r} dice with {faces!r} faces: expected at least one of each")
        if comb(most + number, min(most, number)) > MOST_HANDS:
            raise GameError(f"hands of up to {most} dice with {number} faces are more than {MOST_HANDS:,}: take fewer")
        self.most, self.faces, self._given = most, number, faces
        self.sides: tuple[int | str, ...] = tuple(range(1, number + 1)) if sides is None else sides
        self.weights = weights_for(number, list(faces.values()) if isinstance(faces, Mapping) else weights)
        self._between = "" if all(len(str(side)) == 1 for side in self.sides) else ","

    def __len__(self) -> int:
        return comb(self.most + self.faces, self.faces)

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        """Copy them by their number, without the tables that were made of them."""
        return Hands, (self.most, self._given, None if isinstance(self._given, Mapping) else self.weights)

    @cached_property
    def faces_of(self) -> tuple[Hand, ...]:
        """The faces of every hand, by number."""
        every = range(1, self.faces + 1)
        return tuple(hand for count in range(self.most + 1) for hand in combinations_with_replacement(every, count))

    @cached_property
    def number(self) -> dict[Hand, int]:
        """The number of every hand, by its sorted faces."""
        return {hand: number for number, hand in enumerate(self.faces_of)}

    @cached_property
    def dice(self) -> Ints:
        """How many dice each hand has."""
        return np.array([len(hand) for hand in self.faces_of])

    @property
    def left(self) -> Ints:
        """Which dice are left when each hand is rolled again; of equal dice, how many."""
        return self.dice

    @property
    def full(self) -> int:
        """What `left` is for all dice."""
        return self.most

    @cached_property
    def dice_left(self) -> tuple[int, ...]:
        """How many dice are left, by `left`."""
        return tuple(range(self.most + 1))

    def name_left(self, left: int) -> str:
        """Name the dice that are left, where that is more than their number."""
        return ""

    @property
    def example(self) -> str:
        """Say how a hand is written, for messages."""
        return f"at most {self.most} faces, such as {'11356'[-self.most :]}"

    @cached_property
    def sum(self) -> Ints:
        """What the dice of each hand show in all; a name counts nothing."""
        points = [0, *(side if isinstance(side, int) else 0 for side in self.sides)]
        return np.array([sum(points[face] for face in hand) for hand in self.faces_of])

    @cached_property
    def count(self) -> Ints:
        """How many dice show a face: `count[hand, face]`."""
        return np.array([[hand.count(face) for face in range(self.faces + 1)] for hand in self.faces_of])

    def of(self, score: Callable[[Hand], int] | Sequence[Callable[[Hand], int]], dice: int | None = None) -> Ints:
        """Ask a function of the faces for every hand (of so many dice; 0 for others), or several: `scores[which, hand]`."""
        if not callable(score):
            return np.array([self.of(one, dice) for one in score])
        found = [score(hand) if dice in (None, len(hand)) else 0 for hand in self.faces_of]
        return integers("the score of a hand", found)

    def _ways(self, count: int) -> list[tuple[int, int]]:
        """The hands of `count` dice, by number, with how many throws give them, in lowest terms."""
        never = {face for face, weight in enumerate(self.weights, 1) if not weight}
        hands = [hand for hand in self.faces_of if len(hand) == count and never.isdisjoint(hand)]
        ways = [factorial(count) // prod(factorial(hand.count(face)) for face in set(hand)) for hand in hands]
        if any(weight > 1 for weight in self.weights):
            ways = [each * prod(self.weights[face - 1] for face in hand) for each, hand in zip(ways, hands, strict=True)]
        divisor = gcd(*ways)
        if sum(ways) // divisor >= LARGEST:
            raise GameError(f"{count} dice have 2**62 throws or more: throw fewer at once, or give smaller weights")
        return [(self.number[hand], weight // divisor) for hand, weight in zip(hands, ways, strict=True)]

    def throws(self, count: int | None = None) -> Relation:
        """List the throws of `count` dice, or, by the number of `dice`, of any: `hand`."""
        counts = range(self.most + 1) if count is None else [count]
        rows = [(dice, hand, weight) for dice in counts for hand, weight in self._ways(dice)]
        dice, hand, weight = zip(*rows, strict=True)
        return Relation({"dice": dice, "hand": hand}, key="dice" if count is None else None, weight=weight, labels=self._hand)

    def refills(self, count: int | None = None) -> Relation:
        """List, by the hand that is `kept`, what throwing the missing dice of `count` (default: all) gives: `hand`."""
        count = self.most if count is None else count
        kept = [number for number, hand in enumerate(self.faces_of) if len(hand) <= count]
        self._bound(sum(comb(count - len(self.faces_of[number]) + self.faces - 1, self.faces - 1) for number in kept))
        rows = []
        for number in kept:
            own = self.faces_of[number]
            thrown = self._thrown[count - len(own)]
            rows += [(number, self.number[tuple(sorted(own + hand))], weight) for hand, weight in thrown]
        kept_column, hand_column, weight = zip(*rows, strict=True)
        return Relation({"kept": kept_column, "hand": hand_column}, key="kept", weight=weight, labels=self._hand)

    @cached_property
    def _thrown(self) -> list[list[tuple[Hand, int]]]:
        return [[(self.faces_of[hand], weight) for hand, weight in self._ways(count)] for count in range(self.most + 1)]

    def of_alike(self, find: Callable[["Hands"], Ints]) -> Ints:
        """Give what a function finds for all hands, where it looks at faces only."""
        return find(self)

    def keeps(self, only: Any = True) -> Relation:
        """List, by `hand`, the dice that may be kept, most dice first, then in order: `kept`, and the `rest`.

        `only` marks the hands that may be kept.
        """
        rows: list[tuple[int, int, int]] = []
        for number, hand in enumerate(self.faces_of):
            rows += [(number, kept, rest) for kept, rest in self._parts(hand)]
            self._bound(len(rows))
        hand_column, kept_column, rest_column = zip(*rows, strict=True)
        found = Relation({"hand": hand_column, "kept": kept_column, "rest": rest_column}, key="hand", labels=self._kept)
        return found if only is True else found.only(only[found.kept])

    def _parts(self, hand: Hand) -> list[tuple[int, int]]:
        """The ways to split a hand in two, those that keep most dice first."""
        parts: list[tuple[Hand, Hand]] = [((), ())]
        for face in sorted(set(hand)):
            n = hand.count(face)
            parts = [(kept + (face,) * k, rest + (face,) * (n - k)) for kept, rest in parts for k in range(n + 1)]
        parts.sort(key=lambda part: (-len(part[0]), part[0]))
        return [(self.number[kept], self.number[rest]) for kept, rest in parts]

    def _bound(self, rows: int) -> None:
        if rows > MOST_ROWS:
            raise GameError(f"a table over hands of {self.most} dice has more than {MOST_ROWS:,} rows: take fewer dice")

    def is_written(self, word: str) -> bool:
        """Say whether a word is a hand that is written die by die, as dice that differ are."""
        return False

    def shown(self, number: int) -> tuple[int | str, ...]:
        """List the sides that the dice of a hand show."""
        return tuple(self.sides[face - 1] for face in self.faces_of[number])

    def show(self, number: int) -> str:
        """Write a hand; no dice are a dash."""
        return self._between.join(map(str, self.shown(number))) or "-"

    def read(self, text: str) -> int | None:
        """Read a hand in any order, with or without commas and blanks; None if it is none."""
        if text.strip() == "-":
            return 0
        plain = not isinstance(self._given, Mapping)
        parts = re.split(r"[\s,-]+" if plain else r"[\s,]+", text.strip())
        place = {str(side): face for face, side in enumerate(self.sides, start=1)}
        found = [place.get(_plainly(name), 0) for name in (parts if self._between else "".join(parts))]
        return self.number.get(tuple(sorted(found)))

    def _hand(self, row: dict[str, int]) -> str:
        return self.show(row["hand"])

    def _kept(self, row: dict[str, int]) -> str:
        return self.show(row["kept"]) if row["kept"] else "nothing"


def _plainly(side: str) -> str:
    """Write a number as numbers are written: 3 for 03."""
    return str(int(side)) if side.isascii() and side.isdigit() and len(side) < 10 else side
