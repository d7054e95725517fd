"""A card's own play on a score sheet: a sample of its turns, on which changes of the card are weighed before they are computed.

What a verb would gain where the card now does something else is known, exactly, for every hand in a sample of the card's own
turns, so the gain of a new line is a sum over the positions that it would take, and lines of several conditions are weighed by
the thousand in one product of matrices. Whatever looks good is played for one turn on another sample; what gains there is given
to the search, which computes it exactly, from the start of the game to its end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rollwise.model.card import Amount, Card, CardLine, Comparison
from rollwise.solvers.base.card_evaluator import CardPlay
from rollwise.solvers.sheets.arrays import Floats, Ints
from rollwise.solvers.sheets.card_conditions import LIKELY
from rollwise.solvers.sheets.card_follow import FollowedCard
from rollwise.solvers.sheets.kernels.card_account_numba import weigh_verbs
from rollwise.solvers.sheets.kernels.records import effects_of, hands_of, rolls_of

if TYPE_CHECKING:
    from rollwise.solvers.sheets.card_evaluator import SheetCardEvaluator

__all__ = ["SheetCardPlay", "first_card"]

SAMPLE = 400
"""Turns on which changes are weighed; twice as many check them."""
FOLLOWED = 1e-6
"""Turn starts to which fewer games come are not sampled."""
PROPOSED = 40
ROOM = 8
"""Lines that are still to come for each one that is added beside the best."""
CHANGED = 0.25
"""The share of all small changes that is tried at a time."""
FEWEST_CHANGED = 60
STEPS = (-3, -1, 1, 3)
STEPS_A_GAIN, STEPS_A_PLACE, STEPS_A_SUM = 1.0, 300_000, 0.005
"""The effort of weighing lines: what a verb gains in a slot, a place on the card, a term of the sums by conditions."""
LEAST = 1e-4
"""Points on a sample that are worth a look."""


def first_card(names: Sequence[str], size: int) -> Card:
    """The card to begin with: keep what is most frequent, fill what pays most over par."""
    go_on = Comparison(Amount(((1, "rolls left", 1),)), ">=", Amount(((1, "", 1),)))
    lines = (CardLine(((go_on,),), "keep the largest set"), CardLine(((),), "fill the best over par"))
    pars = names if size >= len(names) + 4 else ()
    return Card(lines[-size:], numbers=tuple((f"par {name}", 0) for name in pars))


class Sample(NamedTuple):
    """Turns of a card's own play: turn starts, how often each occurs, and what the card makes of them all."""

    opened: Ints
    carry: Ints
    weights: Floats
    worth: float


