"""Classes of mistakes, stated and counted; and a recorded game whose costly moves are asked again."""

import io
import json
import sys
from math import pi, sqrt
from pathlib import Path
from typing import Any

import pytest

from rollwise import AtLeast, Expected, Fewest, distribution, grade, read_record, simulate, solve
from rollwise.games import load
from rollwise.model.objective import CHANCE
from rollwise.playing.mistakes import count_mistakes, mistake_thresholds
from tests.terminal import run

RECORD = """game: slots
roll: all 0 6
move: x3
roll: flip,+4only12,x2even,+4odd,bin 18 4
move: flip
roll: +4only12,x2even,+4odd,bin 21 6
move: bin
"""
GOOD = "game: slots\nroll: all 0 6\nmove: x2even\n"


# Classes


def test_chances_are_judged_in_percentage_points() -> None:
    scale = mistake_thresholds(solve(load("slots")))
    assert dict(scale.thresholds) == {"inaccuracy": 0.003, "mistake": 0.01, "blunder": 0.03}
    assert scale.words() == "inaccuracy from 0.3, mistake from 1, blunder from 3 percentage points"
    assert [scale.classify(loss) for loss in (0, 0.00299, 0.003, 0.0099, 0.01, 0.03, 1.0)] == [
        None, None, "inaccuracy", "inaccuracy", "mistake", "blunder", "blunder",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "parameters", "objective"),
    [
        ("yazy", {"boxes": "ones,straight"}, Expected()),
        ("slots", {}, Expected()),
        ("words", {"dice": "ABC,ABC,DE", "words": "ABD"}, Fewest()),
        ("groups", {"faces": "6", "sizes": "3,2"}, Fewest()),
    ],
)
def test_points_and_rolls_are_judged_by_their_deviation(name: str, parameters: dict[str, str], objective: Any) -> None:
    solution = solve(load(name, **parameters), objective)
    scale, exact = mistake_thresholds(solution), distribution(solution).standard_deviation
    assert scale.standard_deviation is not None
    assert scale.standard_deviation == pytest.approx(exact, rel=0.15), "a thousand games, in two digits"
    assert dict(scale.thresholds) == pytest.approx(
        {
            "inaccuracy": scale.standard_deviation / 100,
            "mistake": scale.standard_deviation / 30,
            "blunder": scale.standard_deviation / 10,
        }
    )
    assert mistake_thresholds(solution) is scale


def test_both_scales_are_one() -> None:
    """Losing a share of the deviation costs about as many percentage points against an equal player."""
    points, chances = Expected().severities, AtLeast(1).severities
    for name, share in points.items():
        assert float(share) / (2 * sqrt(pi)) == pytest.approx(float(chances[name]), rel=0.07)


def test_where_nothing_deviates_the_value_is_the_measure() -> None:
    solution = solve(load("slots", slots="a:2/2,b:2/2"), Expected())
    assert (simulate(solution, 10, seed=1).standard_error, mistake_thresholds(solution).standard_deviation) == (0, 4)


def test_long_waits_are_not_simulated() -> None:
    solution = solve(load("words", dice="ABCDEFGHIJ,ABCDEFGHIJ", words="AA,BB"))
    assert mistake_thresholds(solution).standard_deviation is not None
    rare = solve(load("groups", faces="1000", sizes="300"))
    assert mistake_thresholds(rare).standard_deviation == pytest.approx(float(rare.value()), rel=0.05)


def test_grade_counts_and_states_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD)
    code, out, _ = run(capsys, "grade", str(file), "--no-cache")
    assert code == 0
    assert "1 mistake, 2 blunders\ninaccuracy from 0.3, mistake from 1, blunder from 3 percentage points\n" in out
    answer = json.loads(run(capsys, "grade", str(file), "--no-cache", "--json")[1])
    assert [step["severity"] for step in answer["steps"]] == ["blunder", "mistake", "blunder"]
    assert answer["counts"] == {"inaccuracy": 0, "mistake": 1, "blunder": 2}
    game = grade(solve(load("slots")), read_record(RECORD))
    assert count_mistakes(game, mistake_thresholds(game.solution)) == answer["counts"]


# Replay


def replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], record: str, answers: str
) -> str:
    file = tmp_path / "game.txt"
    file.write_text(record)
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    code, out, err = run(capsys, "grade", str(file), "--no-cache", "--replay")
    assert (code, err) == (0, "")
    return out


def test_costly_moves_are_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    solution = solve(load("slots"))
    steps = grade(solution, read_record(RECORD)).steps
    out = replayed(tmp_path, monkeypatch, capsys, RECORD, f"{steps[0].best}\n\nflip\nskip\n")
    assert "3 costly moves: inaccuracy from 0.3" in out
    assert "1 of 3: x3,flip,+4only12,x2even,+4odd,bin 0 6  (id 6WW)" in out
    assert "right: " in out
    assert f"in the game you played x3, which lost {CHANCE.amount(steps[0].loss)}" in out
    assert f"loses {CHANCE.amount(steps[1].loss)}, a mistake: " in out
    assert "in the game you played the same" in out
    assert "1 of 2 answers right; your answers lose" in out


def test_the_end_of_the_input_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for answers in ("", "quit\n", "?\nfrobnicate\n"):
        out = replayed(tmp_path, monkeypatch, capsys, RECORD, answers)
        assert out.endswith("stopped\n")
        assert "2 of 3" not in out


def test_a_good_game_has_nothing_to_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replayed(tmp_path, monkeypatch, capsys, GOOD, "").startswith("no costly move: nothing to ask (inaccuracy from")


def test_replay_needs_a_file_and_no_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "give the record as a file" in run(capsys, "grade", "-", "--replay")[2]
    assert "give one of them" in run(capsys, "grade", "game.txt", "--replay", "--json")[2]
