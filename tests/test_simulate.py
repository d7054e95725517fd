"""Simulation: the mean of many games agrees with the exact value, for every family and for any strategy."""

import io
import json
from fractions import Fraction
from math import inf
from random import Random
from typing import Any

import pytest

import rollwise
from rollwise import AtLeast, Expected, Game, GameError, PositionError, Solution, certain, die, simulate, solve
from rollwise.cli.main import main
from rollwise.games import load
from rollwise.games.sheets.boxes import Box, Joker, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import all_equal, upper_boxes
from rollwise.games.slots import Slots
from rollwise.playing.simulate import Simulated


def small_sheet(*, rule: Any = "forced", in_order: bool = False) -> Sheet:
    """Three dice of three faces, an upper bonus and jokers: everything a sheet can have."""
    boxes = [*upper_boxes()[:3], Box("triple", all_equal(9)), Box("sum", sum), Box("odd", lambda hand: 7 * (sum(hand) % 2))]
    joker = Joker("triple", rule, 5, {"odd": 7})
    return Sheet(boxes, count=3, faces=3, rerolls=1, bonus=UpperBonus(11, 6), joker=joker, in_order=in_order)


class Again(Game[int, int, str]):
    """Roll until content: with a loop and negative gains."""

    def start(self) -> int:
        return 0

    def roll(self, pending: int) -> Any:
        return die(6) if pending == 0 else certain(pending)

    def actions(self, state: int) -> list[str]:
        return ["stop", "again"] if state > 0 else []

    def play(self, state: int, action: str) -> int:
        return 0 if action == "again" else -state

    def gain(self, state: int, action: str) -> int:
        return -1 if action == "again" else state


def solution_of(name: str, **parameters: str) -> Solution:
    return solve(load(name, **parameters))


FOUNDING = {
    "slots": lambda: solution_of("slots"),
    "words": lambda: solution_of("words", dice="ABCDEF,ABCDEF,GHIJKL", words="ABG,CDH"),
    "words of many kinds of dice": lambda: solution_of("words", dice="AABC,BCD,BCD,BCD,XY", words="ABCDX,CCBBY"),
    "groups": lambda: solution_of("groups", faces="6", sizes="3,2"),
    "groups of one": lambda: solution_of("groups", faces="5", sizes="1,1,1,1,1"),
    "groups by faces": lambda: solution_of("groups", faces="4", sizes="2,1", view="raw"),
    "groups with waste": lambda: solution_of("groups", faces="3", sizes="4"),
    "yazy": lambda: solution_of("yazy"),
    "yazy for a target": lambda: solve(load("yazy", boxes="ones,twos"), AtLeast(8)),
    "yazy in fractions": lambda: solve(load("yazy", boxes="ones,twos"), exact=True),
    "yazy without rerolls": lambda: solution_of("yazy", rerolls="0"),
    "slots for points": lambda: solve(load("slots"), Expected()),
    "forced jokers": lambda: solve(small_sheet()),
    "free jokers": lambda: solve(small_sheet(rule="free")),
    "in order": lambda: solve(small_sheet(in_order=True)),
    "a loop": lambda: solve(Again()),
    "a loop in fractions": lambda: solve(Again(), exact=True),
}


@pytest.mark.full
@pytest.mark.parametrize("name", FOUNDING)
def test_the_mean_is_within_four_standard_errors(name: str) -> None:
    solution = FOUNDING[name]()
    played = simulate(solution, 20_000, seed=11)
    assert sum(played.counts.values()) == played.games == 20_000
    assert played.value == solution.value()
    assert played.standard_error > 0
    assert abs(played.z_score) < 4
    assert played.z_score == pytest.approx((played.mean - float(played.value)) / played.standard_error)


@pytest.mark.parametrize("name", ["slots", "words", "groups", "forced jokers", "yazy for a target", "a loop"])
def test_playing_by_the_rules_agrees(name: str) -> None:
    solution = FOUNDING[name]()
    known: dict[Any, Any] = {}

    def choose(state: Any) -> Any:
        if state not in known:
            known[state] = solution.best(state)
        return known[state]

    played = simulate(solution, 2_000, seed=5, policy=choose)
    assert abs(played.z_score) < 4


def test_another_strategy_has_its_own_mean() -> None:
    stop = simulate(solve(Again()), 4_000, seed=3, policy=lambda _: "stop")
    assert set(stop.counts) == {1, 2, 3, 4, 5, 6}
    assert abs(stop.mean - 3.5) < 4 * stop.standard_error
    assert stop.value == pytest.approx(4.0)
    assert stop.z_score < -4


def test_statistics() -> None:
    played = Simulated(4, 0, {1: 1, 2: 2, 3: 1}, 1.5)
    assert played.mean == 2
    assert played.standard_error == pytest.approx((2 / 3 / 4) ** 0.5)
    assert played.interval == pytest.approx((2 - 1.959964 * played.standard_error, 2 + 1.959964 * played.standard_error))
    assert played.z_score == pytest.approx(0.5 / played.standard_error)
    assert Simulated(2, 0, {3: 2}, 3.0).z_score == 0
    assert Simulated(2, 0, {3: 2}, 2.0).z_score == inf
    assert Simulated(2, 0, {3: 2}, 4.0).z_score == -inf


