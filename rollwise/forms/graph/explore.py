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

from rollwise.errors import GameError, brief
from rollwise.model.faults import blame, check_signatures
from rollwise.model.game import Game, Progress, aim_of, wants_game
from rollwise.model.lift import HavingGame
from rollwise.model.objective import Objective
from rollwise.model.overrides import overridden
from rollwise.model.roll import LARGEST, positive_weight

__all__ = ["MAX_STATES", "Explored", "Graph", "Ints", "OverBudget", "check_budget", "explore", "explore_part"]

Ints = npt.NDArray[np.int64]
Movers = npt.NDArray[np.uint8]

MAX_STATES = 5_000_000
EDGES_PER_STATE = 40


@dataclass(frozen=True, eq=False, repr=False)
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

    def __repr__(self) -> str:
        return f"<Graph of {self.n_states:,} states, {self.n_pendings:,} pendings>"

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


@dataclass(frozen=True, eq=False, repr=False)
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

    def __repr__(self) -> str:
        game = type(getattr(self.game, "game", self.game)).__name__
        return f"<Explored {game} ({self.objective}): {self.graph.n_states:,} states, {self.graph.n_pendings:,} pendings>"


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
    wants_game(game, "explore")
    objective = aim_of(game, objective)
    found = _walk(objective.restate(game), objective, max_states, progress)
    graph = found.graph
    if objective.counts == "costs":
        if graph.pending_cost.min() < 0:
            raise GameError(f"pending {_where(found)} has a negative cost: {objective} needs costs of 0 or more")
        zero = np.zeros_like
        graph = replace(graph, maximise=False, action_gain=zero(graph.action_gain), state_payoff=zero(graph.state_payoff))
        return replace(found, graph=graph)
    if not objective.adds and graph.action_gain.any():
        found = _walk(_remembering(found), objective, max_states, progress)
        graph = found.graph
    elif not objective.adds:
        graph = replace(graph, state_payoff=_scored(graph, objective))
    return replace(found, graph=replace(graph, pending_cost=np.zeros_like(graph.pending_cost)), unit=objective.unit)


def _scored(graph: Graph, objective: Objective) -> Ints:
    """What the payoffs are worth where all points come at the end, in units."""
    totals, place = np.unique(graph.state_payoff, return_inverse=True)
    worth = [_integer("score()", objective.score(total)) for total in totals.tolist()]
    found: Ints = np.array(worth, dtype=np.int64)[place]
    return found


def _remembering(found: Explored) -> Game[Any, Any, Any]:
    """The game whose positions carry what its objective must remember."""
    graph, objective = found.graph, found.objective
    floor = bool(graph.action_gain.min() >= 0 and graph.state_payoff.min() >= 0)
    return objective.remember(found.game, floor=floor) or HavingGame(found.game, objective)


def _where(found: Explored) -> str:
    return found.game.show_pending(found.pendings[int(found.graph.pending_cost.argmin())])


def explore_part(game: Game[Any, Any, Any], limit: int) -> tuple[Explored, bool]:
    """Expand about `limit` positions and say whether that is all of them; the rest are numbered but have no rows."""
    walk = _Walk(game, limit, None)
    walk.run(stop=True)
    complete = len(walk.action_start) > len(walk.states) and len(walk.outcome_start) > len(walk.pendings)
    return _explored(walk, game.objective), complete


