"""Every aim on the page: a target, a total, some totals, duels with the bar, and another aim in the middle of a game."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser import DESK, PHONE, Watched, card, enter, go, part, play_out, running_server, settled, step, url

SMALL = "#yazy?p.boxes=ones,straight,five-of-a-kind"
DUEL = "#yazy?p.boxes=ones,straight&p.rerolls=0"


@pytest.fixture
def watched(watch: Any) -> Iterator[Watched]:
    """The page of a desk, narrow as a phone."""
    found: Watched = watch()
    found.page.set_viewport_size(PHONE)
    yield found
    found.page.set_viewport_size(DESK)


def chance(page: Page) -> float:
    return float(part(page, "bar").get_attribute("aria-valuenow"))


def aim_at(page: Page, name: str) -> None:
    part(page, "aim-change").click()
    page.locator("label.aim").get_by_text(name, exact=True).click()


def test_a_target_from_the_form(watched: Watched) -> None:
    """I need 40: the form of the game asks for it, house rules stay, and every move is a chance; then played to its end."""
    page = go(watched)
    part(page, "more-yazy").click()
    part(page, "yazy-boxes").fill("ones,straight,five-of-a-kind")
    page.locator("label.aim", has_text="Reach a total").click()
    for text, fault in {"": "Fill this in", "forty": "expected a whole number"}.items():
        part(page, "aim-at-least-target").fill(text)
        part(page, "start").click()
        expect(part(page, "fault-at-least-target")).to_contain_text(fault)
    part(page, "aim-at-least-target").fill("40")
    part(page, "start").click()
    expect(part(page, "aim-now")).to_have_text("Reach a total: 40")
    expect(part(page, "bar")).to_have_attribute("aria-valuetext", "At least 40 60.1 %")
    enter(page, "12346")
    settled(page, "move")
    expect(part(page, "status")).to_contain_text("chance of at least 40")
    assert "aim=at-least+40" in url(page)
    assert "p.boxes=ones,straight,five-of-a-kind" in url(page)
    part(page, "mode-roll").click()
    seen = set[float]()
    while settled(page) != "end":
        seen.add(chance(page))
        step(page)
    assert len(seen) > 1
    watched.finish()


def test_what_is_decided_is_said(watched: Watched) -> None:
    page = go(watched, f"{SMALL}&aim=at-least+0")
    expect(part(page, "remark")).to_contain_text("0 points are certain")
    aim_at(page, "Reach a total")
    part(page, "aim-at-least-target").fill("4000")
    part(page, "aim-go").click()
    expect(part(page, "fault-at-least-target")).to_contain_text("the highest possible total is 95")
    expect(part(page, "aim-at-least-target")).to_be_focused()
    expect(part(page, "remark")).to_be_visible()
    go(watched, f"{SMALL}&aim=against+900")
    expect(page.locator("#error, dialog .fault").filter(has_text="the highest possible total is 95").first).to_be_visible()
    watched.finish("status of 422")


def test_opponents_without_a_sheet(watched: Watched) -> None:
    """An opponent's total, some totals, or that of players for points: chosen on the table, and the chance to win is shown."""
    page = go(watched, SMALL)
    settled(page, "dice")
    enter(page, "12346")
    settled(page, "move")
    aim_at(page, "Beat one of some totals")
    part(page, "aim-scores-scores").fill("her")
    part(page, "aim-go").click()
    expect(part(page, "fault-scores-scores")).to_contain_text("expected totals with weights")
    expect(part(page, "aim-scores-scores")).to_be_focused()
    expect(part(page, "aim-scores-scores")).to_have_attribute("aria-invalid", "true")
    part(page, "aim-scores-scores").fill("5:2,20:5,41:1")
    part(page, "aim-go").click()
    check_opponent(page, "Beat one of some totals: 5:2,20:5,41", "against+5:2,20:5,41:1,+ties+half")
    aim_at(page, "Beat a total")
    part(page, "aim-total-total").fill("20")
    part(page, "aim-total-ties").select_option("win")
    part(page, "aim-go").click()
    check_opponent(page, "Beat a total: 20, a tie is a win", "against+20,+ties+win")
    aim_at(page, "Beat a player for points")
    part(page, "aim-self-players").fill("2")
    part(page, "aim-go").click()
    check_opponent(page, "Beat a player for points, players 2", "against+self,+best+of+2,+ties+half")
    watched.finish()


def check_opponent(page: Page, told: str, text: str) -> None:
    expect(part(page, "aim-now")).to_contain_text(told)
    settled(page, "move")
    expect(part(page, "status")).to_contain_text("chance to")
    assert f"aim={text}" in url(page)
    assert "state=12346+2+all" in url(page)
    assert 0 < chance(page) < 100


