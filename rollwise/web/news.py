"""News of solves for those who read their streams: a job as an event, whenever it changed; with more streams more rarely."""

import asyncio
from collections.abc import AsyncIterator, Callable

from rollwise.model.message import Message
from rollwise.web.jobs import Job, Jobs, describe_job
from rollwise.web.json_answer import write_json
from rollwise.web.work import Busy

__all__ = ["News"]

BEAT = 0.1
"""Seconds between looks at a job that a client follows."""
STREAM_SECONDS = 0.003
"""Added to the beat for every stream: what one costs, many times over."""
SILENCE = 15.0
"""Seconds after which a stream without news says that it is alive."""
MOST = 500
"""Streams that are open at a time; a page that gets none asks again and again instead."""


class News:
    """The streams of one server; everything happens in its event loop."""

    def __init__(self, jobs: Jobs, closing: Callable[[], bool]) -> None:
        self.jobs, self.closing, self.streams = jobs, closing, 0

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
        said, silent = b"", 0.0
        while True:
            over = job.done.is_set() or self.closing()
            now = b"event: job\ndata: " + write_json(describe_job(self.jobs, job), language) + b"\n\n"
            if now != said:
                yield now
                said, silent = now, 0.0
            if over:
                return
            if silent >= SILENCE:
                yield b": waiting\n\n"
                silent = 0.0
            beat = BEAT + STREAM_SECONDS * self.streams
            await asyncio.sleep(beat)
            silent += beat
