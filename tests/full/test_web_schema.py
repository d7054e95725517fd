"""The server against its own OpenAPI description: whatever is asked, the answer is one that the description names."""

from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rollwise.web.app import make_app
from rollwise.web.limits import Limits
from tests.examples import examples
from tests.full.libraries import need
from tests.web_client import SMALL, TWO_ROLLS, Json

schemathesis = need("schemathesis")
checks = need("schemathesis.checks")

LIMITS = Limits(
    states=10_000, cells=50_000, seconds=300, dice=12, follow_seconds=300, solve_bytes=1 << 20, queue=1000, solutions=1000,
    words=1000, body_bytes=1 << 16,
)  # fmt: skip
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
]
POSITIONS = {
    "slots": (["all 0 6", "x3,bin 18 6", "none 45 0", "x3 99 6"], ["x3", "bin", "flip"]),
    "sheet": (
        ["33561 2 all", "11122 0 ones,full-house", "- 0 none", "12345 1 straight"],
        ["keep 33", "keep -", "ones", "straight"],
    ),
    "words": (["AAB", "ACB", "CCD", "A*B"], ["AA*", "***", "*AB", "A*B"]),
    "groups": (["- 0", "2,1 1", "3,2 2", "1 0"], ["keep", "reroll"]),
    "file": (["1 1", "6 1", "3 0", "7 0"], ["keep", "again", "hold"]),
    "pig": (["0 0 first 2", "3 4 second 2", "0 0 second 5", "12 0 first 2"], ["roll", "hold"]),
    "groups by faces": (["- 3", "3 3", "1,1 2"], ["keep", "reroll"]),
}
GAMES = {
    **SMALL,
    "pig": {"game": "pig", "parameters": {"target": "10"}},
    "file": {"file": TWO_ROLLS, "parameters": {"faces": "6"}},
}
CAREFUL: Json = {**GAMES["slots"], "objective": "worst 10%"}
"""A plan of the risk dial."""
PLAIN = ["GET /api/health", "GET /api/games"]
ASKED = [
    "/api/solve",
    "/api/advise",
    "/api/reply",
    "/api/rolls",
    "/api/outlook",
    "/api/distribution",
    "/api/risk",
    "/api/grade",
    "/api/puzzles",
    "/api/table",
    "/api/card",
    "/api/rules",
    "/api/contest/{problem}",
]
JOBS = ["GET /api/solve/{key}", "DELETE /api/solve/{key}", "GET /api/solve/{key}/events"]
OPERATIONS = [*PLAIN, *JOBS, *(f"POST {path}" for path in ASKED)]


@pytest.fixture
def schema(tmp_path: Path) -> Any:
    """The description, of a server that has solved the small games; it lives as long as the test."""
    patient = schemathesis.Config.from_dict({"request-timeout": 600})
    found = schemathesis.openapi.from_asgi("/api/openapi.json", make_app(LIMITS, directory=tmp_path), config=patient)
    for request in (*GAMES.values(), CAREFUL):
        case = found["/api/solve"]["POST"].Case(body=request, media_type="application/json")
        job = case.call().json()
        while job["status"] not in ("solved", "failed"):
            job = found["/api/solve/{key}"]["GET"].Case(path_parameters={"key": job["id"]}).call().json()
        assert job["status"] == "solved", job
    return found


@pytest.mark.parametrize("label", OPERATIONS)
def test_whatever_is_asked_is_described(schema: Any, label: str) -> None:
    method, path = label.split()
    modes = list(schemathesis.GenerationMode)[: 1 if label in PLAIN else 2]

    @examples(40, suppress_health_check=list(HealthCheck))
    @given(case=st.one_of([schema[path][method].as_strategy(generation_mode=mode) for mode in modes]))
    def ask(case: Any) -> None:
        case.call_and_validate(checks=CHECKS)

    ask()


