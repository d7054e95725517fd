"""Solving in the background: progress, cancelling, limits, the cache, and a server that is told to close."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from threading import Event, current_thread
from typing import Any

import pytest

from rollwise import cache
from rollwise.extending import Solver
from rollwise.solvers import solve as solver
from rollwise.solvers.base.solution import Solution
from rollwise.web.answers import answer_advice
from rollwise.web.jobs import Jobs
from rollwise.web.limits import Limits
from tests.terminal import run
from tests.web_client import SMALL, Json, TestClient, ask, assert_refused, connect, read_events, solve, wait

Slow = Callable[[], None]


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


def boxes(*names: str) -> Json:
    return {"game": "yazy", "parameters": {"boxes": ",".join(names)}}


def delete(client: TestClient, job: Json) -> Json:
    answer = client.delete(f"/api/solve/{job['id']}")
    assert answer.status_code == 200
    found: Json = answer.json()
    return found


# Progress


def test_a_solved_game_is_one_event(tmp_path: Path) -> None:
    with connect(tmp_path) as client:
        job = solve(client, SMALL["slots"])
        answer = client.get(f"/api/solve/{job['id']}/events")
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        assert read_events(answer.text) == [job]


def test_events_tell_how_far_a_solve_is(tmp_path: Path, slow: Slow) -> None:
    with connect(tmp_path) as client:
        job = ask(client, "/api/solve", **SMALL["slots"])
        assert (job["status"], job["result"]) == ("solving", None)
        assert client.get("/api/health").json()["solving"] == job["id"]
        text = ""
        with client.stream("GET", f"/api/solve/{job['id']}/events") as answer:
            for part in answer.iter_text():
                text += part
                if text.count("event:") == 3:
                    slow()
        news = read_events(text)
        done = [event["progress"]["done"] for event in news[:3]]
        assert [event["status"] for event in news[:3]] == ["solving"] * 3
        assert done == sorted(set(done))
        assert (news[-1]["status"], news[-1]["id"]) == ("solved", job["id"])
        assert news[-1] == client.get(f"/api/solve/{job['id']}").json()


@pytest.mark.parametrize("path", ["/api/solve/slots-0123456789ab", "/api/solve/slots-0123456789ab/events"])
def test_an_unknown_job(tmp_path: Path, path: str) -> None:
    with connect(tmp_path) as client:
        assert "there is no solve named" in assert_refused(client.get(path), 404)
        assert_refused(client.delete(path.removesuffix("/events")), 404)


# Cancelling, and limits


def test_cancel_what_runs_and_what_waits(tmp_path: Path, slow: Slow) -> None:
    with connect(tmp_path) as client:
        running, waiting, last = [ask(client, "/api/solve", **boxes(name)) for name in ("ones", "twos", "threes")]
        assert [job["status"] for job in (running, waiting, last)] == ["solving", "queued", "queued"]
        assert [job["ahead"] for job in (running, waiting, last)] == [0, 1, 2]
        assert client.get("/api/health").json()["queued"] == 2
        assert delete(client, waiting)["status"] == "cancelled"
        assert [event["status"] for event in read_events(client.get(f"/api/solve/{waiting['id']}/events").text)] == ["cancelled"]
        delete(client, running)
        assert wait(client, running, "cancelled")["error"] is None
        assert wait(client, last, "solving")["ahead"] == 0
        slow()
        wait(client, last, "solved")
        assert client.get(f"/api/solve/{waiting['id']}").json()["status"] == "cancelled"
        assert_refused(client.post("/api/advise", json={**boxes("ones"), "state": "11111 0 all"}), 409)
        assert solve(client, boxes("ones"))["status"] == "solved"


def test_cancel_and_ask_again_while_it_still_stops(tmp_path: Path, slow: Slow) -> None:
    with connect(tmp_path) as client:
        job = ask(client, "/api/solve", **boxes("ones"))
        delete(client, job)
        assert ask(client, "/api/solve", **boxes("ones"))["status"] in ("queued", "solving")
        slow()
        assert wait(client, job, "solved")["id"] == job["id"]


def test_cancel_a_large_game(tmp_path: Path) -> None:
    dice = ["ABCDEF", "GHIJKL", "MNOPQR", "STUVWX", "YZabcd", "efghij", "klmnop"]
    asked = {"game": "words", "parameters": {"dice": ",".join(dice), "words": "AGMSYek,BHNTZfl"}}
    with connect(tmp_path) as client:
        job = wait(client, ask(client, "/api/solve", **asked), "solving")
        delete(client, job)
        wait(client, job, "cancelled")


def test_a_solve_that_takes_too_long(tmp_path: Path, slow: Slow) -> None:
    with connect(tmp_path, Limits(seconds=0.05)) as client:
        job = wait(client, ask(client, "/api/solve", **SMALL["slots"]), "failed")
        assert job["error"] == "it takes longer than the 0.05 seconds this server gives; use the command line"
        assert job["result"] is None


def test_a_game_with_too_many_positions(tmp_path: Path) -> None:
    slots = ",".join(f"s{i}:" + "/".join(str(i * face % 13) for face in range(1, 9)) for i in range(40))
    with connect(tmp_path, Limits(states=2000)) as client:
        job = wait(client, ask(client, "/api/solve", game="slots", parameters={"slots": slots}), "failed")
        assert "over the budget of 2,000" in job["error"]
        assert len(job["error"]) <= 510


def test_points_too_large_to_count(tmp_path: Path) -> None:
    with connect(tmp_path) as client:
        job = wait(client, ask(client, "/api/solve", game="slots", parameters={"slots": "a:" + "9" * 4000}), "failed")
        assert job["error"].splitlines() == [job["error"]]
        assert len(job["error"]) <= 510


def test_a_fault_while_solving_is_told_without_its_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("secret")

    with connect(tmp_path) as client:
        for fault, text in ((fail, "solving failed: the server's log says why"), (_no_memory, "not enough memory")):
            monkeypatch.setattr(cache, "solve", fault)
            job = wait(client, ask(client, "/api/solve", **SMALL["slots"]), "failed")
            assert text in job["error"]
        monkeypatch.undo()
        assert solve(client, SMALL["slots"])["error"] is None


def _no_memory(*_: Any, **__: Any) -> None:
    raise MemoryError


def test_the_queue_is_limited(tmp_path: Path, slow: Slow) -> None:
    with connect(tmp_path, Limits(queue=1)) as client:
        wait(client, ask(client, "/api/solve", **boxes("ones")), "solving")
        waiting = ask(client, "/api/solve", **boxes("twos"))
        assert "try again" in assert_refused(client.post("/api/solve", json=boxes("threes")), 429)
        assert ask(client, "/api/solve", **boxes("twos"))["id"] == waiting["id"]
        delete(client, waiting)
        assert ask(client, "/api/solve", **boxes("threes"))["status"] == "queued"


@pytest.mark.full
def test_old_solutions_are_forgotten(tmp_path: Path) -> None:
    def advise(name: str) -> Any:
        return client.post("/api/advise", json={**boxes(name), "state": "11116 0 all"})

    with connect(tmp_path, Limits(solutions=2)) as client:
        solve(client, boxes("ones"))
        second = solve(client, boxes("twos"))
        assert advise("ones").status_code == 200
        solve(client, boxes("threes"))
        assert [advise(name).status_code for name in ("twos", "threes", "ones")] == [409, 200, 200]
        solve(client, boxes("fours"))
        assert [advise(name).status_code for name in ("ones", "twos", "threes", "fours")] == [200, 409, 409, 200]
        assert_refused(client.get(f"/api/solve/{second['id']}"), 404)
        assert solve(client, boxes("twos"))["status"] == "solved"


@pytest.mark.full
def test_failed_games_are_forgotten_too(tmp_path: Path) -> None:
    jobs = Jobs(Limits(solutions=2, states=10), tmp_path)
    failed = [jobs.submit("slots", {"target": str(target)}) for target in range(40, 46)]
    for job in failed:
        assert job.done.wait(60)
    assert [job.status for job in failed] == ["failed"] * 6
    assert [jobs.find(job.id) is not None for job in failed] == [False] * 4 + [True] * 2
    jobs.close()


@pytest.mark.full
def test_solutions_that_queued_together_are_forgotten_too(tmp_path: Path) -> None:
    jobs = Jobs(Limits(solutions=3, memory=1), tmp_path)
    queued = [jobs.submit("yazy", {"boxes": name}) for name in ("ones", "twos", "threes", "fours")]
    for job in queued:
        assert job.done.wait(60)
    solution = weakref.ref(queued[0].solution)
    answer_advice(queued[0].solution, "11116 0 all", None)  # type: ignore[arg-type]
    jobs.submit("yazy", {"boxes": "fives"}).done.wait(60)
    assert jobs.solved() == 1
    queued.clear()
    del job
    jobs.submit("yazy", {"boxes": "sixes"}).done.wait(60)
    assert solution() is None
    jobs.close()


def test_a_distribution_that_takes_too_long(tmp_path: Path) -> None:
    with connect(tmp_path, Limits(follow_seconds=0)) as client:
        solve(client, SMALL["sheet"])
        line = assert_refused(client.post("/api/distribution", json=SMALL["sheet"]), 422)
        assert line.startswith("not computed: it takes longer than")


# The store


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Keep every solution, however quick, and note which games are really solved."""
    solved: list[str] = []
    real = solver.solve_with_options

    def spy(game: Any, *rest: Any, **options: Any) -> Solution:
        if current_thread().name.startswith("solve"):  # and not what compiles code before it is needed
            solved.append(type(game).__name__)
        return real(game, *rest, **options)

    monkeypatch.setattr(Solver, "worth_seconds", 0.0)
    monkeypatch.setattr(solver, "solve_with_options", spy)
    return solved


