"""What a move on a score sheet is worth, box by box, whatever the sheet is played for.

Before its dice were rolled the turn was worth W, with these boxes open, this carry and these points. An end of the turn fills a
box b with some points, and what it makes of W is cut in three, each by one more thing that changes:

    box      b is used up and pays its points, the upper total grows by par     W(open - b, par, points) - W
    bonus    the upper total is what it is, the upper bonus may be earned       W(open - b, grown, points + bonus) - what is above
    joker    the joker's bonus is earned, or made possible                      W(open - b, target, gain) - what is above

Par is the share of an upper box in what the bonus needs, by its face: three of each for 63 points. So the bonus counts how far
ahead or behind the upper boxes get. Weighted by the chance of each end, the cuts add up to the value of the move minus W. Where
a sheet so cut cannot occur, the next cut has all.

Played for points, W - W(open - b, par) is what giving up box b and a turn costs. A turn costs t, whichever box is used up: the
least with which no box is worth more when it is left open than it can ever pay. What is left of the cost is the worth w of the
open box. So the value of a move that fills box b with chance p, and then with x points on average, is

    what is the same for all moves + sum over b of (p x + (1 - p) w) + bonus + joker
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwise.model.message import Message
from rollwise.model.reasons import Part
from rollwise.solvers.sheets.arrays import SheetArrays
from rollwise.solvers.sheets.lattice import keep_rows
from rollwise.solvers.sheets.reading import carry_number, read_carry

if TYPE_CHECKING:
    from rollwise.solvers.sheets.solution import TurnSolution

__all__ = ["TurnCuts", "exact_chances"]

Ends = Iterable[tuple[int, Any]]
"""Effects that may end a turn, with their chances."""


class Cut(NamedTuple):
    """What an effect makes of the worth of a turn, in three; and the points that its box gets."""

    points: int
    box: Any
    bonus: Any
    joker: Any


class _Sum:
    """What one box adds up to."""

    def __init__(self) -> None:
        self.chance: Any = 0
        self.points: Any = 0
        self.scored: Any = 0
        self.value: Any = 0


class TurnCuts:
    """The cuts of a turn from one outer state; `more` is what else a position consists of."""

    def __init__(self, solution: "TurnSolution", opened: int, carry: int, *more: int) -> None:
        self.solution, self.opened, self.carry, self.more = solution, opened, carry, more
        self.sheet, self.arrays = solution.sheet, solution.arrays
        self.stands = solution.worth_before(opened, carry, *more)
        self.known: dict[int, Cut] = {}

    def parts(self, ends: Ends) -> list[Part]:
        """Give the parts of a move after which the turn may end so, as the mover's worth."""
        boxes: dict[int, _Sum] = {box: _Sum() for box in self.arrays.boxes(self.opened)}
        bonus: Any = 0
        joker: Any = 0
        for effect, chance in ends:
            cut, one = self.cut(effect), boxes[int(self.arrays.box_of_effect[effect])]
            one.chance += chance
            one.points += chance * cut.points
            one.scored += chance if cut.points else 0
            one.value += chance * cut.box
            bonus += chance * cut.bonus
            joker += chance * cut.joker
        found = [self._first, *(self._box(box, one) for box, one in boxes.items())]
        found += [Part("bonus", Message("part.bonus"), bonus)] if self.sheet.bonus else []
        return found + (
            [Part("joker", Message("part.joker", {"box": self.sheet.joker.box}), joker)] if self.sheet.joker and joker else []
        )

    @property
    def _first(self) -> Part:
        """What all moves have in common."""
        if self.solution.objective.wins:
            return Part("stands", Message("part.before"), self.stands)
        return Part("stands", Message("part.same"), self.stands - self._turn - sum(self._left_open.values()))

    def _box(self, box: int, one: _Sum) -> Part:
        name, chance = self.sheet.names[box], one.chance
        points = one.points / chance if chance else None
        if self.solution.objective.wins:
            after = self.stands + one.value / chance if chance else None
            return Part("box", name, one.value, chance, points, after=after, scored=one.scored)
        later = self._left_open[box]
        return Part("box", name, later + one.value + chance * self._turn, chance, points, later, scored=one.scored)

    @cached_property
    def _left_open(self) -> dict[int, Any]:
        """What boxes are worth when they are left open."""
        return {box: cost - self._turn for box, cost in self._given_up.items()}

    @cached_property
    def _given_up(self) -> dict[int, Any]:
        """What giving up a box, and a turn, costs, by box."""
        return {box: self.stands - self._at_par(box, 0) for box in self.arrays.boxes(self.opened)}

    @cached_property
    def _turn(self) -> Any:
        """What a turn costs: the least with which no box is worth more than it can pay."""
        gain, start = self.arrays.effect_gain[:, self._quiet], self.arrays.effect_start
        return max(0, *(cost - int(gain[start[box] : start[box + 1]].max()) for box, cost in self._given_up.items()))

    def _at_par(self, box: int, points: int) -> Any:
        """What it is worth to have filled a box with some points, the upper total at par; None where that cannot occur."""
        left, upper = self.arrays.after(self.opened, box), self._before.upper
        carry, bonus = self._nearest(left, upper + self._par(box)), self.sheet.bonus
        risen = max(upper, int(read_carry(self.sheet, carry).upper))
        more = bonus.earned(risen) - bonus.earned(upper) if bonus else 0
        return self.solution.worth_after(left, carry, points + more, *self.more)

    def _nearest(self, opened: int, upper: int) -> int:
        """The carry that can occur and is closest to an upper total and to what is primed now."""
        primed = self._before.primed
        carry = int(carry_number(self.sheet, min(upper, self.sheet.bonus.threshold if self.sheet.bonus else 0), primed))
        can = self.arrays.can_carry(opened)
        if carry in can:
            return carry
        known = {number: read_carry(self.sheet, number) for number in sorted(can - {self.arrays.over})}
        return min(known, key=lambda number: (known[number].primed != primed, abs(known[number].upper - upper)))

    def _par(self, box: int) -> int:
        """What a box adds to the upper total when all of them just make the bonus, or its first step."""
        faces = [one.face for one in self.sheet.boxes if one.face is not None]
        face = self.sheet.boxes[box].face
        if not self.sheet.bonus or face is None or not sum(faces):
            return 0
        return round(Fraction(self.sheet.bonus.steps[0][0] * face, sum(faces)))

    def cut(self, effect: int) -> Cut:
        """Cut what an effect makes of the worth of the turn."""
        if effect not in self.known:
            self.known[effect] = self._cut(effect)
        return self.known[effect]

    def _cut(self, effect: int) -> Cut:
        gain, target = self.arrays.effect_gain[effect], int(self.arrays.effect_target[effect, self.carry])
        box = int(self.arrays.box_of_effect[effect])
        left = self.arrays.after(self.opened, box)
        points, gained, whole = (int(gain[carry]) for carry in (self._quiet, self._unprimed, self.carry))
        grown = int(carry_number(self.sheet, read_carry(self.sheet, target).upper, self._before.primed))
        last: Any = self.solution.worth_after(left, target, whole, *self.more)
        if target == self.arrays.over:
            return Cut(points, last - self.stands, 0, 0)
        third: Any = last if grown == target and gained == whole else self.solution.worth_after(left, grown, gained, *self.more)
        third = last if third is None else third
        second = self._at_par(box, points)
        second = third if second is None else second
        return Cut(points, second - self.stands, third - second, last - third)

    @cached_property
    def _before(self) -> Any:
        return read_carry(self.sheet, self.carry)

    @cached_property
    def _quiet(self) -> int:
        """A carry with which no bonus is earned."""
        return int(carry_number(self.sheet, self.sheet.bonus.threshold if self.sheet.bonus else 0, False))

    @cached_property
    def _unprimed(self) -> int:
        """The carry with which no joker earns its bonus."""
        return int(carry_number(self.sheet, self._before.upper, False))


