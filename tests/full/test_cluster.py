"""Solving on a cluster: the same bits as on threads, whatever breaks; on two nodes of Ray, started once."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from rollwise import Against, AtLeast, Duel, Expected, GameError, solve
from rollwise.cli.main import main
from rollwise.cluster import driver, fleet
from rollwise.cluster.backend import Cluster
from rollwise.cluster.manifest import read_journal
from rollwise.cluster.status import read_status
from rollwise.cluster.workers import RayWorkers
from rollwise.errors import EngineError
from rollwise.extending import How
from rollwise.games import load
from rollwise.games.sheets.rules import Sheet
from rollwise.model.objective import Objective
from rollwise.solvers.base.layers import solve_in_layers
from rollwise.solvers.sheets.duel_arrays import DuelRecursion, duel_form
from rollwise.solvers.sheets.kernels.duel_numba import numba_duel
from rollwise.solvers.sheets.reading import sheet_form
from tests.cluster_faults import FullSums, Sums, square
from tests.full.libraries import need
from tests.test_cluster_plan import DUEL

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]

HERE = Path(__file__).parents[2]
SHEET = load("yazy", boxes="ones,sixes,straight,full-house", rerolls="1")
KINDS: dict[str, tuple[Any, Objective]] = {
    "expected": (SHEET, Expected()),
    "target": (SHEET, AtLeast(40)),
    "opponent": (SHEET, Against({20: 1, 41: 2})),
    "duel": DUEL,
}


class Nodes:
    """A cluster of two nodes, of which the second can be killed and replaced."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster as RayCluster  # noqa: PLC0415

        common: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 << 20}
        self.ray_cluster: Any = RayCluster(
            initialize_head=True, head_node_args={**common, "num_gpus": 1, "include_dashboard": False}
        )  # fmt: skip
        self.common = common
        self.second = self.add()
        self.address: str = self.ray_cluster.address

    def add(self) -> Any:
        return self.ray_cluster.add_node(**self.common)

    def kill_second(self) -> None:
        self.ray_cluster.remove_node(self.second, allow_graceful=False)

    def replace_second(self) -> None:
        self.second = self.add()
        self.ray_cluster.wait_for_nodes()

    def names(self) -> list[str]:
        """The names of the nodes: the first, the second."""
        ray: Any = import_module("ray")
        head = self.ray_cluster.head_node.node_id
        found = sorted((node["NodeID"] for node in ray.nodes() if node["Alive"]), key=lambda node: node != head)
        return [f"{os.uname().nodename}/{node[:8]}" for node in found]


@pytest.fixture(scope="session")
def nodes() -> Iterator[Nodes]:
    ray = need("ray", "rollwise[cluster]")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(HERE))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_IGNORE_UNHANDLED_ERRORS", "1")
        found = Nodes()
        ray.init(address=found.address, logging_level="error", log_to_driver=False)
        try:
            yield found
        finally:
            ray.shutdown()
            found.ray_cluster.shutdown()


@pytest.fixture
def trouble(tmp_path: Path) -> Callable[..., str]:
    def plan(**facts: Any) -> str:
        (tmp_path / "trouble").mkdir(exist_ok=True)
        (tmp_path / "trouble" / "trouble.json").write_text(json.dumps(facts))
        return str(tmp_path / "trouble")

    plan()
    return plan


def bits(solution: Any) -> list[bytes]:
    arrays = solution.pack().arrays
    return [np.asarray(arrays[name]).tobytes() for name in sorted(arrays)]


def on_threads() -> list[bytes]:
    sums = Sums()
    solve_in_layers(sums, How())
    return [sums.found[layer].tobytes() for layer in sorted(sums.found)]


def on_cluster(nodes: Nodes, folder: Path, sums: Sums, **how: Any) -> tuple[list[bytes], list[str]]:
    """Solve on the cluster; give the values of all layers, and what was said."""
    said: list[str] = []
    solve_in_layers(sums, How(backend=Cluster(nodes.address), checkpoint=folder, message=said.append, **how))
    return [np.asarray(sums.found[layer]).tobytes() for layer in sorted(sums.found)], said