def test_another_server_loads_what_was_solved(tmp_path: Path, counted: list[str]) -> None:
    with connect(tmp_path) as client:
        first = solve(client, SMALL["sheet"])
    with connect(tmp_path) as client:
        assert solve(client, SMALL["sheet"])["result"] == first["result"]
        assert counted == ["Yazy"]
        assert ask(client, "/api/advise", **SMALL["sheet"], state="11111 1 all")["moves"]
    (entry,) = cache.entries(tmp_path)
    assert (entry.name, entry.parameters) == ("yazy", SMALL["sheet"]["parameters"])


def test_a_damaged_entry_is_solved_again(tmp_path: Path, counted: list[str]) -> None:
    with connect(tmp_path) as client:
        first = solve(client, SMALL["sheet"])
    (entry,) = cache.entries(tmp_path)
    table = entry.path / "table.npy"
    table.write_bytes(table.read_bytes()[:-8] + b"rollwise")
    with connect(tmp_path) as client:
        assert solve(client, SMALL["sheet"])["result"]["value"] == first["result"]["value"]
    assert counted == ["Yazy", "Yazy"]
    assert [entry.fault for entry in cache.verify(tmp_path)] == [None]


def test_a_store_that_is_full_stays_as_it_is(tmp_path: Path, counted: list[str]) -> None:
    with connect(tmp_path, Limits(store_bytes=0)) as client:
        solve(client, SMALL["sheet"])
    assert cache.entries(tmp_path) == []


