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

import rollwise
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
    explore,
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


@pytest.mark.parametrize(
    ("rules", "match"),
    [
        ({"roll": lambda self, p: {1: 0}}, r"at pending 'start': the weight of 1 is 0"),
        ({"roll": lambda self, p: {1: 0.5}}, r"at pending 'start': the weight of 1 is 0.5: expected a positive integer"),
        ({"roll": lambda self, p: {}}, r"at pending 'start': .* no outcomes"),
        ({"roll": lambda self, p: [1]}, r"at pending 'start': roll\(\) returned \[1\]"),
        ({"play": lambda self, s, a: ["x"]}, r"at state 1: what play\(\) returned, \['x'\], is not hashable"),
        ({"play": lambda self, s, a: 1 // 0}, r"at state 1: ZeroDivisionError"),
        ({"gain": lambda self, s, a: 1.5}, r"at state 1: gain\(\) is 1.5: expected an integer"),
        ({"payoff": lambda self, s: 2**70}, r"at state 0: payoff\(\) is .* between"),
        ({"cost": lambda self, p: "1"}, r"at pending 'start': cost\(\) is '1'"),
        ({"mover": lambda self, s: 2}, r"at state 1: mover\(\) is 2: expected 0, who maximises, or 1, who minimises"),
        ({"mover": lambda self, s: None}, r"at state 1: mover\(\) is None: expected an integer"),
        ({"actions": lambda self, s: ["go"]}, r"the game never ends"),
        ({"roll": lambda self, p: {1: 1, 2: 2**62}}, r"add up to 2\*\*62"),
    ],
)
def test_faulty_models_are_named_by_position(rules: dict[str, Any], match: str) -> None:
    with pytest.raises(GameError, match=match):
        check_game(faulty(**rules))
    with pytest.raises(GameError, match=match):
        solve(faulty(**rules))


@pytest.mark.parametrize(
    ("rules", "match"),
    [
        ({"show_state": lambda self, s: "here"}, "at state here: the state 1 is written 'here', which cannot be read back"),
        (
            {"notation": written(columns=lambda self, s: {}[s])},
            r"columns\(\) failed at state 1: KeyError: 1 \(test_core.py, line",
        ),
        ({"notation": written(columns=lambda self, s: {"state": s})}, r"at state 1: columns\(\) must map texts"),
        ({"read_state": lambda self, t: 5}, "which reads back as 5"),
        ({"read_action": lambda self, t: 5}, "the action 'go' is written 'go', which reads back as 5"),
        ({"actions": lambda self, s: ["go", "go"] if s else []}, "lists 'go' twice"),
        ({"play": lambda self, s, a: "start" if s == 1 else "finish", "roll": lambda self, p: {1: 1}}, "never ends"),
        (
            {
                "play": lambda self, s, a: f"loop{s}" if s == 2 else "finish",
                "roll": lambda self, p: {"start": {1: 1, 2: 1}, "loop2": {2: 1}, "finish": {0: 1}}[p],
            },
            "at state 2: no end can be reached",
        ),
    ],
)
def test_check_game_finds_what_solving_would_not(rules: dict[str, Any], match: str) -> None:
    with pytest.raises(GameError, match=match):
        check_game(faulty(**rules))


def test_rules_that_change_are_found() -> None:
    counter = iter(range(1000))
    with pytest.raises(GameError, match=r"roll\(\) differs when asked twice"):
        check_game(faulty(roll=lambda self, p: {1: next(counter) + 1, 0: 1}))


def test_movers_that_change_are_found() -> None:
    counter = iter(range(1000))
    with pytest.raises(GameError, match=r"at state 1: mover\(\) differs when asked twice"):
        check_game(faulty(mover=lambda self, s: next(counter) % 2))


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


def test_weights_may_come_from_any_mapping() -> None:
    class Wheel(dict[Any, int]):
        pass

    game = faulty(roll=lambda self, p: Wheel({1: 10, 2: 30}) if p == "start" else Wheel({0: 7}))
    assert explore(game).graph.outcome_weight.tolist() == [1, 3, 1]


def test_negative_costs_are_refused() -> None:
    with pytest.raises(GameError, match="negative cost"):
        solve(TableGame({}, {"p0": {0: 1}}, {}, {"p0": -1}), Fewest())


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


def test_equal_states_and_pendings_are_told_apart() -> None:
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


def test_progress_is_reported() -> None:
    calls: list[tuple[str, int, int | None]] = []
    solve(load("slots"), progress=lambda *args: calls.append(args))
    assert {what for what, _, _ in calls} == {"exploring", "solving"}
    assert calls[-1][1] == calls[-1][2] == 8184 + 1404


def test_public_names() -> None:
    assert rollwise.__all__ == sorted(rollwise.__all__)
    assert all(getattr(rollwise, name).__name__ == {"StrategyCard": "Card"}.get(name, name) for name in rollwise.__all__)
    assert set(rollwise._HOME) == set(rollwise.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = rollwise.nothing


def test_nothing_heavy_is_imported_early() -> None:
    code = "import sys, rollwise, rollwise.cli.main; print([m for m in ('numpy', 'scipy', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
