"""Boards with a drawing of their own: tiles, columns, points, squares; on the table, in a review, in puzzles, on a phone."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import AUDIT, DESK, PHONE, Watched, go, part, play_out, settled

BOX = "#shut-the-box?state=1,2,3,5,6,7,8,9+8"
CLIMB = "#cant-stop?p.sides=3&state=0/0/2/0/0+1/0/1/0/0+1223"
HOME = "#bear-off?p.start=0/1/1/1/1/1&state=0/1/1/1/1/1+6-1"
RACE = "#bear-off?p.start=0/1/1/0/1&p.players=2&state=0/1/1/0/1/0+0/1/1/0/1/0+second+4-2"
SQUARES = "#ur?p.pieces=2&state=4,7+8,9+first+2"
WHOLE = "#hypergammon?p.checkers=1&state=20+9+first+4-3"
IN_VIEW = """(names) => {
  const dock = document.querySelector(".dock").getBoundingClientRect().top;
  const isSeen = (node) => {
    const { top, bottom } = node.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight && (node.closest(".dock") !== null || bottom <= dock + 1);
  };
  return names.filter((name) => ![...document.querySelectorAll(name)].some((node) => node.checkVisibility() && isSeen(node)));
}"""
"""Run in the page: what of these is not in the first view of a phone."""


def open_at(watched: Watched, fragment: str) -> Page:
    page = go(watched, fragment)
    settled(page, "move")
    return page


def disabled(page: Page, names: str) -> set[str]:
    return {
        str(node.get_attribute("data-test")) for node in page.query_selector_all(f"{names}:is([aria-disabled=true], :disabled)")
    }


def test_tiles_are_tipped_until_they_are_a_move(watched: Watched) -> None:
    page = open_at(watched, BOX)
    expect(page.locator(".tile.best")).to_have_attribute("data-test", "tile-8")
    assert disabled(page, ".tile") == {"tile-4", "tile-9"}
    part(page, "tile-2").click()
    expect(part(page, "play")).to_be_disabled()
    assert disabled(page, ".tile") == {f"tile-{n}" for n in (3, 4, 7, 8, 9)}
    part(page, "tile-6").focus()
    page.keyboard.press("Enter")
    expect(part(page, "play")).to_have_text("Play: shut 2+6")
    expect(part(page, "tile-6")).to_have_attribute("aria-pressed", "true")
    part(page, "move-0").click()
    expect(page.locator(".tile[aria-pressed=true]")).to_have_count(0)
    part(page, "tile-2").click()
    part(page, "tile-2").click()
    part(page, "tile-8").click()
    assert page.evaluate(AUDIT) == []
    part(page, "play").click()
    settled(page, "dice")
    expect(page.locator(".tile.shut")).to_have_count(2)
    watched.finish()


def test_advice_off_marks_nothing(watched: Watched) -> None:
    for fragment in (BOX, CLIMB, HOME, SQUARES, WHOLE):
        page = open_at(watched, fragment)
        expect(page.locator(".board .best, .play .best").first).to_be_visible()
        part(page, "coach").uncheck()
        expect(page.locator(".board .best, .play .best")).to_have_count(0)
    watched.finish()


def test_pairs_move_runners_and_stopping_makes_camps(watched: Watched) -> None:
    page = open_at(watched, CLIMB)
    part(page, "pair-4,4").click()
    expect(part(page, "column-4").locator(".ahead")).to_have_count(1)
    expect(part(page, "column-4").locator(".runner")).to_have_count(1)
    assert page.evaluate(AUDIT) == []
    part(page, "end-stop").click()
    settled(page, "dice")
    expect(page.locator(".runner")).to_have_count(0)
    expect(part(page, "column-4").locator(".camp")).to_have_count(1)
    expect(part(page, "column-4").locator(".on")).to_have_count(5)
    go(watched, "#cant-stop?p.sides=3&state=2/0/0/0/0+0/4/0/0/0+1111")
    settled(page, "move")
    part(page, "end-stop").click()
    settled(page, "dice")
    watched.finish()


def test_checkers_move_by_taps(watched: Watched) -> None:
    page = open_at(watched, HOME)
    part(page, "point-0-6").click()
    expect(part(page, "play")).to_be_disabled()
    expect(page.locator("[data-test^=choice-]").first).to_be_visible()
    part(page, "points-back").click()
    part(page, "points-swap").click()
    part(page, "point-0-6").click()
    part(page, "point-0-5").click()
    expect(part(page, "play")).to_be_enabled()
    assert page.evaluate(AUDIT) == []
    part(page, "play").click()
    settled(page, "dice")
    expect(page.locator(".off-count")).to_have_text("11")
    open_at(watched, RACE)
    assert "point-0-5" in disabled(page, ".point"), "it is the other side's turn"
    part(page, "point-1-5").click()
    part(page, "point-1-3").click()
    part(page, "play").click()
    settled(page, "dice")
    watched.finish()


def test_a_piece_shows_where_it_would_go(watched: Watched) -> None:
    page = open_at(watched, SQUARES)
    part(page, "coach").uncheck()
    assert page.locator(".square:not([aria-disabled])").count() == 2
    part(page, "square-2-0").click()
    expect(page.locator(".square.target")).to_have_attribute("data-test", "square-1-1")
    part(page, "square-1-2").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".square.target.hit")).to_have_attribute("data-test", "square-1-4")
    assert page.evaluate(AUDIT) == []
    part(page, "square-1-4").click()
    settled(page, "dice")
    expect(part(page, "square-0-4")).to_contain_text("1")
    assert [each.inner_text()[0] for each in page.locator(".any-roll").all()] == [*"01234"]
    page.keyboard.press("3")
    settled(page, "move")
    expect(page.locator(".pyramid.up")).to_have_count(3)
    watched.finish()


def test_a_checker_hits_and_goes_on(watched: Watched) -> None:
    page = open_at(watched, WHOLE)
    part(page, "coach").uncheck()
    part(page, "place-20").click()
    expect(part(page, "bar-1").locator(".checker")).to_have_count(1)
    expect(part(page, "play")).to_be_disabled()
    part(page, "points-back").click()
    part(page, "points-swap").click()
    part(page, "place-20").click()
    expect(part(page, "place-17").locator(".came")).to_have_count(1)
    part(page, "place-17").click()
    assert page.evaluate(AUDIT) == []
    part(page, "play").click()
    settled(page, "dice")
    expect(part(page, "place-13")).to_contain_text("12")
    part(page, "face-6").click()
    part(page, "face-6").click()
    settled(page, "move")
    watched.finish()


@pytest.mark.parametrize(
    ("fragment", "place"),
    [("#ur?p.pieces=1&state=7+8+first+2", "square-1-2"), ("#hypergammon?p.checkers=1&state=13+20+second+4-3", "place-5")],
)
def test_the_only_move_takes_one_tap(watched: Watched, fragment: str, place: str) -> None:
    page = open_at(watched, fragment)
    part(page, "coach").uncheck()
    part(page, place).click()
    settled(page, "dice")
    watched.finish()


@pytest.mark.parametrize(
    "game", ["shut-the-box", "cant-stop?p.sides=3", "bear-off?p.start=0/1/1/1/1/1", "ur?p.pieces=1", "hypergammon?p.checkers=1"]
)
def test_the_first_view_of_a_phone(watched: Watched, game: str) -> None:
    page = go(watched)
    page.set_viewport_size(PHONE)
    go(watched, f"#{game}{'&' if '?' in game else '?'}mode=roll")
    settled(page, "roll")
    assert page.evaluate(IN_VIEW, ["[data-test=roll]", ".switch", "[data-test=mode-mine]"]) == []
    part(page, "roll").click()
    settled(page, "move")
    dice = {"shut": ".thrown-dice .face", "cant": ".pair-dice .face", "ur?p": ".pyramid"}.get(game[:4], ".points-dice .face")
    assert page.evaluate(IN_VIEW, ["[data-test=play]", ".switch", "[data-test=mode-mine]", dice]) == []
    page.set_viewport_size(DESK)
    watched.finish()


@pytest.mark.parametrize(
    ("fragment", "board"),
    [
        ("#shut-the-box?p.tiles=4&p.aim=sum", ".tiles-box"), ("#cant-stop?p.sides=2&p.shortest=1", ".columns"),
        ("#bear-off?p.start=0/0/1/1/1", ".home-board"), ("#ur?p.pieces=1", ".squares"),
        ("#hypergammon?p.checkers=1", ".home-board.whole"),
    ],
)  # fmt: skip
def test_the_board_after_a_game_and_in_puzzles(watched: Watched, fragment: str, board: str) -> None:
    page: Any = go(watched, fragment + "&mode=roll")
    play_out(page)
    part(page, "course").focus()
    page.keyboard.press("ArrowRight")
    expect(part(page, "step").locator(board)).to_be_visible()
    assert disabled(page, ".step .tile, .step .point, .step .pair-way, .step .square")
    assert page.evaluate(AUDIT) == []
    watched.finish()


def test_loaded_dice_stand_below_the_tray_and_travel_in_the_link(watched: Watched) -> None:
    page = open_at(watched, "#slots?p.weights=1,1,0,1,1,2&state=all+0+6")
    expect(part(page, "loaded").locator("li")).to_have_count(5)
    expect(part(page, "loaded").locator("li").last).to_contain_text("33 %")
    expect(part(page, "keypad-3")).to_have_count(0)
    assert "p.weights=1,1,0,1,1,2" in page.url
    assert page.evaluate(AUDIT) == []
    watched.finish()
