"""Learning from saved games, in a real browser: positions asked again by their days, strictness, leaks, and a result to share."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import AUDIT, Watched, fill_box, go, part, settled

NOON = "2026-11-16T12:00:00"


def play_badly(watched: Watched, *, again: bool = False) -> Page:
    """Play a game of two boxes, each filled with what belongs in the other."""
    page = watched.page
    if again:
        part(page, "again").click()
    else:
        page = go(watched, "#yazy?p.boxes=ones,straight")
    fill_box(page, "11123", "straight")
    settled(page, "dice")
    fill_box(page, "23456", "ones")
    settled(page, "end")
    expect(part(page, "compared")).to_be_visible()
    return page


def come_back(page: Page, day: str) -> None:
    """Open what is to be learnt on a day."""
    page.clock.set_system_time(f"{day}T09:00:00")
    page.evaluate("location.hash = '#'")
    expect(part(page, "learn-link").first).to_be_visible()
    part(page, "learn-link").first.click()
    expect(part(page, "rating")).to_be_visible()


def answer(page: Page, dice: list[int]) -> None:
    """Keep some dice, check that, and go on."""
    for die in dice:
        part(page, "task").locator(f'[data-test="die-{die}"]').click()
    part(page, "task-check").click()


def test_positions_are_asked_again_until_they_are_right_twice(watched: Watched) -> None:
    watched.page.clock.set_system_time(NOON)
    page = play_badly(watched)
    page.evaluate("location.hash = '#learn'")
    expect(part(page, "learn-due")).to_have_text("Nothing to repeat today")
    expect(part(page, "learn-next")).to_contain_text("2 come on Nov 17, 2026")
    assert page.evaluate(AUDIT) == []
    for day, due, note in (
        ("2026-11-17", 2, "asked again on Nov 20, 2026"),
        ("2026-11-20", 2, "learnt"),
    ):
        come_back(page, day)
        expect(part(page, "learn-due")).to_have_text(f"{due} positions to repeat")
        part(page, "learn-start").click()
        expect(part(page, "task")).to_contain_text(re.compile(r"You filled straight, which cost [\d.]+ points \(blunder\)"))
        answer(page, [3, 4])
        expect(part(page, "task-verdict")).to_contain_text("Right: keep 23 is best.")
        expect(part(page, "drill-note")).to_contain_text(note)
        part(page, "task-next").click()
        part(page, "task-show").click()
        expect(part(page, "drill-note")).to_contain_text("asked again")
        part(page, "task-next").click()
        expect(part(page, "drill-sum")).to_have_text("1 of 2 right at the first try.")
        part(page, "drill-done").click()
        expect(part(page, "learn-due")).to_have_text("Nothing to repeat today")
    come_back(page, "2026-11-27")
    expect(part(page, "learn-due")).to_have_text("1 position to repeat")
    watched.finish()


def test_a_move_within_an_inaccuracy_is_right_where_that_is_enough(watched: Watched) -> None:
    """With the best move only, all that lost anything is asked."""
    watched.page.clock.set_system_time(NOON)
    page = play_badly(watched)
    come_back(page, "2026-11-17")
    part(page, "strict-best").click()
    expect(part(page, "strict-best")).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(part(page, "strict-best")).to_have_attribute("aria-pressed", "true")
    watched.finish()


def test_leaks_lead_to_their_positions(watched: Watched) -> None:
    """What costs something in three games is a leak; deleted games say nothing more."""
    watched.page.clock.set_system_time(NOON)
    for number in range(3):
        page = play_badly(watched, again=number > 0)
    expect(part(page, "personal-best")).to_have_text("Your best of 3 games.")
    come_back(page, "2026-11-17")
    expect(part(page, "leak")).to_have_text(re.compile(r"^keep or fill [\d.]+ points a game$"))
    part(page, "leak").click()
    expect(part(page, "leak-position")).to_have_text(["11123, 2 left"] * 3 + ["23456, 2 left"] * 3)
    assert page.evaluate(AUDIT) == []
    part(page, "leak-practise").click()
    expect(part(page, "drill-head")).to_contain_text("Position 1 of 6")
    part(page, "drill-back").click()
    part(page, "leak").click()
    part(page, "leak-position").first.click()
    settled(page, "move")
    expect(page).to_have_url(re.compile("state="))
    page.evaluate("location.hash = '#games'")
    page.locator("[data-test^=delete-]").first.wait_for()  # `all` does not wait for the list
    for delete in page.locator("[data-test^=delete-]").all():
        delete.click()
    part(page, "learn-link").click()
    expect(part(page, "learn-none")).to_be_visible()
    watched.finish()


def test_a_result_is_shared_as_text_link_and_picture(watched: Watched) -> None:
    page = play_badly(watched)
    page.evaluate("""() => {
      navigator.canShare = () => true;
      navigator.share = async ({ text, url, files }) => { window.shared = { text, url, size: files?.[0].size ?? 0 }; };
    }""")
    part(page, "share-result").click()
    shared: Any = page.wait_for_function("() => window.shared").json_value()
    assert shared["text"].startswith("Yazy: 0 points\n")
    assert shared["text"].endswith("\n\N{LARGE RED SQUARE}\N{LARGE ORANGE SQUARE}"), "a blunder and a mistake"
    assert "11123" not in shared["text"]
    assert shared["size"] > 5000
    page.goto(shared["url"])
    settled(page, "end")
    expect(part(page, "summed")).to_be_visible()
    watched.finish()
