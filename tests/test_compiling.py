"""Compiled code on disk: without a place, on a full disk or damaged it only costs time; short commands wait for no compiler."""

import errno
import importlib.util
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from numba.core.caching import IndexDataCacheFile

from rollwise.games.sheets.rules import Sheet
from rollwise.solvers.base import compiling
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.sheets.arrays import layers
from rollwise.solvers.sheets.effect_values import PointsValues
from rollwise.solvers.sheets.expected import solve_sheet_game
from rollwise.solvers.sheets.kernels.outcomes_numba import numba_chances, numba_push
from rollwise.solvers.sheets.outcomes import numpy_chances, numpy_push
from rollwise.solvers.sheets.reading import make_sheet_arrays
from tests.test_sheets import EXAMPLES, sheets

KERNEL = "from rollwise.solvers.base.compiling import compiled\n\n\n@compiled\ndef triple(x):\n    return 3 * x\n"
NOWHERE = "/dev/null/nowhere"

Make = Callable[[], Any]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Load a module with one kernel, as a new run would; only the folder `kept` and temporary files may hold its code."""
    (tmp_path / "kernel.py").write_text(KERNEL)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr(numba.config, "CACHE_LOCATOR_CLASSES", "UserProvidedCacheLocator")

    def load() -> Any:
        compiling._temporary.cache_clear()
        spec = importlib.util.spec_from_file_location("kernel", tmp_path / "kernel.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.triple

    yield load
    compiling._temporary.cache_clear()


def files(folder: Path, ending: str) -> list[Path]:
    return sorted(folder.rglob(f"*.{ending}"))


def hits(kernel: Any) -> int:
    """Call a kernel, and count how often its code was found on disk."""
    assert kernel(14) == 42
    return sum(kernel.stats.cache_hits.values())


def test_code_is_kept(make: Make, tmp_path: Path) -> None:
    assert hits(make()) == 0
    assert hits(make()) == 1
    assert files(tmp_path / "kept", "nbc")
    assert not files(tmp_path / "temporary", "nbc")


def test_what_another_process_is_compiling_is_not_compiled_as_well(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = make(), make()
    assert first._cache._wait() is False  # nobody else compiles it, so it is locked now
    monkeypatch.setattr("rollwise.solvers.base.compiling.time.sleep", lambda seconds: first(14))
    assert (hits(second), hits(first)) == (1, 0)


def test_a_process_that_never_saves_its_kernel_is_not_waited_for(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "LONGEST_WAIT", 0.0)
    first, second = make(), make()
    first._cache._wait()
    assert hits(second) == 0


def test_a_kernel_that_fails_to_compile_is_not_waited_for(make: Make) -> None:
    kernel = make()
    with pytest.raises(numba.TypingError):
        kernel(object())
    assert kernel._cache.lock is None
    assert kernel(2) == 6


def test_code_is_kept_among_temporary_files(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", NOWHERE)
    assert hits(make()) == 0
    (folder,) = (tmp_path / "temporary").iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert hits(make()) == 1


def test_no_place_at_all(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", NOWHERE)
    monkeypatch.setattr("tempfile.tempdir", NOWHERE)
    kernel = make()
    assert kernel._cache.cache_path is None
    assert hits(kernel) == hits(make()) == 0


@pytest.mark.parametrize("trouble", ["open to all", "a link", "a file"])
def test_the_temporary_folder_must_be_ones_own(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", NOWHERE)
    folder = compiling._temporary_path()
    if trouble == "open to all":
        folder.mkdir()
        folder.chmod(0o777)
    elif trouble == "a link":
        (tmp_path / "elsewhere").mkdir()
        folder.symlink_to(tmp_path / "elsewhere")
    else:
        folder.write_text("")
    assert hits(make()) == hits(make()) == 0
    assert not files(tmp_path, "nbc")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_a_disk_that_takes_nothing(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    save: Any = IndexDataCacheFile.save

    def fail(self: Any, key: Any, data: Any) -> None:
        if str(tmp_path / full) in self._cache_path:
            raise OSError(number, os.strerror(number))
        save(self, key, data)

    monkeypatch.setattr(IndexDataCacheFile, "save", fail)
    full = ""
    assert hits(make()) == hits(make()) == 0
    full = "kept"
    assert hits(make()) == 0
    assert hits(make()) == 1


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("length", [0, 1, 40])
def test_damaged_files_are_compiled_anew(make: Make, tmp_path: Path, ending: str, length: int) -> None:
    make()(1)
    (path,) = files(tmp_path / "kept", ending)
    path.write_bytes(path.read_bytes()[:length])
    assert hits(make()) == 0
    assert hits(make()) == 1


def test_code_is_good_for_its_sources_only(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    make()(1)
    monkeypatch.setattr(compiling, "_sources", lambda path: "another version")
    assert hits(make()) == 0


def test_code_of_other_sources_under_the_same_name_is_not_run(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba writes that a file is there before it writes the file: a run in between, or after a kill, finds what was there."""
    make()(1)
    (path,) = files(tmp_path / "kept", "nbc")
    before = path.read_bytes()
    (tmp_path / "kernel.py").write_text(KERNEL.replace("3 * x", "5 * x"))
    compiling._sources.cache_clear()
    assert make()(14) == 70
    path.write_bytes(before)
    assert make()(14) == 70
    again = make()
    assert again(14) == 70
    assert sum(again.stats.cache_hits.values()) == 1


