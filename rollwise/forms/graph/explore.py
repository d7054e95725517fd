"""From rules to arrays: number every reachable state and pending roll.

`explore` walks a game breadth first and returns an `Explored`: the positions, their numbers, and a `Graph` of flat arrays. In a
graph the value of a pending p is `pending_cost[p]` plus the weighted mean of its outcomes' values; the value of a state is the
best `action_gain` plus the value of the pending the action leads to, or `state_payoff` where there is no action. That single
form holds for every objective; `maximise` says which way is best. In a game for two, `state_mover` is 1 where the other player
chooses, for whom the best is the opposite. Offsets end in `_start` and have one more entry than rows.
"""

from array import array
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError, RollwiseError
from rollwise.model.game import Game, Progress
from rollwise.model.lift import HavingGame, NeedingGame
from rollwise.model.objective import Against, AtLeast, Fewest, Objective, Winning
from rollwise.model.roll import positive_weight

__all__ = ["MAX_STATES", "Explored", "Graph", "explore", "explore_part"]

Ints = npt.NDArray[np.int64]
Movers = npt.NDArray[np.uint8]

MAX_STATES = 5_000_000
EDGES_PER_STATE = 40
LARGEST = 2**62


@dataclass(frozen=True, eq=False)
class Graph:
    """The arrays of a game; engines see nothing else."""

    maximise: bool
    state_payoff: Ints
    state_mover: Movers
    action_start: Ints
    action_pending: Ints
    action_gain: Ints
    pending_cost: Ints
    outcome_start: Ints
    outcome_state: Ints
    outcome_weight: Ints

    @property
    def n_states(self) -> int:
        return len(self.action_start) - 1

    @property
    def n_pendings(self) -> int:
        return len(self.outcome_start) - 1

    @cached_property
    def two_players(self) -> bool:
        """Whether player 1 moves anywhere."""
        return bool(self.state_mover.any())


@dataclass(frozen=True, eq=False)
class Explored:
    """A game's reachable positions and their arrays; number 0 among the pendings is the start.

    Values of the graph are divided by `unit`: the payoffs of a game against an opponent are whole numbers of a fraction of a win.
    """

    game: Game[Any, Any, Any]
    objective: Objective
    states: Sequence[Any]
    pendings: Sequence[Any]
    state_index: Mapping[Any, int]
    pending_index: Mapping[Any, int]
    graph: Graph
    unit: int = 1


def explore(
    game: Game[Any, Any, Any],
    objective: Objective | None = None,
    *,
    max_states: int = MAX_STATES,
    progress: Progress | None = None,
) -> Explored:
    """Number the reachable positions of `game` and write its rules as arrays for `objective` (default: the game's own).

    >>> from rollwise.games import load
    >>> found = explore(load("slots"))
    >>> found.graph.n_states, found.graph.n_pendings
    (8184, 1404)

    Raises `GameError` when more than `max_states` positions turn up, or when the rules are faulty, naming the position.
    """
    objective = game.objective if objective is None else objective
    found = _walk(game, objective, max_states, progress)
    graph = found.graph
    if isinstance(objective, Fewest):
        if graph.two_players:
            raise GameError("Fewest counts the rolls of one player, and in this game two move: use Expected() or AtLeast(t)")
        if graph.pending_cost.min() < 0:
            raise GameError(f"pending {_where(found)} has a negative cost: Fewest needs costs of 0 or more")
        zero = np.zeros_like
        return replace(
            found,
            graph=replace(graph, maximise=False, action_gain=zero(graph.action_gain), state_payoff=zero(graph.state_payoff)),
        )
    graph = replace(graph, pending_cost=np.zeros_like(graph.pending_cost))
    if isinstance(objective, Winning):
        unit = objective.unit if isinstance(objective, Against) else 1
        if not graph.action_gain.any():
            return replace(found, graph=replace(graph, state_payoff=_won(graph, objective)), unit=unit)
        found = _walk(_lifted(game, objective, graph), objective, max_states, progress)
        graph = replace(found.graph, pending_cost=np.zeros_like(found.graph.pending_cost))
        return replace(found, graph=graph, unit=unit)
    return replace(found, graph=graph)


