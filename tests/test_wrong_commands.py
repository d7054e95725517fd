"""Every wrong command line gets one line that says what was expected, and leaves nothing behind."""

import io
import shlex
from pathlib import Path

import pytest

from rollwise.cli.commands import COMMANDS
from rollwise.games import CATALOGUE
from tests.known_games import KNOWN
from tests.terminal import run
from tests.wrong_files import make_files

HUGE = str(10**400)
TABLE = Path(__file__).with_name("wrong_commands.txt").read_text(encoding="utf-8").splitlines()
ROWS = [tuple(row.split(" => ")) for row in TABLE if row and not row.startswith("#")]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wrong")
    make_files(place)
    return place


def words(line: str) -> list[str]:
    return [] if line == "''" else shlex.split(line.replace("{huge}", HUGE))


def listing(place: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in place.rglob("*") if "__pycache__" not in path.parts}


@pytest.mark.parametrize(("line", "part"), ROWS, ids=[line for line, _ in ROWS])
def test_one_line_and_nothing_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, files: Path, line: str, part: str
) -> None:
    monkeypatch.chdir(files)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    before = listing(files)
    code, out, err = run(capsys, *words(line))
    assert (code, out) == (2, "")
    assert err.startswith("rollwise")
    assert err.endswith("\n")
    assert len(err.splitlines()) == 1
    assert part in err
    assert listing(files) == before


def test_the_table_is_long_and_covers_every_command_and_game() -> None:
    lines = [line for line, _ in ROWS]
    assert len(lines) == len(set(lines)) >= 300
    assert {command.__name__.rpartition(".")[2] for command in COMMANDS} <= {words(line)[0] for line in lines if words(line)}
    refused = {name for name, known in KNOWN.items() if known.get("refused")}
    assert set(CATALOGUE) <= {word for line in lines for word in words(line)} | refused
