"""The table of a game in a real browser: one thumb, no advice, undo, reload, a lost connection, the keyboard, large letters."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Route, expect

from tests.browser import AUDIT, PHONE, SIZES, Watched, part

LANDSCAPE = {"width": 740, "height": 360}
DESK = SIZES["desk"]
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


@pytest.fixture
def contexts(browser: Browser) -> Iterator[Any]:
    """Make contexts that end with the test."""
    made: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        made.append(browser.new_context(reduced_motion="reduce", **options))
        return made[-1]

    yield make
    for context in made:
        context.close()


def opened(contexts: Any, address: str, fragment: str, **options: Any) -> Watched:
    watched = Watched(contexts(**options).new_page(), address)
    watched.page.goto(address + fragment)
    return watched


def held(page: Page) -> list[bool]:
    dice = page.locator("[data-test^=die-]")
    return [dice.nth(i).get_attribute("aria-pressed") == "true" for i in range(dice.count())]


def dice(page: Page) -> list[str]:
    """The dice, once there is an answer on them."""
    expect(part(page, "status")).to_contain_text(re.compile("Best: |Your move: "))
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


@pytest.mark.parametrize("game", [SMALL, pytest.param("#yahtzee", marks=pytest.mark.audit)])
def test_a_whole_game_with_one_thumb(contexts: Any, address: str, game: str) -> None:
    """Real dice are tapped in; everything that is tapped is in view, and the page never scrolls."""
    watched = opened(contexts, address, game, viewport=PHONE, has_touch=True, is_mobile=True)
    page = watched.page
    faces = iter("3356124466661123355512465566122334455661" * 12)
    expect(part(page, "keypad-1")).to_be_visible(timeout=60_000)
    for _ in range(300):
        if part(page, "result").is_visible():
            break
        if part(page, "play").inner_text() == "Enter the roll":
            tap(page, f"keypad-{next(faces)}")
            continue
        expect(part(page, "play")).to_have_text(re.compile("^Play:"))
        expect(part(page, "move-0")).to_be_in_viewport(ratio=1)
        expect(part(page, "keypad-6")).to_be_in_viewport(ratio=1)
        tap(page, "play")
    expect(part(page, "luck")).to_be_visible(timeout=60_000)  # a server that has just started still compiles
    assert page.evaluate("scrollY") == 0
    watched.finish()


def test_the_moves_are_under_the_dice(contexts: Any, address: str) -> None:
    watched = opened(contexts, address, "#yazy?state=33561+2+all", viewport=PHONE, has_touch=True)
    page = watched.page
    expect(part(page, "move-0")).to_be_visible(timeout=30_000)
    for name in ("die-0", "die-4", "keypad-1", "move-0", "move-1", "move-2", "play", "undo", "box-ones", "box-five-of-a-kind"):
        expect(part(page, name)).to_be_in_viewport(ratio=0.99)
    tap(page, "move-1")
    expect(part(page, "play")).to_have_text("Play: keep 5")
    expect(page.locator(".advice")).to_contain_text("costs 0.309 points")
    tap(page, "play")
    expect(part(page, "keypad-1")).to_be_in_viewport(ratio=1)
    watched.finish()


def test_on_its_side_everything_is_side_by_side(contexts: Any, address: str) -> None:
    watched = opened(contexts, address, "#yazy?state=33561+2+all", viewport=LANDSCAPE, has_touch=True)
    page = watched.page
    expect(part(page, "move-0")).to_be_visible(timeout=30_000)
    for name in ("die-0", "die-4", "keypad-6", "status", "move-0", "move-2", "selected-why", "play"):
        expect(part(page, name)).to_be_in_viewport(ratio=0.99 if name != "selected-why" else 0.1)
    die, play = part(page, "die-0").bounding_box(), part(page, "play").bounding_box()
    assert die["x"] + die["width"] < play["x"]
    assert page.evaluate(AUDIT) == []
    watched.finish()


@pytest.mark.parametrize("game", ["#yazy?state=33561+2+all", "#yahtzee?state=12345+1+all+upper+0", "#slots?state=all+0+6"])
@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESK], ids=["phone", "side", "desk"])
def test_large_letters_do_not_overlap(contexts: Any, address: str, size: Any, game: str) -> None:
    watched = opened(contexts, address, game, viewport=size)
    page = watched.page
    expect(part(page, "move-0")).to_be_attached(timeout=60_000)
    assert page.evaluate(OVERLAPS) == []
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(OVERLAPS) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    if size != DESK:
        expect(part(page, "play")).to_be_in_viewport(ratio=0.95)
    watched.finish()


def test_own_colours_show_what_is_selected(contexts: Any, address: str) -> None:
    watched = opened(contexts, address, "#yazy?state=33344+0+all", viewport=PHONE, forced_colors="active")
    page = watched.page
    expect(part(page, "box-full-house")).to_have_attribute("aria-pressed", "true", timeout=30_000)
    look = "node => { const style = getComputedStyle(node); return `${style.outlineStyle} ${style.outlineWidth}`; }"
    for name in ("box-full-house", "move-0"):
        assert part(page, name).evaluate(look) == "solid 3px"
    assert part(page, "box-ones").evaluate(look).startswith("none")
    assert part(page, "move-1").evaluate(look).startswith("none")
    watched.finish()


# Without advice, undo, reload


def step(page: Page) -> None:
    """Roll, or play what is selected, once that can be done; at the end nothing."""
    usable = [f"[data-test={name}]:not([hidden]):not([aria-disabled]):enabled" for name in ("roll", "play")]
    page.wait_for_selector(", ".join([*usable, "[data-test=result]:not([hidden])"]))
    for name in usable:
        if page.locator(name).is_visible():
            page.locator(name).click()
            return


def test_without_advice_held_dice_stay_held(contexts: Any, address: str) -> None:
    page = opened(contexts, address, "#yazy?mode=roll").page
    part(page, "coach").uncheck()
    part(page, "roll").click()
    dice(page)
    assert held(page) == [False] * 5
    for i in (1, 3):
        part(page, f"die-{i}").click()
    for _ in range(2):
        kept = [dice(page)[i] for i in (1, 3)]
        part(page, "play").click()
        expect(part(page, "last")).to_contain_text("Last move: keep")
        assert [dice(page)[i] for i in (1, 3)] == kept
        assert held(page) == [False, True, False, True, False]


def test_reload_keeps_advice_off(contexts: Any, address: str) -> None:
    page = opened(contexts, address, "#yazy").page
    part(page, "coach").uncheck()
    for face in "33561":
        part(page, f"keypad-{face}").click()
    expect(part(page, "status")).to_have_text("Your move: hold dice or choose a box.")
    part(page, "die-2").click()
    page.reload()
    expect(part(page, "status")).to_have_text("Your move: hold dice or choose a box.")
    expect(part(page, "coach")).not_to_be_checked()
    expect(part(page, "move-0")).to_be_hidden()
    assert held(page) == [False, False, True, False, False]
    expect(part(page, "play")).to_have_text("Play: keep 5")


def test_the_same_move_gets_the_same_roll(contexts: Any, address: str) -> None:
    """After undo, and after a reload; a new game has its own luck. Without advice the plain reroll is selected."""
    page = opened(contexts, address, "#yazy?mode=roll").page
    part(page, "coach").uncheck()
    part(page, "roll").click()
    first = dice(page)
    part(page, "undo").click()
    part(page, "roll").click()
    assert dice(page) == first
    part(page, "play").click()
    second = dice(page)
    for reload in (False, True):
        part(page, "undo").click()
        assert dice(page) == first
        if reload:
            page.reload()
            assert dice(page) == first
        part(page, "play").click()
        assert dice(page) == second
    rolls = []
    for _ in range(3):
        part(page, "new-game").click()
        part(page, "roll").click()
        rolls.append(dice(page))
    assert rolls != [first] * 3


def test_reload_keeps_undo_and_the_record(contexts: Any, address: str) -> None:
    page = opened(contexts, address, SMALL).page
    for face in "33561":
        part(page, f"keypad-{face}").click()
    expect(part(page, "status")).to_contain_text("Best:")
    part(page, "play").click()
    page.reload()
    part(page, "undo").click()
    assert dice(page) == [f"die {i} shows {face}" for i, face in enumerate("33561", 1)]
    for _ in range(5):
        part(page, "undo").click()
    expect(part(page, "undo")).to_be_disabled()
    part(page, "mode-roll").click()
    for _ in range(60):
        step(page)
        if part(page, "result").is_visible():
            break
        page.reload()
    expect(part(page, "luck")).to_be_visible()


# A lost connection


def test_a_lost_connection_is_waited_for(contexts: Any, address: str) -> None:
    context = contexts()
    watched = Watched(context.new_page(), address)
    page = watched.page
    page.goto(address + "#yazy")
    expect(part(page, "keypad-1")).to_be_visible()
    context.set_offline(True)
    for face in "33561":
        part(page, f"keypad-{face}").click()
    expect(part(page, "connection")).to_have_text(re.compile(r"No connection: trying again in \d+ s\."))
    expect(part(page, "status")).not_to_contain_text("Looking")
    part(page, "try-now").click()
    expect(part(page, "connection")).to_be_visible()
    context.set_offline(False)
    expect(part(page, "status")).to_contain_text("Best: keep 33")
    expect(part(page, "connection")).to_be_hidden()
    context.set_offline(True)
    part(page, "play").click()
    for face in "124":
        part(page, f"keypad-{face}").click()
    expect(part(page, "connection")).to_be_visible()
    part(page, "undo").click()
    expect(part(page, "connection")).to_be_hidden()
    watched.finish("ERR_INTERNET_DISCONNECTED")


# The chart


def test_the_start_shows_the_whole_game(contexts: Any, address: str) -> None:
    watched = opened(contexts, address, SMALL)
    page = watched.page
    expect(part(page, "outlook")).to_contain_text("Mean", timeout=30_000)
    expect(page.locator(".chances h2")).to_have_text("How a whole game may end")
    expect(part(page, "moves")).to_be_hidden()
    for face in "33561":
        part(page, f"keypad-{face}").click()
    expect(part(page, "moves")).to_be_visible()
    expect(page.locator(".chances h2")).to_have_text("How it may end")
    watched.finish()


def test_a_refused_chart_says_why(contexts: Any, address: str) -> None:
    context = contexts()
    page = context.new_page()
    reason = "not worked out: it takes more than 20 seconds"

    def refuse(route: Route) -> None:
        route.fulfill(status=422, json={"detail": reason})

    page.route("**/api/outlook", refuse)
    page.goto(address + "#yazy?state=33561+2+all")
    expect(part(page, "outlook")).to_contain_text(reason)
    expect(page.locator(".outlook.stale")).to_have_count(0)


def test_a_chart_that_is_being_prepared_is_asked_for_again(contexts: Any, address: str) -> None:
    page = contexts().new_page()
    news = iter([{"what": "turns", "done": 1, "total": 4}, {"what": "turns", "done": 3, "total": None}])

    def prepare(route: Route) -> None:
        preparing = next(news, None)
        if preparing is None:
            route.continue_()
        else:
            route.fulfill(status=202, json={"detail": "ask again", "preparing": preparing})

    page.route("**/api/outlook", prepare)
    page.goto(address + SMALL + "&state=33561+2+all")
    expect(part(page, "outlook")).to_contain_text("Preparing the charts of this game, once: 25 %")
    expect(part(page, "show-exactly")).to_be_visible()
    expect(part(page, "outlook")).to_contain_text("Mean", timeout=30_000)


def test_a_chart_that_is_left_is_given_up(contexts: Any, address: str) -> None:
    page = contexts().new_page()
    slow: list[Route] = []

    def hold(route: Route) -> None:
        slow.append(route)

    page.route("**/api/outlook", hold)
    page.goto(address + "#yazy?state=33561+2+all")
    with page.expect_request("**/api/outlook"):
        expect(part(page, "move-1")).to_be_visible()
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/outlook")):
        part(page, "move-1").click()
    for route in slow:
        with suppress(Error):  # the page has given the first one up
            route.abort()


# The keyboard, and what is spoken


def focused(page: Page) -> str:
    return str(
        page.evaluate("document.activeElement.dataset.test ?? document.activeElement.id ?? document.activeElement.tagName")
    )


def test_the_focus_stays_where_the_player_works(contexts: Any, address: str) -> None:
    """A whole game with Tab and Enter: what has the focus after each step can be used, and is never the page itself."""
    watched = opened(contexts, address, SMALL + "&mode=roll")
    page = watched.page
    part(page, "roll").focus()
    for _ in range(40):
        page.keyboard.press("Enter")
        page.wait_for_selector(
            "[data-test=roll]:not([hidden]), [data-test=play]:not([hidden]):not([aria-disabled]), [data-test=luck]"
        )
        if part(page, "result").is_visible():
            break
        assert focused(page) in ("roll", "play")
    assert focused(page) == "result-title"
    page.keyboard.press("Tab")
    for _ in range(5):
        if focused(page) == "again":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert focused(page) == "roll"
    watched.finish()


def test_the_focus_goes_to_the_keys_after_a_move(contexts: Any, address: str) -> None:
    watched = opened(contexts, address, "#yazy?state=33344+0+all")
    page = watched.page
    expect(part(page, "play")).to_be_enabled()
    part(page, "box-full-house").focus()
    page.keyboard.press("Enter")
    expect(part(page, "status")).to_contain_text("5 to go")
    assert focused(page) == "keypad-1"
    for _ in range(5):
        page.keyboard.press("Enter")
    expect(part(page, "status")).to_contain_text("Best:")
    assert focused(page) == "keypad-1"
    for _ in range(6):
        part(page, "undo").focus()
        page.keyboard.press("Enter")
    assert focused(page) in ("play", "keypad-1")
    watched.finish()


def test_every_move_is_spoken_once(contexts: Any, address: str) -> None:
    watched = opened(contexts, address, "#yazy?state=33561+2+all&mode=roll")
    page = watched.page
    expect(part(page, "status")).to_contain_text("Best:")
    page.evaluate("""() => {
      window.spoken = [];
      const status = document.querySelector("[data-test=status]");
      const hear = () => status.textContent && window.spoken.push(status.textContent);
      new MutationObserver(hear).observe(status, { childList: true });
    }""")
    part(page, "play").click()
    expect(part(page, "last")).to_contain_text("Last move")
    expect(part(page, "status")).to_contain_text("Best:")
    part(page, "undo").click()
    expect(part(page, "status")).to_contain_text("Best: keep 33")
    waits = "Looking \N{HORIZONTAL ELLIPSIS}"  # spoken only where the answer takes long
    spoken = [text for text in page.evaluate("window.spoken") if text != waits]
    assert len(spoken) == 2
    assert all(text.startswith("Best: ") for text in spoken)
    watched.finish()


# Words and numbers


def test_dice_are_drawn_and_numbers_have_units(contexts: Any, address: str) -> None:
    watched = opened(contexts, address, "#yazy?state=33561+2+all")
    page = watched.page
    expect(part(page, "status")).to_have_text("Best: keep 33 \N{EN DASH} 163.44 points expected", timeout=30_000)
    for name in ("status", "play", "move-0", "selected-why"):
        expect(part(page, name).locator(".mini svg")).to_have_count(2)
    expect(part(page, "move-0").locator(".fill")).to_have_attribute("style", "width: 0%;")
    widths = (
        part(page, "moves")
        .locator(".fill")
        .evaluate_all("nodes => nodes.slice(0, 8).map((node) => parseFloat(node.style.width))")
    )
    assert widths == sorted(widths)
    assert widths[1] > 20
    assert page.get_by_role("button", name="Play: keep 33").count() == 1
    watched.finish()


def test_a_joker_is_stored_where_it_belongs(contexts: Any, address: str) -> None:
    fragment = "#yahtzee?state=66666+0+full-house,chance+upper+40+primed&points=yahtzee:50,sixes:24,fives:15,ones:1&total=150"
    watched = opened(contexts, address, fragment)
    page = watched.page
    expect(part(page, "box-full-house")).to_contain_text("+100", timeout=60_000)
    expect(part(page, "box-full-house")).to_have_accessible_name("full-house +100 25 points and 100 joker bonus, open")
    part(page, "box-full-house").click()
    if part(page, "play").is_enabled() and part(page, "jokers-shown").inner_text() == "0":
        part(page, "play").click()
    expect(part(page, "jokers-shown")).to_have_text("100")
    expect(part(page, "box-full-house")).to_contain_text("25")
    expect(part(page, "total-shown")).to_have_text("275")
    expect(part(page, "upper-shown")).to_have_text("0")
    expect(part(page, "rest-shown")).to_have_text("60")
    watched.finish()
