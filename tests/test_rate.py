"""Ratings: mistakes by kind of decision add up, a trend with an honest interval, luck apart, and files that are no records."""

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from rollwise import Game, GameError, Solution, rate, solve, start_game, write_record
from rollwise.games import load
from rollwise.model.view import View, view_of
from rollwise.playing.grade import Grade
from rollwise.playing.rate import fit
from rollwise.playing.roll_source import RollSource
from rollwise.texts.render import render
from tests.terminal import run


def played(solution: Solution, seed: int, slips: float = 0.5) -> Grade:
    """A game in which the second best move is made now and then."""
    random, game = Random(seed), start_game(solution)
    source = RollSource(solution.game, random)
    while True:
        game = game.rolled(source.draw(game.pending))
        if game.over:
            return game
        ranked = solution.ranked(game.steps[-1].state)
        game = game.moved(ranked[min(len(ranked) - 1, int(random.random() < slips))].action)


@pytest.fixture(scope="module")
def slots() -> Solution:
    return solve(load("slots"))


@pytest.fixture(scope="module")
def yazy() -> Solution:
    return solve(load("yazy", boxes="ones,sixes,straight"))


def test_kinds_add_up(yazy: Solution) -> None:
    games = [played(yazy, seed) for seed in range(8)]
    found = rate(games)
    assert {render(kind.name) for kind in found.kinds} == {"keep or fill", "which box"}
    assert sum(kind.loss for kind in found.kinds) == pytest.approx(sum(float(game.mistakes) for game in games))
    assert [kind.loss for kind in found.kinds] == sorted((kind.loss for kind in found.kinds), reverse=True)
    choices = sum(len(yazy.game.actions(step.state)) > 1 for game in games for step in game.steps)
    assert sum(kind.decisions for kind in found.kinds) == choices
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


def test_a_decision_with_many_moves_is_named_by_the_word_for_them() -> None:
    class ManyView(View):
        action_word = "card"

    class Many(Game[Any, Any, Any]):
        view = ManyView

        def start(self) -> Any:
            return 0

        def roll(self, pending: Any) -> Any:
            return {1: 1}

        def actions(self, state: Any) -> Any:
            return ["a 1", "a 2", "b", "c", "d"][: state + 3]

        def play(self, state: Any, action: Any) -> Any:
            return 0

    assert (render(view_of(Many()).decision(-1)), render(view_of(Many()).decision(2))) == ("a", "which card")


def test_the_trend_is_that_of_least_squares() -> None:
    numbers = [Random(place).random() * 5 - 0.2 * place for place in range(15)]
    found = fit(numbers)
    assert found is not None
    (slope, middle), covariance = np.polyfit(range(15), numbers, 1, cov=True)
    assert found.slope == pytest.approx(slope)
    assert (found.low + found.high) / 2 == pytest.approx(slope)
    assert (found.high - found.low) / 2 == pytest.approx(2.160369 * covariance[0, 0] ** 0.5), "Student's t with 13"
    assert middle


def test_the_interval_holds_the_truth_in_95_of_100() -> None:
    random = Random(5)
    trends = [fit([0.3 * place + random.gauss(0, 2) for place in range(10)]) for _ in range(2000)]
    held = sum(trend is not None and trend.low <= 0.3 <= trend.high for trend in trends)
    assert abs(held - 1900) < 4 * (2000 * 0.95 * 0.05) ** 0.5


def test_who_gets_better_is_seen(slots: Solution) -> None:
    worse = [played(slots, seed, slips=1) for seed in range(12)]
    better = [played(slots, seed, slips=0) for seed in range(12)]
    trend = rate(worse + better).trend
    assert trend is not None
    assert trend.clear
    assert trend.slope < 0
    assert rate(worse[:2]).trend is None


def test_games_of_different_solutions_are_not_rated(slots: Solution, yazy: Solution) -> None:
    for games in ([], [played(slots, 1), played(yazy, 1)]):
        with pytest.raises(GameError, match="expected at least one, and all of one solution"):
            rate(games)


def test_either_player_of_a_game_for_two_is_rated() -> None:
    solution = solve(load("pig", target="10", faces="4"))
    games = [played(solution, seed) for seed in range(4)]
    first, second = rate(games), rate(games, [1, 1, 1, 1])
    assert first.mistakes == [float(game.mistakes) for game in games]
    assert second.mistakes == [float(game.rival_mistakes) for game in games] != first.mistakes
    assert second.luck == [-luck for luck in first.luck]
    assert sum(kind.loss for kind in second.kinds) == pytest.approx(sum(second.mistakes))
    mixed = rate(games, [0, 1, 0, 1])
    assert mixed.mistakes == [first.mistakes[0], second.mistakes[1], first.mistakes[2], second.mistakes[3]]


# The command


@pytest.fixture
def folder(slots: Solution, yazy: Solution, tmp_path: Path) -> Path:
    place = tmp_path / "games"
    place.mkdir()
    for number in (1, 2, 10):
        (place / f"slots{number}.txt").write_text(write_record(played(slots, number), "slots", {}))
    (place / "yazy.txt").write_text(write_record(played(yazy, 7), "yazy", {"boxes": "ones,sixes,straight"}))
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
    assert (yazy["trend"], yazy["luck_error"], yazy["parameters"]) == (None, None, {"boxes": "ones,sixes,straight"})


def test_the_order_is_by_name_or_by_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for age, name in enumerate(("slots2.txt", "slots10.txt", "slots1.txt", "yazy.txt")):
        os.utime(folder / name, (1000 + age, 1000 + age))
    answer, _ = rated(capsys, str(folder), "--order", "time")
    assert [game["file"] for game in answer["ratings"][0]["games"]] == ["slots2.txt", "slots10.txt", "slots1.txt"]
    out = run(capsys, "rate", str(folder), "--order", "time", "--no-cache")[1]
    assert "slots, at-least 45: 3 games by time" in out
    assert "which slot" in out
    assert "percentage points from game to game (95 %:" in out
    assert "too few finished games to say: it takes 3, there are 1" in out


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


def test_a_stopped_game_is_no_part_of_the_trend(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "slots11.txt").write_text("game: slots\nroll: all 0 6\nmove: bin\n")
    before, (answer, _) = json.loads(run(capsys, "rate", str(folder), "--no-cache", "--json")[1]), rated(capsys, str(folder))
    slots = answer["ratings"][0]
    assert before == answer
    assert (slots["unfinished"], len(slots["games"]), slots["games"][-1]["over"]) == (1, 4, False)
    assert "4 games by name, 1 of them unfinished" in run(capsys, "rate", str(folder), "--no-cache")[1]


def test_a_folder_without_records_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("hello")
    for name, said in (("nowhere", "there is none"), ("file", "'rollwise grade' takes one"), (".", "no record of a game in")):
        code, out, err = run(capsys, "rate", str(tmp_path / name))
        assert (code, out, said in err) == (2, "", True)
