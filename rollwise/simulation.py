"""Play a game many times and compare the mean with the exact value.

All games of a batch advance together, one roll at a time. What a position needs is looked up in arrays: the choices of an
explored graph; of a score sheet, the table of one turn for each distinct (open boxes, carry) that some game is in; of words and
groups, the values that the moves lead to. Any other strategy is a function from state to action and is played one game at a
time, by the rules themselves.

With totals x_1..x_n, the standard error of the mean is s / sqrt(n), where s is their standard deviation with n - 1.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import inf, isinf, sqrt
from operator import index
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.engines.rerolling import Axis
from rollwise.engines.work import TIE
from rollwise.errors import GameError, PositionError
from rollwise.game import Progress
from rollwise.lift import LiftedGame
from rollwise.objective import Against, AtLeast, Duel, Fewest, Objective
from rollwise.partitions import PartitionSolution
from rollwise.play import RollSource, check_seed
from rollwise.rerolls import RerollSolution
from rollwise.sheet_play import SheetTables, first_best, padded
from rollwise.sheet_solution import SheetSolution
from rollwise.solution import GraphSolution, Number, Solution

__all__ = ["Simulated", "check_request", "simulate"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Policy = Callable[[Any], Any]

BATCH = 1 << 16
ENTRIES = 1 << 22
"""Moves of words that are compared together."""
MOST_GAMES = 10**12
LONGEST = 1_000_000
"""Rolls after which a strategy is taken to play for ever."""
NORMAL = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""


@dataclass(frozen=True)
class Simulated:
    """What playing showed: `counts` says how many games ended with each total (a win counts 1 where a target is played for).

    `value` is the exact value of the best strategy. Totals are divided by `unit`: against an opponent, a game counts with the
    chance that its total wins, a whole number of units.
    """

    games: int
    seed: int
    counts: Mapping[int, int]
    value: Number
    unit: int = 1

    @property
    def mean(self) -> float:
        """The mean total."""
        return sum(total * count for total, count in self.counts.items()) / self.games / self.unit

    @property
    def standard_error(self) -> float:
        """How far the mean of so many games usually is from what it estimates."""
        mean = self.mean
        squares = sum(count * (total / self.unit - mean) ** 2 for total, count in self.counts.items())
        return sqrt(squares / (self.games - 1) / self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the mean."""
        width = NORMAL * self.standard_error
        return self.mean - width, self.mean + width

    @property
    def deviation(self) -> float:
        """How many standard errors the mean is above the exact value."""
        off = self.mean - float(self.value)
        if abs(off) <= TIE * abs(self.mean):
            return 0.0
        return off / self.standard_error if self.standard_error else inf if off > 0 else -inf


def simulate(
    solution: Solution, games: int, seed: int, *, choose: Policy | None = None, progress: Progress | None = None
) -> Simulated:
    """Play `games` games by the solution's own strategy, or by `choose`, a function from state to action.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> played = simulate(rollwise.solve(load("slots")), 20_000, seed=1)
    >>> abs(played.deviation) < 4
    True

    The same seed gives the same games. Actions that are ties may be chosen differently from `best`. Raises `GameError` for fewer
    than two games, a negative seed, a game that cannot surely be ended, or a strategy that plays for ever; `PositionError` for an
    action that the rules do not allow.
    """
    check_request(games, seed)
    if isinstance(solution.objective, Duel):
        raise GameError("a duel is played by two strategies: use simulate_duel")
    value = solution.value()
    if isinf(value):
        raise GameError("the game is impossible: no strategy surely ends it, so it cannot be simulated")
    counts: dict[int, int] = {}
    done = 0

    def tick(part: int) -> None:
        if progress:
            progress("playing", done + part, games)

    for totals in _player(solution, choose, tick)(seed, games):
        for total, count in zip(*np.unique(totals, return_counts=True), strict=True):
            counts[int(total)] = counts.get(int(total), 0) + int(count)
        done += len(totals)
        tick(0)
    return Simulated(games, seed, dict(sorted(counts.items())), value, _unit(solution.objective))


def check_request(games: int, seed: int) -> None:
    """Refuse a number of games or a seed that cannot be played. Raises `GameError`."""
    if not 2 <= index(games) <= MOST_GAMES:
        raise GameError(f"{games} games were asked for: expected at least 2, and at most {MOST_GAMES:,}")
    check_seed(seed)


