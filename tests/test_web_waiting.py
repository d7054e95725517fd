"""Who waits for a solve: one who leaves cancels nobody else's, and what nobody waits for lets others go first."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import pytest

from rollwise import cache
from rollwise.games.sheets.rules import Sheet
from rollwise.web import jobs as web_jobs
from rollwise.web import waiting
from rollwise.web.jobs import Job, Jobs
from rollwise.web.limits import Limits
from rollwise.web.waiting import Waiting
from tests.web_client import PATIENCE, Slow, boxes, connect, slow, until, wait

__all__ = ["slow"]


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    found = Jobs(Limits(queue=2), tmp_path)
    yield found
    found.close()


def submit(jobs: Jobs, name: str, visitor: str = "") -> Job:
    return jobs.submit("yazy", {"boxes": name}, visitor=visitor)


def goes_on(job: Job) -> None:
    """Wait until a solve has looked twice more whether it is to stop."""
    for _ in range(2):
        before = job.progress
        until(lambda: job.progress != before)  # noqa: B023


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let time pass for those who wait."""
    passed = 0.0

    def advance(seconds: float) -> None:
        nonlocal passed
        passed += seconds

    monkeypatch.setattr(waiting, "monotonic", lambda: monotonic() + passed)
    return advance


# Long solves


