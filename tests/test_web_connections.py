"""Connections that ask for nothing keep nobody out, and the addresses that a server prints can be opened."""

import asyncio
import http.client
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import pytest
import uvicorn

from rollwise.web import addresses
from rollwise.web.addresses import is_every, own_addresses, reachable, shown
from rollwise.web.connections import SPARE_FILES, make_protocol, most_connections
from tests.web_client import PATIENCE

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


def test_several_requests_on_one_connection() -> None:
    with serving(100, 60.0) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        for size in range(5):
            connection.request("POST", "/", b"x" * size)
            assert connection.getresponse().read().decode() == str(size)
        connection.close()


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


def test_there_are_files_for_more_than_connections() -> None:
    resource = pytest.importorskip("resource")
    most = most_connections()
    assert 16 <= most <= resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE_FILES


@contextmanager
def started(directory: Path, *options: str) -> Iterator[tuple[int, list[str]]]:
    """Start the real server; gives its port and what it printed."""
    command = [sys.executable, "-c", "import sys; from rollwise.cli.main import main; sys.exit(main())", "serve", "--port", "0"]
    with subprocess.Popen([*command, "--cache", str(directory), *options], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            lines = [process.stdout.readline()]
            while "--host" in options and "127.0.0.1" not in lines[-1]:
                lines.append(process.stdout.readline())
            found = re.search(r":(\d+)/", lines[0])
            assert found
            yield int(found[1]), lines
        finally:
            process.terminate()


@pytest.mark.full
def test_a_thousand_half_open_connections_lock_nobody_out(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard == resource.RLIM_INFINITY else min(hard, 4096), hard))
    try:
        with started(tmp_path) as (port, _), ExitStack() as stack:
            for _ in range(1100):
                opened(stack, port, HALF)
            for _ in range(3):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
                connection.request("GET", "/api/health")
                assert connection.getresponse().status == 200
                connection.close()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# Addresses


@pytest.mark.full
def test_every_address_is_printed_as_those_there_are(tmp_path: Path) -> None:
    with started(tmp_path, "--host", "0.0.0.0") as (port, lines):
        printed = [re.search(r"http://(\S+):\d+/", line)[1] for line in lines]  # type: ignore[index]
        assert "0.0.0.0" not in printed
        assert printed[-1] == "127.0.0.1"
        for host in printed:
            connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
            connection.request("GET", "/api/health")
            assert connection.getresponse().status == 200
            connection.close()


@pytest.mark.parametrize(("host", "every"), [("0.0.0.0", True), ("::", True), ("127.0.0.1", False), ("x.example", False)])
def test_which_hosts_mean_every_address(host: str, every: bool) -> None:
    assert is_every(host) is every


def test_addresses_that_nobody_else_can_open_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = ["127.0.1.1", "fe80::1", "169.254.3.4", "10.0.0.7", "no address"]
    monkeypatch.setattr(addresses, "_way_out", lambda _: iter(["192.168.1.5"]))
    monkeypatch.setattr(addresses, "_named", lambda _: iter(found))
    assert own_addresses((socket.AF_INET,)) == ["192.168.1.5", "10.0.0.7"]


def test_an_address_of_its_own_is_printed_as_it_is() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert reachable("127.0.0.1", listener) == [f"http://127.0.0.1:{port}/"]
        assert reachable("my.example", listener) == [f"http://my.example:{port}/"]
    assert shown("2001:db8::2", 80) == "http://[2001:db8::2]:80/"


def test_without_a_network_there_is_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "own_addresses", lambda _: [])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert reachable("0.0.0.0", listener) == [shown("127.0.0.1", listener.getsockname()[1])]
