"""The command line as its user meets it: output, JSON, one-line errors."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from rollwise import __version__
from tests.terminal import run

DATA = Path(__file__).parent / "data"


def test_solve_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "solve", "slots", "--exact", "--json")
    result = json.loads(out)
    assert (code, err) == (0, "")
    assert set(result) >= {
        "game", "parameters", "objective", "value", "exact", "states", "engine", "certificate", "seconds",
    }  # fmt: skip
    assert (result["game"], result["exact"], result["objective"]) == ("slots", "13817/46656", "at-least 45")
    proof = {"exact": True, "policy_ends": True, "residual": 0, "shortfall": 0, "error_bound": 0, "checked": "everywhere"}
    assert result["certificate"] == proof


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["solve", "slots", "--exact"], "13817/46656"),
        (["solve", "slots", "--exact", "--at-least", "51"], "115/3888"),
        (["solve", "slots", "--exact", "--objective", "expected"], "471161/11664"),
        (["solve", "slots", "--objective", "at least 40"], "62.4635631"),
        (["solve", "slots", "--objective", "at-least 40"], "62.4635631"),
        (["solve", "yazy", "-p", "boxes=ones,twos", "--objective", "at-least 8"], "43.13"),
        (["solve", "yazy", "-p", "boxes=ones", "--objective", "duel"], "50 %"),
        (["solve", "yazy", "-p", "boxes=ones", "--exact"], "455/216"),
        (["solve", "groups", "-p", "faces=6", "-p", "sizes=1,2"], "4.7"),
        (["solve", "words", "-p", "dice=AB,CD", "-p", "words=XX"], "impossible"),
        (["advise", "slots", "--state", "all 0 6", "--exact"], "3773/7776"),
        (["advise", "slots", "--state", "none 45 0"], "the game is over"),
        (["games"], "five dice, two rerolls"),
        (["check", "slots"], "no fault found in all 8,184 states"),
        (["--version"], "rollwise "),
    ],
)
def test_answers(capsys: pytest.CaptureFixture[str], arguments: list[str], text: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, err) == (0, "")
    assert text in out


def test_advice_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "advise", "slots", "--state", "all 0 6", "--json", "--top", "2")
    result = json.loads(out)
    assert code == 0
    assert [move["action"] for move in result["moves"]] == ["x2even", "x3"]
    assert result["moves"][0]["loss"] == 0
    assert result["moves"][1]["loss"] == pytest.approx(3773 / 7776 - 131 / 288)


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "rollwise", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"rollwise {__version__}\n"


def test_policy_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "ones.csv"
    code, out, _ = run(capsys, "policy", "yazy", "-p", "boxes=ones", "-o", str(path))
    assert code == 0
    assert "756 decisions written" in out
    assert path.read_text().splitlines()[0] == "dice,rerolls left,open boxes,move,expected total,loss of second best"
    assert [p.name for p in tmp_path.iterdir()] == ["ones.csv"]


def test_a_contest(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO((DATA / "groups" / "sample.in").read_text()))
    assert run(capsys, "contest", "groups") == (0, "Case #1: 4.700000000000\nCase #2: 9.000000000000\n", "")


def assert_one_line(result: tuple[int, str, str], match: str) -> None:
    code, out, err = result
    assert (code, out) == (2, "")
    assert err.startswith("rollwise")
    assert err.count("\n") == 1
    assert match in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("problem", "text", "match"),
    [
        ("words", "", "line 1: expected the number of dice"),
        ("words", "2\n", "line 1: expected the number of dice and of words (2 integers, at least 1), got '2'"),
        ("words", "1 1\nABC\n", "line 3: expected a word of 1 symbol, but the file ends"),
        ("words", "1 1\nABC\nAB\n", "line 3: expected a word of 1 symbol, got 'AB'"),
        ("words", "1 1\nA B\nA\n", "line 2: expected a die"),
        ("words", "1 1\nAB\nA\nmore\n", "line 4: expected the end of the file"),
        ("groups", "x\n", "line 1: expected the number of cases"),
        ("groups", "1\n3 6\n", "line 2: expected N M K"),
        ("groups", "1\n3 6 2\n1\n1\n", "line 4: the group sizes add up to 2, expected N = 3"),
        ("groups", "1\n3 2 3\n1\n1\n1\n", "line 5: 3 groups need 3 different faces"),
        ("groups", "2\n3 6 2\n1\n2\n", "line 5: expected N M K, but the file ends"),
    ],
)
def test_malformed_contest_files(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, problem: str, text: str, match: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert_one_line(run(capsys, "contest", problem), match)
