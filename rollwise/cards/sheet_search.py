"""Search for strong cards on score sheets: lines by what they gain under the card's own play, pars and thresholds by trial.

The search stands on two facts. What a verb would gain where the card now does something else is known, exactly, for every hand in
a sample of the card's own turns (`Trials.deltas`), so the gain of a new line is a sum over the positions that it would take, and
lines of several conditions are weighed by the thousand in one product of matrices. And whatever looks good is tried: first for
one turn on the sample, then exactly, from the start of the game to its end.

The same seed gives the same card, unless the time runs out first.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from rollwise.cards.sheet_conditions import Conditions
from rollwise.cards.sheet_trials import Compiled, Trials
from rollwise.games.sheets.rules import Sheet
from rollwise.model.card import Amount, Card, CardLine, Comparison
from rollwise.model.game import Progress
from rollwise.solvers.sheets.arrays import Floats, Ints

__all__ = ["SheetCardSearch", "SheetFound", "find_sheet_card"]

SAMPLE = 400
"""Turns on which changes are weighed; twice as many check them."""
OVER = (0, 2, 4, 6, 8, 10, 13, 16, 20, 25, 30)
"""How far over par a box is worth stopping for, in new lines."""
PROPOSED = 40
CHECKED = 2
ROOM = 8
"""Lines that are still to come for each one that is added beside the best."""
SWAPS = 40
STEPS = (-3, -1, 1, 3)
LEAST = 1e-4
"""Points on a sample that are worth a look."""


class SheetFound(NamedTuple):
    """The best card that was found, its value, and the best value and card of every size on the way.

    `stopped`: it was interrupted, or the time was up.
    """

    card: Card
    value: float
    best: dict[int, tuple[float, Card]]
    stopped: bool

    @property
    def curve(self) -> tuple[tuple[int, float], ...]:
        """The sizes that pay, each with its value."""
        values = [(size, self.best[size][0]) for size in sorted(self.best)]
        return tuple(one for n, one in enumerate(values) if all(one[1] > other for _, other in values[:n]))


def find_sheet_card(
    sheet: Sheet, *, size: int, seconds: float = 300.0, seed: int = 0, progress: Progress | None = None, swaps: int = SWAPS
) -> SheetFound:
    """Search for the best card of at most so many lines; Ctrl-C and the end of the time give the best so far."""
    hunt = SheetCardSearch(sheet, size, seed=seed, until=monotonic() + seconds, progress=progress)
    try:
        hunt.run(swaps)
    except KeyboardInterrupt:
        return hunt.found(stopped=True)
    return hunt.found(stopped=hunt.late)


class Sample(NamedTuple):
    """Turns of a card's own play: outer states, how often each occurs, and what the card makes of them all."""

    card: Card
    masks: Ints
    carries: Ints
    weights: Floats
    values: Floats
    worth: float


class Known(NamedTuple):
    """A card that was computed: as the trials take it, and its values and visits of outer states."""

    compiled: Compiled
    values: Floats
    visits: Floats


