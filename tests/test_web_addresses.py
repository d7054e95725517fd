"""The addresses that a server prints can be opened."""

import http.client
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rollwise.web import addresses
from rollwise.web.addresses import is_every, own_addresses, reachable, shown
from tests.web_client import PATIENCE


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
