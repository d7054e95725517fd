"""Solving on a cluster, as far as it needs no Ray: cuts, chunks, GPUs."""

import pickle
import sys
from itertools import pairwise, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rollwise import Duel, solve
from rollwise.cluster.chunks import Span, cut_blocks, layer_blocks, rows_of, span_of
from rollwise.errors import EngineError
from rollwise.games import load
from rollwise.solvers.sheets.kernels import duel_cuda
from tests.test_duel_gpu import PlainGpu

DUEL = (load("yazy", boxes="ones,sixes,straight", rerolls="1"), Duel())


def test_chunks_on_a_card_have_the_bits_of_whole_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel_cuda, "GpuKernel", PlainGpu)
    monkeypatch.setattr(duel_cuda, "_check_room", lambda *_: None)
    right: Any = solve(*DUEL)
    make, arguments = pickle.loads(pickle.dumps(duel_cuda.GpuRecursion(right.duel, "float64").recipe()))
    card = make(*arguments)
    for layer in range(1, card.n_layers):
        card.restore(layer - 1, right.layers[layer - 1])
        rows = len(card.row_start(layer)) - 1
        parts = [card.rows(layer, first, min(first + 3, rows)) for first in range(0, rows, 3)]
        assert np.concatenate(parts).tobytes() == right.layers[layer].tobytes()


def test_without_ray(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(EngineError, match=r"^a cluster needs Ray: pip install 'rollwise\[cluster\]'$"):
        solve(*DUEL, cluster="local:2", checkpoint=tmp_path)


def test_cuts_are_in_order_and_spans_cover_all_values() -> None:
    for size, workers in product([0, 1, 511, 100_003, 5_000_001], [1, 2, 300]):
        sums: Any = SimpleNamespace(dtype="float64", shapes=((size,),))
        cuts = cut_blocks(0, layer_blocks(sums, 0), workers)
        assert cuts == sorted(set(cuts))
        spans = [span_of(sums, 0, *cut) for cut in pairwise(cuts)]
        assert [0, *(span.end for span in spans)] == [*(span.begin for span in spans), size]


def test_rows_of_a_span_cover_it() -> None:
    starts = np.array([0, 3, 3, 3, 10, 10])
    for begin in range(10):
        for end in range(begin + 1, 11):
            first, last = rows_of(starts, Span(begin, end))
            assert starts[first] <= begin
            assert starts[last] >= end