def journal(folder: Path, what: str) -> list[dict[str, Any]]:
    return [line for line in read_journal(folder) if line["what"] == what]


# Same bits


@pytest.mark.parametrize("kind", KINDS)
def test_every_layered_form_has_the_same_bits(kind: str, nodes: Nodes, tmp_path: Path) -> None:
    game, objective = KINDS[kind]
    right = solve(game, objective)
    found = solve(game, objective, cluster=nodes.address, checkpoint=tmp_path)
    assert bits(found) == bits(right)
    assert (found.value(), found.certificate) == (right.value(), right.certificate)
    assert len(journal(tmp_path, "checked")) >= 1


def test_chunks_go_to_both_nodes_and_one_is_compared_elsewhere(nodes: Nodes, tmp_path: Path, trouble: Any) -> None:
    ticks: list[tuple[int, int | None]] = []
    found, said = on_cluster(
        nodes, tmp_path / "run", Sums(trouble(every=0.02)), progress=lambda _, done, total: ticks.append((done, total))
    )
    assert found == on_threads()
    assert said == []
    chunks = journal(tmp_path / "run", "chunk")
    assert {chunk["node"] for chunk in chunks} == set(nodes.names())
    assert all(
        {"cpu", "seconds", "prepare", "write", "read", "bytes", "memory", "mapped", "pid"} <= chunk.keys() for chunk in chunks
    )
    checked = journal(tmp_path / "run", "checked")
    assert checked
    assert all(line["node"] != line["first"] for line in checked)
    assert ticks == sorted(ticks)
    assert ticks[-1] == (sum(Sums().work), sum(Sums().work))
    log = (tmp_path / "run" / "log.txt").read_text()
    assert f"chunk: chunk 0 of layer 3 on {os.uname().nodename}/" in log


def test_a_duel_of_which_only_the_last_layers_stay(nodes: Nodes, tmp_path: Path) -> None:
    game, objective = KINDS["duel"]
    right = solve(game, objective)
    found: Any = solve(game, objective, cluster=nodes.address, checkpoint=tmp_path, keep="last")
    assert found.value() == right.value()
    assert len(found.layers) == 2
    assert sorted(path.name for path in tmp_path.glob("layer-*")) == ["layer-03", "layer-04", "layer-05", "layer-06"][-3:]


def test_workers_with_cards(nodes: Nodes, tmp_path: Path) -> None:
    """A node counts its cards; what runs there runs on a processor here."""
    sums = Sums()
    solve_in_layers(sums, How(backend=Cluster(nodes.address, "gpu"), checkpoint=tmp_path))
    assert [sums.found[layer].tobytes() for layer in sorted(sums.found)] == on_threads()
    assert {chunk["node"] for chunk in journal(tmp_path, "chunk")} == {nodes.names()[0]}


# Faults


def test_a_worker_is_killed(nodes: Nodes, tmp_path: Path, trouble: Any) -> None:
    found, said = on_cluster(nodes, tmp_path / "run", Sums(trouble(what="die", layer=3, times=2)))
    assert found == on_threads()
    assert {re.sub(r"\d+", "N", line.partition(" on ")[0]) for line in said} == {"chunk N of layer N"}
    assert sum("its worker died" in line for line in said) >= 2, "on a busy machine there may be more to report"


def test_a_worker_that_always_dies(nodes: Nodes, tmp_path: Path, trouble: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "TRIES", 2)
    place = trouble(what="die", layer=2, times=100)
    with pytest.raises(EngineError, match=r"^chunk \d+ of layer 2 failed 2 times, last on \S+: its worker died \(WorkerCrashed"):
        on_cluster(nodes, tmp_path / "run", Sums(place))
    trouble()
    assert on_cluster(nodes, tmp_path / "run", Sums(place))[0] == on_threads()