def test_code_for_other_arguments_under_the_same_name_is_not_run(make: Make, tmp_path: Path) -> None:
    """Two runs that begin at the same time both call their first file number 1."""
    make()(14)
    (path,) = files(tmp_path / "kept", "nbc")
    whole = path.read_bytes()
    shutil.rmtree(tmp_path / "kept")
    make()(1.5)
    path.write_bytes(whole)
    assert make()(1.5) == 4.5
    assert make()(1.5) == 4.5


def test_the_sources_of_a_kernel_are_its_module_and_what_that_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forms = tmp_path / "forms"
    shutil.copytree(compiling.SOLVERS, forms)
    monkeypatch.setattr(compiling, "SOLVERS", forms)
    kernel = forms / "sheets" / "kernels" / "starts_numba.py"
    found = [compiling._sources.__wrapped__(kernel)]
    for name in [
        "sheets/kernels/starts_numba",
        "sheets/kernels/turn_numba",
        "sheets/kernels/simd",
        "base/compiling",
        "graph/traverse",
    ]:
        path = (forms / name).with_suffix(".py")
        path.write_text(path.read_text() + "\n# another version\n")
        found.append(compiling._sources.__wrapped__(kernel))
    assert len(set(found)) == 5
    assert found[-1] == found[-2]  # nothing of the graph is compiled into a sheet's kernel


def run(script: str, folder: Path, **more: str) -> str:
    """Run a script in a new interpreter whose caches are empty."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "numba"), "XDG_CACHE_HOME": str(folder), "HOME": str(folder), **more}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.full
def test_a_sheet_is_solved_where_nothing_can_be_written(tmp_path: Path) -> None:
    script = (
        "from rollwise.extending import SolveOptions\n"
        "from rollwise.games import load\n"
        "from rollwise.solvers.sheets.expected import solve_sheet_game as solve\n"
        "game = load('yazy', boxes='ones,sixes')\n"
        "print(solve(game, SolveOptions(engine='sheet-numba')).value() == solve(game, "
        "SolveOptions(engine='sheet-numpy')).value())"
    )
    nowhere = {"HOME": NOWHERE, "XDG_CACHE_HOME": NOWHERE, "NUMBA_CACHE_DIR": NOWHERE, "TMPDIR": str(tmp_path)}
    found = run(script, tmp_path, **nowhere, NUMBA_CACHE_LOCATOR_CLASSES="UserProvidedCacheLocator,UserWideCacheLocator")
    assert found == "True\n"
    assert files(tmp_path, "nbi")


@pytest.mark.full
def test_the_second_command_of_the_readme_waits_for_no_compiler(tmp_path: Path) -> None:
    script = (
        "from rollwise.cli.main import main; import sys\n"
        "main(['advise', 'yazy', '--state', '33561 2 all', '--top', '4'])\n"
        "print(sorted(name for name in sys.modules if 'numba' in name))"
    )
    lines = run(script, tmp_path, COLUMNS="140").rstrip().splitlines()
    assert lines[-1] == "[]"
    assert "163.44 points" in lines[3]
    outlook = next(place for place, line in enumerate(lines) if "points to come" in line)
    assert lines[outlook + 2].split() == ["keep", "33", "108", "163", "220"]


@EXAMPLES
@given(sheets())
def test_both_kernels_follow_alike(sheet: Sheet) -> None:
    arrays = make_sheet_arrays(sheet)
    table = np.asarray(solve_sheet_game(sheet, SolveOptions(engine="sheet-numpy")).turn_values)
    opened = np.concatenate([np.repeat(mask, len(arrays.carries(int(mask)))) for layer in layers(arrays) for mask in layer])
    carry = np.concatenate([arrays.carries(int(mask)) for layer in layers(arrays) for mask in layer])
    both = PointsValues(arrays, table), PointsValues(arrays, np.zeros_like(table))
    for worth in (*(values.worth(opened, carry) for values in both), None):
        plain = numpy_chances(arrays, opened, worth)
        assert plain == pytest.approx(numba_chances(arrays, opened, worth), abs=1e-14)
        assert plain.sum(axis=1) == pytest.approx(1, abs=1e-14)


def test_both_kernels_push_alike() -> None:
    pick = np.random.default_rng(5)
    mass = pick.random((7, 30)) * (pick.random((7, 30)) < 0.3) * (np.arange(30) < 20)
    chance, target = pick.random((7, 4)) * (pick.random((7, 4)) < 0.7), pick.integers(0, 5, (7, 4))
    shift = pick.integers(0, 10, (7, 4))
    found = [(np.zeros((5, 30)), np.zeros((7, 4))) for _ in range(2)]
    for push, (out, moved) in zip((numpy_push, numba_push), found, strict=True):
        push(mass, chance, target, shift, out, moved)
    assert found[0][0] == pytest.approx(found[1][0], abs=1e-15)
    assert found[0][1] == pytest.approx(found[1][1], abs=1e-15)


def test_what_is_compiled_for_short_integers_is_not_ready_for_long_ones() -> None:
    function = compiling.compiled(_total)
    short, long = (np.arange(3, dtype=kind) for kind in (np.int32, np.int64))
    assert function(short) == 3
    assert compiling.is_ready(function)
    assert compiling.is_ready(function, short)
    assert not compiling.is_ready(function, long)


def _total(numbers: Any) -> Any:
    return numbers.sum()


@pytest.mark.full
def test_without_the_private_names_of_numba_nothing_is_kept_and_all_is_compiled() -> None:
    program = """
import numba, numba.core.caching as caching
numba.njit(lambda: 1)()
del caching.FunctionCache, caching.IndexDataCacheFile
from rollwise.solvers.base.compiling import compiled, is_ready
@compiled
def double(x): return 2 * x
assert not is_ready(double, 1)
assert double(21) == 42 and is_ready(double, 1) and double._cache.cache_path is None
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
