"""Small things a reader stumbles over: positions that say too little or too much, byte order marks, numbers cut or miscounted."""

import io
import re
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from rollwise import AtLeast, solve
from rollwise.cli.shared import show_value, table
from rollwise.errors import GameError, PositionError
from rollwise.games import load
from rollwise.playing.contests import answer_contest
from rollwise.playing.grade import grade, rehearse
from rollwise.playing.opponents import parse_opponent
from rollwise.playing.record import read_record
from rollwise.playing.roll_source import RollSource
from tests.terminal import GAME_FILE, run

BOM = "\ufeff"


@pytest.mark.parametrize("name", ["yahtzee", "yatzy", "kniffel", "maxi-yatzy"])
def test_a_position_says_its_upper_total(name: str) -> None:
    game = load(name)
    dice = "666611"[: game.count]  # type: ignore[attr-defined]
    with pytest.raises(PositionError, match="add, for example, 'upper 0'"):
        game.read_state(f"{dice} 1 chance")
    assert game.read_state(f"{dice} 1 all") == game.read_state(f"{dice} 1 all upper 0")
    with pytest.raises(PositionError, match=r"upper 500 in .* hold at most 0"):
        game.read_state(f"{dice} 1 all upper 500")
    assert game.read_state(f"{dice} 1 none upper 70").upper == min(70, game.bonus.threshold)  # type: ignore[attr-defined]
    assert game.read_state(f"{dice} 1 chance upper 105").upper == game.bonus.threshold  # type: ignore[attr-defined]


def test_a_mark_of_byte_order_is_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    contest = "1\n3 6 2\n1\n2\n"
    assert list(answer_contest("groups", BOM + contest)) == list(answer_contest("groups", contest))
    monkeypatch.setattr("sys.stdin", io.StringIO(BOM + contest))
    assert run(capsys, "contest", "groups") == (0, "Case #1: 4.700000000000\n", "")
    (tmp_path / "words.txt").write_text(f"{BOM}AC\n", encoding="utf-8")
    assert load("words", dice="AB,CD", words=f"@{tmp_path}/words.txt").words == ("AC",)  # type: ignore[attr-defined]
    assert parse_opponent(f"{BOM}180\n210") == parse_opponent("180\n210")
    assert parse_opponent(f"{BOM}[180, 210]") == parse_opponent("180\n210")
    assert read_record(f"{BOM}game: slots\n").game == "slots"
    (tmp_path / "higher.py").write_text(BOM + GAME_FILE, encoding="utf-8")
    assert type(load(str(tmp_path / "higher.py"))).__name__ == "Higher"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{BOM}a\nb\n"))
    code, out, _ = run(capsys, "play", "slots", "-p", "slots=a:1/2,b:2/1", "-p", "target=3", "--seed", "1")
    assert (code, "is not a move" in out, "the game is over" in out) == (0, False, True)


class Terminal(io.StringIO):
    """A terminal of some width."""

    def isatty(self) -> bool:
        return True


LONG = Fraction(3**700, 2**1100)


@pytest.mark.parametrize("columns", [0, 40, 80])
def test_long_fractions_and_numbers_are_never_cut(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    screen = Terminal() if columns else io.StringIO()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", str(columns or 40))
    monkeypatch.setenv("TERM", "dumb-but-wide")
    monkeypatch.setenv("NO_COLOR", "1")
    table(["", "game"], [("value", show_value(LONG))])
    table(["move", "expected total", "loss", "why"], [("keep 6666", "276.998232792", "8.76646", "keeps 6666 for sixes")])
    text = re.sub("\x1b\\[[0-9;]*m", "", screen.getvalue())
    assert "…" not in text
    assert str(LONG) in "".join(text.split())
    assert {"276.998232792", "8.76646"} <= set(text.split())
    assert max(map(len, text.splitlines())) <= columns or not columns


def test_sentences_are_folded_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    table(["move", "loss", "why"], [("keep 6666", "8.76646", "word " * 60)])
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 104
    assert out.split().count("word") == 60


RECORDS = ["roll: x3,bin 0 6", "roll: all 0 6\nmove: x4", "roll: all 0 6\nmove: x3\nroll: all 0 6", "roll: all 0 9"]


@pytest.mark.parametrize("lines", RECORDS)
def test_a_rehearsal_says_what_grading_says(lines: str) -> None:
    solution, record = solve(load("slots")), read_record(f"game: slots\n{lines}\n")
    with pytest.raises(GameError) as graded:
        grade(solution, record)
    with pytest.raises(GameError) as rehearsed:
        rehearse(solution.game, record)
    assert str(graded.value) == str(rehearsed.value)


@pytest.mark.parametrize("target", [None, 3])
def test_a_rehearsal_takes_what_was_played(target: int | None) -> None:
    solution = solve(load("yazy", boxes="ones,straight"), None if target is None else AtLeast(target))
    game, rolls = solution.game, RollSource(solution.game, Random(1))
    lines, pending = [], game.start()
    while game.actions(state := rolls.draw(pending)):
        best = solution.best(state)
        lines += [f"roll: {game.show_state(state)}", f"move: {game.show_action(best)}"]
        pending = game.play(state, best)
    rehearse(game, read_record("\n".join(["game: yazy", *lines])))
