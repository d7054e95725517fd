"""Rate a player by many graded games: mistakes by kind of decision, leaks, a rating with its trend, and luck set apart.

A game's result is its value at the start plus luck minus mistakes (`playing.grade`); luck averages out and says nothing about the
player, so only mistakes are rated. The rating is what was lost per decision that was not obvious (`playing.obvious`): all losses,
divided by the number of these decisions. As both come from the same games, its standard error is that of a ratio of sums:
sqrt(n / (n - 1) * sum (loss_i - rating * decisions_i)^2) / sum decisions_i over the n games.

The trend is the line of least squares through the ratings of the finished games against their number in order; its slope b has
the standard error sqrt(s^2 / sum (i - mean)^2), where s^2 is the squared distance from the line, divided by games - 2, and the
interval holds the slope with 95 % if games scatter about a line independently (Student's t with games - 2).

A kind of decision is a *leak* if the 95 % interval (Student's t with games - 1) of what it costs a game lies above 0: it costs
something again and again. One blunder in one game is none.

The page computes the same (`web/static/learn/rating.js`); `tests/data/rated_games.json` is tested in both.
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
from rollwise.playing.obvious import is_obvious
from rollwise.solvers.base.solution import Solution

__all__ = ["Decision", "Kind", "Rating", "Skill", "Trend", "measure", "rate"]

FEWEST = 3
"""Games that a trend or a leak takes at least."""


@dataclass(frozen=True)
class Decision:
    """A move that was made where there were several: its kind, what it lost, and whether it was obvious."""

    kind: Text
    loss: float
    obvious: bool


@dataclass(frozen=True)
class Kind:
    """A kind of decision: how often it came up, what was lost there in all, and whether that is a leak."""

    name: Text
    decisions: int
    loss: float
    leak: bool


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
class Skill:
    """What decisions say about a player: the rating (what was lost per decision that was not obvious), its trend, kinds by cost.

    `decisions` counts those that were not obvious. Where there are none, or a loss is infinite, `rating` is infinite.
    """

    rating: float
    standard_error: float
    decisions: int
    trend: Trend | None
    kinds: tuple[Kind, ...]


@dataclass(frozen=True)
class Rating:
    """Games of one kind, in order: mistakes and luck of each, what they say about the player, and mistakes by kind and class."""

    solution: Solution
    scale: MistakeThresholds
    games: tuple[Grade, ...]
    players: tuple[int, ...]
    skill: Skill
    counts: dict[Text, dict[str, int]]

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
    >>> found = rate([game, game])
    >>> [(kind.name.key, kind.decisions, found.counts[kind.name]) for kind in found.skill.kinds], round(found.skill.rating, 5)
    ([('slots.which', 2, {'inaccuracy': 0, 'mistake': 0, 'blunder': 2})], 0.03035)

    Raises `GameError` for no games, or games of different solutions.
    """
    if not games or any(game.solution is not games[0].solution for game in games):
        raise GameError(f"{len(games)} games were given to rate: expected at least one, and all of one solution")
    solution, seats = games[0].solution, tuple(players) or (0,) * len(games)
    scale = mistake_thresholds(solution)
    decisions = [_decisions(game, player) for game, player in zip(games, seats, strict=True)]
    skill = measure(decisions, [game.over for game in games])
    made = [each for game in decisions for each in game]
    counts = {kind.name: _counts([each.loss for each in made if each.kind == kind.name], scale) for kind in skill.kinds}
    return Rating(solution, scale, tuple(games), seats, skill, counts)


def measure(games: Sequence[Sequence[Decision]], finished: Sequence[bool]) -> Skill:
    """Measure a player by the decisions of games, in order; unfinished ones are left out of the trend.

    >>> found = measure([[Decision("which", 2.0, False), Decision("which", 0.0, True)]] * 3, [True] * 3)
    >>> found.rating, found.decisions, found.trend.slope, found.kinds[0].leak
    (2.0, 3, 0.0, True)
    """
    losses = [sum(each.loss for each in game) for game in games]
    hard = [sum(not each.obvious for each in game) for game in games]
    rating = sum(losses) / sum(hard) if sum(hard) else inf
    ended = [loss / count for loss, count, over in zip(losses, hard, finished, strict=True) if over and count]
    kinds = dict.fromkeys(each.kind for game in games for each in game)
    costly = sorted((_measure_kind(kind, games) for kind in kinds), key=lambda kind: -kind.loss)
    return Skill(rating, _ratio_error(losses, hard, rating), sum(hard), fit(ended), tuple(costly))


def _measure_kind(name: Text, games: Sequence[Sequence[Decision]]) -> Kind:
    losses = [sum(each.loss for each in game if each.kind == name) for game in games]
    n, mean = len(games), sum(losses) / len(games)
    leak = n >= FEWEST and mean - float(stdtrit(n - 1, 0.975)) * _error(losses) > 0 if not infinite(mean) else False
    return Kind(name, sum(each.kind == name for game in games for each in game), sum(losses), leak)


def _ratio_error(losses: Sequence[float], counts: Sequence[int], ratio: float) -> float:
    n = len(losses)
    if n < 2 or infinite(ratio):
        return inf
    rest = sum((loss - ratio * count) ** 2 for loss, count in zip(losses, counts, strict=True))
    return sqrt(n / (n - 1) * rest) / sum(counts)


def _mistakes(game: Grade, player: int) -> float:
    return float(game.rival_mistakes if player else game.mistakes)


def _decisions(game: Grade, player: int) -> list[Decision]:
    """List the decisions of a player: moves where there were several."""
    name, actions = view_of(game.game).decision, game.game.actions
    steps = (step for step in game.steps if step.moved and step.mover == player and len(actions(step.state)) > 1)
    return [Decision(name(step.state), float(step.loss), is_obvious(game.solution, step)) for step in steps]


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
