"""`--traceback`, and the method and line of a fault, which are named without it."""

from pathlib import Path

import pytest

from rollwise.cli.parsing import COMMANDS
from tests.terminal import run
from tests.wrong_games import WRONG, game

FAILS = game("def help(self, state): return {}[state]", payoff="return self.help(state)")
LINE = "rollwise: payoff() failed at state -1: KeyError: -1 (wrong.py, line 9, in help)\n"


@pytest.fixture
def wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("wrong.py").write_text(FAILS)
    return "wrong.py"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_way_to_an_error_comes_before_its_line(capsys: pytest.CaptureFixture[str], wrong: str, place: int) -> None:
    words = ["solve", wrong, "--no-cache"]
    assert run(capsys, *words) == (2, "", LINE)
    code, out, err = run(capsys, *words[:place], "--traceback", *words[place:])
    assert (code, out) == (2, "")
    assert err.endswith(LINE)
    assert 'wrong.py", line 9, in help' in err
    assert err.index("KeyError: -1\n") < err.index("from that came:") < err.index(LINE)


def test_it_shows_what_a_line_hides(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = run(capsys, "solve", "slots", "-p", "target=many", "--traceback")
    assert "ValueError: invalid literal for int()" in err
    assert err.splitlines()[-1].startswith("rollwise: parameter target='many'")


def test_nothing_is_shown_where_nothing_fails(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "rules", "slots", "--traceback")
    assert (code, err) == (0, "")


def test_every_command_takes_it(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        assert "--traceback" in run(capsys, command.__name__.rpartition(".")[2], "--help")[1]


NAMED = {
    "roll gives a list": "line 5", "no outcomes": "line 5", "weight 0": "line 5", "actions none": "line 6",
    "action unhashable": "line 6", "play unhashable": "line 7", "payoff half": "line 8", "gain text": "line 9",
    "mover 2": "line 9", "show_state gives a number": "line 9", "roll changes": "line ", "columns give none": "line 3",
    "columns give none to policy": "line 3", "heuristic gives text to spread": "line 9",
}  # fmt: skip
"""Rules that do not fail, but give something wrong: the line where they begin is named."""


def test_a_rule_that_gives_something_wrong_is_found(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [row for rows in WRONG.values() for row in rows if row.name in NAMED]
    assert len(rows) == len(NAMED)
    for row in rows:
        assert isinstance(row.source, str)
        Path("wrong.py").write_text(row.source)
        command, *more = row.arguments
        _, _, err = run(capsys, command, "wrong.py", *more)
        assert f"(wrong.py, {NAMED[row.name]}" in err


def test_rules_of_the_library_have_no_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text("from rollwise.games.pig import Pig\nclass Own(Pig):\n    def mover(self, state): return 7\n")
    _, _, err = run(capsys, "check", str(path))
    assert "mover()" in err
    assert "(own.py, line 3)" in err
