"""Wrong game files: whatever a stranger writes, one line on standard error and exit code 2."""

from pathlib import Path

import pytest

from rollwise.cli.main import main
from tests.wrong_games import GOOD, WRONG, Wrong

assert len(WRONG) >= 100
assert len({row.name for row in WRONG}) == len(WRONG)


def _run(row: Wrong, path: Path) -> int:
    command, *more = row.arguments
    return main([command, str(path), *more, *([] if command == "check" else ["--no-cache"])])


@pytest.mark.parametrize("row", WRONG, ids=lambda row: row.name)
def test_a_wrong_file_gets_one_line(
    row: Wrong, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "wrong.py"
    path.write_bytes(row.source.encode() if isinstance(row.source, str) else row.source)
    code = _run(row, path)
    out, err = capsys.readouterr()
    told = err.removeprefix("hello\n")
    assert (code, out) == (2, "")
    assert told.startswith("rollwise: ")
    assert told.endswith("\n")
    assert len(told.splitlines()) == 1
    assert len(told) < 800
    assert row.match in told


def test_the_game_that_the_others_break_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "right.py"
    path.write_text(GOOD)
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr() == ("no fault found in all 12 states and 7 pending rolls\n", "")
    assert main(["solve", str(path), "--exact", "--no-cache"]) == 0