@pytest.fixture
def long_sheets(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Count every sheet as long, and let it go on until this is set."""
    go, real = Event(), cache.solve

    def solve(game: Any, **options: Any) -> Any:
        for done in count(1):
            if isinstance(game, Sheet):
                options["progress"]("solving", done, 10**6)
            if not isinstance(game, Sheet) or go.wait(0.005):
                return real(game, **options)
        raise AssertionError

    monkeypatch.setattr(cache, "solve", solve)
    monkeypatch.setattr(web_jobs, "LONG_SECONDS", -1.0)
    yield go
    go.set()


def test_a_long_solve_lets_short_ones_go_first_and_goes_on(jobs: Jobs, long_sheets: Event) -> None:
    long = submit(jobs, "ones", "a")
    until(lambda: long.status == "solving")
    short = jobs.submit("slots", {}, visitor="b")
    assert short.done.wait(PATIENCE)
    assert (short.status, long.status) == ("solved", "solving")
    goes_on(long)
    another = submit(jobs, "twos", "c")
    goes_on(long)
    assert another.status == "queued", "as long as the one that came first"
    long_sheets.set()
    assert another.done.wait(PATIENCE)
    assert (long.status, another.status) == ("solved", "solved")


def test_a_long_solve_has_more_time_and_says_how_much_is_left(
    tmp_path: Path, long_sheets: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_jobs, "RATE_SECONDS", 0.0)
    jobs = Jobs(Limits(seconds=0.001), tmp_path)
    job = submit(jobs, "ones", "a")
    until(lambda: job.seconds_left is not None)
    goes_on(job)
    assert job.seconds_left is not None
    assert job.seconds_left > 0
    long_sheets.set()
    assert job.done.wait(PATIENCE)
    assert job.result is not None
    assert job.seconds_left is None
    jobs.close()


@pytest.mark.parametrize(("begun", "done", "expected"), [(0, 100, 95), (50, 100, 190), (100, 100, None)])
def test_layers_that_were_there_took_no_time(
    begun: int, done: int, expected: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_jobs, "monotonic", lambda: 10.0)
    assert web_jobs.Rate("solving", begun, 0.0).seconds_left(done, 1050) == expected
    assert web_jobs.Rate("solving", begun, 8.0).seconds_left(done, 1050) is None, "too early to say"


# Counting


def test_who_asks_counts_for_a_while(clock: Callable[[float], None]) -> None:
    found = Waiting()
    assert not found.anybody
    found.ask("a")
    clock(9)
    assert found.anybody
    clock(2)
    assert not found.anybody


def test_an_open_stream_counts_as_long_as_it_is_open(clock: Callable[[float], None]) -> None:
    found = Waiting()
    found.open("a")
    clock(1000)
    assert found.anybody
    found.close("a")
    assert found.anybody, "it may be a reload"
    clock(11)
    assert not found.anybody


def test_who_leaves_counts_no_more_whatever_closes_first() -> None:
    for first, second in ((Waiting.leave, Waiting.close), (Waiting.close, Waiting.leave)):
        found = Waiting()
        found.ask("a")
        found.open("a")
        first(found, "a")
        second(found, "a")
        assert not found.anybody


# Leaving


def test_leaving_does_not_cancel_for_another(tmp_path: Path, slow: Slow) -> None:
    with connect(tmp_path) as client:
        for visitor in ("a", "b"):
            job = client.post(f"/api/solve?visitor={visitor}", json=boxes("ones")).json()
        left = client.delete(f"/api/solve/{job['id']}?visitor=a")
        assert left.json()["status"] in ("queued", "solving")
        client.delete(f"/api/solve/{job['id']}?visitor=a")
        goes_on(client.app.state.jobs.find(job["id"]))  # type: ignore[attr-defined]
        assert client.get(f"/api/solve/{job['id']}?visitor=b").json()["status"] == "solving"
        client.delete(f"/api/solve/{job['id']}?visitor=b")
        wait(client, job, "cancelled")


def test_leaving_does_not_cancel_for_a_stream_without_a_name(tmp_path: Path, slow: Slow) -> None:
    with connect(tmp_path) as client:
        job = client.post("/api/solve?visitor=a", json=boxes("ones")).json()
        found = client.app.state.jobs.find(job["id"])  # type: ignore[attr-defined]
        found.waiting.open()
        client.delete(f"/api/solve/{job['id']}?visitor=a")
        assert found.waiting.anybody
        slow()
        assert wait(client, job, "solved")["id"] == job["id"]


def test_a_stream_that_closes_is_noticed(tmp_path: Path, slow: Slow, clock: Callable[[float], None]) -> None:
    with connect(tmp_path) as client:
        job = client.post("/api/solve?visitor=a", json=boxes("ones")).json()
        found = client.app.state.jobs.find(job["id"])  # type: ignore[attr-defined]
        slow()
        assert "event: job" in client.get(f"/api/solve/{job['id']}/events?visitor=a").text
        until(lambda: client.get("/api/health").json()["streams"] == 0)
        assert found.waiting._streams["a"] == 0


# Order


def test_what_nobody_waits_for_goes_behind(jobs: Jobs, slow: Slow, clock: Callable[[float], None]) -> None:
    running = submit(jobs, "ones")
    until(lambda: running.status == "solving")
    forgotten = submit(jobs, "twos")
    clock(11)
    running.waiting.ask()
    wanted = submit(jobs, "threes")
    assert jobs.waiting() == [wanted, forgotten]
    forgotten.waiting.ask()
    assert jobs.waiting() == [forgotten, wanted]


def test_a_solve_that_nobody_waits_for_lets_others_go_first(jobs: Jobs, slow: Slow, clock: Callable[[float], None]) -> None:
    abandoned = submit(jobs, "ones")
    until(lambda: abandoned.status == "solving")
    clock(11)
    wanted = submit(jobs, "twos")
    until(lambda: wanted.status == "solving")
    assert (abandoned.status, abandoned.done.is_set()) == ("queued", False)
    slow()
    assert wanted.done.wait(PATIENCE)
    assert abandoned.done.wait(PATIENCE)
    assert (wanted.status, abandoned.status) == ("solved", "solved")


def test_a_solve_that_nobody_waits_for_goes_on_while_nobody_else_comes(
    jobs: Jobs, slow: Slow, clock: Callable[[float], None]
) -> None:
    abandoned = submit(jobs, "ones")
    until(lambda: abandoned.status == "solving")
    clock(11)
    other = submit(jobs, "twos")
    clock(11)
    goes_on(abandoned)
    assert (abandoned.status, other.status) == ("solving", "queued")


def test_what_nobody_waits_for_makes_room_in_a_full_queue(jobs: Jobs, slow: Slow, clock: Callable[[float], None]) -> None:
    running = submit(jobs, "ones")
    until(lambda: running.status == "solving")
    old = [submit(jobs, name) for name in ("twos", "threes")]
    clock(11)
    running.waiting.open()
    new = submit(jobs, "fours")
    assert [job.status for job in (*old, new)] == ["queued", "cancelled", "queued"]
    old[0].waiting.ask()
    with pytest.raises(Exception, match="try again"):
        submit(jobs, "fives")
