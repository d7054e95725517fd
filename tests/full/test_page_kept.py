"""Games that the browser keeps: closed and resumed, listed with results, deleted and put back, and linked as a whole."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import PHONE, Watched, choose, enter, fill_box, go, part, settled

SMALL = "#yazy?p.boxes=ones,straight"
PARTY = SMALL + "&players=Anna,Ben"
COPY = "() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }"
FILL = """() => {
  for (let size = 1000000; size >= 1; size = Math.floor(size / 2)) {
    for (let i = 0; i < 20; i += 1) try { localStorage.setItem(`${size}.${i}`, "x".repeat(size)); } catch { break; }
  }
}"""
"""Run in the page: leave no room in the browser's store."""
CARD = "[data-test^=kept-]"


def play_two(page: Page) -> None:
    for faces, box in [("12345", "straight"), ("11123", "ones"), ("11156", "ones"), ("66666", "straight")]:
        settled(page, "dice")
        fill_box(page, faces, box)
    settled(page, "end")
    expect(part(page, "result")).to_contain_text("Anna wins with 43 points")


def test_closed_and_resumed(watch: Any) -> None:
    """A window is closed in the middle; another one of the same browser resumes from the start page, and can undo."""
    watched = watch()
    page = watched.page.context.new_page()
    page.goto(f"{watched.address}{PARTY}")
    settled(page, "dice")
    fill_box(page, "12345", "straight")
    expect(part(page, "status")).to_contain_text("Ben:")
    page.close()
    page = go(watched)
    expect(page.locator(CARD)).to_contain_text("Anna 40, Ben 0 · 1 of 4 boxes")
    page.locator(CARD).click()
    settled(page, "dice")
    expect(part(page, "cell-0-straight")).to_have_text("40")
    part(page, "undo").click()
    settled(page, "move")
    expect(part(page, "status")).to_contain_text("Best: straight")
    part(page, "play").click()
    expect(part(page, "status")).to_contain_text("Ben:")
    page.reload()
    settled(page, "dice")
    fill_box(page, "11123", "ones")
    expect(part(page, "total-1")).to_have_text("3")
    part(page, "home").click()
    expect(page.locator(CARD)).to_have_count(1)
    expect(page.locator(CARD)).to_contain_text("Ben 3")
    watched.finish()


def test_results_are_listed_deleted_and_linked(watched: Watched, watch: Any) -> None:
    """Another browser sees who won, and the luck and mistakes of each, which need all moves."""
    page = go(watched, PARTY)
    page.evaluate(COPY)
    play_two(page)
    choose(page, "share")
    expect(part(page, "said")).to_contain_text("Link copied")
    part(page, "share-game").click()
    expect(part(page, "said")).to_contain_text(re.compile(r"Link to the whole game copied: \d+ characters"))
    other = watch(viewport=PHONE, has_touch=True)
    go(other, page.evaluate("window.copied").removeprefix(watched.address))
    settled(other.page, "end")
    expect(part(other.page, "result")).to_contain_text("Anna wins with 43 points")
    for i in range(2):
        expect(part(other.page, f"luck-{i}")).to_have_text(part(page, f"luck-{i}").inner_text())
    part(other.page, "home").click()
    expect(part(other.page, "game-yazy")).to_be_visible()
    expect(other.page.locator(CARD)).to_have_count(0)  # a game that is only looked at is not kept
    other.finish()
    part(page, "again").click()
    settled(page, "dice")
    fill_box(page, "12346", "ones")
    expect(part(page, "status")).to_contain_text("Ben:")
    go(watched, SMALL)
    settled(page, "dice")
    fill_box(page, "11111", "ones")
    expect(part(page, "status")).to_contain_text("5 to go")
    part(page, "home").click()
    expect(page.locator(CARD)).to_have_count(2)
    part(page, "games").click()
    expect(page.locator(CARD)).to_have_count(3)
    expect(page.locator(CARD).last).to_contain_text("Anna 43, Ben 3")
    expect(part(page, "wins")).to_contain_text(re.compile(r"Anna\s*1\s*1\s*Ben\s*1\s*0"))
    page.get_by_role("button", name="Delete Yazy").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator(CARD).last).not_to_be_visible()
    expect(page.get_by_role("button", name="Put back Yazy")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator(CARD).last.click()
    settled(page, "end")
    expect(part(page, "luck")).to_be_visible()
    page.go_back()
    expect(page.locator("h1")).to_have_text("Your games")
    for left in range(3, 0, -1):
        expect(page.get_by_role("button", name="Delete Yazy")).to_have_count(left)
        page.get_by_role("button", name="Delete Yazy").first.click()
    page.reload()
    expect(part(page, "kept-none")).to_be_visible()
    watched.finish()


def test_a_full_store_is_told_and_the_game_goes_on(watched: Watched) -> None:
    page = go(watched)
    page.evaluate(FILL)
    go(watched, SMALL)
    settled(page, "dice")
    enter(page, "11111")
    settled(page, "move")
    part(page, "play").click()
    expect(part(page, "error")).to_contain_text("there is no room for more")
    settled(page, "dice")
    fill_box(page, "12345", "straight")
    expect(part(page, "result")).to_contain_text("45 points")
    watched.finish()
