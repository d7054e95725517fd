"""The start page in a real browser: something to do at once, forms that tell what is wrong, rules of every game."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from rollwise.games import CATALOGUE, load
from rollwise.games.catalogue import by_family
from rollwise.playing.samples import try_sample, try_samples
from rollwise.solving.solver import solve
from rollwise.web.files import TRIES
from rollwise.wire.to_json import describe_tried
from tests.browser import AUDIT, SIZES, Watched, part
from tests.web_client import connect


def open_at(watched: Watched, fragment: str = "") -> Page:
    watched.page.goto(watched.address + fragment)
    return watched.page


# Positions to try


def test_samples_are_as_the_whole_game_says() -> None:
    """What a position played on from is worth is what it is worth in the whole game."""
    for tried in try_samples(TRIES):
        solution = solve(load(tried.name))
        ranked = {move.action: float(move.value) for move in solution.ranked(tried.state)}
        for move in tried.moves:
            assert abs(float(move.value) - ranked[move.action]) < 1e-9


def test_every_sample_has_one_best_move_and_hunches_that_cost() -> None:
    for name, entry in CATALOGUE.items():
        for sample in entry.samples:
            told = describe_tried(try_sample(name, sample))
            losses = sorted(move["loss"] for move in told["moves"])
            assert losses[0] < 1e-9 < (0.01 if told["value_name"] == "win probability" else 0.1) < losses[1]
            assert len(losses) == 3


def test_a_stranger_tries_a_move(watched: Watched) -> None:
    """The first click shows what it costs, without another request."""
    page = open_at(watched)
    expect(part(page, "try-0")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    part(page, "try-0").click()
    expect(part(page, "try-answer")).to_contain_text("That costs 1.147 points: it brings 58.14 points on average")
    expect(part(page, "try-0")).to_contain_text("yours, \N{MINUS SIGN}1.147")
    part(page, "try-1").click()
    expect(part(page, "try-answer")).to_contain_text("Right: to keep 6 6 is best, and brings 59.29 points on average")
    part(page, "try-next").click()
    expect(page.locator("#try-title")).to_have_text("Yatzy: what would you do?")
    assert [url for url in asked if "keys.js" not in url and "icon" not in url] == []
    watched.finish()


def test_a_position_to_try_is_played_on(watched: Watched) -> None:
    page = open_at(watched)
    part(page, "try-on").click()
    expect(part(page, "move-0")).to_have_attribute("data-action", "keep 66", timeout=60_000)
    expect(page.locator("h1")).to_have_text("Yahtzee")
    watched.finish()


# The games


def test_famous_games_come_first_by_the_catalogue(watched: Watched) -> None:
    page = open_at(watched)
    expect(part(page, "game-yahtzee")).to_be_visible()
    shown = page.locator('[data-test^="game-"] .name').all_inner_texts()
    famous = sorted((entry for entry in CATALOGUE.values() if entry.famous), key=lambda entry: entry.famous)
    others = [sorted(entry.title for entry in games.values() if not entry.famous) for games in by_family().values()]
    assert shown == [*(entry.title for entry in famous), *(title for titles in others for title in titles)]
    watched.finish()


@pytest.mark.parametrize(
    ("game", "field", "text", "fault"),
    [
        ("pig", "target", "1", "1 is too small: expected at least 2"),
        ("pig", "target", "many", "many: expected a whole number"),
        ("yazy", "rerolls", "101", "101 is too large: expected at most 100"),
        ("groups", "sizes", "3;2", "3;2: expected whole numbers with commas between them"),
        ("words", "dice", "", "Fill this in: there is no usual value"),
        ("words", "words", "@/etc/passwd", "Write the words themselves: a file cannot be named here"),
    ],
)
def test_a_wrong_value_is_told_at_its_field(watched: Watched, game: str, field: str, text: str, fault: str) -> None:
    """Nothing is sent."""
    page = open_at(watched)
    part(page, f"rules-{game}").click()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    part(page, f"{game}-{field}").fill(text)
    part(page, "start").click()
    expect(part(page, f"fault-{game}-{field}")).to_have_text(fault)
    expect(part(page, f"{game}-{field}")).to_be_focused()
    assert page.evaluate(AUDIT) == []
    assert asked == []
    watched.finish()


def test_house_rules_are_switches_and_stand_in_the_title(watched: Watched) -> None:
    page = open_at(watched)
    part(page, "rules-yazy").click()
    part(page, "more-yazy-rerolls").click()
    expect(part(page, "yazy-rerolls")).to_have_value("3")
    part(page, "yazy-boxes").fill("ones, straight")
    part(page, "start").click()
    expect(page.locator(".title .rules")).to_have_text("3 rerolls, boxes ones, straight")
    page.go_back()
    part(page, "rules-yatzy").click()
    switch = page.get_by_role("switch", name="Four alike are two pairs")
    switch.check()
    part(page, "start").click()
    expect(page.locator(".title .rules")).to_have_text("four alike are two pairs", timeout=60_000)
    assert "p.four_as_two_pairs=yes" in page.url
    watched.finish()


def test_an_aim_is_chosen_in_the_form(watched: Watched) -> None:
    page = open_at(watched)
    part(page, "rules-yazy").click()
    part(page, "yazy-boxes").fill("ones,straight")
    part(page, "aim-at-least").check()
    part(page, "start").click()
    expect(part(page, "fault-at-least-target").or_(part(page, "keypad-1")).first).to_be_visible()
    watched.finish()


# Rules


@pytest.mark.parametrize("game", ["yahtzee", "slots", "pig", "words", "groups"])
def test_rules_from_the_start_page(watched: Watched, game: str) -> None:
    page = open_at(watched)
    part(page, f"how-{game}").click()
    expect(part(page, "rules")).to_contain_text(f"Rules of {CATALOGUE[game].title}")
    assert page.evaluate(AUDIT) == []
    if game == "yahtzee":
        expect(part(page, "rule-full-house")).to_contain_text("25 points for three of one face and two of another")
        expect(part(page, "rule-full-house").get_by_role("img", name="4 4 4 6 6")).to_be_visible()
        expect(part(page, "rule-full-house")).to_contain_text("pays 25")
    part(page, "rules-close").click()
    expect(part(page, "rules")).to_have_count(0)
    watched.finish()


def test_rules_on_the_table_are_those_of_the_house(watched: Watched) -> None:
    page = open_at(watched, "#yazy?p.boxes=ones,straight&p.rerolls=1")
    part(page, "rules-open").click()
    expect(part(page, "rules")).to_contain_text("up to 1 time")
    expect(part(page, "rule-straight")).to_be_visible()
    expect(part(page, "rule-sixes")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(part(page, "rules")).to_have_count(0)
    watched.finish()


# How it loads


def test_the_page_needs_two_round_trips_and_little(browser: Browser, address: str) -> None:
    """The HTML names all modules that the start page needs and carries its data; all of it packed stays small."""
    context = browser.new_context()
    page = context.new_page()
    sizes: dict[str, int] = {}
    page.on("requestfinished", lambda request: sizes.__setitem__(request.url, request.sizes()["responseBodySize"]))
    page.goto(address)
    expect(part(page, "try-0")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert sum(sizes.values()) < 60_000
    assert not [url for url in sizes if "/api/" in url]
    preloaded = {link.get_attribute("href") for link in page.locator("link[rel=modulepreload]").all()}
    scripts = {url.removeprefix(address) for url in sizes if url.endswith(".js")}
    later = {url for url in scripts - preloaded if not url.endswith("/main.js")}
    assert {url.rpartition("/")[2] for url in later} <= {"keys.js", "offline.js", "connection.js"}, "they are not waited for"
    context.close()


def test_the_data_cannot_end_its_block(tmp_path: Any) -> None:
    with connect(tmp_path) as client:
        answer = client.get("/")
        found = re.search(r'<script type="application/json" id="data">(.*?)</script>', answer.text, re.DOTALL)
        assert found
        assert "<" not in found[1]
        assert json.loads(found[1])["games"] == client.get("/api/games").json()
        assert client.get("/", headers={"if-none-match": answer.headers["etag"]}).status_code == 304
        assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_every_stylesheet_is_in_the_one_that_is_asked_for(tmp_path: Any) -> None:
    with connect(tmp_path) as client:
        together = client.get("/static/all.css").text
        assets = client.app.state.pages.assets  # type: ignore[attr-defined]
        scripts = [asset.plain.decode() for name, asset in assets.items() if name.endswith(".js")]
        for name in assets:
            if name.endswith(".css"):
                is_later = any(f'styled("{name}")' in script for script in scripts)
                assert (client.get(f"/static/{name}").text in together) is not is_later


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_manners(browser: Browser, address: str, size: str, scheme: Any) -> None:
    context = browser.new_context(viewport=SIZES[size], color_scheme=scheme, reduced_motion="reduce")
    watched = Watched(context.new_page(), address)
    page = open_at(watched)
    part(page, "try-2").click()
    assert page.evaluate(AUDIT) == []
    for game in ("yahtzee", "words", "kniffel"):
        part(page, f"rules-{game}").click()
        expect(part(page, "start")).to_be_visible()
        assert page.evaluate(AUDIT) == [], game
    context.close()
    watched.finish()
