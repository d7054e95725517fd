"""The page without a connection: kept by its service worker, with games whose tables are kept on the device."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import card, choose, part, play_out, settled, step
from tests.cut_off import Host, app, ask, kept

BOXES = "ones,twos,straight"
SMALL = f"#yazy?p.boxes={BOXES}"
ASKED: Any = {"game": "yazy", "parameters": {"boxes": BOXES}}
STATES = [f"33561 2 {BOXES}", f"12345 1 {BOXES}", "66612 2 ones,straight", "11222 0 twos,ones", "24466 1 straight"]


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with Host.server(tmp_path) as found:
        yield found


def keep_game(page: Page, host: Host) -> None:
    """Open a game and keep it."""
    page.goto(host.address + SMALL)
    choose(page, "keep-offline")
    expect(part(page, "keep-offline")).to_have_text(re.compile(r"Kept offline, \d+ kB"))


def advice_of(page: Page) -> list[Any]:
    return [ask(page, "advise", **ASKED, state=state) for state in STATES]


def assert_same(here: list[Any], there: list[Any]) -> None:
    """The same moves in the same order where values differ, the same values, points and words."""
    for own, other in zip(here, there, strict=True):
        values = {move["action"]: move for move in other["moves"]}
        assert {move["action"] for move in own["moves"]} == {*values}
        assert own["value"] == pytest.approx(other["value"], abs=1e-4)
        assert (own["state"], own["id"], own["over"]) == (other["state"], other["id"], other["over"])
        for move in own["moves"]:
            expected = values[move["action"]]
            assert move["value"] == pytest.approx(expected["value"], abs=1e-4)
            assert move["loss"] == pytest.approx(expected["loss"], abs=2e-4)
            assert (move["points"], move["after"]) == (expected["points"], expected["after"])


def test_cut_in_the_middle_of_a_game_and_before_one(browser: Browser, host: Host) -> None:
    """A game goes on as if nothing had happened; then nothing is loaded anew: page, scripts that were not needed yet, answers."""
    with app(browser) as page:
        keep_game(page, host)
        kept(page)
        session = page.context.new_cdp_session(page)
        assert session.send("Page.getAppManifest")["errors"] == []
        found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert {fault["errorId"] for fault in found} <= {"in-incognito"}, "as every context of a test is"
        choose(page, "keep-offline")
        expect(part(page, "keep-offline")).to_have_text("Keep offline")
        assert page.evaluate("caches.has('rollwise-tables')") is False, "a game that is kept no more leaves nothing behind"
        choose(page, "keep-offline")
        expect(part(page, "keep-offline")).to_have_text(re.compile("Kept"))
        told = advice_of(page)
        part(page, "mode-roll").click()
        assert step(page) == "roll"
        settled(page, "move")
        host.stop()
        play_out(page)
        expect(part(page, "mistakes")).to_be_visible()
        away = part(page, "away")
        expect(away).to_be_visible()
        expect(part(page, "connection")).to_be_hidden()
        page.goto(host.address)
        expect(away).to_contain_text("No connection. Answers come from this device.")
        away.get_by_role("link", name="Yazy").click()
        settled(page, "dice")
        assert_same(advice_of(page), told)
        expect(part(page, "keep-offline")).to_have_text(re.compile("Kept offline"))
        part(page, "home").click()
        card(page, "slots").click()
        expect(part(page, "stopped")).to_contain_text("The server does not answer")
