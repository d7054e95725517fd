"""What the tests of the server share: a client, games to ask for, and what every refusal looks like."""

import asyncio
import json
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rollwise.web.app import make_app
from rollwise.web.guard import HEADERS
from rollwise.web.limits import Limits

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it would like another version of httpx
    from starlette.testclient import TestClient

__all__ = [
    "PATIENCE", "SMALL", "TWO_ROLLS", "Json", "TestClient", "ask", "assert_guarded", "assert_refused", "connect", "read_events",
    "run_alone", "solve", "wait",
]  # fmt: skip

Json = dict[str, Any]

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


def wait(client: TestClient, job: Json, *statuses: str, seconds: float = PATIENCE) -> Json:
    """Ask for a job until it has one of these statuses."""
    end = time.monotonic() + seconds
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
    assert {"detail"} <= set(found) <= {"detail", "line", "column"}
    line = found["detail"]
    assert isinstance(line, str)
    assert 0 < len(line) <= 510
    assert line.splitlines() == [line]
    assert "Traceback" not in line
    assert '", line ' not in line
    return line
