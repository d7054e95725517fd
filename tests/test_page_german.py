"""The page in German: chosen by the browser, a turn and the end of a game, and the switch of languages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import DESK, Watched, part


@pytest.fixture
def german(browser: Browser, address: str) -> Iterator[Watched]:
    """A page at a German desk, on which every fault counts."""
    context = browser.new_context(viewport=DESK, reduced_motion="reduce", locale="de-DE")
    yield Watched(context.new_page(), address)
    context.close()


def open_at(watched: Watched, fragment: str = "") -> Page:
    watched.page.goto(f"{watched.address}{fragment}")
    return watched.page


def test_the_start_page_speaks_german_and_can_be_switched(german: Watched) -> None:
    page = open_at(german)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("heading", name="Was ist der beste Zug?")).to_be_visible()
    expect(page.get_by_role("heading", name="Gewinnblöcke")).to_be_visible()
    expect(part(page, "game-kniffel")).to_contain_text("Der Klassiker: dreizehn Felder, ohne Joker")
    expect(page.locator(".facts-line").first).to_contain_text("Sechser, Full House")
    part(page, "how-kniffel").click()
    expect(part(page, "rules")).to_contain_text("Die oberen Felder, Einser bis Sechser, bringen 35 Punkte mehr")
    expect(part(page, "rule-grosse-strasse")).to_contain_text("Große Straße")
    part(page, "rules-close").click()
    page.locator("#language").click()
    expect(page.get_by_role("heading", name="What is the best move?")).to_be_visible()
    expect(part(page, "game-kniffel")).to_contain_text("The German Yahtzee, without jokers")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.locator("#language").click()
    expect(page.get_by_role("heading", name="Was ist der beste Zug?")).to_be_visible()
    german.finish()


def test_a_turn_and_the_end_of_a_game(german: Watched) -> None:
    """Names that go back to the server stay as they are; those that are read are German, and so are the numbers."""
    page = open_at(german, "#kniffel?state=12366+1+sechser,grosse-strasse+upper+45")
    expect(part(page, "box-grosse-strasse")).to_contain_text("Große Straße", timeout=60_000)
    expect(part(page, "status")).to_contain_text("Am besten: halte 66")
    expect(part(page, "selected-why")).to_contain_text("hält 66: Sechser +2,7 (42 %), schont Große Straße +2,0")
    assert "," in part(page, "move-0").inner_text()
    part(page, "box-sechser").click()
    expect(part(page, "selected-why")).to_contain_text("schreibt 12 bei Sechser, oben 57 von 63")
    part(page, "play").click()
    for face in "12345":
        part(page, f"keypad-{face}").click()
    expect(part(page, "status")).to_contain_text("Am besten: Große Straße")
    part(page, "play").click()
    expect(part(page, "result")).to_contain_text("Punkte")
    assert "state=" in page.url
    german.finish()
