"""What "best" means: an objective says what is counted, what must be remembered, what an end is worth, and how that is said.

Engines know only one form, an expected sum to be maximised or minimised. An objective brings a game into that form:

    restate(game)     the game that is walked in its place (a duel puts two players on a sheet); usually the game itself
    adds              the value is the expected sum of gains and payoffs (or of costs): nothing need be remembered
    remember(game)    else, where points are banked on the way, the game whose positions carry what must be remembered
    score(total)      and what a final total is worth, a whole number of `unit`s

An objective of one's own is a subclass in one file, registered by `rollwise.register`; then it can be read from text, too.
"""

from abc import ABC
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from rollwise.errors import GameError
from rollwise.model.formatting import digits, figure, infinite, show_fraction
from rollwise.model.message import Message, Text
from rollwise.model.view import OfferedAim, looks_of, view_of

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["CHANCE", "Expected", "Objective", "PlainObjective", "Words"]

Number = float | Fraction


class Words(NamedTuple):
    """The words for values and losses of an objective; `share` if they are probabilities."""

    value: str
    loss: str
    unit: str
    share: bool

    def show(self, number: Number) -> str:
        """Write a value, a fraction with it where there is one."""
        if infinite(number):
            return "impossible"
        return self.brief(number) + (f" = {number}" if isinstance(number, Fraction) and number.denominator < 10**9 else "")

    def brief(self, number: Number) -> str:
        """Write a value in a few digits.

        >>> Words("win probability", "loss (percentage points)", "percentage points", True).brief(0.29614)
        '29.61 %'
        """
        if infinite(number):
            return "impossible"
        return f"{100 * float(number):.2f} %" if self.share else f"{float(number):.3f}"

    def worth(self, number: Number) -> str:
        """Write a value with its unit.

        >>> points, chance = Words("expected total", "loss (points)", "points", False), CHANCE
        >>> points.worth(254.5896), chance.worth(0.578), chance.worth(1), chance.worth(1 - 1e-9)
        ('254.59 points', '57.80 %', '100 %', 'over 99.99 %')
        """
        if infinite(number) or not self.share:
            return self.amount(number)
        if 0.99995 <= number < 1 - 1e-12:
            return "over 99.99 %"
        return f"{100 * float(number):.2f} %" if 0.0001 <= number < 0.99995 else f"{figure(100 * number)} %"

    def amount(self, number: Number, sign: str = "") -> str:
        """Write a gain or a loss with its unit.

        >>> CHANCE.amount(0.1725), CHANCE.amount(Fraction(1, 100), "+"), Words("", "", "rolls", False).amount(0.31)
        ('17.25 percentage points', '+1 percentage point', '0.31 rolls')
        """
        if infinite(number):
            return "impossible"
        shown = figure(100 * number if self.share else number, sign)
        return f"{shown} {self.unit.removesuffix('s') if shown.lstrip('+-') == '1' else self.unit}".rstrip()

    def exactly(self, number: Number) -> str:
        """Write a value with twelve digits and its unit, and first as a fraction where it is one.

        >>> CHANCE.exactly(Fraction(1, 3)), Words("expected total", "", "points", False).exactly(165.757318709)
        ('1/3 = 33.3333333333 %', '165.757318709 points')
        """
        if infinite(number):
            return "impossible"
        fraction = f"{show_fraction(number)} = " if isinstance(number, Fraction) else ""
        return f"{fraction}{digits(100 * number, 12)} %" if self.share else f"{fraction}{digits(number, 12)} {self.unit}".rstrip()

    def cost(self, number: Number) -> str:
        """Write a loss."""
        if infinite(number):
            return "never ends"
        return f"{100 * float(number):.2f}" if self.share else f"{float(number):.3f}"


CHANCE = Words("win probability", "loss (percentage points)", "percentage points", True)


SEVERITIES_OF_WINS = {"inaccuracy": Fraction(3, 1000), "mistake": Fraction(1, 100), "blunder": Fraction(3, 100)}
SEVERITIES_OF_TOTALS = {"inaccuracy": Fraction(1, 100), "mistake": Fraction(1, 30), "blunder": Fraction(1, 10)}


