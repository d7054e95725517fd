"""What takes a while on the server: nothing waits behind something larger, and what is abandoned ends and leaves nothing."""

import asyncio
import gc
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import numpy as np
import pytest
from fastapi import HTTPException

from rollwise import AtLeast, Solution, cache
from rollwise.games import load
from rollwise.playing.distribution import quick_outlooks
from rollwise.solvers.base.abilities import UsesMemory, ability
from rollwise.solvers.base.memory_use import memory_use
from rollwise.solvers.solve import solve
from rollwise.web import answers, following
from rollwise.web.following import Follower
from rollwise.web.limits import Limits
from rollwise.web.precompute import Preparer
from tests.web_client import PATIENCE, SMALL, TestClient, ask, connect, run_alone, until
from tests.web_client import solve as serve

SHEET: dict[str, Any] = SMALL["sheet"]
MOVE = {"state": "11116 1 all", "action": "keep 1111"}


class Visitor:
    """A request that goes away, or stays."""

    def __init__(self, gone: Event | None = None) -> None:
        self.gone = gone or Event()

    async def is_disconnected(self) -> bool:
        return self.gone.is_set()


class Large:
    """Stands for an array."""


@contextmanager
def follower(monkeypatch: pytest.MonkeyPatch) -> Iterator[Follower]:
    monkeypatch.setattr(following, "_compile", lambda: None)
    found = Follower(Limits())
    try:
        yield found
    finally:
        found.close()


def gone(left: list[Any]) -> bool:
    """Whether nothing of it is held: a thread lets go of what it did a moment after it said so."""
    until(lambda: all(ref() is None for ref in left))
    return True


@contextmanager
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def abandon(follower: Follower, work: Callable[[Any], Any], begun: Event) -> None:
    """Ask for work, and go away once it has begun."""
    with pytest.raises(HTTPException):
        await follower.run(Visitor(begun), work)  # type: ignore[arg-type]


def test_abandoned_work_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what its frames held, nor what it was asked with; and not only when somebody collects garbage."""
    begun, left = Event(), list[Any]()

    def make() -> Callable[[Any], Any]:
        asked = Large()
        left.append(weakref.ref(asked))

        def work(progress: Any) -> Any:
            held = Large()
            left.append(weakref.ref(held))
            assert asked
            begun.set()
            while True:
                progress("following", 0, None)
                sleep(0.001)

        return work

    monkeypatch.setattr(following, "tidy", lambda: None)
    with follower(monkeypatch) as found, no_collector():
        run_alone(abandon(found, make(), begun))
        assert gone(left)
        assert len(left) == 2


def test_nothing_waits_behind_something_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    go = Event()

    def slow(progress: Any) -> str:
        while not go.wait(0.001):
            progress("following", 0, None)
        return "slow"

    async def all_lanes(found: Follower) -> list[str]:
        first = asyncio.ensure_future(found.run(Visitor(), slow))  # type: ignore[arg-type]
        others = [await found.run(Visitor(), lambda _: lane, lane) for lane in ("short", "quick")]  # type: ignore[arg-type]  # noqa: B023
        go.set()
        return [*others, await first]

    with follower(monkeypatch) as found:
        assert run_alone(all_lanes(found)) == ["short", "quick", "slow"]


def test_answers_that_take_seconds_do_not_wait_for_the_price_of_a_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go, begun = Event(), Event()
    real = answers.answer_risk

    def held(*asked: Any) -> Any:
        begun.set()
        go.wait(PATIENCE)
        return real(*asked)

    monkeypatch.setattr("rollwise.web.app.answer_risk", held)
    monkeypatch.setattr(answers, "SHORT", 0)
    plan = {**SHEET, "objective": "worst 10%"}
    with connect(tmp_path) as client, ThreadPoolExecutor(1) as other:
        serve(client, plan)
        price = other.submit(ask, client, "/api/risk", **plan)
        begun.wait(PATIENCE)
        assert ask(client, "/api/distribution", **plan, exact=True)["chance"]
        assert not price.done()
        go.set()
        assert price.result()["plan"]["value"]


def blocked(client: TestClient) -> Any:
    """Fill the lane of what takes seconds; gives what frees it."""
    go = Event()
    lane = client.app.state.follower._threads["long"]  # type: ignore[attr-defined]
    lane.submit(go.wait, PATIENCE)
    return go.set


def test_a_small_chart_and_a_cached_one_do_not_wait_behind_a_large_one(tmp_path: Path) -> None:
    game = load("yazy", **SHEET["parameters"])
    kept = cache.solve(game, directory=tmp_path, worth_seconds=0)
    assert quick_outlooks(kept, [game.start()], build=True)
    with connect(tmp_path) as client:
        serve(client, SHEET)
        free = blocked(client)
        quick, exact = ask(client, "/api/outlook", **SHEET, **MOVE), ask(client, "/api/outlook", **SHEET, **MOVE, exact=True)
        free()
    assert (quick["error"] > 0, exact["error"]) == (True, 0)


# Preparing


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every sheet for a large one."""
    monkeypatch.setattr(answers, "SHORT", 0)
    monkeypatch.setattr("rollwise.web.precompute.WORTH_SECONDS", 0.0)


