"""Strategies as objects: exact worth, exact spread, advice; each confirmed another way."""

from collections import defaultdict
from fractions import Fraction
from random import Random as Dice
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from rollwise import AtLeast, Expected, Fewest, GameError, PositionError, Solution, advise, distribution, evaluate, solve
from rollwise.errors import EngineError
from rollwise.games import load
from rollwise.games.sheets.boxes import Box, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import count_face
from rollwise.model.policy import Policy
from rollwise.policies import FunctionPolicy, Greedy, Optimal, RandomPolicy, TablePolicy
from rollwise.solvers.graph import follow, run
from tests.examples import examples
from tests.reference import evaluate as evaluate_by_hand
from tests.reference import gap
from tests.strategies import TableGame, layered_games
from tests.test_sheets import sheets

WORDS = {"dice": "ABC,ABD,CDE", "words": "ABC,BDE"}
GROUPS = {"faces": 6, "sizes": "2,2"}
FOUNDING: list[tuple[str, dict[str, Any]]] = [("slots", {}), ("words", WORDS), ("groups", GROUPS), ("yazy", {})]
POLICIES: list[Policy] = [Greedy(), RandomPolicy()]


def play_once(game: Any, policy: Policy, objective: Any, dice: Dice) -> float:
    """Play one game straight by the rules."""
    total, pending = 0, game.start()
    while True:
        roll = game.roll(pending)
        total += game.cost(pending) if isinstance(objective, Fewest) else 0
        (state,) = dice.choices(list(roll), list(roll.values()))
        if not game.actions(state):
            total += 0 if isinstance(objective, Fewest) else game.payoff(state)
            return float(total >= objective.target) if isinstance(objective, AtLeast) else total
        weights = policy.weights(game, state)
        (action,) = dice.choices(list(weights), list(weights.values()))
        total += 0 if isinstance(objective, Fewest) else game.gain(state, action)
        pending = game.play(state, action)


@pytest.mark.full
@pytest.mark.parametrize("policy", POLICIES, ids=["greedy", "random"])
@pytest.mark.parametrize(("name", "parameters"), FOUNDING, ids=[name for name, _ in FOUNDING])
def test_exact_worth_is_confirmed_by_simulation(name: str, parameters: dict[str, Any], policy: Policy) -> None:
    game = load(name, **parameters)
    worth = float(evaluate(game, policy).value)
    dice = Dice(45)
    games = [play_once(game, policy, game.objective, dice) for _ in range(120 if name == "yazy" else 4000)]
    assert abs(mean(games) - worth) < 4 * stdev(games) / len(games) ** 0.5
    best = float(solve(game).value())
    assert worth >= best - 1e-9 if isinstance(game.objective, Fewest) else worth <= best


@pytest.mark.full
def test_worth_of_greed_and_chance_in_slots() -> None:
    assert evaluate(load("slots"), Greedy(), exact=True).value == Fraction(587, 7776)
    assert evaluate(load("slots"), RandomPolicy(), exact=True).value == Fraction(47, 7776)


def test_worth_in_yazy() -> None:
    game = load("yazy")
    solution = solve(game)
    best = evaluate(game, Optimal(solution))
    assert abs(float(best.value) - float(solution.value())) <= best.certificate.error_bound + solution.certificate.error_bound
    assert float(evaluate(game, Greedy()).value) == pytest.approx(152.632281098, abs=1e-8)
    assert float(evaluate(game, RandomPolicy()).value) == pytest.approx(24.969632507, abs=1e-8)


@examples(20)
@given(sheets())
def test_sheets_are_followed_as_the_rules_say(sheet: Sheet) -> None:
    """The family solver and the explored graph give the same worth for greed and chance."""
    for policy in POLICIES:
        compact = evaluate(sheet, policy)
        exact = evaluate(sheet, policy, exact=True)
        assert gap(compact.value, exact.value) <= compact.certificate.error_bound
    solution = solve(sheet)
    by_graph = solve(sheet, engine="induction")
    ours, theirs = distribution(solution), distribution(by_graph)
    for number in range(min(ours.lowest, theirs.lowest), max(ours.values[-1], theirs.values[-1]) + 1):
        assert ours.at_least(number) == pytest.approx(theirs.at_least(number), abs=1e-12)


