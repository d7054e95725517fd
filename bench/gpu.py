"""The yazy duel on a GPU: `python -m bench.gpu` on a machine with one prints the part of the results about it.

Time is from the first to the last layer on the GPU; "with copies" adds the layouts of the layers, their way to the GPU and all
values' way back. Arguments: for float32 and for float64 a JSON file with the SHA-256 of every layer as a processor gave it;
`--boxes ones,twos` for a part of the sheet.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from time import perf_counter

import numpy as np

from bench.entry import run
from rollwise.games import load
from rollwise.solvers.base.backends import Gpu
from rollwise.solvers.sheets.backward import Values
from rollwise.solvers.sheets.duel_arrays import DuelArrays, last_layer, make_duel_arrays, solve_layers
from rollwise.solvers.sheets.kernels.duel_cuda import GpuKernel, GpuRecursion, gpu_memory
from rollwise.solvers.sheets.reading import make_sheet_arrays

HEAD = "| numbers | first player | layers alone, s | turn starts a second | with copies, s | same bits as a processor |"


def main(words: Sequence[str]) -> None:
    """Measure both precisions."""
    parser = argparse.ArgumentParser(prog="python -m bench.gpu")
    parser.add_argument("checksums", type=Path, nargs="*")
    parser.add_argument("--boxes")
    options = parser.parse_args(words)
    arrays = make_duel_arrays(make_sheet_arrays(load("yazy", **({"boxes": options.boxes} if options.boxes else {}))))
    states = sum(arrays.layer(left).n_states for left in range(arrays.n_layers))
    print(f"## The duel on a GPU\n\nMade by `python -m bench.gpu`: {gpu_memory()[0]}, {states:,} turn starts.\n")
    print(f"{HEAD}\n|---|---:|---:|---:|---:|---|")
    for kind, checksums in zip((np.float32, np.float64), [*options.checksums, None, None], strict=False):
        begin = last_layer(arrays, 0.5, kind)
        seconds = min(alone(arrays, begin) for _ in range(3))
        begun = perf_counter()
        layers = [begin, *(values for _, values in solve_layers(GpuRecursion(arrays, kind), begin, Gpu()))]
        whole = perf_counter() - begun
        same = _same(layers, checksums) if checksums else "not compared"
        value = 1 - float(layers[-1][0])
        print(f"| {kind.__name__} | {value:.12f} | {seconds:.2f} | {states / seconds:,.0f} | {whole:.2f} | {same} |", flush=True)


def alone(arrays: DuelArrays, begin: Values) -> float:
    """Work all layers out with everything on the GPU already, and keep them there."""
    card = GpuKernel(arrays, begin.dtype)
    layers = [arrays.layer(left) for left in range(arrays.n_layers)]
    places = [card.place(layer) for layer in layers]
    values = [card.cupy.asarray(begin)]
    card.cupy.cuda.Device().synchronize()
    begun = perf_counter()
    for left in range(1, arrays.n_layers):
        values.append(card.start(layers[left], places[left], places[left - 1], values[-1]))
    card.cupy.cuda.Device().synchronize()
    return perf_counter() - begun


def _same(layers: list[Values], checksums: Path) -> str:
    known = json.loads(checksums.read_text())
    equal = sum(sha256(values.data).hexdigest() == known[str(left)] for left, values in enumerate(layers))
    return f"{equal} of {len(layers)} layers"


if __name__ == "__main__":
    sys.exit(run(main))
