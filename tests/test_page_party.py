"""Several players at one table: a family enters its names, takes turns, and looks at each game when all are done."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import AUDIT, PHONE, Watched, part

SMALL = "p.boxes=ones,straight"
WAITING = ", ".join(
    [
        "[data-test=roll]:not([hidden])",
        "[data-test=play]:not([hidden]):enabled:not([aria-disabled])",
        "[data-test=result]:not([hidden])",
    ]
)


@pytest.fixture
def watched(browser: Browser, address: str) -> Iterator[Watched]:
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    yield Watched(context.new_page(), address)
    context.close()


def open_at(watched: Watched, fragment: str = "") -> Page:
    watched.page.goto(watched.address + fragment)
    return watched.page


def enter(page: Page, faces: str) -> None:
    for face in faces:
        part(page, f"keypad-{face}").click()


def fill(page: Page, faces: str, box: str) -> None:
    """Enter a roll and fill a box with it."""
    enter(page, faces)
    expect(part(page, "status")).to_contain_text("Best:")
    if part(page, f"box-{box}").get_attribute("aria-pressed") != "true":
        part(page, f"box-{box}").click()
    part(page, f"box-{box}").click()


def play_out(page: Page, most: int = 100) -> None:
    """Roll, and play the coach's move or any box, until the game is over or so many steps are made."""
    for _ in range(most):
        page.wait_for_selector(WAITING + ", [data-test^=box-]:not([hidden])")
        if part(page, "result").is_visible():
            return
        if part(page, "roll").is_visible():
            part(page, "roll").click()
        elif part(page, "play").is_enabled():
            part(page, "play").click()
        else:
            page.locator("[data-test^=box-]:visible").first.click()


def chances(page: Page, count: int) -> list[int]:
    expect(part(page, "chance-0")).to_have_text(re.compile(r"\d"))
    return [int(part(page, f"chance-{i}").inner_text().removesuffix(" %")) for i in range(count)]


def test_three_players_to_the_end(watched: Watched) -> None:
    """One plays without the coach: nothing is told about those moves until the end, when every game can be looked at."""
    page = open_at(watched)
    part(page, "players-yazy").click()
    expect(part(page, "player-name-1")).to_be_visible()
    part(page, "party-cancel").click()
    page = open_at(watched, f"#yazy?{SMALL}&mode=roll")
    part(page, "players-open").click()
    for i, name in enumerate(["Anna", "Ben, the 2nd"]):
        part(page, f"player-name-{i}").fill(name)
    part(page, "player-add").click()
    part(page, "player-name-2").fill("Cleo")
    part(page, "player-coach-1").uncheck()
    part(page, "party-begin").click()
    expect(part(page, "players")).to_contain_text("Ben the 2nd")
    expect(part(page, "status")).to_have_text("Anna: Roll 5 dice.")
    assert chances(page, 3) == [33, 33, 33]
    expect(part(page, "odds-note")).to_contain_text("Estimate")
    expect(page.locator(".paper .chance th")).to_have_text("To win, estimate")
    play_out(page, 1)
    expect(part(page, "status")).to_contain_text("Best:")
    while part(page, "player-0").get_attribute("aria-current"):
        page.wait_for_selector(WAITING)
        part(page, "play").click()
    expect(part(page, "player-1")).to_have_attribute("aria-current", "true")
    expect(part(page, "coach")).not_to_be_checked()
    part(page, "roll").click()
    expect(part(page, "box-ones")).to_be_visible()
    expect(page.locator(".advice")).to_contain_text("No advice for Ben the 2nd")
    expect(part(page, "moves")).not_to_be_visible()
    assert page.evaluate(AUDIT) == []
    part(page, "box-straight").click()
    part(page, "box-straight").click()
    expect(part(page, "player-2")).to_have_attribute("aria-current", "true")
    expect(part(page, "last")).to_have_text("")
    assert abs(sum(chances(page, 3)) - 100) <= 1
    play_out(page)
    expect(part(page, "result")).to_contain_text(re.compile("wins? with|share the win"))
    totals = [int(part(page, f"total-{i}").inner_text()) for i in range(3)]
    assert part(page, f"place-{totals.index(max(totals))}").inner_text() == "1."
    for i, total in enumerate(totals):
        part(page, f"look-{i}").click()
        expect(part(page, f"look-{i}")).to_have_attribute("aria-pressed", "true")
        expect(part(page, f"mistakes-{i}")).to_have_text(re.compile(r"\d"))
        start, luck = (float(part(page, name).inner_text().replace("\N{MINUS SIGN}", "-")) for name in ("before", "luck"))
        lost = part(page, "mistakes").inner_text()
        assert abs(start + luck - (0.0 if lost == "none" else float(lost)) - total) < 0.02
    assert page.evaluate(AUDIT) == []
    watched.finish()