@examples(60)
@given(layered_games())
def test_any_function_is_a_policy(game: TableGame) -> None:
    policy = {s: (7 * s) % len(game.actions(s)) for s in game.moves}
    for objective in (Expected(), Fewest()):
        truth = evaluate_by_hand(game, objective, policy)
        assert truth is not None
        assert evaluate(game, FunctionPolicy(policy.__getitem__), objective, exact=True).value == truth
        assert evaluate(game, TablePolicy(policy), objective, exact=True).value == truth
        followed = evaluate(game, TablePolicy(policy), objective)
        assert gap(followed.value, truth) <= followed.certificate.error_bound


@pytest.mark.parametrize(("name", "parameters"), FOUNDING, ids=[name for name, _ in FOUNDING])
def test_the_mean_of_the_spread_is_the_value(name: str, parameters: dict[str, Any]) -> None:
    game = load(name, **parameters)
    objective = Expected() if name == "slots" else game.objective
    solution = solve(game, objective)
    found = distribution(solution)
    assert found.mean == pytest.approx(float(solution.value()), abs=1e-8)
    assert found.chance.sum() + found.rest == pytest.approx(1, abs=1e-11)
    assert (found.chance >= 0).all()
    assert found.quantile(0) <= found.quantile(0.5) <= found.quantile(1) <= found.values[-1]
    for policy in POLICIES if name != "yazy" else [Greedy()]:
        other = distribution(solution, policy)
        assert other.mean == pytest.approx(float(evaluate(game, policy, objective).value), abs=1e-7)


def test_spread_of_a_win_game_counts_its_points() -> None:
    solution = solve(load("slots"))
    found = distribution(solution)
    assert found.at_least(45) == pytest.approx(13817 / 46656, abs=1e-14)
    assert (found.what, found.lowest >= 0, found.values[-1] <= 51) == ("points", True, True)
    lifted = solve(load("yazy", boxes="ones,twos"), AtLeast(8))
    assert distribution(lifted).at_least(8) == pytest.approx(float(lifted.value()), abs=1e-14)


GAMES_FOR_TWO: list[tuple[str, dict[str, Any]]] = [
    ("pig", {"target": 15}), ("hog", {"target": 12}), ("two-dice-pig", {"target": 12}),
    ("bear-off", {"players": 2, "checkers": 3}), ("shut-the-box", {"players": 2, "tiles": 4}),
    ("farkle", {"players": 2, "target": 600}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "parameters"), GAMES_FOR_TWO)
def test_spread_of_who_wins(name: str, parameters: dict[str, Any]) -> None:
    """Where the value says it all, it is what following the best strategy roll by roll gives."""
    solution = solve(load(name, **parameters))
    found, followed = distribution(solution), distribution(solution, FunctionPolicy(solution.best))
    assert found.values.tolist() == followed.values.tolist()
    assert found.chance == pytest.approx(followed.chance, abs=1e-9)
    assert sum(
        float(solution.objective.worth(total)) * p for total, p in zip(found.values.tolist(), found.chance, strict=True)
    ) == (pytest.approx(float(solution.value()), abs=1e-9))


def test_long_games_for_two_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "flow", lambda *_: pytest.fail("followed roll by roll"))
    solution = solve(load("pig", target=15))
    state = solution.game.read_state("5 7 first 3")
    for start in (None, state):
        chance = distribution(solution, start=start).at_least(1)
        assert chance == pytest.approx(float(solution.value(start) if start else solution.value()), abs=1e-12)


def test_spread_of_a_yatzy_sheet() -> None:
    """A reduced sheet with a bonus: every box's chances add up, and expected points add up to the value."""
    game = load("yatzy")
    boxes = [box for box in game.boxes if box.name in ("fives", "sixes", "pair", "yatzy")]  # type: ignore[attr-defined]
    sheet = Sheet(boxes, bonus=type(game.bonus)(30, 50))  # type: ignore[attr-defined]
    solution = solve(sheet)
    found = distribution(solution)
    assert found.bonus is not None
    assert all(sum(points.values()) == pytest.approx(1) for points in found.box_points.values())
    expected = sum(p * chance for points in found.box_points.values() for p, chance in points.items())
    assert expected + 50 * found.bonus == pytest.approx(float(solution.value()), abs=1e-10)


