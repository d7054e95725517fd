"""Streams of events: all who read them hear what is new, once."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from rollwise.web import news
from rollwise.web.jobs import Jobs
from rollwise.web.limits import Limits
from rollwise.web.news import News
from rollwise.web.work import Busy
from tests.web_client import PATIENCE, read_events, run_alone


class Solve:
    """A job that changes when a test says so."""

    def __init__(self, jobs: Jobs) -> None:
        self.job = jobs.submit("yazy", {"boxes": "ones"})
        assert self.job.done.wait(PATIENCE)
        self.job.done.clear()

    def advance(self, done: int) -> None:
        self.job.progress = "solving", done, None


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at jobs often."""
    monkeypatch.setattr(news, "BEAT", 0.01)
    monkeypatch.setattr(news, "STREAM_SECONDS", 0.0)


async def read(stream: AsyncIterator[bytes], into: list[bytes]) -> None:
    async for text in stream:
        into.append(text)  # noqa: PERF401  (others read it meanwhile)


def test_all_streams_hear_what_is_new(tmp_path: Path) -> None:
    jobs = Jobs(Limits(), tmp_path)
    solve = Solve(jobs)
    heard: list[list[bytes]] = [[] for _ in range(30)]

    async def follow() -> None:
        spoken = News(jobs, lambda: False)
        tasks = [asyncio.ensure_future(read(spoken.follow(solve.job, ""), into)) for into in heard]
        for done in range(5):
            solve.advance(done)
            while any(len(into) < done + 1 for into in heard):
                await asyncio.sleep(0.001)
        assert spoken.streams == 30
        solve.job.done.set()
        await asyncio.gather(*tasks)
        assert spoken.streams == 0

    run_alone(follow())
    jobs.close()
    said = {b"".join(into) for into in heard}
    assert len({read_events(text.decode())[-1]["id"] for text in said}) == 1
    for text in said:
        progress = [event["progress"]["done"] for event in read_events(text.decode())]
        assert progress == [0, 1, 2, 3, 4]


def test_streams_too_many_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "MOST", 2)
    jobs = Jobs(Limits(), tmp_path)
    spoken = News(jobs, lambda: False)
    spoken.check_room()
    spoken.streams = 2
    with pytest.raises(Busy, match="streams are open"):
        spoken.check_room()
    jobs.close()


def test_a_silent_stream_says_that_it_is_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
