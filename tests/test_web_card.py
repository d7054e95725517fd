"""Strategy cards over HTTP: a known one, one that is looked for, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from rollwise.games import load
from rollwise.model.card import read_card
from rollwise.web import strategy_cards
from rollwise.web.limits import Limits
from rollwise.wire import schema
from tests.test_known_cards import NAMES
from tests.web_client import SMALL, Json, TestClient, assert_refused, connect, solve

SLOTS: Json = {"game": "slots", "parameters": {}}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with connect(tmp_path_factory.mktemp("store"), Limits(follow_seconds=300)) as found:
        yield found


def test_a_known_card(client: TestClient) -> None:
    solve(client, SLOTS)
    found = schema.CardInfo(**client.post("/api/card", json=SLOTS).json())
    assert (found.size, found.sizes) == (22, [10, 22])
    assert found.loss == pytest.approx(0, abs=1e-12)
    assert read_card(found.text, load("slots").vocabulary()).size == 22
    assert found.svg.startswith("<svg")
    smaller = schema.CardInfo(**client.post("/api/card", json={**SLOTS, "size": 12}).json())
    assert smaller.size == 10
    assert smaller.loss == pytest.approx(0.002786351166)


@pytest.mark.full
def test_a_card_that_is_looked_for(client: TestClient) -> None:
    pig: Json = {"game": "pig", "parameters": {"target": "20"}}
    solve(client, pig)
    found = schema.CardInfo(**client.post("/api/card", json={**pig, "size": 3}).json())
    assert found.size <= 3
    assert 0 <= found.loss < 0.1


@pytest.mark.parametrize("name", NAMES)
def test_a_known_card_needs_no_solution(name: str, tmp_path: Path) -> None:
    with connect(tmp_path) as client:
        found = schema.CardInfo(**client.post("/api/card", json={"game": name, "parameters": {}}).json())
        assert found.size in found.sizes
        assert found.loss <= 0.1 * found.optimum
        assert found.svg.startswith("<svg")
        assert client.get("/api/health").json()["solved"] == 0


def test_all_known_cards_are_longer(client: TestClient) -> None:
    assert_refused(client.post("/api/card", json={"game": "yahtzee", "parameters": {}, "size": 3}), 422)


def test_too_large_to_look_for_one(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain sentence, at once: what is known is for other rules, or nothing is known."""
    monkeypatch.setattr(strategy_cards, "MANY", 0)
    for asked in ({**SLOTS, "parameters": {"target": "40"}}, SMALL["groups"]):
        solve(client, asked)
        detail = assert_refused(client.post("/api/card", json=asked), 413)
        assert "card" in detail
        assert "command line" not in detail


def test_positions_that_take_too_long_to_list(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy_cards, "PREPARING", 0.0)
    solve(client, SMALL["words"])
    assert_refused(client.post("/api/card", json=SMALL["words"]), 413)


def test_a_bad_card_is_not_shown(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy_cards, "SECONDS", 0.1)
    monkeypatch.setattr(strategy_cards, "is_good", lambda *_: False)
    solve(client, SMALL["groups"])
    assert_refused(client.post("/api/card", json=SMALL["groups"]), 422)


def test_with_house_rules_the_search_begins_with_known_cards(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy_cards, "SECONDS", 0.01)
    rules: Json = {**SLOTS, "objective": "at least 46"}
    solve(client, rules)
    found = schema.CardInfo(**client.post("/api/card", json=rules).json())
    assert found.sizes == []
    assert found.loss <= 0.1 * found.optimum
