"""Solved games on disk: the same answers, refused when damaged, and safe from other processes and from being killed."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import rollwise
from rollwise import AtLeast, Expected, Fewest, cache
from rollwise.cache import CacheError
from rollwise.cache import files as store_files
from rollwise.cache import limit as store_limit
from rollwise.cli.main import main
from rollwise.extending import SolveOptions, Solver
from rollwise.games import load
from rollwise.games.sheets.boxes import Box
from rollwise.games.sheets.rules import Sheet
from rollwise.model.game import Game
from rollwise.model.objective import Objective
from rollwise.solvers.base import array_files as store_blocks
from rollwise.solvers.base.locks import locked
from rollwise.solvers.choose_solver import choose_solver

YAZY = {"boxes": "ones,straight,full-house"}
SUMS = [Box("sum", sum), Box("pair", lambda hand: 5 * (hand[0] == hand[1]))]

GAMES: dict[str, tuple[Game[Any, Any, Any], Objective]] = {
    "sheet": (load("yazy", **YAZY), Expected()),
    "sheet with joker": (load("yahtzee"), Expected()),
    "sheet in order": (Sheet(SUMS, count=2, faces=3, in_order=True), Expected()),
    "words": (load("words", dice="ABC,ABC,BCD", words="ABC,BBD"), Fewest()),
    "impossible words": (load("words", dice="AB,CD", words="XX"), Fewest()),
    "groups": (load("groups", faces="6", sizes="1,2,3"), Fewest()),
    "graph": (load("slots"), AtLeast(45)),
    "lifted graph": (load("yazy", boxes="ones"), AtLeast(3)),
    "graph with cycles": (load("groups", faces="3", sizes="1,2", view="raw"), Fewest()),
    "points": (load("yazy", **YAZY), AtLeast(30)),
    "duel": (load("yazy", boxes="ones,straight", rerolls="1"), rollwise.Duel()),
}


@pytest.fixture
def small(tmp_path: Path) -> tuple[Game[Any, Any, Any], Path, Path]:
    """A small sheet, a cache with its solution, and its entry."""
    game = load("yazy", **YAZY)
    return game, tmp_path, cache.save(rollwise.solve(game), tmp_path, name="yazy", parameters=YAZY)


@pytest.mark.parametrize("name", GAMES)
def test_a_loaded_solution_is_the_solution(name: str, tmp_path: Path) -> None:
    game, objective = GAMES[name]
    solution = rollwise.solve(game, objective)
    assert cache.load(game, objective, tmp_path) is None
    path = cache.save(solution, tmp_path)
    loaded = cache.load(game, objective, tmp_path)
    assert loaded is not None
    assert type(loaded) is type(solution)
    for fact in ("objective", "certificate", "engine", "seconds", "states", "pendings", "fingerprint"):
        assert getattr(loaded, fact) == getattr(solution, fact)
    assert loaded.value() == solution.value()
    for row, other in zip(islice(loaded.policy(), 200), islice(solution.policy(), 200), strict=True):
        assert row == other
        assert loaded.ranked(row.state) == solution.ranked(row.state)
    assert [entry.path for entry in cache.verify(tmp_path) if entry.fault is None] == [path]
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_other_rules_are_another_entry(small: tuple[Any, Path, Path]) -> None:
    _, directory, _ = small
    others = [load("yazy", boxes="ones,straight"), load("yazy", **YAZY, rerolls="1"), load("yahtzee"), load("kniffel")]
    assert [cache.load(game, None, directory) for game in others] == [None] * 4
    keys = {
        choose_solver(load("yahtzee", joker=joker), Expected(), SolveOptions()).key(load("yahtzee", joker=joker), Expected())
        for joker in ("free", "forced", "none")
    }
    assert len(keys) == 3
    slots = rollwise.solve(load("slots"), AtLeast(45))
    cache.save(slots, directory)
    assert cache.load(load("slots"), AtLeast(46), directory) is None
    assert cache.load(load("slots"), Expected(), directory) is None


def test_graphs_with_the_same_hint_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.solvers.graph.solver.GraphSolver.key", lambda *_: "graph-00000000-")
    for target in (45, 46):
        cache.save(rollwise.solve(load("slots"), AtLeast(target)), tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    for target in (45, 46):
        found = cache.load(load("slots"), AtLeast(target), tmp_path)
        assert found is not None
        assert found.value() == rollwise.solve(load("slots"), AtLeast(target)).value()
    assert cache.load(load("slots"), AtLeast(44), tmp_path) is None


def test_exact_solutions_are_not_kept(small: tuple[Any, Path, Path]) -> None:
    game, directory, _ = small
    exact = rollwise.solve(game, exact=True)
    assert cache.load(game, None, directory, exact=True) is None
    assert cache.solve(game, exact=True, directory=directory, worth_seconds=0).value() == exact.value()
    with pytest.raises(CacheError, match="exact solutions are not stored"):
        cache.save(exact, directory)
    assert len(cache.entries(directory)) == 1


def test_solve_keeps_only_what_took_long(tmp_path: Path) -> None:
    game = load("yazy", boxes="ones")
    cache.solve(game, directory=tmp_path, worth_seconds=1000)
    assert not list(tmp_path.iterdir())
    cache.solve(game, directory=tmp_path, worth_seconds=0, name="one box")
    assert [entry.name for entry in cache.entries(tmp_path)] == ["one box"]


def truncate(entry: Path) -> None:
    os.truncate(entry / "table.npy", 100)


def flip(entry: Path) -> None:
    """Change one bit of a value that no check but the checksum can see."""
    with (entry / "table.npy").open("r+b") as file:
        file.seek(-20, os.SEEK_END)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))


def edit(entry: Path, forge: bool = True, **changes: Any) -> None:
    """Change the manifest; with `forge`, its checksum too."""
    manifest = {**json.loads((entry / "manifest.json").read_text()), **changes}
    if forge:
        del manifest["checksum"]
        manifest["checksum"] = store_blocks._digest(manifest)
    (entry / "manifest.json").write_text(json.dumps(manifest))


def pickled(entry: Path) -> None:
    size = (entry / "table.npy").stat().st_size
    (entry / "table.npy").write_bytes(b"\x80\x04".ljust(size, b"x"))


def another_game(entry: Path) -> None:
    shutil.rmtree(entry)
    other = cache.save(rollwise.solve(load("yazy", boxes="ones")), entry.parent)
    other.rename(entry)


def a_file(entry: Path) -> None:
    shutil.rmtree(entry)
    entry.write_text("not a directory")


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "truncated": (truncate, "table.npy has 100 bytes, expected"),
    "one bit": (flip, "contents of table.npy were changed"),
    "missing array": (lambda entry: (entry / "table.npy").unlink(), "table.npy has 0 bytes"),
    "missing manifest": (lambda entry: (entry / "manifest.json").unlink(), "no readable manifest"),
    "truncated manifest": (lambda entry: os.truncate(entry / "manifest.json", 99), "no readable manifest"),
    "empty manifest": (lambda entry: (entry / "manifest.json").write_text("{}"), "another format"),
    "list": (lambda entry: (entry / "manifest.json").write_text("[]"), "another format"),
    "not an array": (pickled, "contents of table.npy were changed"),
    "changed manifest": (lambda entry: edit(entry, forge=False, value=1.0), "its manifest was changed"),
    "other format": (lambda entry: edit(entry, format="rollwise store 0"), "another format"),
    "other version": (lambda entry: edit(entry, rollwise="0.0.1"), "outdated: written by rollwise 0.0.1"),
    "other value": (lambda entry: edit(entry, value=1.0), "does not give the value"),
    "other rest": (lambda entry: edit(entry, rest={}), "does not fit the game"),
    "another game": (another_game, "belongs to another game"),
    "a file": (a_file, "no readable manifest"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_refused_and_solved_again(name: str, small: tuple[Any, Path, Path]) -> None:
    game, directory, entry = small
    damage, match = DAMAGE[name]
    value = rollwise.solve(game).value()
    damage(entry)
    with pytest.raises(CacheError, match=match) as caught:
        cache.load(game, None, directory)
    assert "\n" not in str(caught.value)
    lines: list[str] = []
    assert cache.solve(game, directory=directory, worth_seconds=0, refused=lines.append).value() == value
    assert len(lines) == 1
    assert re.search(f"{match}.*solving again", lines[0])
    loaded = cache.load(game, None, directory)
    assert loaded is not None
    assert loaded.value() == value
    assert [found.fault for found in cache.verify(directory)] == [None]
    assert list(directory.iterdir()) == [entry]


@pytest.mark.parametrize("name", ["truncated", "one bit", "missing manifest", "other version", "a file"])
def test_saving_replaces_a_damaged_entry_and_keeps_a_valid_one(name: str, small: tuple[Any, Path, Path]) -> None:
    game, directory, entry = small
    before = (entry / "manifest.json").stat().st_ino
    assert cache.save(rollwise.solve(game), directory) == entry
    assert (entry / "manifest.json").stat().st_ino == before
    DAMAGE[name][0](entry)
    cache.save(rollwise.solve(game), directory)
    assert [found.fault for found in cache.verify(directory)] == [None]


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    game = load("yazy", boxes="ones")
    (tmp_path / "file").write_text("")
    lines: list[str] = []
    solution = cache.solve(game, directory=tmp_path / "file" / "cache", worth_seconds=0, refused=lines.append)
    assert solution.value() == rollwise.solve(game).value()
    assert len(lines) == 1
    assert "cannot be written" in lines[0]


def test_a_loaded_solution_survives_clearing(small: tuple[Any, Path, Path]) -> None:
    game, directory, _ = small
    loaded = cache.load(game, None, directory)
    assert [entry.name for entry in cache.clear(directory)] == ["yazy"]
    assert loaded is not None
    assert loaded.value() == rollwise.solve(game).value()
    assert cache.entries(directory) == cache.clear(directory) == []


def test_clearing_touches_nothing_else(small: tuple[Any, Path, Path]) -> None:
    _, directory, _ = small
    (directory / "mine.txt").write_text("keep me")
    (directory / "sheet-notes").mkdir()
    (directory / f"{store_files.TEMPORARY}0").mkdir()
    cache.clear(directory)
    assert sorted(path.name for path in directory.iterdir()) == ["mine.txt", "sheet-notes"]


# Other processes

SAVER = """
import sys, os, time
from pathlib import Path
import rollwise
from rollwise import cache
from rollwise.cache import files as store_files, api
from rollwise.games import load
game = load("yazy", boxes="ones,straight,full-house")
directory = Path(sys.argv[1])
"""

STOP_IN_SAVE = """
sync, left = os.fsync, int(sys.argv[2])
def stop(handle):
    global left
    left -= 1
    if left < 0:
        print("saving", flush=True)
        time.sleep(600)
    sync(handle)
