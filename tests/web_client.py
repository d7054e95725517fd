"""What the tests of the server share: a client, games to ask for, and what every refusal looks like."""

import asyncio
import http.client
import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from rollwise import cache
from rollwise.web.app import make_app
from rollwise.web.guard import HEADERS
from rollwise.web.limits import Limits

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it would like another version of httpx
    from starlette.testclient import TestClient

__all__ = [
    "PATIENCE", "SMALL", "TWO_ROLLS", "Json", "Server", "Slow", "TestClient", "ask", "assert_guarded", "assert_refused", "boxes",
    "connect", "read_events", "run_alone", "serving", "slow", "solve", "until", "wait",
]  # fmt: skip

Json = dict[str, Any]
Slow = Callable[[], None]

PATIENCE = 300.0
"""Seconds that a test waits for what has to come: on a busy machine a test is slow, not red."""

SMALL: dict[str, Json] = {
    "slots": {"game": "slots", "parameters": {}},
    "sheet": {"game": "yazy", "parameters": {"boxes": "ones,straight,full-house"}},
    "words": {"game": "words", "parameters": {"dice": "ABC,ABC,BCD", "words": "ABC,BBD"}},
    "groups": {"game": "groups", "parameters": {"faces": "6", "sizes": "1,2,3"}},
    "groups by faces": {"game": "groups", "parameters": {"faces": "3", "sizes": "1,2", "view": "raw"}},
}


TWO_ROLLS = """
format = 1
name = "two rolls"
[parameters]
faces = { default = 6, from = 2, to = 20 }
[columns]
face = { range = "0..faces", show = "die" }
left = { range = "0..2", start = 2, label = "rolls left" }
[roll]
dice = 1
faces = "faces"
unless = "left == 0"
to = { face = "die", left = "left - 1" }
[[action]]
name = "keep"
when = "left == 1"
to = { left = 0 }
[[action]]
name = "again"
when = "left == 1"
to = { face = 0 }
[end]
pays = "face"
"""


@contextmanager
def connect(directory: Path, limits: Limits | None = None, **options: Any) -> Iterator[TestClient]:
    """Start the application and give a client; a fault of the server is an answer, not an exception."""
    app = make_app(limits, directory=directory, **options)
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        yield client


def boxes(*names: str) -> Json:
    """Name a small sheet."""
    return {"game": "yazy", "parameters": {"boxes": ",".join(names)}}


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    """Make every solve go on until it is stopped, or until this is called."""
    go = Event()
    real = cache.solve

    def solve(game: Any, **options: Any) -> Any:
        for done in count():
            options["progress"]("solving", done, None)
            if go.wait(0.005):
                return real(game, **options)
        raise AssertionError

    monkeypatch.setattr(cache, "solve", solve)
    yield go.set
    go.set()


class Server:
    """A real server in a process of its own: its port, and the lines that it printed."""

    def __init__(self, process: subprocess.Popen[str], lines: list[str]) -> None:
        self.process, self.lines = process, lines
        self.port = int(lines[0].partition("://")[2].partition("/")[0].rpartition(":")[2])

    def ask(self, method: str, path: str, body: Json | None = None, host: str = "127.0.0.1") -> tuple[int, str]:
        connection = http.client.HTTPConnection(host, self.port, timeout=PATIENCE)
        connection.request(method, path, json.dumps(body) if body else None, {"content-type": "application/json"})
        answer = connection.getresponse()
        found = answer.status, answer.read().decode()
        connection.close()
        return found

    def solved(self, request: Json) -> Json:
        """Solve a game, following the events."""
        job = json.loads(self.ask("POST", "/api/solve", request)[1])
        return read_events(self.ask("GET", f"/api/solve/{job['id']}/events")[1])[-1]

    def end(self, sig: int) -> tuple[int, str]:
        """Send a signal; give the exit code and what was said."""
        self.process.send_signal(sig)
        _, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, err


@contextmanager
def serving(directory: Path, *options: str, first: str = "pass") -> Iterator[Server]:
    """Start `rollwise serve` on a free port, after the statement `first`; wait until it listens on this machine."""
    script = f"import sys; from rollwise.cli.main import main; {first}; sys.exit(main())"
    command = [sys.executable, "-c", script, "serve", "--port", "0", "--cache", str(directory), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            lines = [process.stdout.readline()]
            while "127.0.0.1" not in lines[-1]:
                lines.append(process.stdout.readline())
                assert lines[-1], "the server did not say where it is"
            yield Server(process, lines)
        finally:
            process.kill()


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.002)


def run_alone(work: Any) -> Any:
    """Run a coroutine in a loop and a thread of its own: a browser of other tests may have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def ask(client: TestClient, path: str, **body: Any) -> Json:
    """Post, expect an answer, and check that it is guarded."""
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    assert_guarded(answer)
    found: Json = answer.json()
    return found


def wait(client: TestClient, job: Json, *statuses: str) -> Json:
    """Ask for a job until it has one of these statuses."""
    end = time.monotonic() + PATIENCE
    while job["status"] not in statuses:
        assert time.monotonic() < end, f"still {job['status']}"
        time.sleep(0.01)
        job = client.get(f"/api/solve/{job['id']}").json()
    return job


def solve(client: TestClient, request: Json) -> Json:
    """Solve a game and give the job."""
    return wait(client, ask(client, "/api/solve", **request), "solved")


def read_events(text: str) -> list[Json]:
    """Read a stream of events; every one is a job."""
    blocks = [block.split("\n") for block in text.removesuffix("\n\n").split("\n\n")]
    news = [block for block in blocks if not block[0].startswith(":")]
    assert all(len(block) == 2 and block[0] == "event: job" and block[1].startswith("data: ") for block in news)
    return [json.loads(block[1].removeprefix("data: ")) for block in news]


def assert_guarded(answer: Any) -> None:
    """Every answer carries the headers that keep the page to itself."""
    for name, value in HEADERS:
        assert answer.headers.get(name.decode()) == value.decode(), name
    assert "cache-control" in answer.headers


def assert_refused(answer: Any, *codes: int) -> str:
    """Every refusal is a 4xx with one short line of JSON that shows nothing of the inside; give the line."""
    assert answer.status_code in (codes or range(400, 500)), (answer.status_code, answer.text[:300])
    assert_guarded(answer)
    assert answer.headers["content-type"] == "application/json"
    found = answer.json()
    assert {"detail"} <= set(found) <= {"detail", "line", "column", "parameter"}
    line = found["detail"]
    assert isinstance(line, str)
    assert 0 < len(line) <= 510
    assert line.splitlines() == [line]
    assert "Traceback" not in line
    assert '", line ' not in line
    return line
