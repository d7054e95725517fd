"""Rate a player by many graded games: mistakes a game by kind of decision, their trend, and luck set apart.

A game's result is its value at the start plus luck minus mistakes (`playing.grade`); luck averages out and says nothing about the
player, so only mistakes are rated. The trend is the line of least squares through the mistakes of the finished games against
their number in order; its slope b has the standard error sqrt(s^2 / sum (i - mean)^2), where s^2 is the squared distance from
the line, divided by games - 2, and the interval holds the slope with 95 % if games scatter about a line independently (Student's
t with games - 2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

from scipy.special import stdtrit

from rollwise.errors import GameError
from rollwise.model.formatting import infinite
from rollwise.model.message import Text
from rollwise.model.view import view_of
from rollwise.playing.grade import Grade
from rollwise.playing.mistakes import MistakeThresholds, mistake_thresholds
from rollwise.solvers.base.solution import Solution

__all__ = ["Kind", "Rating", "Trend", "rate"]

FEWEST = 3
"""Games that a trend takes at least."""


@dataclass(frozen=True)
class Kind:
    """A kind of decision: how often it came up, what was lost there in all, and how many moves were mistakes, by class."""

    name: Text
    decisions: int
    loss: float
    counts: dict[str, int]


@dataclass(frozen=True)
class Trend:
    """By how much the mistakes of a game change from game to game, with the 95 % interval of that."""

    slope: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class Rating:
    """Games of one kind, in order: mistakes and luck of each, and what is to be said about all of them."""

    solution: Solution
    scale: MistakeThresholds
    games: tuple[Grade, ...]
    players: tuple[int, ...]
    kinds: tuple[Kind, ...]
    trend: Trend | None

    @property
    def mistakes(self) -> list[float]:
        """What the player's moves lost in each game."""
        return [_mistakes(*seat) for seat in zip(self.games, self.players, strict=True)]

    @property
    def luck(self) -> list[float]:
        """What the rolls of each game gave the player."""
        return [float(-game.luck if player else game.luck) for game, player in zip(self.games, self.players, strict=True)]

    @property
    def luck_standard_error(self) -> float:
        """The standard error of the mean luck; infinite for a single game."""
        return _error(self.luck)

    @property
    def mistakes_standard_error(self) -> float:
        """The standard error of the mean of mistakes; infinite for a single game."""
        return _error(self.mistakes)

    @property
    def unfinished(self) -> int:
        """Games that were stopped; they are rated as far as they went, and left out of the trend."""
        return sum(not game.over for game in self.games)


def rate(games: Sequence[Grade], players: Sequence[int] = ()) -> Rating:
    """Rate a player by graded games of one solution, in the order in which they were played.

    In a game for two, `players` is the player to rate in each game: 0, who moves first (default), or 1.

    >>> import rollwise
    >>> game = rollwise.start_game(rollwise.solve("slots")).rolled("all 0 6").moved("x3")
    >>> [(kind.name.key, kind.decisions, kind.counts) for kind in rate([game, game]).kinds]
    [('slots.which', 2, {'inaccuracy': 0, 'mistake': 0, 'blunder': 2})]

    Raises `GameError` for no games, or games of different solutions.
    """
    if not games or any(game.solution is not games[0].solution for game in games):
        raise GameError(f"{len(games)} games were given to rate: expected at least one, and all of one solution")
    solution, seats = games[0].solution, tuple(players) or (0,) * len(games)
    scale = mistake_thresholds(solution)
    finished = [_mistakes(game, player) for game, player in zip(games, seats, strict=True) if game.over]
    return Rating(solution, scale, tuple(games), seats, tuple(_kinds(games, seats, scale)), fit(finished))


def _mistakes(game: Grade, player: int) -> float:
    return float(game.rival_mistakes if player else game.mistakes)


def _kinds(games: Sequence[Grade], players: Sequence[int], scale: MistakeThresholds) -> list[Kind]:
    name = view_of(games[0].game).decision
    found: dict[Text, list[float]] = {}
    for game, player in zip(games, players, strict=True):
        for step in game.steps:
            if step.moved and step.mover == player and len(game.game.actions(step.state)) > 1:
                found.setdefault(name(step.state), []).append(float(step.loss))
    kinds = [Kind(word, len(losses), sum(losses), _counts(losses, scale)) for word, losses in found.items()]
    return sorted(kinds, key=lambda kind: -kind.loss)


def _counts(losses: list[float], scale: MistakeThresholds) -> dict[str, int]:
    named = [scale.classify(loss) for loss in losses]
    return {name: named.count(name) for name in scale.thresholds}


def fit(numbers: Sequence[float]) -> Trend | None:
    """Fit a line to numbers in order; None for fewer than three, or any that is infinite.

    >>> fit([3.0, 2.0, 1.0]).slope, fit([3.0, 2.0])
    (-1.0, None)
    """
    n = len(numbers)
    if n < FEWEST or any(infinite(number) for number in numbers):
        return None
    mean, middle = sum(numbers) / n, (n - 1) / 2
    spread = sum((place - middle) ** 2 for place in range(n))
    slope = sum((place - middle) * (number - mean) for place, number in enumerate(numbers)) / spread
    rest = sum((number - mean - slope * (place - middle)) ** 2 for place, number in enumerate(numbers))
    width = float(stdtrit(n - 2, 0.975)) * sqrt(rest / (n - 2) / spread)
    return Trend(slope, slope - width, slope + width)


def _error(numbers: Sequence[float]) -> float:
    n = len(numbers)
    if n < 2 or any(infinite(number) for number in numbers):
        return inf
    mean = sum(numbers) / n
    return sqrt(sum((number - mean) ** 2 for number in numbers) / (n - 1) / n)
