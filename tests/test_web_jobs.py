"""Solving in the background: progress, cancelling, limits, the cache, and a server that is told to close."""

import http.client
import json
import signal
import socket
from contextlib import ExitStack
from pathlib import Path
from threading import current_thread
from typing import Any

import pytest

from rollwise import cache
from rollwise.extending import Solver
from rollwise.solvers import solve as solver
from rollwise.solvers.base.solution import Solution
from rollwise.web.limits import Limits
from tests.terminal import run
from tests.web_client import (
    PATIENCE,
    SMALL,
    Json,
    Slow,
    TestClient,
    ask,
    assert_refused,
    boxes,
    connect,
    read_events,
    serving,
    slow,
    solve,
    wait,
)

__all__ = ["slow"]


def delete(client: TestClient, job: Json) -> Json:
    answer = client.delete(f"/api/solve/{job['id']}")
    assert answer.status_code == 200
    found: Json = answer.json()
    return found


# Progress


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
        assert "too long" in job["error"]
        assert job["result"] is None


AIM: Json = {"game": "yazy", "parameters": {"boxes": "ones,twos,straight,full-house"}, "objective": "at-least 20"}


def test_advice_before_the_whole_game_is_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What can follow from a position is solved alone; it has the values of the whole game."""
    monkeypatch.setattr("rollwise.solvers.sheets.solver.QUICK_SECONDS", 0.0)
    state = "11112 1 ones,straight"
    with connect(tmp_path, Limits(follow_seconds=PATIENCE)) as client:
        found = ask(client, "/api/advise", **AIM, state=f"{state} needs 5")
        part = solve(client, {**AIM, "state": state, "total": 15})
        assert ask(client, "/api/advise", **AIM, state=f"{state} needs 5") == found
        earlier = {**AIM, "state": "11112 1 all needs 20"}
        assert_refused(client.post("/api/advise", json=earlier), 409)
        whole = solve(client, AIM)
        assert whole["id"] != part["id"]
        assert ask(client, "/api/solve", **AIM, state=state, total=15)["id"] == whole["id"]
        assert ask(client, "/api/advise", **AIM, state=f"{state} needs 5") == found
        ask(client, "/api/advise", **earlier)
        with connect(tmp_path) as again:
            alone = solve(again, {**AIM, "state": state, "total": 15})
            assert alone["result"]["value"] == part["result"]["value"]


def test_a_total_out_of_reach_is_refused_unsolved(tmp_path: Path) -> None:
    with connect(tmp_path) as client:
        for objective in ("at-least 81", "against 81"):
            answer = client.post("/api/solve", json={**AIM, "objective": objective})
            assert_refused(answer, 422)
            assert "the highest possible total is 80" in answer.json()["detail"]
        assert client.get("/api/health").json()["solving"] is None


def test_a_game_with_too_many_positions(tmp_path: Path) -> None:
    slots = ",".join(f"s{i}:" + "/".join(str(i * face % 13) for face in range(1, 9)) for i in range(40))
    with connect(tmp_path, Limits(states=2000)) as client:
        job = wait(client, ask(client, "/api/solve", game="slots", parameters={"slots": slots}), "failed")
        assert "more than 2,000 positions" in job["error"]
        assert "max" not in job["error"]


def test_a_fault_while_solving_hides_its_details(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("secret")

    with connect(tmp_path) as client:
        for fault, text in ((fail, "solving failed: the server's log says why"), (_no_memory, "too large")):
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


def test_a_distribution_that_takes_too_long(tmp_path: Path) -> None:
    with connect(tmp_path, Limits(follow_seconds=0)) as client:
        solve(client, SMALL["sheet"])
        line = assert_refused(client.post("/api/distribution", json=SMALL["sheet"]), 422)
        assert "too long" in line


# The cache


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


def test_a_full_cache_stays_as_it_is(tmp_path: Path, counted: list[str]) -> None:
    with connect(tmp_path, Limits(store_bytes=0)) as client:
        solve(client, SMALL["sheet"])
    assert cache.entries(tmp_path) == []


# Closing


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
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
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
    with serving(tmp_path, first=STUCK) as server, ExitStack() as stack:
        job = json.loads(server.ask("POST", "/api/solve", {"game": "maxi-yatzy"})[1])
        stream = f"GET /api/solve/{job['id']}/events HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()
        for content in (*CLIENTS.values(), stream):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            client.sendall(content)
        assert b"text/event-stream" in client.recv(10_000)
        code, err = server.end(signal.SIGTERM)
        assert (code, err.count("\n")) in ((0, 0), (0, 1))
    assert {entry.fault for entry in cache.verify(tmp_path)} <= {None}
