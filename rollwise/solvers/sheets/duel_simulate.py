"""Play duels many times, all games together a half-turn at a time: to check exact figures, and to see what duellists do.

Whatever a player plays for, his turn follows from what each effect is worth to him: under the duel's strategy his chance to win
after it, under the sheet's own strategy its gain and the expected total to come. Choices are the first listed among ties.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rollwise.games.sheets.boxes import Turn
from rollwise.games.sheets.duel import DuelTurn
from rollwise.model.game import Progress
from rollwise.solvers.base.choosing import first_best
from rollwise.solvers.sheets.duel_follow import Side, points_table
from rollwise.solvers.sheets.effect_values import PointsValues
from rollwise.solvers.sheets.lattice import keep_rows
from rollwise.solvers.sheets.simulate import LANES, PlayedTurns, Watch, play_turns, prepared_dice

if TYPE_CHECKING:
    from rollwise.solvers.sheets.duel import DuelSolution

__all__ = ["Departure", "DuelTables", "Watched", "watch_duel"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SHOWN = 12
SAME = 1e-9
"""Chances that differ by less are the same."""


@dataclass(frozen=True)
class Departure:
    """A position in which a duellist does something else than a player for points: the moves, and what the other one costs."""

    cost: float
    state: str
    duel: str
    expected: str


@dataclass(frozen=True, eq=False)
class Watched:
    """What duellists did in simulated games between them, by half-turn.

    `decisions` counts their decisions, `departures` those in which a player for points does something else, and `cost` adds up
    what that would have cost. `starts` are the turn starts: open boxes and carry of the mover, then of the other player.
    """

    games: int
    decisions: Ints
    departures: Ints
    cost: Floats
    largest: list[Departure]
    starts: list[Ints]


class DuelTables:
    """Plays many duels between two sides."""

    def __init__(self, solution: "DuelSolution", sides: tuple[Side, Side], tick: Callable[[int], None]) -> None:
        self.solution, self.sides, self.tick = solution, sides, tick

    def play(self, rng: "np.random.Generator", games: int) -> Ints:
        """Play games from the start and give what they are worth to the first player, in units of the objective."""
        table = _DuelGames(self.solution, rng, games)
        for half_turn in range(2 * table.arrays.n_boxes):
            for own, share in table.pieces(half_turn):
                table.play(own, self.sides[half_turn % 2])
                self.tick(int(share * games))
            table.swap()
        unit, ties = self.solution.objective.unit, self.solution.game.tie
        return np.select([table.lead > 0, table.lead == 0], [unit, int(ties * unit)], 0)


def watch_duel(solution: "DuelSolution", *, games: int = 1000, seed: int = 0, progress: Progress | None = None) -> Watched:
    """Play duels between two duellists and note where a player for points would have done something else."""
    own, points = Side(layers=solution.all_layers()), Side(table=points_table(solution.arrays))
    table = _DuelGames(solution, np.random.default_rng(seed), games)
    notes = _Notes(table)
    starts = []
    for half_turn in range(2 * table.arrays.n_boxes):
        starts.append(np.stack([table.opened[0], table.carry[0], table.opened[1], table.carry[1]]))
        notes.half_turn = half_turn
        for lanes, share in table.pieces(half_turn):
            table.play(lanes, own, (notes, points))
            if progress:
                progress("playing", int(share * games), games)
        table.swap()
    return Watched(games, notes.decisions, notes.departures, notes.cost, notes.largest(), starts)


class _Notes:
    """What is noted while duellists are watched."""

    def __init__(self, table: "_DuelGames") -> None:
        self.table, self.half_turn = table, 0
        n = 2 * table.arrays.n_boxes
        self.decisions, self.departures, self.cost = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64), np.zeros(n)
        self.found: dict[str, Departure] = {}

    def add(self, values: Floats, choice: Ints, other: Ints, where: tuple[Ints, Ints, int]) -> None:
        """Note a roll of some games: the worth of the actions, the duellist's choice and the other player's."""
        lane = np.arange(len(choice))
        lost = np.where(other == choice, 0.0, values[choice, lane] - values[other, lane])
        lost[lost < SAME] = 0.0
        self.decisions[self.half_turn] += len(lost)
        self.departures[self.half_turn] += int((lost > 0).sum())
        self.cost[self.half_turn] += float(lost.sum())
        for place in np.argsort(-lost, kind="stable")[:SHOWN].tolist():
            if lost[place] > 0:
                departure = self.table.departure(float(lost[place]), int(choice[place]), int(other[place]), place, where)
                self.found[departure.state] = departure
        self.found = {departure.state: departure for departure in self.largest()}

    def largest(self) -> list[Departure]:
        """The departures that cost most."""
        return sorted(self.found.values(), key=lambda departure: (-departure.cost, departure.state))[:SHOWN]


class _DuelGames:
    """Games under way: both players' sheets (the mover's first), the mover's lead, and the dice."""

    def __init__(self, solution: "DuelSolution", rng: "np.random.Generator", games: int) -> None:
        self.solution, self.rng, self.games = solution, rng, games
        self.arrays, self.sheet = solution.arrays, solution.sheet
        self.parts = keep_rows(self.arrays.lattice)
        full = (1 << self.arrays.n_boxes) - 1
        self.opened = [np.full(games, full), np.full(games, full)]
        self.carry = [np.zeros(games, dtype=np.int64), np.zeros(games, dtype=np.int64)]
        self.lead = np.zeros(games, dtype=np.int64)

    def pieces(self, half_turn: int) -> Iterator[tuple[Ints, float]]:
        """Deal the games out in pieces for a half-turn, and say what share of all turns is played after each."""
        turns = 2 * self.arrays.n_boxes
        self.previous = self.solution.duel.layer(turns - half_turn - 1)
        for begin in range(0, self.games, LANES):
            end = min(begin + LANES, self.games)
            yield np.arange(begin, end), (half_turn + end / self.games) / turns

    def swap(self) -> None:
        """Give the turn to the other player."""
        self.opened.reverse()
        self.carry.reverse()
        self.lead = -self.lead

    def play(self, own: Ints, side: Side, watched: tuple[_Notes, Side] | None = None) -> None:
        """Play a half-turn of some games; `watched` notes where another side would have done something else."""
        arrays, lane = self.arrays, np.arange(len(own))
        turns = self._turns(own, side)
        watch = None if watched is None else self._watch(own, watched[0], self._turns(own, watched[1]))
        left = np.full(len(own), arrays.rerolls)
        effect = play_turns(turns, lane, left, prepared_dice(self.rng, arrays, len(own)), watch)
        opened, carry = self.opened[0][own], self.carry[0][own]
        self.lead[own] += arrays.effect_gain[effect, carry]
        self.opened[0][own] = arrays.after(opened, arrays.box_of_effect[effect])
        self.carry[0][own] = arrays.effect_target[effect, carry]

    def _watch(self, own: Ints, notes: _Notes, other: PlayedTurns) -> Watch:
        def watch(values: Floats, choice: Ints, games: Ints, hand: Ints, left: Ints) -> None:
            notes.add(values, choice, first_best(other.actions(hand, games, left)[0]), (own[games], hand, int(left[0])))

        return watch

    def _turns(self, own: Ints, side: Side) -> PlayedTurns:
        """The turns of the mover of some games, by what he plays for."""
        arrays, opened, carry = self.arrays, self.opened[0][own], self.carry[0][own]
        if side.layers is None:
            return PlayedTurns(arrays, opened, PointsValues(arrays, side.table).worth(opened, carry))
        duel, layer = self.solution.duel, self.previous
        other = duel.outers.number[self.opened[1][own], self.carry[1][own]]
        values = duel.effect_values(layer, np.asarray(side.layers[layer.left]))
        return PlayedTurns(arrays, opened, values.worth(opened, carry, other, self.lead[own]))

    def departure(self, cost: float, choice: int, other: int, place: int, where: tuple[Ints, Ints, int]) -> Departure:
        """Write down a position in which two strategies part."""
        games, hands, left = where
        game, hand = int(games[place]), int(hands[place])
        net, bonus = self.arrays.lattice, self.sheet.bonus
        sheets = []
        for opened, carry in zip(self.opened, self.carry, strict=True):
            primed, upper = divmod(int(carry[game]), (bonus.threshold if bonus else 0) + 1)
            sheets.append(Turn(int(opened[game]), upper, bool(primed), (), 0))
        turn = sheets[0]._replace(dice=net.keeps[net.first_hand + hand], left=left)
        state = DuelTurn(turn, sheets[1], int(self.lead[game]))
        duel, expected = (self._action(hand, number) for number in (choice, other))
        return Departure(cost, self.solution.game.show_state(state), duel, expected)

    def _action(self, hand: int, number: int) -> str:
        if number < self.arrays.n_boxes:
            return self.sheet.names[number]
        return self.sheet.show_action(self.arrays.lattice.keeps[self.parts[hand, number - self.arrays.n_boxes]])
