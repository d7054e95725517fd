"""A solve on a cluster on paper: its schedule against what real ones took, and what must hold of it whatever the rates are."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rollwise import Duel, GameError, solve
from rollwise.cli.forecast import read_size
from rollwise.cli.main import main
from rollwise.cluster.chunks import cut_layer
from rollwise.cluster.manifest import read_journal, read_run
from rollwise.cluster.rates import Rates, measured_rates, rates_of, span_of
from rollwise.cluster.schedule import LayerSize, Machines, Work, forecast, simulate
from rollwise.games import load

RUNS = json.loads((Path(__file__).parent / "data" / "cluster_runs.json").read_text())
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


@pytest.mark.audit
def test_live_runs(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is missing: pip install 'rollwise[cluster]'")

    def real(boxes: str, workers: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        folder = tmp_path / f"{boxes.count(',')}-{workers}"
        solve(load("yazy", boxes=boxes), Duel(), cluster=f"local:{workers}", checkpoint=folder)
        return read_run(folder), list(read_journal(folder))

    rates = measured_rates(*real(BOXES, 2))
    for workers in (1, 2):
        run, lines = real(f"threes,{BOXES}", workers)
        assert predicted(run, lines, rates, workers) == pytest.approx(span_of(lines), rel=0.25)


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
