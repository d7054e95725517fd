"""Search for strong cards on score sheets: lines by what they gain under the card's own play, pars and thresholds by trial.

The search stands on two facts. What a verb would gain where the card now does something else is known, exactly, for every hand in
a sample of the card's own turns (`Trials.deltas`), so the gain of a new line is a sum over the positions that it would take, and
all lines of two conditions are weighed in one product of matrices. And whatever looks good is tried: first for one turn on the
sample, then exactly, from the start of the game to its end.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

import numpy as np

from rollwise.cards.sheet_trials import Compiled, Trials
from rollwise.forms.sheets.arrays import Floats, Ints
from rollwise.games.sheet import Sheet
from rollwise.games.sheet_words import HandFeature, OpenFeature
from rollwise.model.card import Amount, Card, CardLine, Comparison

__all__ = ["SheetHunt"]

SAMPLE = 400
OVER = (0, 2, 4, 6, 8, 10, 13, 16, 20, 25, 30)
PACES = (-15, -10, -6, -3, 0, 3, 6)


class Literal(NamedTuple):
    """A comparison and where it holds: by cell, or by outer state of the sample."""

    comparison: Comparison
    holds: Any


class Sample(NamedTuple):
    """Turns of the card's own play: outer states, how often each occurs, and what the card makes of them."""

    masks: Ints
    carries: Ints
    weights: Floats
    values: Floats
    worth: float


