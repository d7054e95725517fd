"""Several players at one table: a family enters its names, takes turns, and looks at each game when all are done."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import AUDIT, DESK, PHONE, Watched, choose, enter, go, part, play_out, settled, step

SMALL = "p.boxes=ones,straight"


def chances(page: Page, count: int) -> list[int]:
    for i in range(count):
        expect(part(page, f"chance-{i}")).to_have_text(re.compile(r"\d"))
    return [int(part(page, f"chance-{i}").inner_text().removesuffix(" %")) for i in range(count)]


def number(page: Page, name: str) -> float:
    text = part(page, name).inner_text().replace("\N{MINUS SIGN}", "-")
    return 0.0 if text == "none" else float(text)


def test_three_players_to_the_end(watched: Watched) -> None:
    """One plays without the coach: nothing is told about those moves until the end, when every game can be looked at."""
    page = go(watched)
    page.set_viewport_size(PHONE)
    part(page, "more-yazy").click()
    part(page, "players-yazy").click()
    expect(part(page, "player-name-1")).to_be_visible()
    part(page, "party-cancel").click()
    page = go(watched, f"#yazy?{SMALL}&mode=roll")
    choose(page, "players-open")
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
    assert step(page) == "roll"
    while settled(page) == "move":
        expect(part(page, "status")).to_contain_text("Best:")
        part(page, "play").click()
    expect(part(page, "player-1")).to_have_attribute("aria-current", "true")
    expect(part(page, "coach")).not_to_be_checked()
    assert step(page) == "roll"
    settled(page, "move")
    expect(page.locator(".advice")).to_contain_text("No advice for Ben the 2nd")
    expect(part(page, "moves")).not_to_be_visible()
    assert page.evaluate(AUDIT) == []
    part(page, "box-straight").click()
    part(page, "box-straight").click()
    settled(page, "roll")
    expect(part(page, "player-2")).to_have_attribute("aria-current", "true")
    expect(part(page, "last")).to_have_text("")
    finish_the_round(page)
    expect(part(page, "result")).to_contain_text(re.compile("wins? with|share the win"))
    totals = [int(part(page, f"total-{i}").inner_text()) for i in range(3)]
    assert part(page, f"place-{totals.index(max(totals))}").inner_text() == "1."
    for i, total in enumerate(totals):
        part(page, f"look-{i}").click()
        expect(part(page, f"look-{i}")).to_have_attribute("aria-pressed", "true")
        expect(part(page, f"mistakes-{i}")).to_have_text(re.compile(r"\d"))
        assert abs(number(page, "before") + number(page, "luck") - number(page, "mistakes") - total) < 0.16
    assert page.evaluate(AUDIT) == []
    page.set_viewport_size(DESK)
    watched.finish()


def finish_the_round(page: Page) -> None:
    """Play on; who has no coach takes the first box that is left."""
    while settled(page) != "end":
        if settled(page) == "move" and not part(page, "coach").is_checked():
            page.locator("[data-test^=box-]:visible").first.click()
            part(page, "play").click()
        else:
            step(page)


def test_two_have_exact_chances_once_their_duel_is_solved(watched: Watched) -> None:
    page = go(watched, f"#yazy?{SMALL}&players=Anna,Ben")
    settled(page, "dice")
    enter(page, "12345")
    expect(part(page, "odds-note")).to_contain_text("Estimate")
    part(page, "odds-exactly").click()
    expect(part(page, "odds-note")).to_contain_text("Exact")
    assert sum(chances(page, 2)) in (99, 100, 101)
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
    page = go(watched, f"{fragment}players=Anna,Ben&mode=roll")
    play_out(page)
    expect(part(page, "result")).to_contain_text(re.compile(wins))
    expect(part(page, "luck-1")).to_have_text(re.compile(r"\d"))
    totals = [int(part(page, f"total-{i}").inner_text()) for i in range(2)]
    best = min(totals) if "slots" not in fragment else max(totals)
    assert [part(page, f"place-{i}").inner_text() for i in range(2)] == [f"{1 if total == best else 2}." for total in totals]
    watched.finish()
