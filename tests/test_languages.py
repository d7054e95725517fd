"""A language is one file: a pseudo-language marks every text, and what people read of an answer is marked throughout."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rollwise import texts
from rollwise.texts import languages, read_texts
from tests.web_client import TestClient, connect

HEARD = {
    "about", "brief", "detail", "error", "family", "help", "label", "paragraphs", "pays", "remark", "sentence", "summary",
    "tempting_why", "title", "what", "why",
}  # fmt: skip
"""Fields of an answer that are read by people."""
WORD = re.compile(r"[^\W\d_]{2,}")

QUESTIONS = {
    "sheet": {"game": "yazy", "parameters": {"boxes": "ones,straight,full-house"}},
    "sheet to reach a total": {"game": "yatzy", "parameters": {"boxes": "sixes,chance"}, "objective": "at-least 30"},
    "duel": {"game": "yazy", "parameters": {"boxes": "ones,straight"}, "objective": "duel"},
    "pig": {"game": "pig", "parameters": {"target": "20"}},
    "slots": {"game": "slots", "parameters": {}},
    "farkle": {"game": "farkle", "parameters": {}},
    "shut the box": {"game": "shut-the-box", "parameters": {"tiles": "5", "players": "2"}},
    "threes": {"game": "threes", "parameters": {}},
    "hog": {"game": "hog", "parameters": {"target": "15", "most_dice": "3"}},
    "climbing": {"game": "cant-stop", "parameters": {"sides": "2"}},
    "bear-off": {"game": "bear-off", "parameters": {"checkers": "2"}},
    "words": {"game": "words", "parameters": {"dice": "ABC,ABC,BCD", "words": "ABC,BBD"}},
    "groups": {"game": "groups", "parameters": {"faces": "6", "sizes": "1,2,3"}},
}


@pytest.fixture
def marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Add a language in which every text stands in brackets."""
    for language in languages():
        (tmp_path / f"{language}.json").write_bytes((texts.FOLDER / f"{language}.json").read_bytes())
    made = {
        key: f"⟦{text}⟧" if isinstance(text, str) else {form: f"⟦{each}⟧" for form, each in text.items()}
        for key, text in read_texts("en").items()
    }
    (tmp_path / "xx.json").write_text(json.dumps(made), encoding="utf-8")
    monkeypatch.setattr(texts, "FOLDER", tmp_path)
    read_texts.cache_clear()
    languages.cache_clear()
    yield "xx"
    monkeypatch.undo()
    read_texts.cache_clear()
    languages.cache_clear()


def unmarked(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Give the words that people read outside of brackets."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from unmarked(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from unmarked(each, field)
    elif isinstance(value, str) and field in HEARD and "⟦" not in value and WORD.search(value):
        yield field, value


@pytest.fixture
def client(tmp_path: Path, marked: str) -> Iterator[TestClient]:
    with connect(tmp_path / "cache") as found:
        found.headers["accept-language"] = f"{marked}, en;q=0.5"
        yield found


def solved(client: TestClient, question: Any) -> Any:
    job = client.post("/api/solve", json=question).json()
    while job["status"] in ("queued", "solving"):
        job = client.get(f"/api/solve/{job['id']}").json()
    assert job["status"] == "solved", job
    return job


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_is_in_the_language_of_its_request(client: TestClient, name: str) -> None:
    question = QUESTIONS[name]
    answers = {"job": solved(client, question), "rules": client.post("/api/rules", json=question).json()}
    rolls = answers["rolls"] = client.post("/api/rolls", json={**question, "top": 20, "draw": 0.3}).json()
    advice = client.post("/api/advise", json={**question, "state": rolls["drawn"]["state"]})
    assert advice.headers["content-language"] == "xx"
    assert "accept-language" in advice.headers["vary"]
    answers |= {"advice": advice.json(), "puzzles": client.post("/api/puzzles", json={**question, "seed": 1, "n": 3}).json()}
    answers["refusal"] = client.post("/api/advise", json={**question, "state": "nothing"}).json()
    assert {what: [*unmarked(answer)] for what, answer in answers.items() if [*unmarked(answer)]} == {}


def test_the_catalogue_is_in_the_language_of_its_request(client: TestClient) -> None:
    answer = client.get("/api/games")
    assert [*unmarked(answer.json())] == []
    assert all(game["family"].startswith("⟦") for game in answer.json())
