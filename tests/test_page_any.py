"""Any game in a real browser: Pig and the example files, from the start to the end, on a phone and at a desk."""

import base64
import re
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from rollwise.games import CATALOGUE
from rollwise.wire import schema
from tests.browser import AUDIT, PHONE, SIZES, Watched, part

EXAMPLES = {path.stem: path for path in sorted((Path(__file__).parents[1] / "examples").glob("*.toml"))}
QUICK = [name for name in EXAMPLES if name not in ("pig", "hog", "farkle_turn")]
SLOW = [name for name in EXAMPLES if name not in QUICK]
KINDS = Path(__file__).parents[1] / "rollwise" / "web" / "static" / "kinds.js"


def link(name: str) -> str:
    """Write the link of an example, as the page does."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(EXAMPLES[name].read_bytes()) + packer.flush()
    return "#file?f=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def open_at(watched: Watched, fragment: str) -> Page:
    watched.page.goto(watched.address + fragment)
    expect(part(watched.page, "stage")).to_be_visible(timeout=120_000)
    return watched.page


def play_on(page: Page, moves: int) -> bool:
    """Roll and play the best move so many times; say whether the game is over."""
    pressed = "[data-test=roll]:visible, [data-test=play]:visible:not([aria-disabled=true])"
    ready = f"{pressed}, [data-test=luck]:visible, [data-test=ungraded]:visible"
    for _ in range(moves):
        page.wait_for_selector(ready, timeout=60_000)
        if part(page, "result").is_visible():
            return True
        part(page, "roll" if part(page, "roll").is_visible() else "play").click()
    page.wait_for_selector(ready, timeout=60_000)
    return bool(part(page, "result").is_visible())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", QUICK)
def test_an_example_from_start_to_end(browser: Browser, address: str, name: str, size: str) -> None:
    context = browser.new_context(viewport=SIZES[size], reduced_motion="reduce")
    watched = Watched(context.new_page(), address)
    page = open_at(watched, link(name) + "&mode=roll")
    assert play_on(page, 60), "the game does not end"
    expect(part(page, "luck")).to_be_visible()
    assert page.evaluate(AUDIT) == []
    part(page, "again").click()
    expect(part(page, "stage")).to_be_visible()
    context.close()
    watched.finish()


@pytest.mark.audit
@pytest.mark.parametrize("name", SLOW)
def test_a_larger_example(watched: Watched, name: str) -> None:
    page = open_at(watched, link(name) + "&mode=roll")
    play_on(page, 12)
    assert page.evaluate(AUDIT) == []
    watched.finish()


def test_pig_from_start_to_end(browser: Browser, address: str) -> None:
    """Two players on one phone, with the two large buttons; the end says who has won."""
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    watched = Watched(context.new_page(), address)
    page = open_at(watched, "#pig?p.target=20&mode=roll")
    part(page, "roll").click()
    ready = "[data-test=act-roll]:not([aria-disabled]), [data-test=luck]:visible"
    for turn in range(200):
        page.wait_for_selector(ready)
        if part(page, "luck").is_visible():
            break
        holds = part(page, "act-hold").count() and part(page, "act-hold").get_attribute("aria-disabled") is None
        if turn == 0:
            assert page.evaluate(AUDIT) == []
            box = part(page, "act-roll").bounding_box()
            assert box["height"] >= 56
        part(page, "act-hold" if holds and turn % 3 == 2 else "act-roll").click()
    expect(part(page, "result")).to_contain_text(re.compile("The (first|second) player wins"))
    expect(part(page, "stage")).to_contain_text("of 20")
    context.close()
    watched.finish()


def test_against_the_computer(watched: Watched) -> None:
    """The second player's moves are made by themselves, and undo takes them back with one's own."""
    page = open_at(watched, "#pig?p.target=20&mode=roll")
    part(page, "rival").select_option("optimal")
    part(page, "roll").click()
    for _ in range(120):
        page.wait_for_selector("[data-test=act-roll]:not([aria-disabled]), [data-test=luck]:visible", timeout=60_000)
        if part(page, "luck").is_visible():
            break
        assert part(page, "stage").locator(".now").inner_text().startswith("You")
        part(page, "play").click()
    expect(part(page, "result")).to_contain_text(re.compile("You win|The computer wins"))
    watched.finish()


def test_the_same_move_gets_the_same_roll(watched: Watched) -> None:
    """After undo, and after a reload."""
    page = open_at(watched, link("best_of_three") + "&mode=roll")
    part(page, "roll").click()
    expect(part(page, "state")).to_have_value(re.compile(r"\d 2 0"))
    first = part(page, "state").input_value()
    part(page, "act-reroll").click()
    expect(part(page, "state")).to_have_value(re.compile(r"\d 1 0"))
    second = part(page, "state").input_value()
    for _ in range(3):
        part(page, "undo").click()
        expect(part(page, "state")).to_have_value(first)
        part(page, "act-reroll").click()
        expect(part(page, "state")).to_have_value(second)
    page.reload()
    expect(part(page, "state")).to_have_value(second)
    part(page, "undo").click()
    expect(part(page, "state")).to_have_value(first)
    watched.finish()


def test_my_dice_by_tapping_faces(watched: Watched) -> None:
    """Five dice are picked from 252 rolls by their faces, from the keypad and the keyboard; and graded in the end."""
    page = open_at(watched, link("threes"))
    expect(part(page, "picker")).to_contain_text("of 252 rolls")
    for face in "3361":
        part(page, f"face-{face}").click()
    expect(part(page, "picker")).to_contain_text("6 of 252 rolls")
    part(page, "face-2").click()
    expect(part(page, "state")).to_have_value("0 12336")
    expect(part(page, "status")).to_contain_text("Best: keep 33")
    part(page, "play").click()
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.type("345")
    expect(part(page, "state")).to_have_value("0 345")
    part(page, "undo").click()
    expect(part(page, "picker")).to_be_visible()
    part(page, "find-roll").fill("66")
    part(page, "find-roll").press("Enter")
    expect(part(page, "state")).to_have_value(re.compile("0 .66|0 666"))
    watched.finish()


def test_what_is_typed_early_counts(watched: Watched) -> None:
    """Faces that are typed before the page knows what may be rolled are those of the roll once it does."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    watched.page.route("**/api/rolls", hold)
    page = watched.page
    page.goto(watched.address + link("threes"))
    expect(page.locator("h1")).to_have_text("threes")
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.type("33612")
    expect(part(page, "picker")).to_be_hidden()
    while waiting:
        waiting.pop().continue_()
    expect(part(page, "state")).to_have_value("0 12336")
    watched.finish()


