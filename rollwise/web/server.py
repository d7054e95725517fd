"""Run the application under uvicorn: one process, local by default, closing without losing a solve that is stored.

A signal ends the process within some seconds. What is being computed is stopped, and mostly does at once; what does not,
such as a compiler, is left behind: a thread ends the process without waiting for it. The store is written so that a process may
end at any time.
"""

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from threading import Event, Thread
from time import sleep
from types import FrameType
from typing import Any

import uvicorn

from rollwise.errors import GameError
from rollwise.web.addresses import reachable
from rollwise.web.app import make_app
from rollwise.web.limits import Limits
from rollwise.web.memory import choose_collecting

__all__ = ["serve"]

LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
PATIENCE = 1
"""Seconds that open requests have to finish once the server must close."""
LAST_SECONDS = 3.0
"""Seconds after which the process ends, whatever its threads do: 5 are promised, and a busy machine takes its time."""
CONNECTIONS = 800
"""Connections from which on requests are refused: a process may have 1,024 files open on most systems."""
BACKLOG = 1024
"""Connections that wait to be taken."""


class _Server(uvicorn.Server):
    """Tells the application at once that it closes, so that work and streams end; a signal is a way to close, not a fault."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready, self.signalled = ready, Event()
        self.fault: Exception | None = None
        Thread(target=_end_process, args=(self.signalled,), name="end", daemon=True).start()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.started:
            return
        try:
            self.ready()
        except Exception as fault:
            # Close as usual; raised from in here, it would end in a log of the event loop.
            self.fault = fault
            asyncio.get_running_loop().call_soon(self._close)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Wait for no request that has not arrived yet."""
        connections: list[Any] = list(self.server_state.connections)
        for connection in connections:
            if connection.cycle is not None and connection.cycle.more_body and not connection.cycle.response_complete:
                connection.transport.abort()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.signalled.set()
        self._close()

    def _close(self) -> None:
        self.config.app.state.closing.set()  # type: ignore[union-attr]
        self.force_exit = self.should_exit
        self.should_exit = True


def _end_process(signalled: Event) -> None:
    """Wait for a signal, and end the process if it has not ended by itself then."""
    signalled.wait()
    sleep(LAST_SECONDS)
    os._exit(0)


def serve(
    host: str, port: int, *, limits: Limits, directory: Path | None, ready: Callable[[list[str]], None], log: bool = False
) -> None:
    """Serve until interrupted; `ready` receives the addresses, the one for others first, the one for this machine last.

    A signal ends the process, too, some seconds later. Raises `GameError` if the address cannot be had, and what `ready` raises.
    """
    listener = _listen(host, port)
    app: Any = make_app(limits, directory=directory, hosts=LOCAL | {host} if _is_local(host) else None)
    config = uvicorn.Config(
        app, log_level="info" if log else "warning", access_log=log, server_header=False, timeout_graceful_shutdown=PATIENCE,
        h11_max_incomplete_event_size=64 * 1024, ws="none", limit_concurrency=CONNECTIONS, backlog=BACKLOG,
    )  # fmt: skip
    choose_collecting()
    logging.getLogger("rollwise.web").addHandler(logging.StreamHandler())
    server = _Server(config, lambda: ready(reachable(host, listener)))
    server.run(sockets=[listener])
    if server.fault is not None:
        raise server.fault


def _is_local(host: str) -> bool:
    try:
        return host in LOCAL or ip_address(host).is_loopback
    except ValueError:
        return False


def _listen(host: str, port: int) -> socket.socket:
    """Open the socket first, so that a taken port is one clear line."""
    if not 0 <= port <= 65535:
        raise GameError(f"port {port}: expected a number from 0 (any free one) to 65535")
    try:
        return _bound(host, port)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise GameError(f"cannot listen on {host} port {port}: {why}; try another --port or --host") from None


def _bound(host: str, port: int) -> socket.socket:
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener
