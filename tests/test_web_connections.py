"""Connections that ask for nothing keep nobody out, and the addresses that a server prints can be opened."""

import asyncio
import http.client
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import pytest
import uvicorn

from rollwise.web import addresses
from rollwise.web.addresses import own_addresses
from rollwise.web.connections import make_protocol
from tests.web_client import PATIENCE
from tests.web_client import serving as started

HALF = b"POST /api/advise HTTP/1.1\r\nhost: 127.0.0.1\r\n"


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Read the body and say how long it was; `/slow` takes a moment."""
    if scope["type"] != "http":
        return
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    if scope["path"] == "/slow":
        await asyncio.sleep(2.5)
    body = str(size).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(len(body)).encode())]})
    await send({"type": "http.response.body", "body": body})


@contextmanager
def serving(most: int, arrival: float) -> Iterator[int]:
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, http=make_protocol(most, arrival), log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


def ask(port: int, path: str = "/", body: bytes = b"") -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("POST", path, body)
    answer = connection.getresponse()
    assert answer.status == 200
    text = answer.read().decode()
    connection.close()
    return text


def opened(stack: ExitStack, port: int, text: bytes = b"") -> socket.socket:
    found = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
    found.sendall(text)
    return found


def is_closed(connection: socket.socket) -> bool:
    """Wait until the other side closes a connection."""
    try:
        return connection.recv(1000) == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize(
    "text", [b"", b"GET", HALF, HALF + b"content-length: 10\r\n\r\nabc"], ids=["none", "line", "head", "body"]
)
def test_a_request_that_does_not_arrive_is_not_waited_for(text: bytes) -> None:
    with serving(100, 0.3) as port, ExitStack() as stack:
        assert is_closed(opened(stack, port, text))


def drip(connection: socket.socket) -> None:
    while True:
        connection.sendall(b"x")
        sleep(0.02)


def test_a_request_that_drips_is_not_waited_for() -> None:
    with serving(100, 0.3) as port, ExitStack() as stack:
        dripping = opened(stack, port, HALF)
        with pytest.raises(ConnectionError):
            drip(dripping)


def test_an_answer_that_takes_longer_is_waited_for() -> None:
    with serving(100, 2.0) as port:
        assert ask(port, "/slow", b"abcd") == "4"


def test_newcomers_are_let_in_when_all_places_are_taken() -> None:
    with serving(20, 60.0) as port, ExitStack() as stack:
        idle = [opened(stack, port, HALF) for _ in range(60)]
        for size in range(10):
            assert ask(port, body=b"x" * size) == str(size)
        assert is_closed(idle[0])


def test_those_who_wait_for_an_answer_are_not_closed() -> None:
    with serving(4, 60.0) as port, ExitStack() as stack:
        waiting = opened(stack, port, b"POST /slow HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n")
        for _ in range(20):
            opened(stack, port, HALF)
        assert waiting.recv(1000).startswith(b"HTTP/1.1 200")


@pytest.mark.full
def test_a_thousand_half_open_connections_lock_nobody_out(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard == resource.RLIM_INFINITY else min(hard, 4096), hard))
    try:
        with started(tmp_path) as server, ExitStack() as stack:
            for _ in range(1100):
                opened(stack, server.port, HALF)
            assert [server.ask("GET", "/api/health")[0] for _ in range(3)] == [200] * 3
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# Addresses


@pytest.mark.full
def test_every_address_is_printed_as_those_there_are(tmp_path: Path) -> None:
    with started(tmp_path, "--host", "0.0.0.0") as server:
        printed = [re.search(r"http://(\S+):\d+/", line)[1] for line in server.lines]  # type: ignore[index]
        assert "0.0.0.0" not in printed
        assert printed[-1] == "127.0.0.1"
        assert [server.ask("GET", "/api/health", host=host)[0] for host in printed] == [200] * len(printed)


def test_addresses_that_nobody_else_can_open_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = ["127.0.1.1", "fe80::1", "169.254.3.4", "10.0.0.7", "no address"]
    monkeypatch.setattr(addresses, "_way_out", lambda _: iter(["192.168.1.5"]))
    monkeypatch.setattr(addresses, "_named", lambda _: iter(found))
    assert own_addresses((socket.AF_INET,)) == ["192.168.1.5", "10.0.0.7"]
