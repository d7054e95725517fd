"""An evaluator of strategy cards: one solved game, for which one card after another is computed, exactly and fast.

A solution that evaluates cards offers one; for any other, the graph of the game has one (`solvers/graph/card_evaluator.py`).
Values are in the objective's own unit: a probability, points, rolls. In a game for two, a card's value is the mean of going
first and second against the optimum, and the optimum is one half.

What a card loses is the sum, over the positions of its own play, of how often each occurs times what the card's move loses there
against the best one: so losses by line, and by position, add up to the whole loss.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

from rollwise.model.card import Card

__all__ = ["Account", "CardEvaluator", "Misplay"]


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

    @property
    def unfit_share(self) -> float:
        """The share of decisions in which no line fits."""
        return self.line_times[-1] / (sum(self.line_times) or 1.0)


class CardEvaluator(ABC):
    """Computes cards for one game and objective; `optimum` is what perfect play is worth, in the objective's own unit."""

    search: ClassVar[str] = "rules"
    """The search that suits it, by name: see `cards/search.py`."""
    optimum: float
    higher: bool
    """Whether higher values are better."""

    @abstractmethod
    def value(self, card: Card) -> float:
        """Give what a card is worth from the start; infinitely bad where it may never end the game."""

    @abstractmethod
    def account(self, card: Card, worst: int = 10) -> Account:
        """Say where a card loses, with the costliest positions, at most `worst` of them."""

    def loss(self, value: float) -> float:
        """Give how much a value is below the optimum."""
        return self.optimum - value if self.higher else value - self.optimum
