"""An evaluator of strategy cards: one solved game, for which one card after another is computed, exactly and fast.

A search for cards (`cards/search.py`) asks it for cards to begin with, and for the changes of a card that should gain most. What
a new line gains is known from the card's own play, for many lines at once (`CardPlay`); each evaluator does that in its own way.

A solution that evaluates cards offers one; for any other, the graph of the game has one (`solvers/graph/card_evaluator.py`).
Values are in the objective's own unit: a probability, points, rolls. In a game for two, a card's value is the mean of going
first and second against the optimum, and the optimum is one half.

What a card loses is the sum, over the positions of its own play, of how often each occurs times what the card's move loses there
against the best one: so losses by line, and by position, add up to the whole loss.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from rollwise.model.card import Card
from rollwise.model.game import Progress

__all__ = ["SEARCHING", "Account", "CardEvaluator", "CardPlay", "Effort", "Misplay", "Spent"]

STEPS_A_SECOND = 60_000_000
"""Steps that take about a second."""
OVERTIME = 3.0
SEARCHING = "looking for a card"
"""What progress calls a search."""


class Misplay(NamedTuple):
    """A position in which a card does not play the best move: how often a game comes to it, and what that loses each time.

    `line` counts from 0; -1: no line fits.
    """

    state: Any
    line: int
    action: Any
    best: Any
    times: float
    loss: float

    @property
    def cost(self) -> float:
        """What it loses a game."""
        return self.times * self.loss


class Account(NamedTuple):
    """What a card is worth, and where it loses: by line, and after the last line what is lost where none fits.

    `line_times` says how often a game is decided by each line; only positions with a choice count.
    """

    value: float
    line_loss: tuple[float, ...]
    line_times: tuple[float, ...]
    costliest: tuple[Misplay, ...]


class Spent(Exception):
    """There is no effort left."""


class Effort:
    """How much more a search may do.

    Effort is counted in steps of the work itself and not by the clock, so that the same seed gives the same card on any machine
    that is not far slower; the clock only stops a search that takes more than a few times as long as it may.
    """

    def __init__(self, seconds: float = float("inf"), progress: Progress | None = None) -> None:
        self.seconds, self.left = seconds, seconds * STEPS_A_SECOND
        self.late = monotonic() + OVERTIME * seconds + 1.0
        self.progress, self.looked = progress, 0

    def spend(self, steps: float) -> None:
        """Take effort. Raises `Spent` where there is none left."""
        self.left -= steps
        if self.left < 0 or monotonic() > self.late:
            raise Spent
        self.looked += 1
        if self.progress and self.looked % 16 == 0:
            self.progress(SEARCHING, int(100 * (1 - self.left / (self.seconds * STEPS_A_SECOND))), 100)

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


class CardPlay(ABC):
    """A card's own play, and the cards like it that should be better by it.

    These come in groups, the most promising first: of the first group with a better card the best is taken.
    """

    card: Card

    @abstractmethod
    def longer(self, room: int) -> Iterable[list[Card]]:
        """Give cards with something more, a line or a number; there is room for so many."""

    @abstractmethod
    def changed(self) -> Iterable[list[Card]]:
        """Give cards of the same size."""

    @abstractmethod
    def shorter(self) -> list[Card]:
        """Give cards with a line or a number less: all, or those that are missed least."""


class CardEvaluator(ABC):
    """Computes cards for one game and objective; `optimum` is what perfect play is worth, in the objective's own unit."""

    optimum: float
    higher: bool
    """Whether higher values are better."""
    effort: Effort
    """What a search may spend on it."""
    rounds: int = 40
    """How often in a row a search changes a card at most, before it goes on to the next line."""

    @abstractmethod
    def value(self, card: Card) -> float:
        """Give what a card is worth from the start; infinitely bad where it may never end the game."""

    @abstractmethod
    def account(self, card: Card, worst: int = 10) -> Account:
        """Say where a card loses, with the costliest positions, at most `worst` of them."""

    @abstractmethod
    def prepare(self, size: int) -> None:
        """Compile what a search for cards up to a size needs, before the clock begins."""

    @abstractmethod
    def first_cards(self, size: int) -> list[Card]:
        """Give cards for a search to begin with."""

    @abstractmethod
    def play(self, card: Card, random: Random) -> CardPlay:
        """Give a card's own play; what it tries may be drawn at random."""

    def loss(self, value: float) -> float:
        """Give how much a value is below the optimum."""
        return self.optimum - value if self.higher else value - self.optimum
