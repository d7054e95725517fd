"""Solving on a cluster: the same bits as on threads, whatever breaks; on two nodes of Ray, started once."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rollwise import Against, AtLeast, Expected, GameError, solve
from rollwise.cli.main import main
from rollwise.cluster import connect, driver, worker
from rollwise.cluster.backend import Cluster
from rollwise.cluster.status import read_status
from rollwise.cluster.workers import RayWorkers
from rollwise.errors import EngineError
from rollwise.extending import SolveOptions
from rollwise.games import load
from rollwise.model.objective import Objective
from rollwise.solvers.base.journal import read_journal
from rollwise.solvers.base.layers import solve_in_layers
from tests.cluster_faults import Sums, square
from tests.full.libraries import need
from tests.test_cluster import DUEL
from tests.test_layers import stop_after

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]

HERE = Path(__file__).parents[2]
SHEET = load("yazy", boxes="ones,sixes,straight,full-house", rerolls="1")
KINDS: dict[str, tuple[Any, Objective]] = {
    "expected": (SHEET, Expected()),
    "target": (SHEET, AtLeast(40)),
    "opponent": (SHEET, Against({20: 1, 41: 2})),
    "duel": DUEL,
}


PATIENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",
    "RAY_worker_register_timeout_seconds": "600",
    "RAY_health_check_timeout_ms": "60000",
}
"""Settings of Ray: on a busy machine nodes and processes start late, and answer late."""


def started(start: Callable[[], Any]) -> Any:
    """Start a node; Ray gives up one that takes longer than half a minute, which happens on a busy machine: then try again."""
    for _ in range(4):
        try:
            return start()
        except Exception as error:
            if "timed out during startup" not in str(error):
                raise
    return start()


class Nodes:
    """A cluster of two nodes, of which the second can be killed and replaced."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster as RayCluster  # noqa: PLC0415

        common: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 << 20}
        head = {**common, "num_gpus": 1, "include_dashboard": False}
        self.ray_cluster: Any = started(lambda: RayCluster(initialize_head=True, head_node_args=head))
        self.common = common
        self.second = self.add()
        self.address: str = self.ray_cluster.address

    def add(self) -> Any:
        return started(lambda: self.ray_cluster.add_node(**self.common))

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
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**PATIENT, "PYTHONPATH": str(HERE)}.items():
            patch.setenv(name, value)
        ray = need("ray", "rollwise[cluster]")  # which reads its settings now
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
    solve_in_layers(sums, SolveOptions())
    return [sums.found[layer].tobytes() for layer in sorted(sums.found)]


def on_cluster(nodes: Nodes, folder: Path, sums: Sums, device: str = "cpu", **how: Any) -> tuple[list[bytes], list[str]]:
    """Solve on the cluster; give the values of all layers, and what was said."""
    said: list[str] = []
    solve_in_layers(sums, SolveOptions(backend=Cluster(nodes.address, device), checkpoint=folder, message=said.append, **how))
    return [np.asarray(sums.found[layer]).tobytes() for layer in sorted(sums.found)], said


def journal(folder: Path, what: str = "blocks") -> list[dict[str, Any]]:
    return [line for line in read_journal(folder / "journal.jsonl")[1] if what in line]


def flip(folder: Path, layer: int) -> None:
    path = folder / f"layer-{layer:02}.npy"
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)


# Same bits


@pytest.mark.parametrize("kind", KINDS)
def test_every_layered_solve_has_the_same_bits(kind: str, nodes: Nodes, tmp_path: Path) -> None:
    game, objective = KINDS[kind]
    right = solve(game, objective)
    found = solve(game, objective, cluster=nodes.address, checkpoint=tmp_path)
    assert bits(found) == bits(right)
    assert (found.value(), found.certificate) == (right.value(), right.certificate)
    assert len(journal(tmp_path, "checked")) >= 1
    again = solve(game, objective, checkpoint=tmp_path, progress=stop_after(-1))
    assert bits(again) == bits(right), "threads resume what a cluster solved"