@dataclass
class SheetHunt:
    """A search on one sheet."""

    sheet: Sheet
    seed: int = 0
    sample_size: int = SAMPLE
    tell: Callable[[str], None] | None = None

    def __post_init__(self) -> None:
        self.trials = Trials(self.sheet)
        self.random = Random(self.seed)
        self.upper = [box for box, rule in enumerate(self.sheet.boxes) if rule.face is not None]
        self.hand_literals = self._hand_literals()
        self.hand_rows = np.array([one.holds for one in self.hand_literals], dtype=np.float32)
        self.verbs = [name for name in self.trials.verbs if not name.startswith("fill the best if")]
        self.verbs += [f"fill the best if {n} over par" for n in OVER]
        self.card = self.first_card()
        self.value = self.trials.value(self.card)

    def first_card(self) -> Card:
        """The card to begin with: keep what is most frequent, fill what pays most over par."""
        go_on = Comparison(_amount("rolls left"), ">=", _number(1))
        lines = (CardLine(((go_on,),), "keep the largest set"), CardLine(((),), "fill the best over par"))
        return Card(lines, numbers=tuple((f"par {name}", 0) for name in self.sheet.names))

    # What conditions there are.

    def _hand_literals(self) -> list[Literal]:
        found: dict[bytes, Literal] = {}
        for name, feature in self.trials.features.items():
            if isinstance(feature, HandFeature):
                seen = self.trials.seen(name)
                for comparison in _comparisons(name, np.unique(seen).tolist()):
                    holds = self.trials.holds(comparison)
                    if holds.any() and not holds.all():
                        found.setdefault(holds.tobytes(), Literal(comparison, holds))
        rolls = [one for one in found.values() if one.comparison.left.terms[0][1] == "rolls left"]
        both = dict(found)
        for roll in rolls:
            for one in found.values():
                holds = roll.holds & one.holds
                if holds.any():
                    both.setdefault(holds.tobytes(), Literal((roll.comparison, one.comparison), holds))  # type: ignore[arg-type]
        always = Literal((), np.ones(len(self.trials.cells), dtype=bool))  # type: ignore[arg-type]
        return [always, *(Literal(_tuple(one.comparison), one.holds) for one in both.values())]

    def _sheet_literals(self, sample: Sample) -> list[Literal]:
        found: dict[bytes, Literal] = {}
        for name, feature in self.trials.features.items():
            if isinstance(feature, OpenFeature):
                levels = PACES if name == "upper pace" else (1,) if feature.is_flag else range(feature.low, feature.high + 1, 1 if feature.high < 20 else 7)
                for comparison in _comparisons(name, levels):
                    holds = self._on(sample, comparison)
                    if holds.any() and not holds.all():
                        found.setdefault(holds.tobytes(), Literal((comparison,), holds))  # type: ignore[arg-type]
        return [Literal((), np.ones(len(sample.masks), dtype=bool)), *found.values()]  # type: ignore[arg-type]

    def _on(self, sample: Sample, comparison: Comparison) -> Any:
        holds = self.trials.holds(comparison)
        return holds[sample.masks] if holds.ndim == 1 else holds[sample.masks, sample.carries]

    # What is tried.

    def sample(self, card: Card, size: int) -> Sample:
        """Draw turns of the card's own play, evenly along the game."""
        compiled = self.trials.compile(card)
        values = self.trials.values(compiled)
        visits = self.trials.visits(compiled)
        visits[0] = 0.0
        order = np.concatenate([self.trials.masks])
        masks = np.repeat(order, visits.shape[1])
        carries = np.tile(np.arange(visits.shape[1]), len(order))
        weight = visits[order].ravel()
        inside = weight > 0
        masks, carries, weight = masks[inside], carries[inside], weight[inside]
        sums = np.cumsum(weight)
        points = (np.arange(size) + self.random.random()) * sums[-1] / size
        chosen, count = np.unique(np.searchsorted(sums, points), return_counts=True)
        chosen = np.minimum(chosen, len(masks) - 1)
        weights = count * sums[-1] / size
        worth = float(weights @ values[masks[chosen], carries[chosen]])
        return Sample(masks[chosen], carries[chosen], weights, values, worth)

    def gain(self, sample: Sample, card: Card) -> float:
        """What a card gains on the sample, if it is played for one turn."""
        turns = self.trials.turns(sample.masks, sample.carries, self.trials.compile(card), sample.values)
        return float(sample.weights @ turns) - sample.worth

    def accept(self, card: Card, least: float = 1e-9) -> bool:
        """Take a card if it is better, exactly."""
        value = self.trials.value(card)
        if value > self.value + least:
            self.card, self.value = card, value
            return True
        return False

    # New lines.

    def new_lines(self, sample: Sample, keep: int = 40) -> list[tuple[float, Card]]:
        """Propose cards with one line more, best first by their gain on the sample in single positions."""
        numbers = self.card.numbers
        atoms = self.trials.verb_atoms(self.verbs, numbers)
        deltas, lines = self.trials.deltas(
            sample.masks, sample.carries, sample.weights, self.trials.compile(self.card), sample.values, atoms
        )
        literals = self._sheet_literals(sample)
        sheet_rows = np.array([one.holds for one in literals], dtype=np.float32)
        places = sorted({0, *(self.random.randrange(len(self.card.lines)) for _ in range(3))})
        found: list[tuple[float, Card]] = []
        for place in places:
            reached = deltas * (lines >= place)[:, None, :] if place else deltas
            found += self._at_place(place, reached, literals, sheet_rows, keep)
        best: dict[Any, tuple[float, Card]] = {}
        for score, card in sorted(found, key=lambda one: -one[0]):
            best.setdefault(round(score, 5), (score, card))
        return list(best.values())

    def _at_place(self, place: int, deltas: Any, literals: Sequence[Literal], rows: Any, keep: int) -> list[tuple[float, Card]]:
        n, n_verbs, n_cells = deltas.shape
        summed = (rows @ deltas.reshape(n, -1)).reshape(-1, n_cells)
        scores = summed @ self.hand_rows.T  # (sheet literal, verb) by hand literal
        best = scores.argmax(axis=1)
        top = scores[np.arange(len(best)), best]
        order = np.argsort(-top)[: 6 * keep]
        found = []
        taken: dict[int, int] = {}
        for row in order.tolist():
            if top[row] <= 0 or len(found) >= keep:
                break
            literal, verb = divmod(row, n_verbs)
            if taken.get(verb, 0) >= 4:
                continue
            taken[verb] = taken.get(verb, 0) + 1
            found.append(self._extended(place, verb, literal, int(best[row]), deltas[:, verb], literals, rows))
        return found

    def _extended(self, place: int, verb: int, literal: int, hand: int, delta: Any, literals: Sequence[Literal], rows: Any) -> tuple[float, Card]:
        """Add conditions to a line as long as they gain."""
        sheet_part, hand_part = list(literals[literal].comparison), list(self.hand_literals[hand].comparison)
        on_sheet, on_hand = rows[literal].copy(), self.hand_rows[hand].copy()
        score = float(on_sheet @ delta @ on_hand)
        for _ in range(3):
            by_sheet = rows @ ((delta @ on_hand) * on_sheet)
            by_hand = self.hand_rows @ ((on_sheet @ delta) * on_hand)
            s, h = int(by_sheet.argmax()), int(by_hand.argmax())
            most = max(float(by_sheet[s]), float(by_hand[h]))
            if most < score * 1.05 + 1e-4:
                break
            score = most
            if by_sheet[s] >= by_hand[h]:
                sheet_part += [one for one in literals[s].comparison if one not in sheet_part]
                on_sheet *= rows[s]
            else:
                hand_part += [one for one in self.hand_literals[h].comparison if one not in hand_part]
                on_hand *= self.hand_rows[h]
        condition = _tidy((*hand_part, *sheet_part))
        line = CardLine((condition,), self.verbs[verb])
        lines = (*self.card.lines[:place], line, *self.card.lines[place:])
        return score, replace(self.card, lines=lines)

    # Small changes.

    def changes(self, card: Card) -> Iterator[Card]:
        """Give the neighbours of a card: numbers, thresholds and verbs a little different, lines moved or simpler."""
        for i, (name, number) in enumerate(card.numbers):
            for step in (-3, -1, 1, 3):
                yield replace(card, numbers=(*card.numbers[:i], (name, number + step), *card.numbers[i + 1 :]))
        for i, line in enumerate(card.lines):
            for other in self._line_changes(line):
                yield replace(card, lines=(*card.lines[:i], other, *card.lines[i + 1 :]))
            for j in (i - 1, i + 1, i + 3):
                if 0 <= j < len(card.lines):
                    lines = list(card.lines)
                    lines.insert(j, lines.pop(i))
                    yield replace(card, lines=tuple(lines))

    def _line_changes(self, line: CardLine) -> Iterator[CardLine]:
        (every,) = line.condition
        for i, one in enumerate(every):
            yield line._replace(condition=((*every[:i], *every[i + 1 :]),))
            name, bound = one.left.terms[0][1], one.right.terms[0][0]
            feature = self.trials.features[name]
            if feature.is_flag:
                yield line._replace(condition=((*every[:i], one._replace(right=_number(1 - bound)), *every[i + 1 :]),))
                continue
            for step in (-1, 1):
                if feature.low <= bound + step <= feature.high:
                    yield line._replace(condition=((*every[:i], one._replace(right=_number(bound + step)), *every[i + 1 :]),))
        if line.verb.startswith("fill the best if"):
            n = int(line.verb.split()[4])
            for step in (-2, -1, 1, 2):
                if n + step >= 0:
                    yield line._replace(verb=f"fill the best if {n + step} over par")

    def tune(self, until: float, share: float = 1.0) -> int:
        """Try small changes on the sample, and exactly those that gain there."""
        sample = self.sample(self.card, self.sample_size)
        base, taken = self.card, 0
        options = list(self.changes(base))
        self.random.shuffle(options)
        good = []
        for option in options[: max(60, int(len(options) * share))]:
            if time.monotonic() > until:
                break
            gain = self.gain(sample, option)
            if gain > 1e-4:
                good.append((gain, option))
        good.sort(key=lambda one: -one[0])
        # Several at once first: they mostly add up.
        several = base
        for _, option in good[:8][::-1]:
            several = _merge(several, base, option) or several
        if len(good) > 1 and self.accept(several):
            return len(good)
        for _, option in good[:3]:
            merged = _merge(self.card, base, option)
            taken += merged is not None and self.accept(merged)
        return taken

    def drop_line(self) -> tuple[float, Card]:
        """Give the card without the line or number that it misses least, and about what that loses."""
        sample = self.sample(self.card, self.sample_size)
        options = [replace(self.card, lines=self.card.lines[:i] + self.card.lines[i + 1 :]) for i in range(len(self.card.lines))]
        return max(((self.gain(sample, one), one) for one in options), key=lambda one: one[0])

    def run(self, size: int, until: float, *, swaps: int = 10**9) -> None:
        """Grow the card to a size, then swap its weakest lines for better ones."""
        self.fit_pars()
        while time.monotonic() < until and self.card.size < size:
            before = self.value
            grown = self.grow(until)
            self.tune(until, 0.25)
            if self.tell:
                self.tell(f"size {self.card.size}: {self.value:.3f} (+{self.value - before:.3f})")
            if not grown and self.value < before + 1e-3:
                break
            if self.card.size % 6 == 0:
                self.thin(0.1 * (self.value - before))
        for _ in range(swaps):
            if time.monotonic() > until:
                break
            self.swap(until)

    def grow(self, until: float) -> bool:
        """Add the line that gains most."""
        proposals = self.new_lines(self.sample(self.card, self.sample_size))
        check = self.sample(self.card, 2 * self.sample_size)
        good = sorted(((self.gain(check, card), card) for _, card in proposals[:40]), key=lambda one: -one[0])
        return any([self.accept(card) for gain, card in good[:2] if gain > 0])

    def thin(self, least: float) -> None:
        """Leave out lines that are hardly missed."""
        while len(self.card.lines) > 2:
            _, card = self.drop_line()
            value = self.trials.value(card)
            if value < self.value - least:
                break
            self.card, self.value = card, value

    def swap(self, until: float) -> None:
        """Leave out the weakest line, and add a better one; small changes; go back where that lost."""
        best = (self.card, self.value)
        for _ in range(self.random.choice((1, 1, 2, 3))):
            _, card = self.drop_line()
            self.card, self.value = card, self.trials.value(card)
        while self.card.size < best[0].size and self.grow(until):
            pass
        self.tune(until, 0.25)
        if self.tell:
            self.tell(f"swap {best[1]:.3f} -> {self.value:.3f} size {self.card.size}")
        if self.value <= best[1]:
            self.card, self.value = best
            self.tune(until, 0.5)

    def fit_pars(self) -> None:
        """Set pars to what a box is worth while it is open, by the card's own values, until that does not help."""
        for _ in range(6):
            sample = self.sample(self.card, 4 * self.sample_size)
            pars = tuple((name, self._par(sample, box)) for box, (name, _) in enumerate(self.card.numbers))
            if not self.accept(replace(self.card, numbers=pars)):
                break

    def _par(self, sample: Sample, box: int) -> int:
        open_ = (sample.masks & self.trials.form.field[box]) != 0
        masks, carries, weights = sample.masks[open_], sample.carries[open_], sample.weights[open_]
        after = masks - self.trials.form.unit[box]
        effect = self._typical(box)
        target = self.trials.form.effect_target[effect, carries]
        gained = self.trials.form.effect_gain[effect, carries]
        plain = self.trials.form.effect_gain[effect, 0] * 0
        worth = sample.values[masks, carries] - sample.values[after, target] - plain
        # Only what other boxes would make of the turn is left out: the par is what filling this one gives up.
        turn = self._turn_gain(sample)
        return int(round(float((weights * worth).sum() / weights.sum() - turn)))

    def _turn_gain(self, sample: Sample) -> float:
        return 0.0

    def _typical(self, box: int) -> int:
        """The effect of a box that is nearest to its share of the bonus, or to its mean."""
        form = self.trials.form
        start, end = form.effect_start[box], form.effect_start[box + 1]
        face = self.sheet.boxes[box].face
        if face is None or self.sheet.bonus is None:
            return int(start)
        return int(min(range(start, end), key=lambda e: abs(form.effect_gain[e, 0] - 3 * face)))


