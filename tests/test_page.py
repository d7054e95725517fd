"""The page in a real browser: what players do, on a phone and at a desk, with the mouse and with the keyboard alone."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from rollwise.games import CATALOGUE
from tests.browser import AUDIT, PHONE, SIZES, Watched, part

SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value);
  }).observe({ type: "layout-shift", buffered: true });
}"""

GAMES = {
    "yazy": "#yazy?state=33561+2+all",
    "yatzy": "#yatzy?state=66661+1+sixes,chance,yatzy+upper+57&total=100",
    "yahtzee": "#yahtzee?state=12345+1+all+upper+0",
    "kniffel": "#kniffel?state=22446+2+all+upper+0",
    "slots": "#slots?state=all+0+6",
    "words": "#words?p.dice=ABCDEF,GHIJKL&p.words=AG,BH,CI&state=FG",
    "groups": "#groups?p.faces=6&p.sizes=3,2&state=2,1+2",
}


def open_at(watched: Watched, fragment: str = "") -> Page:
    watched.page.goto(watched.address + fragment)
    return watched.page


def enter(page: Page, faces: str) -> None:
    for face in faces:
        part(page, f"keypad-{face}").click()


def test_solve_and_advise(watched: Watched) -> None:
    page = open_at(watched)
    part(page, "game-yazy").click()
    enter(page, "33561")
    expect(part(page, "move-0")).to_contain_text("keep 33")
    expect(part(page, "move-0")).to_contain_text("163.44")
    expect(part(page, "status")).to_contain_text("Best: keep 33")
    expect(part(page, "selected-why")).to_contain_text("keeps 33: full-house +0.56 (20 %), five-of-a-kind +0.55 (2 %)")
    expect(part(page, "outlook").locator("svg")).to_be_visible(timeout=30_000)
    expect(part(page, "outlook")).to_contain_text("163", timeout=60_000)
    assert "state=33561+2+all" in page.url
    watched.finish()


def test_hold_and_reroll(watched: Watched) -> None:
    page = open_at(watched, GAMES["yazy"])
    expect(part(page, "die-0")).to_have_attribute("aria-pressed", "true")
    expect(part(page, "die-2")).to_have_attribute("aria-pressed", "false")
    part(page, "die-0").click()
    part(page, "die-1").click()
    part(page, "die-2").click()
    expect(page.locator("main")).to_contain_text("keep 5 costs 0.309")
    part(page, "play").click()
    expect(part(page, "status")).to_contain_text("4 to go")
    expect(part(page, "last")).to_contain_text("keep 5 cost 0.309")
    enter(page, "2346")
    expect(part(page, "status")).to_contain_text("Best:")
    assert "state=23546+1+all" in page.url.replace("53246", "23546") or re.search(r"state=\d{5}\+1\+all", page.url)
    part(page, "undo").click()
    for _ in range(4):
        part(page, "undo").click()
    expect(part(page, "move-0")).to_contain_text("keep 33")
    watched.finish()


def test_fill_a_box(watched: Watched) -> None:
    page = open_at(watched, "#yazy?state=33344+0+all")
    expect(part(page, "box-full-house")).to_contain_text("25")
    expect(part(page, "move-0")).to_contain_text("full-house")
    part(page, "box-full-house").click()
    expect(part(page, "status")).to_contain_text("5 to go")
    expect(part(page, "box-full-house")).to_contain_text("25")
    assert "points=full-house:25" in page.url
    assert "total=25" in page.url
    watched.finish()


def play_on(page: Page, *, blunder: bool = False) -> None:
    """Roll and play until the game is over: the best move, or once the second best."""
    waiting = "[data-test=roll]:not([hidden]), [data-test=play]:not([hidden]):enabled, [data-test=luck], [data-test=ungraded]"
    for _ in range(400):
        page.wait_for_selector(waiting)
        if part(page, "result").is_visible():
            return
        if part(page, "roll").is_visible():
            part(page, "roll").click()
            continue
        if blunder and part(page, "move-1").count():
            part(page, "move-1").click()
            blunder = False
        part(page, "play").click()
    pytest.fail("the game does not end")


