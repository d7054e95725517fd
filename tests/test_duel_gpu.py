"""The kernel for GPUs: its text compiled for the processor gives the bits of the reference; on a GPU, all of it."""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rollwise import Duel, solve
from rollwise.errors import EngineError
from rollwise.games.sheets.rules import Sheet
from rollwise.games.yahtzee import Yazy
from rollwise.solvers.base.backends import Gpu
from rollwise.solvers.sheets.backward import TurnRecursion
from rollwise.solvers.sheets.duel_arrays import DuelArrays, last_layer, make_duel_arrays, solve_layers
from rollwise.solvers.sheets.kernels import duel_cuda
from rollwise.solvers.sheets.kernels.duel_cuda import constants, kernel_arguments, kernel_source, layout
from rollwise.solvers.sheets.reading import make_sheet_arrays
from rollwise.solvers.sheets.rows import Layer, numpy_rows
from tests.test_duel import middle_sheets, some_boxes, three_dice

Run = Callable[[Layer, Layer, Any, Any], None]


def compiler() -> str:
    found = shutil.which("g++") or shutil.which("clang++")
    if found is None:
        assert not os.environ.get("CI"), "a C++ compiler is missing: apt-get install g++"
        pytest.skip("a C++ compiler is missing: apt-get install g++")
    return found


def host_kernel(arrays: DuelArrays, dtype: Any, folder: Path) -> Run:
    """Compile the kernel for the processor, without the freedom to change the order of operations."""
    source, library = folder / "duels.cpp", folder / f"duels-{np.dtype(dtype)}.so"
    source.write_text(kernel_source())
    flags = [f"-D{name}={value}" for name, value in constants(arrays, dtype).items()]
    strict = ["-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Werror", "-shared", "-fPIC"]
    subprocess.run([compiler(), *strict, *flags, str(source), "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).duel_rows
    fixed = kernel_arguments(arrays, dtype)

    def run(layer: Layer, previous: Layer, before: Any, values: Any) -> None:
        arguments = [layer.n_rows, *layout(layer), *layout(previous), before, values, *fixed]
        function(*map(_argument, arguments))

    return run


def _argument(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    kinds = {"float32": ctypes.c_float, "float64": ctypes.c_double}
    return kinds.get(str(np.asarray(value).dtype), ctypes.c_int)(value.item() if hasattr(value, "item") else value)


@pytest.mark.full
@pytest.mark.parametrize(
    "sheet", [three_dice(), some_boxes("crag", "sixes,thirteen,crag"), *middle_sheets()], ids=lambda sheet: ",".join(sheet.names)
)
def test_the_kernel_gives_the_bits_of_the_reference(sheet: Sheet, tmp_path: Path) -> None:
    arrays = make_duel_arrays(make_sheet_arrays(sheet))
    for dtype in (np.float64, np.float32):
        run = host_kernel(arrays, dtype, tmp_path)
        previous, before = arrays.layer(0), last_layer(arrays, 0.5, dtype)
        for left, values in solve_layers(TurnRecursion(arrays, numpy_rows, dtype), before):
            layer = arrays.layer(left)
            found = np.full(layer.n_states, np.nan, dtype=dtype)
            run(layer, previous, before, found)
            assert np.array_equal(found, values)
            previous, before = layer, values


class PlainGpu:
    """Stands for a card: does on the processor what the kernel would do there."""

    cupy = type("Cupy", (), {"asarray": staticmethod(np.asarray), "asnumpy": staticmethod(np.asarray)})

    def __init__(self, arrays: DuelArrays, dtype: Any) -> None:
        self.arrays, self.dtype = arrays, np.dtype(dtype)

    def place(self, layer: Layer) -> Layer:
        return layer

    def start(self, layer: Layer, here: Layer, previous: Layer, before: Any) -> Any:
        values = np.empty(layer.n_states, dtype=self.dtype)
        numpy_rows(self.arrays, here, previous, before, values, 0, layer.n_rows)
        return values


def test_layers_on_a_card_are_kept_like_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel_cuda, "GpuKernel", PlainGpu)
    monkeypatch.setattr(duel_cuda, "_check_room", lambda *_: None)
    right: Any = solve(three_dice(), Duel())

    def stop(what: str, done: int, total: int | None) -> None:
        if total and done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(three_dice(), Duel(), device="gpu", checkpoint=tmp_path, progress=stop)
    for checkpoint in (tmp_path, None):
        card: Any = solve(three_dice(), Duel(), device="gpu", checkpoint=checkpoint)
        assert card.engine == "duel-cuda"
        assert all(np.array_equal(card.layers[left], right.layers[left]) for left in right.layers)
    form, last = right.duel, last_layer(right.duel, 0.5, np.float64)
    for left, values in solve_layers(duel_cuda.GpuRecursion(form, "float64"), last, Gpu()):
        assert np.array_equal(values, right.layers[left])


def has_card() -> bool:
    try:
        import cupy  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

        return bool(cupy.cuda.runtime.getDeviceCount())
    except Exception:
        return False


def test_without_a_card() -> None:
    if has_card():
        pytest.skip("there is a GPU here")
    with pytest.raises(EngineError, match=r"device='gpu' (needs CuPy|found no NVIDIA GPU)"):
        solve(Yazy(boxes=["ones", "twos"]), Duel(), device="gpu")


@pytest.mark.gpu
@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_with_a_card(precision: Any) -> None:
    sheet = Yazy(boxes=["ones", "sixes", "three-of-a-kind", "straight"])
    card: Any
    processor: Any
    card, processor = (solve(sheet, Duel(), precision=precision, device=device) for device in ("gpu", "cpu"))
    assert card.value() == processor.value()
    assert all(np.array_equal(card.layers[left], processor.layers[left]) for left in processor.layers)
