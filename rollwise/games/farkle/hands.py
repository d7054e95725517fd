"""Hands of dice of which some are loaded differently: it matters which dice lie on the table, and which are left.

Equal dice form a group. A hand is one of `Hands` for each group, numbered together; which dice are left is a number for each
group, numbered together as well: 0 is none, `full` is all. Of equal dice both numbers are those of `Hands`.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, reduce
from math import prod
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.games.columns.hands import Hand, Hands
from rollwise.games.columns.relation import Ints, Relation
from rollwise.model.roll import LARGEST
from rollwise.model.weights import Faces

__all__ = ["FACES", "MixedHands", "hands_of"]

FACES = 6
NOT_ROLLED = "-"


def hands_of(dice: Sequence[Faces]) -> Hands:
    """Give the hands of these dice, which may be equal."""
    return Hands(len(dice), FACES, dice[0]) if len(set(dice)) == 1 else MixedHands(dice)


class MixedHands(Hands):
    """All hands of at most these dice. A hand is written die by die, in the order given, with - for a die that is not in it.

    >>> hands = MixedHands([(1, 1, 1, 1, 1, 1), (1, 1, 1, 1, 1, 2)])
    >>> len(hands), hands.show(hands.read("-6")), int(hands.left[hands.read("-6")]), hands.full
    (49, '-6', 2, 3)
    """

    def __init__(self, dice: Sequence[Faces]) -> None:
        self.loads, self.most, self.faces = tuple(dice), len(dice), FACES
        self.sides = tuple(range(1, FACES + 1))
        self.places = [[place for place, die in enumerate(dice) if die == one] for one in dict.fromkeys(dice)]
        self.groups = [Hands(len(places), FACES, dice[places[0]]) for places in self.places]

    def __len__(self) -> int:
        return prod(map(len, self.groups))

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return MixedHands, (self.loads,)

    @cached_property
    def _step(self) -> list[int]:
        """By how much a hand grows with that of each group."""
        return [prod(map(len, self.groups[:place])) for place in range(len(self.groups))]

    @cached_property
    def _own(self) -> list[Ints]:
        """The hand of each group, by hand."""
        every = np.arange(len(self))
        return [every // step % len(group) for step, group in zip(self._step, self.groups, strict=True)]

    @cached_property
    def faces_of(self) -> tuple[Hand, ...]:
        return tuple(tuple(int(face) for face in self.show(hand) if face != NOT_ROLLED) for hand in range(len(self)))

    @cached_property
    def count(self) -> Ints:
        found: Ints = sum(group.count[part] for group, part in zip(self.groups, self._own, strict=True))  # type: ignore[assignment]
        return found

    @cached_property
    def dice(self) -> Ints:
        found: Ints = self.count.sum(axis=1)
        return found

    @cached_property
    def left(self) -> Ints:
        sizes = [len(places) + 1 for places in self.places]
        steps = [prod(sizes[:place]) for place in range(len(sizes))]
        found: Ints = sum(  # type: ignore[assignment]
            step * group.dice[part] for step, group, part in zip(steps, self.groups, self._own, strict=True)
        )
        return found

    @property
    def full(self) -> int:
        return prod(len(places) + 1 for places in self.places) - 1

    @cached_property
    def dice_left(self) -> tuple[int, ...]:
        found = np.zeros(self.full + 1, dtype=np.int64)
        found[self.left] = self.dice
        return tuple(found.tolist())

    def of_alike(self, find: Callable[[Hands], Ints]) -> Ints:
        """Give what a function finds for all hands; it is given those of equal dice."""
        plain = Hands(self.most, FACES)
        powers = (self.most + 1) ** np.arange(FACES + 1)
        number = np.zeros(powers[-1] * (self.most + 1), dtype=np.int64)
        number[plain.count @ powers] = np.arange(len(plain))
        found: Ints = find(plain)[number[self.count @ powers]]
        return found

    @cached_property
    def _named(self) -> dict[int, str]:
        """A hand with all dice that are left, by `left`: where each group has them first."""
        found: dict[int, str] = {}
        for hand, left in enumerate(self.left.tolist()):
            if left not in found:
                found[left] = self.show(hand)
        return found

    def name_left(self, left: int) -> str:
        return "".join(str(place) if one != NOT_ROLLED else NOT_ROLLED for place, one in enumerate(self._named[left], 1))

    @property
    def example(self) -> str:
        return f"the face of each of the {self.most} dice in their order, - for one that was not rolled"

    def throws(self, count: int | None = None) -> Relation:
        """List the throws, by the number of the `dice` thrown: `hand`."""
        if prod(sum(weight for _, weight in group._ways(group.most)) for group in self.groups) >= LARGEST:
            raise GameError(f"{self.most} dice have 2**62 throws or more: give smaller weights")
        return reduce(self._joined_throws, range(len(self.groups)), Relation({"dice": [0], "hand": [0]}, key="dice"))

    def _joined_throws(self, found: Relation, place: int) -> Relation:
        thrown, group = self.groups[place].throws(), prod(len(places) + 1 for places in self.places[:place])
        columns = {"dice": _outer(found.dice, group * thrown.dice), "hand": _outer(found.hand, self._step[place] * thrown.hand)}
        weight = np.multiply.outer(found.weight, thrown.weight).reshape(-1)
        return Relation(columns, key="dice", weight=weight, labels=self._hand)

    def keeps(self, only: Any = True) -> Relation:
        """List, by `hand`, the dice that may be kept, of those hands that are marked, most dice first: `kept`, and the `rest`."""
        hand = kept = rest = np.zeros(1, dtype=np.int64)
        for step, group in zip(self._step, self.groups, strict=True):
            one = group.keeps()
            hand, kept, rest = (_outer(a, step * b) for a, b in ((hand, one.hand), (kept, one.kept), (rest, one.rest)))
        marked = np.flatnonzero(np.broadcast_to(only, len(self))[kept])
        order = marked[np.lexsort((kept[marked], -self.dice[kept[marked]], hand[marked]))]
        return Relation({"hand": hand[order], "kept": kept[order], "rest": rest[order]}, key="hand", labels=self._kept)

    def show(self, number: int) -> str:
        """Write a hand, die by die; no dice are a dash."""
        if not number:
            return NOT_ROLLED
        found = [NOT_ROLLED] * self.most
        for group, places, step in zip(self.groups, self.places, self._step, strict=True):
            for place, face in zip(places, group.faces_of[number // step % len(group)], strict=False):
                found[place] = str(face)
        return "".join(found)

    def is_written(self, word: str) -> bool:
        return len(word) == self.most and set(word) <= set("123456-") and word != NOT_ROLLED

    def read(self, text: str) -> int | None:
        """Read a hand, die by die; None if it is none."""
        dice = text.strip()
        if dice == NOT_ROLLED:
            return 0
        if not self.is_written(dice):
            return None
        faces = [[int(dice[place]) for place in places if dice[place] != NOT_ROLLED] for places in self.places]
        found = zip(self._step, self.groups, faces, strict=True)
        return sum(step * group.number[tuple(sorted(hand))] for step, group, hand in found)


def _outer(one: Ints, other: Ints) -> Ints:
    """Add every number of the one to every number of the other."""
    return np.add.outer(one, other).reshape(-1)
