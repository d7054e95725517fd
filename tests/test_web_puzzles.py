"""Puzzles over HTTP: those of the library, the same for the same seed, within limits; graded games say who moved."""

from collections.abc import Iterator

import pytest

import rollwise
from rollwise.games import load
from rollwise.playing.mistakes import mistake_thresholds
from rollwise.texts.render import spoken
from rollwise.web.answer_cache import KEPT
from rollwise.web.puzzle_pool import POOL, puzzle_pool
from rollwise.wire.lessons import describe_puzzles
from tests.web_client import Json, TestClient, ask, connect, solve

SHEET: Json = {"game": "yazy", "parameters": {"boxes": "ones,sixes,three-of-a-kind,straight"}}


@pytest.fixture(scope="module", autouse=True)
def quickly() -> Iterator[None]:
    """Look at fewer decisions than a user waits for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rollwise.playing.puzzles.DECISIONS", 100)
        yield


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with connect(tmp_path_factory.mktemp("store")) as found:
        solve(found, SHEET)
        yield found


def test_puzzles_are_those_of_the_library(client: TestClient) -> None:
    found = ask(client, "/api/puzzles", **SHEET, seed=3, n=4)
    solution = rollwise.solve(load("yazy", **SHEET["parameters"]))
    assert found == {"seed": 3, **spoken(describe_puzzles(solution, rollwise.puzzles(solution, 4, seed=3)), "en")}
    assert found["severities"] == dict(mistake_thresholds(solution).thresholds)


def test_the_same_seed_sets_the_same_puzzles_from_memory(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask(client, "/api/puzzles", **SHEET, seed=11, n=2)
    assert first["puzzles"] != ask(client, "/api/puzzles", **SHEET, seed=12, n=2)["puzzles"]
    monkeypatch.setattr("rollwise.web.puzzle_pool.puzzles", None)
    assert ask(client, "/api/puzzles", **SHEET, seed=11, n=2) == first


def test_the_oldest_make_room(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def count(_solution: object, _n: int, seed: int, **_more: object) -> list[object]:
        asked.append(seed)
        return []

    monkeypatch.setattr("rollwise.web.puzzle_pool.puzzles", count)
    for seed in [*range(100, 100 + KEPT), 100, 200, 100]:
        ask(client, "/api/puzzles", **SHEET, seed=seed, n=1)
    assert asked == [*range(100, 100 + KEPT), 200, 100]


def test_a_table_has_puzzles_where_there_are_some() -> None:
    solution = rollwise.solve(load("slots"))
    found = puzzle_pool(solution)
    assert found == {"seed": 0, **describe_puzzles(solution, rollwise.puzzles(solution, POOL))}
    assert puzzle_pool(rollwise.solve(load("groups", faces="6", sizes="2,1"))) is None
