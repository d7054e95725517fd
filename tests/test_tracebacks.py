"""`--traceback`, and the method and line of a fault, which are named without it."""

from pathlib import Path

import pytest

from tests.terminal import run
from tests.wrong_games import game

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


"""Rules that do not fail, but give something wrong: the line where they begin is named."""


def test_rules_of_the_library_have_no_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text("from rollwise.games.pig import Pig\nclass Own(Pig):\n    def mover(self, state): return 7\n")
    _, _, err = run(capsys, "check", str(path))
    assert "mover()" in err
    assert "(own.py, line 3)" in err
