"""The server's answers: the library's own, over HTTP; and the page's files."""

import gzip
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter

import rollwise
from rollwise import cache
from rollwise.games import CATALOGUE, load
from rollwise.model.abilities import project, single_player
from rollwise.model.notation import notation_of
from rollwise.model.objective import Expected
from rollwise.model.objectives import AtLeast, Fewest
from rollwise.playing.advise import advise
from rollwise.playing.contests import answer_contest
from rollwise.playing.distribution import distribution
from rollwise.playing.explain import explain, reasons
from rollwise.playing.grade import grade
from rollwise.playing.record import Line, Record
from rollwise.solvers.base.solution import Solution
from rollwise.web.limits import Limits
from rollwise.wire import schema
from tests.random_play import play
from tests.web_client import SMALL, Json, TestClient, ask, assert_guarded, assert_refused, connect, solve

DATA = Path(__file__).parent / "data"
STATIC = Path(rollwise.__file__).parent / "web" / "static"
FILES = {path.relative_to(STATIC).as_posix(): path for path in sorted(STATIC.rglob("*.*"))}
"""The files of the page, its texts included, by the name under which they are served."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server that has solved the small games, with time to compile what follows strategies when it is first used."""
    with connect(tmp_path_factory.mktemp("store"), Limits(follow_seconds=300)) as found:
        for request in SMALL.values():
            solve(found, request)
        yield found


@pytest.fixture(scope="module")
def solutions() -> dict[str, Solution]:
    return {name: rollwise.solve(load(request["game"], **request["parameters"])) for name, request in SMALL.items()}


def same(model: type[BaseModel] | TypeAdapter[Any], answer: Any) -> Any:
    """Check that an answer is what OpenAPI says: read strictly, nothing missing, nothing more."""
    adapter = model if isinstance(model, TypeAdapter) else TypeAdapter(model)
    found = adapter.validate_json(answer.content, strict=True)
    assert adapter.dump_python(found, mode="json") == answer.json()
    return answer.json()


def post(client: TestClient, model: type[BaseModel], path: str, **body: Any) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    assert_guarded(answer)
    return same(model, answer)


