"""Games that the browser keeps: closed and resumed, listed with results, deleted and put back, and linked as a whole."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import DESK, PHONE, Watched, part

SMALL = "p.boxes=ones,straight"
COPY = "navigator.clipboard.writeText = async (text) => { window.copied = text; };"
FILL = """() => {
  for (let size = 1000000; size >= 1; size = Math.floor(size / 2)) {
    for (let i = 0; i < 20; i += 1) try { localStorage.setItem(`${size}.${i}`, "x".repeat(size)); } catch { break; }
  }
}"""
"""Run in the page: leave no room in the browser's store."""
CARD = "[data-test^=kept-]"


@pytest.fixture
def watched(browser: Browser, address: str) -> Iterator[Watched]:
    context = browser.new_context(viewport=DESK, reduced_motion="reduce")
    context.add_init_script(COPY)
    yield Watched(context.new_page(), address)
    context.close()


def fill(page: Page, faces: str, box: str) -> None:
    """Enter a roll and fill a box with it."""
    for face in faces:
        part(page, f"keypad-{face}").click()
    expect(part(page, "status")).to_contain_text("Best:")
    if part(page, f"box-{box}").get_attribute("aria-pressed") != "true":
        part(page, f"box-{box}").click()
    part(page, f"box-{box}").click()


def play_two(page: Page) -> None:
    for faces, box in [("12345", "straight"), ("11123", "ones"), ("11156", "ones"), ("66666", "straight")]:
        fill(page, faces, box)
    expect(part(page, "result")).to_contain_text("Anna wins with 43 points")


def test_closed_and_resumed(watched: Watched) -> None:
    """A window is closed in the middle; another one of the same browser goes on from the start page, and can undo."""
    page = watched.page
    page.goto(f"{watched.address}#yazy?{SMALL}&players=Anna,Ben")
    fill(page, "12345", "straight")
    expect(part(page, "status")).to_contain_text("Ben:")
    context = page.context
    page.close()
    page = context.new_page()
    page.goto(watched.address)
    card = page.locator(CARD)
    expect(card).to_contain_text("Anna 40, Ben 0 · 1 of 4 boxes")
    card.click()
    expect(part(page, "cell-0-straight")).to_have_text("40")
    part(page, "undo").click()
    expect(part(page, "status")).to_contain_text("Best: straight")
    part(page, "play").click()
    expect(part(page, "status")).to_contain_text("Ben:")
    page.reload()
    fill(page, "11123", "ones")
    expect(part(page, "total-1")).to_have_text("3")
    part(page, "home").click()
    expect(page.locator(CARD)).to_have_count(1)
    expect(page.locator(CARD)).to_contain_text("Ben 3")
    watched.finish()


def test_results_are_listed_and_deleted(watched: Watched) -> None:
    page = watched.page
    page.goto(f"{watched.address}#yazy?{SMALL}&players=Anna,Ben")
    play_two(page)
    part(page, "again").click()
    fill(page, "12346", "ones")
    expect(part(page, "status")).to_contain_text("Ben:")
    page.goto(f"{watched.address}#yazy?{SMALL}")
    fill(page, "11111", "ones")
    expect(part(page, "status")).to_contain_text("5 to go")
    part(page, "home").click()
    expect(page.locator(CARD)).to_have_count(2)
    part(page, "games").click()
    expect(page.locator("h1")).to_have_text("Your games")
    expect(page.locator(CARD)).to_have_count(3)
    expect(page.locator(CARD).last).to_contain_text("Anna 43, Ben 3")
    expect(part(page, "wins")).to_contain_text(re.compile(r"Anna\s*1\s*1\s*Ben\s*1\s*0"))
    gone = page.get_by_role("button", name="Delete Yazy").last
    gone.focus()
    page.keyboard.press("Enter")
    expect(page.locator(CARD).last).not_to_be_visible()
    expect(page.get_by_role("button", name="Put back Yazy")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator(CARD).last.click()
    expect(part(page, "result")).to_contain_text("Anna wins with 43 points")
    expect(part(page, "luck")).to_be_visible()
    page.go_back()
    expect(page.locator("h1")).to_have_text("Your games")
    for _ in range(3):
        page.get_by_role("button", name="Delete Yazy").first.click()
    page.reload()
    expect(part(page, "kept-none")).to_be_visible()
    watched.finish()


def test_a_link_carries_the_whole_game(watched: Watched, browser: Browser) -> None:
    """Another browser sees who won, and the luck and mistakes of each, which need all moves."""
    page = watched.page
    page.goto(f"{watched.address}#yazy?{SMALL}&players=Anna,Ben")
    play_two(page)
    part(page, "share").click()
    expect(part(page, "said")).to_contain_text("Link copied")
    part(page, "share-game").click()
    expect(part(page, "said")).to_contain_text(re.compile(r"Link to the whole game copied: \d+ characters"))
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    other = Watched(context.new_page(), watched.address)
    other.page.goto(page.evaluate("window.copied"))
    expect(part(other.page, "result")).to_contain_text("Anna wins with 43 points")
    for i in range(2):
        expect(part(other.page, f"luck-{i}")).to_have_text(re.compile(r"\d"))
        assert part(other.page, f"luck-{i}").inner_text() == part(page, f"luck-{i}").inner_text()
    part(other.page, "home").click()
    expect(part(other.page, "game-yazy")).to_be_visible()
    assert other.page.locator(CARD).count() == 0, "a game that is only looked at is not kept"
    other.finish()
    context.close()
    watched.finish()


def test_a_damaged_game_in_a_link_is_told(watched: Watched) -> None:
    page = watched.page
    page.goto(f"{watched.address}#yazy?{SMALL}&moves=abc")
    expect(part(page, "error")).to_contain_text("The game in the link is damaged")
    page.goto(f"{watched.address}#kept?id=nobody")
    expect(part(page, "error")).to_contain_text("This game is not kept any more")
    watched.finish()


def test_a_full_store_is_told_and_the_game_goes_on(watched: Watched) -> None:
    page = watched.page
    page.goto(watched.address)
    page.evaluate(FILL)
    page.goto(f"{watched.address}#yazy?{SMALL}")
    fill(page, "11111", "ones")
    expect(part(page, "error")).to_contain_text("the place for games is full")
    fill(page, "12345", "straight")
    expect(part(page, "result")).to_contain_text("45 points")
    watched.finish()
