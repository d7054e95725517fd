"""Stored solutions that were damaged or forged: refused and solved again, or still right, through every door."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rollwise
from rollwise import AtLeast, Fewest, GameError
from rollwise import cache as cached
from rollwise.cache import CacheError
from rollwise.cli.main import main
from rollwise.extending import Solver
from rollwise.games import load
from rollwise.games.sheets.boxes import Box
from rollwise.games.sheets.rules import Sheet
from rollwise.playing.explain import Reasons
from rollwise.solvers.base import array_files as store_blocks
from rollwise.solvers.base.array_files import DIGEST, ArrayFile, Checked, seal, write_array
from rollwise.solvers.graph.solver import GraphSolver
from tests.web_client import SMALL, ask, connect, solve

BOXES = "ones,straight"
SHEET = ["yazy", "-p", f"boxes={BOXES}"]
WORDS = ["words", "-p", "dice=ABC,ABC", "-p", "words=AA,BC"]
DUEL = ["yazy", "-p", f"boxes={BOXES}", "--objective", "duel"]
RECORD = f"""game: yazy
parameters: boxes={BOXES}
roll: 11234 2 all
move: ones
roll: 12345 2 straight
move: straight
"""

Damage = Callable[[Path], object]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every solution, however quick it was."""
    monkeypatch.setattr(Solver, "worth_seconds", 0.0)
    monkeypatch.setattr(GraphSolver, "worth_seconds", 0.0)


def change(file: Path, place: int, by: int = 1) -> None:
    """Change one byte."""
    content = bytearray(file.read_bytes())
    content[place] ^= by
    file.write_bytes(content)


def positions(entry: Path) -> list[tuple[str, int]]:
    return [(file.name, place) for file in sorted(entry.iterdir()) for place in range(file.stat().st_size)]


def sample(entry: Path, count: int) -> list[tuple[str, int]]:
    """Take some bytes of every file, always the same ones, the first and the last of them included."""
    found: list[tuple[str, int]] = []
    for file in sorted(entry.iterdir()):
        size = file.stat().st_size
        found += [(file.name, place) for place in {0, size - 1, *random.Random(file.name).sample(range(size), min(count, size))}]
    return found


# One byte of any file, through every command


def doors(directory: Path) -> dict[str, list[str]]:
    """The commands that answer from a stored sheet, without what they write into files."""
    place = ["--cache", str(directory)]
    return {
        "advise": ["advise", *SHEET, *place, "--state", "11234 1 all", "--json"],
        "advise with outlook": ["advise", *SHEET, *place, "--state", "11234 1 all", "--outlook"],
        "distribution": ["distribution", *SHEET, *place, "--json"],
        "simulate": ["simulate", *SHEET, *place, "--games", "50", "--seed", "1", "--json"],
        "policy": ["policy", *SHEET, *place, "-o", str(directory.parent / "strategy.csv"), "--limit", "300"],
        "grade": ["grade", str(directory.parent / "record.txt"), *place],
    }


def answer(capsys: pytest.CaptureFixture[str], command: list[str]) -> str:
    """Run a command and give what it says, the file that it writes included."""
    code, out, err = run(capsys, *command)
    assert code == 0
    assert err.count("\n") <= 1, err
    assert not err or err.endswith(": solving again\n"), err
    return out + Path(command[command.index("-o") + 1]).read_text() if command[0] == "policy" else out


def served(directory: Path) -> Any:
    """Ask the server."""
    with connect(directory) as client:
        request = {"game": "yazy", "parameters": {"boxes": BOXES}}
        solve(client, request)
        return ask(client, "/api/advise", **request, state="11234 1 all")