def test_chunks_go_to_both_nodes_and_some_are_compared(nodes: Nodes, tmp_path: Path, trouble: Any) -> None:
    ticks: list[tuple[int, int | None]] = []
    found, said = on_cluster(
        nodes, tmp_path / "run", Sums(trouble(every=0.02)), progress=lambda _, done, total: ticks.append((done, total))
    )
    assert found == on_threads()
    assert said == []
    chunks = journal(tmp_path / "run")
    assert {chunk["node"] for chunk in chunks} == set(nodes.names())
    assert all({"cpu", "seconds", "prepare", "memory", "pid"} <= chunk.keys() for chunk in chunks)
    assert journal(tmp_path / "run", "checked")
    assert ticks == sorted(ticks)
    assert ticks[-1] == (sum(Sums().work), sum(Sums().work))


# Faults


def test_a_killed_node_a_damaged_chunk_and_a_restarted_driver(nodes: Nodes, tmp_path: Path, trouble: Any) -> None:
    """Three faults in one solve, and the same bits."""
    run, place = tmp_path / "run", trouble(every=0.1, what="die", layer=1, times=2)
    command = [sys.executable, "-W", "ignore", "-m", "tests.cluster_faults", nodes.address, str(run), place]
    first = subprocess.Popen(command, cwd=HERE, env={**os.environ, "PYTHONPATH": str(HERE)}, stdout=subprocess.PIPE)
    try:
        while len(journal(run)) < 10:
            assert first.poll() is None
            time.sleep(0.05)
        with pytest.raises(GameError, match=rf"is being solved by process {first.pid} on {os.uname().nodename}: wait for it"):
            on_cluster(nodes, run, Sums(place))
        assert read_status(run).state == "running"
    finally:
        os.kill(first.pid, signal.SIGKILL)
        out, _ = first.communicate()
    assert (Path(place) / "died-1").exists()
    assert out == b"", "Ray writes nothing about attempts that failed"
    status, before = read_status(run), journal(run)
    assert (status.state, 0 < status.work_done < status.work) == ("stopped", True)
    flip(run, 1)
    later = [4 * Sums().work[0]]

    def progress(what: str, done: int, total: int | None) -> None:
        if later and done >= later[0]:
            later.clear()
            nodes.kill_second()
            flip(run, 3)

    try:
        found, said = on_cluster(nodes, run, Sums(place), progress=progress)
    finally:
        nodes.replace_second()
    assert found == on_threads()
    assert [re.sub(r"\d+", "N", line) for line in said] == ["blocks N to N of layer N are damaged: they are computed again"] * 2
    chunks = Counter((line["layer"], line["first"]) for line in journal(run))
    dropped = Counter(tuple(line["dropped"]) for line in journal(run, "dropped"))
    assert all(count == 1 + dropped[place] for place, count in chunks.items()), "only what was damaged is computed twice"
    assert journal(run)[: len(before)] == before
    status = read_status(run)
    assert (status.state, status.faults) == ("finished", {"damaged": 2})


def test_rules_that_fail_and_workers_that_always_die(
    nodes: Nodes, tmp_path: Path, trouble: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EngineError, match="of layer 2 failed: ZeroDivisionError: one by zero"):
        on_cluster(nodes, tmp_path / "run", Sums(trouble(what="raise", layer=2)))
    monkeypatch.setattr(driver, "task", partial(connect.task, tries=2))
    monkeypatch.setattr(driver, "TRIES", 2)
    place = trouble(what="die", layer=3, times=100)
    with pytest.raises(EngineError, match=r"of layer 3 failed 2 times: its process or node died \(WorkerCrashed"):
        on_cluster(nodes, tmp_path / "run", Sums(place))
    trouble()
    assert on_cluster(nodes, tmp_path / "run", Sums(place))[0] == on_threads()


def test_nodes_that_disagree(nodes: Nodes, tmp_path: Path, trouble: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "ONE_IN", 1)
    place = trouble(what="wrong", where=nodes.names()[1], every=0.05)
    with pytest.raises(GameError, match=r"have other bits on \S+ than on \S+: one of them is faulty; take it out"):
        on_cluster(nodes, tmp_path / "run", Sums(place))
    assert read_status(tmp_path / "run").faults["disputed"] == 1
    trouble()
    found, said = on_cluster(nodes, tmp_path / "run", Sums(place))
    assert found == on_threads()
    assert len(said) == 1
    assert "two nodes disagreed" in said[0]


# Folders and drivers