@dataclass
class SheetCardSearch:
    """A search on one sheet, for a card of at most `size` lines."""

    sheet: Sheet
    size: int
    seed: int = 0
    until: float = float("inf")
    progress: Progress | None = None
    begin: Card | None = None
    best: dict[int, tuple[float, Card]] = field(default_factory=dict)
    """By size."""

    def __post_init__(self) -> None:
        self.trials = Trials(self.sheet)
        self.random = Random(self.seed)
        self.conditions = Conditions(self.trials)
        self.verbs = [name for name in self.trials.verbs if not name.startswith("fill the best if")]
        self.verbs += [f"fill the best if {n} over par" for n in OVER]
        self.known: dict[Card, Known] = {}
        self.take(self.begin or self.first_card())

    def first_card(self) -> Card:
        """The card to begin with: keep what is most frequent, fill what pays most over par."""
        go_on = Comparison(Amount(((1, "rolls left", 1),)), ">=", Amount(((1, "", 1),)))
        lines = (CardLine(((go_on,),), "keep the largest set"), CardLine(((),), "fill the best over par"))
        names = self.sheet.names if self.size >= len(self.sheet.names) + 4 else ()
        return Card(lines[-self.size :], numbers=tuple((f"par {name}", 0) for name in names))

    def found(self, *, stopped: bool = False) -> SheetFound:
        """Give the best so far."""
        best = {size: one for size, one in self.best.items() if size <= self.size}
        value, card = max(best.values(), key=lambda one: one[0])
        return SheetFound(card, value, best, stopped)

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return monotonic() > self.until

    # The card in hand.

    def take(self, card: Card) -> None:
        """Go on with a card."""
        self.card, self.value = card, self.exactly(card)

    def exactly(self, card: Card) -> float:
        """Compute a card from the start of the game to its end."""
        value = float(self.worked_out(card).values[self.trials.arrays.full, 0])
        if value >= self.best.get(card.size, (-np.inf, card))[0]:
            self.best[card.size] = (value, card)
        return value

    def worked_out(self, card: Card) -> Known:
        """Give all about a card; the last ones are remembered."""
        if card not in self.known:
            compiled = self.trials.compile(card)
            if len(self.known) > 3:
                self.known.pop(next(iter(self.known)))
            self.known[card] = Known(compiled, self.trials.values(compiled), self.trials.visits(compiled))
        return self.known[card]

    def about(self, card: Card) -> float:
        """Give about what a card is worth that is like the one in hand, faster."""
        now = self.worked_out(self.card)
        return self.trials.near(self.trials.compile(card), now.values, now.visits)

    def accept(self, card: Card) -> bool:
        """Take a card if it is better, exactly."""
        if card.size > self.size or card == self.card or self.about(card) <= self.value + LEAST:
            return False
        if self.exactly(card) <= self.value:
            return False
        self.take(card)
        return True

    # What is tried on a sample.

    def sample(self, size: int = SAMPLE) -> Sample:
        """Draw turns of the card's own play, evenly along the game."""
        _, values, visits = self.worked_out(self.card)
        visits = visits[self.trials.masks]
        place = np.flatnonzero(visits)
        sums = np.cumsum(visits.ravel()[place])
        points = (np.arange(size) + self.random.random()) * sums[-1] / size
        drawn, count = np.unique(np.searchsorted(sums, points), return_counts=True)
        row, carries = np.divmod(place[np.minimum(drawn, len(place) - 1)], visits.shape[1])
        masks, weights = self.trials.masks[row], count * sums[-1] / size
        return Sample(self.card, masks, carries, weights, values, float(weights @ values[masks, carries]))

    def gain(self, sample: Sample, card: Card) -> float:
        """What a card gains on the sample, if it is played for one turn."""
        turns = self.trials.turns(sample.masks, sample.carries, self.trials.compile(card), sample.values)
        return float(sample.weights @ turns) - sample.worth

    def best_of(self, sample: Sample, options: list[Card]) -> list[tuple[float, Card]]:
        """Order cards by what they gain on the sample, most first; those that gain nothing are left out."""
        found = []
        for option in options:
            if self.late:
                break
            gain = self.gain(sample, option)
            if gain > LEAST:
                found.append((gain, option))
        return sorted(found, key=lambda one: -one[0])

    # The course of the search.

    def run(self, swaps: int = SWAPS) -> None:
        """Grow the card to its size, then swap its weakest lines for better ones."""
        if self.begin is None:
            self.fit_pars()
        while not self.late and self.card.size < self.size:
            before = self.value
            grown = self.grow()
            self.tune(0.25)
            self.tell("lines", self.card.size, self.size)
            if not grown and self.value < before + 1e-3:
                break
            if self.card.size % 6 == 0:
                self.thin(0.1 * (self.value - before))
        for done in range(swaps):
            if self.late:
                break
            self.swap()
            self.tell("swaps", done + 1, swaps)
        self.shorten()

    def tell(self, what: str, done: int, total: int) -> None:
        """Say how far it is."""
        if self.progress:
            self.progress(f"{what}, {max(value for value, _ in self.best.values()):.2f} points", done, total)

    def grow(self) -> bool:
        """Add the lines or pars that gain most: one, or where there is much room some at once."""
        base = self.card
        options = [*self.new_lines(self.sample()), *self.new_pars()]
        check = self.sample(2 * SAMPLE)
        good = [card for _, card in self.best_of(check, options)]
        if not any(self.accept(card) for card in good[:CHECKED]):
            return False
        for option in good[1 : 1 + (self.size - self.card.size) // ROOM]:
            both = _joined(self.card, base, option)
            if both is not None and self.gain(check, both) > self.gain(check, self.card) + 10 * LEAST:
                self.accept(both)
        return True

    def thin(self, least: float) -> None:
        """Leave out lines that are hardly missed."""
        while self.card.size > 2 and not self.late:
            card = self.without()
            if self.exactly(card) < self.value - least:
                break
            self.take(card)

    def without(self) -> Card:
        """Give the card without the line or number that it misses least."""
        sample, card = self.sample(), self.card
        options = [replace(card, lines=_but(card.lines, i)) for i in range(len(card.lines) - 1)]
        options += [replace(card, numbers=_but(card.numbers, i)) for i in range(len(card.numbers))]
        return max(options, key=lambda option: self.gain(sample, option), default=card)

    def swap(self) -> None:
        """Leave out the weakest lines and add better ones; go back where that lost."""
        card, value = self.card, self.value
        for _ in range(self.random.choice((1, 1, 2, 3))):
            self.take(self.without())
        while not self.late and self.card.size < self.size and self.grow():
            pass
        self.tune(0.25)
        if self.value <= value:
            self.take(card)
            self.tune(0.5)

    def shorten(self) -> None:
        """Leave out comparisons that gain nothing: a line that says less is easier to keep in mind."""
        sample = self.sample(2 * SAMPLE)
        for i in range(len(self.card.lines)):
            for one in [one for every in self.card.lines[i].condition for one in every]:
                (every,) = self.card.lines[i].condition
                line = self.card.lines[i]._replace(condition=(tuple(other for other in every if other != one),))
                card = replace(self.card, lines=_put(self.card.lines, i, line))
                if not self.late and self.gain(sample, card) >= -LEAST and self.exactly(card) >= self.value:
                    self.take(card)

    # New lines and pars.

    def new_lines(self, sample: Sample) -> list[Card]:
        """Propose cards with one line more, best first by their gain in single positions of the sample."""
        verbs = self.trials.verb_atoms(self.verbs, self.card.numbers)
        compiled = self.worked_out(self.card).compiled
        deltas, lines = self.trials.deltas(sample.masks, sample.carries, sample.weights, compiled, sample.values, verbs)
        places = sorted({0, *(self.random.randrange(len(self.card.lines)) for _ in range(3))})
        found: dict[float, Card] = {}
        on_sheet = self.conditions.on_sheet(sample.masks, sample.carries)
        for place in places:
            reached = deltas * (lines >= place)[:, None, :] if place else deltas
            for gain, verb, condition in self.conditions.gaining(reached, on_sheet, PROPOSED):
                line = CardLine((condition,), self.verbs[verb])
                # Equal gains are mostly the same line in other words.
                found.setdefault(round(gain, 5), replace(self.card, lines=_inserted(self.card.lines, place, line)))
        return [found[gain] for gain in sorted(found, reverse=True)[:PROPOSED]]

    def new_pars(self) -> list[Card]:
        """Propose cards with one par more."""
        given = dict(self.card.numbers)
        missing = [box for box, name in enumerate(self.sheet.names) if f"par {name}" not in given]
        if not missing:
            return []
        sample = self.sample(4 * SAMPLE)
        pars = [(f"par {self.sheet.names[box]}", self.par(sample, box)) for box in missing]
        tried = [(name, par // part) for name, par in pars for part in (1, 2) if par // part]
        return [replace(self.card, numbers=(*self.card.numbers, one)) for one in tried]

    def fit_pars(self) -> None:
        """Set pars to what a box is worth while it is open, by the card's own values, as long as that helps."""
        for _ in range(6):
            sample, names = self.sample(4 * SAMPLE), list(self.sheet.names)
            pars = tuple((name, self.par(sample, names.index(name.removeprefix("par ")))) for name, _ in self.card.numbers)
            if self.late or not self.accept(replace(self.card, numbers=pars)):
                break

    def par(self, sample: Sample, box: int) -> int:
        """What it gives up, on average, to fill a box for nothing; an upper box, for its share of the bonus."""
        arrays = self.trials.arrays
        opened = (sample.masks & arrays.field[box]) != 0
        masks, carries, weights = sample.masks[opened], sample.carries[opened], sample.weights[opened]
        if not len(masks):
            return 0
        target = arrays.effect_target[self._typical(box), carries]
        worth = sample.values[masks, carries] - sample.values[masks - arrays.unit[box], target]
        return round(float(weights @ worth / weights.sum()))

    def _typical(self, box: int) -> int:
        """The effect that moves the upper total most like an even share of the bonus."""
        arrays, face, bonus = self.trials.arrays, self.sheet.boxes[box].face, self.sheet.bonus
        first = int(arrays.effect_start[box])
        if face is None or bonus is None:
            return first
        share = bonus.threshold * face / max(1, sum(rule.face or 0 for rule in self.sheet.boxes))
        return min(range(first, int(arrays.effect_start[box + 1])), key=lambda effect: abs(arrays.effect_gain[effect, 0] - share))

    # Small changes.

    def tune(self, part: float = 1.0) -> None:
        """Try a part of all small changes on a sample, and exactly those that gain there: together, or one by one."""
        options = list(self.changes())
        self.random.shuffle(options)
        base = self.card
        good = self.best_of(self.sample(), options[: max(60, int(len(options) * part))])[:8]
        several = base
        for _, option in reversed(good):
            several = _merged(several, base, option)
        if not self.accept(several):
            for _, option in good[:3]:
                self.accept(_merged(self.card, base, option))

    def changes(self) -> Iterator[Card]:
        """Give the neighbours of the card: numbers, thresholds and verbs a little different, lines moved or simpler."""
        card = self.card
        for i, (name, number) in enumerate(card.numbers):
            for step in STEPS:
                yield replace(card, numbers=_put(card.numbers, i, (name, number + step)))
        for i, line in enumerate(card.lines):
            for other in self.conditions.like(line):
                yield replace(card, lines=_put(card.lines, i, other))
            for j in (i - 1, i + 1, i + 3):
                if 0 <= j < len(card.lines):
                    yield replace(card, lines=_inserted(_but(card.lines, i), j, line))


def _joined(now: Card, base: Card, option: Card) -> Card | None:
    """Add to a card the line that another one has more than the base of both; None: it has none, or the card has it."""
    new = [line for line in option.lines if line not in base.lines]
    if len(option.lines) == len(base.lines) or len(new) != 1 or new[0] in now.lines:
        return None
    after = option.lines[option.lines.index(new[0]) + 1]
    place = now.lines.index(after) if after in now.lines else 0
    return replace(now, lines=_inserted(now.lines, place, new[0]))


Row = tuple[Any, ...]


def _merged(now: Card, base: Card, option: Card) -> Card:
    """Make the changes from one card to another on a third one, where all have as many lines and numbers."""
    if now == base:
        return option
    if (len(now.lines), len(now.numbers)) != (len(option.lines), len(option.numbers)):
        return now
    return replace(
        now, lines=_mixed(now.lines, base.lines, option.lines), numbers=_mixed(now.numbers, base.numbers, option.numbers)
    )


def _mixed(now: Row, base: Row, option: Row) -> Row:
    return tuple(new if new != old else one for one, old, new in zip(now, base, option, strict=True))


def _put(row: Row, at: int, one: Any) -> Row:
    return (*row[:at], one, *row[at + 1 :])


def _but(row: Row, at: int) -> Row:
    return row[:at] + row[at + 1 :]


def _inserted(row: Row, at: int, one: Any) -> Row:
    return (*row[:at], one, *row[at:])
