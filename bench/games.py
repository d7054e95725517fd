"""The games of the benchmark that the catalogue has not, as rules over columns: `make` gives one by its name."""

from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from bench.inputs import random_words
from rollwise import AtLeast, Fewest, Game, Objective
from rollwise.columns import ColumnGame, Mover, Number, Relation, Subset, chance, choice, maximum, throws, where
from rollwise.games import load
from tests.plain_pig import PlainPig

__all__ = ["ShutTheBox", "TwoDicePig", "TwoDicePigAlone", "WordDice", "make", "word_dice"]


def make(name: str, parameters: Mapping[str, Any] | None = None) -> Game[Any, Any, Any]:
    """Make a game of this file, or else of the catalogue."""
    found = GAMES.get(name)
    return found(**(parameters or {})) if found else load(name, **(parameters or {}))


class TwoDicePig(ColumnGame):
    """Pig with two dice: a single 1 loses the turn, two 1s lose the whole score, so that every position lies on one cycle."""

    def __init__(self, target: int = 100) -> None:
        self.target = target
        self.declare(first=Number(target), second=Number(target), mover=Mover(), turn=Number(target))

    @property
    def objective(self) -> Objective:
        return AtLeast(1)

    def dice(self) -> Relation:
        """What two dice show: how many 1s, and without a 1 their sum."""
        sums = Counter(a + b for a in range(2, 7) for b in range(2, 7))
        return Relation({"ones": [2, 1] + [0] * len(sums), "sum": [0, 0, *sums]}, weight=[1, 10, *sums.values()])

    @chance(dice)
    def thrown(self, p: Any, pair: Any) -> Any:
        """Add to the turn, lose it or all, or win with enough."""
        mine, turn = p.mover == 0, p.turn + pair.sum
        none = where(mine, p.but(first=0), p.but(second=0))
        won = where(mine, p.but(first=self.target, turn=0), p.but(second=self.target, turn=0))
        reached = where(mine, p.first, p.second) + turn >= self.target
        lost = where(pair.ones == 2, none, p).but(mover=1 - p.mover, turn=0)
        return where(pair.ones > 0, lost, where(reached, won, p.but(turn=turn)))

    @choice("hold", when=lambda self, s: self.may_hold(s))
    def hold(self, s: Any) -> Any:
        """Bank the turn's points."""
        first, second = s.first + (1 - s.mover) * s.turn, s.second + s.mover * s.turn
        return s.but(first=first, second=second, mover=1 - s.mover, turn=0)

    @choice("roll", when=lambda self, s: self.may_roll(s))
    def again(self, s: Any) -> Any:
        """Throw the dice."""
        return s

    def may_hold(self, s: Any) -> Any:
        """Say where the turn may end."""
        return s.turn > 0

    def may_roll(self, s: Any) -> Any:
        """Say where the dice may be thrown."""
        return maximum(s.first, s.second) < self.target

    def final(self, s: Any) -> Any:
        return s.first == self.target


class TwoDicePigAlone(TwoDicePig):
    """Pig with two dice against a player who holds as soon as a turn has `least` points: one player, one cycle."""

    def __init__(self, target: int = 100, least: int = 20) -> None:
        self.target, self.least = target, least
        self.declare(first=Number(target), second=Number(target), mover=Number(1), turn=Number(target))

    def may_hold(self, s: Any) -> Any:
        return where(s.mover == 0, s.turn > 0, s.turn >= self.least)

    def may_roll(self, s: Any) -> Any:
        return super().may_roll(s) & ((s.mover == 0) | (s.turn < self.least))


class ShutTheBox(ColumnGame):
    """Shut open tiles whose sum is thrown, until the box is shut or nothing fits; the end pays 1 for a box that is shut."""

    def __init__(self, tiles: int = 9, dice: int = 2) -> None:
        self.tiles, self.dice = Subset(range(1, tiles + 1)), dice
        self.declare(open=self.tiles, rolled=Number(6 * dice))
        self.begin = {"open": self.tiles.all}

    @chance(lambda self: throws(self.dice), unless=lambda p: p.open == 0)
    def thrown(self, p: Any, dice: Any) -> Any:
        """Throw all dice."""
        return p.but(rolled=dice.sum)

    @choice(
        "shut",
        lambda self: self.tiles.subsets(6 * self.dice),
        on="rolled",
        when=lambda s, tiles: s.open & tiles.mask == tiles.mask,
    )
    def shut(self, s: Any, tiles: Any) -> Any:
        """Shut some tiles."""
        return s.but(open=s.open - tiles.mask, rolled=0)

    def final(self, s: Any) -> Any:
        return s.open == 0


class WordDice(ColumnGame):
    """Reroll any dice until they show a word, in as few rolls as possible: the game `words` for dice without a common symbol.

    A column holds what a die shows, 0 for one that is thrown. `words` are texts with one symbol of every die, in any order.
    """

    def __init__(self, dice: list[str], words: list[str]) -> None:
        self.dice = dice
        self.declare(**{f"die{i}": Number(len(symbols)) for i, symbols in enumerate(dice)})
        self.sizes = tuple(len(symbols) + 1 for symbols in dice)
        self.is_word = np.zeros(self.sizes, dtype=np.bool_)
        for word in words:
            self.is_word[tuple(1 + next(symbols.index(s) for s in word if s in symbols) for symbols in dice)] = True

    @property
    def objective(self) -> Objective:
        return Fewest()

    def shown(self, position: Any) -> tuple[Any, ...]:
        """Give what every die shows."""
        return tuple(getattr(position, f"die{i}") for i in range(len(self.dice)))

    def throws(self) -> Relation:
        """List what dice may show, by the set of those that are thrown."""
        rows = np.array(list(product(*(range(size) for size in self.sizes))))
        thrown = (rows > 0) @ (1 << np.arange(len(self.dice)))
        return Relation({"thrown": thrown, **{f"die{i}": rows[:, i] for i in range(len(self.dice))}}, key="thrown")

    def keeps(self) -> Relation:
        """List the sets of dice that may be kept: any but all."""
        return Relation({"kept": range(2 ** len(self.dice) - 1)})

    @chance(throws, on=lambda self, p: sum((die == 0) * (1 << i) for i, die in enumerate(self.shown(p))))
    def thrown(self, p: Any, row: Any) -> Any:
        """Throw the dice that are not kept."""
        return p.but(**{f"die{i}": die + getattr(row, f"die{i}") for i, die in enumerate(self.shown(p))})

    @choice("keep", keeps, when=lambda self, s, _: ~self.is_word[self.shown(s)])
    def keep(self, s: Any, row: Any) -> Any:
        """Keep some dice and throw the others."""
        return s.but(**{f"die{i}": die * (row.kept >> i & 1) for i, die in enumerate(self.shown(s))})


def word_dice(count: int) -> WordDice:
    """Make `count` dice and a thousand words, those of the rows about the family."""
    return WordDice(*random_words(count))


GAMES: Mapping[str, Any] = {
    "two-dice pig": TwoDicePig,
    "two-dice pig against a holder": TwoDicePigAlone,
    "shut the box": ShutTheBox,
    "word dice": word_dice,
    "plain pig": PlainPig,
}
