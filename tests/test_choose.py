"""The best dice of an inventory, against solving every hand; and what a face is worth, against finite differences."""

import json
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rollwise import GameError, evaluate, solve
from rollwise.games import load
from rollwise.games.farkle.rules import Farkle, farkle
from rollwise.model.weights import Faces, OwnDie
from rollwise.playing.choose import choose_dice
from rollwise.playing.sensitivity import face_slopes, worth_of_dice
from rollwise.policies import Optimal
from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.hands import count_hands, list_hands
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.press_your_luck import hands as luck_hands
from tests.terminal import run

DICE: tuple[Faces, ...] = (
    (1, 1, 1, 1, 1, 1), (3, 1, 1, 1, 1, 1), (1, 2, 1, 1, 2, 1), (1, 1, 4, 1, 1, 1), (2, 0, 1, 1, 3, 1), (1, 3, 1, 2, 1, 3),
)  # fmt: skip
COUNTS = (3, 1, 2, 1, 1, 2)
INVENTORY = {f"d{place}": OwnDie(f"d{place}", die, count) for place, (die, count) in enumerate(zip(DICE, COUNTS, strict=True))}


def by_solving(take: int, **parameters: Any) -> dict[tuple[str, ...], float]:
    """Solve the game with every hand."""
    hands = list_hands(COUNTS, take)
    games = [load("farkle", dice=take, weights=[DICE[place] for place in hand], **parameters) for hand in hands]
    return {tuple(f"d{place}" for place in hand): float(solve(game).value()) for hand, game in zip(hands, games, strict=True)}


@pytest.mark.parametrize(
    ("take", "parameters"),
    [(2, {}), (3, {"rules": "kcd"}), (2, {"rules": "zilch"}), pytest.param(4, {"rules": "kcd"}, marks=pytest.mark.full)],
)
def test_the_best_hand_is_that_of_solving_each(take: int, parameters: dict[str, Any]) -> None:
    values = by_solving(take, **parameters)
    found = choose_dice("farkle", INVENTORY, take, {"dice": take, **parameters})
    best = max(values.values())
    assert found.hands == len(values) == count_hands(COUNTS, take)
    assert found.ranked[0][1] == pytest.approx(best, abs=1e-7)
    assert values[found.ranked[0][0]] == pytest.approx(best, abs=1e-7)
    assert found.gap < 1e-6
    assert [values[hand] for hand, _ in found.ranked] == pytest.approx([value for _, value in found.ranked], abs=1e-7)


def test_bounds_are_no_less_than_values() -> None:
    """Of every hand, whether it is out at once or solved: the bounds that hands share, and the bound of a hand by itself."""
    game = farkle(rules="kcd", dice=3, weights=DICE[:3])
    assert isinstance(game, Farkle)
    search = luck_hands.Search(game, DICE, COUNTS, 3, SolveOptions(backend=Threads(1)))
    values = by_solving(3, rules="kcd")
    hands = list_hands(COUNTS, 3)
    ceiling = search.relaxed(search.levels)
    worth = [values[tuple(f"d{place}" for place in hand)] for hand in hands]
    assert ceiling[0] >= max(worth)
    shared = luck_hands.Bounds(search, np.array(hands), search.levels, ceiling).at([0])[:, 0]
    for hand, value, bound in zip(hands, worth, shared, strict=True):
        assert bound >= value - 1e-9
        assert value - 1e-9 <= search.roughly(hand) <= value + 1.0
        assert search.value(hand) == pytest.approx((value, value), abs=1e-7)


def test_rounds_of_bounds_lose_no_best_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck_hands, "FEW", 1)
    values = by_solving(3)
    assert choose_dice("farkle", INVENTORY, 3, {"dice": 3}).ranked[0][1] == pytest.approx(max(values.values()), abs=1e-7)


def test_of_too_many_hands_the_gap_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck_hands, "MOST_HANDS", 5)
    values = by_solving(3)
    found = choose_dice("farkle", INVENTORY, 3, {"dice": 3})
    assert found.ranked[0][1] + found.gap >= max(values.values()) > found.ranked[0][1] - 1e-7
    assert found.gap > 0


def test_dice_that_never_lose_are_refused_without_a_limit() -> None:
    dice = {"fair": OwnDie("fair", (1,) * 6, count=2), "sure": OwnDie("sure", (1, 0, 0, 0, 0, 0), count=2)}
    with pytest.raises(GameError, match="need not end"):
        choose_dice("farkle", dice, 2, {"dice": 2})
    hand, value = choose_dice("farkle", dice, 2, {"dice": 2, "most": 300}).ranked[0]
    assert (hand, round(value, 9)) == (("sure", "sure"), 400)


def test_dice_that_hardly_ever_lose_are_bounded() -> None:
    dice = {"fair": OwnDie("fair", (1,) * 6, count=3), "strong": OwnDie("strong", (9, 0, 1, 0, 6, 0), count=2)}
    found = choose_dice("farkle", dice, 3, {"dice": 3})
    value = float(solve(load("farkle", dice=3, weights=((1,) * 6, *[(9, 0, 1, 0, 6, 0)] * 2))).value())
    assert found.ranked[0][0] == ("fair", "strong", "strong")
    assert found.ranked[0][1] == pytest.approx(value)
    assert found.gap < 1e-6


