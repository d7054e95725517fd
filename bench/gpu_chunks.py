"""Compute chunks of a duel's layers on a GPU, as a worker of a cluster does, and compare them with whole layers, bit by bit.

python -m bench.gpu_chunks BOXES float64|float32
"""

import argparse
import pickle
import sys
from collections.abc import Sequence
from itertools import pairwise
from time import perf_counter

import numpy as np

from bench.entry import run
from rollwise.cluster.chunks import cut_blocks, layer_blocks, rows_of, span_of
from rollwise.games import load
from rollwise.solvers.base.backends import Gpu
from rollwise.solvers.sheets.duel_arrays import last_layer, make_duel_arrays, solve_layers
from rollwise.solvers.sheets.kernels.duel_cuda import GpuRecursion
from rollwise.solvers.sheets.reading import make_sheet_arrays


def main(words: Sequence[str]) -> None:
    """Compare all layers of one duel."""
    parser = argparse.ArgumentParser(prog="python -m bench.gpu_chunks")
    parser.add_argument("boxes")
    parser.add_argument("precision", choices=("float64", "float32"))
    options = parser.parse_args(words)
    arrays = make_duel_arrays(make_sheet_arrays(load("yazy", boxes=options.boxes)))
    begun = perf_counter()
    layers = dict(
        [
            (0, last_layer(arrays, 0.5, options.precision)),
            *solve_layers(GpuRecursion(arrays, options.precision), last_layer(arrays, 0.5, options.precision), Gpu()),
        ]
    )
    whole = perf_counter() - begun
    make, arguments = pickle.loads(pickle.dumps(GpuRecursion(arrays, options.precision).recipe()))
    card = make(*arguments)
    begun, chunks = perf_counter(), 0
    for layer in range(1, card.n_layers):
        card.restore(layer - 1, layers[layer - 1])
        start = card.row_start(layer)
        for span in (span_of(card, layer, *cut) for cut in pairwise(cut_blocks(0, layer_blocks(card, layer), 4))):
            first, end = rows_of(start, span)
            values = card.rows(layer, first, end)[span.begin - start[first] : span.end - start[first]]
            assert values.tobytes() == np.ascontiguousarray(layers[layer][span.begin : span.end]).tobytes(), (layer, span)
            chunks += 1
    states = sum(map(len, layers.values()))
    print(f"{states:,} values, {chunks} chunks: same bits; whole {whole:.2f} s, in chunks {perf_counter() - begun:.2f} s")


if __name__ == "__main__":
    sys.exit(run(main))
