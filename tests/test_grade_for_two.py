"""Records of duels, games for two, targets and opponents are graded: each move's loss in chance, luck apart, for either side."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from rollwise import Duel, GameError, Solution, grade, read_record, solve, start_game, write_record
from rollwise.games import load
from tests.terminal import run

BOXES = "boxes=ones,five-of-a-kind"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def pig() -> Solution:
    return solve(load("pig", target=10), exact=True)


PIG = """game: pig
parameters: target=10
players: optimal, me
roll: 0 0 first 4
move: hold
roll: 4 0 second 5
move: hold
roll: 4 5 first 4
move: hold
roll: 8 5 second 3
move: hold
roll: 10 8 over
"""


def played(tmp_path: Path, cache: Path, capsys: pytest.CaptureFixture[str], *options: str) -> Path:
    file = tmp_path / "game.txt"
    assert run(capsys, "play", *options, "--auto", "--seed", "6", "--record", str(file), "--cache", str(cache))[0] == 0
    return file


def test_luck_and_both_players_mistakes_add_up(pig: Solution) -> None:
    """In fractions, from either side."""
    game = grade(pig, read_record(PIG))
    assert game.total == game.start + game.luck - game.mistakes + game.rival_mistakes == Fraction(1)
    assert game.mistakes > 0
    assert game.rival_mistakes > 0
    assert 1 - game.total == (1 - game.start) - game.luck - game.rival_mistakes + game.mistakes


def test_players_are_read_and_written(pig: Solution) -> None:
    record = read_record(PIG)
    assert record.players == ("optimal", "me")
    assert read_record(write_record(start_game(pig), "pig", {"target": "10"}, players=record.players)).players == record.players
    for wrong in ("players: me", "players: me, me", "players: me, a, b", "players:"):
        with pytest.raises(GameError, match="line 3: players .* expected two names"):
            read_record(PIG.replace("players: optimal, me", wrong))


def test_my_moves_are_graded_by_default(capsys: pytest.CaptureFixture[str], tmp_path: Path, cache: Path) -> None:
    file = tmp_path / "pig.txt"
    file.write_text(PIG)
    mine = run(capsys, "grade", str(file), "--cache", str(cache))[1]
    both = run(capsys, "grade", str(file), "--player", "both", "--cache", str(cache))[1]
    first = run(capsys, "grade", str(file), "--player", "first", "--cache", str(cache))[1]
    assert "my win probability" in mine
    assert "optimal" not in mine
    assert "0 0 first 4" not in mine
    assert "first player's win probability" in both
    assert "0 0 first 4" in both
    assert "4 0 second 5" in both
    assert "4 0 second 5" not in first
    sums = mine.partition("value at the start")[2]
    found = re.findall(r"(?:  )([+-]?\d[\d.]*|-) ?(?:%|percentage|\n)", sums)
    start, luck, own, other, total = (0 if number == "-" else float(number) for number in found)
    assert start + luck + own + other == pytest.approx(total, abs=0.03)
    assert total == 0
    assert "lost" in mine


def test_a_duel_is_graded(capsys: pytest.CaptureFixture[str], tmp_path: Path, cache: Path) -> None:
    file = played(tmp_path, cache, capsys, "yazy", "-p", BOXES, "--opponent", "points", "--first", "computer")
    code, out, err = run(capsys, "grade", str(file), "--json", "--cache", str(cache))
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["players"] == ["points", "me"]
    assert found["objective"] == "duel"
    assert found["total"] == pytest.approx(found["value"] + found["luck"] - found["mistakes"] + found["rival_mistakes"])
    assert found["rival_mistakes"] == pytest.approx(0)
    solution = solve(load("yazy", boxes=BOXES.partition("=")[2]), Duel())
    game = grade(solution, read_record(file.read_text()))
    assert found["mistakes"] == pytest.approx(game.mistakes)


def test_a_record_holds_its_opponent(capsys: pytest.CaptureFixture[str], tmp_path: Path, cache: Path) -> None:
    scores = tmp_path / "scores of others.txt"
    scores.write_text("4\n50 2\n")
    file = played(tmp_path, cache, capsys, "yazy", "-p", BOXES, "--objective", f"against {scores}, best of 2, ties lose")
    assert "objective: against 4,50:8, ties lose\n" in file.read_text()
    scores.unlink()
    code, out, _ = run(capsys, "grade", str(file), "--cache", str(cache))
    assert code == 0
    assert "mistakes" in out
    file = played(tmp_path, cache, capsys, "yazy", "-p", BOXES, "--objective", "against self")
    assert "objective: against self\n" in file.read_text()
    assert run(capsys, "grade", str(file), "--cache", str(cache))[0] == 0