def test_another_aim_keeps_the_game(watched: Watched) -> None:
    """The position, undo and the luck stay; the same move gets the same roll whatever is played for."""
    page = go(watched, f"{SMALL}&mode=roll")
    assert step(page) == "roll"
    assert step(page) == "move"
    settled(page, "move")
    state = re.findall("state=[^&]*", url(page))[0]
    aim_at(page, "Reach a total")
    part(page, "aim-at-least-target").fill("30")
    part(page, "aim-go").click()
    expect(part(page, "aim-now")).to_have_text("Reach a total: 30")
    settled(page, "move")
    assert state in url(page)
    part(page, "undo").click()
    settled(page, "move")
    expect(part(page, "status")).to_contain_text("chance of at least 30")
    aim_at(page, "Most points")
    part(page, "aim-go").click()
    expect(part(page, "aim-now")).to_have_text("Most points")
    assert step(page) == "move"
    settled(page, "move")
    assert state in url(page)
    play_out(page)
    expect(part(page, "luck")).to_be_visible()
    watched.finish()


def test_a_duel_with_the_computer(watched: Watched) -> None:
    """The bar moves with every roll and move of both; the computer's moves are told with why; undo takes back its moves too."""
    page = go(watched, f"{DUEL}&mode=roll&aim=duel")
    assert step(page) == "roll"
    expect(part(page, "bar")).to_have_attribute("aria-valuetext", re.compile(r"You [\d.]+ %, Computer [\d.]+ %"))
    expect(part(page, "rival")).to_have_value("optimal")
    settled(page, "move")
    mine, before = chance(page), url(page)
    part(page, "play").click()
    expect(part(page, "reply")).to_contain_text(re.compile("Computer: .*(ones|straight)"))
    settled(page, "roll")
    expect(part(page, "lead")).to_contain_text("Your turn.")
    assert chance(page) != mine
    part(page, "undo").click()
    settled(page, "move")
    assert url(page) == before
    play_out(page)
    expect(part(page, "result")).to_contain_text(re.compile("You win by|You lose by|A tie"))
    expect(part(page, "mistakes")).to_contain_text("none")
    watched.finish()


def test_a_duel_with_a_player_for_points(watched: Watched) -> None:
    """The chances are against this very opponent; who begins follows from the aim."""
    page = go(watched, f"{DUEL}&mode=roll&aim=duel+points+first")
    expect(part(page, "rival")).to_have_value("points")
    settled(page, "roll")
    expect(part(page, "reply")).to_contain_text("Computer:")
    expect(part(page, "lead")).to_contain_text("Your turn.")
    watched.finish()


def test_a_duel_of_two_people(watched: Watched) -> None:
    """Somebody at the table plays the other sheet: dice are entered by hand for both, and both get advice."""
    page = go(watched, f"{DUEL}&aim=duel")
    part(page, "rival").select_option("")
    settled(page, "dice")
    enter(page, "11234")
    settled(page, "move")
    part(page, "box-ones").click()
    expect(part(page, "lead")).to_contain_text("The first player leads by 2. The second player's turn.")
    enter(page, "12345")
    settled(page, "move")
    expect(part(page, "their-box-straight")).to_have_text("40")
    part(page, "their-box-straight").click()
    expect(part(page, "lead")).to_contain_text("The second player leads by 38. The first player's turn.")
    go(watched, url(page).removeprefix(watched.address))
    settled(page, "dice")
    expect(part(page, "lead")).to_contain_text("by 38")
    expect(part(page, "their-total")).to_have_text("40")
    watched.finish()


def test_a_duel_that_is_too_large_is_refused(watched: Watched) -> None:
    page = go(watched, "#yatzy?aim=duel")
    expect(page.locator("#error, dialog .fault").filter(has_text="too large").first).to_be_visible()
    watched.finish("413")


