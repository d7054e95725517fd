"""The walk through rules written in Python: in bulk and position by position it takes down the same."""

import gc
from collections import Counter, UserDict
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import rollwise
from rollwise import Game, GameError, explore
from rollwise.games import load
from rollwise.solvers.graph import traverse
from rollwise.solvers.graph.explore import explore_part
from tests.plain_pig import PlainPig

ARRAYS = (
    "state_payoff", "state_mover", "action_start", "action_pending", "action_gain", "pending_cost", "outcome_start",
    "outcome_state", "outcome_weight",
)  # fmt: skip


class Climb(Game[int, int, Any]):
    """Add what a die shows, as often as you like below `top`; `weight` and `gain` are as large as asked for."""

    def __init__(self, top: int = 40, weight: int = 1, gain: int = 1, kind: Any = dict, actions: Any = tuple) -> None:
        self.top, self.weight, self.points, self.kind, self.offer = top, weight, gain, kind, actions

    def start(self) -> int:
        return 0

    def roll(self, pending: int) -> Mapping[int, int]:
        if pending < 0:
            return self.kind({pending: 3 * self.weight})  # type: ignore[no-any-return]
        return self.kind({pending + face: face * self.weight for face in (2, 4, 6)})  # type: ignore[no-any-return]

    def actions(self, state: int) -> Any:
        return self.offer(("stop", "on") if 0 <= state < self.top else ())

    def play(self, state: int, action: str) -> int:
        return state if action == "on" else -state - 1

    def gain(self, state: int, action: str) -> int:
        return self.points if action == "stop" else 0


def _same(one: rollwise.solvers.graph.explore.Explored, other: rollwise.solvers.graph.explore.Explored) -> bool:
    arrays = all(np.array_equal(getattr(one.graph, name), getattr(other.graph, name)) for name in ARRAYS)
    return arrays and list(one.states) == list(other.states) and list(one.pendings) == list(other.pendings)


@pytest.fixture
def by_position(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Explore without bulks."""

    def refuse(self: traverse.Traversal, nodes: list[Any]) -> None:
        raise RuntimeError

    def explored(game: Game[Any, Any, Any]) -> rollwise.solvers.graph.explore.Explored:
        with monkeypatch.context() as patched:
            patched.setattr(traverse.Traversal, "_expand_pendings", refuse)
            patched.setattr(traverse.Traversal, "_expand_states", refuse)
            return explore(game)

    return explored


@pytest.mark.parametrize(
    "game",
    [
        load("slots"), load("yazy", boxes="ones,straight"), PlainPig(15), Climb(), Climb(weight=2**40), Climb(weight=2**58),
        Climb(gain=-(2**40)), Climb(gain=2**61), Climb(kind=Counter), Climb(kind=rollwise.Roll), Climb(kind=UserDict),
        Climb(actions=list), Climb(actions=dict.fromkeys), Climb(top=3000),
    ],
)  # fmt: skip
def test_a_bulk_takes_down_what_single_positions_do(game: Game[Any, Any, Any], by_position: Any) -> None:
    found = explore(game)
    assert _same(found, by_position(game))
    assert all(found.state_index[state] == number for number, state in enumerate(found.states))
    assert all(found.pending_index[pending] == number for number, pending in enumerate(found.pendings))


def test_numbers_take_32_bits_where_they_fit() -> None:
    small, large = explore(Climb()).graph, explore(Climb(gain=2**40)).graph
    assert {getattr(small, name).dtype.itemsize for name in ARRAYS} == {4, 1}
    assert large.action_gain.dtype == np.int64
    assert large.action_gain.max() == 2**40
    assert small.outcome_weight.max() == 3


class Wide(Climb):
    """Climb with a first roll that has more outcomes than a bulk takes."""

    def roll(self, pending: int) -> Mapping[int, int]:
        return dict.fromkeys(range(10**6, 10**6 + 5 * traverse.EDGES_AT_ONCE), 1) if pending == 0 else super().roll(pending)


def test_a_roll_may_be_larger_than_a_bulk(by_position: Any) -> None:
    graph = explore(Wide()).graph
    assert graph.n_states == 5 * traverse.EDGES_AT_ONCE
    assert _same(explore(Wide()), by_position(Wide()))


class Late(Climb):
    """Climb with a fault far from the start."""

    def actions(self, state: int) -> Any:
        return [["unhashable"]] if state == 2000 else super().actions(state)


def test_a_fault_within_a_bulk_names_its_position() -> None:
    with pytest.raises(GameError, match=r"^at state 2000: the action \['unhashable'\] is not hashable"):
        explore(Late(top=3000))


@pytest.mark.parametrize("limit", [1, 2, 7, 100, 10**6])
def test_a_part_has_as_many_rows_as_asked_for(limit: int) -> None:
    part, complete = explore_part(Climb(top=400), limit)
    whole = explore(Climb(top=400)).graph
    rows = part.graph.n_states + part.graph.n_pendings
    assert complete == (limit == 10**6)
    assert rows == min(limit, whole.n_states + whole.n_pendings)


def test_python_looks_for_garbage_as_before_when_a_walk_ends() -> None:
    before = gc.get_threshold()
    during: list[int] = []

    class Seen(Climb):
        """Climb that looks how rarely Python collects."""

        def payoff(self, state: int) -> int:
            during.append(gc.get_threshold()[0])
            return 0

    explore(Seen())
    with pytest.raises(GameError):
        explore(Late(top=3000))
    # Afterwards some positions are asked about again.
    assert during[0] == traverse.NEW_BEFORE_COLLECTION
    assert gc.get_threshold() == before
