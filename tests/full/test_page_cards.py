"""The strategy card of a game, in a real browser: shown at once, in another size, and a plain sentence where there is none."""

from playwright.sync_api import expect

from tests.browser import Watched, choose, go, part, settled


def test_a_known_card_in_two_sizes(watched: Watched) -> None:
    page = go(watched, "#crag")
    settled(page, "dice")
    choose(page, "card-open")
    sheet, choice = part(page, "card-sheet"), part(page, "card-size")
    expect(sheet.locator("svg")).to_be_visible()
    expect(choice).to_have_value("30")
    assert choice.locator("option").all_inner_texts() == ["20", "30"]
    best = part(page, "card-status").inner_text()
    choice.select_option("20")
    expect(part(page, "card-status")).not_to_have_text(best)
    expect(sheet.locator("title").first).to_have_text("Crag in 20 lines")
    expect(part(page, "card-print")).to_be_visible()
    expect(part(page, "card-save")).to_be_visible()


def test_no_card(watched: Watched) -> None:
    """Nothing to print and nothing to choose; where only this size is refused, others are offered."""
    page = go(watched, "#yazy?p.boxes=ones,straight")
    settled(page, "dice")
    for status, offered in ((413, False), (422, True)):
        page.route("**/api/card", lambda route, _, status=status: route.fulfill(status=status, json={"detail": "there is none"}))
        choose(page, "card-open")
        expect(part(page, "card-status")).to_have_text("there is none")
        expect(part(page, "card-print")).to_be_hidden()
        expect(part(page, "card-save")).to_be_hidden()
        expect(part(page, "card-size")).to_be_visible(visible=offered)
        part(page, "card-close").click()
        page.unroute("**/api/card")
    watched.faults.clear()  # the console names refused requests
