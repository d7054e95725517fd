"""Solving on a cluster, as far as it needs no Ray: cuts, chunks, the lock of a folder."""

import json
import os
import pickle
import sys
import time
from itertools import pairwise, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rollwise import Duel, GameError, solve
from rollwise.cluster import driver, owner
from rollwise.cluster.chunks import Chunk, Damaged, Span, cut_layer, map_chunks, rows_of, write_chunk
from rollwise.cluster.owner import owned
from rollwise.errors import EngineError
from rollwise.games import load
from rollwise.solvers.sheets.kernels import duel_cuda
from tests.test_duel_card import PlainCard

DUEL = (load("yazy", boxes="ones,sixes,straight", rerolls="1"), Duel())


# What a driver does before it meets Ray


def test_news_of_damage_that_was_mended_are_old() -> None:
    """Several chunks may find the same damage; one that read the file before it was mended says so late."""
    said: list[str] = []
    manifest = SimpleNamespace(done=[{0: "file"}, {}], damaged=lambda layer, chunk: None)
    running: Any = SimpleNamespace(mended={}, version=2, manifest=manifest, to_check=[], _say=lambda _, line: said.append(line))
    for version in (2, 1, 2):
        driver._Driver._mend(running, SimpleNamespace(place=(1, 0), version=version, compared=False), [0])  # type: ignore[arg-type]
    assert len(said) == 1
    running.version = 4
    driver._Driver._mend(running, SimpleNamespace(place=(1, 0), version=4, compared=False), [0])  # type: ignore[arg-type]
    assert len(said) == 2


def test_a_folder_has_one_driver(tmp_path: Path) -> None:
    with owned(tmp_path) as holder:
        with (
            pytest.raises(GameError, match=f"is being solved by process {os.getpid()} on .*: wait for it, or stop it first"),
            owned(tmp_path),
        ):
            pass
        holder._beaten -= 60
        holder.beat()
        holder.path.write_text(json.dumps({"token": "another", "pid": 1, "host": "far"}))
        holder._beaten -= 60
        with pytest.raises(GameError, match="another driver has taken .* over: this one stops"):
            holder.beat()


@pytest.mark.parametrize(
    ("facts", "age", "held"),
    [
        ({"host": "far", "pid": 7, "started": 1.0, "token": "x"}, 1, True),
        ({"host": "far", "pid": 7, "started": 1.0, "token": "x"}, 3600, False),
        ({"host": os.uname().nodename, "pid": 2**22 + 5, "started": 1.0, "token": "x"}, 0, False),
        ({"host": os.uname().nodename, "pid": os.getpid(), "started": 1.0, "token": "x"}, 0, False),
        ({"host": os.uname().nodename, "pid": os.getpid(), "started": owner._started(os.getpid()), "token": "x"}, 0, True),
        ({}, 0, False),
        ("rubbish", 0, False),
    ],
)
def test_the_lock_of_a_dead_driver_is_taken_over(facts: Any, age: float, held: bool, tmp_path: Path) -> None:
    (tmp_path / "lock").write_text(json.dumps(facts))
    os.utime(tmp_path / "lock", (time.time() - age,) * 2)
    if held:
        with pytest.raises(GameError, match="is being solved by process"), owned(tmp_path):
            pass
    else:
        with owned(tmp_path) as holder:
            assert json.loads((tmp_path / "lock").read_text())["token"] == holder.token
    assert (owner.owner_of(tmp_path) is not None) is held


def test_chunks_on_a_card_have_the_bits_of_whole_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel_cuda, "Card", PlainCard)
    monkeypatch.setattr(duel_cuda, "_check_room", lambda *_: None)
    right: Any = solve(*DUEL)
    make, arguments = pickle.loads(pickle.dumps(duel_cuda.CardRecursion(right.duel, "float64").recipe()))
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


def test_cuts_are_in_order_and_at_pages() -> None:
    for size, workers in product([0, 1, 511, 512, 513, 100_003, 5_000_001], [1, 2, 300]):
        cuts = cut_layer(size, 8, workers)
        assert (cuts[0], cuts[-1]) == (0, size)
        assert cuts == sorted(cuts)
        assert all(8 * cut % 4096 == 0 for cut in cuts[:-1])


def test_rows_of_a_span_cover_it() -> None:
    starts = np.array([0, 3, 3, 3, 10, 10])
    for begin in range(10):
        for end in range(begin + 1, 11):
            first, last = rows_of(starts, Span(begin, end))
            assert starts[first] <= begin
            assert starts[last] >= end


def test_chunks_are_read_as_one_array(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.sqrt(np.arange(100_003.0))
    cuts = cut_layer(len(values), 8, 2)
    chunks = [write_chunk(tmp_path, f"{begin}", values[begin:end]) for begin, end in pairwise(cuts)]
    assert len(chunks) > 3
    mapped = map_chunks(tmp_path, chunks, "float64", compare=True)
    assert mapped.tobytes() == values.tobytes()
    if sys.platform == "linux":
        maps = Path("/proc/self/maps").read_text()
        assert all(str(tmp_path / chunk.file) in maps for chunk in chunks), "mapped, not read"
    with monkeypatch.context() as patch:
        patch.setattr("rollwise.cluster.chunks.mmap.PAGESIZE", 1 << 20)
        assert map_chunks(tmp_path, chunks, "float64", compare=True).tobytes() == values.tobytes()
    assert map_chunks(tmp_path, [Chunk("x", 0, "")], "float64", compare=True).size == 0
    (tmp_path / chunks[1].file).write_bytes(b"short")
    with pytest.raises(Damaged, match=r"\[1\]"):
        map_chunks(tmp_path, chunks, "float64", compare=False)
