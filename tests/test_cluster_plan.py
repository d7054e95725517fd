"""A solve on a cluster on paper: its schedule against what real ones took, and what must hold of it whatever the rates are."""

import json
import os
import pickle
import sys
import time
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rollwise import Duel, GameError, solve
from rollwise.cli.forecast import read_size
from rollwise.cli.main import main
from rollwise.cluster import driver, owner
from rollwise.cluster.chunks import Chunk, Damaged, Span, cut_layer, map_chunks, rows_of, write_chunk
from rollwise.cluster.owner import owned
from rollwise.cluster.rates import Rates, measured_rates, rates_of, span_of
from rollwise.cluster.schedule import LayerSize, Machines, Work, forecast, simulate
from rollwise.errors import EngineError
from rollwise.games import load
from rollwise.solvers.sheets.kernels import duel_cuda
from tests.test_duel_card import PlainCard

RUNS = json.loads((Path(__file__).parent / "data" / "cluster_runs.json").read_text())
DUEL = (load("yazy", boxes="ones,sixes,straight", rerolls="1"), Duel())
BOXES = "fours,fives,sixes,three-of-a-kind,four-of-a-kind,full-house,straight,five-of-a-kind"
SMALL = Work(layers=tuple(LayerSize(size, 1000, 100) for size in (1000, 10**6, 4 * 10**7, 10**8)), itemsize=8, table_bytes=10**6)
STEADY = Rates(values_per_second=1e6, spread=0.0, slow_in=0)
NODES = Machines(nodes=4, cores=8, memory=10**11, failure_hours=0)


def predicted(run: dict[str, Any], lines: list[dict[str, Any]], rates: Rates, workers: int) -> float:
    """Seconds that a solve on one machine would take by rates from another, with the share of a core that its workers got."""
    work = Work(layers=tuple(LayerSize(size, 1, 1) for size in run["sizes"]), itemsize=8, table_bytes=0)
    here = Machines(nodes=1, cores=workers, memory=10**11, disk=1e12, failure_hours=0)
    share = measured_rates(run, lines).share
    return simulate(work, here, replace(rates, share=share), slots=workers).seconds


@pytest.mark.parametrize("other", RUNS[1:], ids=lambda run: f"{run['boxes']} boxes, {run['workers']} workers")
def test_recorded_runs(other: dict[str, Any]) -> None:
    rates = measured_rates(RUNS[0]["run"], RUNS[0]["lines"])
    found = predicted(other["run"], other["lines"], rates, other["workers"])
    assert found == pytest.approx(span_of(other["lines"]), rel=0.25)


def test_the_same_seed_gives_the_same_run() -> None:
    rates = replace(STEADY, spread=0.3, slow_in=50)
    machines = replace(NODES, failure_hours=0.005, repair_hours=0.001)
    runs = [simulate(SMALL, machines, rates, slots=8, seed=seed) for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    assert runs[0].failures > 0


def test_every_chunk_is_done_whatever_fails() -> None:
    rates = replace(STEADY, spread=0.3, slow_in=50, slow=30.0)
    wanted = sum(len(cut_layer(layer.values, 8, 32)) - 1 for layer in SMALL.layers[1:])
    for hours in (0, 0.005, 0.002):
        run = simulate(SMALL, replace(NODES, failure_hours=hours, repair_hours=0.001), rates, slots=8)
        assert run.chunks == wanted


def test_no_faster_than_its_parts() -> None:
    run = simulate(SMALL, NODES, STEADY, slots=8)
    values = sum(layer.values for layer in SMALL.layers[1:])
    assert run.seconds >= values / 1e6 / 32
    assert sum(run.spent.values()) == pytest.approx(32 * run.seconds, rel=1e-6)
    slow = simulate(SMALL, replace(NODES, disk=1e6), STEADY, slots=8)
    assert slow.seconds >= 8 * values / 1e6 / 4
    assert max(slow.spent, key=lambda cause: slow.spent[cause]) == "disk"
    one = simulate(SMALL, replace(NODES, network=1e5, memory=10**9), STEADY, slots=8)
    assert max(one.spent, key=lambda cause: one.spent[cause]) == "network"


def test_one_worker_takes_the_sum() -> None:
    work = Work(layers=(LayerSize(1, 1, 1), LayerSize(10**7, 100, 10)), itemsize=8, table_bytes=0)
    rates = replace(STEADY, chunk_seconds=0.0, layer_seconds=0.0, task_seconds=0.0, start_seconds=0.0, compared_per_second=1e15)
    alone = Machines(nodes=1, cores=1, memory=10**11, disk=8e6, failure_hours=0)
    run = simulate(work, alone, rates, slots=1)
    again = run.spent["compute"] - 10.0
    assert run.seconds == pytest.approx(10.0 + 10.0 + again, rel=1e-9)


def test_what_does_not_fit() -> None:
    big = replace(SMALL, table_bytes=10**12)
    found = forecast(big, NODES, STEADY)
    assert found.hours is None
    assert found.why == "a worker takes 1,000 GB, more than a node has"
    assert forecast(big, NODES, STEADY, streamed=True).hours is not None
    wide = replace(SMALL, layers=(*SMALL.layers, LayerSize(10**11, 10**8, 10**4)))
    assert forecast(wide, replace(NODES, cards=1), STEADY).why == "a layer of 0.8 TB does not fit on a card"


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    plan = ["solve", "yazy", "-p", f"boxes={BOXES}", "--duel", "--plan", "--nodes", "3", "--memory", "64G"]
    assert main([*plan, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["states"] == 4_795_990
    assert found["cluster"]["hours_low"] <= found["cluster"]["hours"] <= found["cluster"]["hours_high"]
    assert found["cluster"]["kept_bytes"] == 8 * found["states"]
    assert found["cluster"]["machines"]["memory"] == 64 * 10**9
    assert sum(found["cluster"]["spent"].values()) == pytest.approx(1)
    assert main([*plan, "--cards", "2", "--streamed", "--precision", "float32"]) == 0
    assert "bottleneck" in capsys.readouterr().out


def test_sizes_are_read() -> None:
    assert read_size("--memory", "1.5t") == 1_500_000_000_000
    for text in ("", "G", "12Q", "-1G", "1e9", "0", "1.2.3G", "\u0663G"):
        with pytest.raises(GameError, match=r"expected bytes from 1M"):
            read_size("--memory", text)


def test_rates_are_those_of_the_results() -> None:
    assert rates_of("gpu", "float64").values_per_second < rates_of("gpu", "float32").values_per_second < 358_785_130


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
