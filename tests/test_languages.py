"""A language is one file: a pseudo-language hides the letters of every text, and no word is left of what people read."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from rollwise import texts
from rollwise.cli.main import main
from rollwise.model import reading
from rollwise.texts import languages, read_texts
from tests.web_client import TestClient, connect

HEARD = {
    "about", "brief", "detail", "error", "family", "help", "label", "paragraphs", "pays", "remark", "sentence", "summary",
    "tempting_why", "title", "what", "why",
}  # fmt: skip
"""Fields of an answer that are read by people."""
NOTATION = re.compile(r"'[^']*'|\b[A-Z][A-Z-]+\b|\b(?:vs|lead|upper)\b|\d/off\b")
"""What is the same in all languages: texts in quotes, and words of the notation."""
WORD = re.compile(r"[^\W\d_]{3,}")

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


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Add a language whose texts are English with dots for letters."""
    folder = tmp_path_factory.mktemp("texts")
    for language in languages():
        (folder / f"{language}.json").write_bytes((texts.FOLDER / f"{language}.json").read_bytes())
    made = {
        key: hide(text) if isinstance(text, str) else {form: hide(each) for form, each in text.items()}
        for key, text in read_texts("en").items()
    }
    (folder / "xx.json").write_text(json.dumps(made), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "FOLDER", folder)
        forget()
        yield "xx"
    forget()


def forget() -> None:
    for found in [read_texts, languages, *vars(reading).values()]:
        if hasattr(found, "cache_clear"):
            found.cache_clear()


def hide(text: str) -> str:
    """Put dots for the letters of a text, but not for the names of its arguments."""
    return "".join(part if part.startswith("{") else re.sub(r"[^\W\d_]", "·", part) for part in re.split(r"(\{[^}]*\})", text))


def words(value: Any, names: set[str], field: str = "") -> Iterator[tuple[str, str]]:
    """Give the texts that people read in which words are left, other than the names in a position."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from words(each, names, name)
    elif isinstance(value, list):
        for each in value:
            yield from words(each, names, field)
    elif isinstance(value, str) and field in HEARD and {*WORD.findall(NOTATION.sub("", value))} - names:
        yield field, value


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, hidden: str) -> Iterator[TestClient]:
    with connect(tmp_path_factory.mktemp("cache")) as found:
        found.headers["accept-language"] = f"{hidden}, en;q=0.5"
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
    state = rolls["drawn"]["state"] if "drawn" in rolls else "AAB"
    advice = client.post("/api/advise", json={**question, "state": state})
    assert advice.headers["content-language"] == "xx"
    assert "accept-language" in advice.headers["vary"]
    answers |= {"advice": advice.json(), "puzzles": client.post("/api/puzzles", json={**question, "seed": 1, "n": 3}).json()}
    answers["refusal"] = client.post("/api/advise", json={**question, "state": "nothing"}).json()
    names = {*WORD.findall(state), "off"}  # "1/off" is how a play is written
    assert {what: left for what, answer in answers.items() if (left := [*words(answer, names)])} == {}


def test_the_catalogue_is_in_the_language_of_its_request(client: TestClient) -> None:
    answer = client.get("/api/games")
    assert [*words(answer.json(), set())] == []


@pytest.mark.parametrize(
    ("path", "question"),
    [("/api/solve", {"game": "yazzy", "parameters": {}}), ("/api/solve", {"game": "pig", "parameters": {"target": "123456789"}}),
     ("/api/solve", {"game": "yatzy", "parameters": {}, "objective": "duel"}), ("/api/solve/none-1", None),
     ("/static/none", None)],
)  # fmt: skip
def test_a_refusal_is_in_the_language_of_its_request(client: TestClient, path: str, question: Any) -> None:
    answer = client.get(path) if question is None else client.post(path, json=question)
    assert answer.status_code >= 400
    assert "·" in answer.json()["detail"]
    english = client.get(path, headers={"accept-language": "en"}) if question is None else client.post(
        path, json=question, headers={"accept-language": "fr, en;q=0.1"}
    )  # fmt: skip
    assert "·" not in english.json()["detail"]
    assert english.headers["content-language"] == "en"


def test_a_stream_is_in_the_language_that_it_names(client: TestClient) -> None:
    """An EventSource cannot set a header."""
    job = solved(client, QUESTIONS["slots"])
    for language, is_hidden in (("", True), ("en", False), ("xx", True)):
        text = client.get(f"/api/solve/{job['id']}/events", params={"language": language}).text
        assert ("·" in text) == is_hidden


@pytest.mark.parametrize(
    "arguments",
    [["advise", "slots", "--state", "all 0 6", "--json"], ["rules", "yahtzee", "--json"], ["games", "--json"],
     ["puzzles", "slots", "--n", "1", "--json"]],
    ids=lambda arguments: arguments[0],
)  # fmt: skip
def test_the_command_line_speaks_a_language(hidden: str, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main([*arguments, "--language", hidden]) == 0
    names = {*WORD.findall("x3,flip,+4only12,x2even,+4odd,bin")}
    assert [*words(json.loads(capsys.readouterr().out), names)] == []
