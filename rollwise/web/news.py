"""News of solves for those who read their streams: described and written down once for all of them, whenever a job changed.

The more streams there are, the rarer the news, and they are told in small groups, so that advice is not kept waiting by them.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from rollwise.model.message import Message
from rollwise.web.jobs import Busy, Job, Jobs, describe_job
from rollwise.web.json_answer import write_json

__all__ = ["News"]

BEAT = 0.1
"""Seconds between looks at a job that somebody follows."""
STREAM_SECONDS = 0.003
"""Added to the beat for every stream: what one costs, many times over."""
GROUP = 16
"""Streams that are told at a time."""
SILENCE = 15.0
"""Seconds after which a stream without news says that it is alive."""
MOST = 500
"""Streams that are open at a time; a page that gets none asks again and again instead."""


class _Channel:
    """What was said last about a job, and who wants to hear what comes next."""

    def __init__(self) -> None:
        self.said: dict[str, Any] = {}
        self.over = False
        self.written: dict[str, bytes] = {}
        self.listeners: list[asyncio.Future[None]] = []
        self.teller: asyncio.Task[None] | None = None

    def write(self, language: str) -> bytes:
        """Write what was said last as an event, once a language."""
        if language not in self.written:
            self.written[language] = b"event: job\ndata: " + write_json(self.said, language) + b"\n\n"
        return self.written[language]


class News:
    """The streams of one server; everything happens in its event loop."""

    def __init__(self, jobs: Jobs, closing: Callable[[], bool]) -> None:
        self.jobs, self.closing, self.streams = jobs, closing, 0
        self._channels: dict[Job, _Channel] = {}

    def check_room(self) -> None:
        """Refuse a stream too many. Raises `Busy`."""
        if self.streams >= MOST:
            raise Busy(Message("server.streams", {"n": MOST}))

    async def follow(self, job: Job, visitor: str, language: str = "en") -> AsyncIterator[bytes]:
        """Write a job as an event whenever it changed, until it is done; meanwhile the visitor waits for it."""
        self.streams += 1
        job.waiting.open(visitor)
        try:
            async for text in self._events(job, language):
                yield text
        finally:
            self.streams -= 1
            job.waiting.close(visitor)

    async def _events(self, job: Job, language: str) -> AsyncIterator[bytes]:
        said = b""
        while True:
            channel = self._channel(job)
            over, now = channel.over, channel.write(language)
            if now != said:
                yield now
                said = now
            if over:
                return
            if not await self._heard(channel):
                yield b": waiting\n\n"

    async def _heard(self, channel: _Channel) -> bool:
        """Wait for news; False if there were none for a while."""
        heard = asyncio.get_running_loop().create_future()
        channel.listeners.append(heard)
        done, _ = await asyncio.wait([heard], timeout=SILENCE)
        if not done:
            with suppress(ValueError):
                channel.listeners.remove(heard)
        return bool(done)

    def _channel(self, job: Job) -> _Channel:
        """Give the channel of a job, and see that somebody tells what is new there."""
        channel = self._channels.get(job)
        if channel is None:
            channel = self._channels[job] = _Channel()
            self._look(job, channel)
            channel.teller = asyncio.get_running_loop().create_task(self._tell(job, channel))
        return channel

    def _look(self, job: Job, channel: _Channel) -> bool:
        """Describe a job; say whether that is new."""
        channel.over = job.done.is_set() or self.closing()
        now = describe_job(self.jobs, job)
        new = now != channel.said or channel.over
        if new:
            channel.said, channel.written = now, {}
        return new

    async def _tell(self, job: Job, channel: _Channel) -> None:
        """Tell what is new until the job is done or nobody listens any more."""
        idle = 0
        while not channel.over and idle < 2:
            await asyncio.sleep(BEAT + STREAM_SECONDS * self.streams)
            idle = 0 if channel.listeners else idle + 1
            if self._look(job, channel):
                await self._wake(channel)
        del self._channels[job]
        await self._wake(channel)

    async def _wake(self, channel: _Channel) -> None:
        listeners, channel.listeners = channel.listeners, []
        for begin in range(0, len(listeners), GROUP):
            for heard in listeners[begin : begin + GROUP]:
                if not heard.done():
                    heard.set_result(None)
            await asyncio.sleep(0)