def test_undo_goes_back_to_the_player_before(watched: Watched) -> None:
    page = open_at(watched, f"#yazy?{SMALL}&players=Anna,Ben")
    fill(page, "12345", "straight")
    expect(part(page, "cell-0-straight")).to_have_text("40")
    expect(part(page, "status")).to_have_text("Ben: Tap the faces you rolled: 5 to go.")
    part(page, "undo").click()
    expect(part(page, "status")).to_contain_text("Best: straight")
    expect(part(page, "total-0")).to_have_text("0")
    watched.finish()


def test_points_are_written_by_hand(watched: Watched) -> None:
    """Who does not enter dice writes points; the others are coached and graded as ever, and chances go on."""
    page = open_at(watched, f"#yazy?{SMALL}&players=Anna,Ben")
    fill(page, "11123", "ones")
    expect(part(page, "box-ones")).to_have_attribute("aria-label", "Ben: write ones")
    part(page, "box-straight").click()
    part(page, "pencil-points").fill("41")
    part(page, "pencil-go").click()
    expect(part(page, "pencil-fault")).to_contain_text("from 0 to 40")
    part(page, "pencil-points").fill("40")
    part(page, "pencil-go").click()
    expect(part(page, "total-1")).to_have_text("40")
    expect(part(page, "status")).to_contain_text("Anna:")
    expect(part(page, "chance-1")).to_have_text(re.compile(r"[6-9]\d %"))
    assert sum(chances(page, 2)) in (99, 100, 101)
    fill(page, "11236", "straight")
    part(page, "box-ones").click()
    part(page, "pencil-4").click()
    expect(part(page, "result")).to_contain_text("Ben wins with 44 points")
    expect(part(page, "mistakes-0")).to_have_text(re.compile(r"\d"))
    expect(part(page, "mistakes-1")).to_have_text("\N{EN DASH}")
    expect(part(page, "ungraded")).to_be_visible()
    watched.finish()


def test_two_have_exact_chances_once_their_duel_is_solved(watched: Watched) -> None:
    page = open_at(watched, f"#yazy?{SMALL}&players=Anna,Ben")
    enter(page, "12345")
    expect(part(page, "odds-note")).to_contain_text("Estimate")
    part(page, "odds-exactly").click()
    expect(part(page, "odds-note")).to_contain_text("Exact", timeout=60_000)
    anna, ben = chances(page, 2)
    assert anna + ben in (99, 100, 101)
    expect(page.locator(".paper .chance th")).to_have_text("To win")
    page.reload()
    expect(part(page, "odds-note")).to_contain_text("Exact")
    part(page, "odds").uncheck()
    expect(part(page, "chance-0")).not_to_be_visible()
    watched.finish()


@pytest.mark.parametrize(
    ("fragment", "wins"),
    [
        pytest.param("#threes?", r"with \d+ points?", id="threes"),
        pytest.param("#slots?", r"with \d+ points", id="slots", marks=pytest.mark.audit),
        pytest.param("#groups?p.faces=3&p.sizes=2,1&", r"with \d+ rolls?", id="groups", marks=pytest.mark.audit),
    ],
)
def test_other_games_for_one_are_compared(watched: Watched, fragment: str, wins: str) -> None:
    page = open_at(watched, f"{fragment}players=Anna,Ben&mode=roll")
    page.wait_for_selector(WAITING, timeout=60_000)
    for _ in range(200):
        page.wait_for_selector(WAITING)
        if part(page, "result").is_visible():
            break
        page.evaluate("""() => {
          const seen = (name) => document.querySelector(`[data-test=${name}]:not([hidden]):enabled`);
          (seen("roll") ?? seen("play"))?.click();
        }""")
    expect(part(page, "result")).to_contain_text(re.compile(wins))
    expect(part(page, "luck-1")).to_have_text(re.compile(r"\d"))
    totals = [int(part(page, f"total-{i}").inner_text()) for i in range(2)]
    best = min(totals) if "slots" not in fragment else max(totals)
    assert [part(page, f"place-{i}").inner_text() for i in range(2)] == [f"{1 if total == best else 2}." for total in totals]
    watched.finish("429")  # nobody plays that fast
