"""Game files in requests: solved and played over HTTP, with faults at their place; what is none is refused in a line."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import rollwise
from rollwise.games.files import FileGame, read_game
from rollwise.model.abilities import unlifted
from rollwise.model.view import view_of
from rollwise.web.jobs import Jobs
from rollwise.web.limits import Limits
from rollwise.wire import schema
from tests.test_web import post
from tests.web_client import PATIENCE, TWO_ROLLS, Json, TestClient, ask, assert_refused, connect, solve, wait

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.toml"))
SMALL = [path for path in EXAMPLES if path.stem not in ("casinos", "farkle_turn", "hog", "pig", "qwixx_row")]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with connect(tmp_path_factory.mktemp("store"), Limits(follow_seconds=300)) as found:
        yield found


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_the_examples_over_http(client: TestClient, path: Path) -> None:
    """A whole game is played by what the server lists, and graded: the same as the library says."""
    text = path.read_text()
    asked = {"file": text}
    job = solve(client, asked)
    solution = rollwise.solve(FileGame(text))
    assert (job["game"], job["title"]) == (None, view_of(solution.game).title)
    assert [known["name"] for known in job["known"]] == [one.name for one in unlifted(solution.game).parameters]
    assert job["result"]["value"] == solution.value()
    state, action, lines = None, None, []
    for step in range(200):
        found = post(client, schema.Rolls, "/api/rolls", **asked, state=state, action=action, draw=(0.37 * step) % 1)
        assert abs(sum(roll["chance"] for roll in found["rolls"]) + found["rest"] - 1) < 1e-12
        assert found["drawn"]["state"] in [roll["state"] for roll in found["rolls"]]
        state = found["drawn"]["state"]
        advice = post(client, schema.Advice, "/api/advise", **asked, state=state)
        assert advice["position"] == found["drawn"]["position"]
        assert advice["over"] == found["drawn"]["over"]
        lines.append({"kind": "roll", "text": state})
        if advice["over"]:
            break
        action = advice["moves"][-1]["action"]
        lines.append({"kind": "move", "text": action})
    graded = post(client, schema.Graded, "/api/grade", **asked, lines=lines)
    assert graded["over"]


def test_another_aim_of_a_file(client: TestClient) -> None:
    """What is still needed is a part of the board."""
    asked = {"file": (EXAMPLES[0].parent / "slots.toml").read_text(), "objective": "at-least 40"}
    assert solve(client, asked)["result"]["value_name"] == "win probability"
    found = post(client, schema.Rolls, "/api/rolls", **asked)
    needed = found["before"]["parts"][-1]
    assert (needed["label"], needed["value"]) == ("points needed", 40)
    assert found["rolls"][0]["state"].endswith(" needs 40")
    assert found["rolls"][0]["position"]["parts"][-1] == needed


def test_rolls_of_a_game_for_two(client: TestClient) -> None:
    asked: Json = {"game": "pig", "parameters": {"target": "20"}}
    solve(client, asked)
    start = post(client, schema.Rolls, "/api/rolls", **asked)
    assert [roll["label"] for roll in start["rolls"]] == ["1: the turn is lost", "2", "3", "4", "5", "6"]
    assert start["before"]["parts"][0]["mover"] == 0
    near = post(client, schema.Rolls, "/api/rolls", **asked, state="17 3 first 0", action="roll")
    named = {roll["label"]: roll["over"] for roll in near["rolls"]}
    assert named == {"3 or more: wins": True, "1: the turn is lost": False, "2": False}
    held = post(client, schema.Rolls, "/api/rolls", **asked, state="7 5 first 6", action="hold", top=1)
    assert held["before"]["parts"][0]["values"] == [13, 5]
    assert held["rest"] == pytest.approx(5 / 6)


@pytest.mark.parametrize(("draw", "face"), [(0.0, "1"), (0.17, "2"), (0.999999, "6")])
def test_a_number_draws_a_roll(client: TestClient, draw: float, face: str) -> None:
    """The same number draws the same roll, whatever is listed."""
    asked = {"file": TWO_ROLLS}
    solve(client, asked)
    for top in (0, 1, 500):
        assert ask(client, "/api/rolls", **asked, draw=draw, top=top)["drawn"]["dice"] == [face]


def test_rolls_that_are_not_asked_for_rightly(client: TestClient) -> None:
    for more in (
            {"state": "3 1"}, {"action": "keep"}, {"state": "3 1", "action": "fly"}, {"state": "9 1", "action": "keep"},
            {"draw": 1.0}, {"draw": -0.1}, {"draw": "0.5"}, {"top": 501}, {"state": 3, "action": "keep"},
        ):  # fmt: skip
        solve(client, {"file": TWO_ROLLS})
        assert_refused(client.post("/api/rolls", json={"file": TWO_ROLLS, **more}), 422)


FAULTS = {
    "not TOML": (TWO_ROLLS.replace("dice = 1", "dice = = 1"), "dice = = 1", 8),
    "an unknown name": (TWO_ROLLS.replace('"left - 1"', '"lift - 1"'), "lift - 1", 30),
    "an unknown key": (TWO_ROLLS.replace("pays =", "paid ="), 'paid = "face"', 1),
    "a wrong way to show": (TWO_ROLLS.replace('"die" }', '"dice" }'), '"dice" }', 37),
}


def test_a_fault_has_its_place(client: TestClient) -> None:
    for text, part, column in FAULTS.values():
        answer = client.post("/api/solve", json={"file": text})
        line = assert_refused(answer, 422)
        row = next(number for number, content in enumerate(text.splitlines(), 1) if part in content)
        assert (answer.json()["line"], answer.json()["column"]) == (row, column)
        assert line.startswith(f"game file, line {row}, column {column}: ")


def test_a_rule_that_leaves_a_range_has_its_place(client: TestClient) -> None:
    """It is found while the game is solved: then the job has the place."""
    text = TWO_ROLLS.replace('left = "left - 1"', 'left = "left - 2"').replace("start = 2", "start = 1")
    job = wait(client, ask(client, "/api/solve", file=text), "failed", "solved")
    assert job["status"] == "failed"
    assert job["line"] == 1 + text.splitlines().index("[roll]")
    assert job["column"] == 1


# Who asks for what is not to be had

DEEP = "a = " + "[" * 400
HOSTILE: dict[str, Json] = {
    "nothing": {},
    "both": {"game": "pig", "file": TWO_ROLLS},
    "a number": {"file": 3},
    "a path": {"file": "/etc/passwd"},
    "code in an expression": {"file": TWO_ROLLS.replace('"die", left', "\"__import__('os').getpid()\", left")},
    "a file in a parameter": {"file": TWO_ROLLS, "parameters": {"faces": "@/etc/passwd"}},
    "deep TOML": {"file": DEEP},
    "too long": {"file": "#" * 65_537},
    "a lone surrogate": {"file": "format = 1\n# \ud800"},
    "many dice": {"file": TWO_ROLLS.replace("dice = 1", "dice = 30").replace('"die"', '"count(dice, 1)"')},
    "many columns": {"file": TWO_ROLLS.replace("[roll]", "\n".join(f'x{n} = "0..1000000000"' for n in range(90)) + "\n[roll]")},
    "many rows": {"file": TWO_ROLLS.replace("[roll]", 'hand = { dice = 12 }\n[roll]')
                  + '[[action]]\nname = "take"\nchoose = { kept = "dice of hand" }\n'.join(["", ""])},
}  # fmt: skip


def test_hostile_files_are_refused(client: TestClient) -> None:
    """In one line, at once, and nothing is left behind."""
    for body in HOSTILE.values():
        for path in ("/api/solve", "/api/advise"):
            more = {"state": "1 1"} if path == "/api/advise" else {}
            content = json.dumps({**body, **more})
            assert_refused(client.post(path, content=content, headers={"content-type": "application/json"}), 400, 409, 413, 422)
            assert client.get("/api/health").status_code == 200


def test_a_game_beyond_the_limits(tmp_path: Path) -> None:
    """Positions, time and tables are bounded; the server goes on."""
    wide = TWO_ROLLS.replace('"0..2", start = 2', '"0..999999", start = 999999').replace("left == 1", "left > 0")
    with connect(tmp_path, Limits(column_states=1000, states=1000, rows=50)) as client:
        job = wait(client, ask(client, "/api/solve", file=wide), "failed")
        assert "1,000" in job["error"]
        hand = (Path(__file__).parents[1] / "examples" / "threes.toml").read_text()
        assert "50 rows" in assert_refused(client.post("/api/solve", json={"file": hand}), 413)
    with connect(tmp_path, Limits(seconds=0)) as client:
        assert "seconds" in wait(client, ask(client, "/api/solve", file=wide), "failed")["error"]


def test_rules_count_as_memory(tmp_path: Path) -> None:
    """A file whose rules take more than its solution: two of them are too many for what the server may keep."""
    many = "+".join(["face"] * 150)
    files = [TWO_ROLLS.replace('pays = "face"', f'pays = "{many} + {number}"') for number in (1, 2)]
    rules = read_game(files[0], {}).dimensions()["bytes of its rules"]
    with connect(tmp_path, Limits(memory=rules * 3 // 2)) as client:
        first, second = (solve(client, {"file": text}) for text in files)
        assert [client.get(f"/api/solve/{job['id']}").status_code for job in (first, second)] == [404, 200]


def test_a_request_is_answered_when_its_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even behind a file that is not given up, and one of them waits in vain."""
    ended = Event()
    monkeypatch.setattr("rollwise.web.limits.read_game", lambda *_, **__: ended.wait(PATIENCE))
    with connect(tmp_path, Limits(follow_seconds=0.2)) as client, ThreadPoolExecutor(2) as others:
        asked = [others.submit(client.post, "/api/solve", json={"file": TWO_ROLLS}) for _ in range(2)]
        try:
            assert all("0.2 seconds" in assert_refused(answer.result(PATIENCE), 422) for answer in asked)
        finally:
            ended.set()


@pytest.mark.full
def test_games_that_are_left_are_forgotten_while_another_is_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that come and go: no more of them stay than the server keeps, however long the worker is busy."""
    ended = Event()
    monkeypatch.setattr(Jobs, "_solve", lambda *_: ended.wait(PATIENCE))
    jobs = Jobs(Limits(solutions=3, queue=2), tmp_path)
    try:
        for number in range(20):
            jobs.leave(jobs.submit(None, {}, file=f"{TWO_ROLLS}# {number}"))
        assert len(jobs._jobs) <= 3 + 2 + 1
    finally:
        ended.set()
        jobs.close()