def exact_chances(
    arrays: SheetArrays, opened: int, worth: dict[int, Any], kept: list[list[Fraction]]
) -> list[list[dict[int, Fraction]]]:
    """Give for each number of rolls to come the exact chance of each effect, by dice kept.

    `worth` is what each effect is worth, its gain included, `kept[left]` the value of each keep.
    """
    found: list[list[dict[int, Fraction]]] = [[]]
    for left in range(arrays.rerolls):
        hands = [_best_end(arrays, opened, hand, worth, kept[left], found[left]) for hand in range(arrays.lattice.n_hands)]
        found.append(_rolled(arrays, hands))
    return found


def _best_end(
    arrays: SheetArrays, opened: int, hand: int, worth: dict[int, Any], kept: list[Fraction], after: list[dict[int, Fraction]]
) -> dict[int, Fraction]:
    """The chances by effect when a hand is played well: the first listed of the best boxes and keeps."""
    fills = [effect for _, effect in arrays.options(opened, hand)]
    keeps = [int(keep) for keep in keep_rows(arrays.lattice)[hand] if keep >= 0] if kept else []
    values = [*(worth[effect] for effect in fills), *(kept[keep] for keep in keeps)]
    place = values.index(max(values))
    return {fills[place]: Fraction(1)} if place < len(fills) else after[keeps[place - len(fills)]]


def _rolled(arrays: SheetArrays, hands: list[dict[int, Fraction]]) -> list[dict[int, Fraction]]:
    """The chances by dice kept, from those by hand: one more die at a time."""
    net = arrays.lattice
    rows: list[dict[int, Fraction]] = [{} for _ in range(net.first_hand)] + hands
    for keep in range(net.first_hand - 1, -1, -1):
        for more, weight in zip(net.more[keep].tolist(), net.face_weight, strict=True):
            for effect, chance in rows[more].items():
                rows[keep][effect] = rows[keep].get(effect, Fraction(0)) + Fraction(weight, net.ways) * chance
    return rows[: net.first_hand]
