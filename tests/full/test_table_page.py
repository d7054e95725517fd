"""The table of a game in a real browser: one thumb, no advice, undo, reload, a lost connection, the keyboard, large letters."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.browser import AUDIT, DESK, PHONE, Watched, enter, go, part, play_out, settled, step

LANDSCAPE: ViewportSize = {"width": 740, "height": 360}
SMALL = "#yazy?p.boxes=ones,straight,full-house"
OVERLAPS = """() => {
  const faults = [];
  const texts = document.querySelectorAll("button, .status, .sum .name, output, .note");
  const seen = [...texts].filter((node) => node.checkVisibility() && node.textContent.trim());
  const box = (node) => node.getBoundingClientRect();
  const dock = document.querySelector(".dock");
  const isFixed = getComputedStyle(dock).position === "fixed";
  const behind = (node) => isFixed && !dock.contains(node) && box(node).bottom > box(dock).top;
  const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  const sticky = (node) => node.closest(".buttons");
  for (const a of seen) for (const b of seen) {
    if (a === b || a.contains(b) || b.contains(a) || behind(a) || behind(b) || sticky(a) !== sticky(b)) continue;
    if (!apart(box(a), box(b))) faults.push(`${a.textContent} over ${b.textContent}`);
  }
  for (const node of document.querySelectorAll(".status, .sum .name, .box .name, .worth, .buttons button")) {
    if (node.checkVisibility() && node.scrollWidth > node.clientWidth + 1) faults.push(`${node.textContent} is cut`);
  }
  return faults;
}"""


def held(page: Page) -> list[bool]:
    return [pressed == "true" for pressed in page.locator("[data-test^=die-]").evaluate_all(PRESSED)]


PRESSED = "nodes => nodes.map((node) => node.getAttribute('aria-pressed'))"


def dice(page: Page) -> list[str]:
    """The dice, once there is an answer on them."""
    settled(page, "move")
    labels = page.locator("[data-test^=die-]").evaluate_all("nodes => nodes.map((node) => node.textContent)")
    return [re.sub(r" (hold)?$", "", label) for label in labels]


def tap(page: Page, name: str) -> None:
    """Tap what is in view, and on top of everything else there; nothing is scrolled for it."""
    place = part(page, name)
    expect(place).to_be_enabled()
    box = place.bounding_box()
    assert box is not None, f"{name} is not shown"
    size = page.viewport_size
    assert size is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    assert min(box["x"], box["y"]) >= 0, f"{name} is out of view"
    assert box["x"] + box["width"] <= size["width"] + 0.5, f"{name} is out of view"
    assert box["y"] + box["height"] <= size["height"] + 0.5, f"{name} is out of view"
    assert place.evaluate("(node, [x, y]) => node.contains(document.elementFromPoint(x, y))", [x, y]), f"{name} is covered"
    page.touchscreen.tap(x, y)


# With one thumb


@pytest.mark.parametrize("game", ["#yazy?p.boxes=ones,straight", pytest.param("#yahtzee", marks=pytest.mark.audit)])
def test_a_whole_game_with_one_thumb(watch: Any, game: str) -> None:
    """Real dice are tapped in; everything that is tapped is in view, and the page never scrolls."""
    watched = watch(viewport=PHONE, has_touch=True, is_mobile=True)
    page = go(watched, game)
    faces = iter("3356124466661123355512465566122334455661" * 12)
    while (awaits := settled(page)) != "end":
        if awaits == "dice":
            tap(page, f"keypad-{next(faces)}")
            continue
        expect(part(page, "play")).to_have_text(re.compile("^Play:"))
        expect(part(page, "move-0")).to_be_in_viewport(ratio=1)
        expect(part(page, "keypad-6")).to_be_in_viewport(ratio=1)
        tap(page, "play")
    expect(part(page, "luck")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    watched.finish()


def test_everything_is_in_view(watched: Watched) -> None:
    """On a phone the moves are under the dice; on its side everything is side by side; large letters do not overlap."""
    page = go(watched)
    page.set_viewport_size(PHONE)
    go(watched, "#yazy?state=33561+2+all")
    settled(page, "move")
    for name in ("die-0", "die-4", "keypad-1", "move-0", "move-1", "move-2", "play", "undo", "box-ones", "box-five-of-a-kind"):
        expect(part(page, name)).to_be_in_viewport(ratio=0.99)
    page.set_viewport_size(LANDSCAPE)
    for name in ("die-0", "die-4", "keypad-6", "status", "move-0", "move-2", "selected-why", "play"):
        expect(part(page, name)).to_be_in_viewport(ratio=0.99 if name != "selected-why" else 0.1)
    die, play = part(page, "die-0").bounding_box(), part(page, "play").bounding_box()
    assert die["x"] + die["width"] < play["x"]
    assert page.evaluate(AUDIT) == []
    for game in ("#yazy?state=33561+2+all", "#yahtzee?state=12345+1+all+upper+0", "#slots?state=all+0+6"):
        for size in (PHONE, LANDSCAPE, DESK):
            page.set_viewport_size(size)
            go(watched, game)
            settled(page, "move")
            assert page.evaluate(OVERLAPS) == []
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            assert page.evaluate(OVERLAPS) == []
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            if size != DESK:
                expect(part(page, "play")).to_be_in_viewport(ratio=0.95)
            page.evaluate("document.documentElement.style.fontSize = ''")
    watched.finish()


def test_own_colours_show_what_is_selected(watched: Watched) -> None:
    page = go(watched, "#yazy?state=33344+0+all")
    page.emulate_media(forced_colors="active")
    settled(page, "move")
    expect(part(page, "box-full-house")).to_have_attribute("aria-pressed", "true")
    look = "node => { const style = getComputedStyle(node); return `${style.outlineStyle} ${style.outlineWidth}`; }"
    for name in ("box-full-house", "move-0"):
        assert part(page, name).evaluate(look) == "solid 3px"
    for name in ("box-ones", "move-1"):
        assert part(page, name).evaluate(look).startswith("none")
    page.emulate_media(forced_colors="none")
    watched.finish()


# Without advice, undo, reload


def test_without_advice_held_dice_stay_held(watched: Watched) -> None:
    """Also after a reload; the same move gets the same roll."""
    page = go(watched, "#yazy?mode=roll")
    part(page, "coach").uncheck()
    assert step(page) == "roll"
    first = dice(page)
    assert held(page) == [False] * 5
    for i in (1, 3):
        part(page, f"die-{i}").click()
    part(page, "play").click()
    second = dice(page)
    expect(part(page, "last")).to_contain_text("Last move: keep")
    assert [second[i] for i in (1, 3)] == [first[i] for i in (1, 3)]
    assert held(page) == [False, True, False, True, False]
    part(page, "undo").click()
    assert dice(page) == first
    page.reload()
    assert dice(page) == first
    expect(part(page, "status")).to_have_text("Your move: hold dice or choose a box.")
    expect(part(page, "coach")).not_to_be_checked()
    expect(part(page, "move-0")).to_be_hidden()
    assert held(page) == [False, True, False, True, False]
    part(page, "play").click()
    assert dice(page) == second
    watched.finish()


def test_reload_keeps_undo_and_the_record(watched: Watched) -> None:
    page = go(watched, SMALL)
    settled(page, "dice")
    enter(page, "33561")
    settled(page, "move")
    part(page, "play").click()
    page.reload()
    settled(page, "dice")
    part(page, "undo").click()
    assert dice(page) == [f"die {i} shows {face}" for i, face in enumerate("33561", 1)]
    for _ in range(5):
        part(page, "undo").click()
    expect(part(page, "undo")).to_be_disabled()
    part(page, "mode-roll").click()
    step(page)
    settled(page, "move")
    page.reload()
    play_out(page)
    expect(part(page, "luck")).to_be_visible()
    watched.finish()


# A lost connection


def test_a_lost_connection_is_waited_for(watched: Watched) -> None:
    page = go(watched, "#yazy")
    settled(page, "dice")
    context = page.context
    context.set_offline(True)
    enter(page, "33561")
    expect(part(page, "connection")).to_have_text(re.compile(r"No connection: trying again in \d+ s\."))
    expect(part(page, "status")).not_to_contain_text("Looking")
    part(page, "try-now").click()
    expect(part(page, "connection")).to_be_visible()
    context.set_offline(False)
    settled(page, "move")
    expect(part(page, "status")).to_contain_text("Best: keep 33")
    expect(part(page, "connection")).to_be_hidden()
    context.set_offline(True)
    part(page, "play").click()
    enter(page, "124")
    expect(part(page, "connection")).to_be_visible()
    part(page, "undo").click()
    expect(part(page, "connection")).to_be_hidden()
    context.set_offline(False)
    watched.finish("ERR_INTERNET_DISCONNECTED")


# The chart


def test_charts(watched: Watched) -> None:
    """Of the whole game; being prepared; close, and exact on request; refused with the reason; given up when it is left."""
    page = go(watched, SMALL)
    expect(part(page, "outlook")).to_contain_text("Mean")
    expect(page.locator(".chances h2")).to_have_text("How a whole game may end")
    expect(part(page, "moves")).to_be_hidden()
    reason = "not computed: this takes more than 20 seconds"
    now = "prepare"
    slow: list[Route] = []

    def answer(route: Route) -> None:
        if now == "prepare":
            route.fulfill(status=202, json={"detail": "ask again", "preparing": {"what": "turns", "done": 1, "total": 4}})
        elif now == "close":
            close = {} if (route.request.post_data_json or {})["exact"] else {"error": 0.0021}
            route.fulfill(json={**route.fetch().json(), **close})
        elif now == "refuse":
            route.fulfill(status=422, json={"detail": reason})
        else:
            slow.append(route)

    page.route("**/api/outlook", answer)
    go(watched, SMALL + "&state=33561+2+all")
    chart, exactly = part(page, "outlook"), part(page, "show-exactly")
    expect(chart).to_contain_text("Preparing the charts of this game, once: 25 %")
    expect(exactly).to_be_visible()
    expect(page.locator(".chances h2")).to_have_text("How it may end")
    expect(part(page, "moves")).to_be_visible()
    now = "close"
    expect(chart).to_contain_text("Chances within 0.21 percentage points.")
    exactly.click()
    expect(chart).not_to_contain_text("Chances within")
    expect(exactly).to_be_hidden()
    expect(chart.locator("svg rect").first).to_be_visible()
    now = "refuse"
    part(page, "move-1").click()
    expect(chart).to_contain_text(reason)
    expect(page.locator(".outlook.stale")).to_have_count(0)
    now = "hold"
    with page.expect_request("**/api/outlook"):
        part(page, "move-2").click()
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/outlook")):
        part(page, "move-3").click()
    page.unroute_all(behavior="ignoreErrors")
    watched.finish()


# The keyboard, and what is spoken

FOCUSED = "() => document.activeElement.dataset.test ?? document.activeElement.id ?? document.activeElement.tagName"


def focused(page: Page) -> str:
    return str(page.evaluate(FOCUSED))


def test_the_focus_stays_where_the_player_works(watched: Watched) -> None:
    """A whole game with Tab and Enter: what has the focus after each step can be used, and is never the page itself."""
    page = go(watched, "#yazy?p.boxes=ones,straight&mode=roll")
    settled(page, "roll")
    part(page, "roll").focus()
    while settled(page) != "end":
        assert focused(page) == {"roll": "roll", "move": "play"}[settled(page)]
        page.keyboard.press("Enter")
    expect(page.locator("#result-title")).to_be_focused()
    for _ in range(6):
        page.keyboard.press("Tab")
        if focused(page) == "again":
            break
    page.keyboard.press("Enter")
    expect(part(page, "roll")).to_be_focused()
    go(watched, "#yazy?state=33344+0+all")
    settled(page, "move")
    part(page, "box-full-house").focus()
    page.keyboard.press("Enter")
    settled(page, "dice")
    assert focused(page) == "keypad-1"
    for _ in range(5):
        page.keyboard.press("Enter")
    settled(page, "move")
    assert focused(page) == "keypad-1"
    for _ in range(6):
        part(page, "undo").focus()
        page.keyboard.press("Enter")
    settled(page, "move")
    assert focused(page) in ("play", "keypad-1")
    watched.finish()


# Words and numbers


def test_dice_are_drawn_and_numbers_have_units(watched: Watched) -> None:
    page = go(watched, "#yazy?state=33561+2+all")
    settled(page, "move")
    for name in ("status", "play", "move-0", "selected-why"):
        expect(part(page, name).locator(".mini svg")).to_have_count(2)
    expect(part(page, "move-0").locator(".fill")).to_have_attribute("style", "width: 0%;")
    widths = (
        part(page, "moves")
        .locator(".fill")
        .evaluate_all("nodes => nodes.slice(0, 8).map((node) => parseFloat(node.style.width))")
    )
    assert widths == sorted(widths)
    assert widths[1] > 5
    expect(page.get_by_role("button", name="Play: keep 33")).to_have_count(1)
    watched.finish()


def test_a_joker_is_stored_where_it_belongs(watched: Watched) -> None:
    fragment = "#yahtzee?state=66666+0+full-house,chance+upper+40+primed&points=yahtzee:50,sixes:24,fives:15,ones:1&total=150"
    page = go(watched, fragment)
    settled(page, "move")
    expect(part(page, "box-full-house")).to_have_accessible_name("Full house +100 25 points and 100 joker bonus, open")
    if part(page, "box-full-house").get_attribute("aria-pressed") != "true":
        part(page, "box-full-house").click()
    part(page, "play").click()
    settled(page, "dice")
    expect(part(page, "jokers-shown")).to_have_text("100")
    expect(part(page, "box-full-house")).to_contain_text("25")
    expect(part(page, "total-shown")).to_have_text("275")
    expect(part(page, "upper-shown")).to_have_text("0")
    expect(part(page, "rest-shown")).to_have_text("60")
    watched.finish()
