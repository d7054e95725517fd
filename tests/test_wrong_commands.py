"""Every wrong command line gets one line that says what was expected, and leaves nothing behind."""

import io
import shlex
from pathlib import Path

import pytest

from rollwise.cli.parsing import COMMANDS
from tests.terminal import run
from tests.wrong_files import make_files

HUGE = str(10**400)
TABLE = Path(__file__).with_name("wrong_commands.txt").read_text(encoding="utf-8").splitlines()
ROWS: dict[str, list[list[str]]] = {}
for row in TABLE:
    if row and not row.startswith("#"):
        ROWS.setdefault(row.split()[0], []).append(row.split(" => "))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wrong")
    make_files(place)
    return place


def words(line: str) -> list[str]:
    return [] if line == "''" else shlex.split(line.replace("{huge}", HUGE))


def listing(place: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in place.rglob("*") if "__pycache__" not in path.parts}


@pytest.mark.parametrize("command", list(ROWS))
def test_one_line_and_nothing_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, files: Path, tmp_path: Path, command: str
) -> None:
    monkeypatch.chdir(files)
    for number, (line, part) in enumerate(ROWS[command]):
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / str(number)))  # what an earlier row solved must not count
        before = listing(files)
        code, out, err = run(capsys, *words(line))
        assert (code, out) == (2, ""), line
        assert err.startswith("rollwise"), line
        assert err.endswith("\n"), line
        assert len(err.splitlines()) == 1, line
        assert part in err, line
        assert listing(files) == before, line


def test_every_command_has_a_row() -> None:
    assert {command.__name__.rpartition(".")[2] for command in COMMANDS} <= set(ROWS)
