"""Games over columns, for tests: what the catalogue has in another form, and any small game written down as tables."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rollwise import AtLeast, Objective
from rollwise.columns import ColumnGame, Dice, Hands, Mover, Number, Relation, Subset, chance, choice, has, maximum, throws, where
from rollwise.families import Box
from rollwise.games.slots import STANDARD
from tests.strategies import TableGame


class ColumnSlots(ColumnGame):
    free, total, die = Subset([slot.name for slot in STANDARD]), Number(51), Number(6)
    begin = {"free": free.all}
    score = np.array([(0, *slot.scores) for slot in STANDARD])

    @property
    def objective(self) -> Objective:
        return AtLeast(1)

    @chance(throws(1), unless=lambda p: p.free == 0)
    def thrown(self, p: Any, die: Any) -> Any:
        return p.but(die=die.sum)

    @choice("put in", free.each(), when=lambda s, slot: has(s.free, slot.index))
    def put(self, s: Any, slot: Any) -> Any:
        return s.but(free=s.free - slot.bit, total=s.total + self.score[slot.index, s.die], die=0)

    def final(self, s: Any) -> Any:
        return s.total >= 45


class ColumnYazy(ColumnGame):
    """A score sheet without bonus: `boxes` have a name and a score."""

    def __init__(self, boxes: Sequence[Box], rerolls: int = 2) -> None:
        self.hands, self.rerolls = Hands(5), rerolls
        self.boxes = Subset([box.name for box in boxes])
        self.score = self.hands.of([box.score for box in boxes], dice=5)
        self.declare(open=self.boxes, left=Number(rerolls + 1), dice=Dice(self.hands))
        self.begin = {"open": self.boxes.all, "left": rerolls + 1}

    @chance(lambda self: self.hands.refills(), on="dice", unless=lambda p: p.open == 0)
    def thrown(self, p: Any, throw: Any) -> Any:
        return p.but(left=p.left - 1, dice=throw.hand)

    @choice("fill", lambda self: self.boxes.each(), when=lambda s, box: has(s.open, box.index))
    def fill(self, s: Any, box: Any) -> Any:
        rest = s.open - box.bit
        return s.but(open=rest, left=where(rest > 0, self.rerolls + 1, 0), dice=0), self.score[box.index, s.dice]

    @choice("keep", lambda self: self.hands.keeps(), on="dice", when=lambda s, k: (s.left > 0) & (k.rest > 0))
    def keep(self, s: Any, k: Any) -> Any:
        return s.but(dice=k.kept)


def farkle_points(hand: tuple[int, ...]) -> int:
    """Points in fifties; 0 if some die does not score."""
    points = 0
    for face in set(hand):
        threes, rest = divmod(hand.count(face), 3)
        if rest and face not in (1, 5):
            return 0
        points += threes * (20 if face == 1 else 2 * face) + rest * {1: 2, 5: 1}.get(face, 0)
    return points


class FarkleTurn(ColumnGame):
    """One turn of Farkle with up to `most` fifties, so that it is finite."""

    hands = Hands(6)

    def __init__(self, most: int = 400) -> None:
        self.most = most
        self.declare(points=Number(most), left=Number(6), hand=Dice(self.hands))
        self.begin = {"left": 6}

    def sets(self) -> Relation:
        found = self.hands.keeps()
        points = self.hands.of(farkle_points)[found.kept]
        return found.plus(points=points, left=where(found.rest == 0, 6, self.hands.dice[found.rest])).only(points > 0)

    @chance(lambda self: self.hands.throws(), on="left", unless=lambda p: p.left == 0)
    def thrown(self, p: Any, throw: Any) -> Any:
        return p.but(left=0, hand=throw.hand)

    @choice("bank", sets, on="hand")
    def bank(self, s: Any, k: Any) -> Any:
        return s.but(points=0, hand=0), 50 * (s.points + k.points)

    @choice("roll on", sets, on="hand", when=lambda self, s, k: s.points + k.points <= self.most)
    def roll_on(self, s: Any, k: Any) -> Any:
        return s.but(points=s.points + k.points, left=k.left, hand=0)


class Threes(ColumnGame):
    """Keep at least one die of every throw; threes count nothing, and few points are good."""

    left, hand = Number(5), Dice(5)
    begin = {"left": 5}
    points, dice = hand.hands.of(lambda faces: sum(face for face in faces if face != 3)), hand.hands.dice

    @chance(hand.hands.throws(), on="left", unless=lambda p: p.left == 0)
    def thrown(self, p: Any, throw: Any) -> Any:
        return p.but(left=0, hand=throw.hand)

    @choice("keep", hand.hands.keeps(), on="hand", when=lambda s, k: k.kept > 0)
    def keep(self, s: Any, k: Any) -> Any:
        return s.but(left=self.dice[k.rest], hand=0), -self.points[k.kept]


class TwoDicePig(ColumnGame):
    """Pig with two dice: one 1 loses the turn, two lose the whole score. All 36 throws are listed, many of which are the same."""

    def __init__(self, target: int = 100) -> None:
        self.target = target
        self.declare(me=Number(target), other=Number(target), turn=Number(target), player=Mover())

    @property
    def objective(self) -> Objective:
        return AtLeast(1)

    def dice(self) -> Relation:
        pairs = [(a, b) for a in range(1, 7) for b in range(1, 7)]
        return Relation({"sum": [a + b for a, b in pairs], "ones": [(a == 1) + (b == 1) for a, b in pairs]})

    @chance(dice)
    def thrown(self, p: Any, pair: Any) -> Any:
        turn = p.turn + pair.sum
        lost = self.over_to_you(p.but(me=where(pair.ones == 2, 0, p.me)))
        won = p.but(me=self.target, turn=0)
        return where(pair.ones > 0, lost, where(p.me + turn >= self.target, won, p.but(turn=turn)))

    @choice("hold", when=lambda s: s.turn > 0)
    def hold(self, s: Any) -> Any:
        return self.over_to_you(s.but(me=s.me + s.turn))

    @choice("roll", when=lambda self, s: maximum(s.me, s.other) < self.target)
    def again(self, s: Any) -> Any:
        return s

    def over_to_you(self, p: Any) -> Any:
        return p.but(me=p.other, other=p.me, turn=0, player=1 - p.player)

    def final(self, s: Any) -> Any:
        return s.player == 0


class ColumnTables(ColumnGame):
    """Any game written down as tables: a column for the number of the state or roll, one for the mover."""

    def __init__(self, game: TableGame) -> None:
        self.game = game
        self.ends = sorted({state for roll in game.rolls.values() for state in roll})
        self.names = sorted(game.rolls)
        self.declare(node=Number(max(len(self.ends), len(self.names))), who=Mover())
        self.begin = {"node": self.names.index("p0")}

    def rolls(self) -> Relation:
        rows = [
            (self.names.index(name), self.ends.index(state), weight)
            for name, roll in self.game.rolls.items()
            for state, weight in roll.items()
        ]
        roll, state, weight = zip(*rows, strict=True)
        return Relation({"roll": roll, "state": state}, key="roll", weight=weight)

    def moves(self) -> Relation:
        rows = [
            (self.ends.index(state), place, self.names.index(pending), gain)
            for state, options in self.game.moves.items()
            if state in self.ends
            for place, (pending, gain) in enumerate(options)
        ]
        columns = zip(*rows, strict=True) if rows else ([], [], [], [])
        return Relation(dict(zip(("state", "place", "roll", "gain"), columns, strict=True)), key="state")

    @chance(rolls, on="node")
    def thrown(self, p: Any, row: Any) -> Any:
        return p.but(node=row.state, who=np.array([self.game.mover(state) for state in self.ends])[row.state])

    @choice("move", moves, on="node")
    def move(self, s: Any, row: Any) -> Any:
        return s.but(node=row.roll, who=0), row.gain

    def final(self, s: Any) -> Any:
        return np.array([*(self.game.payoff(state) for state in self.ends), 0])[s.node]

    def price(self, p: Any) -> Any:
        return np.array([*(self.game.cost(name) for name in self.names), 0])[p.node]
