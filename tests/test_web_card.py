"""Strategy cards over HTTP: a known one, one that is looked for, and what is refused."""

from typing import Any

import pytest

from rollwise.games import load
from rollwise.model.card import read_card
from rollwise.web.limits import Limits
from rollwise.wire import schema
from tests.web_client import Json, TestClient, connect, solve

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