@pytest.mark.full
@pytest.mark.parametrize("points", [(10, 20, 30), (35, 55, 75), (4, 1, 8)])
def test_chance_of_every_step_of_a_bonus(points: tuple[int, int, int]) -> None:
    """As many points more with every step, too: what a step earns does not tell which one it was."""
    *before, last = zip((3, 5, 8), points, strict=True)
    boxes = [Box("ones", count_face(1), 1), Box("twos", count_face(2), 2), Box("sum", sum)]
    solution = solve(Sheet(boxes, count=3, faces=3, rerolls=1, bonus=UpperBonus(*last, before=tuple(before))))
    found = distribution(solution)
    ends: defaultdict[int, float] = defaultdict(float)

    def follow(pending: Any, chance: float) -> None:
        roll = solution.game.roll(pending)
        for state, ways in roll.items():
            share = chance * ways / roll.total
            if state.open:
                follow(solution.game.play(state, solution.best(state)), share)
            else:
                ends[state.upper] += share

    follow(solution.game.start(), 1.0)
    for threshold, chance in found.bonus_steps.items():
        assert chance == pytest.approx(sum(share for upper, share in ends.items() if upper >= threshold), abs=1e-12)
    expected = sum(p * chance for box in found.box_points.values() for p, chance in box.items())
    jumps = zip(np.diff([0, *points]), found.bonus_steps.values(), strict=True)
    assert expected + sum(jump * chance for jump, chance in jumps) == pytest.approx(float(solution.value()), abs=1e-10)


@pytest.mark.audit
@pytest.mark.parametrize("name", ["yatzy", "yahtzee"])
def test_spread_at_full_size(name: str) -> None:
    solution = solve(load(name))
    found = distribution(solution)
    assert found.mean == pytest.approx(float(solution.value()), abs=1e-9)
    assert found.chance.sum() == pytest.approx(1, abs=1e-12)


def test_labels_and_sweeps_spread_alike() -> None:
    game = load("words", **WORDS)
    assert np.allclose(
        distribution(solve(game)).chance[:60], distribution(solve(game, engine="shortest")).chance[:60], atol=1e-12
    )


def test_policies_that_do_not_fit() -> None:
    game = load("slots")
    with pytest.raises(GameError, match="the policy plays 'none' at state .*, which is not an action there"):
        evaluate(game, FunctionPolicy(lambda state: "none"))
    with pytest.raises(GameError, match="has no action for state"):
        evaluate(game, TablePolicy({}))
    with pytest.raises(GameError, match="leave start out"):
        distribution(solve(game), Greedy(), start=game.start())
    with pytest.raises(PositionError, match="does not occur"):
        distribution(solve(game), start=game.start()._replace(total=99))
    waiting = TableGame({0: [("p0", 0), ("p1", 0)]}, {"p0": {0: 1}, "p1": {1: 1}}, {}, {})
    with pytest.raises(GameError, match="may never end"):
        evaluate(waiting, FunctionPolicy(lambda state: 0), Expected())
    assert evaluate(waiting, FunctionPolicy(lambda state: 0), Fewest()).value == float("inf")


def outlooks(solution: Solution, text: str) -> list[Any]:
    return list(advise(solution, solution.game.read_state(text), outlook=True).moves)


@pytest.mark.full
def test_outlook_means_are_values() -> None:
    cases = [
        (solve(load("yazy", boxes="ones,full-house,straight")), "33561 2 all"),
        (solve(load("yazy", boxes="ones,straight")), "12346 0 ones"),
        (solve(load("words", **WORDS)), "AAC"),
        (solve(load("groups", **GROUPS)), "2 0"),
        (solve(load("slots"), Expected()), "x3,bin 30 6"),
        (solve(load("yatzy")), "66661 1 sixes,chance upper 57"),
    ]
    for solution, text in cases:
        for move in outlooks(solution, text):
            assert move.outlook.mean == pytest.approx(float(move.value), abs=1e-7), text


def test_advice_is_ranked_and_short() -> None:
    solution = solve(load("yatzy"))
    state = solution.game.read_state("1,2,2,5,5 2 all upper 0")
    advice = advise(solution, state, top=3)
    assert len(advice.moves) == 3
    assert advice.moves[0].value == advice.value
    assert [m.loss for m in advice.moves] == sorted(m.loss for m in advice.moves)
    assert advice.moves[0].outlook is None  # a whole Yatzy sheet is followed only when asked
    with pytest.raises(GameError, match="at least 1"):
        advise(solution, state, top=0)


@pytest.mark.full
def test_a_cycle_too_large_to_follow_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler; with one, sweeps try first, and may say that it is left too rarely."""
    monkeypatch.setattr(run, "can_compile", lambda: False)
    monkeypatch.setattr(run, "is_large", lambda _: False)
    game = load("words", dice=["123456"] * 5, words=["66666"])
    with pytest.raises(EngineError, match=r"a cycle through 2\d\d,\d\d\d positions is too large for policy iteration"):
        evaluate(game, RandomPolicy())
    assert float(evaluate(game, Greedy()).value) == pytest.approx(13.023661507, abs=1e-8)
