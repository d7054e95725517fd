"""What every search for cards is based on: the evaluator, and the best card of every size that was computed with it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from rollwise.model.card import Card

__all__ = ["Known", "SearchState"]


class Known(NamedTuple):
    """A card and its worth: more is better."""

    worth: float
    card: Card


class SearchState:
    """An evaluator of cards, and what was found with it."""

    def __init__(self, evaluator: Any) -> None:
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


def _words(card: Card) -> tuple[int, int]:
    """How much there is to read."""
    comparisons = sum(len(every) for line in card.lines for every in line.condition)
    return comparisons, len(str(replace(card, game="", aim="")))
