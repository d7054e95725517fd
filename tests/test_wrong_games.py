"""Wrong game files: whatever a stranger writes, one line on standard error and exit code 2."""

from pathlib import Path

import pytest

from rollwise.cli.main import main
from tests.wrong_games import GOOD, WRONG, Wrong


def _run(row: Wrong, path: Path) -> int:
    command, *more = row.arguments
    return main([command, str(path), *more, *([] if command == "check" else ["--no-cache"])])


@pytest.mark.parametrize("kind", list(WRONG))
def test_a_wrong_file_gets_one_line(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for row in WRONG[kind]:
        path = tmp_path / "wrong.py"
        path.write_bytes(row.source.encode() if isinstance(row.source, str) else row.source)
        code = _run(row, path)
        out, err = capsys.readouterr()
        assert (code, out) == (2, ""), row.name
        assert err.startswith("rollwise: "), row.name
        assert err.endswith("\n"), row.name
        assert len(err.splitlines()) == 1, row.name
        assert len(err) < 800, row.name
        assert row.match in err, row.name
        assert {found.name for found in tmp_path.iterdir()} <= {"wrong.py", "__pycache__"}, row.name


def test_the_game_that_the_others_break_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "right.py"
    path.write_text(GOOD)
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr() == ("no fault found in all 12 states and 7 pending rolls\n", "")
    assert main(["solve", str(path), "--exact", "--no-cache"]) == 0
