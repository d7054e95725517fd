"""A server with nothing to do gives memory back, and answers as before when it is asked again."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from rollwise.games.sheets import boxes as sheet_boxes
from rollwise.web.idle import Idle, forget_calls
from rollwise.web.limits import Limits
from tests.web_client import SMALL, Slow, TestClient, ask, connect, slow, solve

__all__ = ["slow"]

SHEET = SMALL["sheet"]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with connect(tmp_path) as found:
        yield found


def idle_of(client: TestClient, clock: Clock, *, busy: bool = False) -> Idle:
    app: Any = client.app
    return Idle(app.state.jobs, lambda: busy, clock)


def test_due_once_after_a_while_without_use(client: TestClient) -> None:
    clock = Clock()
    idle = idle_of(client, clock)
    clock.now = 1e6
    assert not idle.look()  # nothing was ever solved
    solve(client, SHEET)
    assert not idle.look()
    clock.now += Limits().idle_seconds - 1
    assert not idle.look()
    clock.now += 1
    assert idle.look()
    ask(client, "/api/distribution", **SHEET)
    assert not idle.look()
    clock.now += Limits().idle_seconds
    assert idle.look()
    idle.rest()
    assert not idle.look()


def test_not_due_while_something_runs(client: TestClient, slow: Slow) -> None:
    clock = Clock()
    idle, busy = idle_of(client, clock), idle_of(client, clock, busy=True)
    ask(client, "/api/solve", **SHEET)
    for clock.now in (0.0, 1e6, 2e6):
        assert not idle.look()
        assert not busy.look()
    slow()
    solve(client, SHEET)
    assert not busy.look()
    for clock.now in (3e6, 4e6):
        due = idle.look()
    assert due


def test_solved_games_are_dropped_and_come_back(client: TestClient) -> None:
    solve(client, SHEET)
    before = ask(client, "/api/distribution", **SHEET)
    idle_of(client, Clock()).rest()
    assert client.get("/api/health").json()["solved"] == 0
    assert client.post("/api/distribution", json=SHEET).status_code == 409
    solve(client, SHEET)
    assert ask(client, "/api/distribution", **SHEET) == before


def test_what_takes_long_and_is_not_cached_stays(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.web.jobs.MOMENT", 0.0)
    solve(client, SHEET)
    idle_of(client, Clock()).rest()
    assert client.get("/api/health").json()["solved"] == 1


def test_calls_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    remembering, singleton = lru_cache(maxsize=4)(abs), lru_cache(maxsize=None)(abs)
    for name, function in (("remembering", remembering), ("singleton", singleton)):
        function(-1)
        monkeypatch.setattr(sheet_boxes, name, function, raising=False)
    forget_calls()
    assert (remembering.cache_info().currsize, singleton.cache_info().currsize) == (0, 1)