@st.composite
def contests(draw: st.DrawFn) -> tuple[str, Json]:
    """A contest and a file for it, sometimes for another one or none."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    dice = draw(st.lists(st.text("ABC", min_size=1, max_size=3), min_size=1, max_size=3))
    files = {
        "groups": "\n".join(map(str, [1, f"{sum(sizes)} {draw(st.integers(1, 9))} {len(sizes)}", *sizes])),
        "words": "\n".join([f"{len(dice)} 1", *dice, "".join(die[0] for die in dice)]),
        "none": draw(st.text(max_size=50)),
    }
    problem = draw(st.sampled_from(["groups", "words"]))
    return problem, {"input": files[draw(st.sampled_from([problem, problem, *files]))]}


@st.composite
def requests(draw: st.DrawFn, path: str) -> Json:
    """A request that makes sense, often with one field that does not."""
    name = draw(st.sampled_from(["pig"] if path == "/api/reply" else list(POSITIONS)))
    states, actions = POSITIONS[name]
    body: Json = deepcopy(CAREFUL if path == "/api/risk" else GAMES[name])
    state = st.sampled_from(states)
    if path in ("/api/advise", "/api/outlook", "/api/reply"):
        body["state"] = draw(state)
    if path == "/api/reply":
        body["opponent"] = draw(st.sampled_from(["optimal", "greedy", "optimal", "points"]))
    if path == "/api/advise":
        body["top"] = draw(st.none() | st.integers(1, 5))
    if path == "/api/outlook":
        body["action"] = draw(st.sampled_from(actions))
    if path == "/api/rolls" and draw(st.booleans()):
        body |= {"state": draw(state), "action": draw(st.sampled_from(actions)), "draw": draw(st.none() | st.floats(0, 0.99))}
    if path == "/api/puzzles":
        body |= {"seed": draw(st.integers(0, 2)), "n": draw(st.integers(1, 4))}
    if path == "/api/grade":
        first, second = st.sampled_from([*states[:1] * 5, *states]), st.sampled_from([*actions[:1] * 5, *actions])
        lines = [("roll", draw(first)), ("move", draw(second)), ("roll", draw(state))]
        body["lines"] = [{"kind": kind, "text": text} for kind, text in lines[: draw(st.integers(0, 3))]]
    if draw(st.integers(0, 3)) == 0:
        field = draw(st.sampled_from(sorted(body)))
        body[field] = draw(st.text(max_size=30) | st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2))
    return body


@pytest.mark.parametrize("path", [path for path in ASKED if path != "/api/card"])  # it searches: tests/test_web_card.py
def test_sense_and_near_sense(schema: Any, path: str) -> None:
    seen: Counter[int] = Counter()
    operation = schema[path]["POST"]

    asked = contests() if "{problem}" in path else st.tuples(st.none(), requests(path))

    @examples(60, suppress_health_check=list(HealthCheck))
    @given(asked=asked)
    def ask(asked: tuple[str | None, Json]) -> None:
        problem, body = asked
        where = {"problem": problem} if problem else {}
        case = operation.Case(body=body, path_parameters=where, media_type="application/json")
        seen[case.call_and_validate(checks=CHECKS).status_code] += 1

    ask()
    assert seen[200] >= seen.total() // 6, seen
    assert seen[422] >= seen.total() // 20, seen
    assert set(seen) <= {200, 409, 413, 422}


def test_the_description_names_every_operation(schema: Any) -> None:
    assert sorted(found.ok().label for found in schema.get_all_operations()) == sorted(OPERATIONS)


def test_jobs_that_are_there(schema: Any) -> None:
    for job in JOBS:
        method, path = job.split()
        for request in GAMES.values():
            key = schema["/api/solve"]["POST"].Case(body=request, media_type="application/json").call().json()["id"]
            # The body of a stream is described as text; the checker would compare each event with that.
            known = [check for check in CHECKS if not path.endswith("events") or check is not checks.response_schema_conformance]
            answer = schema[path][method].Case(path_parameters={"key": key}).call_and_validate(checks=known)
            assert answer.status_code == 200