def test_rules_that_fail_on_the_nodes(nodes: Nodes, tmp_path: Path, trouble: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "TRIES", 2)
    with pytest.raises(EngineError, match="failed 2 times, last on .*: ZeroDivisionError: one by zero"):
        on_cluster(nodes, tmp_path / "run", Sums(trouble(what="raise", layer=2)))


def test_a_node_is_killed(nodes: Nodes, tmp_path: Path, trouble: Any) -> None:
    half = [sum(Sums().work) // 2]

    def progress(what: str, done: int, total: int | None) -> None:
        if half and done >= half[0]:
            half.clear()
            nodes.kill_second()

    try:
        found, said = on_cluster(nodes, tmp_path / "run", Sums(trouble(every=0.1)), progress=progress)
    finally:
        nodes.replace_second()
    assert found == on_threads()
    assert any("is gone" in line or "died" in line or "started again elsewhere" in line for line in said), said
    chunks = [(line["layer"], line["chunk"]) for line in journal(tmp_path / "run", "chunk")]
    assert len(chunks) == len(set(chunks)), "nothing that was written is lost"


def test_the_driver_is_killed(nodes: Nodes, tmp_path: Path, trouble: Any) -> None:
    run, place = tmp_path / "run", trouble(every=0.05)
    command = [sys.executable, "-W", "ignore", "-m", "tests.cluster_faults", nodes.address, str(run), place]
    first = subprocess.Popen(command, cwd=HERE, env={**os.environ, "PYTHONPATH": str(HERE)})
    begun = time.monotonic()
    while len(journal(run, "chunk")) < 8 and time.monotonic() - begun < 120 and first.poll() is None:
        time.sleep(0.05)
    if first.poll() is None:
        with pytest.raises(GameError, match=rf"is being solved by process {first.pid} on {os.uname().nodename}: wait for it"):
            on_cluster(nodes, run, Sums(place))
        assert read_status(run).state == "running"
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    status = read_status(run)
    assert status.state == "stopped"
    assert 0 < status.chunks_done < status.chunks
    trouble()
    found, said = on_cluster(nodes, run, Sums(place))
    assert (found, said) == (on_threads(), [])
    chunks = [(line["layer"], line["chunk"]) for line in journal(run, "chunk")]
    assert len(chunks) == len(set(chunks)), "nothing was worked out twice"
    assert read_status(run).state == "finished"


def test_a_full_disk_on_one_node_and_on_all(nodes: Nodes, tmp_path: Path, trouble: Any) -> None:
    one, other = nodes.names()
    place = trouble(full=[other])
    found, said = on_cluster(nodes, tmp_path / "one", FullSums(place))
    assert found == on_threads()
    assert [line.partition(" on ")[2] for line in said] == [f"{other}: No space left on device"]
    trouble(full=[one, other])
    with pytest.raises(GameError, match=r"^no node can write in .*: No space left on device.*: make room and give the command"):
        on_cluster(nodes, tmp_path / "all", FullSums(place))
    trouble()
    assert on_cluster(nodes, tmp_path / "all", FullSums(place))[0] == on_threads()


def test_a_slow_node(nodes: Nodes, tmp_path: Path, trouble: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "SLOW_SECONDS", 0.5)
    slow = nodes.names()[1]
    found, said = on_cluster(nodes, tmp_path / "run", Sums(trouble(what="slow", layer=2, where=slow, seconds=60)))
    assert found == on_threads()
    assert any(f"on {slow}: under way for" in line for line in said)
    assert not list((tmp_path / "run").glob("layer-*/*.part"))


def flip(folder: Path, layer: int) -> None:
    path = min((folder / f"layer-{layer:02}").iterdir())
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    path.write_bytes(content)


def test_a_chunk_is_damaged_between_two_runs(nodes: Nodes, tmp_path: Path) -> None:
    right, _ = on_cluster(nodes, tmp_path, Sums())
    flip(tmp_path, 2)
    min((tmp_path / "layer-04").iterdir()).unlink()
    found, said = on_cluster(nodes, tmp_path, Sums())
    assert found == right == on_threads()
    assert said == [f"chunk 0 of layer {layer} is damaged: it is worked out again" for layer in (2, 4)]
    assert on_cluster(nodes, tmp_path, Sums()) == (right, [])


def test_a_chunk_is_damaged_while_others_are_worked_out(nodes: Nodes, tmp_path: Path) -> None:
    three = [3 * Sums().work[0]]

    def progress(what: str, done: int, total: int | None) -> None:
        if done in three:
            three.clear()
            flip(tmp_path, 2)

    found, said = on_cluster(nodes, tmp_path, Sums(), progress=progress)
    assert found == on_threads()
    assert said == ["chunk 0 of layer 2 is damaged: it is worked out again"]


def test_nodes_that_disagree(nodes: Nodes, tmp_path: Path, trouble: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "ONE_IN", 1)
    one, other = nodes.names()
    place = trouble(what="wrong", where=other)
    with pytest.raises(GameError) as caught:
        on_cluster(nodes, tmp_path / "run", Sums(place))
    assert re.match(
        r"chunk \d+ of layer \d has other bits on \S+ than on \S+: one of them is faulty; take it out", str(caught.value)
    )
    assert one in str(caught.value)
    assert other in str(caught.value)
    trouble()
    found, _ = on_cluster(nodes, tmp_path / "run", Sums(place))
    assert found == on_threads()
    assert read_status(tmp_path / "run").faults["disputed"] == 1


# Folders and drivers


def test_a_folder_of_another_solve(nodes: Nodes, tmp_path: Path) -> None:
    on_cluster(nodes, tmp_path, Sums())
    with pytest.raises(GameError, match="holds the layers of another game, objective or precision: use another directory"):
        on_cluster(nodes, tmp_path, Sums("", "other"))


def test_a_manifest_that_is_cut_off_or_of_another_version(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    right, _ = on_cluster(nodes, tmp_path, Sums())
    lines = (tmp_path / "journal.jsonl").read_bytes()
    (tmp_path / "journal.jsonl").write_bytes(lines[: len(lines) // 2])
    assert on_cluster(nodes, tmp_path, Sums()) == (right, [])
    (tmp_path / "run.json").write_text((tmp_path / "run.json").read_text()[:-30])
    found, said = on_cluster(nodes, tmp_path, Sums())
    assert found == right
    assert len(said) == 1
    assert "cannot be used" in said[0]


def test_nodes_with_other_versions(nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet, "versions", lambda: {"NumPy": "1.0"})
    with pytest.raises(GameError, match=r"^node \S+ has NumPy 2\S+ \(here 1.0\): install the same everywhere$"):
        on_cluster(nodes, tmp_path, Sums())


def test_nodes_that_do_not_see_the_folder(nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = fleet.Fleet._describe
    elsewhere = tmp_path / "elsewhere"
    monkeypatch.setattr(fleet.Fleet, "_describe", lambda self, *given: real(fleet.Fleet(self.ray, elsewhere), *given))
    with pytest.raises(GameError, match=r"^node \S+ does not see .* as the driver does \(No such file or directory\)$"):
        on_cluster(nodes, tmp_path / "run", Sums())


# Jobs of a sweep


def test_jobs_on_a_cluster(nodes: Nodes, tmp_path: Path) -> None:
    workers = RayWorkers(nodes.address, lambda reason: ("failed", reason))
    assert workers.count == 2
    found = dict(workers.each(square, [1, 2, -1, 3, 0, 5]))
    assert {number: found[number] for number in (0, 1, 3, 5)} == {0: 1, 1: 4, 3: 9, 5: 25}
    assert found[2] == ("failed", "ValueError: -1 is negative")
    assert found[4] == ("failed", "its process or node died 3 times (WorkerCrashedError)")
    some: Any = workers.each(square, range(1, 50))
    assert next(some)[1] > 0
    some.close()
    workers.close()


def test_a_sweep_on_a_cluster(nodes: Nodes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["sweep", "yazy", "-p", "boxes=ones,sixes", "--over", "rerolls=0,1,2", "--json"]
    found = []
    for more in (["--workers", "1"], ["--cluster", nodes.address]):
        assert main([*line, *more]) == 0
        rows = json.loads(capsys.readouterr().out)["rows"]
        found.append([(row["rerolls"], row["value"]) for row in rows])
    assert found[0] == found[1]
    assert len(found[0]) == 3


# Cards


# Front doors


def test_the_command_line(nodes: Nodes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["solve", "yazy", "-p", "boxes=ones,sixes,straight", "--duel", "--json"]
    assert main([*line, "--no-cache"]) == 0
    right = json.loads(capsys.readouterr().out)
    assert main([*line, "--cluster", nodes.address, "--cache", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {**found, "seconds": 0} == {**right, "seconds": 0}
    assert main(["cluster", "status", str(tmp_path), "--json"]) == 0
    (status,) = json.loads(capsys.readouterr().out)["solves"]
    assert (status["state"], status["layers_done"], status["chunks_done"]) == ("finished", 7, status["chunks"])
    assert (status["work_done"], status["seconds_left"], status["faults"]) == (status["work"], 0.0, {})
    assert main(["cluster", "status", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "finished" in out
    assert "worked out twice and compared" in out
    assert not list(tmp_path.glob("*.cluster/layer-*")), "the solution is in the store"
    assert main([*line, "--cache", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == right["value"]


def test_an_address_at_which_nobody_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ray = need("ray", "rollwise[cluster]")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(GameError, match=r"no Ray cluster answers at '127.0.0.1:9' \(.*\): start one with 'ray start --head'"):
        solve(*KINDS["duel"], cluster="127.0.0.1:9", checkpoint=tmp_path)
    with pytest.raises(GameError, match="a cluster needs a folder that all its nodes see"):
        solve(*KINDS["duel"], cluster="127.0.0.1:9")


# Chunks


# Long checks


@pytest.mark.audit
def test_a_node_is_killed_at_random_ten_times(nodes: Nodes, tmp_path: Path) -> None:
    """Same bits every time, and no chunk that was written is worked out again."""
    game = load("yazy", boxes="ones,twos,threes,fours,fives,sixes,full-house,straight")
    right: Any = solve(game, Duel())
    chance = random.Random(15)
    for number in range(10):
        run, share, killers = tmp_path / str(number), chance.random(), list[threading.Thread]()

        def progress(what: str, done: int, total: int | None, share: float = share, killers: Any = killers) -> None:
            if total and done >= share * total and not killers:
                killers.append(threading.Thread(target=nodes.kill_second))
                killers[0].start()

        try:
            found: Any = solve(game, Duel(), cluster=nodes.address, checkpoint=run, progress=progress)
        finally:
            killers[0].join()
            nodes.replace_second()
        assert all(found.layers[layer].tobytes() == right.layers[layer].tobytes() for layer in right.layers)
        chunks = [(line["layer"], line["chunk"]) for line in journal(run, "chunk")]
        assert len(chunks) == len(set(chunks))


@pytest.mark.audit
def test_a_part_of_a_duel_of_twelve_boxes(nodes: Nodes, tmp_path: Path) -> None:
    """Twelve boxes without a carry: a duel of 1,299,120,380 positions, of which the last seven half-turns are solved."""
    eleven, yatzy = (cast("Sheet", load(name)) for name in ("yazy", "yatzy"))
    twelve = Sheet((*eleven.boxes, yatzy.boxes[-2]))
    form = duel_form(sheet_form(twelve))
    found = []
    for how in (How(), How(backend=Cluster(nodes.address), checkpoint=tmp_path)):
        part = DuelRecursion(form, numba_duel, "float64", fingerprint="twelve")
        assert sum(part.work) == 1_299_120_380
        part.shapes, part.work = part.shapes[:8], part.work[:8]
        solve_in_layers(part, how)
        found.append([np.asarray(part.layers[layer]).tobytes() for layer in range(8)])
    assert found[0] == found[1]
    assert {chunk["node"] for chunk in journal(tmp_path, "chunk")} == set(nodes.names())