def test_finish_a_game(watched: Watched) -> None:
    """The page rolls and the coach's move is taken but once; luck and mistakes add up to the score."""
    page = open_at(watched, "#yazy?p.boxes=ones,straight,five-of-a-kind&mode=roll")
    play_on(page, blunder=True)
    start, luck = (float(part(page, name).inner_text().replace("\N{MINUS SIGN}", "-")) for name in ("before", "luck"))
    lost = part(page, "mistakes").inner_text()
    score = int(re.findall(r"\d+", part(page, "result").locator("h2").first.inner_text())[0])
    assert abs(start + luck - (0.0 if lost == "none" else float(lost)) - score) < 0.02
    part(page, "again").click()
    expect(part(page, "roll")).to_be_visible()
    watched.finish()


def test_share_a_link(watched: Watched, browser: Browser) -> None:
    page = open_at(watched, "#yatzy")
    enter(page, "66661")
    expect(part(page, "status")).to_contain_text("Best: keep 6666", timeout=30_000)
    part(page, "play").click()
    enter(page, "6")
    expect(part(page, "move-0")).to_contain_text("yatzy")
    part(page, "play").click()
    enter(page, "12345")
    expect(part(page, "status")).to_contain_text("Best:")
    shown = part(page, "move-0").inner_text()
    context = browser.new_context(viewport=PHONE)
    other = Watched(context.new_page(), watched.address)
    other.page.goto(page.url)
    expect(part(other.page, "move-0")).to_be_visible()
    assert part(other.page, "move-0").inner_text() == shown
    expect(part(other.page, "box-yatzy")).to_contain_text("50")
    expect(part(other.page, "die-4")).to_contain_text("shows 5")
    other.page.reload()
    expect(part(other.page, "move-0")).to_be_visible()
    assert other.page.url == page.url
    context.close()
    watched.finish()
    other.finish()