def test_the_chooser_by_keyboard(watched: Watched) -> None:
    page = go(watched, SMALL)
    settled(page, "dice")
    part(page, "aim-change").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(part(page, "aim-expected")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(part(page, "aim-at-least")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.type("30")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(part(page, "aim-now")).to_have_text("Reach a total: 30")
    watched.finish()


@pytest.mark.parametrize("fragment", ["#yazy?p.boxes=ones,twos,full-house,straight&state=33561+2+all", "#slots?state=all+0+6"])
def test_the_risk_dial(watched: Watched, fragment: str) -> None:
    """One slider from careful to bold: the advice changes, the page says what is given up, a reload keeps the plan."""
    page = go(watched, fragment)
    settled(page, "move")
    part(page, "aim-change").click()
    if "slots" in fragment:
        page.locator("label.aim").get_by_text("Most points", exact=True).click()
    dial, price = part(page, "dial"), part(page, "dial-price")
    expect(dial).to_have_value("4")
    expect(page.locator("[data-test=aim-worst], [data-test=aim-quantile]")).to_have_count(0)
    before = part(page, "status").inner_text()
    dial.press("Home")
    expect(part(page, "aim-now")).to_have_text("Careful")
    expect(dial).to_be_focused()
    expect(dial).to_have_attribute("aria-valuetext", re.compile("worst 5 % of games"))
    expect(price).to_contain_text("less on average")
    settled(page, "move")
    careful = part(page, "status").inner_text()
    assert careful != before
    assert re.search(r"aim=worst\+5%25,\+target\+\d+", url(page))
    for place in ("1", "2"):  # keys may come faster than advice: the last place counts
        dial.press("ArrowRight")
        expect(dial).to_have_value(place)
    expect(dial).to_have_attribute("aria-valuetext", re.compile("worst 25 % of games"))
    page.wait_for_url(re.compile(r"aim=worst\+25%25,\+target"))
    expect(price).to_contain_text("25 %")
    settled(page, "move")
    assert part(page, "status").inner_text() != careful
    dial.press("End")
    expect(part(page, "aim-now")).to_have_text("Bold")
    expect(price).to_contain_text("chance")
    kept = url(page)
    page.reload()
    settled(page, "move")
    expect(dial).to_have_value("6")
    expect(price).to_contain_text("chance")
    assert url(page) == kept
    expect(part(page, "bar")).to_have_attribute("aria-valuetext", re.compile("At least"))
    for place in ("5", "4"):
        dial.press("ArrowLeft")
        expect(dial).to_have_value(place)
    expect(part(page, "aim-now")).to_have_text("Most points")
    settled(page, "move")
    expect(price).to_be_empty()
    watched.finish()


def test_the_risk_dial_in_a_form(watched: Watched) -> None:
    page = go(watched)
    card(page, "threes", "more").click()
    expect(part(page, "dial-plan")).to_contain_text("lowest expected total")
    part(page, "dial").press("End")
    part(page, "start").click()
    expect(part(page, "aim-now")).to_have_text("Bold")
    expect(part(page, "bar")).to_have_attribute("aria-valuetext", re.compile("At most"))
    expect(part(page, "dial-price")).to_contain_text("more on average")
    watched.finish()


@pytest.mark.audit
def test_at_least_250_in_yatzy(browser: Browser, tmp_path: Path) -> None:
    """On a phone: solved in about a minute, then every chance at once."""
    with running_server(tmp_path) as found:
        context = browser.new_context(viewport=PHONE)
        watched = Watched(context.new_page(), found)
        page = go(watched, "#yatzy?aim=at-least+250")
        expect(part(page, "bar")).to_have_attribute("aria-valuetext", "At least 250 56.0 %", timeout=600_000)
        enter(page, "66661")
        expect(part(page, "status")).to_contain_text("chance of at least 250")
        watched.finish()
        context.close()


def test_a_long_solve_goes_on_in_the_background(watched: Watched) -> None:
    """The server is told to take long: its answers are held back until the player has gone elsewhere."""
    page, held = watched.page, [True]

    def delay(route: Route) -> None:
        answer = route.fetch()
        job = answer.json()
        if held[0]:
            job |= {"status": "solving", "result": None}
            job["progress"] = {"what": "solving", "done": 1, "total": 100, "seconds_left": 400}
        route.fulfill(response=answer, json=job)

    long = re.compile(r"/api/solve/yazy[^/?]*[?]")
    page.route(long, delay)
    page.route(
        "**/api/solve?*", lambda route: delay(route) if '"objective"' in (route.request.post_data or "") else route.continue_()
    )
    page.route("**/events?*", lambda route: route.abort())
    go(watched, f"{SMALL}&aim=at-least+20")
    expect(part(page, "solve-progress")).to_contain_text("7 minutes")
    part(page, "solve-away").click()
    expect(part(page, "solve-row")).to_contain_text("7 minutes")
    go(watched, "#pig?p.target=20")
    part(page, "mode-roll").click()
    settled(page, "roll")
    assert "solved" not in page.title()
    held[0] = False
    expect(part(page, "solve-row")).to_contain_text("is solved")
    assert "Reach a total: 20" in page.title()
    part(page, "solve-open").click()
    expect(part(page, "aim-now")).to_have_text("Reach a total: 20")
    expect(part(page, "solve-row")).to_have_count(0)
    page.unroute_all()
    watched.finish("ERR_FAILED")
