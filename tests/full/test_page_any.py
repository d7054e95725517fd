"""Any game in a real browser: Pig and the example files, from the start to the end, on a phone and at a desk."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import AUDIT, SIZES, Watched, go, held_back, part, play_out, settled, step, url
from tests.page_views import file_link

EXAMPLES = {path.stem: path for path in sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))}
LONG = ("casinos", "farkle_turn", "hog", "pig", "qwixx_row", "small_ur", "snakes_and_ladders", "zombie_dice")
QUICK = [name for name in EXAMPLES if name not in LONG]
SLOW = [name for name in EXAMPLES if name not in QUICK]


def audit(page: Page) -> None:
    """Check the view at every size."""
    for size in SIZES.values():
        page.set_viewport_size(size)
        assert page.evaluate(AUDIT) == []


def test_examples_from_start_to_end(watched: Watched) -> None:
    for name in QUICK:
        page = go(watched, file_link(name) + "&mode=roll")
        play_out(page)
        expect(part(page, "luck")).to_be_visible()
        audit(page)
        part(page, "again").click()
        settled(page, "roll", "move")
    watched.finish()


@pytest.mark.audit
@pytest.mark.parametrize("name", SLOW)
def test_a_larger_example(watched: Watched, name: str) -> None:
    page = go(watched, file_link(name) + "&mode=roll")
    for _ in range(12):
        step(page)
    settled(page)
    audit(page)
    watched.finish()


def test_against_the_computer(watched: Watched) -> None:
    """The second player's moves are made by themselves, and undo takes them back with one's own."""
    page = go(watched, "#pig?p.target=6&mode=roll")
    settled(page, "roll")
    part(page, "rival").select_option("optimal")
    assert step(page) == "roll"
    while settled(page) != "end":
        expect(part(page, "stage").locator(".now")).to_contain_text("You")
        step(page)
    expect(part(page, "result")).to_contain_text(re.compile("You win|The computer wins"))
    watched.finish()


def test_the_same_move_gets_the_same_roll(watched: Watched) -> None:
    """After undo, and after a reload."""
    page = go(watched, file_link("best_of_three") + "&mode=roll")
    assert step(page) == "roll"
    settled(page, "move")
    first = part(page, "state").input_value()
    part(page, "act-reroll").click()
    settled(page, "move")
    second = part(page, "state").input_value()
    assert second != first
    part(page, "undo").click()
    settled(page, "move")
    expect(part(page, "state")).to_have_value(first)
    part(page, "act-reroll").click()
    settled(page, "move")
    expect(part(page, "state")).to_have_value(second)
    page.reload()
    settled(page, "move")
    expect(part(page, "state")).to_have_value(second)
    part(page, "undo").click()
    expect(part(page, "state")).to_have_value(first)
    watched.finish()


def test_my_dice_by_tapping_faces(watched: Watched) -> None:
    """Five dice are picked from 252 rolls by their faces, from the keypad and the keyboard; those typed early count."""
    page = go(watched)
    with held_back(page, "**/api/rolls"):
        go(watched, file_link("threes"))
        expect(page.locator("h1")).to_have_text("threes")
        page.keyboard.type("336")
        expect(part(page, "picker")).to_be_hidden()
    settled(page, "dice")
    part(page, "face-1").click()
    expect(part(page, "picker")).to_contain_text("6 of 252 rolls")
    part(page, "face-2").click()
    settled(page, "move")
    expect(part(page, "state")).to_have_value("0 12336")
    expect(part(page, "status")).to_contain_text("Best: keep 33")
    part(page, "play").click()
    settled(page, "dice")
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.type("345")
    settled(page, "move")
    expect(part(page, "state")).to_have_value("0 345")
    part(page, "undo").click()
    settled(page, "dice")
    part(page, "find-roll").fill("66")
    part(page, "find-roll").press("Enter")
    expect(part(page, "state")).to_have_value(re.compile("0 .66|0 666"))
    watched.finish()


def test_my_dice_by_buttons_and_as_text(watched: Watched) -> None:
    page = go(watched, file_link("shut_the_box"))
    settled(page, "dice")
    expect(part(page, "roll-0")).to_contain_text("7")
    part(page, "roll-0").click()
    settled(page, "move")
    expect(part(page, "state")).to_have_value("all 7")
    expect(page.locator(".tile:not(.shut)")).to_have_count(9)
    for name in ("tile-5", "tile-2", "play"):
        part(page, name).click()
    settled(page, "dice")
    expect(page.locator(".tile:not(.shut)")).to_have_count(7)
    expect(part(page, "last")).to_contain_text("shut 2+5 cost")
    page.locator(".any-typed summary").click()
    part(page, "state").fill("1,3,4,6,7,8,9 8")
    part(page, "state").press("Enter")
    settled(page, "move")
    expect(part(page, "status")).to_contain_text("Best: shut")
    assert "state=1,3,4,6,7,8,9+8" in url(page)
    part(page, "state").fill("1,3 nonsense")
    part(page, "state").press("Enter")
    expect(part(page, "error")).to_contain_text("is not a position")
    watched.finish("422")


def test_pig_with_advice_and_without(watched: Watched) -> None:
    """From the form: positions are typed, the moves are ranked; without advice the best is not marked, and told afterwards."""
    page = go(watched)
    part(page, "more-pig").click()
    part(page, "pig-target").fill("20")
    part(page, "start").click()
    settled(page, "dice")
    page.get_by_text("As text", exact=True).click()
    expect(part(page, "after")).to_have_text("To be rolled: 0 0 first rolls on 0")
    part(page, "state").fill("7 5 second 6")
    part(page, "state").press("Enter")
    settled(page, "move")
    expect(part(page, "part-score").locator(".now")).to_contain_text("Second")
    expect(part(page, "part-turn")).to_contain_text("6")
    part(page, "state").fill("0 0 first 6")
    part(page, "state").press("Enter")
    expect(part(page, "selected-why")).to_contain_text("17 %")
    expect(part(page, "move-0")).to_contain_text("Roll")
    audit(page)
    part(page, "act-roll").click()
    expect(part(page, "after")).to_have_text("To be rolled: 0 0 first rolls on 6")
    expect(part(page, "state")).to_have_value("")
    part(page, "undo").click()
    settled(page, "move")
    part(page, "coach").uncheck()
    expect(page.locator(".few .best, .any-few .best")).to_have_count(0)
    part(page, "act-hold").click()
    expect(part(page, "last")).to_contain_text("hold")
    watched.finish()
