"""The search for formulas: a few whole numbers, in comparisons such as `turn total >= 21 + gap / 8`.

A formula of one number is a line `if FEATURE >= a: VERB` and one that always fits; the family is small, and searched in full
where the effort allows. Larger ones grow from smaller ones by a line, a comparison, or a term `feature / b`; what each should
gain follows from the card's own play, for all thresholds at once. Then all numbers are tuned, one and two at a time, by exact
values.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.cards.rules_search import Known, SearchState
from rollwise.model.card import Amount, Card, CardLine, Comparison
from rollwise.solvers.graph.card_evaluator import GraphCardEvaluator
from rollwise.solvers.graph.card_play import Standing

__all__ = ["FormulaSearch"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Term = tuple[int, str, int]

DIVISORS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20)
FEWEST_VALUES = 4
"""A feature with fewer values is no amount."""
CHECKED, BEAM, FOLLOWED, SCANNED = 10, 3, 2, 2
NEAR, FAR = (-2, -1, 1, 2), (-8, -5, -3, 3, 5, 8)
NEGLIGIBLE = 1e-7
"""Gains this many times smaller than the largest are left out of account."""
MOST_IN_FULL = 0.4
"""The share of the effort that a search in full may take."""


class Option(NamedTuple):
    """A card that should gain so much."""

    gain: float
    card: Card


class FormulaSearch:
    """A search for formulas; `proved` says that all formulas of one number were computed."""

    def __init__(self, search_state: SearchState, evaluator: GraphCardEvaluator) -> None:
        self.search_state, self.evaluator, self.words = search_state, evaluator, evaluator.words
        self.ranked = self.evaluator.ranked
        columns = zip(self.ranked.names, self.ranked.numbers, self.ranked.flags, strict=True)
        self.amounts = [name for name, values, flag in columns if not flag and len(values) >= FEWEST_VALUES]
        self.beams: dict[int, list[Known]] = {}
        self.proved = False

    def run(self, size: int) -> None:
        """Find formulas of up to `size` numbers."""
        if len(self.words.verb) < 2 or not self.amounts:
            return
        self.begin()
        for numbers in range(2, size + 1):
            self._join_best(numbers - 1)
            found = [card for less in (1, 2) for known in self.beams.get(numbers - less, ()) for card in self.grown(known, less)]
            self._keep(numbers, found)

    def _join_best(self, numbers: int) -> None:
        """Go on from the best formula of a size, too, if it was found on the way to larger ones."""
        best = self.search_state.formulas.get(numbers)
        if best is not None and best not in self.beams[numbers]:
            self.beams[numbers].insert(0, best)

    # One number

    def begin(self) -> None:
        """Find the formulas of one number, all of them if that is not too much."""
        family = list(self.family())
        each = self.evaluator.edges + 2 * self.words.rows
        known = _different(self._known([card for verb in self.words.verb for card in self.simple(verb)]), BEAM)
        cards = [one.card for one in known]
        if len(family) * each < MOST_IN_FULL * self.evaluator.effort.left:
            self._note(1, [*family, *cards])
            self.proved = True
        else:
            self._note(1, [card for one in cards[:SCANNED] for card in self.scan(one)] + cards)

    def scan(self, card: Card) -> list[Card]:
        """Give the card with every other number: what one number is worth goes up and down more than once."""
        comparison = card.lines[0].condition[0][0]
        name, terms = _left(comparison), _terms(comparison)
        own = self._column(name, terms, np.arange(self.words.rows))
        numbers = range(int(own.min()) + 1, int(own.max()) + 1)
        return [_recut(card, 0, 0, _compare(name, comparison.operator, number, terms)) for number in numbers]

    def family(self) -> Iterator[Card]:
        """List the formulas of one number."""
        for name, numbers in zip(self.ranked.names, self.ranked.numbers, strict=True):
            if name in self.amounts:
                for first, second in ((a, b) for a in self.words.verb for b in self.words.verb if a != b):
                    for number in numbers[1:].tolist():
                        yield _formula(((_compare(name, ">=", number, ()), first),), second)

    def simple(self, otherwise: str) -> list[Card]:
        """Give formulas of one number that should be good."""
        card = _formula((), otherwise)
        self.search_state.worth(card)
        return [one for standing in self._standings(card) for one in _best(list(self._added(standing, 1)), CHECKED)]

    def _standings(self, card: Card) -> tuple[Standing, Standing]:
        """Compute what single changes would gain if all later moves are the card's, and if they are the best ones."""
        return Standing.of(self.evaluator, card), Standing.at_best(self.evaluator, card)

    # Growing

    def grown(self, known: Known, by: int) -> list[Card]:
        """Give cards with so many numbers more that should be better."""
        found: list[Card] = []
        for standing in self._standings(known.card):
            found += _best([*self._added(standing, by), *(self._longer(standing) if by == 1 else ())], CHECKED // by)
        return found

    def _added(self, standing: Standing, by: int) -> Iterator[Option]:
        """Add a line of one comparison: with a number, or with a number and a term."""
        card = standing.card
        for place in range(len(card.lines)):
            rows = standing.open_to(place)
            for verb in self.words.verb:
                legal, gain = self._gain(standing, rows, verb, standing.own)
                for comparison, worth in self._thresholds(legal, gain, self._columns(by)):
                    new = CardLine(((comparison,),), verb)
                    yield Option(worth, card.with_lines(*card.lines[:place], new, *card.lines[place:]))

    def _longer(self, standing: Standing) -> Iterator[Option]:
        """Add a term or a comparison to a line."""
        for place, which, legal, gain, now in self._places(standing):
            comparison = standing.card.lines[place].condition[0][which]
            name, terms = _left(comparison), _terms(comparison)
            more = [(name, (*terms, term)) for term in self._all_terms(name, terms)]
            for new, worth in self._thresholds(legal, gain, more):
                yield Option(worth - now, _recut(standing.card, place, which, new))
            kept = np.ones(len(legal), dtype=np.bool_)
            kept &= comparison.holds(lambda name, legal=legal: self.words.feature[name][legal])  # type: ignore[arg-type, misc]
            for new, worth in self._thresholds(legal[kept], gain[kept], self._columns(1)):
                every = (*standing.card.lines[place].condition[0], new)
                yield Option(worth - now, _reline(standing.card, place, CardLine((every,), standing.card.lines[place].verb)))

    def _places(self, standing: Standing) -> Iterator[tuple[int, int, Ints, Floats, float]]:
        """Go through the comparisons: with the rows that it decides about, what holding gains there, and what it gains now."""
        card = standing.card
        for place, own in enumerate(card.lines[:-1]):
            fallen = standing.by_row(self.words.play_rows(card.without(place)).choice)
            legal, gain = self._gain(standing, standing.open_to(place), own.verb, fallen)
            now = float(gain[standing.played.line[legal] == place].sum())
            for which in range(len(own.condition[0])):
                others = CardLine(((*own.condition[0][:which], *own.condition[0][which + 1 :]),), own.verb)
                kept = self.words.fits(others, legal)
                yield place, which, legal[kept], gain[kept], now

    def _gain(self, standing: Standing, rows: Ints, verb: str, instead: Floats) -> tuple[Ints, Floats]:
        gain = (standing.verbs[verb] - instead)[rows]
        kept = (self.words.verb[verb][rows] >= 0) & (np.abs(gain) > NEGLIGIBLE * np.abs(gain).max(initial=0.0))
        return rows[kept], gain[kept]

    def _columns(self, numbers: int) -> list[tuple[str, tuple[Term, ...]]]:
        """List the comparisons of so many numbers: features, and what is added to the number they are compared with."""
        if numbers == 1:
            plain: list[tuple[str, tuple[Term, ...]]] = [(name, ()) for name in self.amounts]
            return [*plain, *((name, (term,)) for name in self.amounts for term in self._all_terms(name, ()) if term[2] == 1)]
        return [(name, (term,)) for name in self.amounts for term in self._all_terms(name, ()) if term[2] > 1]

    def _all_terms(self, name: str, known: tuple[Term, ...]) -> list[Term]:
        used = {name, *(term[1] for term in known)}
        return [(sign, other, by) for other in self.amounts if other not in used for by in DIVISORS for sign in (1, -1)]

    def _thresholds(
        self, rows: Ints, gain: Floats, columns: list[tuple[str, tuple[Term, ...]]]
    ) -> Iterator[tuple[Comparison, float]]:
        """Give the best threshold of every column for a line that gains so much in each of some rows."""
        if not len(rows) or not (gain > 0).any():
            return
        self.evaluator.effort.spend(len(rows) * len(columns) / 2)
        for name, terms in columns:
            own = self._column(name, terms, rows)
            low = int(own.min())
            sums = np.bincount(own - low, gain)
            upto = np.cumsum(sums)
            for operator, worth, first in (("<=", upto[:-1], 0), (">=", upto[-1] - upto[:-1], 1)):
                if len(worth) and (best := int(np.argmax(worth))) >= 0 and worth[best] > 0:
                    yield _compare(name, operator, low + best + first, terms), float(worth[best])

    def _column(self, name: str, terms: tuple[Term, ...], rows: Ints) -> Ints:
        found: Ints = self.words.feature[name][rows]
        for sign, other, by in terms:
            more = sign * self.words.feature[other][rows]
            found = found - (more if by == 1 else (2 * more + by) // (2 * by))
        return found

    # Tuning

    def _keep(self, numbers: int, cards: list[Card]) -> None:
        """Compute cards, tune the best, and keep the best of these."""
        known = _different(self._known(cards), FOLLOWED)
        self._note(numbers, [self.tune(one).card for one in known])

    def _note(self, numbers: int, cards: list[Card]) -> None:
        self.beams[numbers] = _different(self._known(cards), BEAM)

    def _known(self, cards: list[Card]) -> list[Known]:
        found, seen = [], set()
        for card in dict.fromkeys(cards):
            worth = self.search_state.worth(card)
            if worth not in seen:
                seen.add(worth)
                found.append(Known(worth, card))
        return found

    def tune(self, known: Known) -> Known:
        """Change numbers as long as that helps: where it should, then one of them by a step, two, or one by more."""
        while True:
            better = self.search_state.better(self._tuned(known.card), known)
            if better is None:
                return known
            known = better

    def _tuned(self, card: Card) -> Iterator[list[Card]]:
        yield self._retuned(card)
        yield _single_steps(card, NEAR)
        yield _double_steps(card)
        yield _single_steps(card, FAR)

    def _retuned(self, card: Card) -> list[Card]:
        """Give cards with the number and the divisors of one comparison chosen again."""
        standing = Standing.of(self.evaluator, card)
        options: list[Option] = []
        for place, which, legal, gain, now in self._places(standing):
            comparison = card.lines[place].condition[0][which]
            name, terms = _left(comparison), _terms(comparison)
            for new, worth in self._thresholds(legal, gain, [(name, other) for other in _redivided(terms)]):
                options.append(Option(worth - now, _recut(card, place, which, new)))
        return _best(options, CHECKED // 2)


def _different(known: list[Known], count: int) -> list[Known]:
    """Give the best cards, of those that ask for the same only one."""
    found: dict[tuple[tuple[str, ...], ...], Known] = {}
    for one in sorted(known, key=lambda one: -one.worth):
        asked = tuple(
            (line.verb, *(term[1] for every in line.condition for each in every for side in each[::2] for term in side.terms))
            for line in one.card.lines
        )
        found.setdefault(asked, one)
    return list(found.values())[:count]


def _formula(lines: tuple[tuple[Comparison, str], ...], otherwise: str) -> Card:
    made = tuple(CardLine(((comparison,),), verb) for comparison, verb in lines)
    return Card((*made, CardLine(((),), otherwise)), kind="formula")


def _compare(name: str, operator: str, number: int, terms: tuple[Term, ...]) -> Comparison:
    return Comparison(Amount(((1, name, 1),)), operator, Amount(((number, "", 1), *terms)))


def _left(comparison: Comparison) -> str:
    return comparison.left.terms[0][1]


def _terms(comparison: Comparison) -> tuple[Term, ...]:
    return comparison.right.terms[1:]


def _best(options: list[Option], count: int) -> list[Card]:
    """Give those that should gain most, and of those that gain the same only one."""
    found: dict[float, Card] = {}
    for option in sorted(options, key=lambda one: -one.gain):
        if option.gain > 0:
            found.setdefault(round(option.gain, 15), option.card)
        if len(found) == count:
            break
    return list(found.values())


def _reline(card: Card, place: int, line: CardLine) -> Card:
    return card.with_lines(*card.lines[:place], line, *card.lines[place + 1 :])


def _recut(card: Card, place: int, which: int, comparison: Comparison) -> Card:
    line = card.lines[place]
    every = line.condition[0]
    return _reline(card, place, CardLine(((*every[:which], comparison, *every[which + 1 :]),), line.verb))


def _redivided(terms: tuple[Term, ...]) -> list[tuple[Term, ...]]:
    """Give the terms with other divisors, one of them at a time; one that is not divided stays so: it needs no number."""
    found = [terms]
    for at, (sign, name, by) in enumerate(terms):
        if by > 1:
            found += [(*terms[:at], (sign, name, other), *terms[at + 1 :]) for other in range(2, 31) if other != by]
    return found


def _places(card: Card) -> list[tuple[int, int, int]]:
    """Give where the whole numbers of a card stand: line, comparison, term."""
    return [
        (line, which, at)
        for line, own in enumerate(card.lines)
        for which, comparison in enumerate(own.condition[0])
        for at, (_, name, by) in enumerate(comparison.right.terms)
        if not name or by > 1
    ]


def _single_steps(card: Card, steps: tuple[int, ...]) -> list[Card]:
    found = [_step(card, [(place, by)]) for place in _places(card) for by in steps]
    return [one for one in found if one is not None]


def _double_steps(card: Card) -> list[Card]:
    pairs = combinations(_places(card), 2)
    found = [_step(card, [(one, a), (two, b)]) for one, two in pairs for a in (-1, 1) for b in (-1, 1)]
    return [one for one in found if one is not None]


def _step(card: Card, changes: list[tuple[tuple[int, int, int], int]]) -> Card | None:
    for (place, which, at), by in changes:
        comparison = card.lines[place].condition[0][which]
        factor, name, divisor = comparison.right.terms[at]
        term = (factor, name, divisor + by) if name else (factor + by, name, divisor)
        if term[2] < 2 and name:
            return None
        terms = (*comparison.right.terms[:at], term, *comparison.right.terms[at + 1 :])
        card = _recut(card, place, which, comparison._replace(right=Amount(terms)))
    return card