def test_a_chart_that_is_being_prepared_says_so_at_once(tmp_path: Path, large: None, monkeypatch: pytest.MonkeyPatch) -> None:
    go = Event()
    real = Preparer._next
    monkeypatch.setattr(Preparer, "_next", lambda self: go.wait(PATIENCE) and real(self))
    with connect(tmp_path) as client:
        serve(client, SHEET)
        answer = client.post("/api/outlook", json={**SHEET, **MOVE})
        assert answer.status_code == 202
        assert "ask again in a moment" in answer.json()["detail"]
        assert set(answer.json()["preparing"]) == {"what", "done", "total"}
        assert client.post("/api/distribution", json={**SHEET, "exact": False}).status_code == 202
        assert ask(client, "/api/outlook", **SHEET, **MOVE, exact=True)["error"] == 0
        go.set()
        while (answer := client.post("/api/outlook", json={**SHEET, **MOVE})).status_code == 202:
            sleep(0.01)
        assert 0 < answer.json()["error"] < 0.01
        assert 0 < ask(client, "/api/distribution", **SHEET, exact=False)["error"] < 0.01
        assert ask(client, "/api/distribution", **SHEET) == ask(client, "/api/distribution", **SHEET)


def test_a_chart_that_becomes_ready_while_it_is_looked_for_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The preparer ends between the look and the question how far it is: what it prepared counts, not a second, slow way."""
    game = load("yazy", **SHEET["parameters"])
    kept = cache.solve(game, directory=tmp_path, worth_seconds=0)
    looks = iter([None])
    assert quick_outlooks(kept, [game.start()], build=True)
    monkeypatch.setattr(answers, "SHORT", 0)
    monkeypatch.setattr(answers, "quick_outlooks", lambda *given, **more: next(looks, quick_outlooks(*given, **more)))
    preparer = Preparer(Limits())
    preparer.wish(kept).over = True
    found = answers.look_up_whole(kept, False, 1 << 30, preparer, lambda *_: None)
    preparer.close()
    assert isinstance(found, dict)
    assert 0 < found["error"] < 0.01


def test_what_is_solved_is_prepared_unasked_and_cached(tmp_path: Path, large: None) -> None:
    """Whoever asks later, also another server, has the chart at once."""
    with connect(tmp_path) as client:
        job = serve(client, SHEET)
        solution = client.app.state.jobs.find(job["id"]).solution  # type: ignore[attr-defined]
        while not client.app.state.preparer.wish(solution).over:  # type: ignore[attr-defined]
            sleep(0.01)
    with connect(tmp_path) as client:
        serve(client, SHEET)
        assert ask(client, "/api/outlook", **SHEET, **MOVE)["error"] > 0


def test_what_is_asked_for_is_prepared_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.web.precompute.WORTH_SECONDS", 0.0)
    go, order = Event(), list[Any]()
    first, second, third = (solve(load("yazy", boxes=name)) for name in ("ones", "twos", "threes"))

    def prepare(solution: Any, *_: Any, **__: Any) -> None:
        order.append(solution)
        assert go.wait(PATIENCE)

    monkeypatch.setattr("rollwise.web.precompute.quick_outlooks", prepare)
    preparer = Preparer(Limits())
    states = [preparer.wish(first)]
    while not order:
        sleep(0.001)
    states += [preparer.wish(solution) for solution in (second, third)]
    preparer.wish(third, first=True)
    go.set()
    while not all(state.over for state in states):
        sleep(0.001)
    preparer.close()
    assert order == [first, third, second]


# What is counted


def bytes_of(solution: Solution) -> int:
    return sum(ability(solution, UsesMemory).memory_use().values())


def test_what_is_computed_later_counts() -> None:
    game = load("yazy", **SHEET["parameters"])
    solution = solve(game)
    bare = bytes_of(solution)
    solution.ranked(game.read_state("11116 1 all"))
    turns = bytes_of(solution)
    assert quick_outlooks(solution, [game.start()], build=True)
    assert bare < turns < bytes_of(solution)


def test_what_solutions_share_counts_once(tmp_path: Path) -> None:
    """Two targets of one sheet are one table; so are a game and itself with its parameters written out."""
    game = load("yazy", **SHEET["parameters"])
    cache.solve(game, AtLeast(30), directory=tmp_path, worth_seconds=0)
    one, other = (cache.solve(game, AtLeast(target), directory=tmp_path) for target in (30, 40))
    both = {**ability(one, UsesMemory).memory_use(), **ability(other, UsesMemory).memory_use()}
    assert sum(both.values()) < 1.5 * bytes_of(one)
    table = np.zeros(100)
    assert sum(memory_use([table, table[:50], table.reshape(10, 10)]).values()) == table.nbytes
