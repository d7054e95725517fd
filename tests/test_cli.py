"""The command line as its user meets it: output, JSON, one-line errors."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from rollwise import __version__
from rollwise.games import CATALOGUE
from rollwise.model.objective import Objective
from rollwise.model.objectives import OBJECTIVES
from tests.terminal import GAME_FILE, run

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
        (["solve", "slots", "--objective", "at-least", "--at-least", "40"], "0.624635631"),
        (["solve", "slots", "--objective", "at-least 40"], "0.624635631"),
        (["solve", "yazy", "-p", "boxes=ones,twos", "--objective", "at-least 8"], "0.431328"),
        (["solve", "yazy", "-p", "boxes=ones", "--objective", "duel"], "0.5"),
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


def test_impossible_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "solve", "words", "-p", "dice=AB,CD", "-p", "words=XX", "--json")
    assert json.loads(out)["value"] == "impossible"


def test_advice_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "advise", "slots", "--state", "all 0 6", "--json", "--top", "2")
    result = json.loads(out)
    assert code == 0
    assert [move["action"] for move in result["moves"]] == ["x2even", "x3"]
    assert result["moves"][0]["loss"] == 0
    assert result["moves"][1]["loss"] == pytest.approx(3773 / 7776 - 131 / 288)


def test_games_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "games", "--json")
    assert json.loads(out)["yazy"]["parameters"]["rerolls"]["default"] == "2"


def test_kinds_of_games_and_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "games", "--json")
    found = json.loads(out)
    assert {name: game["kind"] for name, game in found.items()} == {
        name: entry.game.view.board_kind for name, entry in CATALOGUE.items()
    }
    assert found["yahtzee"]["parameters"]["joker"]["kind"] == {"type": "choice", "names": ["free", "forced", "none"]}


class Squares(Objective):
    """The highest expected square of the total."""

    name = "squares"

    @classmethod
    def read(cls, text: str) -> "Squares":
        return cls()

    def score(self, total: int) -> int:
        return total**2


def test_an_objective_of_one_s_own(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OBJECTIVES, "squares", Squares)
    code, out, err = run(capsys, "solve", "slots", "--objective", "squares", "--exact", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["objective"] == "squares"
    assert json.loads(out)["value"] >= (471161 / 11664) ** 2
    code, out, err = run(capsys, "play", "yazy", "-p", "boxes=ones,twos", "--objective", "squares", "--auto", "--seed", "1")
    assert (code, err) == (0, "")
    assert "the game is over: total " in out


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


def test_judge(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO((DATA / "groups" / "sample.in").read_text()))
    assert run(capsys, "contest", "groups") == (0, "Case #1: 4.700000000000\nCase #2: 9.000000000000\n", "")


def test_a_game_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "higher.py"
    path.write_text(GAME_FILE)
    code, out, err = run(capsys, "solve", str(path), "--exact", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["exact"] == "4/1"
    assert run(capsys, "check", str(path))[0] == 0


@pytest.mark.parametrize(
    ("source", "match"),
    [
        ("x = 1", "must define exactly one Game subclass"),
        ("import nothing_here", "ModuleNotFoundError"),
        ("def (", "SyntaxError"),
        ("raise SystemExit(0)", "SystemExit"),
        (GAME_FILE + "    def __init__(self): raise KeyError('x')", "KeyError"),
        (GAME_FILE + "    parameters = ('n',)", "expected Parameter objects"),
        (GAME_FILE.replace("return 0\n    def roll", "raise KeyError('x')\n    def roll"), "KeyError"),
        (GAME_FILE + "    objective = 'expected'", "the objective is 'expected'"),
        (GAME_FILE.replace("-state", "0"), "never ends"),
        (GAME_FILE.replace("else {pending: 1}", "else {pending: 0}"), "at pending -1: the weight of -1 is 0"),
    ],
)
def test_bad_game_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, source: str, match: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(source)
    assert_one_line(run(capsys, "solve", str(path)), match)


def test_rules_that_fail_late(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "late.py"
    path.write_text(
        "from rollwise.model.notation import Notation\nclass Written(Notation):\n    def columns(self, state): return {}[state]\n"
        + GAME_FILE
        + "    notation = Written\n    def read_state(self, text): return {}[text]\n"
    )
    assert_one_line(run(capsys, "advise", str(path), "--state", "1"), "KeyError")
    assert_one_line(run(capsys, "policy", str(path), "-o", str(tmp_path / "x.csv")), "KeyError")
    path.write_text("print('hello')\n" + GAME_FILE)
    assert json.loads(run(capsys, "solve", str(path), "--json")[1])["value"] == 4


def assert_one_line(result: tuple[int, str, str], match: str) -> None:
    code, out, err = result
    assert (code, out) == (2, "")
    assert err.startswith("rollwise")
    assert err.count("\n") == 1
    assert match in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (["solve", "yazzy"], "did you mean 'yazy'"),
        (["solve", "slots", "-p", "targt=3"], "did you mean 'target'"),
        (["solve", "slots", "-p", "target"], "expected NAME=VALUE"),
        (["solve", "slots", "-p", "target=1", "-p", "target=2"], "given twice"),
        (["solve", "slots", "--objective", "expcted"], "did you mean 'expected'"),
        (["solve", "slots", "--objective", "at-least"], "give --at-least N"),
        (["solve", "slots", "--objective", "fewest", "--at-least", "3"], "give one of them"),
        (["solve", "slots", "--at-least", "many"], "invalid int value"),
        (["solve", "slots", "--max-states", "10"], "over the budget of 10"),
        (["solve", "nowhere.py"], "there is no game file"),
        (["solve", "words", "-p", "dice=AB", "-p", "words=@nowhere.txt"], "cannot read the words"),
        (["advise", "slots", "--state", "x3 99 6"], "does not occur"),
        (["advise", "slots", "--state", "bogus"], "is not a position"),
        (["advise", "slots", "--state", "all 0 6", "--top", "0"], "expected at least 1"),
        (["advise", "yazy", "-p", "boxes=ones", "--at-least", "3", "--state", "11356 1 all"], "needs 3"),
        (["policy", "slots", "-o", "nowhere/slots.csv"], "there is no directory"),
        (["policy", "slots", "-o", "slots.txt"], "ends in .csv"),
        (["solve", "slots", "--max-states", "0"], "expected at least 1"),
        (["check", "slots", "--max-states", "1"], "expected at least 2"),
        (["solve", "yazy", "-p", "rerolls=1000000"], "at most 100 rerolls"),
        (["advise", "slots", "--state", "all 0 ²"], "is not a position"),
        (["advise", "slots", "--state", f"all {'9' * 5000} 6"], "is not a position"),
        (["advise", "yazy", "-p", "boxes=ones", "--state", "²²²²² 2 all"], "expected 5 faces"),
        (["advise", "yazy", "-p", "boxes=ones", "--state", "11111 ² all"], "is not a position"),
        (["advise", "yazy", "-p", "boxes=ones", "--at-least", "3", "--state", "11111 2 all needs --3"], "needs 3"),
        (["advise", "groups", "-p", "faces=6", "-p", "sizes=3,2", "--state", "² ²"], "is not a position"),
        (["solve", "groups", "-p", "faces=999999999999999999999999", "-p", "sizes=1"], "expected at most"),
        (["solve", "words", "-p", "dice=AB", "-p", "words=*"], "has a '*'"),
        (["policy", "slots", "-o", "never.csv", "--where", "roll=7"], "roll"),
        (["contest", "word"], "did you mean 'words'"),
        (["frobnicate"], "invalid choice"),
        (["slove", "slots"], "invalid choice: 'slove': did you mean 'solve'?"),
        (["solve", "slots", "--objectve", "expected"], "rollwise solve: unrecognized arguments: --objectve"),
        (["solve", "slots", "--objectve=expected"], "did you mean '--objective'?"),
        (["distribution", "slots", "--policy", "greddy"], "did you mean 'greedy'?"),
        ([], "required"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], match: str) -> None:
    assert_one_line(run(capsys, *arguments), match)


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


INTERRUPTED = """
import os, signal
from rollwise import Game

class Interrupted(Game):
    def start(self):
        os.kill(os.getpid(), signal.SIGINT)
        return 0
    def roll(self, pending): return {pending: 1}
    def actions(self, state): return ()
    def play(self, state, action): return state
"""


def test_an_interrupted_solve_says_so(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(INTERRUPTED)
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "  # a run in the background ignores it
        "from rollwise.cli.main import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", program, "solve", str(tmp_path / "game.py")]
    (tmp_path / "empty").mkdir()
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path / "empty", check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.splitlines()[-1].startswith("rollwise: stopped in Interrupted.start()")
    assert list((tmp_path / "empty").iterdir()) == []
