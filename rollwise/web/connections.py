"""Connections that ask for nothing keep nobody out.

A request has to arrive within some seconds, headers and body; a connection that is open for longer without one is closed. Where
there are too many, the ones that wait for nothing make room, the oldest of whoever has most of them first: what is left open by
one never locks another out.
"""

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Any

__all__ = ["ARRIVAL_SECONDS", "MOST", "make_protocol", "most_connections"]

ARRIVAL_SECONDS = 15.0
"""How long a request may take to arrive."""
MOST = 1000
"""Connections that may be open."""
SPARE_FILES = 128
"""Files that are left for what is not a connection."""


def most_connections() -> int:
    """Say how many connections may be open: as many as there may be files, after asking for as many as are allowed."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415  (not on Windows)

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST + SPARE_FILES
        if soft < wanted:
            soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(16, min(MOST, soft - SPARE_FILES))
    return MOST


def make_protocol(most: int, arrival: float = ARRIVAL_SECONDS) -> Any:
    """Make the protocol of uvicorn that is installed here more careful."""
    return type("Careful", (_Careful, _installed()), {"most": most, "arrival": arrival})


def _installed() -> Any:
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol  # noqa: PLC0415  (one of the two is there)
    except ImportError:
        from uvicorn.protocols.http.h11_impl import H11Protocol  # noqa: PLC0415

        return H11Protocol
    return HttpToolsProtocol


class _Careful:
    """What is added to a protocol: a time by which a request has to be there, and room for newcomers."""

    most: int
    arrival: float
    connections: Any
    transport: Any
    client: Any
    cycle: Any
    loop: asyncio.AbstractEventLoop
    since: float = 0.0
    _arrival: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)  # type: ignore[misc]
        self.since = self.loop.time()
        self._expect()
        if len(self.connections) > self.most:
            _make_room(self)

    def data_received(self, data: bytes) -> None:
        if self._arrival is None and self.idle:
            self._expect()
        super().data_received(data)  # type: ignore[misc]
        if not self.idle:
            self._stop_expecting()

    def connection_lost(self, error: Exception | None) -> None:
        self._stop_expecting()
        super().connection_lost(error)  # type: ignore[misc]

    def shutdown(self) -> None:
        """Wait for no request that has not arrived yet."""
        if self.cycle is not None and self.cycle.more_body and not self.cycle.response_complete:
            self.transport.abort()
        else:
            super().shutdown()  # type: ignore[misc]

    @property
    def idle(self) -> bool:
        """Whether there is no request that has arrived and is not answered."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _expect(self) -> None:
        self._arrival = self.loop.call_later(self.arrival, self._give_up)

    def _stop_expecting(self) -> None:
        if self._arrival is not None:
            self._arrival.cancel()
            self._arrival = None

    def _give_up(self) -> None:
        self._arrival = None
        if self.idle and not self.transport.is_closing():
            self.transport.abort()


def _make_room(newest: Any) -> None:
    """Close a connection that waits for nothing: the oldest of whoever has most of them."""
    idle = [other for other in newest.connections if other is not newest and other.idle and not other.transport.is_closing()]
    if not idle:
        newest.transport.abort()
    else:
        many = Counter(_peer(other) for other in idle)
        busiest = max(many, key=lambda peer: many[peer])
        min((other for other in idle if _peer(other) == busiest), key=lambda other: other.since).transport.abort()


def _peer(connection: Any) -> str:
    return connection.client[0] if connection.client else ""
