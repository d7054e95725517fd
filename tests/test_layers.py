"""Solving layer by layer: every layered form stops and goes on with the same bits, from a checkpoint and in a cache."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rollwise import Against, AtLeast, Duel, Expected, GameError, cache, solve
from rollwise.errors import EngineError
from rollwise.extending import SolveOptions, Threads
from rollwise.games import load
from rollwise.model.objective import Objective
from rollwise.solvers.base.layer_files import LayerFiles, layer_count
from rollwise.solvers.base.writing import CannotWrite
from rollwise.solvers.solve import solve_with_options

SHEET = load("yazy", boxes="ones,sixes,straight,full-house", rerolls="1")
DUEL_SHEET = load("yazy", boxes="ones,sixes,straight", rerolls="1")
KINDS: dict[str, tuple[Any, Objective]] = {
    "expected": (SHEET, Expected()),
    "target": (SHEET, AtLeast(40)),
    "opponent": (SHEET, Against({20: 1, 41: 2})),
    "duel": (DUEL_SHEET, Duel()),
}
each_kind = pytest.mark.parametrize("kind", KINDS)


class Stopped(Exception):
    """Raised in the middle of a solve."""


def stop_after(share: float) -> Callable[[str, int, int | None], None]:
    def progress(what: str, done: int, total: int | None) -> None:
        if total and done > share * total:
            raise Stopped

    return progress


def bits(solution: Any) -> list[bytes]:
    """All values of a solution."""
    arrays = solution.pack().arrays
    return [np.asarray(arrays[name]).tobytes() for name in sorted(arrays)]


def layers_in(directory: Path) -> int:
    return layer_count(directory)[0]


@each_kind
def test_a_stopped_solve_goes_on_with_the_same_bits(kind: str, tmp_path: Path) -> None:
    game, objective = KINDS[kind]
    right = solve(game, objective)
    with pytest.raises(Stopped):
        solve(game, objective, checkpoint=tmp_path, progress=stop_after(0.5))
    some = layers_in(tmp_path)
    assert some > 0
    ticks: list[int] = []
    again = solve(game, objective, checkpoint=tmp_path, threads=2, progress=lambda _, done, __: ticks.append(done))
    assert ticks[0] > 0, "it resumes from what is there"
    assert ticks == sorted(ticks)
    assert layers_in(tmp_path) > some
    assert bits(again) == bits(right)
    assert (again.value(), again.certificate) == (right.value(), right.certificate)
    loaded = solve(game, objective, checkpoint=tmp_path, progress=stop_after(-1))
    assert bits(loaded) == bits(right)


@each_kind
def test_a_damaged_layer_is_worked_out_again(kind: str, tmp_path: Path) -> None:
    game, objective = KINDS[kind]
    right = bits(solve(game, objective, checkpoint=tmp_path))
    content = bytearray((tmp_path / "layer-02.npy").read_bytes())
    content[-1] ^= 1
    (tmp_path / "layer-02.npy").write_bytes(content)
    lines: list[str] = []
    assert bits(solve_with_options(game, objective, SolveOptions(checkpoint=tmp_path, message=lines.append))) == right
    assert len(lines) == 1
    assert "layer 2" in lines[0]
    assert bits(solve_with_options(game, objective, SolveOptions(checkpoint=tmp_path, message=lines.append))) == right
    assert len(lines) == 1


@each_kind
def test_a_directory_of_another_solve_is_refused(kind: str, tmp_path: Path) -> None:
    solve(*KINDS[kind], checkpoint=tmp_path)
    other = next(name for name in KINDS if name != kind)
    with pytest.raises(GameError, match="holds the layers of another game, objective or precision: use another directory"):
        solve(*KINDS[other], checkpoint=tmp_path)


def test_all_targets_share_their_layers(tmp_path: Path) -> None:
    solve(SHEET, AtLeast(40), checkpoint=tmp_path)
    found = solve(SHEET, AtLeast(30), checkpoint=tmp_path, progress=stop_after(-1))
    assert found.value() == solve(SHEET, AtLeast(30)).value()


def test_what_is_not_solved_in_layers_takes_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="not solved in layers"):
        solve(load("slots"), checkpoint=tmp_path)
    with pytest.raises(EngineError, match="leave the checkpoint out"):
        solve(SHEET, exact=True, checkpoint=tmp_path)


@each_kind
def test_threads_do_not_change_a_bit(kind: str) -> None:
    game, objective = KINDS[kind]
    one, three = (bits(solve_with_options(game, objective, SolveOptions(backend=Threads(count)))) for count in (1, 3))
    assert one == three


# In a cache


@pytest.fixture
def in_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve everything layer by layer, however small it is."""
    monkeypatch.setattr("rollwise.cache.api.CHECKPOINT_SECONDS", 0.0)


@each_kind
def test_the_store_goes_on_with_what_was_stopped(kind: str, tmp_path: Path, in_layers: None) -> None:
    game, objective = KINDS[kind]
    with pytest.raises(Stopped):
        cache.solve(game, objective, directory=tmp_path, name="mine", progress=stop_after(0.5))
    (entry,) = cache.verify(tmp_path)
    assert (entry.name, entry.fault) == ("mine", None)
    assert re.fullmatch(rf"{re.escape(str(objective))}.*: \d of \d layers", entry.objective)
    assert cache.load(game, objective, tmp_path) is None
    solution = cache.solve(game, objective, directory=tmp_path, name="mine")
    assert bits(solution) == bits(solve(game, objective))
    (entry,) = cache.verify(tmp_path)
    assert (entry.name, entry.objective, entry.value, entry.fault) == (
        "mine",
        solution.pack().covers or str(objective),
        solution.value(),
        None,
    )
    loaded = cache.load(game, objective, tmp_path, whole=False)
    assert loaded is not None
    assert bits(loaded) == bits(solution)
    assert not (entry.path / "begun.json").exists()
    assert (layers_in(entry.path) > 0) == (kind == "duel"), "layers that are no arrays of the entry go"
    assert [found.path for found in cache.clear(tmp_path)] == [entry.path]
    assert list(tmp_path.iterdir()) == []


@each_kind
def test_a_store_without_room_answers_from_memory(
    kind: str, tmp_path: Path, in_layers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, objective = KINDS[kind]
    write = LayerFiles.write

    def fill(files: LayerFiles, layer: int, values: Any) -> Any:
        if layer > 1:
            raise CannotWrite("cannot write 'there': No space left on device")
        return write(files, layer, values)

    monkeypatch.setattr(LayerFiles, "write", fill)
    lines: list[str] = []
    assert bits(cache.solve(game, objective, directory=tmp_path, refused=lines.append)) == bits(solve(game, objective))
    assert len(lines) == 1
    assert lines[0].endswith("is not cached: cannot write 'there': No space left on device")
    assert ": 2 of " in cache.verify(tmp_path)[0].objective


def test_what_is_quick_is_kept_whole(tmp_path: Path) -> None:
    cache.solve(SHEET, directory=tmp_path, worth_seconds=0)
    (entry,) = tmp_path.iterdir()
    assert layers_in(entry) == 0
    assert (entry / "table.npy").exists()