Player = Callable[[int, int], Iterator[Ints]]
"""Takes a seed and a number of games, and gives their totals batch by batch."""


def _player(solution: Solution, choose: Policy | None, tick: Callable[[int], None]) -> Player:
    if choose is None:
        if isinstance(solution, SheetSolution):
            return _batches(SheetTables(solution, tick).play, BATCH)
        if isinstance(solution, GraphSolution) and _fits(solution):
            return _batches(_GraphTables(solution).play, BATCH)
        if isinstance(solution, RerollSolution):
            words = _WordTables(solution)
            return _batches(words.play, max(1, ENTRIES // words.width))
        if isinstance(solution, PartitionSolution):
            return _batches(lambda rng, games: _play_groups(solution, rng, games), BATCH)
    return lambda seed, games: _play_plain(solution, choose, seed, games)


def _batches(play: Callable[[np.random.Generator, int], Ints], size: int) -> Player:
    def run(seed: int, games: int) -> Iterator[Ints]:
        rng = np.random.default_rng(seed)
        for begin in range(0, games, size):
            yield play(rng, min(size, games - begin))

    return run


# Any game and strategy, by the rules


def _play_plain(solution: Solution, choose: Policy | None, seed: int, games: int) -> Iterator[Ints]:
    source = RollSource(solution.game, Random(seed))
    policy = cache(solution.best) if choose is None else choose
    for _ in range(games):
        yield np.array([_play_one(solution, policy, source)])


def _play_one(solution: Solution, policy: Policy, source: RollSource) -> int:
    game, total, fewest = solution.game, 0, isinstance(solution.objective, Fewest)
    pending = game.start()
    for _ in range(LONGEST):
        total += game.cost(pending) if fewest else 0
        state = source.draw(pending)
        actions = game.actions(state)
        if not actions:
            return total if fewest else _score(solution, total + game.payoff(state))
        action = policy(state)
        if action not in actions:
            raise PositionError(f"the strategy chose {action!r} at state {game.show_state(state)}, which is not allowed there")
        total += 0 if fewest else game.gain(state, action)
        pending = game.play(state, action)
    raise GameError(f"a game did not end within {LONGEST:,} rolls: the strategy seems to play for ever")


def _score(solution: Solution, total: int) -> int:
    """Points, or what they win, in units; a lifted game pays that itself."""
    if isinstance(solution.game, LiftedGame):
        return total
    if isinstance(solution.objective, AtLeast):
        return int(total >= solution.objective.target)
    return solution.objective.won(total) if isinstance(solution.objective, Against) else total


def _unit(objective: Objective) -> int:
    return objective.unit if isinstance(objective, Against) else 1


# Explored graphs


def _fits(solution: GraphSolution) -> bool:
    """Say whether all weights add up to an integer of 64 bits."""
    return float(solution.explored.graph.outcome_weight.sum(dtype=np.float64)) < 2.0**62


class _GraphTables:
    """The arrays of a graph, with cumulative weights of all outcomes in one row."""

    def __init__(self, solution: GraphSolution) -> None:
        graph = self.graph = solution.explored.graph
        edge = np.concatenate([[0], np.cumsum(graph.outcome_weight)])
        self.begin, self.weight = edge[graph.outcome_start[:-1]], np.diff(edge[graph.outcome_start])
        self.upto = edge[1:]
        self.chosen = graph.action_start[:-1] + solution.result.work.choice
        self.over = np.diff(graph.action_start) == 0

    def play(self, rng: np.random.Generator, games: int) -> Ints:
        """Play games from the start and give their totals."""
        graph = self.graph
        total = np.zeros(games, dtype=np.int64)
        live, pending = np.arange(games), np.zeros(games, dtype=np.int64)
        while live.size:
            total[live] += graph.pending_cost[pending]
            drawn = self.begin[pending] + rng.integers(0, self.weight[pending])
            state = graph.outcome_state[np.searchsorted(self.upto, drawn, side="right")]
            total[live] += np.where(self.over[state], graph.state_payoff[state], 0)
            going = ~self.over[state]
            live, action = live[going], self.chosen[state[going]]
            total[live] += graph.action_gain[action]
            pending = graph.action_pending[action]
        return total


# Score sheets


class _WordTables:
    """The values of a words game, and what can be kept of each group of equal dice."""

    def __init__(self, solution: RerollSolution) -> None:
        self.form, self.value = solution.form, solution.array.ravel()
        shape = self.form.shape
        self.strides = [int(np.prod(shape[place + 1 :], dtype=np.int64)) for place in range(len(shape))]
        self.parts = [_axis_parts(axis) for axis in self.form.axes]
        self.dice = [len(axis.keeps[-1]) for axis in self.form.axes]
        self.weights = [np.cumsum([weight for _, weight in faces]) for faces, _ in solution.groups]
        self.width = int(np.prod([part.shape[1] for part in self.parts], dtype=np.int64))

    def play(self, rng: np.random.Generator, games: int) -> Ints:
        """Play games from the first roll on and give the numbers of rolls."""
        rolls = np.zeros(games, dtype=np.int64)
        live, kept = np.arange(games), [np.zeros(games, dtype=np.int64) for _ in self.parts]
        while live.size:
            rolls[live] += 1
            hands = [self._roll(rng, place, part) for place, part in enumerate(kept)]
            going = ~self.form.goal[tuple(hands)]
            live = live[going]
            kept = self._choose([hand[going] for hand in hands])
        return rolls

    def _roll(self, rng: np.random.Generator, place: int, kept: Ints) -> Ints:
        """Roll the missing dice of one group and give the hands."""
        axis, upto = self.form.axes[place], self.weights[place]
        for _ in range(self.dice[place]):
            rolled = np.searchsorted(upto, rng.integers(0, upto[-1], len(kept)), side="right")
            partial = kept < axis.first_hand
            kept = np.where(partial, axis.more[np.where(partial, kept, 0), rolled], kept)
        return kept - axis.first_hand

    def _choose(self, hands: list[Ints]) -> list[Ints]:
        """Find the best part to keep of the dice, group by group."""
        own = np.zeros(len(hands[0]), dtype=np.int64)
        number = np.zeros((len(hands[0]), 1), dtype=np.int64)
        for axis, stride, parts, hand in zip(self.form.axes, self.strides, self.parts, hands, strict=True):
            own += (hand + axis.first_hand) * stride
            number = (number[:, :, None] + parts[hand][:, None, :] * stride).reshape(len(hand), number.shape[1] * parts.shape[1])
        value = np.where(number == own[:, None], -np.inf, -self.value[number])
        return list(np.unravel_index(number[np.arange(len(number)), first_best(value.T)], self.form.shape))


def _axis_parts(axis: Axis) -> Ints:
    """For each hand of a group the numbers of its parts, itself first, most dice first; itself again fills up rows."""
    rows = []
    for hand in range(axis.first_hand, axis.size):
        found, reach = [hand], {hand}
        for keep in found:
            new = [k for k in axis.fewer[axis.fewer_start[keep] : axis.fewer_start[keep + 1]].tolist() if k not in reach]
            found += new
            reach.update(new)
        rows.append(found)
    return padded(rows, [row[0] for row in rows])


# Groups


def _play_groups(solution: PartitionSolution, rng: np.random.Generator, games: int) -> Ints:
    """Play groups by held sizes, largest first, and give the numbers of rolls."""
    goal, grown = np.array(solution.game.goal), solution.grown
    rolls = np.zeros(games, dtype=np.int64)
    live, sizes, number = np.arange(games), np.zeros((games, len(goal)), dtype=np.int64), np.zeros(games, dtype=np.int64)
    while live.size:
        rolls[live] += 1
        face = rng.integers(0, solution.game.faces, len(live))
        rows = np.arange(len(live))
        size = np.where(face < len(goal), sizes[rows, np.minimum(face, len(goal) - 1)], 0)
        # The first group of that size grows, so that the sizes stay sorted; size 0 is the first group not begun.
        place = (sizes > size[:, None]).sum(axis=1)
        fits = place < len(goal)
        place = np.where(fits, place, 0)
        fits &= size < goal[place]
        after = number + np.where(fits, grown.part_start[place, np.where(fits, size + 1, 0)] - grown.part_start[place, size], 0)
        keep = fits & (grown.value[after] <= grown.value[number] * (1 + TIE))
        sizes[rows[keep], place[keep]] += 1
        number = np.where(keep, after, number)
        going = (sizes != goal).any(axis=1)
        live, sizes, number = live[going], sizes[going], number[going]
    return rolls
