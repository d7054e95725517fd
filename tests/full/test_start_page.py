"""The start page in a real browser: something to do at once, forms that tell what is wrong, rules of every game."""

from typing import Any

from playwright.sync_api import expect

from rollwise.games import CATALOGUE
from rollwise.games.catalogue import by_family
from tests.browser import AUDIT, PHONE, SIZES, Watched, card, choose, go, part, settled

WRONG = [
    ("pig", "target", "1", "1 is too small: expected at least 2"),
    ("groups", "sizes", "3;2", "3;2: expected whole numbers with commas between them"),
    ("words", "words", "@/etc/passwd", "Write the words themselves: a file cannot be named here"),
]


def test_a_stranger_tries_a_move_and_plays_on(watched: Watched) -> None:
    """The first click shows what it costs, without another request; worths are totals, the same ones as at the table."""
    page = go(watched)
    asked: list[str] = []
    hear: Any = lambda request: asked.append(request.url)  # noqa: E731
    page.on("request", hear)
    part(page, "try-0").click()
    expect(part(page, "try-answer")).to_contain_text("That costs 1.1 points: 204.1 points in the end")
    expect(part(page, "try-0")).to_contain_text("yours, \N{MINUS SIGN}1.1")
    part(page, "try-1").click()
    expect(part(page, "try-answer")).to_contain_text("Right: to keep 6 6 is best, with 205.3 points in the end")
    part(page, "try-next").click()
    expect(page.locator("#try-title")).to_have_text("Yatzy: what would you do?")
    page.remove_listener("request", hear)
    assert not [url for url in asked if "/api/" in url]
    go(watched)
    part(page, "try-on").click()
    settled(page, "move")
    expect(part(page, "move-0")).to_have_attribute("data-action", "keep 66")
    expect(part(page, "move-0")).to_contain_text("205.3")
    expect(page.locator("h1")).to_have_text("Yahtzee")
    watched.finish()


def test_famous_games_come_first_by_the_catalogue(watched: Watched) -> None:
    page = go(watched)
    page.evaluate("document.querySelectorAll('.family').forEach((family) => { family.open = true; })")
    famous = sorted((entry for entry in CATALOGUE.values() if entry.famous), key=lambda entry: entry.famous)
    others = [sorted(str(entry.title) for entry in games.values() if not entry.famous) for games in by_family().values()]
    titles = [*(str(entry.title) for entry in famous), *(title for titles in others for title in titles)]
    expect(page.locator('[data-test^="game-"] .name')).to_have_text(titles)
    watched.finish()


def test_forms_suit_their_parameters_and_tell_what_is_wrong(watched: Watched) -> None:
    """At its field, and nothing is sent; they fit at every size, and have contrast."""
    page = go(watched)
    asked: list[str] = []
    hear: Any = lambda request: asked.append(request.url)  # noqa: E731
    page.on("request", hear)
    for game, field, text, fault in WRONG:
        go(watched)
        card(page, game, "more").click()
        part(page, f"{game}-{field}").fill(text)
        part(page, "start").click()
        expect(part(page, f"fault-{game}-{field}")).to_have_text(fault)
        expect(part(page, f"{game}-{field}")).to_be_focused()
    page.remove_listener("request", hear)
    assert not [url for url in asked if "/api/" in url]
    for size in SIZES.values():
        page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate(AUDIT) == [], (size, scheme)
    page.emulate_media(color_scheme="light")
    page.keyboard.press("Escape")
    part(page, "more-yahtzee").first.click()
    expect(part(page, "yahtzee-joker").locator("option")).to_have_text(["free", "forced", "none"])
    expect(part(page, "yahtzee-joker").locator("option:checked")).to_have_text("forced")
    expect(part(page, "yahtzee-five_as_full_house")).to_have_attribute("type", "checkbox")
    assert page.evaluate(AUDIT) == []
    page.keyboard.press("Escape")
    card(page, "words", "more").click()
    assert part(page, "words-words").evaluate("node => node.tagName") == "TEXTAREA"
    page.keyboard.press("Escape")
    part(page, "more-yazy").click()
    part(page, "more-yazy-rerolls").click()
    expect(part(page, "yazy-rerolls")).to_have_value("3")
    part(page, "yazy-boxes").fill("ones, straight")
    part(page, "start").click()
    expect(page.locator(".title .rules")).to_have_text("Rerolls: 3, Boxes: ones, straight")
    choose(page, "rules-open")
    expect(part(page, "rules")).to_contain_text("up to 3 times")
    expect(part(page, "rule-straight")).to_be_visible()
    expect(part(page, "rule-sixes")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(part(page, "rules")).to_have_count(0)
    watched.finish()


def test_a_game_is_found_in_both_languages(watch: Any) -> None:
    """The families give way to what is found, and come back; that nothing is found is said."""
    watched = watch(viewport=PHONE, has_touch=True)
    page = go(watched)
    expect(part(page, "family-0")).to_be_visible()
    for text, name in {
        "fächer": "slots",
        "Slot": "slots",
        "cant stop": "cant-stop",
        "dreien": "threes",
        "Kniffel": "kniffel",
    }.items():
        part(page, "find").fill(text)
        expect(page.locator('.found [data-test^="game-"]')).to_have_attribute("data-test", f"game-{name}")
        expect(part(page, "family-0")).to_be_hidden()
        assert page.evaluate(AUDIT) == []
    part(page, "find").fill("rummy")
    expect(part(page, "found")).to_have_text("No game is called that.")
    part(page, "find").fill("")
    expect(part(page, "family-0")).to_be_visible()
    watched.finish()


def test_rules_from_the_start_page(watched: Watched) -> None:
    page = go(watched)
    for game in ("slots", "pig", "words", "groups", "yahtzee"):
        go(watched)
        card(page, game, "more").click()
        part(page, f"how-{game}").click()
        expect(part(page, "rules")).to_contain_text(f"Rules of {CATALOGUE[game].title}")
        assert page.evaluate(AUDIT) == []
        if game == "yahtzee":
            expect(part(page, "rule-full-house")).to_contain_text("25 points for three of one face and two of another")
            expect(part(page, "rule-full-house").get_by_role("img", name="4 4 4 6 6")).to_be_visible()
        part(page, "rules-close").click()
        expect(part(page, "rules")).to_have_count(0)
    watched.finish()