def test_a_store_that_cannot_be_written(tmp_path: Path, counted: list[str]) -> None:
    (tmp_path / "file").write_text("")
    with connect(tmp_path / "file" / "store") as client:
        assert solve(client, SMALL["sheet"])["status"] == "solved"


# Closing


def test_closing_stops_what_runs_and_waits(tmp_path: Path, slow: Slow) -> None:
    with connect(tmp_path) as client:
        jobs = [ask(client, "/api/solve", **boxes(name)) for name in ("ones", "twos")]
        found = [client.app.state.jobs.find(job["id"]) for job in jobs]  # type: ignore[attr-defined]
    assert [job.status for job in found] == ["cancelled", "cancelled"]
    assert all(job.done.is_set() for job in found)


class Server:
    """A real server in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port = process, port

    def ask(self, method: str, path: str, body: Json | None = None) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
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
        _, err = self.process.communicate(timeout=60)
        return self.process.returncode, err


@contextmanager
def serving(directory: Path, first: str = "pass") -> Iterator[Server]:
    script = f"import sys; from rollwise.cli.main import main; {first}; sys.exit(main())"
    command = [sys.executable, "-c", script, "serve", "--port", "0"]
    with subprocess.Popen(
        [*command, "--cache", str(directory)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            found = re.fullmatch(r"rollwise is at http://127\.0\.0\.1:(\d+)/ \(Ctrl\+C ends it\)\n", process.stdout.readline())
            assert found
            yield Server(process, int(found[1]))
        finally:
            process.kill()


@pytest.mark.full
def test_a_finished_solve_outlives_the_server(tmp_path: Path) -> None:
    asked = {"game": "kniffel", "parameters": {}}
    with serving(tmp_path) as server:
        first = server.solved(asked)
        assert (first["status"], first["error"]) == ("solved", None)
        for path in ("/static/../app.py", "/static/..%2fapp.py", "//etc/passwd", "/../../etc/passwd", "/static//etc/passwd"):
            assert server.ask("GET", path)[0] == 404
        assert server.end(signal.SIGTERM)[0] == 0
    with serving(tmp_path) as server:
        assert server.solved(asked)["result"] == first["result"]
        state = {**asked, "state": "66661 1 all upper 0"}
        assert json.loads(server.ask("POST", "/api/advise", state)[1])["moves"][0]["loss"] == 0
        assert server.end(signal.SIGINT)[0] == 0
    assert [entry.fault for entry in cache.verify(tmp_path)] == [None]


@pytest.mark.full
def test_a_server_closes_while_it_solves(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        job = json.loads(server.ask("POST", "/api/solve", {"game": "maxi-yatzy"})[1])
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request("GET", f"/api/solve/{job['id']}/events")
        stream = connection.getresponse()
        assert stream.readline() == b"event: job\n"
        code, err = server.end(signal.SIGTERM)
        assert code == 0
        assert err in ("closed\n", "")  # it may have been solving something that does not stop at once
        assert stream.read().endswith(b"\n\n")
        connection.close()
    assert {entry.fault for entry in cache.verify(tmp_path)} <= {None}


# The command


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        code, out, err = run(capsys, "serve", "--port", str(other.getsockname()[1]))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "cannot listen on 127.0.0.1 port" in err


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (["--port", "x"], "invalid int value"),
        (["--port", "65536"], "from 0 (any free one) to 65535"),
        (["--port", "-1"], "from 0 (any free one) to 65535"),
        (["--host", "192.0.2.1"], "cannot listen on 192.0.2.1"),
        (["--host", f"{'a' * 80}.x"], "cannot listen on"),
        (["--host", ".."], "cannot listen on"),
        (["--max-seconds", "0"], "expected numbers above 0"),
        (["--max-seconds", "nan"], "expected numbers above 0"),
        (["--max-states", "0"], "expected numbers above 0"),
        (["--max-states", "many"], "invalid int value"),
        (["extra"], "unrecognized arguments"),
    ],
)
def test_bad_flags_are_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], match: str) -> None:
    code, out, err = run(capsys, "serve", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert match in err


# Signals

STUCK = "import time, rollwise.web.following as following; following._compile = lambda: time.sleep(600)"
"""A thread that nothing stops, as a compiler is one."""
CLIENTS = {
    "nobody": b"",
    "who asked": b"GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "half a request": b"POST /api/solve HTTP/1.1\r\nhost: localhost\r\n",
    "half a body": b"POST /api/solve HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\n{",
    "an answer that takes long": b"POST /api/contest/groups HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    b"content-length: 29\r\n\r\n{\"input\": \"1\\n3 6 2\\n1\\n2\\n\"}",
}  # fmt: skip


@pytest.mark.full
def test_a_signal_ends_the_server_whatever_is_going_on(tmp_path: Path) -> None:
    """Streams, connections that wait, requests behind work that does not stop: the process ends long before that work would."""
    with serving(tmp_path, STUCK) as server, ExitStack() as stack:
        job = json.loads(server.ask("POST", "/api/solve", {"game": "maxi-yatzy"})[1])
        stream = f"GET /api/solve/{job['id']}/events HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()
        for content in (*CLIENTS.values(), stream):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            client.sendall(content)
        assert b"text/event-stream" in client.recv(10_000)
        code, err = server.end(signal.SIGTERM)
        assert (code, err.count("\n")) in ((0, 0), (0, 1))
    assert {entry.fault for entry in cache.verify(tmp_path)} <= {None}


def test_a_server_that_closes_collects_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That holds every thread, the one that ends the process too, for seconds."""
    collected = []
    monkeypatch.setattr("rollwise.web.jobs.thaw", lambda: collected.append(1))
    monkeypatch.setattr(Jobs, "_run", lambda _: None)
    jobs = Jobs(Limits(solutions=1), tmp_path)
    for number in range(3):
        jobs.cancel(jobs.submit("slots", {"target": str(40 + number)}))
    jobs.close()
    jobs.forget()
    assert not collected
