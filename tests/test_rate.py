"""Ratings: mistakes by kind of decision add up, a trend with an honest interval, luck apart, and files that are no records."""

import json
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from rollwise import Solution, rate, read_record, solve, write_record
from rollwise.games import load
from rollwise.model.view import view_of
from rollwise.playing.obvious import is_obvious, obvious_move
from rollwise.playing.rate import Decision, fit, measure
from rollwise.texts.render import render
from rollwise.web.answers import answer_grade
from rollwise.web.table_graph import write_text
from tests.random_play import play
from tests.terminal import run

EXAMPLE = Path(__file__).parent / "data" / "rated_games.json"


@pytest.fixture(scope="module")
def slots() -> Solution:
    return solve(load("slots"))


@pytest.fixture(scope="module")
def yazy() -> Solution:
    return solve(load("yazy", boxes="ones,sixes,straight"))


def test_kinds_add_up(yazy: Solution) -> None:
    games = [play(yazy, seed, slips=0.5) for seed in range(8)]
    found = rate(games)
    assert {render(kind.name) for kind in found.skill.kinds} == {"keep or fill", "which box"}
    assert sum(kind.loss for kind in found.skill.kinds) == pytest.approx(sum(float(game.mistakes) for game in games))
    assert [kind.loss for kind in found.skill.kinds] == sorted((kind.loss for kind in found.skill.kinds), reverse=True)
    choices = sum(len(yazy.game.actions(step.state)) > 1 for game in games for step in game.steps)
    assert sum(kind.decisions for kind in found.skill.kinds) == choices
    assert found.luck == [float(game.luck) for game in games]


@pytest.mark.parametrize(
    ("name", "parameters", "state", "kind"),
    [
        ("slots", {}, "all 0 6", "which slot"),
        ("pig", {}, "27 31 first 12", "hold or roll"),
        ("groups", {"faces": "6", "sizes": "3,2"}, "3,1 1", "keep or reroll"),
        ("words", {"dice": "ABC,ABC,DE", "words": "ABD"}, "CCE", "what to keep"),
        ("yahtzee", {}, "22233 2 all upper 0", "keep or fill"),
        ("yahtzee", {}, "22233 0 all upper 0", "which box"),
    ],
)
def test_decisions_have_names(name: str, parameters: dict[str, str], state: str, kind: str) -> None:
    game = load(name, **parameters)
    assert render(view_of(game).decision(game.read_state(state))) == kind


def test_the_trend_is_that_of_least_squares() -> None:
    numbers = [Random(place).random() * 5 - 0.2 * place for place in range(15)]
    found = fit(numbers)
    assert found is not None
    (slope, middle), covariance = np.polyfit(range(15), numbers, 1, cov=True)
    assert found.slope == pytest.approx(slope)
    assert (found.low + found.high) / 2 == pytest.approx(slope)
    assert (found.high - found.low) / 2 == pytest.approx(2.160369 * covariance[0, 0] ** 0.5), "Student's t with 13"
    assert middle


def test_who_gets_better_is_seen(slots: Solution) -> None:
    worse = [play(slots, seed, slips=1) for seed in range(12)]
    better = [play(slots, seed, slips=0) for seed in range(12)]
    trend = rate(worse + better).skill.trend
    assert trend is not None
    assert trend.clear
    assert trend.slope < 0
    assert rate(worse[:2]).skill.trend is None


@pytest.mark.parametrize("case", json.loads(EXAMPLE.read_text()), ids=lambda case: case["about"])
def test_the_page_measures_the_same(case: Any) -> None:
    """`tests/js/rating.test.js` reads the same games: what is a rating and a leak is defined once."""
    games = [[Decision(*decision) for decision in game["decisions"]] for game in case["games"]]
    found = measure(games, [game["over"] for game in case["games"]])
    trend = found.trend and [found.trend.slope, found.trend.low, found.trend.high]
    assert found.rating == pytest.approx(case["rating"])
    assert found.decisions == case["rated"]
    assert found.standard_error == pytest.approx(inf if case["standard_error"] is None else case["standard_error"])
    assert trend == (case["trend"] and pytest.approx(case["trend"]))
    assert [[kind.name, kind.decisions, kind.loss, kind.leak] for kind in found.kinds] == [
        [name, decisions, pytest.approx(loss), leak] for name, decisions, loss, leak in case["kinds"]
    ]


