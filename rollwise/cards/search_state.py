"""What every search for cards is based on: the evaluator, what was computed, the effort that is left, the best card of every
size.

Effort is counted in steps of the work itself and not by the clock, so that the same seed gives the same card on any machine that
is not far slower; the clock only stops a search that takes more than twice as long as it may.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.cards.cuts import Ranked
from rollwise.model.card import Card
from rollwise.model.game import Progress
from rollwise.solvers.graph.card_evaluator import GraphCardEvaluator

__all__ = ["Known", "SearchState", "Spent", "Standing"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

STEPS_A_SECOND = 60_000_000
"""Steps that take about a second."""
OVERTIME = 3.0
NEVER = -1e6
"""What never ending the game counts for in the search."""
KEPT = 20_000
"""Values that are remembered."""


class Spent(Exception):
    """There is no effort left."""


class Known(NamedTuple):
    """A card and its worth: more is better."""

    worth: float
    card: Card


@dataclass
class SearchState:
    """An evaluator, what was found with it, and how much more may be done."""

    evaluator: GraphCardEvaluator
    seconds: float
    progress: Progress | None = None
    best: dict[int, Known] = field(default_factory=dict)
    """The best card of lines found of each size."""
    formulas: dict[int, Known] = field(default_factory=dict)
    """The best formula of each size."""
    ranked: Ranked = field(init=False)
    left: float = field(init=False)

    def __post_init__(self) -> None:
        words = self.evaluator.words
        flags = {feature.name for feature in words.vocabulary.features if feature.is_flag}
        self.ranked = Ranked.of(words.feature, flags)
        self._warm_up()
        self.left, self.late = self.seconds * STEPS_A_SECOND, monotonic() + OVERTIME * self.seconds + 1.0
        self.values: dict[int, float] = {}
        self.edges = sum(len(evaluator.arrays.target) + len(evaluator.pick) for evaluator in self.evaluator.evaluators) + 30_000
        self.looked = 0

    def _warm_up(self) -> None:
        """Compile what is needed before the clock begins."""
        choice = np.zeros(len(self.evaluator.states), dtype=np.int64)
        self.evaluator.choice_value(choice)
        self.evaluator.visits(choice)
        self.ranked.conditions(np.zeros(1, dtype=np.int64), np.ones(1), depth=2, width=2)

    def spend(self, steps: float) -> None:
        """Take effort. Raises `Spent` where there is none left."""
        self.left -= steps
        if self.left < 0 or monotonic() > self.late:
            raise Spent
        self.looked += 1
        if self.progress and self.looked % 16 == 0:
            whole = self.seconds * STEPS_A_SECOND
            self.progress("looking for a card", int(100 * (1 - self.left / whole)), 100)

    def within(self, share: float, work: Callable[[], None]) -> bool:
        """Do work with a share of the effort that is left; say whether that was spent before it was done."""
        held = self.left * (1 - share)
        self.left -= held
        try:
            work()
        except Spent:
            return True
        finally:
            self.left = max(self.left, 0.0) + held
        return False

    def worth(self, card: Card) -> float:
        """Compute a card, and note it if it is the best of its size."""
        words = self.evaluator.words
        choice = words.play_rows(card).choice
        key = hash(choice.astype(np.int16).tobytes())
        if key not in self.values:
            self.spend(self.edges + len(card.lines) * words.rows / 4)
            value = self.evaluator.choice_value(choice[words.row])
            if len(self.values) >= KEPT:
                self.values.clear()
            self.values[key] = value if self.evaluator.higher else 0.0 - value
        self.note(self.values[key], card)
        return self.values[key]

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
        return self.evaluator.optimum if self.evaluator.higher else 0.0 - self.evaluator.optimum

    def best_of(self, cards: list[Card]) -> Known | None:
        """Compute some cards, each once, and give the best."""
        found = [Known(self.worth(card), card) for card in dict.fromkeys(cards)]
        return max(found, key=lambda one: one.worth, default=None)

    def standing(self, card: Card) -> "Standing":
        """Compute what single changes of a card would gain."""
        self.spend(6 * self.edges)
        return Standing.of(self.evaluator, card)

    def standings(self, card: Card) -> tuple["Standing", "Standing"]:
        """Compute what single changes would gain if all later moves are the card's, and if they are the best ones."""
        self.spend(8 * self.edges)
        return Standing.of(self.evaluator, card), Standing.at_best(self.evaluator, card)


def _words(card: Card) -> tuple[int, int]:
    """How much there is to read."""
    comparisons = sum(len(every) for line in card.lines for every in line.condition)
    return comparisons, len(str(replace(card, game="", aim="")))


@dataclass(frozen=True, eq=False)
class Standing:
    """A card's own play: how often decisions occur, and what their actions are worth, if all later moves are the card's."""

    evaluator: GraphCardEvaluator
    card: Card
    times: Floats
    worth: Floats
    verbs: dict[str, Floats]
    """By row, what doing as a verb says is worth, times how often it occurs; 0 where it means nothing."""

    @classmethod
    def of(cls, evaluator: GraphCardEvaluator, card: Card) -> "Standing":
        """Work it out."""
        choice = evaluator.words.play(card).choice
        return cls._made(evaluator, card, evaluator.visits(choice), evaluator.action_values(choice))

    @classmethod
    def at_best(cls, evaluator: GraphCardEvaluator, card: Card) -> "Standing":
        """Work it out as if later moves were the best ones, where the card's play leads and where the best play does."""
        own = evaluator.visits(evaluator.words.play(card).choice)
        return cls._made(evaluator, card, (np.where(np.isfinite(own), own, 0.0) + evaluator.best_times) / 2, evaluator.best_worth)

    @classmethod
    def _made(cls, evaluator: GraphCardEvaluator, card: Card, times: Floats, worth: Floats) -> "Standing":
        """Put it together; a card that may never end the game has no values in some places."""
        times = np.where(np.isfinite(times), times, 0.0)
        found = cls(evaluator, card, times, np.where(np.isfinite(worth), worth, NEVER), {})
        found.verbs.update({name: found.by_row(place) for name, place in evaluator.words.verb.items()})
        return found

    def by_row(self, place: Ints) -> Floats:
        """Add up by row what actions are worth, given by their places (below 0: none)."""
        words = self.evaluator.words
        chosen = place[words.row]
        own = np.where(chosen >= 0, self.worth[self.evaluator.starts + np.maximum(chosen, 0)], 0.0) * self.times
        return np.bincount(words.row, own, words.rows).astype(np.float64)

    @property
    def met(self) -> npt.NDArray[np.bool_]:
        """The rows that occur."""
        words = self.evaluator.words
        return np.bincount(words.row, self.times, words.rows) > 0