def _merge(base: Card, changed_base: Card, option: Card) -> Card | None:
    """Apply to `base` what `option` changes in `changed_base`, where that is still possible."""
    if base == changed_base:
        return option
    if len(base.lines) != len(option.lines):
        return None
    lines = tuple(new if new != old else now for now, old, new in zip(base.lines, changed_base.lines, option.lines, strict=True))
    numbers = tuple(new if new != old else now for now, old, new in zip(base.numbers, changed_base.numbers, option.numbers, strict=True))
    return replace(base, lines=lines, numbers=numbers)


def _tuple(comparison: Any) -> Any:
    return (comparison,) if isinstance(comparison, Comparison) else comparison


def _comparisons(name: str, levels: Sequence[int]) -> Iterator[Comparison]:
    levels = list(levels)
    if len(levels) > 14:
        levels = levels[:: len(levels) // 12]
    if levels == [1] or levels == [0, 1]:
        yield Comparison(_amount(name), "=", _number(1))
        yield Comparison(_amount(name), "=", _number(0))
        return
    for operator in (">=", "<=", "="):
        for level in levels:
            yield Comparison(_amount(name), operator, _number(level))


def _tidy(comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Leave out what others say already."""
    found: dict[tuple[str, str], Comparison] = {}
    for one in comparisons:
        key = (one.left.terms[0][1], one.operator)
        bound = one.right.terms[0][0]
        if key in found:
            other = found[key].right.terms[0][0]
            bound = max(bound, other) if one.operator == ">=" else min(bound, other) if one.operator == "<=" else bound
        found[key] = one._replace(right=_number(bound))
    for name, operator in list(found):
        if operator == "=":
            found.pop((name, ">="), None)
            found.pop((name, "<="), None)
    return tuple(found.values())


def _amount(name: str) -> Amount:
    return Amount(((1, name, 1),))


def _number(number: int) -> Amount:
    return Amount(((number, "", 1),))