store_files.os.fsync = stop
cache.save(rollwise.solve(game), directory)
"""

STOP_IN_SOLVE = """
def stop(*_):
    print("solving", flush=True)
    time.sleep(600)
cache.solve(game, directory=directory, worth_seconds=0, progress=stop)
"""

SAVE_FOR_EVER = """
solution = rollwise.solve(game)
print("saving", flush=True)
while True:
    cache.save(solution, directory)
    store_files.discard(directory / api._solution_key(solution))
"""


def start(script: str, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", SAVER + script, *arguments], stdout=subprocess.PIPE, text=True)


def kill_after_a_line(process: "subprocess.Popen[str]", seconds: float = 0.0) -> None:
    assert process.stdout is not None
    assert process.stdout.readline()
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL


def assert_works(directory: Path) -> None:
    """The store gives the right answer, before and after it is asked to keep the solution."""
    game = load("yazy", **YAZY)
    value = rollwise.solve(game).value()
    lines: list[str] = []
    assert cache.solve(game, directory=directory, worth_seconds=0, refused=lines.append).value() == value
    loaded = cache.load(game, None, directory)
    assert loaded is not None
    assert loaded.value() == value
    assert lines == []
    assert [entry.fault for entry in cache.verify(directory)] == [None]


@pytest.mark.parametrize("synced", [0, 5, 13, 14])
def test_killed_in_the_middle_of_a_save(synced: int, tmp_path: Path) -> None:
    kill_after_a_line(start(STOP_IN_SAVE, str(tmp_path), str(synced)))
    left = list(tmp_path.iterdir())
    assert [path.name.startswith(store_files.TEMPORARY) for path in left] == [True], "the kill came in the middle"
    assert cache.entries(tmp_path) == []
    assert_works(tmp_path)
    assert left[0].exists(), "a writer may still be at it"
    os.utime(left[0], (0, 0))
    cache.save(rollwise.solve(load("yazy", boxes="ones")), tmp_path)
    assert not left[0].exists()
    assert len(cache.entries(tmp_path)) == 2


def test_killed_in_the_middle_of_a_solve(tmp_path: Path) -> None:
    kill_after_a_line(start(STOP_IN_SOLVE, str(tmp_path)))
    assert list(tmp_path.iterdir()) == []
    assert_works(tmp_path)


@pytest.mark.full
def test_killed_at_any_moment(tmp_path: Path) -> None:
    for seconds in (0.0, 0.013, 0.029):
        kill_after_a_line(start(SAVE_FOR_EVER, str(tmp_path)), seconds)
        assert [entry.fault for entry in cache.verify(tmp_path) if entry.fault] == []
        assert_works(tmp_path)


@pytest.mark.full
def test_many_processes_at_once(tmp_path: Path) -> None:
    script = "for _ in range(5): print(cache.solve(game, directory=directory, worth_seconds=0, refused=print).value())"
    processes = [start(script, str(tmp_path)) for _ in range(4)]
    answers = {line for process in processes for line in process.communicate()[0].splitlines()}
    assert answers == {str(rollwise.solve(load("yazy", **YAZY)).value())}
    assert [process.returncode for process in processes] == [0] * 4
    assert_works(tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


# The command line


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_the_cache_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.cache_directory() == tmp_path / "rollwise"
    monkeypatch.setenv("HOME", str(tmp_path))
    for text in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", text)
        assert cache.cache_directory() == tmp_path / ".cache" / "rollwise"


def test_commands_keep_and_load(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(Solver, "worth_seconds", 0.0)
    command = ["solve", "yazy", "-p", f"boxes={YAZY['boxes']}", "--json"]
    code, first, err = run(capsys, *command)
    assert (code, err) == (0, "")
    assert run(capsys, *command)[1] == first, "the time too is that of the solve"
    assert run(capsys, *command, "--no-cache")[1] != first
    monkeypatch.setattr("rollwise.solvers.solve.solve_with_options", None)
    assert run(capsys, *command)[1] == first
    elsewhere = tmp_path / "elsewhere"
    monkeypatch.undo()
    run(capsys, "solve", "slots", "--cache", str(elsewhere))
    assert len(list(elsewhere.iterdir())) == 1, "a folder that is named keeps every game"


def test_list_verify_and_clear(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, small: tuple[Any, Path, Path]
) -> None:
    _, directory, entry = small
    place = ("--cache", str(directory))
    code, out, _ = run(capsys, "cache", "list", *place)
    assert code == 0
    assert "yazy boxes=ones,straight,full-house" in out
    assert "1 solved game, 0.0 MB" in out
    code, out, _ = run(capsys, "cache", "verify", "--json", *place)
    listed = json.loads(out)["entries"]
    assert (code, len(listed)) == (0, 1)
    assert listed[0].keys() == {"entry", "game", "parameters", "objective", "value", "bytes", "created", "fault"}
    assert (listed[0]["entry"], listed[0]["parameters"], listed[0]["fault"]) == (entry.name, YAZY, None)
    flip(entry)
    code, out, err = run(capsys, "cache", "verify", *place)
    assert (code, err.count("\n")) == (2, 1)
    assert "1 of 1 stored games cannot be used" in err
    code, out, err = run(capsys, "solve", "yazy", "-p", f"boxes={YAZY['boxes']}", *place)
    assert (code, err.count("\n")) == (0, 1)
    assert err.startswith("rollwise: stored solution")
    assert err.endswith("solving again\n")
    assert "expected total" in out
    code, out, _ = run(capsys, "cache", "clear", *place)
    assert (code, list(directory.iterdir())) == (0, [])
    assert run(capsys, "cache", "list", *place)[1].startswith("0 solved games")
    assert "did you mean 'clear'" in run(capsys, "cache", "claer", *place)[2]


def test_a_solved_game_can_be_kept_elsewhere(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = tmp_path / "solved"
    assert main(["solve", "yazy", "-p", "boxes=ones,twos", "--cache", str(place)]) == 0
    assert main(["cache", "list", "--cache", str(place), "--json"]) == 0
    assert "ones,twos" in capsys.readouterr().out
    assert main(["advise", "yazy", "-p", "boxes=ones,twos", "--cache", str(place), "--state", "11234 1 all"]) == 0
    assert "keep 11" in capsys.readouterr().out


BOXES = ("ones", "twos", "threes", "fours")


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Path], int]:
    """The user's cache with entries that were used one after the other, and the size of all of them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = [cache.save(rollwise.solve(load("yazy", boxes=box))) for box in BOXES]
    for age, entry in enumerate(found):
        os.utime(entry / "manifest.json", (10**9 + age, 10**9 + age))
    return found, sum(map(store_files.size_of, found))