def _walk(game: Game[Any, Any, Any], objective: Objective, max_states: int, progress: Progress | None) -> Explored:
    rules = game.in_columns()
    if rules is not None:
        # The explorer in columns makes what is defined here.
        from rollwise.forms.graph.columns import explore_columns  # noqa: PLC0415

        return explore_columns(game, rules, objective, max_states, progress)
    walk = _Walk(game, max_states, progress, alone=objective.counts == "costs")
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

    def __init__(self, game: Game[Any, Any, Any], max_states: int, progress: Progress | None, *, alone: bool = False) -> None:
        self.game, self.max_states, self.progress, self.alone = game, max_states, progress, alone
        self.states: list[Any] = []
        self.pendings: list[Any] = []
        self.state_index: dict[Any, int] = {}
        self.pending_index: dict[Any, int] = {}
        self.state_payoff, self.pending_cost = array("q"), array("q")
        self.action_start, self.action_pending, self.action_gain = array("q", [0]), array("q"), array("q")
        self.outcome_start, self.outcome_state, self.outcome_weight = array("q", [0]), array("q"), array("q")
        self.state_mover = bytearray()
        own = overridden(game, Game, ("gain", "mover", "cost"))
        self.has_gain, self.has_mover, self.has_cost = "gain" in own, "mover" in own, "cost" in own

    def run(self, *, stop: bool = False) -> None:
        """Walk everything, or with `stop` end quietly at the budget."""
        check_signatures(self.game)
        self._guard(lambda _: self._begin(), "the beginning", "", str)
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
            raise _Located(blame(error, self.game, f"{kind} {_name(show, node)}".strip())) from error

    def _expand_pending(self, pending: Any) -> None:
        roll = self.game.roll(pending)
        if not isinstance(roll, Mapping):
            raise GameError(f"roll() returned {brief(roll)}: expected a Roll or another mapping from outcome to integer weight")
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
        # What `Game.cost` says, without asking for the roll again.
        self.pending_cost.append(_integer("cost()", self.game.cost(pending)) if self.has_cost else int(len(weights) > 1))

    def _expand_state(self, state: Any) -> None:
        game = self.game
        actions = game.actions(state)
        _check_actions(actions)
        for action in actions:
            _check_hash(action)
            pending = self._number(game.play(state, action), self.pendings, self.pending_index, "what play() returned")
            self.action_pending.append(pending)
            self.action_gain.append(_integer("gain()", game.gain(state, action)) if self.has_gain else 0)
        self.action_start.append(len(self.action_pending))
        self.state_payoff.append(0 if len(actions) else _integer("payoff()", game.payoff(state)))
        if self.has_mover:
            self.state_mover.append(_player(game.mover(state)) if len(actions) else 0)
            if self.alone and self.state_mover[-1]:
                raise GameError(
                    f"player 1 moves, and Fewest counts the {game.cost_word} of one player: use Expected() or AtLeast(t)"
                )

    def _number(self, node: Hashable, nodes: list[Any], numbers: dict[Any, int], what: str) -> int:
        try:
            number = numbers.get(node)
        except TypeError:
            raise GameError(
                f"{what}, {brief(node)}, is not hashable: use tuples, strings, numbers or frozen dataclasses"
            ) from None
        if number is None:
            number = numbers[node] = len(nodes)
            nodes.append(node)
        return number

    def _check_budget(self) -> None:
        found = len(self.states) + len(self.pendings)
        check_budget(found, len(self.action_pending) + len(self.outcome_state), self.max_states)
        if self.progress:
            self.progress("exploring", found, None)


class OverBudget(GameError):
    """A game with more positions than may be explored."""


def check_budget(found: int, edges: int, max_states: int) -> None:
    """Stop where there are more positions, or moves and outcomes, than may be explored. Raises `OverBudget`."""
    if found > max_states or edges > EDGES_PER_STATE * max_states:
        raise OverBudget(
            f"the game has more than {found:,} positions with {edges:,} moves and outcomes, over the budget of "
            f"{max_states:,}: make it smaller or raise max_states (on the command line: --max-states N)"
        )


class _Located(GameError):
    """A fault of the rules whose text already names its position."""


def _name(show: Any, node: Any) -> str:
    """Write a node for a message, shortened, whatever its own notation does."""
    try:
        text = str(show(node))
    except Exception:
        return brief(node)
    return text if len(text) <= 120 else f"{text[:100]}... ({len(text):,} characters)"


def _check_actions(actions: object) -> None:
    """Refuse what looks like actions and is none. Raises `GameError`."""
    tip = "expected a tuple of actions, () when the game is over"
    if isinstance(actions, str | bytes):
        raise GameError(f"actions() returned the text {brief(actions)}: {tip}; one action is ({brief(actions)},)")
    if not (hasattr(actions, "__len__") and hasattr(actions, "__iter__")) or hasattr(actions, "__array__"):
        raise GameError(f"actions() returned {brief(actions)}: {tip}")


def _check_hash(action: object) -> None:
    try:
        hash(action)
    except TypeError:
        raise GameError(
            f"the action {brief(action)} is not hashable: use tuples, strings, numbers or frozen dataclasses"
        ) from None


def _integer(what: str, value: object) -> int:
    try:
        result = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise GameError(f"{what} is {brief(value)}: expected an integer") from None
    if not -LARGEST < result < LARGEST:
        raise GameError(f"{what} is {brief(result)}: expected an integer between -2**62 and 2**62")
    return result


def _player(value: object) -> int:
    player = _integer("mover()", value)
    if player not in (0, 1):
        raise GameError(f"mover() is {player}: expected 0, who maximises, or 1, who minimises")
    return player
