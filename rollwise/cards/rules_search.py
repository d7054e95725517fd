"""The search for ordered rules: lines are added, and made again one at a time, where the card's own play would gain most.

With the values of all moves under the card itself, and how often its play comes to each position, the gain of every candidate
line at every place follows in one pass over the rows of the table (`cuts`): the first step of policy improvement, restricted to
what a line can say. The best candidates are computed exactly; the best of these is taken, if it is better. When no change of
one line helps, some lines are thrown away at random and found again.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
import numpy.typing as npt

from rollwise.cards.cuts import Proposal
from rollwise.cards.search_state import Known, SearchState, Standing
from rollwise.model.card import Card, CardLine

__all__ = ["RulesSearch"]

Ints = npt.NDArray[np.int64]

ALWAYS: tuple[tuple[()], ...] = ((),)
DEPTH, WIDTH = 3, 5
"""How many comparisons a line may have, and how many conditions are followed up at each."""
CHECKED = 12
"""Candidates that are computed exactly at a time."""
ROUNDS, PATIENCE = 40, 100
ENOUGH = 1e-12
"""A loss below this is none."""


class RulesSearch:
    """One search on a desk."""

    def __init__(self, search_state: SearchState, seed: int) -> None:
        self.search_state, self.words, self.random = search_state, search_state.evaluator.words, Random(seed)
        self.deep = 1 if search_state.evaluator.words.rows > 50_000 else 0

    def run(self, size: int) -> None:
        """Grow a card line by line up to `size` lines, or until nothing is lost any more."""
        card = self.begin().card
        while len(card.lines) < size and not self.perfect(card):
            grown = self.grow(card)
            if grown is None:
                break
            card = self.improve(grown.card).card
        self.shrink(card)

    def go_on(self, size: int) -> None:
        """Make better what others found, then shake what there is, until there is no effort left."""
        for known in [known for known in self.search_state.best.values() if known.card.kind == "tree"]:
            self.improve(replace(known.card, kind="rules"))
        self.shake(size)

    def lengthen(self, size: int) -> None:
        """Add lines to the best cards there are, each of them where it gains most, up to `size`: that is soon done."""
        for known in [known for known in self.search_state.best.values() if known.card.kind == "rules"]:
            grown: Known | None = known
            while grown is not None and len(grown.card.lines) < size and not self.perfect(grown.card):
                grown = self.grow(grown.card)
        for known in [known for known in self.search_state.best.values() if known.card.kind == "rules"]:
            short = self.shorten(known)
            self.search_state.best[short.card.size] = short

    def shorten(self, known: Known) -> Known:
        """Leave out comparisons that gain nothing: a line that was made for one position says more than it must."""
        for place, line in enumerate(known.card.lines):
            for comparison in line.condition[0]:
                kept = known.card.lines[place].condition[0]
                fewer = CardLine((tuple(one for one in kept if one != comparison),), line.verb)
                card = _with(known.card, (*known.card.lines[:place], fewer, *known.card.lines[place + 1 :]))
                worth = self.search_state.worth(card) if fewer.condition[0] else known.worth - 1
                if worth >= known.worth:
                    known = Known(worth, card)
        return self._without_idle(known)

    def _without_idle(self, known: Known) -> Known:
        """Drop lines that gain nothing."""
        for place in reversed(range(len(known.card.lines) - 1)):
            shorter = _without(known.card, place)
            if self.search_state.worth(shorter) >= known.worth:
                known = Known(self.search_state.worth(shorter), shorter)
        return known

    def perfect(self, card: Card) -> bool:
        """Say whether a card loses nothing."""
        return self.search_state.optimum - self.search_state.worth(card) <= ENOUGH * max(1.0, abs(self.search_state.optimum))

    def begin(self) -> Known:
        """Give the best card of one line."""
        cards = [Card((CardLine(ALWAYS, verb),)) for verb in self.words.verb]
        return self.search_state.best_of(cards) or Known(self.search_state.worth(cards[0]), cards[0])

    def grow(self, card: Card) -> Known | None:
        """Add the best line; None where none helps."""
        (standing, best), known = self.search_state.standings(card), self.search_state.worth(card)
        found = self.search_state.best_of([*self.added(standing), *self.added(best)])
        if found is None or found.worth <= known:
            found = self.search_state.best_of(list(self.singled_out(standing)))
        return found if found is not None and found.worth > known else None

    def improve(self, card: Card) -> Known:
        """Make lines again, one after another, as long as that helps."""
        known = Known(self.search_state.worth(card), card)
        for _ in range(ROUNDS):
            better = self.remade_best(known) or self.exchanged_best(known) or self.swapped_best(known)
            if better is None:
                break
            known = better
        return known

    def remade_best(self, known: Known) -> Known | None:
        """Make every line again, and give the best card if it is better."""
        standing = self.search_state.standing(known.card)
        return self._better(self.remade(standing), known)

    def exchanged_best(self, known: Known) -> Known | None:
        """Take every line away and add one somewhere."""
        best: Known | None = None
        for place in range(len(known.card.lines) - 1):
            shorter = _without(known.card, place)
            self.search_state.worth(shorter)
            found = self._better(self.added(self.search_state.standing(shorter), checked=4), known)
            if found is not None and (best is None or found.worth > best.worth):
                best = found
                break
        return best

    def swapped_best(self, known: Known) -> Known | None:
        """Swap neighbours."""
        lines = known.card.lines
        swapped = [_with(known.card, (*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :])) for at in range(len(lines) - 2)]
        return self._better(iter(swapped), known)

    def _better(self, cards: Iterator[Card], known: Known) -> Known | None:
        found = self.search_state.best_of(list(cards))
        return found if found is not None and found.worth > known.worth + 1e-15 else None

    def shrink(self, card: Card) -> None:
        """Drop lines one at a time, those that are missed least: smaller cards may come out better than they were found."""
        while len(card.lines) > 2:
            shorter = self.search_state.best_of([_without(card, place) for place in range(len(card.lines) - 1)])
            if shorter is None:
                return
            size = shorter.card.size
            known = self.search_state.best[size]
            if shorter.worth >= known.worth - 1e-15 and size > 1:
                shorter = self.improve(shorter.card)
            card = shorter.card

    def shake(self, size: int) -> None:
        """Throw some lines away and find others, for as long as there is effort and now and then a better card."""
        stuck = 0
        while stuck < PATIENCE:
            self.regrow(size)
            sizes = [one for one, known in sorted(self.search_state.best.items()) if self._shakeable(one, known, size)]
            if not sizes:
                return
            goal = self.random.choices(sizes, sizes)[0]
            before = self.search_state.best[goal].worth
            self._rebuild(self._thinned(self.search_state.best[goal].card), goal)
            stuck = 0 if self.search_state.best[goal].worth > before + 1e-15 else stuck + 1

    def regrow(self, size: int) -> None:
        """Where a longer card is no better than a shorter one, grow it from that."""
        for longer in range(3, min(size, max(self.search_state.best, default=0) + 1) + 1):
            shorter, known = self.search_state.best.get(longer - 1), self.search_state.best.get(longer)
            if shorter is None or shorter.card.kind == "formula" or self.perfect(shorter.card):
                continue
            if known is None or (known.card.kind != "formula" and known.worth <= shorter.worth):
                self._rebuild(replace(shorter.card, kind="rules"), longer)

    def _shakeable(self, lines: int, known: Known, size: int) -> bool:
        return 3 <= lines <= size and known.card.kind != "formula" and not self.perfect(known.card)

    def _thinned(self, card: Card) -> Card:
        card = replace(card, kind="rules")
        for _ in range(self.random.randint(1, min(3, len(card.lines) - 2))):
            card = _without(card, self.random.randrange(len(card.lines) - 1))
        return card

    def _rebuild(self, card: Card, goal: int) -> None:
        while len(card.lines) < goal:
            grown = self.grow(card)
            if grown is None:
                break
            card = grown.card
        self.improve(card)

    # Candidates

    def added(self, standing: Standing, checked: int = CHECKED) -> Iterator[Card]:
        """Give the cards with one line more that should gain most."""
        card = standing.card
        line, own = self._own(card), standing.by_row(self.words.play_rows(card).choice)
        met = standing.met
        found: list[tuple[Proposal, int, str]] = []
        for place in range(len(card.lines)):
            rows = np.flatnonzero(met & ((line >= place) | (line < 0)))
            for verb in self.words.verb:
                found += [(one, place, verb) for one in self._conditions(standing, rows, verb, own)]
        for proposal, place, verb in _most(found, checked):
            yield _with(card, (*card.lines[:place], self._line(proposal, verb), *card.lines[place:]))

    def remade(self, standing: Standing) -> Iterator[Card]:
        """Give the cards with one line made again that should gain most; the last line keeps that it always fits."""
        card, met = standing.card, standing.met
        line = self._own(card)
        base = standing.by_row(self.words.play_rows(card).choice)
        found: list[tuple[Proposal, int, str]] = []
        last = len(card.lines) - 1
        for place in range(last):
            shorter = _without(card, place)
            fallen = standing.by_row(self.words.play_rows(shorter).choice)
            self.search_state.spend(len(card.lines) * self.words.rows)
            rows = np.flatnonzero(met & ((line >= place) | (line < 0)))
            now = float((base - fallen)[rows].sum())
            for verb in self.words.verb:
                proposals = self._conditions(standing, rows, verb, fallen)
                found += [(Proposal(one.gain - now, one.cuts), place, verb) for one in proposals]
        for proposal, place, verb in _most(found, CHECKED):
            yield _with(card, (*card.lines[:place], self._line(proposal, verb), *card.lines[place + 1 :]))
        for verb in self.words.verb:
            yield _with(card, (*card.lines[:last], CardLine(ALWAYS, verb)))

    def singled_out(self, standing: Standing) -> Iterator[Card]:
        """Give cards with a first line for just one row: where a card can be as long as it likes, it loses nothing in the end."""
        own, ranked = standing.by_row(self.words.play_rows(standing.card).choice), self.search_state.ranked
        options: list[tuple[float, int, str]] = []
        for verb, worth in standing.verbs.items():
            gain = np.where(self.words.verb[verb] >= 0, worth - own, 0.0)
            options += [(float(gain[row]), row, verb) for row in np.argsort(-gain, kind="stable")[:4].tolist()]
        for most, row, verb in sorted(options, key=lambda one: -one[0])[:CHECKED]:
            if most > 0.0:
                values = [numbers[rank] for numbers, rank in zip(ranked.numbers, ranked.ranks[row], strict=True)]
                cuts = [ranked.cut(column, int(value)) for column, value in enumerate(values)]
                line = CardLine((tuple(map(ranked.comparison, cuts)),), verb)
                yield _with(standing.card, (line, *standing.card.lines))

    def _own(self, card: Card) -> Ints:
        return self.words.play_rows(card).line

    def _conditions(self, standing: Standing, rows: Ints, verb: str, instead: npt.NDArray[np.float64]) -> list[Proposal]:
        """Give the best conditions for doing as a verb says, among some rows, in place of what is done now."""
        rows = rows[self.words.verb[verb][rows] >= 0]
        if not len(rows):
            return []
        gain = (standing.verbs[verb] - instead)[rows]
        if not (gain > 0).any():
            return []
        width = WIDTH - 2 * self.deep
        depth = DEPTH - self.deep
        self.search_state.spend(2000 + len(rows) * len(self.search_state.ranked.names) * (1 + width * (depth - 1)) / 8)
        return self.search_state.ranked.conditions(rows, gain, depth=depth, width=width)[:4]

    def _line(self, proposal: Proposal, verb: str) -> CardLine:
        return CardLine((tuple(map(self.search_state.ranked.comparison, proposal.cuts)),), verb)


def _most(found: list[tuple[Proposal, int, str]], count: int) -> list[tuple[Proposal, int, str]]:
    """Give those that should gain most, not more than a few for the same place."""
    chosen, places = [], dict[int, int]()
    for one in sorted((one for one in found if one[0].gain > 0), key=lambda one: -one[0].gain):
        if places.get(one[1], 0) < 3:
            chosen.append(one)
            places[one[1]] = places.get(one[1], 0) + 1
        if len(chosen) == count:
            break
    return chosen


def _with(card: Card, lines: tuple[CardLine, ...]) -> Card:
    return replace(card, lines=lines)


def _without(card: Card, place: int) -> Card:
    return _with(card, (*card.lines[:place], *card.lines[place + 1 :]))