def test_a_sure_game() -> None:
    played = simulate(solve(load("slots", target="0")), 100, seed=0)
    assert (dict(played.counts), played.standard_error, played.z_score) == ({1: 100}, 0, 0)


@pytest.mark.parametrize("name", ["slots", "words", "groups", "forced jokers"])
def test_seeds(name: str) -> None:
    solution = FOUNDING[name]()
    first, same, other = (simulate(solution, 500, seed=seed) for seed in (1, 1, 2))
    assert first == same
    assert first.counts != other.counts


def test_many_batches_and_progress() -> None:
    calls: list[tuple[str, int, int | None]] = []
    played = simulate(solve(load("slots")), 200_000, seed=1, progress=lambda *args: calls.append(args))
    assert abs(played.z_score) < 4
    assert len(calls) > 1
    assert calls[-1] == ("playing", 200_000, 200_000)


def test_weights_beyond_64_bits_are_played_one_by_one() -> None:
    class Loaded(Again):
        def roll(self, pending: int) -> Any:
            return die({1: 2**61, 2: 2**60 + 1}) if pending == 0 else die({-1: 2**61 + 1, -2: 2**60})

    assert abs(simulate(solve(Loaded()), 1_000, seed=1).z_score) < 4


@pytest.mark.full
def test_a_hundred_thousand_games_of_yazy() -> None:
    assert abs(simulate(solve(load("yazy")), 100_000, seed=8).z_score) < 4


@pytest.mark.audit
@pytest.mark.parametrize("name", ["yatzy", "yahtzee", "kniffel"])
def test_full_sheets(name: str) -> None:
    assert abs(simulate(solve(load(name)), 50_000, seed=2).z_score) < 4


def test_refusals() -> None:
    solution = solve(Slots())
    with pytest.raises(GameError, match="1 games: expected at least 2"):
        simulate(solution, 1, seed=0)
    with pytest.raises(GameError, match="seed -1"):
        simulate(solution, 10, seed=-1)
    with pytest.raises(PositionError, match="chose 'nowhere' at state .*, which is not allowed there"):
        simulate(solution, 10, seed=0, policy=lambda _: "nowhere")
    with pytest.raises(GameError, match="impossible"):
        simulate(solution_of("words", dice="AB,CD", words="XX"), 10, seed=0)


def test_a_strategy_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.playing.simulate.LONGEST", 1000)
    with pytest.raises(GameError, match="did not end within 1,000 rolls"):
        simulate(solve(Again()), 10, seed=0, policy=lambda _: "again")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main([*arguments, "--no-cache"])
    out, err = capsys.readouterr()
    return code, out, err


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "simulate", "slots", "--games", "5000", "--seed", "4")
    assert (code, err) == (0, "")
    for text in ("5,000, seed 4", "+/-", "95 % interval", "29.6146262003 %", "standard errors"):
        assert text in out


def test_command_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "simulate", "groups", "-p", "faces=6", "-p", "sizes=1,2", "--games", "4000", "--json")
    found = json.loads(out)
    assert code == 0
    assert set(found) == {
        "game", "parameters", "objective", "games", "seed", "mean", "standard_error", "interval", "value", "exact", "z_score",
        "counts",
    }  # fmt: skip
    assert found["value"] == pytest.approx(4.7)
    assert abs(found["z_score"]) < 4
    assert sum(found["counts"].values()) == found["games"] == 4000
    assert found["interval"][0] < found["mean"] < found["interval"][1]


def test_bad_requests_are_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    for arguments, match in (
        (["--games", "0"], "0 games: expected"),
        (["--seed", "-3"], "seed -3"),
    ):
        code, out, err = run(capsys, "simulate", "slots", *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert match in err


def duel_solutions() -> list[rollwise.Solution]:
    game = load("yazy", boxes="ones,twos", rerolls="0")
    return [rollwise.solve(game, rollwise.Duel(Fraction(1, 3)), engine=engine) for engine in (None, "induction")]


@pytest.mark.parametrize("solution", duel_solutions(), ids=lambda solution: type(solution).__name__)
def test_a_duel_is_simulated_like_any_game(solution: rollwise.Solution) -> None:
    played = rollwise.simulate(solution, 1000, seed=5)
    assert played == rollwise.simulate(solution, 1000, seed=5)
    assert set(played.counts) <= {0, 1, 3}
    assert abs(played.z_score) < 4
    assert solution.two_players


def test_a_duel_is_recorded_and_graded_like_any_game() -> None:
    solution = duel_solutions()[-1]
    source = rollwise.playing.roll_source.RollSource(solution.game, Random(3))
    game = rollwise.start_game(solution)
    while not game.over:
        if game.rolling:
            game = game.rolled(source.draw(game.pending))
        else:
            game = game.moved(solution.game.actions(game.steps[-1].state)[0])
    assert game.two_players
    assert game.total in (0, pytest.approx(1 / 3), 1)
    assert game.total == pytest.approx(game.start + game.luck - game.mistakes + game.rival_mistakes)
    again = rollwise.grade(solution, rollwise.read_record(rollwise.write_record(game, "yazy", {"boxes": "ones,twos"})))
    assert (again.total, again.mistakes, again.rival_mistakes) == (game.total, game.mistakes, game.rival_mistakes)