@pytest.fixture
def stored(tmp_path: Path, capsys: pytest.CaptureFixture[str], all_kept: None) -> Path:
    """A store with one sheet, a copy of it beside it, and the record of a game on that sheet."""
    directory = tmp_path / "store"
    game = load("yazy", boxes=BOXES)
    cached.solve(game, directory=directory, name="yazy", parameters={"boxes": BOXES})
    shutil.copytree(directory, tmp_path / "copy")
    (tmp_path / "record.txt").write_text(RECORD)
    return directory


def try_bytes(capsys: pytest.CaptureFixture[str], directory: Path, places: list[tuple[str, int]], by: int, step: int) -> None:
    """Change each byte alone: every `step`-th door says the same as before, and a bad entry makes way for a good one."""
    commands = doors(directory)
    asked = {name: partial(answer, capsys, command) for name, command in commands.items()} | {
        "server": partial(served, directory)
    }
    import_module("rollwise.solvers.sheets.kernels.outcomes_numba")  # whoever follows uses it then: the same to the last bit
    right = {name: ask() for name, ask in asked.items()}
    entry = next(directory.iterdir())
    cache = ("--cache", str(directory))
    for number, (name, place) in enumerate(places):
        for door in list(asked)[number % step :: step]:
            change(entry / name, place, by)
            assert run(capsys, "cache", "list", *cache)[0] == 0
            sound = run(capsys, "cache", "verify", *cache)[0] == 0
            assert asked[door]() == right[door], (name, place, door)
            if not sound and door != "advise":
                assert run(capsys, "cache", "verify", *cache)[0] == 0, "it was solved again"
            shutil.copytree(directory.parent / "copy" / entry.name, entry, dirs_exist_ok=True)


@pytest.mark.full
def test_one_changed_byte_through_every_door(capsys: pytest.CaptureFixture[str], stored: Path) -> None:
    places = [("manifest.json", 700), ("table.npy", 40), ("table.npy", -30), ("hand_effect.npy", -3)]
    try_bytes(capsys, stored, places, 1, 1)


@pytest.mark.audit
@pytest.mark.parametrize("part", range(13))
def test_every_byte_through_some_door(capsys: pytest.CaptureFixture[str], stored: Path, part: int) -> None:
    """All bytes of an entry; what loads it is the same for all doors, so that each byte tries one of them."""
    try_bytes(capsys, stored, positions(next(stored.iterdir()))[part::13], 1, 7)


TINY = Sheet([Box("sum", sum), Box("pair", lambda hand: 5 * (hand[0] == hand[1]))], count=2, faces=3, rerolls=1)
KINDS: dict[str, tuple[Any, Any]] = {
    "points": (TINY, AtLeast(7)),
    "words": (load("words", dice="ABC,ABC", words="AA,BC"), Fewest()),
    "groups": (load("groups", faces="4", sizes="1,2"), Fewest()),
    "graph": (load("groups", faces="3", sizes="1,2", view="raw"), Fewest()),
    "duel": (TINY, rollwise.Duel()),
}


def decisions(solution: rollwise.Solution) -> list[Any]:
    return [(row.state, row.value, row.action) for row in islice(solution.policy(), 40)]


def check_bytes(directory: Path, kind: str, places: Callable[[Path], list[tuple[str, int]]], by: int) -> None:
    """Change each byte alone: a kept game gives the same decisions, and never anything but a `CacheError`."""
    game, objective = KINDS[kind]
    right = decisions(cached.solve(game, objective, directory=directory, worth_seconds=0))
    (entry,) = directory.iterdir()
    copy = directory.parent / "copy"
    shutil.copytree(entry, copy)
    for name, place in places(copy):
        change(entry / name, place, by)
        assert [found.path for found in cached.entries(directory)] == [entry]
        lines: list[str] = []
        try:
            found = decisions(cached.solve(game, objective, directory=directory, refused=lines.append, whole=False))
        except CacheError:
            found = decisions(cached.solve(game, objective, directory=directory, refused=lines.append))
            assert len(lines) == 1
        assert found == right, (name, place)
        shutil.copytree(copy, entry, dirs_exist_ok=True)