class SheetCardPlay(CardPlay):
    """A card's own play on a sheet."""

    def __init__(self, evaluator: "SheetCardEvaluator", card: Card, random: Random) -> None:
        self.evaluator, self.card, self.random = evaluator, card, random
        self.sheet, self.scripter, self.arrays = evaluator.solution.sheet, evaluator.scripter, evaluator.scripter.whole

    @cached_property
    def followed(self) -> FollowedCard:
        """The card on the arrays of the sheet."""
        return self.evaluator.followed(self.card)

    @cached_property
    def values(self) -> Floats:
        """The points to come by open boxes and carry."""
        return self.evaluator.values(self.card)

    @cached_property
    def visits(self) -> tuple[Ints, Ints, Floats]:
        """The turn starts to which games come: open boxes and carry, and how often games have come up to each."""
        found = self.followed.visits(least=FOLLOWED)
        opened, carry = (np.concatenate(column) for column in zip(*self.scripter.starts, strict=True))
        met = np.flatnonzero(found[opened, carry])
        return opened[met], carry[met], np.cumsum(found[opened[met], carry[met]])

    # What is tried on a sample.

    def sample(self, size: int = SAMPLE) -> Sample:
        """Draw turns of the card's own play, evenly along the game."""
        opened, carry, sums = self.visits
        points = (np.arange(size) + self.random.random()) * sums[-1] / size
        drawn, count = np.unique(np.minimum(np.searchsorted(sums, points), len(sums) - 1), return_counts=True)
        opened, carry, weights = opened[drawn], carry[drawn], count * sums[-1] / size
        return Sample(opened, carry, weights, float(weights @ self.values[opened, carry]))

    def gain(self, sample: Sample, card: Card) -> float:
        """What a card gains on the sample, if it is played for one turn."""
        worth = np.empty_like(self.values)
        self.evaluator.followed(card).add_turns(sample.opened, sample.carry, self.values, worth)
        return float(sample.weights @ worth[sample.opened, sample.carry]) - sample.worth

    def gaining(self, sample: Sample, options: Sequence[Card]) -> list[Card]:
        """Order cards by what they gain on the sample, most first; those that gain nothing are left out."""
        found = [(self.gain(sample, option), option) for option in options]
        return [option for gain, option in sorted(found, key=lambda one: -one[0]) if gain > LEAST]

    # Longer cards.

    def longer(self, room: int) -> Iterator[list[Card]]:
        check = self.sample(2 * SAMPLE)
        good = self.gaining(check, [*self.new_lines(), *self.new_pars()])
        if not good:
            return
        # Where there is much room, some lines are added at once.
        several, gain = good[0], self.gain(check, good[0])
        for option in good[1 : 1 + (room - 1) // ROOM]:
            both = _joined(several, self.card, option)
            if both is not None and (more := self.gain(check, both)) > gain + 10 * LEAST:
                several, gain = both, more
        yield [several]
        yield good[:1]
        yield good[1:2]

    def new_lines(self) -> list[Card]:
        """Propose cards with one line more, best first by their gain in single positions of the sample."""
        sample, conditions, verbs = self.sample(), self.evaluator.conditions, self.evaluator.line_verbs
        gains, lines = self._weigh(sample, verbs)
        places = sorted({0, *(self.random.randrange(len(self.card.lines)) for _ in range(3))})
        found: dict[float, Card] = {}
        on_sheet = conditions.on_sheet(sample.opened, sample.carry)
        for place in places:
            sums = min(LIKELY, len(on_sheet.rows) * len(verbs)) * conditions.rows.size
            self.evaluator.effort.spend(STEPS_A_PLACE + STEPS_A_SUM * sums)
            reached = gains * (lines >= place)[:, None, :] if place else gains
            for gain, verb, condition in conditions.gaining(reached, on_sheet, PROPOSED):
                new = CardLine((condition,), verbs[verb])
                # Equal gains are mostly the same line in other words.
                found.setdefault(round(gain, 5), self.card.with_lines(*_inserted(self.card.lines, place, new)))
        return [found[gain] for gain in sorted(found, reverse=True)[:PROPOSED]]

    def _weigh(self, sample: Sample, verbs: Sequence[str]) -> tuple[Any, Any]:
        """What each verb would gain, by turn start, verb and slot; and the line that is played, by turn start and slot."""
        followed, slots = self.followed, len(self.scripter.slots)
        lane_of, _, bits = followed.lanes(sample.opened, sample.carry)
        gains = np.empty((len(sample.opened), len(verbs), slots), dtype=np.float32)
        lines = np.empty((len(sample.opened), slots), dtype=np.int16)
        self.evaluator.effort.spend(STEPS_A_GAIN * gains.size)
        weigh_verbs(
            sample.opened, sample.carry, sample.weights, lane_of, bits, self.values, followed.script,
            self.scripter.verb_script(verbs, self.card.numbers), effects_of(self.arrays, np.float64, np.int64),
            hands_of(self.arrays), rolls_of(self.arrays), gains, lines,
        )  # fmt: skip
        return gains, lines

    def new_pars(self) -> list[Card]:
        """Propose cards with one par more."""
        given = dict(self.card.numbers)
        missing = [(f"par {name}", box) for box, name in enumerate(self.sheet.names) if f"par {name}" not in given]
        if not missing:
            return []
        sample = self.sample(4 * SAMPLE)
        pars = [(name, self.par(sample, box)) for name, box in missing]
        tried = [(name, par // part) for name, par in pars for part in (1, 2) if par // part]
        return [replace(self.card, numbers=(*self.card.numbers, one)) for one in tried]

    def par(self, sample: Sample, box: int) -> int:
        """What it gives up, on average, to fill a box for nothing; an upper box, for its share of the bonus."""
        arrays = self.arrays
        there = (sample.opened & arrays.field[box]) != 0
        opened, carry, weights = sample.opened[there], sample.carry[there], sample.weights[there]
        if not len(opened):
            return 0
        target = arrays.effect_target[self._typical(box), carry]
        worth = self.values[opened, carry] - self.values[opened - arrays.unit[box], target]
        return round(float(weights @ worth / weights.sum()))

    def _typical(self, box: int) -> int:
        """The effect that moves the upper total most like an even share of the bonus."""
        arrays, face, bonus = self.arrays, self.sheet.boxes[box].face, self.sheet.bonus
        first = int(arrays.effect_start[box])
        if face is None or bonus is None:
            return first
        share = bonus.threshold * face / max(1, sum(rule.face or 0 for rule in self.sheet.boxes))
        return min(range(first, int(arrays.effect_start[box + 1])), key=lambda effect: abs(arrays.effect_gain[effect, 0] - share))

    # Cards of the same size.

    def changed(self) -> Iterator[list[Card]]:
        options = list(self.neighbours())
        self.random.shuffle(options)
        some = options[: max(FEWEST_CHANGED, int(len(options) * CHANGED))]
        good = self.gaining(self.sample(), [*self.fitted(), *some])[:8]
        several = self.card
        for option in reversed(good):
            several = _merged(several, self.card, option)
        yield [several] if good else []
        yield good[:1]
        yield good[1:3]

    def fitted(self) -> list[Card]:
        """Give the card with its pars set to what a box is worth while it is open, by the card's own values."""
        if not self.card.numbers:
            return []
        sample, names = self.sample(4 * SAMPLE), list(self.sheet.names)
        pars = tuple((name, self.par(sample, names.index(name.removeprefix("par ")))) for name, _ in self.card.numbers)
        return [replace(self.card, numbers=pars)]

    def neighbours(self) -> Iterator[Card]:
        """Give cards with numbers, thresholds and verbs a little different, and lines moved or simpler."""
        lines, numbers = self.card.lines, self.card.numbers
        for i, (name, number) in enumerate(numbers):
            for step in STEPS:
                yield replace(self.card, numbers=(*numbers[:i], (name, number + step), *numbers[i + 1 :]))
        for i, line in enumerate(lines):
            for other in self.evaluator.conditions.like(line):
                yield self.card.with_lines(*lines[:i], other, *lines[i + 1 :])
            for j in (i - 1, i + 1, i + 3):
                if 0 <= j < len(lines):
                    yield self.card.with_lines(*_inserted((*lines[:i], *lines[i + 1 :]), j, line))

    # Shorter cards.

    def shorter(self) -> list[Card]:
        sample, numbers = self.sample(), self.card.numbers
        options = [self.card.without(i) for i in range(len(self.card.lines) - 1)]
        options += [replace(self.card, numbers=(*numbers[:i], *numbers[i + 1 :])) for i in range(len(numbers))]
        return sorted(options, key=lambda option: -self.gain(sample, option))[:1]


Row = tuple[Any, ...]


def _joined(now: Card, base: Card, option: Card) -> Card | None:
    """Add to a card the line that another one has more than the base of both; None: it has none, or the card has it."""
    new = [line for line in option.lines if line not in base.lines]
    if len(option.lines) == len(base.lines) or len(new) != 1 or new[0] in now.lines:
        return None
    after = option.lines[option.lines.index(new[0]) + 1]
    place = now.lines.index(after) if after in now.lines else 0
    return now.with_lines(*_inserted(now.lines, place, new[0]))


def _merged(now: Card, base: Card, option: Card) -> Card:
    """Make the changes from one card to another on a third one; all have as many lines and numbers."""
    return replace(
        now, lines=_mixed(now.lines, base.lines, option.lines), numbers=_mixed(now.numbers, base.numbers, option.numbers)
    )


def _mixed(now: Row, base: Row, option: Row) -> Row:
    return tuple(new if new != old else one for one, old, new in zip(now, base, option, strict=True))


def _inserted(row: Row, at: int, one: Any) -> Row:
    return (*row[:at], one, *row[at:])
