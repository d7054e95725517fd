"""Streams of events: what is new is described once for all who read it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from rollwise.web import news
from rollwise.web.jobs import Busy, Jobs, describe_job
from rollwise.web.limits import Limits
from rollwise.web.news import News
from tests.web_client import PATIENCE, read_events, run_alone


class Solve:
    """A job that changes when a test says so."""

    def __init__(self, jobs: Jobs) -> None:
        self.job = jobs.submit("yazy", {"boxes": "ones"})
        assert self.job.done.wait(PATIENCE)
        self.job.done.clear()

    def advance(self, done: int) -> None:
        self.job.progress = "solving", done, None


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Note whenever a job is described."""
    found: list[Any] = []

    def describe(jobs: Jobs, job: Any) -> Any:
        found.append(job)
        return describe_job(jobs, job)

    monkeypatch.setattr(news, "describe_job", describe)
    monkeypatch.setattr(news, "BEAT", 0.01)
    monkeypatch.setattr(news, "STREAM_SECONDS", 0.0)
    return found


async def read(stream: AsyncIterator[bytes], into: list[bytes]) -> None:
    async for text in stream:
        into.append(text)  # noqa: PERF401  (others read it meanwhile)


def test_three_hundred_streams_cost_one(tmp_path: Path, counted: list[Any]) -> None:
    jobs = Jobs(Limits(), tmp_path)
    solve = Solve(jobs)
    heard: list[list[bytes]] = [[] for _ in range(300)]

    async def follow() -> None:
        time = asyncio.get_running_loop().time
        spoken, begun = News(jobs, lambda: False), time()
        tasks = [asyncio.ensure_future(read(spoken.follow(solve.job, ""), into)) for into in heard]
        for done in range(5):
            solve.advance(done)
            while any(len(into) < done + 1 for into in heard):
                await asyncio.sleep(0.001)
        assert spoken.streams == 300
        solve.job.done.set()
        await asyncio.gather(*tasks)
        assert spoken.streams == 0
        assert len(counted) <= (time() - begun) / news.BEAT + 2, "once a beat, however many there are"

    run_alone(follow())
    jobs.close()
    said = {b"".join(into) for into in heard}
    assert len({read_events(text.decode())[-1]["id"] for text in said}) == 1
    for text in said:
        progress = [event["progress"]["done"] for event in read_events(text.decode())]
        assert progress == sorted(progress)
        assert progress[-1] == 4


def test_streams_too_many_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "MOST", 2)
    jobs = Jobs(Limits(), tmp_path)
    spoken = News(jobs, lambda: False)
    spoken.check_room()
    spoken.streams = 2
    with pytest.raises(Busy, match="streams are open"):
        spoken.check_room()
    jobs.close()


def test_a_silent_stream_says_that_it_is_alive(tmp_path: Path, counted: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "SILENCE", 0.02)
    jobs = Jobs(Limits(), tmp_path)
    solve = Solve(jobs)
    heard: list[bytes] = []

    async def follow() -> None:
        task = asyncio.ensure_future(read(News(jobs, lambda: False).follow(solve.job, "a"), heard))
        while b": waiting\n\n" not in heard:
            await asyncio.sleep(0.001)
        assert solve.job.waiting.anybody
        task.cancel()

    run_alone(follow())
    jobs.close()
    assert heard[0].startswith(b"event: job\n")
