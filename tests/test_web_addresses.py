"""The addresses that a server prints can be opened, and half a request does not delay its end."""

import re
import socket
from pathlib import Path

import pytest

from rollwise.web import addresses
from rollwise.web.addresses import own_addresses
from tests.web_client import PATIENCE
from tests.web_client import serving as started

HALF = b"POST /api/advise HTTP/1.1\r\nhost: 127.0.0.1\r\n"


@pytest.mark.parametrize("text", [b"", HALF, HALF + b"content-length: 10\r\n\r\nabc"], ids=["none", "head", "body"])
def test_a_request_that_does_not_arrive_delays_no_end(tmp_path: Path, text: bytes) -> None:
    with started(tmp_path) as server, socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as half:
        half.sendall(text)
        server.process.terminate()
        assert server.process.wait(PATIENCE) == 0


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
