"""Large games: positions are seen by their features, and played by the rules."""

from functools import cached_property
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict

from rollwise.adapters.gym.board import START, Board, Step
from rollwise.adapters.gym.task import Task
from rollwise.adapters.gym.vectorized import Bools, Floats, Ints, VectorizedGames
from rollwise.errors import GameError
from rollwise.model.abilities import gains_nonnegative, unlifted
from rollwise.model.features import Feature, features_of
from rollwise.model.game import Game
from rollwise.model.lift import explored_game
from rollwise.model.objective import Expected
from rollwise.model.view import view_of
from rollwise.playing.roll_source import RollSource, finds_gains
from rollwise.solvers.base.steps import Steps
from rollwise.solvers.registry import solvers

__all__ = ["Described", "VectorizedRules", "is_described", "stated"]

Seen = dict[str, npt.NDArray[np.int32]]


def stated(task: Task) -> tuple[Game[Any, Any, Any], bool]:
    """Give the game that is walked for an objective, and whether its positions carry points for that."""
    objective = task.objective
    stated = explored_game(task.game, objective)
    if objective.counts == "costs" or objective.adds or not finds_gains(stated):
        return stated, False
    return explored_game(task.game, objective, "points" if gains_nonnegative(stated) else "signed points"), True


def is_described(game: Game[Any, Any, Any]) -> bool:
    """Say whether a game has features, and lists its actions."""
    return (
        features_of(game).features(next(iter(game.roll(game.start())))) is not None
        and features_of(game).every_action() is not None
    )


class _Drawn(Random):
    """Python's source of numbers, fed by NumPy's."""

    generator: np.random.Generator

    def random(self) -> float:
        return float(self.generator.random())

    def getrandbits(self, k: int, /) -> int:
        return int.from_bytes(self.generator.bytes((k + 7) // 8), "little") >> -k % 8


class Described(Board):
    """A game by its rules; a spot is a state."""

    def __init__(self, task: Task) -> None:
        self.task, self.objective = task, task.objective
        self.game, self.lifts = stated(task)
        self.rival = task.rival(self.game)
        self.drawn = _Drawn()
        self._met: tuple[Any, list[Any]] = (START, [])
        every, seen = features_of(self.game).every_action(), self._features(next(iter(self.game.roll(self.game.start()))))
        if every is None:
            raise GameError(f"{view_of(self.game).title} does not list its actions: use observation='number'")
        self.number = {action: number for number, action in enumerate(every)}
        self.actions = tuple(self.game.show_action(action) for action in every)
        self.lowest = {name: np.full(len(row.values), row.low, dtype=np.int32) for name, row in seen.items()}
        self.observation_space = Dict(
            {name: Box(row.low, row.high, (len(row.values),), np.int32) for name, row in seen.items()}
        )  # fmt: skip

    @cached_property
    def rolls(self) -> RollSource:
        return RollSource(self.game, self.drawn)

    def _features(self, state: Any) -> dict[str, Feature]:
        found = features_of(self.game).features(state)
        if found is None:
            raise GameError(
                f"{view_of(self.game).title} has no features: use observation='number', or write features(state) for it"
            )
        return dict(found)

    def observe(self, spot: Any) -> Seen:
        if spot is START:
            return {name: row.copy() for name, row in self.lowest.items()}
        return {name: np.array(row.values, dtype=np.int32) for name, row in self._features(spot).items()}

    def allowed(self, spot: Any) -> list[int]:
        return [0] if spot is START else [self.number[action] for action in self._offers(spot)]

    def _offers(self, spot: Any) -> list[Any]:
        """List the actions of a state; those of the last one are kept, as they are needed several times."""
        if self._met[0] is not spot:
            self._met = (spot, list(self.game.actions(spot)))
        return self._met[1]

    def position(self, spot: Any) -> Any:
        return spot

    def show(self, spot: Any) -> str:
        return "before the first roll" if spot is START else self.game.show_state(spot)

    def mover(self, spot: Any) -> int:
        return self.game.mover(spot)

    def go(self, spot: Any, place: int, random: np.random.Generator) -> Step:
        game, points, pending = self.game, 0, self.game.start()
        costs = self.objective.counts == "costs"
        self.drawn.generator = random
        if spot is not START:
            action = self._offers(spot)[place]
            points = 0 if costs else game.gain(spot, action)
            pending = game.play(spot, action)
        points += game.cost(pending) if costs else 0
        spot = self.rolls.draw(pending)
        over = not self._offers(spot)
        return Step(spot, self._reward(points + (self._paid(spot) if over and not costs else 0)), over)

    def _paid(self, spot: Any) -> int:
        """What an end counts, in units."""
        paid = self.game.payoff(spot)
        return paid if self.objective.adds or self.lifts else self.objective.score(paid)

    def _reward(self, points: int) -> float:
        return self.task.sign * points / (1 if self.objective.counts == "costs" else self.objective.unit)

    def vectorized(self, count: int) -> Any:
        """Give the steps of the form that reads the game, where it has any."""
        described = self.task.game
        if unlifted(self.game) is not described or self.game.players > 1:
            return None
        for solver in solvers():
            steps = solver.steps(described, count) if solver.matches(described, Expected()) else None
            if steps is not None:
                return VectorizedRules(self, steps, count)
        return None


class VectorizedRules(VectorizedGames):
    """Lanes of a game with steps; where its positions carry points, these lie beside them."""

    def __init__(self, board: Described, steps: Steps, count: int) -> None:
        self.board, self.steps, self.count = board, steps, count
        self.first = board.game.start().points if board.lifts else 0
        self.points = np.full(count, self.first, dtype=np.int64)
        self.fresh = np.ones(count, dtype=np.bool_)

    def begin(self, lanes: Ints) -> None:
        self.steps.begin(lanes)
        self.points[lanes], self.fresh[lanes] = self.first, True

    def observe(self) -> Seen:
        found = {name: rows.astype(np.int32) for name, rows in self.steps.features().items()}
        for name in self.board.lowest.keys() - found.keys():
            found[name] = np.where(self.fresh, self.board.lowest[name][0], self.points).astype(np.int32)[:, None]
        return found

    def masks(self) -> npt.NDArray[np.int8]:
        return self.steps.allowed().astype(np.int8)

    def move(self, lanes: Ints, actions: Ints, random: np.random.Generator) -> tuple[Floats, Bools]:
        gain, over = self.steps.move(lanes, actions, random)
        self.fresh[lanes] = False
        if not self.board.lifts:
            return self._scaled(gain if self.board.objective.adds else np.where(over, self._scored(gain), 0)), over
        game: Any = self.board.game
        self.points[lanes] = _each(game.after, self.points[lanes], gain)
        worth = np.zeros(len(lanes), dtype=np.int64)
        worth[over] = _each(game.worth, self.points[lanes[over]], np.zeros(int(over.sum()), dtype=np.int64))
        return self._scaled(worth), over

    def _scored(self, points: Ints) -> Ints:
        return _each(lambda total, _: self.board.objective.score(total), points, points)

    def _scaled(self, points: Ints) -> Floats:
        found: Floats = self.board.task.sign * points / self.board.objective.unit
        return found


def _each(rule: Any, left: Ints, right: Ints) -> Ints:
    """Ask a rule about pairs of numbers, about equal ones once."""
    pairs, place = np.unique(np.stack([left, right]), axis=1, return_inverse=True)
    found = np.array([rule(one, two) for one, two in pairs.T.tolist()], dtype=np.int64)
    return found[place.reshape(-1)] if len(found) else np.zeros(0, dtype=np.int64)
