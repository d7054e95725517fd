"""Play a game many times and compare the mean with the exact value.

All games of a batch advance together, one roll at a time. What a position needs is looked up in arrays: the choices of an
explored graph; of a score sheet, the table of one turn for each distinct (open boxes, carry) that some game is in; of words and
groups, the values that the moves lead to. Any other strategy is a function from state to action and is played one game at a
time, by the rules themselves.

With totals x_1..x_n, the standard error of the mean is s / sqrt(n), where s is their standard deviation with n - 1.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import inf, sqrt
from operator import index
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError, PositionError, RollwiseError, brief
from rollwise.forms.base.solution import GraphSolution, Number, Solution, wants_solution
from rollwise.forms.graph.values import TIE
from rollwise.forms.partitions.solution import PartitionSolution
from rollwise.forms.rerolls.solution import RerollSolution
from rollwise.forms.rerolls.sweeps import Axis
from rollwise.forms.sheets.expected import SheetSolution
from rollwise.forms.sheets.simulate import SheetTables, padded
from rollwise.model.faults import blaming, failed_rule, told
from rollwise.model.game import Progress
from rollwise.model.lift import LiftedGame
from rollwise.model.notation import digits, fits_float, infinite
from rollwise.model.objective import Against, AtLeast, Duel, Fewest, Objective
from rollwise.playing.record import RollSource, check_seed

__all__ = ["Simulated", "check_request", "simulate"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Policy = Callable[[Any], Any]

BATCH = 1 << 16
ENTRIES = 1 << 22
"""Moves of words that are compared together."""
ROLLED = 32
"""Where the number of dice rolled begins among the bits of a move of words: there are fewer dice."""
MOST_GAMES = 10**12
LONGEST = 1_000_000
"""Rolls after which a strategy is taken to play for ever."""
SMALL_POINTS = 1 << 31
"""Points below this are added up in 64 bits; others one game at a time, in Python's integers."""
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
    counts: Mapping[int, int] = field(repr=False)
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
    wants_solution(solution, "simulate")
    check_request(games, seed)
    if choose is not None and not callable(choose):
        raise GameError(f"simulate was given {brief(choose)} to choose: expected a function from state to action")
    if isinstance(solution.objective, Duel):
        raise GameError("a duel is played by two strategies: use simulate_duel")
    value = solution.value()
    if infinite(value):
        raise GameError("the game is impossible: no strategy surely ends it, so it cannot be simulated")
    if not fits_float(value):
        raise GameError(f"the value is {digits(value, 3)}: no number of games that can be played would come near it")
    counts: dict[int, int] = {}
    done = 0

    def tick(part: int) -> None:
        if progress:
            progress("playing", done + part, games)

    with blaming(solution.game):
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
        action = _chosen(solution, policy, state)
        if action not in actions:
            raise PositionError(f"the strategy chose {action!r} at state {game.show_state(state)}, which is not allowed there")
        total += 0 if fewest else game.gain(state, action)
        pending = game.play(state, action)
    raise GameError(f"a game did not end within {LONGEST:,} rolls: the strategy seems to play for ever")


def _chosen(solution: Solution, policy: Policy, state: Any) -> Any:
    """Ask a strategy; what goes wrong in it is reported with the state, the file and the line."""
    try:
        return policy(state)
    except RollwiseError:
        raise
    except (Exception, SystemExit) as error:
        if failed_rule(error, solution.game):
            raise
        raise GameError(f"the strategy failed at state {solution.game.show_state(state)}: {told(error)}") from error


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
    """Say whether all weights, and the points of any game that ends in a lifetime, add up to integers of 64 bits."""
    graph = solution.explored.graph
    points = max(int(np.abs(part).max(initial=0)) for part in (graph.action_gain, graph.state_payoff, graph.pending_cost))
    return points < SMALL_POINTS and float(graph.outcome_weight.sum(dtype=np.float64)) < 2.0**62


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
        self.form, self.value = solution.form, np.asarray(solution.array).ravel()
        shape = self.form.shape
        self.strides = [int(np.prod(shape[place + 1 :], dtype=np.int64)) for place in range(len(shape))]
        found = [_axis_parts(axis, members) for axis, (_, members) in zip(self.form.axes, solution.groups, strict=True)]
        self.parts, self.orders = [parts for parts, _ in found], [order for _, order in found]
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
        """Find the part to keep of the dice, group by group: the first listed among ties with the best."""
        own = np.zeros(len(hands[0]), dtype=np.int64)
        number, order = (np.zeros((len(hands[0]), 1), dtype=np.int64) for _ in range(2))
        for axis, stride, parts, orders, hand in zip(self.form.axes, self.strides, self.parts, self.orders, hands, strict=True):
            own += (hand + axis.first_hand) * stride
            number = _sums(number, parts[hand] * stride)
            order = _sums(order, orders[hand])
        value = np.where(number == own[:, None], np.inf, self.value[number])
        tied = value <= value.min(axis=1, keepdims=True) * (1 + TIE)
        chosen = np.where(tied, order, np.iinfo(np.int64).max).argmin(axis=1)
        return list(np.unravel_index(number[np.arange(len(number)), chosen], self.form.shape))


def _sums(one: Ints, other: Ints) -> Ints:
    """For each row all sums of a number of one and a number of the other."""
    found: Ints = (one[:, :, None] + other[:, None, :]).reshape(len(one), one.shape[1] * other.shape[1])
    return found


def _axis_parts(axis: Axis, members: list[int]) -> tuple[Ints, Ints]:
    """For each hand of a group the numbers of its parts, itself first; itself again fills up rows. And where they are listed.

    A game lists what to roll by the number of dice, and then the last dice first. With a bit for every die that is kept and the
    number of those rolled above them, the place of a part is a sum over groups. Of equal symbols the first are kept.
    """
    number = {keep: place for place, keep in enumerate(axis.keeps)}
    rows, orders = [], []
    for hand in axis.keeps[axis.first_hand :]:
        found: list[tuple[tuple[int, ...], int]] = [((), 0)]
        begin = 0
        for face, n in Counter(hand).items():
            bits = [sum(1 << die for die in members[begin : begin + k]) for k in range(n + 1)]
            found = [((*part, *(face,) * k), order + bits[k]) for part, order in found for k in range(n, -1, -1)]
            begin += n
        rows.append([number[part] for part, _ in found])
        orders.append([order + ((len(members) - len(part)) << ROLLED) for part, order in found])
    return padded(rows, [row[0] for row in rows]), padded(orders, [row[0] for row in orders])


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