@pytest.mark.parametrize("kind", KINDS)
def test_one_changed_byte_of_any_kind(tmp_path: Path, kind: str) -> None:
    check_bytes(tmp_path / "store", kind, lambda entry: sample(entry, 1), 2)


@pytest.mark.audit
@pytest.mark.parametrize("kind", KINDS)
def test_every_byte_of_any_kind(tmp_path: Path, kind: str) -> None:
    check_bytes(tmp_path / "store", kind, positions, 4)


# Blocks


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(store_blocks, "BLOCK", 256)
    return 256


def stored_array(directory: Path, values: Any) -> ArrayFile:
    with (directory / "values.npy").open("wb") as stream:
        facts = write_array(stream, values)
    return ArrayFile.find(directory, "values.npy", json.loads(json.dumps(facts)))


@pytest.mark.parametrize("shape", [(), (0,), (1,), (5, 0), (70000,), (300, 7), (2, 3, 4)])
@pytest.mark.parametrize("kind", ["bool", "int32", "float64", "float32"])
def test_arrays_come_back(tmp_path: Path, shape: tuple[int, ...], kind: str) -> None:
    values = (np.arange(np.prod(shape, dtype=np.int64)) * 7 % 11).reshape(shape).astype(kind)
    for given in (values, np.asarray(values, order="F")):
        file = stored_array(tmp_path, given)
        for read in (file.read(), np.asarray(Checked(file)), np.load(tmp_path / "values.npy")):
            assert (read.dtype, read.shape, read.tolist()) == (values.dtype, shape, values.tolist())


def test_an_array_of_objects_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_bytes(b"\1" * 128)
    with pytest.raises(CacheError, match="expected numbers"):
        ArrayFile.find(tmp_path, "a.npy", {"dtype": "|O", "shape": [8], "bytes": 128, "blocks": "0" * DIGEST})


def test_only_blocks_that_are_read_are_compared(tmp_path: Path, small_blocks: int) -> None:
    values = np.arange(400.0).reshape(20, 20)
    file = stored_array(tmp_path, values)
    change(tmp_path / "values.npy", -1)
    checked: Any = Checked(file)
    rows, columns = np.array([[0], [3]]), np.array([0, 5, -1])
    assert checked[2, 3] == 43
    assert checked[-12, -1] == 179
    assert checked[rows, columns].tolist() == values[rows, columns].tolist()
    assert (len(checked), checked.size, checked.nbytes, checked.ndim) == (20, 400, 3200, 2)
    unsafe: list[Callable[[], Any]] = [
        lambda: checked[19, 19], lambda: checked[rows, -1 - rows * 0][0] if checked[-1, -1] else 0, lambda: checked[19],
        lambda: checked[:2], lambda: checked[values < 3], lambda: np.asarray(checked), lambda: np.isnan(checked), file.read,
        lambda: list(checked),
    ]  # fmt: skip
    for read in unsafe:
        with pytest.raises(CacheError, match=r"the contents of values\.npy were changed"):
            read()
    with pytest.raises(IndexError):
        checked[20, 0]


def test_large_arrays_are_compared_by_several_threads(tmp_path: Path, small_blocks: int) -> None:
    file = stored_array(tmp_path, np.arange(20_000.0))
    assert file.n_blocks > 3 * store_blocks.RUN
    assert file.read()[-1] == 19_999
    for place in (0, 80_000, -1):
        change(tmp_path / "values.npy", place)
        with pytest.raises(CacheError, match="were changed"):
            file.read()
        change(tmp_path / "values.npy", place)