def test_other_games_are_solved_with_each_die() -> None:
    found = choose_dice("slots", INVENTORY, 1)
    values = {name: float(solve(load("slots", weights=die.weights)).value()) for name, die in INVENTORY.items()}
    assert dict((hand[0], value) for hand, value in found.ranked) == values  # noqa: C402
    assert [value for _, value in found.ranked] == sorted(values.values(), reverse=True)


def test_the_command_chooses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "dice.toml"
    lines = [f"{name} = {{ weights = {list(die.weights)}, count = {die.count} }}" for name, die in INVENTORY.items()]
    path.write_text("\n".join(["[dice]", *lines]))
    words = ("choose", "farkle", "-p", "dice=2", "--from", str(path), "--take", "2", "--threads", "1")
    said = json.loads(run(capsys, *words, "--json")[1])
    assert (said["hands"], said["gap"] < 1e-6) == (count_hands(COUNTS, 2), True)
    named = ",".join(said["ranked"][0]["dice"])
    solved = json.loads(
        run(capsys, "solve", "farkle", "-p", "dice=2", "-p", f"weights=@{path}:{named}", "--json", "--no-cache")[1]
    )
    assert solved["value"] == pytest.approx(said["ranked"][0]["value"], abs=1e-7)
    for wrong in (
        ("choose", "farkle", "--from", str(path), "--take", "11"), ("choose", "slots", "--from", str(path), "--take", "2"),
        ("choose", "farkle", "--from", "missing.toml", "--take", "6"), ("choose", "words", "--from", str(path), "--take", "1"),
        ("choose", "farkle", "--from", str(path), "--take", "0"),
    ):  # fmt: skip
        code, out, err = run(capsys, *wrong)
        assert (code, out, err.count("\n")) == (2, "", 1), wrong


# What a face is worth


def moved(weights: Faces, face: int, change: Fraction) -> list[int]:
    """Give a die whose face comes more often by `change`, the others in proportion less."""
    total = sum(weights)
    own = Fraction(weights[face], total)
    chances = [
        own + change if place == face else Fraction(weight, total) * (1 - own - change) / (1 - own)
        for place, weight in enumerate(weights)
    ]
    return [int(chance * lcm(*(chance.denominator for chance in chances))) for chance in chances]


@pytest.mark.parametrize("name", ["slots", "threes"])
def test_slopes_are_those_of_the_strategy_held_fixed(name: str) -> None:
    weights, step = ((1, 1, 2) if name == "slots" else (1, 1, 1, 1, 1, 2)), Fraction(1, 200)
    own: dict[str, dict[str, Any]] = {"slots": {"slots": "a:1/2/3,b:0/1/1,c:5/0/4"}, "threes": {"dice": 2}}
    parameters = own[name]
    solution = solve(load(name, weights=weights, **parameters))
    (die,) = face_slopes(solution).dice
    for face, slope in enumerate(die.by_face):
        up, down = (
            evaluate(load(name, weights=moved(weights, face, sign * step), **parameters), Optimal(solution), solution.objective,
                     exact=True).value
            for sign in (1, -1)
        )  # fmt: skip
        assert slope == pytest.approx(float((up - down) / (2 * step)), rel=1e-3)


def test_slopes_of_a_turn_are_those_of_its_value() -> None:
    """Dice that differ, and two that are equal: solved again with chances that are a little different."""
    dice: tuple[Faces, ...] = ((3, 1, 1, 1, 1, 1), (2, 1, 1, 1, 0, 1), (2, 1, 1, 1, 0, 1))
    step = Fraction(1, 50_000)
    slopes = face_slopes(solve(load("farkle", dice=3, weights=dice, most=1000)))
    assert [die.count for die in slopes.dice] == [1, 2]
    for die in slopes.dice:
        for face in (0, 2, 5):
            up, down = (
                float(solve(load("farkle", dice=3, most=1000, weights=[
                    moved(one, face, sign * step) if one == die.weights else one for one in dice
                ])).value())
                for sign in (1, -1)
            )  # fmt: skip
            assert die.by_face[face] == pytest.approx((up - down) / float(2 * step), rel=1e-5)


def test_a_face_that_never_comes_has_a_slope_to_one_side() -> None:
    (die,) = face_slopes(solve(load("farkle", dice=1, weights=(2, 0, 1, 1, 1, 1)))).dice
    tiny = Fraction(1, 60_000)
    base, more = (
        float(solve(load("farkle", dice=1, weights=weights)).value())
        for weights in ((2, 0, 1, 1, 1, 1), moved((2, 0, 1, 1, 1, 1), 1, tiny))
    )
    assert die.by_face[1] == pytest.approx((more - base) / float(tiny), rel=1e-3)


def test_dice_are_compared_with_fair_ones() -> None:
    value = float(solve(load("farkle", dice=2, weights=(2, 1, 1, 1, 1, 1))).value())
    fair = float(solve(load("farkle", dice=2)).value())
    assert worth_of_dice("farkle", {"dice": 2, "weights": (2, 1, 1, 1, 1, 1)}) == pytest.approx(value - fair)


def test_other_solutions_say_that_slopes_are_not_known() -> None:
    with pytest.raises(GameError, match="is not known"):
        face_slopes(solve(load("pig", target=5)))
