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
from itertools import pairwise
from math import inf, isinf, sqrt
from operator import index
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.engines.lattice import Lattice
from rollwise.engines.rerolling import Axis
from rollwise.engines.turns import SheetForm, fill_turn, play_turn
from rollwise.engines.turns_exact import ExactSheet
from rollwise.engines.work import TIE
from rollwise.errors import GameError, PositionError
from rollwise.game import Progress
from rollwise.lift import NeedingGame
from rollwise.objective import AtLeast, Fewest
from rollwise.partitions import PartitionSolution
from rollwise.play import RollSource
from rollwise.rerolls import RerollSolution
from rollwise.sheet_solution import SheetSolution
from rollwise.sheets import Turn
from rollwise.solution import GraphSolution, Number, Solution

__all__ = ["Simulated", "check_request", "simulate"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Policy = Callable[[Any], Any]

BATCH = 1 << 16
LANES = 512
"""Turns of a score sheet that are worked out together."""
ENTRIES = 1 << 22
"""Moves of words that are compared together."""
LONGEST = 1_000_000
"""Rolls after which a strategy is taken to play for ever."""
NORMAL = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""


@dataclass(frozen=True)
class Simulated:
    """What playing showed: `counts` says how many games ended with each total (a win counts 1 where a target is played for).

    `value` is the exact value of the best strategy.
    """

    games: int
    seed: int
    counts: Mapping[int, int]
    value: Number

    @property
    def mean(self) -> float:
        """The mean total."""
        return sum(total * count for total, count in self.counts.items()) / self.games

    @property
    def standard_error(self) -> float:
        """How far the mean of so many games usually is from what it estimates."""
        mean = self.mean
        squares = sum(count * (total - mean) ** 2 for total, count in self.counts.items())
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
    return Simulated(games, seed, dict(sorted(counts.items())), value)


def check_request(games: int, seed: int) -> None:
    """Refuse a number of games or a seed that cannot be played. Raises `GameError`."""
    if index(games) < 2:
        raise GameError(f"{games} games were asked for: expected at least 2")
    if index(seed) < 0:
        raise GameError(f"seed {seed}: expected 0 or more")


Player = Callable[[int, int], Iterator[Ints]]
"""Takes a seed and a number of games, and gives their totals batch by batch."""


def _player(solution: Solution, choose: Policy | None, tick: Callable[[int], None]) -> Player:
    if choose is None:
        if isinstance(solution, SheetSolution):
            return _batches(_SheetTables(solution, tick).play, BATCH)
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
    """Points, or 1 for a win where a target is played for; a lifted game pays that itself."""
    if isinstance(solution.objective, AtLeast) and not isinstance(solution.game, NeedingGame):
        return int(total >= solution.objective.target)
    return total


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


class _SheetTables:
    """What a score sheet's turns need: turn-start values, and the keeps of every hand in the order of its actions."""

    def __init__(self, solution: SheetSolution, tick: Callable[[int], None]) -> None:
        self.form: SheetForm = solution.form
        self.tick = tick
        self.chief = _chiefs(self.form)
        self.value = _as_floats(solution.table, self.form)
        self.parts = _parts(solution)

    def play(self, rng: np.random.Generator, games: int) -> Ints:
        """Play games from the start and give their totals."""
        form, net = self.form, self.form.lattice
        opened = np.full(games, (1 << form.n_boxes) - 1)
        carry, total = np.zeros(games, dtype=np.int64), np.zeros(games, dtype=np.int64)
        for turn in range(form.n_boxes):
            self.tick(games * turn // form.n_boxes)
            faces = rng.integers(0, net.faces, (form.rerolls + 1, net.count, games), dtype=np.int8)
            outer, lane = np.unique(self._outer(opened, carry), return_inverse=True)
            order = np.argsort(lane, kind="stable")
            cuts = np.searchsorted(lane[order], np.arange(0, len(outer) + LANES, LANES))
            for begin, end in pairwise(cuts.tolist()):
                own = order[begin:end]
                box, effect = self._turn(faces[:, :, own], opened[own], carry[own])
                total[own] += form.effect_gain[effect, carry[own]]
                opened[own] &= ~(1 << box)
                carry[own] = form.effect_target[effect, carry[own]]
        return total

    def _outer(self, opened: Ints, carry: Ints) -> Ints:
        """Number outer states, alike where the carry makes no difference."""
        number: Ints = opened * self.form.n_carries + self.chief[self.form.carry_class[opened], carry]
        return number

    def _turn(self, faces: npt.NDArray[np.int8], opened: Ints, carry: Ints) -> tuple[Ints, Ints]:
        """Play one turn in every game and give the boxes and effects chosen."""
        form, net = self.form, self.form.lattice
        outer, lane = np.unique(self._outer(opened, carry), return_inverse=True)
        tables = self._expected(*np.divmod(outer, form.n_carries))
        kept = _roll(net, np.zeros(len(opened), dtype=np.int64), faces[0])
        moving = np.arange(len(opened))
        for left in range(form.rerolls, 0, -1):
            hand = kept[moving] - net.first_hand
            fills = self._fills(opened[moving], carry[moving], hand)[0]
            values = np.concatenate([fills, self._keeps(tables[left - 1], hand, lane[moving])])
            choice = _first_best(values) - form.n_boxes
            moving, choice, hand = moving[choice >= 0], choice[choice >= 0], hand[choice >= 0]
            kept[moving] = _roll(net, self.parts[hand, choice], faces[form.rerolls - left + 1][:, moving])
        fills, effects = self._fills(opened, carry, kept - net.first_hand)
        box = _first_best(fills)
        return box, effects[box, np.arange(len(box))]

    def _expected(self, opened: Ints, carry: Ints) -> list[Floats]:
        """The expected values of keeps with 1, 2, ... rolls left, for some outer states; the last row is minus infinity."""
        net, found = self.form.lattice, []
        table = np.full((len(net.keeps) + 1, len(opened)), -np.inf)
        table[net.first_hand : -1] = fill_turn(self.form, self.value, opened, carry)
        for _ in range(self.form.rerolls):
            play_turn(net, table)
            found.append(table.copy())
            _take_best(net, table)
        return found

    def _keeps(self, table: Floats, hand: Ints, lane: Ints) -> Floats:
        """The values of keeping parts of the hand, a row for each part."""
        values: Floats = table[self.parts[hand].T, lane]
        return values

    def _fills(self, opened: Ints, carry: Ints, hand: Ints) -> tuple[Floats, Ints]:
        """The values and effects of filling each box with the hand; minus infinity where that is not allowed."""
        form, boxes = self.form, np.arange(self.form.n_boxes)[:, None]
        effect = form.hand_effect[:, hand]
        for special, one in enumerate(form.special_hand):
            those = np.flatnonzero(hand == one)
            effect[:, those] = form.special_effect[special, form.special_variant[opened[those], special]].T
        allowed = ((opened & -opened if form.in_order else opened) >> boxes & 1 == 1) & (effect >= 0)
        after = np.where(allowed, opened & ~(1 << boxes), -1)
        values: Floats = form.effect_gain[effect, carry] + self.value[after, form.effect_target[effect, carry]]
        return values, effect


def _chiefs(form: SheetForm) -> Ints:
    """For each class of open boxes and carry, the carry that stands for it."""
    chief = np.tile(np.arange(form.n_carries), (len(form.carry_start) - 1, 1))
    chief[np.repeat(np.arange(len(chief)), np.diff(form.copy_start)), form.copy_to] = form.copy_from
    return chief


def _as_floats(table: Floats | ExactSheet, form: SheetForm) -> Floats:
    if not isinstance(table, ExactSheet):
        return table
    value = np.full(((1 << form.n_boxes) + 1, form.n_carries), np.nan)
    value[-1] = -np.inf
    for opened, carry in table.numerator:
        value[opened, carry] = float(table.value(opened, carry))
    return value


def _parts(solution: SheetSolution) -> Ints:
    """For each hand the numbers of its parts, in the order of its actions; the number after the last keep fills up rows."""
    net, game = solution.form.lattice, solution.game
    rows = [
        [net.number(keep) for keep in game.actions(Turn(1, 0, False, hand, 1)) if not isinstance(keep, str)]
        for hand in net.keeps[net.first_hand :]
    ]
    return _padded(rows, [len(net.keeps)] * len(rows))


def _padded(rows: list[list[int]], fill: list[int]) -> Ints:
    width = max(map(len, rows))
    return np.array([row + [own] * (width - len(row)) for row, own in zip(rows, fill, strict=True)], dtype=np.int64)


def _take_best(net: Lattice, table: Floats) -> None:
    """Replace every keep's value by the best of its parts, small keeps first."""
    for low, high in zip(net.size_start[1:-1], net.size_start[2:], strict=True):
        begin, end = net.fewer_start[low], net.fewer_start[high]
        best = np.maximum.reduceat(table[net.fewer[begin:end]], net.fewer_start[low:high] - begin, axis=0)
        np.maximum(table[low:high], best, out=table[low:high])


def _roll(net: Lattice, kept: Ints, faces: npt.NDArray[np.int8]) -> Ints:
    """Roll the dice that are not kept, one after another."""
    for face in faces:
        partial = kept < net.first_hand
        kept = np.where(partial, net.more[np.where(partial, kept, 0), face], kept)
    return kept


def _first_best(values: Floats) -> Ints:
    """For each column the first row that ties with the highest."""
    best = values.max(axis=0)
    found: Ints = np.argmax(values >= best - TIE * np.abs(best), axis=0)
    return found


# Words


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
        return list(np.unravel_index(number[np.arange(len(number)), _first_best(value.T)], self.form.shape))


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
    return _padded(rows, [row[0] for row in rows])


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
