"""A solution kept as the arrays of an explored graph."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rollwise.errors import PositionError
from rollwise.model.game import Progress
from rollwise.model.policy import Policy
from rollwise.model.weights import loaded_weights
from rollwise.solvers.base.abilities import (
    BestAnswers,
    EvaluatesCards,
    Follows,
    HasGraph,
    KnowsSlopes,
    Player,
    PlaysMany,
    Reports,
    UsesMemory,
)
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.card_evaluator import CardEvaluator
from rollwise.solvers.base.distribution import Distribution, Follow
from rollwise.solvers.base.memory_use import MemoryUse, memory_use
from rollwise.solvers.base.slopes import FaceSlopes, slope_blocks
from rollwise.solvers.base.solution import Number, PackedSolution, Ranked, Solution
from rollwise.solvers.graph.bound import best_answer
from rollwise.solvers.graph.explore import Explored
from rollwise.solvers.graph.flow import GraphTables
from rollwise.solvers.graph.follow import choice_distribution, decided_distribution, follows_arrays, graph_distribution
from rollwise.solvers.graph.moves import choices_of
from rollwise.solvers.graph.report import graph_sections
from rollwise.solvers.graph.serialize import (
    GRAPH,
    VALUES,
    CacheOrigin,
    PackedPositions,
    compare_state,
    fingerprint,
    pack_whole,
    position_bytes,
)  # fmt: skip
from rollwise.solvers.graph.slopes import graph_slopes
from rollwise.solvers.graph.values import Ints, Result

__all__ = ["GraphSolution"]

BATCH = 1 << 16
MANY = 1 << 40
"""More steps than anybody follows unasked."""
SMALL_POINTS = 1 << 31
"""Points below this are added up in 64 bits; others one game at a time, in Python's integers."""