def test_keyboard_alone(watched: Watched) -> None:
    page = open_at(watched)
    expect(part(page, "game-yazy")).to_be_visible()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.test") == "game-yazy":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Enter")
    expect(part(page, "keypad-1")).to_be_visible()
    page.keyboard.type("33561")
    expect(part(page, "status")).to_contain_text("Best: keep 33")
    page.keyboard.press("ArrowDown")
    expect(part(page, "die-2")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Shift+Digit1")
    expect(part(page, "die-0")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.keyboard.type("3312")
    page.keyboard.press("u")
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()
    watched.finish()


def test_slots(watched: Watched) -> None:
    page = open_at(watched, GAMES["slots"] + "&mode=roll")
    expect(part(page, "move-0")).to_contain_text("x2even")
    expect(part(page, "status")).to_contain_text("48.52 %")
    play_on(page)
    watched.finish()


def test_words(watched: Watched) -> None:
    page = open_at(watched)
    part(page, "game-words").click()
    part(page, "words-dice").fill("ABCDEF,GHIJKL")
    part(page, "words-words").fill("AG, BH\nCI")
    part(page, "start").click()
    part(page, "mode-roll").click()
    play_on(page)
    expect(part(page, "luck")).to_be_visible()
    watched.finish()


def test_groups(watched: Watched) -> None:
    page = open_at(watched, GAMES["groups"])
    expect(part(page, "groups-keep")).to_be_visible()
    expect(part(page, "move-0")).to_contain_text("keep")
    part(page, "groups-keep").click()
    part(page, "mode-roll").click()
    play_on(page)
    watched.finish()


def test_progress_and_cancel(watched: Watched) -> None:
    """Eight different dice take seconds to solve."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
    dice = ",".join(letters[6 * i : 6 * i + 6] for i in range(8))
    page = open_at(watched, f"#words?p.dice={dice}&p.words={letters[::6]}")
    expect(part(page, "solve-progress")).to_be_visible()
    part(page, "cancel").click()
    expect(part(page, "game-words")).to_be_visible(timeout=30_000)
    watched.finish()


def test_a_link_by_id(watched: Watched) -> None:
    page = open_at(watched, "#slots?id=298yV")
    expect(part(page, "status")).to_contain_text("Best: x3", timeout=30_000)
    part(page, "share").click()
    expect(part(page, "status")).to_contain_text("the id of the position is 298yV")
    assert "state=x3,bin+30+6" in page.url
    watched.finish()


@pytest.mark.parametrize(
    ("fragment", "message"),
    [
        ("#yazzy?state=33561+2+all", "yazzy"),
        ("#yazy?state=33569+2+all", "33569"),
        ("#yazy?state=33561+7+all", "7"),
        ("#yazy?state=33561+2+ones,nothing", "nothing"),
        ("#slots?state=all+0+9", "9"),
        ("#slots?id=298yW", "check character"),
        ("#yazy?p.boxes=none", "none"),
        ("#words?p.dice=AB&p.words=@/etc/passwd", "@"),
        ("#%E0%A4%A", "link"),
    ],
)
def test_bad_link(watched: Watched, fragment: str, message: str) -> None:
    page = open_at(watched, fragment)
    expect(part(page, "error")).to_be_visible()
    assert message in part(page, "error").inner_text()
    assert part(page, "home").is_visible()
    watched.finish("the server responded with a status of 4")


def test_a_game_without_a_picture(watched: Watched) -> None:
    """Its positions are typed; the moves are ranked like those of any other."""
    page = open_at(watched)
    part(page, "rules-pig").click()
    part(page, "pig-target").fill("20")
    part(page, "start").click()
    page.get_by_text("As text", exact=True).click()
    expect(part(page, "after")).to_have_text("To be rolled: 0 0 first rolls on 0")
    part(page, "state").fill("0 0 first 6")
    part(page, "state").press("Enter")
    expect(part(page, "move-0")).to_contain_text("roll")
    expect(part(page, "selected-why")).to_have_text("risks 6 with 17 %")
    assert page.evaluate(AUDIT) == []
    part(page, "play").click()
    expect(part(page, "after")).to_have_text("To be rolled: 0 0 first rolls on 6")
    expect(part(page, "state")).to_have_value("")
    watched.finish()


def test_controls_suit_the_parameters(watched: Watched) -> None:
    page = open_at(watched)
    part(page, "rules-yahtzee").click()
    expect(part(page, "yahtzee-joker").locator("option")).to_have_text(["free", "forced", "none"])
    expect(part(page, "yahtzee-joker").locator("option:checked")).to_have_text("forced")
    assert part(page, "yahtzee-five_as_full_house").get_attribute("type") == "checkbox"
    part(page, "rules-words").click()
    assert part(page, "words-words").evaluate("node => node.tagName") == "TEXTAREA"
    watched.finish()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_manners(browser: Browser, address: str, size: str, scheme: Any) -> None:
    """Every game fits, has names and contrast, and nothing jumps when answers arrive."""
    context = browser.new_context(viewport=SIZES[size], color_scheme=scheme, has_touch=size == "phone", reduced_motion="reduce")
    context.add_init_script(f"({SHIFTS})()")
    watched = Watched(context.new_page(), address)
    page = open_at(watched)
    expect(part(page, "game-yazy")).to_be_visible()
    assert page.evaluate(AUDIT) == []
    for game, fragment in GAMES.items():
        page.goto("about:blank")
        open_at(watched, fragment)
        expect(part(page, "move-0")).to_be_visible(timeout=30_000)
        expect(part(page, "outlook").locator("svg").or_(part(page, "outlook").get_by_text("Not available"))).to_be_visible(
            timeout=40_000
        )
        assert page.evaluate(AUDIT) == [], game
        assert sum(page.evaluate("window.shifts")) < 0.1, game
        assert len(page.screenshot()) > 10_000
    context.close()
    watched.finish()


def test_first_paint_is_small(watched: Watched) -> None:
    sizes: dict[str, int] = {}
    watched.page.on("response", lambda answer: sizes.__setitem__(answer.url, len(answer.body())))
    page = open_at(watched)
    expect(part(page, "game-yazy")).to_be_visible()
    own = [size for url, size in sizes.items() if "/api/" not in url]
    assert len(own) > 3
    document = sizes[f"{watched.address.rstrip('/')}/"]  # it holds the catalogue, which grows with every game
    assert sum(own) - document < 85_000  # unpacked; over the wire all of it is held to less in test_page_weight
    assert document < 3_000 * len(CATALOGUE)
    watched.finish()
