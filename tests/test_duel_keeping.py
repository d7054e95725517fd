"""Duels in a cache while things happen to it: cleared, full, or too small for what is asked."""

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import pytest

import rollwise
from rollwise import cache
from rollwise.cli.main import main
from rollwise.games.yahtzee import Yazy
from rollwise.solvers.base.array_files import seal
from rollwise.solvers.base.layer_files import LayerFiles
from rollwise.solvers.base.locks import locked
from rollwise.solvers.base.writing import CannotWrite
from rollwise.solvers.sheets.duel import DuelSolution

BOXES = "ones,straight"
GAME = ["yazy", "-p", f"boxes={BOXES}", "--objective", "duel"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture(scope="module")
def solution() -> DuelSolution:
    return cast("DuelSolution", rollwise.solve(Yazy(boxes=BOXES.split(",")), rollwise.Duel()))


@pytest.fixture(autouse=True)
def always_in_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every duel layer by layer, however small it is."""
    monkeypatch.setattr("rollwise.cache.api.CHECKPOINT_SECONDS", 0.0)


def solve_with(solution: DuelSolution, directory: Path, deed: Callable[[], object]) -> list[str]:
    """Solve a duel in a cache and do something in the middle of it; the answer is right. Give what was said."""
    lines: list[str] = []
    done: list[object] = []

    def progress(what: str, now: int, total: int | None) -> None:
        if total and now > total // 2 and not done:
            done.append(deed())

    found = cache.solve(solution.sheet, rollwise.Duel(), directory=directory, progress=progress, refused=lines.append)
    assert done
    assert found.value() == solution.value()
    state = found.game.read_state("11123 1 ones vs ones lead 0")
    assert found.ranked(state) == solution.ranked(state)
    return lines


def test_clearing_leaves_a_duel_that_is_being_solved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], solution: DuelSolution
) -> None:
    cache.save(rollwise.solve(solution.sheet), tmp_path)

    def clear() -> None:
        code, out, _ = run(capsys, "cache", "clear", "--cache", str(tmp_path))
        assert code == 0
        assert out.startswith("1 solved game, ")
        assert out.endswith("; 1 more that is in use stayed\n")
        _, out, _ = run(capsys, "cache", "clear", "--cache", str(tmp_path), "--json")
        assert [len(json.loads(out)[key]) for key in ("entries", "in_use")] == [0, 1]

    assert solve_with(solution, tmp_path, clear) == []
    assert [entry.fault for entry in cache.verify(tmp_path)] == [None]
    assert len(cache.clear(tmp_path)) == 1
    assert list(tmp_path.iterdir()) == []


def test_removing_a_duel_that_is_being_solved_costs_only_its_files(tmp_path: Path, solution: DuelSolution) -> None:
    lines = solve_with(solution, tmp_path / "store", lambda: shutil.rmtree(tmp_path / "store"))
    assert len(lines) == 1
    assert lines[0].startswith("the duel is not cached: cannot write")


def test_an_entry_that_is_being_written_is_not_cleared(tmp_path: Path) -> None:
    with locked(tmp_path / ".part-0"):
        cache.clear(tmp_path)
        assert (tmp_path / ".part-0").is_dir()
    cache.clear(tmp_path)
    assert list(tmp_path.iterdir()) == []


def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.solvers.base.layer_files.disk_usage", lambda _: type("Usage", (), {"free": 100}))


def test_a_duel_without_disk_room_is_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, solution: DuelSolution
) -> None:
    no_room(monkeypatch)
    code, out, err = run(capsys, "solve", *GAME, "--cache", str(tmp_path), "--json")
    assert (code, err.count("\n")) == (0, 1)
    assert json.loads(out)["value"] == solution.value()
    assert err.startswith("rollwise: the duel is not cached: a duel of 2 boxes, ")
    assert "where 0.0 GiB are free" in err
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solution: DuelSolution) -> None:
    write = LayerFiles.write

    def fill(files: LayerFiles, left: int, values: Any) -> Any:
        if left > 2:
            raise CannotWrite("cannot write 'there': No space left on device")
        return write(files, left, values)

    monkeypatch.setattr(LayerFiles, "write", fill)
    lines: list[str] = []
    found = cache.solve(solution.sheet, rollwise.Duel(), directory=tmp_path, refused=lines.append)
    assert found.value() == solution.value()
    assert lines == ["the duel is not cached: cannot write 'there': No space left on device"]
    assert [entry.objective for entry in cache.verify(tmp_path)] == ["duel, float64: 3 of 5 layers"]
    monkeypatch.undo()
    assert cache.solve(solution.sheet, rollwise.Duel(), directory=tmp_path).value() == solution.value()
    assert [(entry.objective, entry.fault) for entry in cache.verify(tmp_path)] == [("duel, float64", None)]


def test_neither_room_nor_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, solution: DuelSolution
) -> None:
    no_room(monkeypatch)
    plan = rollwise.plan(solution.sheet, rollwise.Duel(), rollwise.extending.SolveOptions(checkpoint=tmp_path))
    there = type("Memory", (), {"total": plan.memory_bytes})
    monkeypatch.setattr("psutil.virtual_memory", lambda: there)
    monkeypatch.setattr("rollwise.solvers.base.memory.MEMORY_SHARE", 1.0)
    code, out, err = run(capsys, "solve", *GAME, "--cache", str(tmp_path))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "are free" in err
    assert "; and in memory, " in err
    assert err.endswith("use fewer boxes\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
@pytest.mark.parametrize(
    ("game", "hint"), [("kniffel", "a sheet with fewer boxes and no bonus fits, such as yazy"), ("maxi-yatzy", "use fewer boxes")]
)
def test_a_refused_duel_leaves_nothing_and_says_what_can_be_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, hint: str
) -> None:
    code, out, err = run(capsys, "solve", game, "--objective", "duel", "--cache", str(tmp_path))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert hint in err
    assert list(tmp_path.iterdir()) == []


def test_a_duel_that_is_stopped_at_once_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solution: DuelSolution
) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(LayerFiles, "write", stop)
    with pytest.raises(KeyboardInterrupt):
        cache.solve(solution.sheet, rollwise.Duel(), directory=tmp_path)
    assert list(tmp_path.iterdir()) == []


# Facts of a duel that were changed


def stop_before_the_end(solution: DuelSolution, directory: Path) -> None:
    """Leave an unfinished entry, of which some layers are there."""

    def stop(what: str, now: int, total: int | None) -> None:
        if total and now > total - 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cache.solve(solution.sheet, rollwise.Duel(), directory=directory, progress=stop)


@pytest.mark.parametrize("number", [0, 3])
@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("key", ["solve", "format", "rollwise", "dtype", "layer", "first", "blocks"])
def test_a_changed_field_of_the_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], solution: DuelSolution, key: str, sealed: bool, number: int
) -> None:
    """Line 0 says what is solved, line 3 records a layer; `sealed` lines have the checksum of what they say."""
    place = ("--cache", str(tmp_path))
    stop_before_the_end(solution, tmp_path)
    assert run(capsys, "cache", "verify", *place)[0] == 0
    (entry,) = tmp_path.iterdir()
    path = entry / "journal.jsonl"
    lines = path.read_bytes().split(b"\n")
    text, _, checksum = lines[number].rpartition(b" ")
    facts = json.loads(text)
    if key not in facts:
        return
    text = json.dumps({**facts, key: 2 if key in ("layer", "first") else "0123456789abcdef"}, sort_keys=True).encode()
    head = lines[0].rpartition(b" ")[0] if number else b""
    lines[number] = text + b" " + (sha256(head + b"\n" + text).hexdigest()[:16].encode() if sealed else checksum)
    path.write_bytes(b"\n".join(lines))
    code, out, err = run(capsys, "solve", *GAME, *place, "--json")
    assert code == 0
    assert sealed or err.count("\n") == 1
    assert json.loads(out)["value"] == solution.value()
    assert run(capsys, "cache", "verify", *place)[0] == 0


@pytest.mark.parametrize("sealed", [True, False])
def test_a_changed_value_is_not_listed_as_good(tmp_path: Path, solution: DuelSolution, sealed: bool) -> None:
    cache.solve(solution.sheet, rollwise.Duel(), directory=tmp_path)
    (entry,) = tmp_path.iterdir()
    facts = {**json.loads((entry / "manifest.json").read_text()), "value": 0.689}
    checksum = facts.pop("checksum")
    (entry / "manifest.json").write_text(seal(facts) if sealed else json.dumps({**facts, "checksum": checksum}))
    assert sealed or cache.entries(tmp_path)[0].fault == "is damaged: its manifest was changed"
    ticks: list[Any] = []
    cache.solve(solution.sheet, rollwise.Duel(), directory=tmp_path, progress=lambda *args: ticks.append(args))
    assert ticks == [], "the layers are good, and nothing is computed again"
    assert [(found.value, found.fault) for found in cache.verify(tmp_path)] == [(solution.value(), None)]


def test_advice_meets_a_damaged_layer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], solution: DuelSolution, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["advise", *GAME, "--cache", str(tmp_path), "--state", "11123 1 all vs all lead 0", "--json"]
    _, right, _ = run(capsys, *command)
    (entry,) = tmp_path.iterdir()
    content = bytearray((entry / "layer-03.npy").read_bytes())
    content[-1] ^= 1
    (entry / "layer-03.npy").write_bytes(content)
    code, out, err = run(capsys, *command)
    assert (code, out, err.count("\n")) == (0, right, 1)
    assert "layer 3" in err
    assert run(capsys, *command) == (0, right, "")
