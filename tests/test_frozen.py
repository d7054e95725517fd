"""What commands answered before the modules moved to their rooms, they answer today.

`frozen.json` holds the JSON of each command, without times and without what rounding leaves (residuals). Numbers are compared to
1e-12. Answers may say more than they did; a change that is meant is a line of the file, and of the changelog.
"""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.terminal import GAME_FILE, run

FROZEN: dict[str, Any] = json.loads(Path(__file__).with_name("frozen.json").read_text(encoding="utf-8"))
LOOSE = {"seconds", "created", "residual", "shortfall"}
FILES = {
    "scores.txt": "20 1\n30 2\n45 1\n",
    "slots.txt": "game: slots\nroll: all 0 6\nmove: x3\nroll: flip,+4only12,x2even,+4odd,bin 18 2\nmove: +4only12\n",
    "bank.py": GAME_FILE,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that commands name, and a store that they share."""
    found = tmp_path_factory.mktemp("frozen")
    for name, text in FILES.items():
        (found / name).write_text(text)
    return found


def test_there_is_enough() -> None:
    assert len(FROZEN) >= 40
    assert {line.split()[0] for line in FROZEN} == {"advise", "grade", "simulate", "solve", "spread"}


@pytest.mark.parametrize("line", FROZEN)
def test_the_same_answer(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = shlex.split(line.replace("DIR", str(folder)))
    code, out, err = run(capsys, *arguments, "--json", "--cache", str(folder / "store"))
    assert (code, err) == (0, "")
    assert list(differences(FROZEN[line], json.loads(out.replace(str(folder), "DIR")))) == []


def differences(before: Any, after: Any, where: str = "") -> Any:
    """Name the places where an answer changed; there may be more in it than before."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() - LOOSE):
            gone = [f"{where}.{key} is gone"]
            yield from differences(before[key], after[key], f"{where}.{key}") if key in after else gone
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{where}[{place}]")
    elif isinstance(before, float) and isinstance(after, float):
        if before != pytest.approx(after, rel=1e-12, abs=1e-300):
            yield f"{where}: {before!r} became {after!r}"
    elif str(before).replace("-numba", "-numpy") != str(after).replace("-numba", "-numpy") or type(before) is not type(after):
        yield f"{where}: {before!r} became {after!r}"