def test_what_was_used_longest_ago_makes_way(cached: tuple[list[Path], int]) -> None:
    entries, size = cached
    directory = entries[0].parent
    cache.set_limit(directory, size + 1000)
    assert cache.load(load("yazy", boxes=BOXES[0])) is not None
    told: list[str] = []
    cache.solve(load("yazy", boxes="fives"), worth_seconds=0, refused=told.append)
    assert [entry.exists() for entry in entries] == [True, False, True, True]
    assert len(told) == 1
    cache.solve(load("yazy", boxes="sixes"), worth_seconds=0, directory=directory.parent / "named", refused=told.append)
    assert (len(told), cache.limit_of(directory.parent / "named")) == (1, None)


def test_stopped_solves_make_way_first_and_what_is_written_stays(cached: tuple[list[Path], int]) -> None:
    entries, size = cached
    for entry in entries[2:]:
        (entry / "manifest.json").rename(entry / "begun.json")
    cache.set_limit(entries[0].parent, size - 1)
    with locked(entries[2]):
        assert cache.trim(entries[0].parent) == [entries[3]]
        cache.set_limit(entries[0].parent, 1)
        assert cache.trim(entries[0].parent) == entries[:2]
        assert entries[2].exists()
    assert cache.trim(entries[0].parent, spare=entries[2]) == []


def test_a_cache_that_grows_large_is_told_once(cached: tuple[list[Path], int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_limit, "LARGE", cached[1] + 1)
    told: list[str] = []
    for box in ("fives", "sixes"):
        cache.solve(load("yazy", boxes=box), worth_seconds=0, refused=told.append)
    assert len(told) == 1


def test_the_limit_of_a_cache(capsys: pytest.CaptureFixture[str], cached: tuple[list[Path], int]) -> None:
    assert json.loads(run(capsys, "cache", "list", "--json")[1])["limit"] == store_limit.DEFAULT_LIMIT
    assert run(capsys, "cache", "limit", "2GB")[0] == 0
    assert json.loads(run(capsys, "cache", "limit", "--json")[1])["limit"] == 2 * 10**9
    assert "2 GB" in run(capsys, "cache", "list")[1]
    assert run(capsys, "cache", "clear")[0] == 0
    assert cache.limit_of(cached[0][0].parent) == 2 * 10**9
