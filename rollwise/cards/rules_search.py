"""The search for cards of lines, for every game: a card is made longer, and changed, where its own play would gain most.

The evaluator proposes the changes that should gain most (`CardPlay`); they are computed exactly, and the best of these is taken,
if it is better. When no change of one line helps, some lines are thrown away and found again.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from rollwise.model.card import Card, CardLine
from rollwise.solvers.base.card_evaluator import CardEvaluator, CardPlay

__all__ = ["Known", "RulesSearch", "SearchState"]

PATIENCE = 100
ENOUGH = 1e-12
"""A loss below this is none."""


class Known(NamedTuple):
    """A card and its worth: more is better."""

    worth: float
    card: Card


class SearchState:
    """An evaluator of cards, and what was found with it."""

    def __init__(self, evaluator: CardEvaluator) -> None:
        self.evaluator = evaluator
        self.best: dict[int, Known] = {}
        """The best card of lines found of each size."""
        self.formulas: dict[int, Known] = {}
        """The best formula of each size."""

    def worth(self, card: Card) -> float:
        """Compute a card, and note it if it is the best of its size."""
        worth = self._rising(self.evaluator.value(card))
        self.note(worth, card)
        return worth

    def _rising(self, value: float) -> float:
        """A value as a number of which more is better."""
        return value if self.evaluator.higher else 0.0 - value

    def note(self, worth: float, card: Card) -> None:
        """Keep a card that is better than the best of its size and kind, or as good with fewer words."""
        best = self.formulas if card.kind == "formula" else self.best
        known = best.get(card.size)
        better = known is None or worth > known.worth + 1e-15
        if card.size and (better or (known and worth >= known.worth - 1e-15 and _words(card) < _words(known.card))):
            best[card.size] = Known(worth, card)

    def all_best(self) -> dict[int, Known]:
        """Give the best card of each size, whatever its kind; of equals the one with fewer words."""
        found = dict(self.best)
        for size, one in self.formulas.items():
            if size not in found or (one.worth, *(-n for n in _words(one.card))) > (
                found[size].worth, *(-n for n in _words(found[size].card)),
            ):  # fmt: skip
                found[size] = one
        return found

    @property
    def optimum(self) -> float:
        """What perfect play is worth, more being better."""
        return self._rising(self.evaluator.optimum)

    def best_of(self, cards: Iterable[Card]) -> Known | None:
        """Compute some cards, each once, and give the best."""
        found = [Known(self.worth(card), card) for card in dict.fromkeys(cards)]
        return max(found, key=lambda one: one.worth, default=None)

    def better(self, groups: Iterable[Iterable[Card]], known: Known) -> Known | None:
        """Give the best card of the first group with one that is better than what is known; None: there is none."""
        for cards in groups:
            found = self.best_of(cards)
            if found is not None and found.worth > known.worth + 1e-15:
                return found
        return None


class RulesSearch:
    """A search for cards of lines with an evaluator; what it finds is noted in the state of the search."""

    def __init__(self, search_state: SearchState, seed: int) -> None:
        self.search_state, self.random = search_state, Random(seed)

    def run(self, size: int) -> None:
        """Grow a card line by line up to `size` lines, or until nothing is lost any more, and drop its lines again."""
        known = self.search_state.best_of(self.search_state.evaluator.first_cards(size))
        if known is not None:
            self.shrink(self.grown(known, size, self.improve).card)

    def grow_one(self, size: int, begin: Sequence[Card] = ()) -> None:
        """Grow one card to `size` lines, without looking for the best of the sizes on the way: each card takes long.

        It grows from the best of the first cards and those to `begin` with.
        """
        known = self.search_state.best_of([*self.search_state.evaluator.first_cards(size), *begin])
        if known is not None:
            self.grown(self.improve(known), size, self.improve)

    def go_on(self, size: int) -> None:
        """Make better what others found, then shake what there is, until there is no effort left."""
        for known in [known for known in self.search_state.best.values() if known.card.kind == "tree"]:
            card = replace(known.card, kind="rules")
            self.improve(Known(self.search_state.worth(card), card))
        self.shake(size)

    def lengthen(self, size: int) -> None:
        """Add lines to the best cards there are, each of them where it gains most, up to `size`: that is soon done."""
        for known in [known for known in self.search_state.best.values() if known.card.kind == "rules"]:
            self.grown(known, size)
        for known in [known for known in self.search_state.best.values() if known.card.kind == "rules"]:
            short = self.shorten(known)
            self.search_state.best[short.card.size] = short

    def shorten(self, known: Known) -> Known:
        """Leave out comparisons that gain nothing: a line that was made for one position says more than it must."""
        for place, line in enumerate(known.card.lines):
            for comparison in line.condition[0]:
                lines = known.card.lines
                fewer = CardLine((tuple(one for one in lines[place].condition[0] if one != comparison),), line.verb)
                if fewer.condition[0]:
                    known = self._as_good(known.card.with_lines(*lines[:place], fewer, *lines[place + 1 :]), known)
        for place in reversed(range(len(known.card.lines) - 1)):
            known = self._as_good(known.card.without(place), known)
        return known

    def _as_good(self, card: Card, known: Known) -> Known:
        """Give a card in place of another if it is as good."""
        worth = self.search_state.worth(card)
        return Known(worth, card) if worth >= known.worth else known

    def perfect(self, known: Known) -> bool:
        """Say whether a card loses nothing."""
        optimum = self.search_state.optimum
        return optimum - known.worth <= ENOUGH * max(1.0, abs(optimum))

    def play(self, known: Known) -> CardPlay:
        """Give a card's own play."""
        return self.search_state.evaluator.play(known.card, self.random)

    def grown(self, known: Known, size: int, then: Callable[[Known], Known] = lambda known: known) -> Known:
        """Add what is best as long as that helps and there is room, and do something with the card after each step."""
        while known.card.size < size and not self.perfect(known):
            longer = self.search_state.better(self.play(known).longer(size - known.card.size), known)
            if longer is None:
                break
            known = then(longer)
        return known

    def improve(self, known: Known) -> Known:
        """Change a card as long as that helps, for as many rounds as the evaluator says."""
        for _ in range(self.search_state.evaluator.rounds):
            better = self.search_state.better(self.play(known).changed(), known)
            if better is None:
                break
            known = better
        return known

    def shrink(self, card: Card) -> None:
        """Drop lines one at a time, those that are missed least: smaller cards may come out better than they were found."""
        while len(card.lines) > 2:
            shorter = self.search_state.best_of(self.play(Known(0.0, card)).shorter())
            if shorter is None:
                return
            if shorter.card.size > 1 and shorter.worth >= self.search_state.best[shorter.card.size].worth - 1e-15:
                shorter = self.improve(shorter)
            card = shorter.card

    def shake(self, size: int, smallest: int = 3) -> None:
        """Throw some lines away and find others, for as long as there is effort and now and then a better card.

        Cards of `smallest` to `size` lines are tried.
        """
        stuck, best = 0, self.search_state.best
        while stuck < PATIENCE:
            self.regrow(smallest, size)
            sizes = [one for one, known in sorted(best.items()) if one >= smallest and self._shakeable(known, size)]
            if not sizes:
                return
            goal = self.random.choices(sizes, sizes)[0]
            before = best[goal].worth
            self._rebuild(self._thinned(best[goal]), goal)
            stuck = 0 if best[goal].worth > before + 1e-15 else stuck + 1

    def regrow(self, smallest: int, size: int) -> None:
        """Where a longer card is no better than a shorter one, grow it from that."""
        best = self.search_state.best
        for longer in range(smallest, min(size, max(best, default=0) + 1) + 1):
            shorter, known = best.get(longer - 1), best.get(longer)
            if shorter is not None and not self.perfect(shorter) and (known is None or known.worth <= shorter.worth):
                self._rebuild(shorter._replace(card=replace(shorter.card, kind="rules")), longer)

    def _shakeable(self, known: Known, size: int) -> bool:
        return 3 <= known.card.size <= size and not self.perfect(known)

    def _thinned(self, known: Known) -> Known:
        """Drop one to three lines."""
        card = replace(known.card, kind="rules")
        for _ in range(self.random.randint(1, min(3, card.size - 2))):
            card = self.random.choice(self.play(Known(0.0, card)).shorter())
        return Known(self.search_state.worth(card), card)

    def _rebuild(self, known: Known, goal: int) -> None:
        self.improve(self.grown(known, goal))


def _words(card: Card) -> tuple[int, int]:
    """How much there is to read."""
    comparisons = sum(len(every) for line in card.lines for every in line.condition)
    return comparisons, len(str(replace(card, game="", aim="")))
