"""Boards in a real browser: dice that are set aside, lanes, letters and groups, played by tapping them."""

import re

from playwright.sync_api import expect

from tests.browser import AUDIT, SIZES, Watched, card, go, part, play_out, settled


def test_farkle_by_tapping_dice(watched: Watched) -> None:
    """A die that needs others to score takes them along; what is held is rolled or banked by the two big buttons."""
    page = go(watched, "#farkle?p.most=800&state=0+122246&mode=roll")
    settled(page, "move")
    part(page, "coach").uncheck()
    part(page, "die-0").click()
    expect(part(page, "act-keep")).to_have_attribute("aria-disabled", "true")
    expect(part(page, "die-4")).to_have_attribute("aria-disabled", "true")
    part(page, "die-2").click()
    assert [part(page, f"die-{i}").get_attribute("aria-pressed") for i in range(6)] == [
        "false",
        "true",
        "true",
        "true",
        "false",
        "false",
    ]
    expect(part(page, "turn-points")).to_have_text("200")
    part(page, "die-0").click()
    expect(part(page, "turn-points")).to_have_text("300")
    expect(part(page, "act-bank")).to_contain_text("Bank 300")
    part(page, "die-1").click()
    expect(part(page, "turn-points")).to_have_text("100")
    part(page, "die-2").click()
    expect(part(page, "act-keep")).to_contain_text("Roll 2 dice")
    part(page, "act-keep").click()
    expect(part(page, "undo")).to_be_enabled()
    settled(page, "move", "end")
    part(page, "undo").click()
    settled(page, "move")
    part(page, "act-bank").click()
    settled(page, "end")
    watched.finish()


def test_threes_shows_what_lies_aside(watched: Watched) -> None:
    page = go(watched, "#threes?p.dice=3&state=346&mode=roll")
    settled(page, "move")
    part(page, "play").click()
    settled(page, "move")
    expect(part(page, "aside").get_by_role("img")).to_have_accessible_name("Set aside: 3")
    assert "aside=3" in page.url
    page.reload()
    settled(page, "move")
    expect(part(page, "aside").get_by_role("img")).to_have_accessible_name("Set aside: 3")
    play_out(page)
    watched.finish()


def test_hog_by_a_row_of_dice(watched: Watched) -> None:
    page = go(watched, "#hog?p.target=30&state=0+10+first&mode=roll")
    settled(page, "move")
    part(page, "act-roll 3").click()
    expect(part(page, "act-roll 3")).to_have_attribute("aria-pressed", "true")
    part(page, "more-dice").click()
    expect(part(page, "dice-count")).to_have_text("roll 4 dice")
    part(page, "act-roll 4").click()
    settled(page, "move")
    expect(part(page, "part-score").locator(".now")).to_contain_text("Second")
    expect(part(page, "rolled")).not_to_be_empty()
    watched.finish()


def test_words_and_groups_open_at_once(watched: Watched) -> None:
    """A word that is tapped holds its letters; a die shows the face that is tapped in."""
    page = go(watched)
    card(page, "words").click()
    settled(page, "dice")
    for letter in "ADRNE":
        part(page, f"keypad-{letter}").click()
    settled(page, "move")
    part(page, "word-TREND").click()
    assert [part(page, f"die-{i}").get_attribute("aria-pressed") for i in range(5)] == ["false", "true", "true", "true", "false"]
    page.go_back()
    card(page, "groups").click()
    settled(page, "dice")
    for face in ("4", "4", "2"):
        part(page, f"face-{face}").click()
        settled(page, "move")
        part(page, "groups-keep").click()
        settled(page, "dice")
    expect(page.locator(".groups li").first).to_contain_text("2 of 3")
    assert "faces=4,2" in page.url
    watched.finish()


def test_boards_fit(watched: Watched) -> None:
    """At a desk and on a phone, before a roll and after it."""
    for link in (
        "farkle?p.players=2&p.target=500&",
        "two-dice-pig?p.target=20&",
        "hog?p.target=20&",
        "threes?p.dice=3&",
        "words?",
        "groups?",
    ):
        page = go(watched, f"#{link}mode=roll")
        for size in SIZES.values():
            page.set_viewport_size(size)
            settled(page)
            assert page.evaluate(AUDIT) == [], (link, size)
            if part(page, "roll").is_visible():
                part(page, "roll").click()
                settled(page, "move", "end")
                assert page.evaluate(AUDIT) == [], (link, size)
        expect(page.locator("h1")).to_have_text(re.compile(r"\w"))
    watched.finish()