def states_of(solution: Solution, count: int = 12) -> list[Any]:
    """Some states, from all over the game."""
    rows = list(islice(solution.policy(), 5000))
    return [row.state for row in rows[:: max(1, len(rows) // count)]]


def plain(value: Any) -> Any:
    return "impossible" if value == float("inf") else value


# Reading


def test_games(client: TestClient) -> None:
    found = same(TypeAdapter(list[schema.GameInfo]), client.get("/api/games"))
    assert [entry["name"] for entry in found] == sorted(CATALOGUE)
    kinds = {entry["name"]: entry["kind"] for entry in found}
    assert [kinds[name] for name in ("yazy", "slots", "words", "groups")] == ["sheet", "slots", "words", "groups"]
    words = next(entry for entry in found if entry["name"] == "words")
    assert [parameter["name"] for parameter in words["parameters"] if parameter["default"]] == ["dice", "words"]


@pytest.mark.parametrize(
    ("asked", "state"),
    [
        ({"game": "slots", "parameters": {}, "objective": "expected"}, "all 0 6"),
        ({"game": "slots", "parameters": {}, "objective": "at-least  51"}, "all 0 6"),
        ({"game": "yazy", "parameters": {"boxes": "ones,straight"}, "objective": "at-least 41"}, "12346 1 all needs 41"),
        ({"game": "yazy", "parameters": {"boxes": "ones,sixes"}, "objective": "duel"}, "11146 1 ones,sixes vs all lead 0"),
    ],
)
def test_another_objective(client: TestClient, asked: Json, state: str) -> None:
    job = solve(client, asked)
    objective = rollwise.read_objective(asked["objective"])
    solution = rollwise.solve(load(asked["game"], **asked["parameters"]), objective)
    assert (job["objective"], job["result"]["objective"]) == (str(objective), str(objective))
    assert job["result"]["value"] == solution.value()
    found = post(client, schema.Advice, "/api/advise", **asked, state=state)
    assert found["moves"][0]["value"] == float(solution.ranked(solution.game.read_state(state))[0].value)
    own = client.post("/api/advise", json={**asked, "objective": None, "state": state})
    assert own.json() != found


def test_an_objective_that_is_none(client: TestClient) -> None:
    for objective in ("most", "at-least", "at-least x", "against", "expected 3", "duel"):
        assert_refused(client.post("/api/solve", json={"game": "slots", "objective": objective}), 422)


# Solving


@pytest.mark.parametrize("name", SMALL)
def test_a_solve_gives_the_value(client: TestClient, solutions: dict[str, Solution], name: str) -> None:
    job = post(client, schema.Job, "/api/solve", **SMALL[name])
    assert same(schema.Job, client.get(f"/api/solve/{job['id']}")) == job
    solution, result = solutions[name], job["result"]
    assert (job["status"], job["error"], job["ahead"]) == ("solved", None, 0)
    assert (job["game"], job["parameters"]) == (SMALL[name]["game"], SMALL[name]["parameters"])
    assert job["board"]["start"] == notation_of(solution.game).show_pending(solution.game.start())
    assert (result["value"], result["states"], result["pendings"]) == (solution.value(), solution.states, solution.pendings)
    assert (result["engine"], result["objective"]) == (solution.engine, str(solution.objective))
    assert result["bound"] == solution.certificate.error_bound


def test_an_impossible_game(client: TestClient) -> None:
    asked = {"game": "words", "parameters": {"dice": "AB,CD", "words": "XX"}}
    assert solve(client, asked)["result"]["value"] == "impossible"
    found = post(client, schema.Advice, "/api/advise", **asked, state="AC")
    assert (found["value"], found["over"]) == ("impossible", False)
    assert {move["value"] for move in found["moves"]} == {"impossible"}
    assert_refused(client.post("/api/distribution", json=asked), 422)
    assert_refused(client.post("/api/outlook", json={**asked, "state": "AC", "action": "**"}), 422)
    lines = [{"kind": "roll", "text": "AC"}, {"kind": "move", "text": "A*"}]
    assert post(client, schema.Graded, "/api/grade", **asked, lines=lines)["start"] == "impossible"


def test_advice_before_solving_is_refused(client: TestClient) -> None:
    asked = {"game": "yazy", "parameters": {"boxes": "sixes"}}
    asks: dict[str, Json] = {
        "advise": {"state": "11111 0 all"}, "outlook": {"state": "11111 0 all", "action": "sixes"}, "distribution": {},
        "grade": {"lines": []},
    }  # fmt: skip
    for path, more in asks.items():
        assert "not solved" in assert_refused(client.post(f"/api/{path}", json={**asked, **more}), 409)


def test_a_game_is_solved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[str] = []
    real = cache.solve

    def spy(game: Any, **options: Any) -> Solution:
        solved.append(options["name"])
        return real(game, **options)

    monkeypatch.setattr(cache, "solve", spy)
    one = {"game": "groups", "parameters": {"faces": "6", "sizes": "1,2"}}
    other = {"game": "groups", "parameters": {"sizes": "1,2", "faces": "6"}}
    with connect(tmp_path) as client:
        first = solve(client, one)
        assert solve(client, other) == {**first, "parameters": other["parameters"]} == solve(client, one)
        cancelled = client.delete(f"/api/solve/{first['id']}").json()
        assert cancelled == first
        assert ask(client, "/api/solve", **one) == first
        assert solved == ["groups"]
        assert solve(client, {"game": "groups", "parameters": {"faces": "6", "sizes": "2,2"}})["id"] != first["id"]


# Advice


@pytest.mark.parametrize("name", SMALL)
def test_advice_is_the_library_s(client: TestClient, solutions: dict[str, Solution], name: str) -> None:
    solution = solutions[name]
    game = solution.game
    for state in states_of(solution):
        text = game.show_state(state)
        found = post(client, schema.Advice, "/api/advise", **SMALL[name], state=text)
        expected = advise(solution, state, outlook=False)
        assert (found["state"], found["value"], found["over"]) == (text, expected.value, False)
        assert found["better"] == ("lower" if isinstance(solution.objective, Fewest) else "higher")
        assert found["moves"] == [
            {
                "action": game.show_action(move.action), "value": plain(move.value), "exact": None,
                "loss": plain(move.loss), "gain": game.gain(state, move.action),
                "points": single_player(game).gain(project(game, state), move.action),
                "why": explain(solution, state, move.action), "reasons": found["moves"][place]["reasons"],
                "after": notation_of(game).show_pending(game.play(state, move.action)),
            }
            for place, move in enumerate(expected.moves)
        ]  # fmt: skip
        for move in found["moves"] if name == "sheet" and len(found["moves"]) > 1 else ():
            known = reasons(solution, state, game.read_action(move["action"]))
            assert [reason["value"] for reason in move["reasons"]] == [reason.value for reason in known if reason.value]
        top = post(client, schema.Advice, "/api/advise", **SMALL[name], state=text, top=1)
        assert top["moves"] == found["moves"][:1]


def test_positions(client: TestClient) -> None:
    def position(name: str, state: str) -> Json:
        found: Json = post(client, schema.Advice, "/api/advise", **SMALL[name], state=state)
        return {**found["position"], "over": found["over"]}

    assert position("sheet", "61532 1 all") == {
        "kind": "sheet", "dice": [1, 2, 3, 5, 6], "left": 1, "open": ["ones", "full-house", "straight"], "upper": None,
        "primed": False, "over": False,
    }  # fmt: skip
    assert position("sheet", "- 0 none")["over"]
    assert position("slots", "x3,bin 18 6") == {"kind": "slots", "free": ["x3", "bin"], "total": 18, "roll": 6, "over": False}
    assert position("slots", "none 45 0") == {"kind": "slots", "free": [], "total": 45, "roll": 0, "over": True}
    assert position("words", "AAB") == {"kind": "words", "dice": ["A", "A", "B"], "over": False}
    assert position("words", "ACB")["over"]
    assert position("groups", "1,2 1") == {"kind": "groups", "held": [2, 1], "hit": 1, "over": False}
    assert position("groups by faces", "3 3") == {"kind": "groups", "held": [3], "hit": 3, "over": False}


@pytest.mark.parametrize("name", SMALL)
def test_an_outlook_is_the_distribution_after_the_move(client: TestClient, solutions: dict[str, Solution], name: str) -> None:
    solution = solutions[name]
    game = solution.game
    for state in states_of(solution, 2):
        for move in advise(solution, state, top=2, outlook=False).moves:
            text = {"state": game.show_state(state), "action": game.show_action(move.action)}
            found = post(client, schema.Outlook, "/api/outlook", **SMALL[name], **text)
            after = distribution(solution, start=game.play(state, move.action))
            shift = game.gain(state, move.action)
            assert (found["of"], found["lowest"]) == (after.what, after.lowest + shift)
            assert (found["chance"], found["rest"]) == (after.chance.tolist(), after.rest)
            assert found["quantiles"] == {str(share): after.quantile(share) + shift for share in (0.05, 0.25, 0.5, 0.75, 0.95)}
            if isinstance(solution.objective, AtLeast):
                assert after.at_least(solution.objective.target) == pytest.approx(move.value, abs=1e-12)
            else:
                assert found["mean"] == pytest.approx(move.value, rel=1e-9)


@pytest.mark.parametrize("name", SMALL)
def test_a_distribution_is_the_library_s(client: TestClient, solutions: dict[str, Solution], name: str) -> None:
    found, expected = post(client, schema.Outlook, "/api/distribution", **SMALL[name]), distribution(solutions[name])
    assert (found["of"], found["lowest"], found["chance"]) == (expected.what, expected.lowest, expected.chance.tolist())
    assert (found["mean"], found["standard_deviation"]) == (expected.mean, expected.standard_deviation)
    if not isinstance(solutions[name].objective, AtLeast):
        assert found["mean"] == pytest.approx(solutions[name].value(), rel=1e-9)


# Grading and judging


def played(solution: Solution, seed: int) -> list[Line]:
    """A game with some poor moves."""
    game, texts = solution.game, []
    for step in play(solution, seed, slips=0.5).steps[:30]:
        texts += [("roll", game.show_state(step.state)), *([("move", game.show_action(step.action))] if step.moved else [])]
    return [Line(kind, text, number) for number, (kind, text) in enumerate(texts, 1)]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_grade_is_the_library_s(client: TestClient, solutions: dict[str, Solution], name: str, seed: int) -> None:
    solution = solutions[name]
    lines = played(solution, seed)
    sent = [{"kind": line.kind, "text": line.text} for line in lines]
    found = post(client, schema.Graded, "/api/grade", **SMALL[name], lines=sent)
    expected = grade(solution, Record(SMALL[name]["game"], lines=tuple(lines)))
    assert (found["start"], found["luck"], found["mistakes"]) == (expected.start, expected.luck, expected.mistakes)
    assert (found["total"], found["over"]) == (expected.total, expected.over)
    assert [step["loss"] for step in found["steps"]] == [step.loss if step.moved else None for step in expected.steps]
    assert [step["roll"] for step in found["steps"]] == [solution.game.show_state(step.state) for step in expected.steps]
    assert [step["move"] for step in found["steps"]] == [
        solution.game.show_action(step.action) if step.moved else None for step in expected.steps
    ]
    sign = -1 if isinstance(solution.objective, Fewest) else 1
    assert found["total"] == pytest.approx(found["start"] + sign * (found["luck"] - found["mistakes"]), abs=1e-9)
    if isinstance(solution.objective, Expected):
        assert found["total"] == sum(
            solution.game.gain(step.state, step.action) for step in expected.steps if step.moved
        )  # fmt: skip


def test_a_wrong_line_is_named(client: TestClient) -> None:
    for lines, match in (
        (["move: x3"], "line 1: expected a roll"),
        (["roll: all 0 6", "roll: all 0 6"], "line 2: expected a move"),
        (["roll: all 0 6", "move: x4"], "line 2"),
        (["roll: all 0 7"], "line 1"),
        (["roll: all 0 6", "move: x3", "roll: all 0 6"], "line 3"),
    ):
        sent = [{"kind": line[:4], "text": line[6:]} for line in lines]
        assert match in assert_refused(client.post("/api/grade", json={**SMALL["slots"], "lines": sent}), 422)


def test_a_contest_file_is_answered(client: TestClient) -> None:
    for path in sorted(DATA.glob("*/*.in")):
        problem, text = path.parent.name, path.read_text()
        found = post(client, schema.Answer, f"/api/contest/{problem}", input=text)
        assert found["output"].split("\n") == list(answer_contest(problem, text))


def test_a_malformed_contest_file_is_refused(client: TestClient) -> None:
    answer = client.post("/api/contest/words", json={"input": "1 1\nABC\nAB\n"})
    assert "line 3: expected a word" in assert_refused(answer, 422)
    assert_refused(client.post("/api/contest/chess", json={"input": ""}), 422)


# The page


def test_a_file_of_the_page(client: TestClient) -> None:
    for path in ("/", *(f"/static/{name}" for name in FILES)):
        content = FILES[path.removeprefix("/static/")].read_bytes() if path != "/" else client.get("/").content
        whole = client.get(path, headers={"accept-encoding": "identity"})
        assert (whole.status_code, whole.content) == (200, content)
        assert "content-encoding" not in whole.headers
        assert_guarded(whole)
        head = client.head(path, headers={"accept-encoding": "identity"})
        assert (head.status_code, head.content) == (200, b"")
        assert {**head.headers} == {**whole.headers}
        again = client.get(path, headers={"if-none-match": whole.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert_guarded(again)
        with client.stream("GET", path, headers={"accept-encoding": "br, gzip"}) as packed:
            raw = b"".join(packed.iter_raw())
            assert len(raw) <= len(content)
            assert (gzip.decompress(raw) if "content-encoding" in packed.headers else raw) == content
        assert len(content) < 1000 or path.endswith(".png") or "content-encoding" in packed.headers


def test_a_file_refers_to_no_other_host() -> None:
    for text in [path.read_text() for path in FILES.values() if path.suffix != ".png"]:
        assert set(re.findall(r"https?://[^\s\"'`<>)]*", text)) <= {"http://www.w3.org/2000/svg"}
        assert not re.search(r"""(src|href|url\(|from|import)\s*[=(]?\s*["']//""", text)


def test_the_page_has_nothing_that_the_policy_forbids() -> None:
    text = (STATIC / "index.html").read_text()
    assert all(body == "" for body in re.findall(r"<script[^>]*>(.*?)</script>", text, re.DOTALL | re.IGNORECASE))
    assert not re.search(r"<[^>]*\s(style|on[a-z]+)\s*=", text, re.IGNORECASE)
    assert not re.search(r"<style|javascript:", text, re.IGNORECASE)
    for path in re.findall(r"(?:src|href)=\"(static/[^\"]*)\"", text):
        assert path.removeprefix("static/").removeprefix("EDITION/") in (*FILES, "all.css")


# Many at a time


def test_many_requests_at_a_time(tmp_path: Path) -> None:
    with connect(tmp_path, Limits(queue=100)) as client:
        for request in SMALL.values():
            solve(client, request)
        asked = [
            ("GET", "/api/games", None),
            ("GET", "/", None),
            ("POST", "/api/solve", SMALL["sheet"]),
            ("POST", "/api/advise", {**SMALL["slots"], "state": "all 0 6"}),
            ("POST", "/api/advise", {**SMALL["words"], "state": "AAB"}),
            ("POST", "/api/grade", {**SMALL["slots"], "lines": [{"kind": "roll", "text": "all 0 6"}]}),
        ]
        first = [client.request(method, path, json=body) for method, path, body in asked]
        with ThreadPoolExecutor(8) as threads:
            jobs = [(n % len(asked), threads.submit(client.request, *asked[n % len(asked)][:2], json=asked[n % len(asked)][2]))
                    for n in range(200)]  # fmt: skip
            for number, job in jobs:
                assert (job.result().status_code, job.result().content) == (200, first[number].content)