def _won(graph: Graph, objective: Winning) -> Ints:
    """What the payoffs win where all points come at the end, in units."""
    if isinstance(objective, AtLeast):
        return (graph.state_payoff >= objective.target).astype(np.int64)
    return np.array([objective.won(total) for total in graph.state_payoff.tolist()], dtype=np.int64)


def _lifted(game: Game[Any, Any, Any], objective: Winning, graph: Graph) -> Game[Any, Any, Any]:
    if isinstance(objective, Against):
        return HavingGame(game, objective)
    floor = bool(graph.action_gain.min() >= 0 and graph.state_payoff.min() >= 0)
    return NeedingGame(game, objective.target, floor=floor)


def _where(found: Explored) -> str:
    return found.game.show_pending(found.pendings[int(found.graph.pending_cost.argmin())])


def explore_part(game: Game[Any, Any, Any], limit: int) -> tuple[Explored, bool]:
    """Expand about `limit` positions and say whether that is all of them; the rest are numbered but have no rows."""
    walk = _Walk(game, limit, None)
    walk.run(stop=True)
    complete = len(walk.action_start) > len(walk.states) and len(walk.outcome_start) > len(walk.pendings)
    return _explored(walk, game.objective), complete


def _walk(game: Game[Any, Any, Any], objective: Objective, max_states: int, progress: Progress | None) -> Explored:
    walk = _Walk(game, max_states, progress)
    walk.run()
    return _explored(walk, objective)


def _explored(walk: "_Walk", objective: Objective) -> Explored:
    graph = Graph(
        maximise=True,
        state_payoff=_ints(walk.state_payoff),
        state_mover=_movers(walk.state_mover, len(walk.action_start) - 1),
        action_start=_ints(walk.action_start),
        action_pending=_ints(walk.action_pending),
        action_gain=_ints(walk.action_gain),
        pending_cost=_ints(walk.pending_cost),
        outcome_start=_ints(walk.outcome_start),
        outcome_state=_ints(walk.outcome_state),
        outcome_weight=_ints(walk.outcome_weight),
    )
    return Explored(walk.game, objective, walk.states, walk.pendings, walk.state_index, walk.pending_index, graph)


def _ints(values: "array[int]") -> Ints:
    result = np.frombuffer(values, dtype=np.int64) if len(values) else np.zeros(0, dtype=np.int64)
    result.flags.writeable = False
    return result


def _movers(values: bytearray, count: int) -> Movers:
    result = np.frombuffer(values, dtype=np.uint8) if values else np.zeros(count, dtype=np.uint8)
    result.flags.writeable = False
    return result


