"""Score sheets: roll, keep and reroll, then fill one box a turn (yazy, Yahtzee, Yatzy and their kin).

A sheet is data: boxes with scoring rules, the number of dice, faces and rerolls, an upper bonus, a joker rule. What must be
remembered between turns is which boxes are open and the *carry*: the upper total (up to the bonus threshold) and whether the
box for five of a kind was filled with points (as long as later ones earn a bonus).

The upper bonus is gained by the action that reaches the threshold; a bonus in steps, step by step. A box may be filled several
times (`Box.times`), may pay more for the first roll of a turn (`Box.first`), and one box may win the game at once with it
(`InstantWin`).

With saved rolls, rerolls that a turn did not use are added to those of the next one: `left` counts all that may be used, so that
no position has to remember where they come from.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise
from typing import Any, NamedTuple

from rollwise.errors import GameError
from rollwise.games.sheets.boxes import (
    MOST_REROLLS,
    MOST_TIMES,
    Box,
    Hand,
    InstantWin,
    Joker,
    Move,
    Turn,
    UpperBonus,
    box_fields,
    keeps_of,
)
from rollwise.games.sheets.duel import RestatedDuel
from rollwise.games.sheets.notation import SheetFeatures, SheetNotation
from rollwise.games.sheets.view import SheetView
from rollwise.games.sheets.vocabulary import sheet_vocabulary
from rollwise.model.abilities import Duels, Heuristic, KnowsGains, Sized, overridden
from rollwise.model.card import Vocabulary
from rollwise.model.game import Game
from rollwise.model.roll import Roll, certain, dice
from rollwise.model.weights import ThrowsDice, roll_of, weights_for

__all__ = ["Sheet"]

MOST_POINTS = 10**12


class _Fields(NamedTuple):
    """The number that stands for open boxes: one time of each box in it, all bits of each, and all boxes open."""

    boxes: tuple[Box, ...]
    unit: tuple[int, ...]
    field: tuple[int, ...]
    full: int


class Sheet(Game[Turn, Turn, Move], Duels, Heuristic, KnowsGains, Sized, ThrowsDice):
    """A score sheet game.

    >>> ones = Box("ones", lambda hand: hand.count(1), face=1)
    >>> import rollwise
    >>> rollwise.solve(Sheet([ones]), exact=True).value()
    Fraction(455, 216)

    Raises `GameError` for boxes without or with equal names, or numbers out of range.
    """

    notation, view, features = SheetNotation, SheetView, SheetFeatures

    extra_rules = ("fillable", "first_points", "is_joker", "points", "wins")

    def __init__(
        self,
        boxes: Sequence[Box],
        *,
        count: int = 5,
        faces: int = 6,
        rerolls: int = 2,
        bonus: UpperBonus | None = None,
        joker: Joker | None = None,
        in_order: bool = False,
        saved_rolls: bool = False,
        win: InstantWin | None = None,
        weights: Sequence[int] | None = None,
    ) -> None:
        self.boxes, self.count, self.faces, self.rerolls = tuple(boxes), count, faces, rerolls
        self.bonus, self.joker, self.in_order, self.saved_rolls, self.win = bonus, joker, in_order, saved_rolls, win
        self.names = tuple(box.name for box in self.boxes)
        self._check()
        self._fields = _lay_out(self.boxes)
        self.weights = weights_for(faces, weights)
        self.hands = tuple(dice(count, self.die))
        self.scores = {box.name: {hand: box.score(hand) for hand in self.hands} for box in self.boxes}
        self.check_points()

    def _check(self) -> None:
        if not self.boxes or len(set(self.names)) != len(self.names):
            raise GameError(f"boxes {list(self.names)}: expected at least one, with different names")
        if any(not name or set(name) & set(" ,") or name in ("all", "none") for name in self.names):
            raise GameError(f"boxes {list(self.names)}: names have no spaces or commas and are not 'all' or 'none'")
        if min(self.count, self.faces) < 1:
            raise GameError(f"{self.count} dice with {self.faces} faces: expected at least 1 of each")
        if not 0 <= self.rerolls <= MOST_REROLLS:
            raise GameError(f"{self.rerolls} rerolls: expected 0 to {MOST_REROLLS}")
        thresholds = [threshold for threshold, _ in self.bonus.steps] if self.bonus else [1]
        if thresholds[0] < 1:
            raise GameError(f"a bonus at {thresholds[0]} points: expected a threshold of at least 1")
        if any(after <= before for before, after in pairwise(thresholds)):
            raise GameError(f"a bonus in steps at {', '.join(map(str, thresholds))} points: expected thresholds that rise")
        if self.joker and self.joker.rule not in ("free", "forced"):
            raise GameError(f"joker rule {self.joker.rule!r}: expected 'free' or 'forced'")
        self._check_rare()

    def _check_rare(self) -> None:
        """Check what few sheets have: boxes filled several times, and first rolls that count for more."""
        for box in self.boxes:
            if not 1 <= box.times <= MOST_TIMES or box.first < 0:
                raise GameError(
                    f"box {box.name!r} is filled {box.times} times and pays {box.first} more for a first roll: expected 1 to "
                    f"{MOST_TIMES} times, and at least 0 points"
                )
        if self.win and self.win.box not in self.names:
            raise GameError(f"box {self.win.box!r} wins at once: expected one of {', '.join(self.names)}")
        if self.joker and any(box.times > 1 for box in self.boxes if box.name == self.joker.box):
            raise GameError(f"the joker box {self.joker.box!r} is filled several times: expected one that is filled once")
        if self.joker and self.first_roll_counts:
            raise GameError("a first roll that pays more or wins, and jokers: expected a sheet with one of these rules")
        if self.saved_rolls and (self.first_roll_counts or any(box.times > 1 for box in self.boxes)):
            raise GameError("saved rolls: expected boxes that are filled once, and first rolls that count as others do")

    @property
    def first_roll_counts(self) -> bool:
        """Whether a box pays more for the first roll of a turn, or wins."""
        return self.win is not None or any(box.first for box in self.boxes)

    @property
    def unit(self) -> tuple[int, ...]:
        """One time of each box, in the number that stands for the open boxes."""
        return self._laid_out.unit

    @property
    def field(self) -> tuple[int, ...]:
        """All bits of each box, in that number."""
        return self._laid_out.field

    @property
    def full(self) -> int:
        """All boxes open."""
        return self._laid_out.full

    @property
    def _laid_out(self) -> "_Fields":
        return self._fields if self._fields.boxes is self.boxes else _lay_out(self.boxes)

    def check_points(self) -> None:
        """Refuse points that are not whole numbers of a fair size. Raises `GameError`."""
        for _, points in self.bonus.steps if self.bonus else ():
            _points("the upper bonus", points)
        pays = dict(self.joker.pays) if self.joker else {}
        for name, points in pays.items():
            _points(name, points)
        if self.joker:
            _points("the joker bonus", self.joker.bonus)
        if self.win:
            _points("the instant win", self.win.points)
        for box in self.boxes:
            for points in (*self.scores[box.name].values(), box.first):
                _points(box.name, points)
            won = self.win.points if self.win and self.win.box == box.name else 0
            lowest = min(*self.scores[box.name].values(), pays.get(box.name, 0), won)
            if self.bonus and box.face is not None and lowest < 0:
                raise GameError(f"upper box {box.name!r} pays {lowest}: with a bonus, upper boxes must not pay less than 0")

    @property
    def gains_nonnegative(self) -> bool | None:
        """Whether some box pays, and no rule takes points away; None for a game with rules of its own about points."""
        if self.changed_rules(("gain", "points", "payoff")):
            return None
        more = [*self.bonus.jumps] if self.bonus else []
        more += [self.joker.bonus, *self.joker.pays.values()] if self.joker else []
        more += [self.win.points] if self.win else []
        scores = [points for by_hand in self.scores.values() for points in by_hand.values()]
        return min(*scores, *more, 0) >= 0 and max(scores) > 0

    def start(self) -> Turn:
        return Turn(self.full, 0, False, (), self.rerolls + 1)

    def roll(self, pending: Turn) -> Roll[Turn]:
        if not pending.open:
            return certain(pending)
        return _complete(pending.dice, self.count, self.weights).map(
            lambda hand: pending._replace(dice=hand, left=pending.left - 1)
        )

    def actions(self, state: Turn) -> Sequence[Move]:
        fills: list[Move] = list(self.fillable(state))
        return fills + list(keeps_of(state.dice)) if state.left > 0 and state.open else fills

    def fillable(self, state: Turn) -> list[str]:
        """List the open boxes that may be filled with the hand, in the order of the sheet."""
        opened = self._open_names(state)
        if self.in_order:
            opened = opened[:1]
        if self.joker and self.joker.rule == "forced" and self.is_joker(state):
            match = [box.name for box in self.boxes if box.face == state.dice[0] and box.name in opened]
            lower = [box.name for box in self.boxes if box.face is None and box.name in opened]
            return match or lower or opened
        return opened

    def _open_names(self, state: Turn) -> list[str]:
        """List the boxes that may still be filled, in the order of the sheet."""
        return [name for name, field in zip(self.names, self.field, strict=True) if state.open & field]

    def _fills_left(self, opened: int, box: int) -> int:
        """Say how often a box, by its number, may still be filled."""
        return (opened & self.field[box]) // self.unit[box]

    def turns_left(self, opened: int) -> int:
        """Say how many turns are to come with these open boxes."""
        return sum(self._fills_left(opened, box) for box in range(len(self.boxes)))

    def is_joker(self, state: Turn) -> bool:
        """Say whether the hand is all equal and the box for that is filled."""
        if self.joker is None or self.joker.box not in self.names or len(set(state.dice)) != 1:
            return False
        return not state.open & self.field[self.names.index(self.joker.box)]

    def wins(self, state: Turn, box: str) -> bool:
        """Say whether filling a box with the hand wins the game at once."""
        return bool(self.win and box == self.win.box and state.left == self.rerolls and self.scores[box][state.dice] > 0)

    def points(self, state: Turn, box: str) -> int:
        """Say what a box pays for the hand in this position, bonuses excluded."""
        points = self.scores[box][state.dice]
        if points > 0 and state.left == self.rerolls:
            points = self.first_points(self.names.index(box), points)
        if self.joker and box in self.joker.pays and self.is_joker(state):
            match = [i for i, other in enumerate(self.boxes) if other.face == state.dice[0]]
            if not any(state.open & self.field[i] for i in match):
                return self.joker.pays[box]
        return points

    def first_points(self, box: int, points: int) -> int:
        """Say what a box, by its number, pays for a first roll that it pays some points for later."""
        return self.win.points if self.win and self.win.box == self.names[box] else points + self.boxes[box].first

    def play(self, state: Turn, action: Move) -> Turn:
        if not isinstance(action, str):
            return state._replace(dice=action)
        i = self.names.index(action)
        left = 0 if self.wins(state, action) else state.open - self.unit[i]
        points = self.points(state, action)
        upper, primed = state.upper, state.primed
        if self.bonus and self.boxes[i].face is not None:
            upper = min(upper + points, self.bonus.threshold)
        if self.joker and self.joker.bonus and action == self.joker.box:
            primed = points > 0
        saved = state.left if self.saved_rolls else 0
        return Turn(left, upper, primed, (), self.rerolls + 1 + saved if left else 0)

    def most_rerolls(self, opened: int) -> int:
        """Say how many rerolls may be left with these open boxes: those of a turn, or all that can have been saved."""
        filled = len(self.boxes) - opened.bit_count()
        return self.rerolls * (1 + filled) if self.saved_rolls else self.rerolls

    def gain(self, state: Turn, action: Move) -> int:
        if not isinstance(action, str):
            return 0
        gain = self.points(state, action)
        if self.joker and state.primed and self.is_joker(state):
            gain += self.joker.bonus
        if self.bonus:
            gain += self.bonus.earned(self.play(state, action).upper) - self.bonus.earned(state.upper)
        return gain

    def heuristic(self, state: Turn, action: Move) -> float:
        """What the action makes of this turn: the gain of a box, or the expected gain after keeping dice."""
        if isinstance(action, str):
            return self.gain(state, action)
        return _turn_worth(self, state._replace(dice=(), left=0))[state.left][action]

    def _show_dice(self, hand: Hand) -> str:
        return ("" if self.faces <= 9 else ",").join(map(str, hand)) or "-"

    def _left(self, state: Turn) -> list[tuple[str, int]]:
        """The open boxes, each with how often it may still be filled."""
        return [(name, self._fills_left(state.open, self.names.index(name))) for name in self._open_names(state)]

    def most(self, box: int) -> int:
        """Say what a box, by its number, pays at most, jokers aside."""
        points = max(self.scores[self.names[box]].values())
        return max(points, self.first_points(box, points)) if points > 0 else points

    # How it looks and speaks

    def dimensions(self) -> Mapping[str, int]:
        return {"rerolls": self.rerolls}

    def vocabulary(self) -> Vocabulary:
        return sheet_vocabulary(self)

    def changed_rules(self, rules: Sequence[str]) -> tuple[str, ...]:
        """List those of `rules` that a game of this family has of its own."""
        return overridden(self, Sheet, rules)

    def duel(self, ties: Fraction) -> Game[Any, Any, Any]:
        if self.win:
            raise GameError(
                f"a duel in which {self.win.box} may win at once is not solved: each sheet is played to its end; leave out that "
                "rule"
            )
        return RestatedDuel(self, ties)


def _lay_out(boxes: tuple[Box, ...]) -> _Fields:
    unit, field = box_fields([box.times for box in boxes])
    return _Fields(boxes, unit, field, sum(box.times * one for box, one in zip(boxes, unit, strict=True)))


def _points(what: str, points: object) -> int:
    """Give points as an integer that floating point holds exactly, many times over."""
    if not isinstance(points, int) or abs(points) > MOST_POINTS:
        raise GameError(f"{what} pays {points!r}: expected an integer of at most {MOST_POINTS:,} points")
    return points


@lru_cache(maxsize=4096)
def _turn_worth(sheet: Sheet, outer: Turn) -> list[dict[Hand, float]]:
    """For each number of rolls left, the expected gain of the turn by dice kept, when it is played for that gain alone."""
    states = {hand: outer._replace(dice=hand, left=0) for hand in sheet.hands}
    fill: dict[Hand, float] = {hand: max(sheet.gain(s, box) for box in sheet.fillable(s)) for hand, s in states.items()}
    best, steps = dict(fill), [fill]
    for _ in range(sheet.most_rerolls(outer.open)):
        expected = dict(best)
        for size in range(sheet.count - 1, -1, -1):
            for keep in combinations_with_replacement(sheet.die, size):
                more = [weight * expected[tuple(sorted((*keep, face)))] for face, weight in sheet.die.items()]
                expected[keep] = sum(more) / sheet.die.total
        steps.append(expected)
        best = {hand: max(fill[hand], *(expected[keep] for keep in keeps_of(hand))) for hand in sheet.hands}
    return steps


@lru_cache(maxsize=4096)
def _complete(kept: Hand, count: int, weights: tuple[int, ...]) -> Roll[Hand]:
    return dice(count - len(kept), roll_of(weights)).map(lambda rolled: tuple(sorted(kept + rolled)))