class Objective(ABC):
    """What a game is played for; immutable, and equal to another that means the same."""

    name: ClassVar[str]
    """The word that begins its text: `str(objective)` is the name and what else there is to say."""
    better: ClassVar[Literal["higher", "lower"]] = "higher"
    counts: ClassVar[Literal["points", "costs"]] = "points"
    """Whether gains and payoffs are counted, or the costs of rolls."""
    adds: ClassVar[bool] = False
    """Whether the value is the expected sum of what is counted, so that nothing need be remembered."""
    wins: ClassVar[bool] = False
    """Whether the value is the chance of a win."""
    few: ClassVar[bool] = False
    """Whether fewer points are better."""
    called: ClassVar[str] = "game"
    """What is solved for it, where that is another thing than the game described: a duel."""
    follows: ClassVar[bool] = True
    """Whether one player's total has a distribution."""

    rival: ClassVar[str] = ""
    """Who the other player is, where the objective says it: a name of `playing.rivals`."""
    instead: ClassVar[str] = ""
    """The text of another objective, for games that are too large for this one."""
    general: ClassVar[bool] = True
    """Whether the graph solver, position by position, solves games for it."""
    aims: ClassVar[tuple[OfferedAim, ...]] = ()
    """The ways in which it is offered to people: with which fields, and how they make its text."""

    by_mean: ClassVar[bool] = False
    """Whether of equally good moves the one with the better mean total is chosen."""

    def __str__(self) -> str:
        return self.name

    @property
    def text(self) -> str:
        """The text that `read_objective` reads; `str` may say it shorter."""
        return str(self)

    @classmethod
    def suits(cls, game: "Game[Any, Any, Any] | type[Game[Any, Any, Any]]") -> bool:
        """Say whether it is offered for a game; the default asks the game."""
        return cls.name in looks_of(game).other_aims

    @property
    def fields(self) -> "Mapping[str, str]":
        """Which of its `aims` it is (`aim`), and what stands in the fields of that."""
        return {"aim": self.name}

    def fitted(self, game: "Game[Any, Any, Any]") -> "Objective":
        """Give the objective as it applies to a game. Raises `GameError` where it does not."""
        return self

    @property
    def needs_target(self) -> bool:
        """Whether solving chooses a target, which is a total; `at` gives the objective with one."""
        return False

    def at(self, target: int) -> "Objective":
        """Give the objective with a target, where it has one."""
        return self

    def resolved(self, expert: "Callable[[], Any]") -> "Objective":
        """Give the objective with all that depends on the game; `expert` follows one who plays it for points: a
        `Distribution`.
        """
        return self

    @property
    def bound(self) -> int | None:
        """Which player is bound to a strategy, where one is."""
        return None

    @property
    def is_resolved(self) -> bool:
        """Whether it says all that solving needs."""
        return True

    def remark(self, value: Number) -> Text:
        """Say plainly where a value leaves nothing to play for; "" elsewhere."""
        return ""

    @property
    def key(self) -> str:
        """What tells it from every other objective, for digests."""
        return str(self)

    @classmethod
    def read(cls, text: str) -> "Objective":  # noqa: ARG003
        """Read what follows the name in its text. Raises `GameError`."""
        raise GameError(f"objective {cls.name!r} cannot be read from text: make it in Python")

    @property
    def unit(self) -> int:
        """What `score` counts as 1."""
        return 1

    def score(self, total: int) -> int:
        """Say what a final total is worth, times `unit`."""
        return total

    def worth(self, total: int) -> Fraction:
        """Say what a final total is worth."""
        return Fraction(self.score(total), self.unit)

    @property
    def severities(self) -> Mapping[str, Fraction]:
        """From which loss on a move is called what, mildest first: of a win, else of the standard deviation of the result.

        Why these numbers: `playing.mistakes`.
        """
        return SEVERITIES_OF_WINS if self.wins else SEVERITIES_OF_TOTALS

    def restate(self, game: "Game[Any, Any, Any]") -> "Game[Any, Any, Any]":
        """Give the game that is walked in the place of `game`."""
        return game

    def remember(self, game: "Game[Any, Any, Any]", *, floor: bool) -> "Game[Any, Any, Any] | None":
        """Give the game whose positions carry what must be remembered; None: the total so far (`lift.HavingGame`).

        `floor` says that no gain and no payoff is below 0.
        """
        return None

    def words(self, game: "Game[Any, Any, Any]") -> Words:
        """Choose the words for values of a game."""
        return CHANCE if self.wins else Words("expected total", "loss (points)", "points", False)

    def aim(self, game: "Game[Any, Any, Any]") -> Text:
        """Say what is played for, in a sentence without its full stop."""
        return f"Played for {self}"

    @property
    def rounding(self) -> float:
        """Say how far the worth of a total may be from the true one."""
        return 0.0

    @property
    def mark(self) -> int | None:
        """The total from which on a game is won, where there is one such."""
        return None

    def result(self, total: Number, game: "Game[Any, Any, Any]") -> str:
        """Name the end of a game with this result."""
        if not self.wins:
            return "total"
        return "won" if total == 1 else "lost" if total == 0 else "worth"

    def ending(self, total: Number, start: Number, game: "Game[Any, Any, Any]") -> str:
        """Say how a game ended: its result, and the value it began with."""
        if self.wins:
            return f"{self.result(total, game)} (chance at the start {self.words(game).worth(start)})"
        word = view_of(game).cost_word if self.counts == "costs" else "total"
        return f"{word} {float(total):g} (expected {figure(start)})"


class PlainObjective(Objective):
    """An objective whose name says everything."""

    @classmethod
    def read(cls, text: str) -> "PlainObjective":
        if text:
            raise GameError(f"objective '{cls.name} {text}': expected {cls.name!r} alone")
        return cls()

    def aim(self, game: "Game[Any, Any, Any]") -> Text:
        return Message(f"aim.{self.name}.sentence")


@dataclass(frozen=True)
class Expected(PlainObjective):
    """Maximise the expected total of points.

    >>> str(Expected())
    'expected'
    """

    name = "expected"
    adds = True
    aims = (OfferedAim.known("expected", "expected"),)