class _Walk:
    """One breadth-first walk: pendings and states are numbered in the order they turn up, and expanded in that order."""

    def __init__(self, game: Game[Any, Any, Any], max_states: int, progress: Progress | None) -> None:
        self.game, self.max_states, self.progress = game, max_states, progress
        self.states: list[Any] = []
        self.pendings: list[Any] = []
        self.state_index: dict[Any, int] = {}
        self.pending_index: dict[Any, int] = {}
        self.state_payoff, self.pending_cost = array("q"), array("q")
        self.action_start, self.action_pending, self.action_gain = array("q", [0]), array("q"), array("q")
        self.outcome_start, self.outcome_state, self.outcome_weight = array("q", [0]), array("q"), array("q")
        self.state_mover = bytearray()
        self.has_gain = type(game).gain is not Game.gain
        self.has_mover = type(game).mover is not Game.mover

    def run(self, *, stop: bool = False) -> None:
        """Walk everything, or with `stop` end quietly at the budget."""
        self._guard(lambda _: self._begin(), "start()", "the beginning,", str)
        state = pending = 0
        while pending < len(self.pendings) or state < len(self.states):
            if pending < len(self.pendings) and (pending <= state or state == len(self.states)):
                self._guard(self._expand_pending, self.pendings[pending], "pending", self.game.show_pending)
                pending += 1
            else:
                self._guard(self._expand_state, self.states[state], "state", self.game.show_state)
                state += 1
            if stop and state + pending >= self.max_states:
                return
            if not stop and (state + pending) % 1024 == 0:
                self._check_budget()
        if not stop:
            self._check_budget()

    def _begin(self) -> None:
        self._number(self.game.start(), self.pendings, self.pending_index, "the start")

    def _guard(self, expand: Any, node: Any, kind: str, show: Any) -> None:
        """Expand a node; whatever goes wrong in the rules is reported with its position."""
        try:
            expand(node)
        except _Located:
            raise
        except (Exception, SystemExit) as error:
            reason = str(error) if isinstance(error, RollwiseError) else f"{type(error).__name__}: {error}"
            raise _Located(f"at {kind} {_name(show, node)}: {reason}") from error

    def _expand_pending(self, pending: Any) -> None:
        roll = self.game.roll(pending)
        if not isinstance(roll, Mapping):
            raise GameError(f"roll() returned {roll!r}: expected a Roll or another mapping from outcome to integer weight")
        weights = [positive_weight(outcome, weight) for outcome, weight in roll.items()]
        if not weights:
            raise GameError("roll() returned no outcomes: expected at least one (use sure(state) for a certain one)")
        divisor = gcd(*weights)
        if sum(weights) // divisor >= LARGEST:
            raise GameError("the weights add up to 2**62 or more: split the roll into several smaller ones")
        for outcome, weight in zip(roll, weights, strict=True):
            self.outcome_state.append(self._number(outcome, self.states, self.state_index, "an outcome"))
            self.outcome_weight.append(weight // divisor)
        self.outcome_start.append(len(self.outcome_state))
        self.pending_cost.append(_integer("cost()", self.game.cost(pending)))

    def _expand_state(self, state: Any) -> None:
        game = self.game
        actions = game.actions(state)
        for action in actions:
            pending = self._number(game.play(state, action), self.pendings, self.pending_index, "what play() returned")
            self.action_pending.append(pending)
            self.action_gain.append(_integer("gain()", game.gain(state, action)) if self.has_gain else 0)
        self.action_start.append(len(self.action_pending))
        self.state_payoff.append(0 if len(actions) else _integer("payoff()", game.payoff(state)))
        if self.has_mover:
            self.state_mover.append(_player(game.mover(state)) if len(actions) else 0)

    def _number(self, node: Hashable, nodes: list[Any], numbers: dict[Any, int], what: str) -> int:
        try:
            number = numbers.get(node)
        except TypeError:
            raise GameError(f"{what}, {node!r}, is not hashable: use tuples, strings, numbers or frozen dataclasses") from None
        if number is None:
            number = numbers[node] = len(nodes)
            nodes.append(node)
        return number

    def _check_budget(self) -> None:
        found = len(self.states) + len(self.pendings)
        edges = len(self.action_pending) + len(self.outcome_state)
        if found > self.max_states or edges > EDGES_PER_STATE * self.max_states:
            raise GameError(
                f"the game has more than {found:,} positions with {edges:,} moves and outcomes, over the budget of "
                f"{self.max_states:,}: make it smaller or raise max_states"
            )
        if self.progress:
            self.progress("exploring", found, None)


class _Located(GameError):
    """A fault of the rules whose text already names its position."""


def _name(show: Any, node: Any) -> str:
    """Write a node for a message, shortened, whatever its own notation does."""
    try:
        text = str(show(node))
    except Exception:
        text = object.__repr__(node)
    return text if len(text) <= 120 else f"{text[:100]}... ({len(text):,} characters)"


def _integer(what: str, value: object) -> int:
    try:
        result = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise GameError(f"{what} is {value!r}: expected an integer") from None
    if not -LARGEST < result < LARGEST:
        raise GameError(f"{what} is {result}: expected an integer between -2**62 and 2**62")
    return result


def _player(value: object) -> int:
    player = _integer("mover()", value)
    if player not in (0, 1):
        raise GameError(f"mover() is {player}: expected 0, who maximises, or 1, who minimises")
    return player