def test_damage_that_advice_meets_is_solved_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], small_blocks: int, all_kept: None
) -> None:
    for game, state, values in ((SHEET, "11234 1 all", "table"), (WORDS, "AB", "value")):
        directory = tmp_path / values
        command = ["advise", *game, "--cache", str(directory), "--state", state, "--json"]
        _, right, _ = run(capsys, *command)
        (entry,) = directory.iterdir()
        file = entry / f"{values}.npy"
        for place in range(file.stat().st_size - 8, 128, -64):
            change(file, place, 0x40)
        code, out, err = run(capsys, *command)
        assert (code, out) == (0, right)
        assert err.count("\n") == 1
        assert err.endswith("were changed: solving again\n")
        assert run(capsys, *command) == (0, right, "")


def test_advice_beside_the_damage_needs_no_solve(
    tmp_path: Path, small_blocks: int, all_kept: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("yazy", boxes="ones,twos,straight,full-house,sixes,fives")
    solution = cached.solve(game, directory=tmp_path)
    (entry,) = tmp_path.iterdir()
    change(entry / "table.npy", 128 + 8 * 33)
    monkeypatch.setattr("rollwise.solvers.solve.solve_with_options", None)
    lazy = cached.solve(game, directory=tmp_path, whole=False)
    state = game.read_state("11123 1 ones,twos")
    assert lazy.ranked(state) == solution.ranked(state)
    with pytest.raises(CacheError, match=r"table\.npy"):
        rollwise.distribution(lazy)
    with pytest.raises(CacheError, match=r"table\.npy"):
        list(lazy.policy())


def test_solve_replaces_what_is_damaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["solve", *SHEET, "--cache", str(tmp_path)]
    assert run(capsys, *command)[0] == 0
    (entry,) = tmp_path.iterdir()
    change(entry / "table.npy", -30, 0x40)
    assert run(capsys, "cache", "verify", "--cache", str(tmp_path))[0] == 2
    assert run(capsys, *command)[0] == 0
    assert run(capsys, "cache", "verify", "--cache", str(tmp_path))[0] == 0


# Things that are not files


def forge(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change facts and their checksum."""
    facts = json.loads(file.read_text())
    del facts["checksum"]
    change(facts)
    file.write_text(seal(facts))


def instead(file: Path, make: Damage) -> object:
    """Put something else in the place of a file."""
    file.unlink()
    return make(file)


HOSTILE: dict[str, Damage] = {
    "deep list": lambda file: file.write_text("[" * 100_000),
    "deep object": lambda file: file.write_text('{"a":' * 100_000 + "1" + "}" * 100_000),
    "half deep": lambda file: file.write_text('{"a":' + "[" * 900 + "]" * 900 + "}"),
    "long number": lambda file: file.write_text("9" * 10_000),
    "not text": lambda file: file.write_bytes(b"\xff\xfe\x00"),
    "empty": lambda file: file.write_bytes(b""),
    "a list": lambda file: file.write_text("[1]"),
    "a word": lambda file: file.write_text('"checksum"'),
    "a folder": lambda file: instead(file, Path.mkdir) or (file / "x").write_text(""),
    "a link to itself": lambda file: instead(file, lambda path: path.symlink_to(path)),
    "a link elsewhere": lambda file: instead(file, lambda path: path.symlink_to("/dev/zero")),
    "a pipe": lambda file: instead(file, os.mkfifo),
    "not there": Path.unlink,
}
HEADERS = [
    b"\x93NUMPY\x01\x00v\x00{'descr': " + b"(" * 100,
    b"\x93NUMPY\x09",
    b"\x93NUMPY\x02\x00\xff\xff\xff\x7f",
    b"PK\x03\x04",
]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *(("sheet", name) for name in HOSTILE),
        *(("duel", name) for name in ("deep list", "a folder", "a link to itself", "a pipe")),
    ],
)
def test_hostile_files(tmp_path: Path, kind: str, name: str, capsys: pytest.CaptureFixture[str], all_kept: None) -> None:
    game = DUEL if kind == "duel" else SHEET
    place = ("--cache", str(tmp_path))
    value = json.loads(run(capsys, "solve", *game, *place, "--json")[1])["value"]
    (entry,) = tmp_path.iterdir()
    for file in ("manifest.json", "layer-01.npy" if kind == "duel" else "table.npy"):
        HOSTILE[name](entry / file)
        code, _, err = run(capsys, "cache", "verify", *place)
        assert (code, err.count("\n")) == (2, 1)
        assert run(capsys, "cache", "list", *place)[0] == 0
        code, out, err = run(capsys, "solve", *game, *place, "--json")
        assert (code, json.loads(out)["value"]) == (0, value)
        assert err.count("\n") <= 1
        assert run(capsys, "cache", "verify", *place)[0] == 0
    for path in entry.iterdir():
        instead(path, lambda own: own.symlink_to(own))
    assert run(capsys, "cache", "clear", *place)[0] == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("header", HEADERS)
def test_hostile_headers(tmp_path: Path, header: bytes) -> None:
    game = load("yazy", boxes=BOXES)
    value = cached.solve(game, directory=tmp_path, worth_seconds=0).value()
    (entry,) = tmp_path.iterdir()
    content = (entry / "table.npy").read_bytes()
    (entry / "table.npy").write_bytes(header + content[len(header) :])
    assert cached.entries(tmp_path)[0].fault is None
    assert cached.verify(tmp_path)[0].fault == "is damaged: the contents of table.npy were changed"
    assert cached.solve(game, directory=tmp_path, worth_seconds=0).value() == value
    assert cached.verify(tmp_path)[0].fault is None


@pytest.mark.parametrize("what", [Path.touch, lambda path: path.symlink_to(path), lambda path: path.symlink_to("/nowhere")])
@pytest.mark.parametrize("game", [SHEET, DUEL])
def test_entries_that_are_no_folders(
    tmp_path: Path, game: list[str], what: Damage, capsys: pytest.CaptureFixture[str], all_kept: None
) -> None:
    place = ("--cache", str(tmp_path))
    assert run(capsys, "solve", *game, *place)[0] == 0
    (entry,) = tmp_path.iterdir()
    shutil.rmtree(entry)
    what(entry)
    assert run(capsys, "cache", "verify", *place)[0] == 2
    code, _, err = run(capsys, "solve", *game, *place)
    assert (code, err.count("\n")) == (0, 1)
    assert run(capsys, "cache", "verify", *place)[0] == 0


def test_old_formats_are_refused_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], all_kept: None) -> None:
    for game in (SHEET, DUEL):
        directory, file = tmp_path / game[-1], "manifest.json"
        place = ("--cache", str(directory))
        run(capsys, "solve", *game, *place)
        (entry,) = directory.iterdir()
        forge(entry / file, lambda facts: facts.update(format=facts["format"].replace("2", "1")))
        code, _, err = run(capsys, "solve", *game, *place)
        assert (code, err.count("\n")) == (0, 1)
        assert "another format" in err
        assert run(capsys, "cache", "verify", *place)[0] == 0


# The store and the server


@pytest.mark.parametrize("deed", ["list", "verify", "clear"])
def test_a_store_that_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], deed: str) -> None:
    (tmp_path / "file").write_text("mine")
    code, out, err = run(capsys, "cache", deed, "--cache", str(tmp_path / "file"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "is no folder" in err
    assert (tmp_path / "file").read_text() == "mine"
    assert run(capsys, "cache", deed, "--cache", str(tmp_path / "not there"))[0] == 0
    code, _, err = run(capsys, "cache", deed, "--cache", "x" * 5000)
    assert (code, err.count("\n")) == (2, 1)
    with pytest.raises(GameError, match="no folder"):
        cached.entries(tmp_path / "file")


def test_a_bad_entry_does_not_disturb_the_server(tmp_path: Path, all_kept: None) -> None:
    with connect(tmp_path) as client:
        right = {name: solve(client, request)["result"]["value"] for name, request in SMALL.items()}
    for entry in tmp_path.iterdir():
        for file in entry.iterdir():
            change(file, 5) if file.suffix == ".npy" else file.write_text("[" * 100_000)
    (tmp_path / "sheet-000000000000000000000000").mkdir()
    (tmp_path / "duel-000000000000000000000000").symlink_to("/nowhere")
    with connect(tmp_path) as client:
        for name, request in SMALL.items():
            assert solve(client, request)["result"]["value"] == right[name]
        answer = ask(client, "/api/advise", **SMALL["sheet"], state="11234 1 all")
        assert answer["moves"]
    faulty = {entry.path.name for entry in cached.verify(tmp_path) if entry.fault}
    assert faulty == {"sheet-000000000000000000000000", "duel-000000000000000000000000"}


# What is read later


def seen_blocks(solution: Any) -> set[tuple[str, int]]:
    arrays = [*vars(solution.explored.graph).values(), *vars(solution.result.values).values()]
    checked = [array for array in arrays if isinstance(array, Checked)]
    return {(array.path, block) for array in checked for block in np.flatnonzero(array._seen).tolist()}


@pytest.mark.parametrize("more", ["--json", "--why"])
def test_a_block_that_only_reasons_read_is_damaged(
    more: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, all_kept: None
) -> None:
    monkeypatch.setattr(store_blocks, "BLOCK", 1 << 8)
    game = load("pig", target=20)
    cached.save(rollwise.solve(game), tmp_path)
    found: Any = cached.load(game, None, tmp_path, whole=False)
    state = game.read_state("3 4 first 5")
    best = rollwise.advise(found, state, outlook=False).moves[0].action
    before = seen_blocks(found)
    Reasons(found).parts(state, best)
    file, block = min(seen_blocks(found) - before)
    command = ["advise", "pig", "-p", "target=20", "--cache", str(tmp_path), "--state", "3 4 first 5", more]
    code, right, _ = run(capsys, *command)
    assert code == 0
    change(Path(file), block << 8)
    code, out, err = run(capsys, *command)
    assert (code, out, err.count("\n")) == (0, right, 1)
    assert run(capsys, *command) == (0, right, "")


CUT = """
import os, sys
from pathlib import Path
from rollwise import cache as cached
from rollwise.cache import CacheError
from rollwise.games import load

game, whole = load("pig", target=20), sys.argv[2] == "whole"
found = cached.load(game, None, Path(sys.argv[1]), whole=whole)
right = len(list(found.policy())) if whole else found.value()
for file in Path(sys.argv[1]).glob("*/*.npy"):
    os.truncate(file, 0)
try:
    assert right == len(list(found.policy()))
except CacheError:
    assert not whole
print(cached.solve(game, directory=Path(sys.argv[1])).value())
"""


@pytest.mark.parametrize("how", [pytest.param("whole", marks=pytest.mark.full), "lazy"])
def test_an_entry_that_is_cut_short_while_it_is_used(how: str, tmp_path: Path) -> None:
    solution = rollwise.solve(load("pig", target=20))
    cached.save(solution, tmp_path)
    ran = subprocess.run([sys.executable, "-c", CUT, str(tmp_path), how], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, f"{solution.value()}\n"), ran.stderr


def test_a_mapped_entry_that_is_cut_short_is_not_read_by_the_server(
    tmp_path: Path, all_kept: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rollwise.cache.files.MAPPED", 0)
    with connect(tmp_path) as client:
        right = solve(client, SMALL["sheet"])["result"]["value"]
    with connect(tmp_path) as client:
        solve(client, SMALL["sheet"])
        for file in tmp_path.glob("sheet-*/*.npy"):
            os.truncate(file, 0)
        assert client.post("/api/advise", json={**SMALL["sheet"], "state": "11234 1 all"}).status_code == 409
        assert solve(client, SMALL["sheet"])["result"]["value"] == right
        assert ask(client, "/api/advise", **SMALL["sheet"], state="11234 1 all")["moves"]