def test_what_the_page_receives_is_rated_as_here(yazy: Solution) -> None:
    """Of each move the server says what kind of decision it was, and whether it was obvious."""
    games = [play(yazy, seed, slips=0.5) for seed in range(5)]
    received = []
    for game in games:
        text = write_record(game, "yazy", {"boxes": "ones,sixes,straight"})
        steps = answer_grade(yazy, "yazy", list(read_record(text).lines), lambda *_: None)["steps"]
        received.append(
            [Decision(step["decision"], step["loss"], step["obvious"]) for step in steps if step["decision"] is not None]
        )
    found, own = measure(received, [True] * 5), rate(games).skill
    assert found.decisions == own.decisions
    assert found.rating == pytest.approx(own.rating)
    assert [(kind.name, kind.decisions, kind.leak) for kind in found.kinds] == [
        (write_text(kind.name), kind.decisions, kind.leak) for kind in own.kinds
    ]


def test_one_blunder_is_no_leak() -> None:
    often = [[Decision("a", 2.0 + number % 2, obvious=False)] for number in range(6)]
    once = [[Decision("b", 12.0 * (number == 3), obvious=False)] for number in range(6)]
    found = measure([one + other for one, other in zip(often, once, strict=True)], [True] * 6)
    assert [(kind.name, kind.leak) for kind in found.kinds] == [("a", True), ("b", False)]


def test_obvious_decisions_do_not_count(yazy: Solution) -> None:
    """What looks best and is best says nothing about a player; whoever errs there did not find it obvious."""
    games = [play(yazy, seed, slips=0.5) for seed in range(8)]
    hard = 0
    for game in games:
        for step in game.steps:
            if step.moved and len(yazy.game.actions(step.state)) > 1:
                looks = next(move.loss for move in yazy.ranked(step.state) if move.action == obvious_move(yazy.game, step.state))
                assert is_obvious(yazy, step) == (looks < 1e-9 and step.loss < 1e-9)
                hard += not is_obvious(yazy, step)
    found = rate(games).skill
    assert 0 < found.decisions == hard < sum(kind.decisions for kind in found.kinds)
    assert found.rating * hard == pytest.approx(sum(float(game.mistakes) for game in games))


def test_either_player_of_a_game_for_two_is_rated() -> None:
    solution = solve(load("pig", target="10", faces="4"))
    games = [play(solution, seed, slips=0.5) for seed in range(4)]
    first, second = rate(games), rate(games, [1, 1, 1, 1])
    assert first.mistakes == [float(game.mistakes) for game in games]
    assert second.mistakes == [float(game.rival_mistakes) for game in games] != first.mistakes
    assert second.luck == [-luck for luck in first.luck]
    assert sum(kind.loss for kind in second.skill.kinds) == pytest.approx(sum(second.mistakes))
    mixed = rate(games, [0, 1, 0, 1])
    assert mixed.mistakes == [first.mistakes[0], second.mistakes[1], first.mistakes[2], second.mistakes[3]]


# The command


@pytest.fixture
def folder(slots: Solution, yazy: Solution, tmp_path: Path) -> Path:
    place = tmp_path / "games"
    place.mkdir()
    for number in (1, 2, 10):
        (place / f"slots{number}.txt").write_text(write_record(play(slots, number, slips=0.5), "slots", {}))
    (place / "yazy.txt").write_text(write_record(play(yazy, 7, slips=0.5), "yazy", {"boxes": "ones,sixes,straight"}))
    return place


def rated(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Any, str]:
    code, out, err = run(capsys, "rate", *arguments, "--no-cache", "--json")
    assert code == 0
    return json.loads(out), err


def test_a_folder_is_rated_by_game(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer, err = rated(capsys, str(folder))
    assert err == ""
    assert [rating["game"] for rating in answer["ratings"]] == ["slots", "yazy"]
    slots, yazy = answer["ratings"]
    assert [game["file"] for game in slots["games"]] == ["slots1.txt", "slots2.txt", "slots10.txt"]
    assert slots["mistakes_a_game"] == pytest.approx(sum(game["mistakes"] for game in slots["games"]) / 3)
    assert slots["trend"]["low"] < slots["trend"]["slope"] < slots["trend"]["high"]
    assert (yazy["trend"], yazy["luck_standard_error"], yazy["parameters"]) == (None, None, {"boxes": "ones,sixes,straight"})


def test_files_that_are_no_records_are_named(folder: Path, slots: Solution, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "notes.md").write_text("# a heading\nhello\n")
    (folder / "binary.dat").write_bytes(b"\xff\xfe\x00")
    (folder / "wrong.txt").write_text("game: slots\nroll: all 0 6\nmove: nowhere\n")
    (folder / "empty.txt").write_text("game: slots\n")
    (folder / ".hidden").write_text("not looked at")
    answer, err = rated(capsys, str(folder))
    assert [one["file"] for one in answer["skipped"]] == ["binary.dat", "empty.txt", "notes.md", "wrong.txt"]
    lines = err.splitlines()
    assert len(lines) == 4
    assert all(f"{one['file']} is left out: {one['why']}" in line for one, line in zip(answer["skipped"], lines, strict=True))
    assert len(answer["ratings"][0]["games"]) == 3