@dataclass(frozen=True, eq=False, repr=False)
class GraphSolution(Solution, Follows, PlaysMany, EvaluatesCards, BestAnswers, KnowsSlopes, Reports, HasGraph, UsesMemory):
    """A solution kept as the arrays of an explored graph."""

    solver_name = "graph"
    proof = (
        "After solving, the result was checked position by position, from the numbers alone: following the strategy surely "
        "ends the game and attains the value, and no move anywhere improves on it."
    )

    explored: Explored
    result: Result
    kept: CacheOrigin | None = None

    @cached_property
    def fingerprint(self) -> str:
        """Digest the arrays; one that was kept brings its digest."""
        return fingerprint(self.game, self.objective, self.explored.graph) if self.kept is None else self.kept.fingerprint

    def canonical_state(self, state: Any) -> Any:
        state = self._read_state(state)
        number = _find(self.explored.state_index, state)
        packed = isinstance(self.explored.states, PackedPositions)
        return state if number is None or (packed and _tuples_in(state) in self._tuples) else self.explored.states[number]

    @cached_property
    def _tuples(self) -> list[set[type]]:
        """The classes of tuples that the states of the first roll consist of: others need not be as the rules make them."""
        return [_tuples_in(state) for state in self.game.roll(self.game.start())]

    def graph(self) -> Explored:
        return self.explored

    def ranked(self, state: Any) -> list[Ranked]:
        """List all actions from best to worst, the chosen one first; an end has none."""
        return super().ranked(self.canonical_state(state))

    def _knows_text(self, text: str) -> bool:
        return any(_find(index, text) is not None for index in (self.explored.state_index, self.explored.pending_index))

    def _state_value(self, state: Any) -> Number | None:
        number = _find(self.explored.state_index, state)
        exact, floats = self.result.state_exact, self.result.values.state
        return None if number is None else self._signed(float(floats[number]) if exact is None else exact[number])

    def _pending_value(self, pending: Any) -> Number | None:
        number = _find(self.explored.pending_index, pending)
        exact, floats = self.result.pending_exact, self.result.values.pending
        return None if number is None else self._signed(float(floats[number]) if exact is None else exact[number])

    def _valued(self, state: Any) -> Iterator[tuple[Any, Number]]:
        if self.kept is not None:
            compare_state(self, self.kept, state)
        yield from super()._valued(state)

    @property
    def gains(self) -> bool:
        """Whether what moves gain counts for the values."""
        return self.objective.adds and self.objective.counts == "points"

    def _choice(self, state: Any, best: Number, rows: list[Ranked]) -> int:
        return int(self.result.values.choice[self.explored.state_index[state]])

    def _states(self) -> Iterator[Any]:
        choice = self.result.values.choice
        return (state for number, state in enumerate(self.explored.states) if choice[number] >= 0)

    def _signed(self, value: Number) -> Number:
        value = value if self.explored.graph.maximise else 0 - value
        return value / self.explored.unit if self.explored.unit > 1 else value

    def memory_use(self) -> MemoryUse:
        """What its arrays take, in memory or mapped, and its positions, about, where they are objects."""
        arrays = [getattr(self.explored.graph, name) for name in GRAPH] + [getattr(self.result.values, name) for name in VALUES]
        return {id(self.explored.states): position_bytes(self.explored), **memory_use(arrays)}

    @property
    def two_players(self) -> bool:
        """Whether player 1 has something to decide."""
        return bool(self.explored.graph.two_players)

    def answer(self, policy: Policy, player: int) -> Solution | None:
        """Solve the graph in which a player's states have only the actions that a policy chooses."""
        result = best_answer(self.explored, policy, player, exact=self.exact)
        return None if result is None else replace(self, result=result, kept=None)

    def steps(self, state: Any) -> int:
        """Nothing beforehand: what is followed is counted. But positions that were not kept are not made for it unasked."""
        at_hand = not isinstance(self.explored.states, PackedPositions) or follows_arrays(self.explored)
        return 0 if at_hand else self.states + self.pendings + MANY

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution:
        """Follow its own strategy by the arrays, unless its value says all."""
        if policy is not None:
            return graph_distribution(self.explored, policy, pending, follow)
        decided = decided_distribution(self.explored, float(self.value(pending, kind="pending")), self.objective)
        if decided is not None:
            return decided
        explored = self.explored
        if isinstance(explored.states, PackedPositions) and not follows_arrays(explored):
            explored = replace(explored, states=list(explored.states))
        return choice_distribution(explored, self.result.values.choice, pending, follow)

    def player(self, policy: Policy | None, tick: Callable[[int], None]) -> Player | None:
        choice = self.result.values.choice if policy is None else choices_of(self.explored, policy)
        return None if choice is None else self._player(choice)

    def _player(self, choice: Ints) -> Player | None:
        """Play by arrays, if all weights, and the points of any game that ends in a lifetime, add up to integers of 64 bits."""
        graph = self.explored.graph
        parts = (graph.action_gain, graph.state_payoff, graph.pending_cost)
        points = max(max(int(part.max(initial=0)), -int(part.min(initial=0))) for part in parts)
        if points >= SMALL_POINTS or float(graph.outcome_weight.sum(dtype=np.float64)) >= 2.0**62:
            return None
        return Player(GraphTables(graph, choice).play, BATCH)

    def card_evaluator(self, progress: Progress | None = None) -> CardEvaluator:
        from rollwise.solvers.graph.card_evaluator import GraphCardEvaluator  # noqa: PLC0415  (compiled code is loaded where it is needed)

        return GraphCardEvaluator(self.explored, self.result.values, progress)

    def face_slopes(self) -> FaceSlopes | None:
        return graph_slopes(self)

    def sections(self, found: Distribution | None, progress: Progress | None) -> list[Block]:
        """Tell which decisions matter most, which mistakes are the most tempting, and what the faces of loaded dice are worth."""
        slopes = graph_slopes(self) if loaded_weights(self.game) else None
        unit = str(self.objective.words(self.game).value)
        return [*graph_sections(self), *(slope_blocks(slopes, unit) if slopes else [])]

    def pack(self) -> PackedSolution:
        """Take it apart, whole if its positions can be written down; else only its values."""
        engines = {"engines": list(self.result.engines)}
        values = self.result.values
        found = pack_whole(self.explored, values, self.fingerprint)
        if found is None:
            return PackedSolution.of(self, dict(vars(values)), engines)
        return PackedSolution.of(self, found[0], engines | found[1])


def _find(numbers: Mapping[Any, int], position: Any) -> int | None:
    try:
        return numbers.get(position)
    except TypeError:
        raise PositionError(f"{position!r} is not a position: positions are hashable") from None


def _tuples_in(position: Any) -> set[type]:
    if not isinstance(position, tuple):
        return set()
    return {type(position)}.union(*map(_tuples_in, position))
