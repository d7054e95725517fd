"""Rolls, exploring, checking models, solutions, and the public names."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import (
    Expected,
    Fewest,
    Game,
    GameError,
    PositionError,
    Roll,
    certain,
    check_game,
    dice,
    die,
    joint,
    solve,
)
from rollwise.games import load
from rollwise.model.notation import Notation
from tests.strategies import TableGame


@given(st.integers(0, 5), st.integers(1, 6))
def test_hands_count_all_rolls(count: int, faces: int) -> None:
    hands = dice(count, faces)
    assert len(hands) == comb(count + faces - 1, faces - 1)
    assert hands.total == faces**count
    assert list(hands) == sorted(hands)


@given(st.dictionaries(st.integers(1, 4), st.integers(1, 5), min_size=1), st.integers(0, 3))
def test_hands_of_loaded_dice_are_rolls_of_each(weights: dict[int, int], count: int) -> None:
    one_by_one = joint([die(weights)] * count).map(lambda faces: tuple(sorted(faces)))
    assert dice(count, weights) == one_by_one


def test_rolls_are_values() -> None:
    assert hash(die("AAB")) == hash(Roll({"B": 1, "A": 2}))
    assert die(6).probability(7) == 0
    assert certain(1).map(str) == Roll({"1": 1})
    assert sum(die("AEHOXU").probability(face) for face in "AEHOXU") == 1


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: Roll({}), "at least one outcome"),
        (lambda: Roll({"a": 0}), "leave out what cannot happen"),
        (lambda: Roll({"a": -1}), "is -1"),
        (lambda: Roll({"a": 0.5}), "positive integer"),  # type: ignore[dict-item]
        (lambda: die(0), "0 faces"),
        (lambda: dice(-1), "-1 dice"),
        (lambda: dice(2, [1, "a"]), "no common order"),
    ],
)
def test_bad_rolls(make: Any, match: str) -> None:
    with pytest.raises(GameError, match=match):
        make()


class Faulty(Game[Any, Any, Any]):
    """One roll to a state with one action to the end; each test breaks one rule."""

    def start(self) -> Any:
        return "start"

    def roll(self, pending: Any) -> Mapping[Any, int]:
        return {1: 1, 2: 1} if pending == "start" else {0: 1}

    def actions(self, state: Any) -> Sequence[Any]:
        return ["go"] if state else []

    def play(self, state: Any, action: Any) -> Any:
        return "finish"


def written(**methods: Any) -> type[Notation]:
    return type("Written", (Notation,), methods)


def faulty(**rules: Any) -> Faulty:
    return type("Broken", (Faulty,), rules)()  # type: ignore[no-any-return]


def test_the_unbroken_game_passes() -> None:
    assert check_game(Faulty()).complete
    assert solve(Faulty(), Fewest(), exact=True).value() == 1


def test_a_runaway_model_is_stopped() -> None:
    endless = faulty(roll=lambda self, p: {p + 1: 1}, play=lambda self, s, a: s, start=lambda self: 0)
    with pytest.raises(GameError, match="over the budget of 5,000: make it smaller or raise max_states"):
        solve(endless, max_states=5000)
    assert not check_game(endless, max_states=50).complete


def test_a_very_long_position_is_shortened() -> None:
    wordy = faulty(roll=lambda self, p: {}, notation=written(show_pending=lambda self, p: "p" * 9999))
    with pytest.raises(GameError, match=r"^at pending p{100}\.\.\. \(9,999 characters\): roll") as caught:
        solve(wordy)
    assert len(str(caught.value)) < 300


def test_solutions_rank_and_refuse() -> None:
    game = TableGame({0: [("p1", 1), ("p1", 3), ("p1", 3)]}, {"p0": {0: 1, 1: 1}, "p1": {1: 1}}, {1: 2}, {})
    solution = solve(game, Expected(), exact=True)
    assert solution.value() == Fraction(7, 2)
    assert [(m.action, m.value, m.loss) for m in solution.ranked(0)] == [(1, 5, 0), (2, 5, 0), (0, 3, 2)]
    assert [(d.state, d.action, d.second_loss) for d in solution.policy()] == [(0, 1, 0)]
    assert solution.ranked(1) == []
    assert (solution.states, solution.pendings, solution.exact) == (2, 2, True)
    with pytest.raises(PositionError, match="the game is over there"):
        solution.best(1)
    with pytest.raises(PositionError, match="state 9 does not occur"):
        solution.value(9)
    with pytest.raises(PositionError, match="not a position"):
        solution.value([])


def test_equal_states_and_pendings_are_distinguished() -> None:
    game = faulty(
        start=lambda self: 1, roll=lambda self, p: {1: 1, 0: 1} if p == 1 else {0: 1}, cost=lambda self, p: 1
    )  # fmt: skip
    solution = solve(game, Fewest())
    with pytest.raises(PositionError, match="kind='state'"):
        solution.value(1)
    assert (solution.value(1, kind="state"), solution.value(1, kind="pending")) == (1.0, 1.5)


def test_fingerprints_follow_rules_and_objective() -> None:
    first = solve(load("slots")).fingerprint
    assert first == solve(load("slots"), exact=True).fingerprint
    assert first != solve(load("slots", target=46)).fingerprint
    assert first != solve(load("slots"), Expected()).fingerprint


def test_nothing_heavy_is_imported_early() -> None:
    code = "import sys, rollwise, rollwise.cli.main; print([m for m in ('numpy', 'scipy', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