def test_a_folder_of_another_solve_and_a_journal_that_is_cut_off(nodes: Nodes, tmp_path: Path) -> None:
    right, _ = on_cluster(nodes, tmp_path, Sums())
    with pytest.raises(GameError, match="holds the layers of another game, objective or precision: use another directory"):
        on_cluster(nodes, tmp_path, Sums("", "other"))
    lines = (tmp_path / "journal.jsonl").read_bytes()
    (tmp_path / "journal.jsonl").write_bytes(lines[: len(lines) // 2])
    assert on_cluster(nodes, tmp_path, Sums()) == (right, [])
    (tmp_path / "journal.jsonl").write_bytes(lines[1:])
    found, said = on_cluster(nodes, tmp_path, Sums())
    assert found == right
    assert len(said) == 1
    assert "cannot be used" in said[0]


def test_nodes_with_other_versions(nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "versions", lambda: {**worker.versions(), "NumPy": "1.0"})
    with pytest.raises(GameError, match=r"^node \S+ has NumPy 2\S+ \(the driver 1.0\): install the same everywhere$"):
        on_cluster(nodes, tmp_path, Sums("", "versions"))


def test_nodes_that_do_not_see_the_folder(nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "str", lambda path: f"{path}-elsewhere", raising=False)
    with pytest.raises(
        GameError, match=r"^node \S+ does not share '.*-elsewhere' with the driver \(No such file.*\): use a folder"
    ):
        on_cluster(nodes, tmp_path / "run", Sums())
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["journal.jsonl"], "before any work"


def test_a_full_disk(nodes: Nodes, tmp_path: Path, trouble: Any) -> None:
    place = trouble(what="full", layer=5)
    with pytest.raises(
        GameError, match=r"^blocks \d+ to \d+ of layer 5 cannot be written in .* \(No space left on device\): make"
    ):
        on_cluster(nodes, tmp_path / "run", Sums(place))
    trouble()
    assert on_cluster(nodes, tmp_path / "run", Sums(place))[0] == on_threads()
    assert Path(place, "tried").stat().st_size <= 2 * connect.TRIES * len(journal(tmp_path / "run"))


def test_a_cluster_without_usable_nodes_says_that_it_waits(nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A task asks for a GPU more than any node has."""
    monkeypatch.setattr(driver, "WAIT_SECONDS", 0.2)
    monkeypatch.setattr(driver, "nodes_with", lambda *_: [])
    monkeypatch.setattr(driver, "task", lambda ray, function, device="": ray.remote(num_gpus=2, max_calls=0)(function))

    def stop(line: str) -> None:
        raise InterruptedError(line)

    line = r"^no node of the cluster has a GPU and 0\.00 GiB of memory: waiting until one joins$"
    with pytest.raises(InterruptedError, match=line):
        solve_in_layers(Sums(), SolveOptions(backend=Cluster(nodes.address, "gpu"), checkpoint=tmp_path, message=stop))
    assert read_status(tmp_path).faults["waiting"] == 1


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
    for more in (["--threads", "1"], ["--cluster", nodes.address]):
        assert main([*line, *more]) == 0
        rows = json.loads(capsys.readouterr().out)["rows"]
        found.append([(row["rerolls"], row["value"]) for row in rows])
    assert found[0] == found[1]
    assert len(found[0]) == 3


# Entry points


def test_the_command_line(nodes: Nodes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["solve", "yazy", "-p", "boxes=ones,sixes,straight", "--objective", "duel", "--json"]
    assert main([*line, "--no-cache"]) == 0
    right = json.loads(capsys.readouterr().out)
    assert main([*line, "--cluster", nodes.address, "--cache", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {**found, "seconds": 0} == {**right, "seconds": 0}
    assert main(["cluster", "status", str(tmp_path), "--json"]) == 0
    (status,) = json.loads(capsys.readouterr().out)["solves"]
    assert (status["state"], status["layers_done"], status["chunks_done"]) == ("finished", 7, 7)
    assert (status["work_done"], status["seconds_left"], status["faults"]) == (status["work"], 0.0, {})
    assert main(["cluster", "status", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "finished" in out
    assert "computed twice and compared" in out
    assert main([*line, "--cache", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == right["value"]


def test_an_address_at_which_nobody_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ray = need("ray", "rollwise[cluster]")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(GameError, match=r"no Ray cluster answers at '127.0.0.1:9' \(.*\): start one with 'ray start --head'"):
        solve(*KINDS["duel"], cluster="127.0.0.1:9", checkpoint=tmp_path)
    with pytest.raises(GameError, match="a cluster needs a folder that all its nodes see"):
        solve(*KINDS["duel"], cluster="127.0.0.1:9")