def test_my_dice_by_buttons_and_as_text(watched: Watched) -> None:
    page = open_at(watched, link("shut_the_box"))
    expect(part(page, "roll-0")).to_contain_text("7")
    part(page, "roll-0").click()
    expect(part(page, "state")).to_have_value("all 7")
    expect(part(page, "part-open").locator(".on")).to_have_count(9)
    part(page, "act-shut 2+5").click()
    expect(part(page, "part-open").locator(".on")).to_have_count(7)
    expect(part(page, "last")).to_contain_text("shut 2+5 cost")
    page.locator(".any-typed summary").click()
    part(page, "state").fill("1,3,4,6,7,8,9 8")
    part(page, "state").press("Enter")
    expect(part(page, "status")).to_contain_text("Best: shut")
    assert "state=1,3,4,6,7,8,9+8" in page.url
    part(page, "state").fill("1,3 nonsense")
    part(page, "state").press("Enter")
    expect(part(page, "error")).to_contain_text("is not a position")
    watched.finish("422")


def test_a_link_to_a_position(watched: Watched, browser: Browser) -> None:
    page = open_at(watched, "#pig?p.target=20&state=7+5+second+6")
    expect(part(page, "status")).to_contain_text("Best:")
    expect(part(page, "part-score").locator(".now")).to_contain_text("Second")
    expect(part(page, "part-turn")).to_contain_text("6")
    watched.finish()


def test_with_advice_off(watched: Watched) -> None:
    """The moves are there, the best is not marked, and what it cost is told afterwards."""
    page = open_at(watched, "#pig?p.target=20&state=7+5+first+6")
    expect(part(page, "act-hold")).to_be_enabled()
    part(page, "coach").uncheck()
    expect(page.locator(".few .best")).to_have_count(0)
    part(page, "act-hold").click()
    expect(part(page, "last")).to_contain_text("hold")
    watched.finish()


def test_kinds_are_registered_once() -> None:
    """What the catalogue's games name, and what the server describes, is in the page's one list; nothing else is listed twice."""
    listed = set(re.findall(r'^  "?([\w-]+)"?: async', KINDS.read_text(), re.MULTILINE))
    assert {entry.game.board_kind for entry in CATALOGUE.values()} <= listed
    assert set(schema.KNOWN) | {"any"} == listed
    others = [path for path in KINDS.parent.glob("*.js") if path != KINDS and 'import("./any.js")' in path.read_text()]
    assert others == []
